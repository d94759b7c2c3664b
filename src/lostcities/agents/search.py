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
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget, tighter
from lostcities.agents.halving import Actions, Points, Trials, Try, halve, spend
from lostcities.agents.spec import AgentSpec, Options
from lostcities.kernel.belief import BELIEFS, BY_ODDS
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
_PLAYOUTS_EACH: Final = 8
"""Playouts that a candidate must be worth; with a smaller budget, fewer candidates are tried."""
_STAGES_FOR_ONE: Final = 16
"""Where nothing is to be chosen, this part of the budget is enough for a value."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search is limited.

    Attributes:
        limit: Its own limit for one ply.
        threads: How many threads share the worlds; the choice is the same.
        belief: How worlds are dealt, see `kernel.belief`.
    """

    limit: Limit = NO_LIMIT
    threads: int = 1
    belief: int = BY_ODDS


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
            belief=BELIEFS[options.take_word("belief", "odds", of=BELIEFS)],
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
            two = min(2, budget.playouts)
            candidates = candidates[: max(two, budget.playouts // _PLAYOUTS_EACH)]
        trials = Trials(
            np.array([action for action, _ in candidates], np.int64),
            np.array([gap for _, gap in candidates], np.float64),
            try_actions=_trier(row, observation.seat, seed, self._options.belief),
            weigh=_weigh,
            typical_spread=_TYPICAL_SPREAD,
            pool=self._pool,
            threads=self._options.threads,
        )
        if len(candidates) > 1:
            halve(trials, budget)
        else:
            spend(trials, budget, 1 / _STAGES_FOR_ONE)
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


def _weigh(gains: Points, variances: Points, opinions: Points) -> tuple[Points, Points]:
    """Return what candidates gain over the policy's move, and how unsure that is, in points.

    Source:
        The product of two normal densities: means weigh by inverse variances.
    """
    doubts = (_DOUBT + _MORE_DOUBT * -opinions) ** 2
    weights = doubts / (doubts + variances)
    believed = weights * gains + (1.0 - weights) * _OPINION * opinions
    return believed, np.sqrt(weights * variances)


def _trier(row: Row, seat: int, seed: int, belief: int) -> Try:
    """Return what tries actions by playouts of the policy."""
    word = to_word(seed)

    def try_them(actions: Actions, first: int, count: int) -> tuple[Points, Points]:
        sums = np.zeros(actions.size, np.int64)
        products = np.zeros((actions.size, actions.size), np.int64)
        try_actions(row, seat, actions, first, count, word, sums, products, new_work(), belief)
        return sums.astype(np.float64), products.astype(np.float64)

    return try_them


def _decision(trials: Trials, observation: Observation) -> Decision:
    """Choose the candidate that is believed to gain most; the policy's own if none clearly gains."""
    believed, deviations = trials.beliefs()
    index = int(np.argmax(believed))
    is_late = observation.deck_size <= _LATE * observation.variant.deck_after_deal
    lead, bias = (_LEAD_LATE, _BIAS_LATE) if is_late else (_LEAD_EARLY, _BIAS_EARLY)
    is_clear = believed[index] > lead * sqrt(deviations[index] ** 2 + bias**2)
    place = int(trials.alive[index]) if is_clear else 0
    policy = tuple(
        (move_of(action, observation.variant), share) for action, share in trials.by_share(place)
    )
    return Decision(policy[0][0], trials.mean(place), policy)
