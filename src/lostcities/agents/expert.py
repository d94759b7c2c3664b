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
from random import Random
from typing import Final

import numpy as np

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget, tighter
from lostcities.agents.halving import Actions, Points, Trials, Try, halve
from lostcities.agents.spec import WEIGHTS, AgentSpec, Options
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.kernel.bridge import move_of, pack_observation
from lostcities.kernel.layout import MAX_LEGAL, Row
from lostcities.kernel.lookahead import read_odds, try_by_network
from lostcities.kernel.network import Weights, evaluate, new_room, read_margin, read_policy
from lostcities.kernel.streams import to_word
from lostcities.rules import Observation

DEFAULT_PLAYOUTS: Final = 200
_LEAST_CHANCE: Final = 0.01
"""Candidates are the moves to which the network gives at least this chance, and the likeliest."""
_MOST: Final = 8
_TYPICAL_SPREAD: Final = 12.0
"""Standard deviation of the paired difference of two moves in one world, in points."""


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
    depth: int = 6
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
            threads=options.take_int("threads", 1, high=256) or 1,
            depth=options.take_int("depth", defaults.depth, low=0, high=60) or 0,
            temperature=options.take_number("temperature", defaults.temperature, low=0, high=99),
            doubt=options.take_number("doubt", defaults.doubt, low=0.01, high=99),
        )
        network = network_from(options.take_text(WEIGHTS, ""))
        options.finish()
        return cls(network, made, name=str(spec))

    def limit_under(self, given: Limit) -> Limit:
        """Return the limit that it keeps to where the caller allows this one."""
        return tighter(self._options.limit, given, default_playouts=DEFAULT_PLAYOUTS)

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose the move that the network and the trials together like best."""
        budget = Budget.of(self.limit_under(limit))
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
        trials = Trials(
            actions[order],
            np.log(chances[order].astype(np.float64)) - np.log(float(chances[order[0]])),
            try_actions=_trier(
                row, observation.seat, seed,
                odds=odds, weights=self._network.weights, depth=self._options.depth,
            ),
            weigh=self._weigh,
            typical_spread=_TYPICAL_SPREAD,
            pool=self._pool,
            threads=self._options.threads,
        )  # fmt: skip
        halve(trials, budget)
        worth, _ = trials.beliefs()
        place = int(trials.alive[int(np.argmax(worth))])
        policy = tuple(
            (move_of(action, observation.variant), share)
            for action, share in trials.by_share(place)
        )
        return Decision(policy[0][0], trials.mean(place), policy, spread)

    def _weigh(self, gains: Points, variances: Points, opinions: Points) -> tuple[Points, Points]:
        """Shrink the gains as their variances ask for, and add the network's liking at its price."""
        doubts = self._options.doubt**2
        weights = doubts / (doubts + variances)
        worth = weights * gains + self._options.temperature * opinions
        return worth, np.sqrt(weights * variances)


def _trier(row: Row, seat: int, seed: int, *, odds: Points, weights: Weights, depth: int) -> Try:
    """Return what tries actions with the network on both sides."""
    word = to_word(seed)

    def try_them(actions: Actions, first: int, count: int) -> tuple[Points, Points]:
        sums = np.zeros(actions.size, np.float64)
        products = np.zeros((actions.size, actions.size), np.float64)
        try_by_network(
            row, seat, actions, first, count, word, depth, odds, sums, products,
            *new_room(), weights,
        )  # fmt: skip
        return sums, products

    return try_them
