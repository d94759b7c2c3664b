"""The curves of a run: kept, read, and cut back to a checkpoint."""

from pathlib import Path

import pytest

from lostcities.training.journal import (
    CURVES,
    Entry,
    RunError,
    cut_back,
    read_curves,
    write_entry,
)


def entry(kind: str, iteration: int) -> Entry:
    return {"kind": kind, "iteration": iteration, "seconds": 10.0 * iteration + 1}


ENTRIES = [
    entry("imitation", 0),
    entry("panel", 0),
    entry("iteration", 1),
    entry("iteration", 2),
    entry("panel", 2),
    entry("iteration", 3),
    entry("panel", 3),  # a part of the run ended here
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for one in ENTRIES:
        write_entry(tmp_path, one)
    return tmp_path


def test_what_is_written_is_read(folder: Path) -> None:
    assert read_curves(folder) == ENTRIES


def test_a_line_that_was_cut_off_is_no_entry(folder: Path) -> None:
    with (folder / CURVES).open("a") as file:
        file.write('{"kind": "iteration", "iter')
    assert read_curves(folder) == ENTRIES
    cut_back(folder, iteration=3, panel_every=2)
    write_entry(folder, entry("iteration", 4))
    assert read_curves(folder) == [*ENTRIES[:6], entry("iteration", 4)]


@pytest.mark.parametrize(
    ("iteration", "num_kept", "seconds"), [(3, 6, 31.0), (2, 5, 21.0), (1, 3, 11.0), (-1, 0, 0.0)]
)
def test_what_lies_behind_a_checkpoint_is_forgotten(
    folder: Path, iteration: int, num_kept: int, seconds: float
) -> None:
    assert cut_back(folder, iteration=iteration, panel_every=2) == seconds
    assert read_curves(folder) == ENTRIES[:num_kept]


def test_a_run_that_has_not_written_has_nothing_to_forget(tmp_path: Path) -> None:
    assert cut_back(tmp_path, iteration=-1, panel_every=2) == 0.0
    with pytest.raises(RunError, match=r"expected the curves of a run in .*curves\.jsonl"):
        read_curves(tmp_path)


def test_curves_of_somebody_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / CURVES).write_text("a,b\n1,2\n")
    with pytest.raises(RunError, match="expected the curves of a run in "):
        read_curves(tmp_path)
