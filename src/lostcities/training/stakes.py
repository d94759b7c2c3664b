"""What is played for: the points of the round, or the match.

A side that wants the match takes risks when it is behind and none when it is
ahead. The network sees the lead and how many rounds are left, so it can learn
when to do which; this says what its margins are worth then.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.agents.objective import (
    MATCH,
    MOST_LEAD,
    by_steps,
    chances_after_round,
    chances_at_margins,
)
from lostcities.kernel.features import COLOR_WIDTH, LEAD_UNIT, MATCH_AT, ROUNDS_UNIT
from lostcities.kernel.lookahead import POINTS
from lostcities.kernel.network import Floats
from lostcities.kernel.returns import Stakes
from lostcities.kernel.selfplay import Window
from lostcities.rules import StarterPolicy, Variant

_NUM_ROUNDS: Final = 3
"""Rounds of the matches to learn from."""
_A_MATCH: Final = 110.0
"""Points that a match is worth: between equals before the last round a point of it changes the
chance to win by 0.9 %."""
_A_POINT: Final = 0.05
"""What a point is worth for itself; so that a round is played well even if it decides nothing."""
_NUM_LEADS: Final = 2 * MOST_LEAD + 1


def stakes_of(objective: str, variant: Variant, window: Window) -> Stakes:
    """Return what a window was played for.

    At the begin of a match points are worth points whatever the objective: there
    the two are as good as the same, and so `objective=round` means to play on as if
    every round were that one.

    Args:
        objective: One of `agents.objective.OBJECTIVES`.
        variant: The game.
        window: What was played.
    """
    if objective != MATCH:
        return Stakes(
            POINTS.steps.astype(np.float32)[None], np.zeros(window.movers.shape, np.int32)
        )
    return Stakes(_worths(variant.num_colors, variant.starter_policy), _standings(variant, window))


@cache
def _worths(num_colors: int, policy: StarterPolicy) -> Floats:
    """Return the worths of the steps by rounds left and lead, one row each."""
    worths = np.zeros((_NUM_ROUNDS, _NUM_LEADS, POINTS.steps.size), np.float32)
    for num_left in range(_NUM_ROUNDS):
        after = [
            chances_after_round(num_colors, num_left, policy, started=started)
            for started in (False, True)
        ]
        mean = (after[0] + after[1]) / 2
        for place in range(_NUM_LEADS):
            chances = by_steps(chances_at_margins(mean, place - MOST_LEAD), 0)
            worths[num_left, place] = _A_MATCH * chances + _A_POINT * POINTS.steps
    worths[_NUM_ROUNDS - 1, MOST_LEAD] = POINTS.steps
    return worths.reshape(-1, POINTS.steps.size)


def _standings(variant: Variant, window: Window) -> npt.NDArray[np.int32]:
    """Return the rows of `_worths` by what the movers saw of the match."""
    at = variant.num_colors * COLOR_WIDTH + MATCH_AT
    lead = np.rint(window.features[..., at] * LEAD_UNIT).astype(np.int32)
    num_left = np.rint(window.features[..., at + 1] * ROUNDS_UNIT).astype(np.int32)
    num_left = np.clip(num_left, 0, _NUM_ROUNDS - 1)
    return num_left * _NUM_LEADS + np.clip(lead, -MOST_LEAD, MOST_LEAD) + MOST_LEAD
