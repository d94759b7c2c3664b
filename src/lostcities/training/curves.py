"""The curves of a run, as a picture."""

from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lostcities.training.journal import Entry, RunError, read_curves

PICTURE: Final = "curves.png"
_HABITS: Final = {
    "score": "own points a round",
    "wagers": "wagers a side and round",
    "expeditions": "expeditions a side and round",
    "takes": "discards taken a side and round",
    "forced_share": "share of rounds with a forced draw",
    "entropy": "entropy of a choice, nats",
    "explained": "share of the margin's variance foreseen",
}
_LOWEST: Final = -60.0
"""Margins below this are not shown: a young network loses by more than anybody needs to see."""
_SURE: Final = 1.96


def draw_curves(folder: Path) -> Path:
    """Draw the curves of a run into its folder and return where.

    Raises:
        RunError: If there are none.
    """
    entries = read_curves(folder)
    panels = [entry for entry in entries if entry["kind"] == "panel"]
    if not panels:
        raise RunError(f"expected the curves of a run in {folder}, got none")
    iterations = [entry for entry in entries if entry["kind"] == "iteration"]
    figure = Figure(figsize=(16, 7), constrained_layout=True)
    FigureCanvasAgg(figure)  # draws without a screen
    strength, *others = figure.subplots(2, 4).flat
    _draw_strength(strength, panels)
    for axes, name in zip(others, _HABITS, strict=True):
        _draw_habit(axes, iterations, name)
    others[0].legend(fontsize=7)
    path = folder / PICTURE
    figure.savefig(path, dpi=80)
    return path


def _draw_strength(axes: Axes, panels: list[Entry]) -> None:
    """Draw the margin against each member of the panel, with its interval."""
    margins = [name for name, result in panels[-1]["results"].items() if "share" not in result]
    for name in margins:
        known = [entry for entry in panels if name in entry["results"]]
        results = [entry["results"][name] for entry in known]
        axes.errorbar(
            [entry["decisions"] / 1e6 for entry in known],
            [result["margin"] for result in results],
            [_SURE * result["error"] for result in results],
            label=Path(name).name,
        )
    axes.set_title("margin, points a round (95 %)")
    low, high = axes.get_ylim()
    axes.set_ylim(min(max(low, _LOWEST), high - 1.0), high)
    axes.set_xlabel("million decisions")
    axes.legend(fontsize=7)


def _draw_habit(axes: Axes, iterations: list[Entry], name: str) -> None:
    """Draw one of the numbers that every iteration writes, five and six colors apart."""
    for colors in (5, 6):
        known = [entry for entry in iterations if entry["colors"] == colors and name in entry]
        axes.plot(
            [entry["decisions"] / 1e6 for entry in known],
            [entry[name] for entry in known],
            linewidth=0.7,
            label=f"{colors} colors",
        )
    axes.set_title(_HABITS[name])
    axes.set_xlabel("million decisions")
