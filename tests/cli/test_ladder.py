"""The ladder of the levels through the command line: saved, interrupted, gone on with."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from lostcities.agents.levels import LEVELS
from lostcities.cli import main

WORDS = ["ladder", "--pairs", "2", "--processes", "1", "--seed", "2"]
NUM_DUELS = 2 * len(LEVELS) - 3
"""Each level meets the two above it."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """The results of a whole ladder, and what the command said of it."""
    path = tmp_path_factory.mktemp("ladder") / "results"
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", *WORDS, "--save", str(path), "--json"],
        capture_output=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return path, json.loads(done.stdout)


def test_a_ladder_goes_on_to_the_same_ratings(
    saved: tuple[Path, dict[str, object]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, told = saved
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 2 * NUM_DUELS
    path = tmp_path / "results"
    path.write_bytes(b"".join(lines[:-3]) + lines[-3][:40])  # as a kill leaves it
    assert main([*WORDS, "--save", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert len(path.read_bytes().splitlines()) == len(lines)


def test_what_is_saved_is_told_and_not_played_again(
    saved: tuple[Path, dict[str, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, told = saved
    before = path.read_bytes()
    assert main([*WORDS, "--save", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count(" against ") == NUM_DUELS
    assert path.read_bytes() == before
    for level in told["levels"]:  # type: ignore[attr-defined]
        assert f"{level['points']:+6.1f} +- {level['standard_error']:.1f} points a round" in out


def _until_saved(path: Path, num_lines: int) -> None:
    deadline = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") < num_lines:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_interrupted_ladder_shows_its_progress_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "results"
    screen, stderr = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lostcities", *WORDS, "--save", str(path)],
        stdout=subprocess.PIPE,
        stderr=stderr,
    )
    os.close(stderr)
    _until_saved(path, 4)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    told = os.read(screen, 65_536).decode()
    os.close(screen)
    assert process.returncode == 130
    assert f"] 1/{2 * NUM_DUELS} level:2 against level:1" in told
    assert f"of {2 * NUM_DUELS} pairs; the same command goes on from {path}" in told
    assert out.decode().startswith("level:2 against level:1: ")
    assert b"misfit" not in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--save", "FILE"], "expected --pairs of at least 2 with --save, got none"),
        (["--pairs", "2", "--save", "/no/such/file"], "cannot write results to /no/such/file"),
        (["--pairs", "2", "--processes", "-1"], "expected --processes of at least 0, got -1"),
    ],
)
def test_wrong_usage_of_a_ladder_is_one_line(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"lostcities ladder: {problem}")
    assert captured.err.count("\n") == 1


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray (extra 'cluster') is not installed")
def test_a_ladder_takes_the_cluster_that_it_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", *WORDS, "--cluster", "nowhere:1:2"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "cannot use the cluster 'nowhere:1:2'" in done.stderr
