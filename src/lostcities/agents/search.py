"""Search by trial: each candidate move is played out many times, all of them in the same worlds.

Candidates are plies, not whole turns: a turn has up to sixteen card moves times
up to seven draws, and the draw is a decision of its own a moment later, when
all of the budget can go to it. In the trial of a card move the policy draws.

What a candidate is believed to gain over the policy's own move is weighed from
two sources: the policy's opinion, and the trials, which count for more the more
of them there are. So a lead that is noise moves nothing. The budget is halved
towards the better half of the candidates again and again; the policy's move
stays to the end, for the others are measured against it.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log2, sqrt
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget, tighter
from lostcities.agents.spec import AgentSpec, Options
from lostcities.kernel.bridge import action_of, move_of, pack_observation
from lostcities.kernel.layout import MAX_ACTIONS, Row
from lostcities.kernel.policy import new_work, value_card_actions, value_draw_actions
from lostcities.kernel.streams import to_word
from lostcities.kernel.trials import try_actions
from lostcities.rules import Observation, Phase

DEFAULT_PLAYOUTS: Final = 2000
_OPINION: Final = 0.5
"""Share of the policy's own difference between two moves that the trials confirm."""
_DOUBT: Final = 2.5
_MORE_DOUBT: Final = 0.2
"""Standard deviation of what a move gains around that share: points, and more by points of
difference. These three were fitted to 200 positions with 800 worlds each (experiment 0002)."""
_TYPICAL_SPREAD: Final = 16.0
"""Standard deviation of the paired difference of two moves in one world, in points."""
_TYPICAL_WORLDS: Final = 8
"""Worlds that the typical spread counts for beside the spread that is seen."""
_LEAD_EARLY, _LEAD_LATE = 1.5, 0.5
"""Standard deviations by which a move must be believed to gain to overrule the policy."""
_BIAS_EARLY, _BIAS_LATE = 1.0, 0.3
"""Points that beliefs may be wrong by however many trials there are: the worlds, and the players
in them, are guesses. Played out in true worlds, early beliefs below 1.5 deviations were worth
nothing and late ones all that they promised (experiment 0002)."""
_LATE: Final = 0.4
"""Share of the deck that is left when beliefs become as good as they look."""
_FORGET: Final = -25.0
"""Points behind the policy's move, in its own opinion, beyond which a move is not tried."""
_HOPELESS: Final = 3.0
"""Standard deviations behind the best beyond which a candidate is dropped before its turn."""
_PLAYOUTS_EACH: Final = 8
"""Playouts that a candidate must be worth; with a smaller budget, fewer candidates are tried."""
_STAGES_FOR_ONE: Final = 16
"""Where nothing is to be chosen, this part of the budget is enough for a value."""
_MANY: Final = 1 << 30
_SLICE: Final = 0.004
"""Seconds between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search is limited.

    Attributes:
        limit: Its own limit for one ply.
        threads: How many threads share the worlds; the choice is the same.
    """

    limit: Limit = NO_LIMIT
    threads: int = 1


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
            limit=options.take_limit(),
            threads=options.take_int("threads", 1, high=256) or 1,
        )
        options.finish()
        return cls(made, name=str(spec))

    def limit_under(self, given: Limit) -> Limit:
        """Return the tighter of its own limit and the given one."""
        return tighter(self._options.limit, given, default_playouts=DEFAULT_PLAYOUTS)

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose the move that did best, or the policy's where nothing is clearly better."""
        budget = Budget.of(self.limit_under(limit))
        seed = rng.getrandbits(64)
        moves = observation.legal_moves
        if len(moves) == 1:
            return Decision(moves[0])
        row = pack_observation(observation)
        candidates = _by_policy(row, observation)
        if budget.playouts is not None:
            candidates = candidates[: max(2, budget.playouts // _PLAYOUTS_EACH)]
        trials = _Trials(
            row, observation.seat, candidates, seed=seed, pool=self._pool,
            threads=self._options.threads,
        )  # fmt: skip
        _halve(trials, budget)
        return _decision(trials, observation)


def _by_policy(row: Row, observation: Observation) -> list[tuple[int, float]]:
    """Return the candidates, the policy's move first: action, and points that it is behind."""
    values = np.zeros(MAX_ACTIONS, np.float64)
    work = new_work()
    if observation.phase is Phase.CARD:
        best = value_card_actions(row, work, values)
    else:
        best = value_draw_actions(row, work, values)
    actions = [action_of(move, observation.variant) for move in observation.legal_moves]
    gaps = [(action, float(min(0.0, values[action] - values[best]))) for action in actions]
    gaps.sort(key=lambda candidate: (candidate[0] != best, -candidate[1]))
    return [candidate for candidate in gaps if candidate[1] > _FORGET]


class _Trials:
    """The candidates that are left, and what they brought in the worlds so far.

    Attributes:
        actions: All candidates.
        alive: The places of those left; the policy's is number 0 and stays.
        num_worlds: Worlds in which all that are alive were tried.
        num_playouts: Playouts of all candidates.
        tried: In how many worlds each candidate was tried.
    """

    def __init__(
        self,
        row: Row,
        seat: int,
        candidates: list[tuple[int, float]],
        *,
        seed: int,
        pool: ThreadPoolExecutor | None,
        threads: int,
    ) -> None:
        self._row = row
        self._seat = seat
        self._seed = to_word(seed)
        self._pool = pool
        self._threads = threads
        size = len(candidates)
        self.actions = np.array([action for action, _ in candidates], np.int64)
        self._opinions = np.array([gap for _, gap in candidates], np.float64)
        self.alive = np.arange(size)
        self.num_worlds = 0
        self.num_playouts = 0
        self.tried = np.zeros(size, np.int64)
        self._sums = np.zeros(size, np.int64)
        self._products = np.zeros((size, size), np.int64)

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
            (self.num_worlds + begin, end - begin) for begin, end in pairwise(bounds) if end > begin
        ]

    def _try(self, first: int, count: int) -> tuple[Any, Any]:
        actions = self.actions[self.alive]
        sums = np.zeros(actions.size, np.int64)
        products = np.zeros((actions.size, actions.size), np.int64)
        try_actions(
            self._row,
            self._seat,
            actions,
            first,
            count,
            self._seed,
            sums,
            products,
            new_work(),
        )
        return sums, products

    def mean(self, place: int) -> float:
        """Return the mean margin of a candidate, in points."""
        return float(self._sums[place]) / max(1, int(self.tried[place]))

    def beliefs(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return what those left gain over the policy's move, and how unsure that is, in points.

        Source:
            The product of two normal densities: means weigh by inverse variances.
        """
        alive, num = self.alive, max(1, self.num_worlds)
        gains = (self._sums[alive] - self._sums[0]) / num
        own, mixed = self._products[alive, alive], self._products[alive, 0]
        variances = (own - 2 * mixed + self._products[0, 0]) / num - gains**2
        typical = _TYPICAL_WORLDS * _TYPICAL_SPREAD**2
        variances = (variances * num + typical) / (num + _TYPICAL_WORLDS) / num
        opinions = self._opinions[alive]
        doubts = (_DOUBT + _MORE_DOUBT * -opinions) ** 2
        weights = doubts / (doubts + variances)
        believed = weights * gains + (1.0 - weights) * _OPINION * opinions
        deviations = np.sqrt(weights * variances)
        believed[0] = deviations[0] = 0.0  # against itself
        return believed, deviations

    def drop(self, num_left: int) -> None:
        """Keep the best, but at most so many, none that is hopeless, and always the first."""
        believed, deviations = self.beliefs()
        order = np.argsort(-believed, kind="stable")[:num_left]
        best = order[0]
        behind = believed[best] - believed[order]
        unsure = np.maximum(deviations[order], deviations[best])
        kept = self.alive[order[behind <= _HOPELESS * unsure]]
        self.alive = np.union1d([0], kept)


def _halve(trials: _Trials, budget: Budget) -> None:
    """Spend the budget in equal parts, each on half as many candidates as the one before."""
    if trials.actions.size < 2:
        _spend(trials, budget, 1 / _STAGES_FOR_ONE)
        return
    num_stages = ceil(log2(trials.actions.size))
    for stage in range(1, num_stages + 1):
        if trials.alive.size < 2:
            return
        _spend(trials, budget, stage / num_stages)
        trials.drop(max(2, ceil(trials.actions.size / 2**stage)))


def _spend(trials: _Trials, budget: Budget, share: float) -> None:
    """Try what is left until so much of the whole budget is spent; at least in one world."""
    trials.run(max(1, _worlds_to_go(trials, budget, share)))
    if budget.seconds is None:
        return
    while (num := _worlds_to_go(trials, budget, share)) > 0:
        trials.run(num)


def _worlds_to_go(trials: _Trials, budget: Budget, share: float) -> int:
    """Return in how many worlds the candidates can be tried before the next look at the clock."""
    num = _MANY
    if budget.playouts is not None:
        num = int((budget.playouts * share - trials.num_playouts) // trials.alive.size)
    if budget.seconds is not None:
        used = budget.seconds_used
        rate = trials.num_playouts / max(1e-4, used)
        time_left = min(_SLICE, budget.seconds * share - used)
        num = min(num, int(rate * time_left / trials.alive.size))
    return num


def _decision(trials: _Trials, observation: Observation) -> Decision:
    """Choose the candidate that is believed to gain most; the policy's own if none clearly gains."""
    believed, deviations = trials.beliefs()
    index = int(np.argmax(believed))
    is_late = observation.deck_size <= _LATE * observation.variant.deck_after_deal
    lead, bias = (_LEAD_LATE, _BIAS_LATE) if is_late else (_LEAD_EARLY, _BIAS_EARLY)
    is_clear = believed[index] > lead * sqrt(deviations[index] ** 2 + bias**2)
    place = int(trials.alive[index]) if is_clear else 0
    shares = trials.tried / trials.num_playouts
    order = sorted(range(trials.actions.size), key=lambda other: (other != place, -shares[other]))
    policy = tuple(
        (move_of(int(trials.actions[other]), observation.variant), float(shares[other]))
        for other in order
    )
    return Decision(policy[0][0], trials.mean(place), policy)
