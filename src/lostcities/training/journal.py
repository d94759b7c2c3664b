"""The curves of a run: one line of JSON for each thing that is worth knowing later."""

import json
from pathlib import Path
from typing import Any, Final

from lostcities.rules import LostCitiesError

CURVES: Final = "curves.jsonl"
Entry = dict[str, Any]
"""What kind it is, when it was, and what was measured."""


class RunError(LostCitiesError):
    """A folder in which no run can be begun or gone on with."""


def read_curves(folder: Path) -> list[Entry]:
    """Return the entries of a run; a last line that was cut off is no entry.

    Raises:
        RunError: If there are none.
    """
    path = folder / CURVES
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]
    except (OSError, ValueError) as error:
        raise RunError(f"expected the curves of a run in {path}, got: {error}") from None


def write_entry(folder: Path, entry: Entry) -> None:
    """Add an entry to those of a run."""
    with (folder / CURVES).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def cut_back(folder: Path, *, iteration: int, panel_every: int) -> float:
    """Forget what was written behind a checkpoint, and what only the end of a part wrote.

    So the curves of a run that was interrupted are those of one that was not.

    Args:
        folder: Of the run.
        iteration: How many iterations lie before the checkpoint; -1 forgets everything.
        panel_every: See `config.Panel`.

    Returns:
        The seconds that the run had taken.
    """
    if not (folder / CURVES).exists():
        return 0.0
    kept = [
        entry
        for entry in read_curves(folder)
        if entry.get("iteration", 0) <= iteration  # what came before the first has none
        and (entry["kind"] != "panel" or entry["iteration"] % panel_every == 0)
    ]
    part = folder / (CURVES + ".part")
    part.write_text("".join(json.dumps(entry) + "\n" for entry in kept), encoding="utf-8")
    part.replace(folder / CURVES)
    return float(kept[-1]["seconds"]) if kept else 0.0
