"""Checkpoints: everything that the next iteration depends on, in one file."""

import os
import pickle
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from lostcities.kernel.network import NETWORK_VERSION, NUM_WEIGHTS
from lostcities.training.journal import RunError

CHECKPOINT: Final = "checkpoint.pt"
_KNOWN: Final = (
    np._core.multiarray._reconstruct,  # type: ignore[attr-defined] # noqa: SLF001 # how arrays are pickled
    np.ndarray,
    np.dtype,
    *(type(np.dtype(kind)) for kind in (np.uint64, np.int64, np.float32)),
)
"""What a checkpoint may be made of beside tensors and plain values: reading one runs no code."""


def save_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    """Write a checkpoint over the last one; a run that ends meanwhile keeps the last one."""
    part = folder / (CHECKPOINT + ".part")
    with part.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())  # a name must not be there before what it names
    part.replace(folder / CHECKPOINT)


def check_network_of(state: dict[str, Any], folder: Path) -> None:
    """Refuse a checkpoint with a network that is made otherwise than those of today.

    Raises:
        RunError: If it is; such a run ends where it was, its networks can be begun with.
    """
    found = state.get("network_version"), len(state["network"])
    if found != (NETWORK_VERSION, NUM_WEIGHTS):
        raise RunError(
            f"expected a checkpoint in {folder / CHECKPOINT} with a network of version "
            f"{NETWORK_VERSION} and {NUM_WEIGHTS:,} weights, got version {found[0]} and "
            f"{found[1]:,} weights: a new run may begin with the network of that folder"
        )


def load_checkpoint(folder: Path) -> dict[str, Any] | None:
    """Return the last checkpoint of a run, None if there is none yet.

    Raises:
        RunError: If the file is not one.
    """
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        with torch.serialization.safe_globals(list(_KNOWN)):
            state: dict[str, Any] = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        reason = str(error).partition("\n")[0]
        raise RunError(f"expected a checkpoint in {path}, got: {reason}") from None
    return state
