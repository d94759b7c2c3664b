"""What is learned from a window of play: some of its plies, as tensors."""

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from lostcities.kernel.network import NUM_BINS, Floats
from lostcities.kernel.returns import Stakes, look_back
from lostcities.kernel.selfplay import Bytes, Window

Places: TypeAlias = npt.NDArray[np.int64]
"""Plies of a window, counted through."""
_N = TypeVar("_N", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Plies to learn from, `B` of them.

    Attributes:
        features: `[B, F]`.
        oracle: What the movers could not know, `[B, 72 C]`; `[B, 0]` where nobody asks.
        masks: Legal actions, `bool[B, A]`.
        actions: What was done, `int64[B]`.
        log_chances: How likely that was when it was done, `[B]`.
        advantages: How much better it turned out than was thought, scaled, `[B]`.
        targets: What should have been thought of the margin, `[B, NUM_BINS]`.
        hidden: Sixths of the unseen copies in the other hand, -1 for none, `[B, 10 C]`.
        thumbs: 1 where the other side plays by rules of thumb, else 0, `[B]`.
    """

    features: Tensor
    oracle: Tensor
    masks: Tensor
    actions: Tensor
    log_chances: Tensor
    advantages: Tensor
    targets: Tensor
    hidden: Tensor
    thumbs: Tensor

    def pick(self, places: Tensor) -> "Lesson":
        """Return some of the plies."""
        return Lesson(
            self.features[places], self.oracle[places], self.masks[places],
            self.actions[places], self.log_chances[places], self.advantages[places],
            self.targets[places], self.hidden[places], self.thumbs[places],
        )  # fmt: skip

    def __len__(self) -> int:
        """Return how many plies there are."""
        return len(self.actions)


def flat(array: npt.NDArray[_N]) -> npt.NDArray[_N]:
    """Return an array of a window with plies and games in one axis."""
    return array.reshape(array.shape[0] * array.shape[1], *array.shape[2:])


def lesson_of(window: Window, advantages: Floats, targets: Floats, places: Places) -> Lesson:
    """Return some plies of a window as tensors; features in half precision.

    Args:
        window: What was played.
        advantages: See `kernel.returns`, like the targets.
        targets: What should have been thought.
        places: Which plies.
    """
    return Lesson(
        features=torch.from_numpy(flat(window.features)[places]).bfloat16(),
        oracle=torch.from_numpy(flat(window.oracle)[places]).bfloat16(),
        masks=torch.from_numpy(flat(window.masks)[places].astype(bool)),
        actions=torch.from_numpy(flat(window.actions)[places].astype(np.int64)),
        log_chances=torch.zeros(len(places)),
        advantages=torch.from_numpy(flat(advantages)[places]),
        targets=torch.from_numpy(flat(targets)[places]),
        hidden=torch.from_numpy(flat(window.hidden)[places]),
        thumbs=torch.from_numpy(flat(window.has_thumbs)[places]).float(),
    )


def has_choice(window: Window, is_known: Bytes) -> npt.NDArray[np.bool_]:
    """Return which plies, counted through, left a choice and are known to have turned out somehow."""
    return (flat(is_known) > 0) & (flat(window.masks).sum(1) > 1)


def look_back_on(window: Window, decay: float, stakes: Stakes) -> tuple[Floats, Floats, Bytes]:
    """Return advantages in what is at stake, targets, and which plies they are known of."""
    shape = window.movers.shape
    advantages = np.zeros(shape, np.float32)
    targets = np.zeros((*shape, NUM_BINS), np.float32)
    is_known = np.zeros(shape, np.int8)
    look_back(decay, window, stakes, advantages, targets, is_known)
    return advantages, targets, is_known
