"""`lostcities train`: one screen of help, one sentence for each mistake, and a whole small run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lostcities.cli import main
from training.examples import never_wagers, weights_of, write_network

HEIGHT, WIDTH = 40, 100
TINY = """
seed = 3
[imitation]
windows = 1
games = 8
plies = 40
[self_play]
decisions = 500
games = 8
plies = 40
minibatch = 64
[panel]
pairs = 2
"""


def train(*words: str) -> int:
    return main(["train", *words])


def test_help_fits_a_screen_and_names_every_stage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    assert train("--help") == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    for word in (
        "run", "label", "curves", "duel", "promote", "imitat", "[distillation]", "[self_play]", "[panel]", "--resume",
        "config.json", "manifest.json", "curves.jsonl", "checkpoint.pt", "network.npz",
    ):  # fmt: skip
        assert word in text


@pytest.mark.parametrize("action", ["run", "label", "curves", "duel", "promote"])
def test_each_action_explains_itself(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(action, "--help") == 0
    assert f"lostcities train {action}" in capsys.readouterr().out


@pytest.mark.parametrize(("action", "module"), [("run", "torch"), ("curves", "matplotlib")])
def test_a_missing_library_is_named_with_how_to_get_it(
    action: str, module: str, tmp_path: Path
) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; from lostcities.cli import main;"
        f"sys.exit(main(['train', {action!r}, {str(tmp_path / 'run')!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"lostcities train: expected {module} for training, and it is not installed: "
        "pip install 'lostcities[train]'\n"
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("duel", "none.npz", "heuristic"), "expected a network file or 'shipped', got 'none.npz'"),
        (("duel", "shipped", "chess"), "expected a network file or 'shipped', got 'chess'"),
        (("duel", "shipped", "staller", "--pairs", "1"), "expected --pairs of at least 2, got 1"),
        (("promote", "shipped", "to.npz", "--pairs", "0"), "expected --pairs of at least 2, got 0"),
        (("label", "to", "--jobs", "0"), "expected --jobs of at least 1, got 0"),
        (("label", "to", "--worlds", "1"), "expected --worlds of at least 2, got 1"),
        (("label", "to", "--trust", "0"), "expected a --trust above 0, got 0"),
        (("label", "to", "--trust", "nan"), "expected a --trust above 0, got nan"),
        (("label", "to", "--processes", "-1"), "expected --processes of at least 0, got -1"),
        (
            ("label", "to", "--network", "no.npz"),
            "expected a network file or 'shipped', got 'no.npz'",
        ),
    ],
)
def test_a_mistake_is_said_in_one_line(
    words: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(*words) == 2
    assert capsys.readouterr().err == f"lostcities train: {problem}\n"


def test_a_network_plays_a_duel(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("duel", "shipped", "shipped", "--pairs", "2", "--colors", "6") == 0
    first = capsys.readouterr().out
    assert (
        first
        == "2 pairs, 6 colors: +0.00 +- 0.00 points a round (standard error), 50.0% of rounds\n"
    )
    assert train("duel", "shipped", "staller", "--pairs", "2") == 0
    assert "2 pairs, 5 colors: +" in capsys.readouterr().out


def test_labels_are_made_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("label", str(tmp_path / "labels"), "--worlds", "2", "--processes", "1", "--jobs")
    assert train(*words, "1") == 0
    assert re.fullmatch(r"job 0: \d+ positions\n", capsys.readouterr().out)
    assert train(*words, "2") == 0
    assert re.fullmatch(r"job 1: \d+ positions\n", capsys.readouterr().out)
    assert train(*words, "2", "--seed", "3") == 2
    assert "expected a new folder or the same labelling" in capsys.readouterr().err


def test_what_is_better_is_promoted_and_what_is_not_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worse, to = write_network(tmp_path / "worse.npz"), tmp_path / "best.npz"
    assert train("promote", "shipped", str(to), "--over", str(worse), "--pairs", "12") == 0
    assert capsys.readouterr().out.endswith(f"promoted to {to}\n")
    promoted = weights_of(to)
    # Without its wagers it is worse than itself.
    write_network(worse, never_wagers(promoted))
    for path in (worse, to):
        assert train("promote", str(path), str(to), "--over", str(to), "--pairs", "12") == 1
        assert capsys.readouterr().out.endswith("not promoted: it is not clearly better\n")
    assert (weights_of(to) == promoted).all()


def test_a_run_from_nothing_to_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")
    folder, config = tmp_path / "run", tmp_path / "my.toml"
    config.write_text(TINY)
    assert train("run", str(folder), "--config", str(config)) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "imitates the rules of thumb"
    assert told[-1].startswith("640 decisions: heuristic, 5 colors ")
    assert train("run", str(folder), "--config", str(config)) == 2
    assert "which holds a run; use --resume" in capsys.readouterr().err
    assert train("run", str(folder), "--config", str(config), "--resume") == 2
    assert "a run keeps its own" in capsys.readouterr().err
    assert train("run", str(folder), "--resume") == 0
    assert capsys.readouterr().out.startswith("goes on at 640 decisions\n")
    assert train("curves", str(folder)) == 0
    assert Path(capsys.readouterr().out.strip()).read_bytes().startswith(b"\x89PNG")
    assert (
        train("duel", str(folder / "network.npz"), str(folder / "clone.npz"), "--pairs", "2") == 0
    )
