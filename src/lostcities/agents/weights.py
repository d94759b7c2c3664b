"""Networks as files: the weights with what they must agree with before they are used."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO, Final
from zipfile import BadZipFile

import numpy as np

from lostcities.agents.objective import MATCH
from lostcities.kernel.features import FEATURES_VERSION, GLOBAL_WIDTH
from lostcities.kernel.network import (
    COLOR_UNITS,
    NETWORK_VERSION,
    NUM_WEIGHTS,
    PARTS,
    TABLE_INPUTS,
    TABLE_UNITS,
    THUMBS,
    Parts,
    Weights,
    blind_to_match,
    part_of,
    parts_with,
)
from lostcities.rules import LostCitiesError

SHIPPED: Final = "lostcities-4.npz"
_CARD: Final = "card"
_READABLE: Final = (1, 2, NETWORK_VERSION)
"""The versions that can be read. Version 1 told nothing of rules of thumb, neither was told anything."""


class NetworkFileError(LostCitiesError, ValueError):
    """A file that holds no network, or one that does not fit."""


@dataclass(frozen=True, slots=True)
class SavedNetwork:
    """A network as it was read.

    Attributes:
        weights: See `kernel.network`.
        digest: The first 12 digits of the SHA-256 of the weights: names the network.
        card: What is known of it: how it was made and measured.
    """

    weights: Weights
    digest: str
    card: dict[str, Any]

    def weights_for(self, objective: str) -> Weights:
        """Return the weights to play with for the points of a round, or for the match.

        Args:
            objective: One of `objective.OBJECTIVES`.
        """
        return self.weights if objective == MATCH else blind_to_match(self.weights)


def digest_of(weights: Weights) -> str:
    """Return the name of a network: the first 12 digits of a SHA-256."""
    content = np.ascontiguousarray(weights, "<f4").tobytes()
    return hashlib.sha256(content).hexdigest()[:12]


def save_network(path: Path, weights: Weights, card: dict[str, Any]) -> None:
    """Write a network, part by part, with its card.

    Args:
        path: Where to, `.npz`.
        weights: See `kernel.network`.
        card: What is known of it; versions and digest are added.
    """
    full_card = {
        **card,
        "features_version": FEATURES_VERSION,
        "network_version": NETWORK_VERSION,
        "digest": digest_of(weights),
    }
    parts: dict[str, Any] = {name: part_of(weights, name) for name in PARTS}
    parts[_CARD] = np.frombuffer(json.dumps(full_card).encode(), np.uint8)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:  # a name would be given an ending that nobody asked for
        np.savez_compressed(file, **parts)
    part.replace(path)


def load_network(path: Path) -> SavedNetwork:
    """Read a network from a file; nothing in it is ever run.

    Raises:
        NetworkFileError: If it is none, is of another version, or was changed.
    """
    try:
        with path.open("rb") as file:
            card, parts = _read(file)
    except _UNREADABLE as error:
        reason = str(error).partition("\n")[0]
        raise NetworkFileError(f"expected a network in {path}, got: {reason}") from None
    digest = digest_of(np.concatenate([part.reshape(-1) for part in parts]))
    if digest != card.get("digest"):
        raise NetworkFileError(
            f"expected weights with the digest {card.get('digest')} in {path}, got {digest}"
        )
    return SavedNetwork(_as_of_today(parts, card["network_version"]), digest, card)


_UNREADABLE: Final = (
    OSError, ValueError, LookupError, EOFError, BadZipFile, zlib.error,
    RuntimeError,  # an archive with a secret or packed in another way, a card that is too deep
    MemoryError,
)  # fmt: skip
"""What reading a file may end in that is damaged, or made to do harm."""


def _read(file: BinaryIO) -> tuple[dict[str, Any], list[Weights]]:
    """Return the card and the parts of a file.

    Raises:
        ValueError: If it is an archive of something else or of a version that cannot be read;
            other errors of its readers as well.
    """
    parts = np.load(file, allow_pickle=False)
    if not isinstance(parts, np.lib.npyio.NpzFile):
        raise ValueError("one array without a name")  # noqa: TRY004 # of the file, not of a caller
    card = json.loads(np.asarray(parts[_CARD]).tobytes())  # what is no array comes as bytes
    if not isinstance(card, dict):
        raise ValueError("a card that is no dictionary")  # noqa: TRY004
    versions = (card.get("features_version"), card.get("network_version"))
    if versions[0] != FEATURES_VERSION or versions[1] not in _READABLE:
        raise ValueError(
            f"features version {versions[0]} and network version {versions[1]}, "
            f"not {FEATURES_VERSION} and {', '.join(map(str, _READABLE[:-1]))} or {_READABLE[-1]}"
        )
    shapes = _shapes_in(parts, TABLE_INPUTS if versions[1] == NETWORK_VERSION else GLOBAL_WIDTH)
    return card, [_part(parts, name, shape) for name, shape in shapes.items()]


def _shapes_in(parts: "Mapping[str, np.ndarray[Any, np.dtype[Any]]]", table_inputs: int) -> Parts:
    """Return the shapes of a network that is as wide as one of today or narrower."""
    color_units, table_units = (np.size(parts[f"{kind}_bias_0"]) for kind in ("color", "table"))
    if color_units > COLOR_UNITS or table_units > TABLE_UNITS:
        raise ValueError(
            f"{color_units} and {table_units} units a layer, "
            f"more than {COLOR_UNITS} and {TABLE_UNITS}"
        )
    return parts_with(color_units, table_units, table_inputs)


def _part(
    parts: Mapping[str, "np.ndarray[Any, np.dtype[Any]]"], name: str, shape: tuple[int, ...]
) -> Weights:
    part = np.asarray(parts[name])
    if part.shape != shape or part.dtype != np.float32:
        raise ValueError(f"part {name} is {part.dtype}{list(part.shape)}, not float32{list(shape)}")
    if not np.isfinite(part).all():
        raise ValueError(f"part {name} holds what is no number")
    return part


def _as_of_today(parts: Iterable[Weights], version: int) -> Weights:
    """Return the weights as a network of today that says the same; units that it lacks are silent."""
    row = np.zeros(NUM_WEIGHTS, np.float32)
    for name, part in zip(PARTS, parts, strict=True):
        part_of(row, name)[tuple(map(slice, part.shape))] = part
    if version == 1:
        part_of(row, "color_head")[:, THUMBS] = part_of(row, "color_head_bias")[THUMBS] = 0
    return row


@cache
def shipped_network() -> SavedNetwork:
    """Return the network that comes with the package; it is read once."""
    with resources.as_file(resources.files("lostcities.agents.networks") / SHIPPED) as path:
        return load_network(path)


def network_from(path: str) -> SavedNetwork:
    """Return the network of a file; the one that comes with the package for "" or "shipped".

    Raises:
        NetworkFileError: If there is none in the file.
    """
    return shipped_network() if path in {"", "shipped"} else load_network(Path(path))
