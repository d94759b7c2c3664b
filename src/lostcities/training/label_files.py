"""Labels in folders: a file for each job, and how all of them were made."""

import io
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from lostcities.kernel.layout import Rows
from lostcities.kernel.network import Floats
from lostcities.kernel.step import num_colors
from lostcities.rules import LostCitiesError

LABELLING: Final = "labelling.json"
LABELS_VERSION: Final = 1
"""Raised whenever what is written changes its meaning, such as the words of a position."""
_FILES: Final = "labels-*.npz"


class LabelsError(LostCitiesError, ValueError):
    """Labels that cannot be used."""


class Labels(NamedTuple):
    """Labelled positions, `K` of them.

    Attributes:
        rows: The positions, `uint64[K, 32]`.
        seats: Who is to move, `int8[K]`.
        actions: Candidates, `int16[K, MOST_CANDIDATES]`; -1 for none.
        priors: How likely the network makes them, `float32[K, MOST_CANDIDATES]`.
        gains: What they are worth over the first one, as the trials and the network together
            say, in points, `float32[K, MOST_CANDIDATES]`.
        told: What the network was told of the other side, see `kernel.network.write_told`,
            `float32[K]`; 0 in files from before it listened.
    """

    rows: Rows
    seats: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int16]
    priors: Floats
    gains: Floats
    told: Floats


def file_of(folder: Path, job: int) -> Path:
    """Return where the labels of a job lie."""
    return folder / f"labels-{job:06d}.npz"


def keep_labelling(folder: Path, how: dict[str, Any]) -> None:
    """Write down how the labels of a folder are made; the folder is made, too.

    Raises:
        LabelsError: If it holds labels that were made in another way.
    """
    made = {"version": LABELS_VERSION, **how}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LABELLING
    if not path.exists():
        _write_whole(path, (json.dumps(made, indent=1) + "\n").encode())
    elif _read_labelling(path) != made:
        raise LabelsError(
            f"expected a new folder or the same labelling as in {path}, got another one: {made}"
        )


def write_labels(path: Path, labels: Labels) -> None:
    """Write labels into a file; one that is there is whole."""
    content = io.BytesIO()
    np.savez_compressed(content, **labels._asdict())
    _write_whole(path, content.getvalue())


def _write_whole(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # a name must not be there before what it names
    part.replace(path)


def _read_labelling(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LabelsError(f"expected how labels were made in {path}, got: {error}") from None
    if not isinstance(found, dict) or found.get("version") != LABELS_VERSION:
        raise LabelsError(f"expected labels of version {LABELS_VERSION} in {path}, got others")
    return found


def read_labels(folders: Iterable[Path]) -> dict[int, Labels]:
    """Return all labels of some folders by their number of colors.

    Raises:
        LabelsError: If there are none, or a file is none.
    """
    found: dict[int, list[Labels]] = {}
    for folder in folders:
        paths = sorted(folder.glob(_FILES))
        if not paths:
            raise LabelsError(f"expected labels in {folder}, got none; see lostcities train label")
        _read_labelling(folder / LABELLING)
        for path in paths:
            labels = _read(path)
            if len(labels.rows):
                found.setdefault(int(num_colors(labels.rows[0])), []).append(labels)
    if not found:
        raise LabelsError("expected labels of at least one position, got none")
    return {
        colors: Labels(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for colors, parts in found.items()
    }


def _read(path: Path) -> Labels:
    try:
        with np.load(path, allow_pickle=False) as parts:
            silence = np.zeros(len(parts["rows"]), np.float32)
            heard = parts.get("told", silence)
            return Labels(*(heard if name == "told" else parts[name] for name in Labels._fields))
    except (OSError, ValueError, LookupError, EOFError, BadZipFile, zlib.error) as error:
        reason = str(error).partition("\n")[0]
        raise LabelsError(f"expected labels in {path}, got: {reason}") from None
