"""Trials of a few candidates in the same worlds, the budget halved towards the better half.

What a trial is, and how its gains are weighed against what was thought before,
is up to the agent: `search` plays out by rules of thumb, `expert` by a network.
Whole results go in and out, so the choice does not depend on how the worlds
were shared out over threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import ceil, log2
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.agents.budget import Budget

Points: TypeAlias = npt.NDArray[np.float64]
Actions: TypeAlias = npt.NDArray[np.int64]
Try: TypeAlias = Callable[[Actions, int, int], tuple[Points, Points]]
"""Tries actions in worlds from a first one on, so many: sums of their margins `[K]`, and of the
products of two of them in the same world `[K, K]`, in points."""
Weigh: TypeAlias = Callable[[Points, Points, Points], tuple[Points, Points]]
"""What gains, their variances and the opinions of the candidates are worth, and how unsure."""

_TYPICAL_WORLDS: Final = 8
"""Worlds that the typical spread counts for beside the spread that is seen."""
_HOPELESS: Final = 3.0
"""Standard deviations behind the best beyond which a candidate is dropped before its turn."""
_MANY: Final = 1 << 30
_SLICE: Final = 0.004
"""Seconds between two looks at the clock."""


def gains_over_first(
    sums: Points, products: Points, num_worlds: int, typical_spread: float
) -> tuple[Points, Points]:
    """Return what candidates gained over the first one, and the variances of these means.

    Args:
        sums: Their margins, added up over the same worlds, `[K]`.
        products: The same of products of two margins, `[K, K]`.
        num_worlds: How many worlds.
        typical_spread: See `Trials`; few worlds tell little of their own spread.
    """
    gains = (sums - sums[0]) / num_worlds
    variances = (np.diag(products) - 2 * products[0] + products[0, 0]) / num_worlds - gains**2
    variances = variances * num_worlds + _TYPICAL_WORLDS * typical_spread**2
    return gains, variances / (num_worlds + _TYPICAL_WORLDS) / num_worlds


class Trials:
    """The candidates that are left, and what they brought in the worlds so far.

    Attributes:
        actions: All candidates, `int64[K]`.
        alive: The places of those left; number 0, against which all are measured, stays.
        num_worlds: Worlds in which all that are alive were tried.
        num_playouts: Trials of all candidates.
        tried: In how many worlds each candidate was tried.
    """

    def __init__(
        self,
        actions: Actions,
        opinions: Points,
        *,
        try_actions: Try,
        weigh: Weigh,
        typical_spread: float,
        pool: ThreadPoolExecutor | None,
        threads: int,
    ) -> None:
        """Begin without any trial.

        Args:
            actions: The candidates, the one that is to be overruled first.
            opinions: What was thought of them before; handed to *weigh*.
            try_actions: Tries them.
            weigh: Weighs what came of it.
            typical_spread: Standard deviation of the difference of two candidates in
                one world, in points, as it usually is.
            pool: Threads that share the worlds, None for none.
            threads: How many they are.
        """
        size = len(actions)
        self.actions = actions
        self._opinions = opinions
        self._try_actions = try_actions
        self._weigh = weigh
        self._typical_spread = typical_spread
        self._pool = pool
        self._threads = threads
        self.alive = np.arange(size)
        self.num_worlds = 0
        self.num_playouts = 0
        self.tried = np.zeros(size, np.int64)
        self._sums = np.zeros(size, np.float64)
        self._products = np.zeros((size, size), np.float64)

    def run(self, num_worlds: int) -> None:
        """Try all candidates that are left in so many more worlds."""
        actions = self.actions[self.alive]
        parts = self._split(num_worlds)
        if self._pool is None:
            results = [self._try_actions(actions, *part) for part in parts]
        else:
            results = list(self._pool.map(lambda part: self._try_actions(actions, *part), parts))
        for sums, products in results:
            self._sums[self.alive] += sums
            self._products[np.ix_(self.alive, self.alive)] += products
        self.num_worlds += num_worlds
        self.num_playouts += num_worlds * self.alive.size
        self.tried[self.alive] += num_worlds

    def _split(self, num_worlds: int) -> list[tuple[int, int]]:
        """Return the first world and the number of worlds for each thread."""
        bounds = [num_worlds * part // self._threads for part in range(self._threads + 1)]
        return [
            (self.num_worlds + begin, end - begin) for begin, end in pairwise(bounds) if end > begin
        ]

    def mean(self, place: int) -> float:
        """Return the mean margin of a candidate, in points."""
        return float(self._sums[place]) / max(1, int(self.tried[place]))

    def beliefs(self) -> tuple[Points, Points]:
        """Return what those left are worth over candidate 0, and how unsure that is, in points."""
        alive = self.alive
        gains, variances = gains_over_first(
            self._sums[alive], self._products[np.ix_(alive, alive)],
            max(1, self.num_worlds), self._typical_spread,
        )  # fmt: skip
        worth, deviations = self._weigh(gains, variances, self._opinions[alive])
        worth[0] = deviations[0] = 0.0  # against itself
        return worth, deviations

    def drop(self, num_left: int) -> None:
        """Keep the best, but at most so many, none that is hopeless, and always the first."""
        worth, deviations = self.beliefs()
        order = np.argsort(-worth, kind="stable")[:num_left]
        best = order[0]
        behind = worth[best] - worth[order]
        unsure = np.maximum(deviations[order], deviations[best])
        kept = self.alive[order[behind <= _HOPELESS * unsure]]
        self.alive = np.union1d([0], kept)

    def by_share(self, place: int) -> list[tuple[int, float]]:
        """Return the actions with their shares of the trials, that at *place* first."""
        shares = self.tried / self.num_playouts
        order = sorted(range(self.actions.size), key=lambda other: (other != place, -shares[other]))
        return [(int(self.actions[other]), float(shares[other])) for other in order]


def halve(trials: Trials, budget: Budget) -> None:
    """Spend the budget in equal parts, each on half as many candidates as the one before.

    Source:
        Karnin, Koren, Somekh 2013, Almost optimal exploration in multi-armed bandits.
    """
    num_stages = ceil(log2(trials.actions.size))
    for stage in range(1, num_stages + 1):
        if trials.alive.size < 2:
            return
        spend(trials, budget, stage / num_stages)
        trials.drop(max(2, ceil(trials.actions.size / 2**stage)))


def spend(trials: Trials, budget: Budget, share: float) -> None:
    """Try what is left until so much of the whole budget is spent.

    In one world at least, be the share used up, unless the playouts of the whole budget are.
    """
    num = max(1, _worlds_to_go(trials, budget, share))
    num = min(num, _worlds_by_playouts(trials, budget, 1.0))
    if num < 1:
        return
    trials.run(num)
    if budget.seconds is None:
        return
    while (num := _worlds_to_go(trials, budget, share)) > 0:
        trials.run(num)


def _worlds_to_go(trials: Trials, budget: Budget, share: float) -> int:
    """Return in how many worlds the candidates can be tried before the next look at the clock."""
    num = _worlds_by_playouts(trials, budget, share)
    if budget.seconds is not None:
        used = budget.seconds_used
        rate = trials.num_playouts / max(1e-4, used)
        time_left = min(_SLICE, budget.seconds * share - used)
        num = min(num, int(rate * time_left / trials.alive.size))
    return num


def _worlds_by_playouts(trials: Trials, budget: Budget, share: float) -> int:
    """Return in how many worlds the candidates can be tried within a share of the playouts."""
    if budget.playouts is None:
        return _MANY
    return int((budget.playouts * share - trials.num_playouts) // trials.alive.size)
