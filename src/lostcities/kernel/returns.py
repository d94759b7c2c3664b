"""What a window of play teaches: advantages, and how the final margin was spread.

Each seat's own plies are chained; what the other seat did in between belongs to
the world, for a value from the other seat does not know the own hand. Returns
are spread over the steps of the margin, so that the target of the value keeps
its width: a mixture of what came out and what the network thought further on.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit
from lostcities.kernel.network import BIN_WIDTH, NUM_BINS, Floats
from lostcities.kernel.selfplay import Window


@njit
def spread_margin(points: float, out: Floats) -> None:
    """Write a margin as chances of the two steps around it, so that the mean is kept.

    Args:
        points: The margin.
        out: Where it goes, `float32[NUM_BINS]`.
    """
    out[:] = 0
    place = points / BIN_WIDTH + NUM_BINS // 2
    place = min(max(place, 0.0), NUM_BINS - 1.0)
    low = min(int(np.floor(place)), NUM_BINS - 2)
    out[low + 1] = place - low
    out[low] = 1.0 - (place - low)


@njit
def mean_margin(bins: Floats) -> float:
    """Return the mean of chances of the steps, in points."""
    total = 0.0
    for index in range(NUM_BINS):
        total += bins[index] * (index - NUM_BINS // 2)
    return total * BIN_WIDTH


class Stakes(NamedTuple):
    """What is played for, ply by ply.

    Attributes:
        worths: What each step of the margin is worth at a standing of the match, in
            points or in something that is measured like them, `float32[S, NUM_BINS]`.
        standings: Which of them the mover of a ply is at, `int32[T, N]`.
    """

    worths: Floats
    standings: npt.NDArray[np.int32]


@njit
def _gain(ahead: Floats, thought: Floats, worths: Floats) -> float:
    """Return by how much what came is worth more than what was thought."""
    total = 0.0
    for index in range(NUM_BINS):
        total += (ahead[index] - thought[index]) * worths[index]
    return total


@njit
def look_back(
    decay: float,
    window: Window,
    stakes: Stakes,
    advantages: Floats,
    targets: Floats,
    is_known: npt.NDArray[np.int8],
) -> None:
    """Write advantages and targets of a window.

    Args:
        decay: How far a return looks past the next own ply, lambda.
        window: What was played, and what the network thought.
        stakes: What it was played for.
        advantages: By how much an own ply turned out better than was thought, in what
            is at stake, `float32[T, N]`.
        targets: What the network should have thought, `float32[T, N, NUM_BINS]`.
        is_known: Whether anything came after the ply that tells, `int8[T, N]`; the
            last own ply of a seat in a window only tells of those before it.

    Source:
        Schulman et al. 2016, Generalized advantage estimation; the targets are the
        same mixture over whole distributions (Bellemare et al. 2017).
    """
    movers, is_recorded = window.movers, window.is_recorded
    is_last, margins, bins = window.is_last, window.margins, window.bins
    num_plies, num_games = movers.shape
    ahead = np.zeros((2, NUM_BINS), np.float32)
    after = np.zeros((2, NUM_BINS), np.float32)
    has_after = np.zeros(2, np.bool_)
    for game in range(num_games):
        has_after[:] = False
        for back in range(num_plies):
            ply = num_plies - 1 - back
            if is_last[ply, game]:
                spread_margin(margins[ply, game], ahead[0])
                spread_margin(-margins[ply, game], ahead[1])
                after[:] = ahead
                has_after[:] = True
            seat = movers[ply, game]
            is_known[ply, game] = is_recorded[ply, game] and has_after[seat]
            if not is_recorded[ply, game]:
                continue
            if has_after[seat]:
                for index in range(NUM_BINS):
                    mixed = (1.0 - decay) * after[seat, index] + decay * ahead[seat, index]
                    ahead[seat, index] = mixed
                    targets[ply, game, index] = mixed
                worths = stakes.worths[stakes.standings[ply, game]]
                advantages[ply, game] = _gain(ahead[seat], bins[ply, game], worths)
            else:
                ahead[seat] = bins[ply, game]
            after[seat] = bins[ply, game]
            has_after[seat] = True
