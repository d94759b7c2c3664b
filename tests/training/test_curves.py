"""The picture of a run."""

from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="Matplotlib is missing: install lostcities[train]")

from lostcities.training.curves import draw_curves
from lostcities.training.journal import RunError, write_entry

_PNG = b"\x89PNG\r\n\x1a\n"


def panel(decisions: int, margin: float) -> dict[str, object]:
    results = {"heuristic, 5 colors": {"margin": margin, "error": 1.5}}
    return {"kind": "panel", "iteration": 0, "decisions": decisions, "results": results}


def iteration(decisions: int, **habits: float) -> dict[str, object]:
    return {"kind": "iteration", "iteration": 1, "decisions": decisions, "colors": 5, **habits}


def test_a_picture_is_drawn_into_the_folder(tmp_path: Path) -> None:
    write_entry(tmp_path, panel(0, -90.0))
    write_entry(tmp_path, iteration(1000, entropy=1.2))  # no round has ended yet
    write_entry(tmp_path, iteration(2000, entropy=1.1, wagers=1.5, score=12.0))
    write_entry(tmp_path, panel(2000, 10.0))
    path = draw_curves(tmp_path)
    assert path.parent == tmp_path
    first = path.read_bytes()
    assert first.startswith(_PNG)
    assert int.from_bytes(first[16:20], "big") >= 1000
    write_entry(tmp_path, panel(3000, 30.0))
    assert draw_curves(tmp_path).read_bytes() != first


def test_without_a_measurement_there_is_nothing_to_draw(tmp_path: Path) -> None:
    write_entry(tmp_path, iteration(1000, entropy=1.2))
    with pytest.raises(RunError, match=r"expected the curves of a run in .*, got none"):
        draw_curves(tmp_path)
