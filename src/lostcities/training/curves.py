"""The curves of a run, as a picture."""

import json
from pathlib import Path
from typing import Any, Final

from lostcities.training.run import CURVES, RunError

PICTURE: Final = "curves.png"
_HABITS: Final = ("score", "wagers", "expeditions", "takes", "forced_share", "entropy")


def draw_curves(folder: Path) -> Path:
    """Draw the curves of a run into its folder and return where.

    Raises:
        RunError: If there are none.
    """
    import matplotlib as mpl  # noqa: PLC0415 # slow to load, and only wanted here

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 # after the choice of where it draws

    entries = read_curves(folder)
    iterations = [entry for entry in entries if entry["kind"] == "iteration"]
    panels = [entry for entry in entries if entry["kind"] == "panel"]
    if not panels:
        raise RunError(f"expected the curves of a run in {folder}, got none")
    figure, axes = plt.subplots(2, 4, figsize=(16, 7), constrained_layout=True)
    strength, *others = axes.flat
    for name in panels[-1]["results"]:
        known = [entry for entry in panels if name in entry["results"]]
        strength.errorbar(
            [entry["decisions"] / 1e6 for entry in known],
            [entry["results"][name]["margin"] for entry in known],
            [1.96 * entry["results"][name]["error"] for entry in known],
            label=Path(name).name,
        )
    strength.set_title("margin, points a round (95 %)")
    strength.set_ylim(-30, 60)
    strength.legend(fontsize=7)
    for axis, name in zip(others, _HABITS, strict=False):
        for colors in (5, 6):
            known = [entry for entry in iterations if entry["colors"] == colors and name in entry]
            axis.plot(
                [entry["decisions"] / 1e6 for entry in known],
                [entry[name] for entry in known],
                linewidth=0.7,
                label=f"{colors} colors",
            )
        axis.set_title(name)
        axis.set_xlabel("million decisions")
    others[-1].axis("off")
    path = folder / PICTURE
    figure.savefig(path, dpi=80)
    plt.close(figure)
    return path


def read_curves(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of the curves of a run.

    Raises:
        RunError: If there are none.
    """
    try:
        lines = (folder / CURVES).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise RunError(f"expected the curves of a run in {folder}, got: {error}") from None
    return [json.loads(line) for line in lines if line.endswith("}")]
