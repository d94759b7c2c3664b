"""A run: begun once, the same whether or not it was interrupted, loud when it goes wrong."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from kernel.test_network import some_weights
from lostcities.agents.weights import NetworkFileError, load_network
from lostcities.kernel.network import NETWORK_VERSION, NUM_WEIGHTS
from lostcities.kernel.selfplay import LEARNER, LIKE_ITSELF, LIKE_STALLER
from lostcities.training.checkpoints import CHECKPOINT, load_checkpoint, save_checkpoint
from lostcities.training.config import ConfigError, RunConfig
from lostcities.training.journal import CURVES, RunError, read_curves
from lostcities.training.manifest import manifest
from lostcities.training.model import Network
from lostcities.training.run import (
    CLONE,
    CONFIG,
    MANIFEST,
    NETWORK,
    Run,
    alarms_of,
    begin_run,
    open_run,
)
from lostcities.training.self_play import SelfPlayStage
from training.examples import (
    curves_without_time,
    never_wagers,
    tiny_config,
    weights_of,
    write_network,
)

_GO_ON = """
import sys
from pathlib import Path
from lostcities.training.run import Run, open_run
folder = Path(sys.argv[1])
Run(folder, open_run(folder)).train(iterations=int(sys.argv[2]))
"""
NUM_ITERATIONS = 6


def go_on_elsewhere(folder: Path, iterations: int) -> "subprocess.Popen[bytes]":
    """Go on with a run in a process of its own."""
    return subprocess.Popen([sys.executable, "-c", _GO_ON, str(folder), str(iterations)])


def state_of(folder: Path) -> dict[str, object]:
    state = load_checkpoint(folder)
    assert state is not None
    return state


def assert_same(one: object, other: object) -> None:
    """Compare what checkpoints hold, to the digit."""
    assert type(one) is type(other)
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_same(*pair)
    elif isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        assert torch.equal(one, other)
    elif hasattr(one, "tobytes") and hasattr(other, "tobytes"):
        assert one.tobytes() == other.tobytes()
    else:
        assert one == other


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that was never interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    begin_run(folder, tiny_config())
    Run(folder, tiny_config()).train(iterations=NUM_ITERATIONS)
    return folder


def assert_equal_runs(one: Path, other: Path) -> None:
    assert curves_without_time(one) == curves_without_time(other)
    assert_same(state_of(one), state_of(other))
    assert (weights_of(one / NETWORK) == weights_of(other / NETWORK)).all()


def test_a_run_that_is_gone_on_with_is_the_same_to_the_digit(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin_run(folder, tiny_config())
    Run(folder, tiny_config()).train(iterations=3)
    assert [entry["iteration"] for entry in read_curves(folder)][-2:] == [3, 3]
    assert go_on_elsewhere(folder, 3).wait(timeout=200) == 0
    assert_equal_runs(folder, whole)


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    config = tiny_config(checkpoint_seconds=0.4)
    begin_run(folder, config)
    run = go_on_elsewhere(folder, 10_000)
    deadline = time.monotonic() + 200
    try:
        while time.monotonic() < deadline and run.poll() is None:
            if (folder / CHECKPOINT).exists() and (folder / CURVES).read_text().count("\n") > 6:
                break
            time.sleep(0.02)
    finally:
        run.kill()
    assert run.wait(timeout=60) == -signal.SIGKILL
    done = state_of(folder)["iteration"]
    assert isinstance(done, int)
    if done > NUM_ITERATIONS:  # a fast machine: compare with a longer run
        folder_of_whole = tmp_path / "whole" / "run"
        begin_run(folder_of_whole, config)
        Run(folder_of_whole, config).train(iterations=done + 2)
        Run(folder, open_run(folder)).train(iterations=2)
        assert_equal_runs(folder, folder_of_whole)
        return
    Run(folder, open_run(folder)).train(iterations=NUM_ITERATIONS - done)
    assert_equal_runs(folder, whole)


def test_a_run_without_a_checkpoint_begins_anew(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin_run(folder, tiny_config())
    (folder / CURVES).write_text('{"kind": "imitation", "iteration": 0, "seconds": 3.0}\n{"kin')
    Run(folder, open_run(folder)).train(iterations=NUM_ITERATIONS)
    assert_equal_runs(folder, whole)


def test_a_run_ends_when_its_decisions_are_used_up(tmp_path: Path) -> None:
    config = tiny_config(self_play={"decisions": 1000}, imitation={"windows": 1})
    begin_run(tmp_path / "run", config)
    Run(tmp_path / "run", config).train()
    *_, last = read_curves(tmp_path / "run")
    assert 1000 <= last["decisions"] < 2600
    before = read_curves(tmp_path / "run")
    Run(tmp_path / "run", config).train()
    assert curves_without_time(tmp_path / "run") == [
        {name: value for name, value in entry.items() if name != "seconds"} for entry in before
    ]


def test_a_folder_tells_what_it_was_made_with(whole: Path) -> None:
    assert open_run(whole) == tiny_config()
    made_with = json.loads((whole / MANIFEST).read_text())
    assert made_with.keys() == manifest().keys()
    assert made_with["torch"] == torch.__version__
    network = load_network(whole / NETWORK)
    assert network.card["run"] == "run"
    assert network.card["config"]["seed"] == 3
    kinds = [entry["kind"] for entry in read_curves(whole)]
    assert kinds == ["imitation", "panel", *["iteration", "iteration", "panel"] * 3]


def test_a_folder_holds_one_run(whole: Path) -> None:
    with pytest.raises(RunError, match=r"expected a new folder, got .* use --resume"):
        begin_run(whole, tiny_config())


def test_where_no_run_is_none_is_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="expected a run in "):
        open_run(tmp_path)
    (tmp_path / CONFIG).write_text("{")
    with pytest.raises(RunError, match="expected a run in "):
        open_run(tmp_path)
    (tmp_path / CONFIG).write_text('{"sead": 1}')
    with pytest.raises(ConfigError, match=r"config\.json, got 'sead'"):
        open_run(tmp_path)


@pytest.mark.parametrize("name", ["start", "rivals"])
def test_networks_that_are_not_there_are_missed_at_once(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "none.npz")
    config = RunConfig(start=path) if name == "start" else RunConfig(rivals=(path,))
    with pytest.raises(NetworkFileError, match=r"expected a network in .*none\.npz"):
        begin_run(tmp_path / "run", config)
    assert not (tmp_path / "run").exists()


def test_a_checkpoint_that_is_none_is_named(tmp_path: Path) -> None:
    begin_run(tmp_path, tiny_config())
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(RunError, match=r"expected a checkpoint in .*checkpoint\.pt, got: "):
        Run(tmp_path, tiny_config()).train(iterations=1)


@pytest.mark.parametrize("change", [{"network_version": 1}, {"network": np.zeros(7, np.float32)}])
def test_a_checkpoint_of_another_kind_of_network_is_refused(
    whole: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    state = load_checkpoint(folder)
    assert state is not None
    save_checkpoint(folder, state | change)
    network = f"of version {NETWORK_VERSION} and {NUM_WEIGHTS:,} "
    with pytest.raises(RunError, match=rf"expected a checkpoint in .* {network}"):
        Run(folder, open_run(folder)).train(iterations=1)


def test_a_checkpoint_runs_no_code(tmp_path: Path) -> None:
    trace = tmp_path / "trace"

    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (trace,)

    torch.save({"iteration": Trap()}, tmp_path / CHECKPOINT)
    with pytest.raises(RunError, match="expected a checkpoint in "):
        load_checkpoint(tmp_path)
    assert not trace.exists()


def test_a_run_may_begin_with_a_network_and_is_measured_against_rivals(tmp_path: Path) -> None:
    start = write_network(tmp_path / "start.npz", never_wagers(some_weights()))
    rival = write_network(tmp_path / "rival.npz", some_weights(1))
    told: list[str] = []
    alone = {"past": 0.0, "rules_of_thumb": 0.0, "staller": 0.0}
    config = tiny_config(
        start=str(start), rivals=[str(rival)], self_play={"plies": 500, "games": 6, **alone}
    )
    begin_run(tmp_path / "run", config)
    Run(tmp_path / "run", config, tell=told.append).train(iterations=1)
    entries = read_curves(tmp_path / "run")
    assert [entry["kind"] for entry in entries] == ["panel", "iteration", "panel"]
    assert str(rival) in entries[0]["results"]
    # Who never wagers has fallen into the trap that self-play does not leave by itself.
    assert "wagers a side and round" in entries[1]["alarms"][0]
    assert any(text.startswith("alarm at ") and "wagers" in text for text in told)


def test_a_learner_may_play_against_rivals_that_do_not_learn(tmp_path: Path) -> None:
    """Who sits in the other seat is a rival in a share of the windows, and it stays what it was."""
    rivals = [write_network(tmp_path / f"{n}.npz", some_weights(n)) for n in (1, 2)]
    shares = {"past": 0.25, "rivals": 0.75, "rules_of_thumb": 0.0, "staller": 0.0}
    config = tiny_config(rivals=[str(path) for path in rivals], self_play=shares)
    stage = SelfPlayStage(Network(seed=1), config, rivals=[weights_of(path) for path in rivals])
    before = stage.network.to_row()
    stage.run_iteration()
    assert not (stage.network.to_row() == before).all()
    known = [weights_of(path) for path in rivals] + stage.past.rows
    picks = [stage.pick_other() for _ in range(400)]
    picked = [
        next(place for place, row in enumerate(known) if (row == other).all()) for other, _ in picks
    ]
    shares_seen = np.bincount(picked, minlength=3)[:3] / len(picked)
    assert shares_seen == pytest.approx([0.375, 0.375, 0.25], abs=0.08)
    kinds = {place: kind for place, (_, kind) in zip(picked, picks, strict=True)}
    assert kinds == {0: LIKE_STALLER + 1, 1: LIKE_STALLER + 2, 2: LIKE_ITSELF}
    # Only the learner's own plies are learned from: one seat of each game.
    assert (stage.tables[5].games.controllers == LEARNER).sum(1).tolist() == [1] * 16


def test_a_run_with_a_critic_is_gone_on_with_to_the_digit(tmp_path: Path) -> None:
    config = tiny_config(critic={"units": 8, "windows": 2})
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, parts in ((one, [4]), (other, [1, 3])):
        begin_run(folder, config)
        for iterations in parts:
            Run(folder, config).train(iterations=iterations)
    assert_equal_runs(one, other)
    losses = [entry["critic_loss"] for entry in read_curves(one) if entry["kind"] == "iteration"]
    assert losses[-1] < losses[0]
    # As long as only the judge learns, the network is that of imitation.
    clone, first, last = (
        weights_of(one / name) for name in (CLONE, "network-0000000k.npz", NETWORK)
    )
    assert (clone == first).all()
    assert not (clone == last).all()


def test_alarms_are_for_collapses_only() -> None:
    assert alarms_of({}) == []
    assert alarms_of({"wagers": 2.0, "forced_share": 0.02}) == []
    assert alarms_of({"wagers": 0.0}) == ["only 0.00 wagers a side and round"]
    both = alarms_of({"wagers": 0.1, "forced_share": 0.41})
    assert both == [
        "only 0.10 wagers a side and round", "a forced draw in 41% of the rounds",
    ]  # fmt: skip


def test_a_window_in_which_nothing_ends_is_no_mistake(tmp_path: Path) -> None:
    config = tiny_config(
        start=str(write_network(tmp_path / "start.npz")),
        self_play={"plies": 1, "games": 1, "past": 0.0, "rules_of_thumb": 0.0, "staller": 0.0},
    )
    begin_run(tmp_path / "run", config)
    Run(tmp_path / "run", config).train(iterations=2)
    assert read_curves(tmp_path / "run")[-1]["decisions"] == 2
