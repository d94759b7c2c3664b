"""Search by trial: each candidate move is played out many times, all of them in the same worlds.

Candidates are plies, not whole turns: a turn has up to sixteen card moves times
up to seven draws, and the draw is a decision of its own a moment later, when
all of the budget can go to it. In the trial of a card move the policy draws.

The budget is halved towards the better half of the candidates again and again.
What the policy itself would do stays to the end and is kept, unless another
move is ahead by more than chance: a lead that is noise is a step away from
what is known to be good.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, log2, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.spec import AgentSpec, Options
from lostcities.kernel.bridge import action_of, move_of, pack_observation
from lostcities.kernel.layout import MAX_ACTIONS, Row
from lostcities.kernel.policy import new_work, value_card_actions, value_draw_actions
from lostcities.kernel.streams import to_word
from lostcities.kernel.trials import try_actions
from lostcities.rules import Move, Observation, Phase

DEFAULT_PLAYOUTS: Final = 2000
_LEAD: Final = 1.0
"""Standard errors of the paired difference by which a move must lead to overrule the policy."""
_HOPELESS: Final = 3.0
"""Standard errors behind the best after which a candidate is given up before its half is."""
_FEW_WORLDS: Final = 16
"""Worlds below which a standard error says nothing."""
_PLAYOUTS_EACH: Final = 8
"""Playouts that a candidate must be worth; with a smaller budget, fewer candidates are tried."""
_SLICE: Final = 0.004
"""Seconds between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search is limited.

    Attributes:
        playouts: Trials for one ply; None is no limit.
        seconds: Time for one ply; None is no limit.
        threads: How many threads share the worlds; the choice is the same.
        lead: Standard errors by which a move must lead to overrule the policy.
    """

    playouts: int | None = None
    seconds: float | None = None
    threads: int = 1
    lead: float = _LEAD


class Search:
    """Tries moves in sampled worlds, played out by rules of thumb."""

    def __init__(self, options: SearchOptions, *, name: str = "search") -> None:
        self.name = name
        self._options = options
        self._pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None

    @classmethod
    def of(cls, spec: AgentSpec) -> "Search":
        """Make the agent of a spec.

        Raises:
            AgentSpecError: If an option is not one of its own.
        """
        options = Options(spec)
        made = SearchOptions(
            playouts=options.take_int("playouts", None),
            seconds=options.take_seconds("seconds", None),
            threads=options.take_int("threads", 1) or 1,
        )
        options.finish()
        return cls(made, name=str(spec))

    def decide(
        self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT
    ) -> Decision:
        """Choose the move that did best, or the policy's where nothing is clearly better."""
        start = perf_counter()
        seed = rng.getrandbits(64)
        moves = observation.legal_moves
        if len(moves) == 1:
            return Decision(moves[0])
        budget = _budget(self._options, limit, start)
        row = pack_observation(observation)
        actions = _by_policy(row, observation)
        if budget.playouts is not None:
            actions = actions[: max(2, budget.playouts // _PLAYOUTS_EACH)]
        trials = _Trials(row, observation.seat, actions, seed, self._pool, self._options.threads)
        _halve(trials, budget)
        return _decision(trials, self._options.lead, observation)


@dataclass(frozen=True, slots=True)
class _Budget:
    """What is left to spend: playouts in all, and the clock's reading at the end and now."""

    playouts: int | None
    start: float
    end: float | None


def _budget(options: SearchOptions, limit: Limit, start: float) -> _Budget:
    """Return the tighter of the agent's own limits and those of the call."""
    playouts = min(filter(None, (options.playouts, limit.playouts)), default=None)
    seconds = min(filter(None, (options.seconds, limit.seconds)), default=None)
    if playouts is None and seconds is None:
        playouts = DEFAULT_PLAYOUTS
    return _Budget(playouts, start, None if seconds is None else start + seconds)


def _by_policy(row: Row, observation: Observation) -> npt.NDArray[np.int64]:
    """Return the legal actions, the policy's favourite first."""
    values = np.zeros(MAX_ACTIONS, np.float64)
    work = new_work()
    if observation.phase is Phase.CARD:
        best = value_card_actions(row, work, values)
    else:
        best = value_draw_actions(row, work, values)
    actions = [action_of(move, observation.variant) for move in observation.legal_moves]
    actions.sort(key=lambda action: (action != best, -values[action]))
    return np.array(actions, np.int64)


class _Trials:
    """The candidates that are left, and what they brought in the worlds so far.

    Attributes:
        alive: The places of the candidates left among all candidates; the first is the policy's.
        num_worlds: Worlds in which all that are alive were tried.
        num_playouts: Playouts of all candidates.
    """

    def __init__(
        self,
        row: Row,
        seat: int,
        actions: npt.NDArray[np.int64],
        seed: int,
        pool: ThreadPoolExecutor | None,
        threads: int,
    ) -> None:
        self._row = row
        self._seat = seat
        self.actions = actions
        self._seed = to_word(seed)
        self._pool = pool
        self._threads = threads
        self.alive = np.arange(actions.size)
        self.num_worlds = 0
        self.num_playouts = 0
        self.tried = np.zeros(actions.size, np.int64)
        self._sums = np.zeros(actions.size, np.int64)
        self._products = np.zeros((actions.size, actions.size), np.int64)

    def run(self, num_worlds: int) -> None:
        """Try all candidates that are left in so many more worlds."""
        parts = self._split(num_worlds)
        if self._pool is None:
            results = [self._try(*part) for part in parts]
        else:
            results = list(self._pool.map(lambda part: self._try(*part), parts))
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
            (self.num_worlds + begin, end - begin)
            for begin, end in zip(bounds, bounds[1:], strict=False)
            if end > begin
        ]

    def _try(self, first: int, count: int) -> tuple[Any, Any]:
        actions = self.actions[self.alive]
        sums = np.zeros(actions.size, np.int64)
        products = np.zeros((actions.size, actions.size), np.int64)
        try_actions(
            self._row, self._seat, actions, first, count, self._seed, sums, products
        )
        return sums, products

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The mean margin of each candidate that is left."""
        means: npt.NDArray[np.float64] = self._sums[self.alive] / max(1, self.num_worlds)
        return means

    def error_of_difference(self, one: int, other: int) -> float:
        """Return the standard error of the mean difference of two candidates, by their places."""
        num = self.num_worlds
        mean = (self._sums[one] - self._sums[other]) / num
        square = (
            self._products[one, one] - 2 * self._products[one, other] + self._products[other, other]
        ) / num
        return sqrt(max(0.0, square - mean * mean) / num)

    def drop(self, num_left: int) -> None:
        """Keep the best, but at most so many, none that is hopeless, and always the first."""
        means = self.means
        order = np.argsort(-means, kind="stable")
        best = int(self.alive[order[0]])
        left = [0]
        for rank, index in enumerate(order):
            place = int(self.alive[index])
            if place == 0 or rank >= num_left:
                continue
            gap = means[order[0]] - means[index]
            is_known = self.num_worlds >= _FEW_WORLDS
            if is_known and gap > _HOPELESS * self.error_of_difference(best, place):
                continue
            left.append(place)
        self.alive = np.array(sorted(left))


def _halve(trials: _Trials, budget: _Budget) -> None:
    """Spend the budget in equal parts, each on half as many candidates as the one before."""
    num_stages = max(1, ceil(log2(trials.actions.size)))
    for stage in range(1, num_stages + 1):
        if trials.alive.size < 2:
            return
        _spend(trials, budget, stage / num_stages)
        trials.drop(max(2, ceil(trials.actions.size / 2**stage)))


def _spend(trials: _Trials, budget: _Budget, share: float) -> None:
    """Try what is left until so much of the whole budget is spent; at least once."""
    is_first = True
    while True:
        num = _worlds_to_go(trials, budget, share)
        if num < 1 and not is_first:
            return
        trials.run(max(1, num))
        is_first = False
        if budget.end is None:
            return


def _worlds_to_go(trials: _Trials, budget: _Budget, share: float) -> int:
    """Return in how many worlds the candidates can be tried before the next look at the clock."""
    num = 1 << 30
    if budget.playouts is not None:
        num = int((budget.playouts * share - trials.num_playouts) // trials.alive.size)
    if budget.end is not None:
        now = perf_counter()
        until = budget.start + (budget.end - budget.start) * share
        spent = max(1e-4, now - budget.start)
        rate = max(1.0, trials.num_playouts) / spent
        num = min(num, int(rate * min(_SLICE, until - now) / trials.alive.size))
        if until > now and trials.num_playouts == 0:
            num = min(num, 1) if budget.playouts is None else max(1, min(num, 1))
    return num


def _decision(trials: _Trials, lead: float, observation: Observation) -> Decision:
    means = trials.means
    index = int(np.argmax(means))
    place = int(trials.alive[index])
    if place != 0:
        gap = means[index] - means[0]
        if gap <= lead * trials.error_of_difference(place, 0):
            index = place = 0
    shares = trials.tried / trials.num_playouts
    order = sorted(range(trials.actions.size), key=lambda other: (other != place, -shares[other]))
    policy: list[tuple[Move, float]] = [
        (move_of(int(trials.actions[other]), observation.variant), float(shares[other]))
        for other in order
    ]
    return Decision(policy[0][0], float(means[index]), tuple(policy))
