"""What a margin is worth to a side that wants the match and not the points.

The chance to win a match after a round depends on the lead, on how many rounds
are left and on who starts them. It is reckoned back from the end, with the
margins that the shipped network reached against itself.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel.lookahead import MOST_POINTS, POINTS, Worth
from lostcities.kernel.network import BIN_WIDTH, NUM_BINS
from lostcities.rules import MatchGoal, Observation, StarterPolicy

Chances: TypeAlias = npt.NDArray[np.float64]

ROUND: Final = "round"
MATCH: Final = "match"
OBJECTIVES: Final = (ROUND, MATCH)
_MARGINS: Final = "margins-4.json"
MOST_LEAD: Final = 1000
"""Leads beyond it win like this one."""
_LEADS: Final = np.arange(-MOST_LEAD, MOST_LEAD + 1)
_SMOOTHING: Final = 0.7
"""Over which part of the margin's foreseen standard deviation the chance to win is smoothed."""
_DECIDED: Final = 2e-4
"""If a point changes the chance to win by less than this, the points count."""


@dataclass(frozen=True, slots=True)
class Margins:
    """How the starter's margins of a round are spread.

    Attributes:
        points: Margins.
        chances: How likely each is.
    """

    points: npt.NDArray[np.int64]
    chances: Chances


@cache
def margins_of(num_colors: int) -> Margins:
    """Return how the margins of the shipped network against itself are spread.

    They were counted in games with five and with six colors; others go by those with five.
    """
    text = (resources.files("lostcities.agents.networks") / _MARGINS).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["6" if num_colors == 6 else "5"]
    counts = np.array(found["counts"], np.float64)
    points = found["lowest"] + found["width"] * np.arange(counts.size, dtype=np.int64)
    return Margins(points, counts / counts.sum())


@cache
def chances_to_win(
    num_colors: int, num_left: int, policy: StarterPolicy, *, starts: bool
) -> Chances:
    """Return the chance to win the match by the lead before its last rounds.

    A drawn match counts half. Where the starter is drawn by lot or depends on the
    round before, either side starts half of the time.

    Args:
        num_colors: Colors in play.
        num_left: Rounds that are still to be played.
        policy: Who starts them.
        starts: Whether the own side starts the first of them.

    Returns:
        For each lead from -1,000 to 1,000, `float64[2001]`.
    """
    if num_left == 0:
        return np.heaviside(_LEADS.astype(np.float64), 0.5)
    margins = margins_of(num_colors)
    after = chances_after_round(num_colors, num_left - 1, policy, started=starts)
    total = np.zeros(_LEADS.size)
    for points, chance in zip(margins.points, margins.chances, strict=True):
        leads = np.clip(_LEADS + (points if starts else -points), -MOST_LEAD, MOST_LEAD)
        total += chance * after[leads + MOST_LEAD]
    return total


def chances_after_round(
    num_colors: int, num_left: int, policy: StarterPolicy, *, started: bool
) -> Chances:
    """Return the chance to win by the lead after a round that one side started."""
    if num_left == 0:
        return chances_to_win(num_colors, 0, policy, starts=False)
    first, second = (
        chances_to_win(num_colors, num_left, policy, starts=starts) for starts in (True, False)
    )
    next_in_turn = second if started else first
    match policy:
        case StarterPolicy.FIXED:
            return first if started else second
        case StarterPolicy.ALTERNATE:
            return next_in_turn
        case StarterPolicy.LEADER:
            return np.where(_LEADS > 0, first, np.where(_LEADS < 0, second, next_in_turn))
        case StarterPolicy.TRAILER:
            return np.where(_LEADS < 0, first, np.where(_LEADS > 0, second, next_in_turn))
        case _:
            return (first + second) / 2


def chances_by_margin(observation: Observation) -> Chances:
    """Return a seat's chance to win the match by the margin of the running round.

    Where the match goes by rounds won, which a view does not tell, the chance to
    win the round stands for it.
    """
    variant, standing, seat = observation.variant, observation.standing, observation.seat
    num_left, lead = standing.num_rounds - standing.round_number, 0
    if variant.match_goal is MatchGoal.ROUNDS:
        num_left = 0
    else:
        lead = standing.totals[seat] - standing.totals[1 - seat]
    after = chances_after_round(
        variant.num_colors, num_left, variant.starter_policy, started=standing.starter == seat
    )
    return chances_at_margins(after, lead)


def chances_at_margins(after: Chances, lead: int) -> Chances:
    """Return chances to win by the margin of a round that is entered with a lead.

    Args:
        after: Those by the lead behind the round, see `chances_after_round`.
        lead: The lead before it.
    """
    margins = POINTS.margins.astype(np.int64)
    return after[np.clip(lead + margins, -MOST_LEAD, MOST_LEAD) + MOST_LEAD]


def worth_to_match(observation: Observation, foreseen: Chances) -> Worth:
    """Return what margins are worth to a seat that wants the match.

    They are measured in points: near what is foreseen, a point is worth one on the
    average. Where hardly any margin changes the match, points are worth points.

    What is won and lost at the last point is smoothed over a part of what is still
    open: a few hundred trials that only said who won would tell two moves apart no
    better than by chance, and all that trials find would be lost.

    Args:
        observation: What the seat sees.
        foreseen: Chances of the steps of the margin, `float64[NUM_BINS]`.
    """
    by_margin = _smooth(chances_by_margin(observation), _SMOOTHING * _spread_of(foreseen))
    slope = float(foreseen @ (by_steps(by_margin, 1) - by_steps(by_margin, -1))) / 2 / BIN_WIDTH
    if slope < _DECIDED:
        return POINTS
    by_step = by_steps(by_margin, 0)
    mean = float(foreseen @ by_step)
    return Worth((by_margin - mean) / slope, (by_step - mean) / slope)


def _spread_of(foreseen: Chances) -> float:
    """Return the standard deviation of the margin, in points."""
    points = POINTS.steps
    mean = float(foreseen @ points)
    return float(np.sqrt(foreseen @ (points - mean) ** 2))


def _smooth(by_margin: Chances, spread: float) -> Chances:
    """Return the means around each margin, weighed by a bell of that standard deviation."""
    reach = int(np.ceil(3 * spread))
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(spread, 1e-9)) ** 2)
    padded = np.pad(by_margin, reach, mode="edge")
    return np.convolve(padded, bell / bell.sum(), mode="valid")


def by_steps(by_margin: Chances, shift: int) -> Chances:
    """Return what the steps stand for, each spread evenly around its middle as the targets were."""
    width = int(BIN_WIDTH)
    middles = (np.arange(NUM_BINS) - NUM_BINS // 2 + shift) * width
    away = np.arange(1 - width, width)
    shares = (1.0 - np.abs(away) / width) / width
    places = np.clip(middles[:, None] + away, -MOST_POINTS, MOST_POINTS) + MOST_POINTS
    return np.asarray(by_margin[places] @ shares)


def worth_to(objective: str, observation: Observation, foreseen: Chances) -> Worth:
    """Return what margins are worth under an objective; see `worth_to_match`."""
    return worth_to_match(observation, foreseen) if objective == MATCH else POINTS
