"""Levels: opponents for people, from a beginner's slips to a search.

The lower ones do not play at random. They slip as people do: they look at their
own cards only, they are too eager to wager, they do not remember who took what,
and of moves that look alike they take the wrong one. The upper two play what a
network learned from its games: the fifth often takes a good move for the best
one, the sixth tries its candidates before it decides. It is bound by trials and
not by time, so that a level is equally strong on every machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

import numpy as np

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.expert import Expert, ExpertOptions
from lostcities.agents.net import Net
from lostcities.agents.spec import AgentSpec, Options
from lostcities.agents.weights import shipped_network
from lostcities.kernel.bridge import action_of, move_of, pack_observation
from lostcities.kernel.layout import MAX_ACTIONS
from lostcities.kernel.policy import (
    COVER,
    DENY,
    GIFT_CLOSED,
    GIFT_OPEN,
    GIFT_WAGER,
    HEURISTIC_TASTE,
    OPTION,
    WAGER_HOPE,
    new_work,
    value_card_actions,
    value_draw_actions,
)
from lostcities.rules import Observation, Phase, other_seat

_HALF_AN_EYE: Final = {GIFT_OPEN: 0.35, GIFT_CLOSED: 0.0, GIFT_WAGER: 0.0, COVER: 0.0, DENY: 0.3}
"""Sees only the worst of what the other side may do with a discard."""
_EAGER: Final = {OPTION: 0.4, WAGER_HOPE: 0.8}
"""Opens and wagers on hopes, and does not wait."""


@dataclass(frozen=True, slots=True)
class Level:
    """How one level plays.

    Attributes:
        name: What it is called.
        playouts: Trials for a ply by the expert; 0 does without.
        warmth: How far from the best a network's move may be, see `Net`; 0 does
            without a network.
        taste: Where its taste differs from the heuristic's, see `kernel.policy`.
        wobble: Standard deviation of its misjudgement of a move, in points.
        forgets: Whether it forgets which cards the other side took.
    """

    name: str
    playouts: int = 0
    warmth: float = 0.0
    taste: Mapping[int, float] = field(default_factory=dict)
    wobble: float = 0.0
    forgets: bool = False


LEVELS: Final = (
    Level("Tourist", taste={**_HALF_AN_EYE, **_EAGER}, wobble=3.0, forgets=True),
    Level("Porter", taste=_HALF_AN_EYE, wobble=2.3, forgets=True),
    Level("Guide", taste=_HALF_AN_EYE, wobble=1.2, forgets=True),
    Level("Navigator"),
    Level("Archaeologist", warmth=1.5),
    Level("Explorer", playouts=400),
)
"""From the weakest to the strongest; measured in experiments 0002, 0005 and 0007."""


class Slipping:
    """Plays by rules of thumb, and slips."""

    def __init__(self, level: Level, *, name: str) -> None:
        self.name = name
        self._level = level
        taste = list(HEURISTIC_TASTE)
        for index, value in level.taste.items():
            taste[index] = value
        self._taste = taste

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time to speak of
    ) -> Decision:
        """Choose the move that looks best, as well as this level can tell."""
        values = np.zeros(MAX_ACTIONS, np.float64)
        seen = _without_memory(observation) if self._level.forgets else observation
        row, work = pack_observation(seen), new_work(self._taste)
        if observation.phase is Phase.CARD:
            value_card_actions(row, work, values)
        else:
            value_draw_actions(row, work, values)
        actions = [action_of(move, observation.variant) for move in observation.legal_moves]
        best = max(actions, key=lambda action: values[action] + rng.gauss(0.0, self._level.wobble))
        return Decision(move_of(best, observation.variant))


def _without_memory(observation: Observation) -> Observation:
    """Return the view of somebody who did not watch which cards the other side took."""
    known = list(observation.known)
    known[other_seat(observation.seat)] = ()
    return replace(observation, known=(known[0], known[1]))


def make_level(spec: AgentSpec) -> Slipping | Net | Expert:
    """Make the agent of a level.

    Raises:
        AgentSpecError: If there is no such level.
    """
    options = Options(spec)
    number = options.take_int("number", len(LEVELS), high=len(LEVELS)) or 1
    options.finish()
    level, name = LEVELS[number - 1], f"level:{number}"
    if level.playouts:
        limit = Limit(playouts=level.playouts)
        return Expert(shipped_network(), ExpertOptions(limit=limit), name=name)
    if level.warmth:
        return Net(shipped_network(), warmth=level.warmth, name=name)
    return Slipping(level, name=name)
