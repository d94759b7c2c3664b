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
from math import exp
from random import Random
from typing import Final

import numpy as np

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget, tighter
from lostcities.agents.halving import Actions, Points, Trials, Try, halve
from lostcities.agents.objective import OBJECTIVES, ROUND, worth_to
from lostcities.agents.opposite import (
    IF_DEAF,
    IF_LISTENING,
    MoveReader,
    moves_and_table,
    told_of,
)
from lostcities.agents.spec import WEIGHTS, AgentSpec, Options
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.kernel.bridge import move_of, pack_observation
from lostcities.kernel.layout import MAX_LEGAL, Row
from lostcities.kernel.lookahead import POINTS, Outlook, read_odds, try_by_network
from lostcities.kernel.network import (
    Floats,
    Thinker,
    evaluate_told,
    listens,
    new_room,
    read_margin,
    read_policy,
    read_thumbs,
    step_chances,
)
from lostcities.kernel.opposite import both_sides
from lostcities.kernel.policy import new_work
from lostcities.kernel.streams import to_word
from lostcities.rules import Observation

DEFAULT_PLAYOUTS: Final = 200
NETWORK: Final = "network"
_BELIEFS: Final = (NETWORK, "even")
_FOR_SURE: Final = (0.0, 1.0)
_LEAST_RATIO: Final = 1e-4
"""Candidates are the moves that the network likes at least so much as the one it likes best."""
MOST_CANDIDATES: Final = 10
TYPICAL_SPREAD: Final = 7.0
"""Standard deviation of the paired difference of two moves in one world, in points."""
_SUREST: Final = 50.0
"""No evidence counts for more, as a logarithm."""
_LOSS: Final = 0.05
_DOUBT: Final = 0.3
_DOUBT_A_FACTOR: Final = 0.5
"""What is thought of a move before it is tried, where the network likes it by e**-x as much as its
best: that it loses `_LOSS` x**2 points, give or take `_DOUBT` + `_DOUBT_A_FACTOR` x. Measured in
experiment 0004: the moves of thousands of positions, each in many worlds."""


@dataclass(frozen=True, slots=True)
class ExpertOptions:
    """How an expert thinks.

    Attributes:
        limit: Its own limit for one ply.
        threads: How many threads share the worlds; the choice is the same.
        depth: Own turns of a trial before the network's expectation is taken; 0 to the end.
        objective: Whether it plays for the points of the round or for the match.
        thumbs: How likely the other side is thought to play by rules of thumb instead of as
            the network would, before table and moves have told anything of it; 0 or 1 is for sure.
        belief: Whether the other hand is dealt by what the network believes of it, or all
            unseen cards alike.
        trust: By what the doubt in the network's opinion is multiplied; more of it
            believes the trials sooner.
    """

    limit: Limit = NO_LIMIT
    threads: int = 1
    depth: int = 10
    objective: str = ROUND
    thumbs: float = 0.25
    belief: str = NETWORK
    trust: float = 0.5


class Expert:
    """Tries what the network would consider."""

    def __init__(
        self, network: SavedNetwork, options: ExpertOptions, *, name: str = "expert"
    ) -> None:
        self.name = name
        self._weights = network.weights_for(options.objective)
        is_listening = listens(network.weights)
        wants_past = is_listening or options.thumbs not in _FOR_SURE
        self._reader = MoveReader(network.weights_for(ROUND)) if wants_past else None
        self._shares = IF_LISTENING if is_listening else IF_DEAF
        self._options = options
        self._pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None

    @property
    def goes_by_past(self) -> bool:
        """Whether it reads the moves of the other side."""
        return self._reader is not None

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
            objective=options.take_word("objective", defaults.objective, of=OBJECTIVES),
            thumbs=options.take_number("thumbs", defaults.thumbs, low=0, high=1),
            belief=options.take_word("belief", defaults.belief, of=_BELIEFS),
            trust=options.take_number("trust", defaults.trust, low=0.01, high=99),
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
        of_moves = self._reader.evidence(observation) if self._reader else None
        evaluate_told(row, observation.seat, told_of(of_moves), room, self._weights)
        value, spread = read_margin(room)
        candidates, opinions = candidates_of(row, room)
        if budget.playouts is not None:  # a candidate that cannot be tried even once is none
            candidates, opinions = candidates[: budget.playouts], opinions[: budget.playouts]
        if len(candidates) == 1:
            move = move_of(int(candidates[0]), observation.variant)
            return Decision(move, value, ((move, 1.0),), spread)
        outlook = self._outlook(observation, row, room, of_moves)
        trials = Trials(
            candidates,
            opinions,
            try_actions=_trier(row, observation.seat, seed, outlook),
            weigh=self._weigh,
            typical_spread=TYPICAL_SPREAD,
            pool=self._pool,
            threads=self._options.threads,
        )
        halve(trials, budget)
        worth, _ = trials.beliefs()
        place = int(trials.alive[int(np.argmax(worth))])
        policy = tuple(
            (move_of(action, observation.variant), share)
            for action, share in trials.by_share(place)
        )
        if outlook.worth is POINTS:
            value = trials.mean(place)
        return Decision(policy[0][0], value, policy, spread)

    def _outlook(
        self, observation: Observation, row: Row, room: Floats, of_moves: float | None
    ) -> Outlook:
        """Return how trials are to be played, given what the network thinks of the position."""
        weights, odds = self._weights, np.ones(60, np.float64)
        if self._options.belief == NETWORK:
            read_odds(room, observation.variant.num_colors, odds)
        worth = worth_to(self._options.objective, observation, step_chances(room))
        thumbs = self._chance_of_thumbs(observation, room, of_moves)
        player = both_sides(weights, row, observation.seat, told_of(of_moves))
        return Outlook(player, weights, worth, self._options.depth, thumbs, new_work(), odds)

    def _chance_of_thumbs(
        self, observation: Observation, room: Floats, of_moves: float | None
    ) -> float:
        """Return how likely the other side plays by rules of thumb."""
        before = self._options.thumbs
        if before in _FOR_SURE:
            return before
        of_table = read_thumbs(room, observation.variant.num_colors)
        evidence = moves_and_table(of_moves, of_table, self._shares)
        return told_chance(before, evidence)

    def _weigh(self, gains: Points, variances: Points, opinions: Points) -> tuple[Points, Points]:
        return weigh_gains(gains, variances, opinions, trust=self._options.trust)


def told_chance(chance: float, evidence: float) -> float:
    """Return a chance after evidence, the logarithm of what its odds are multiplied by."""
    if chance in _FOR_SURE:
        return chance
    against = exp(-min(max(evidence, -_SUREST), _SUREST)) * (1.0 - chance) / chance
    return 1.0 / (1.0 + against)


def weigh_gains(
    gains: Points, variances: Points, opinions: Points, *, trust: float = 1.0
) -> tuple[Points, Points]:
    """Bring together what the network led us to expect of each move and what the trials say.

    Args:
        gains: Of each move over the first, in the trials, in points.
        variances: How unsure they are, in points squared.
        opinions: See `candidates_of`.
        trust: See `ExpertOptions`.

    Returns:
        What the moves are worth over the first, and how unsure that is, in points.
    """
    expected = -_LOSS * opinions**2
    doubts = (trust * (_DOUBT - _DOUBT_A_FACTOR * opinions)) ** 2
    weights = doubts / (doubts + variances)
    return weights * gains + (1.0 - weights) * expected, np.sqrt(weights * variances)


def candidates_of(row: Row, room: Floats, *, least: float = _LEAST_RATIO) -> tuple[Actions, Points]:
    """Return what is worth a trial, what the network likes best first, and its opinion of each.

    An opinion is how much less than the best it likes a move, as a logarithm of chances.

    Args:
        row: The position.
        room: Where the network wrote its opinion.
        least: Candidates are liked at least so much as the best, as a ratio of chances.
    """
    actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    count = read_policy(row, room, actions, chances, 1.0)
    order = np.argsort(-chances[:count], kind="stable")[:MOST_CANDIDATES]
    order = order[chances[order] >= least * chances[order[0]]]
    liked = chances[order].astype(np.float64)
    return actions[order], np.log(liked) - np.log(liked[0])


def _trier(row: Row, seat: int, seed: int, outlook: Outlook) -> Try:
    """Return what tries actions with the network on both sides, with room for each call."""
    word = to_word(seed)

    def try_them(actions: Actions, first: int, count: int) -> tuple[Points, Points]:
        sums = np.zeros(actions.size, np.float64)
        products = np.zeros((actions.size, actions.size), np.float64)
        player = outlook.player
        own = outlook._replace(
            player=Thinker(new_room(), player.weights, player.told), work=new_work()
        )
        try_by_network(row, seat, actions, first, count, word, own, sums, products)
        return sums, products

    return try_them
