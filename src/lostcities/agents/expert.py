"""The network with second thoughts: what it would play is tried against what else it would consider.

Candidates are tried in the same worlds, dealt by what the network believes of
the other hand, and the network plays on. It is overruled on evidence only: a
move's gain in the trials is weighed against how much less the network likes it,
and shrunk by how unsure the trials are. The budget is halved towards the better
half of the candidates again and again.

Source:
    One step of mirror descent from the policy towards the values of the trials:
    Sokota et al. 2024, The update-equivalence framework for decision-time planning.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log2
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget
from lostcities.agents.spec import AgentSpec, Options
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.kernel.bridge import move_of, pack_observation
from lostcities.kernel.layout import MAX_LEGAL, Row
from lostcities.kernel.lookahead import read_odds, try_by_network
from lostcities.kernel.network import evaluate, new_room, read_margin, read_policy
from lostcities.kernel.streams import to_word
from lostcities.rules import Observation

DEFAULT_PLAYOUTS: Final = 400
_LEAST_CHANCE: Final = 0.01
"""Candidates are the moves to which the network gives at least this chance, and the likeliest."""
_MOST: Final = 8
_MANY: Final = 1 << 30
_SLICE: Final = 0.01
"""Seconds between two looks at the clock."""
_TYPICAL_SPREAD: Final = 12.0
"""Standard deviation of the paired difference of two moves in one world, in points."""
_TYPICAL_WORLDS: Final = 8
_HOPELESS: Final = 3.0


@dataclass(frozen=True, slots=True)
class ExpertOptions:
    """How an expert thinks.

    Attributes:
        limit: Its own limit for one ply.
        threads: How many threads share the worlds; the choice is the same.
        depth: Own turns of a trial before the network's expectation is taken; 0 to the end.
        temperature: Points that a move must gain for each factor e that the network
            likes it less.
        doubt: Standard deviation, in points, of what a move truly gains, before any trial.
    """

    limit: Limit = NO_LIMIT
    threads: int = 1
    depth: int = 0
    temperature: float = 1.0
    doubt: float = 3.0


class Expert:
    """Tries what the network would consider."""

    def __init__(
        self, network: SavedNetwork, options: ExpertOptions, *, name: str = "expert"
    ) -> None:
        self.name = name
        self._network = network
        self._options = options
        self._pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None

    @classmethod
    def of(cls, spec: AgentSpec) -> "Expert":
        """Make the agent of a spec.

        Raises:
            AgentSpecError: If an option is not one of its own.
            NetworkFileError: If there is no such network.
        """
        options = Options(spec)
        defaults = ExpertOptions()
        made = ExpertOptions(
            limit=options.take_limit(),
            threads=options.take_int("threads", 1) or 1,
            depth=options.take_int("depth", defaults.depth, low=0, high=60) or 0,
            temperature=options.take_number("temperature", defaults.temperature, low=0, high=99),
            doubt=options.take_number("doubt", defaults.doubt, low=0.01, high=99),
        )
        network = network_from(options.take_text("weights", ""))
        options.finish()
        return cls(network, made, name=str(spec))

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose the move that the network and the trials together like best."""
        budget = Budget.of(self._options.limit, limit, default_playouts=DEFAULT_PLAYOUTS)
        seed = rng.getrandbits(64)
        row, room = pack_observation(observation), new_room()
        evaluate(row, observation.seat, *room, self._network.weights)
        actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
        count = read_policy(row, room[0], actions, chances, 1.0)
        value, spread = read_margin(room[0])
        order = np.argsort(-chances[:count], kind="stable")[:_MOST]
        order = order[(chances[order] >= _LEAST_CHANCE) | (order == order[0])]
        if len(order) == 1:
            move = move_of(int(actions[order[0]]), observation.variant)
            return Decision(move, value, ((move, 1.0),), spread)
        odds = np.zeros(60, np.float64)
        read_odds(room[0], observation.variant.num_colors, odds)
        trials = _Trials(
            row, observation.seat, actions[order], np.log(chances[order].astype(np.float64)),
            odds, self._network, self._options, seed=seed, pool=self._pool,
        )  # fmt: skip
        _halve(trials, budget)
        return trials.decision(observation, spread)


class _Trials:
    """The candidates that are left, and what they brought in the worlds so far.

    Attributes:
        actions: All candidates, the network's first.
        alive: The places of those left; number 0 stays.
        num_worlds: Worlds in which all that are alive were tried.
        num_playouts: Trials of all candidates.
        tried: In how many worlds each candidate was tried.
    """

    def __init__(
        self,
        row: Row,
        seat: int,
        actions: npt.NDArray[np.int64],
        opinions: npt.NDArray[np.float64],
        odds: npt.NDArray[np.float64],
        network: SavedNetwork,
        options: ExpertOptions,
        *,
        seed: int,
        pool: ThreadPoolExecutor | None,
    ) -> None:
        self._row = row
        self._seat = seat
        self._odds = odds
        self._weights = network.weights
        self._options = options
        self._seed = to_word(seed)
        self._pool = pool
        size = len(actions)
        self.actions = actions
        self._opinions = opinions - opinions[0]
        self.alive = np.arange(size)
        self.num_worlds = 0
        self.num_playouts = 0
        self.tried = np.zeros(size, np.int64)
        self._sums = np.zeros(size, np.float64)
        self._products = np.zeros((size, size), np.float64)

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
        threads = self._options.threads
        bounds = [num_worlds * part // threads for part in range(threads + 1)]
        return [
            (self.num_worlds + begin, end - begin) for begin, end in pairwise(bounds) if end > begin
        ]

    def _try(self, first: int, count: int) -> tuple[Any, Any]:
        actions = self.actions[self.alive]
        sums = np.zeros(actions.size, np.float64)
        products = np.zeros((actions.size, actions.size), np.float64)
        try_by_network(
            self._row, self._seat, actions, first, count, self._seed, self._options.depth,
            self._odds, sums, products, *new_room(), self._weights,
        )  # fmt: skip
        return sums, products

    def mean(self, place: int) -> float:
        """Return the mean margin of a candidate, in points."""
        return float(self._sums[place]) / max(1, int(self.tried[place]))

    def beliefs(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the worth of those left over the network's move, and how unsure the gains are.

        The gains are shrunk as their variance asks for; the network's liking is
        added at its price.
        """
        alive, num = self.alive, max(1, self.num_worlds)
        gains = (self._sums[alive] - self._sums[0]) / num
        own, mixed = self._products[alive, alive], self._products[alive, 0]
        variances = (own - 2 * mixed + self._products[0, 0]) / num - gains**2
        typical = _TYPICAL_WORLDS * _TYPICAL_SPREAD**2
        variances = (np.maximum(variances, 0.0) * num + typical) / (num + _TYPICAL_WORLDS) / num
        doubts = self._options.doubt**2
        weights = doubts / (doubts + variances)
        worth = weights * gains + self._options.temperature * self._opinions[alive]
        deviations = np.sqrt(weights * variances)
        worth[0] = deviations[0] = 0.0  # against itself
        return worth, deviations

    def drop(self, num_left: int) -> None:
        """Keep the best, but at most so many, none that is hopeless, and always the first."""
        worth, deviations = self.beliefs()
        order = np.argsort(-worth, kind="stable")[:num_left]
        behind = worth[order[0]] - worth[order]
        unsure = np.maximum(deviations[order], deviations[order[0]])
        kept = self.alive[order[behind <= _HOPELESS * unsure]]
        self.alive = np.union1d([0], kept)

    def decision(self, observation: Observation, spread: float) -> Decision:
        """Return what is worth most."""
        worth, _ = self.beliefs()
        place = int(self.alive[int(np.argmax(worth))])
        shares = self.tried / self.num_playouts
        order = sorted(
            range(self.actions.size), key=lambda other: (other != place, -shares[other])
        )
        policy = tuple(
            (move_of(int(self.actions[other]), observation.variant), float(shares[other]))
            for other in order
        )
        return Decision(policy[0][0], self.mean(place), policy, spread)


def _halve(trials: _Trials, budget: Budget) -> None:
    """Spend the budget in equal parts, each on half as many candidates as the one before."""
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
