"""What a margin is worth to a side that wants the match: against sums written out by hand."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from lostcities.agents.objective import (
    chances_by_margin,
    chances_to_win,
    margins_of,
    worth_to,
    worth_to_match,
)
from lostcities.agents.registry import make_agent
from lostcities.kernel.lookahead import MOST_POINTS, POINTS
from lostcities.kernel.network import NUM_BINS
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    SMALL,
    TINY,
    MatchGoal,
    Observation,
    Position,
    Standing,
    StarterPolicy,
    Variant,
)

MIDDLE = 1000


def a_view(standing: Standing, variant: Variant = CLASSIC) -> Observation:
    deal = list(variant.deck)
    Random(5).shuffle(deal)
    position = Position.deal(deal, variant=variant, standing=standing)
    return position.observe(position.mover)


def foreseen(step: int = NUM_BINS // 2) -> np.ndarray:
    """Return chances around a step of the margin."""
    chances = np.exp(-0.5 * ((np.arange(NUM_BINS) - step) / 4.0) ** 2)
    return np.asarray(chances / chances.sum())


def by_hand(num_left: int, lead: int, policy: StarterPolicy, *, starts: bool) -> float:
    """Return the chance to win, one round after the other, by the words of the rule."""
    if num_left == 0:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    margins = margins_of(5)
    total = 0.0
    for points, chance in zip(margins.points.tolist(), margins.chances.tolist(), strict=True):
        after = lead + points if starts else lead - points
        nobody_ahead = policy is StarterPolicy.ALTERNATE or after == 0
        next_starts = not starts if nobody_ahead else (after > 0)
        if policy is StarterPolicy.TRAILER and not nobody_ahead:
            next_starts = not next_starts
        total += chance * by_hand(num_left - 1, after, policy, starts=next_starts)
    return total


@pytest.mark.parametrize("policy", [
    StarterPolicy.LEADER, StarterPolicy.TRAILER, StarterPolicy.ALTERNATE,
])  # fmt: skip
@pytest.mark.parametrize(("num_left", "lead"), [(1, 0), (1, 7), (2, 0), (2, -33), (2, 80)])
@pytest.mark.parametrize("starts", [False, True])
def test_chances_are_those_of_one_round_after_the_other(
    policy: StarterPolicy, num_left: int, lead: int, *, starts: bool
) -> None:
    found = chances_to_win(5, num_left, policy, starts=starts)[MIDDLE + lead]
    assert found == pytest.approx(by_hand(num_left, lead, policy, starts=starts), abs=1e-9)


@pytest.mark.parametrize("policy", StarterPolicy)
@pytest.mark.parametrize("colors", [5, 6])
def test_what_one_side_wins_the_other_loses(policy: StarterPolicy, colors: int) -> None:
    for num_left in (0, 1, 2):
        mine = chances_to_win(colors, num_left, policy, starts=True)
        yours = chances_to_win(colors, num_left, policy, starts=False)
        assert np.allclose(mine + yours[::-1], 1.0)
        assert (np.diff(mine) >= -1e-12).all()
        assert mine[0] < 1e-6
        assert mine[-1] > 1 - 1e-6


@pytest.mark.parametrize("colors", [5, 6])
def test_the_margins_are_those_of_whole_rounds(colors: int) -> None:
    margins = margins_of(colors)
    mean = float(margins.points @ margins.chances)
    spread = float(np.sqrt((margins.points - mean) ** 2 @ margins.chances))
    assert -5 < mean < 5
    assert 35 < spread < 65


def test_in_the_last_round_only_the_match_counts() -> None:
    view = a_view(Standing(round_number=3, num_rounds=3, starter=0, totals=(40, 75)))
    chances = chances_by_margin(view)
    behind = 35 if view.seat == 0 else -35
    assert chances[MOST_POINTS + behind] == 0.5
    assert set(chances[: MOST_POINTS + behind]) == {0.0}
    assert set(chances[MOST_POINTS + behind + 1 :]) == {1.0}


def test_a_point_is_worth_a_point_near_what_is_foreseen() -> None:
    for standing in (
        Standing(round_number=1, num_rounds=3, starter=1),
        Standing(round_number=2, num_rounds=3, starter=0, totals=(10, 60)),
        Standing(round_number=3, num_rounds=3, starter=0, totals=(100, 60)),
    ):
        view, thought = a_view(standing), foreseen()
        worth = worth_to_match(view, thought)
        up, down = np.roll(worth.steps, -1), np.roll(worth.steps, 1)
        assert thought[1:-1] @ (up - down)[1:-1] / 16 == pytest.approx(1.0, abs=0.02)
        assert thought @ worth.steps == pytest.approx(0.0, abs=1e-6)
        assert (np.diff(worth.margins) >= 0).all()


@pytest.mark.parametrize(("lead", "likes_risk"), [(-60, True), (60, False)])
def test_who_is_behind_likes_risk_and_who_leads_does_not(lead: int, *, likes_risk: bool) -> None:
    """Twenty points more or less are better than none for one side, and worse for the other."""
    totals = (100 + lead, 100) if a_view(Standing()).seat == 0 else (100, 100 + lead)
    view = a_view(Standing(round_number=3, num_rounds=3, starter=0, totals=totals))
    worth = worth_to_match(view, foreseen()).margins
    middle = MOST_POINTS
    gamble = (worth[middle + 20] + worth[middle - 20]) / 2
    assert (gamble > worth[middle] + 0.5) == likes_risk
    assert (gamble < worth[middle] - 0.5) != likes_risk


def test_no_point_is_worth_much_more_than_the_average_one() -> None:
    """Else trials, which differ by some points, would drown in who just won and who just lost."""
    view = a_view(Standing(round_number=3, num_rounds=3, starter=0, totals=(70, 60)))
    assert np.diff(worth_to_match(view, foreseen()).margins).max() < 2.0


def test_at_the_end_the_last_point_counts() -> None:
    """With next to nothing open, nothing is smoothed away."""
    view = a_view(Standing(round_number=3, num_rounds=3, starter=0, totals=(60, 60)))
    sure = np.zeros(NUM_BINS)
    sure[NUM_BINS // 2] = 1.0
    worth = worth_to_match(view, sure).margins
    assert worth[MOST_POINTS - 1] < worth[MOST_POINTS] < worth[MOST_POINTS + 1]
    assert worth[MOST_POINTS + 1] == worth[MOST_POINTS + 50]


def test_early_in_the_match_points_are_nearly_all_that_counts() -> None:
    variant = replace(CLASSIC, num_rounds=9)
    worth = worth_to_match(a_view(Standing(num_rounds=9), variant), foreseen())
    near = slice(MOST_POINTS - 40, MOST_POINTS + 41)
    assert np.abs(worth.margins[near] - POINTS.margins[near]).max() < 8.0


def test_where_the_match_is_decided_points_count() -> None:
    view = a_view(Standing(round_number=3, num_rounds=3, starter=0, totals=(0, 900)))
    assert worth_to_match(view, foreseen()) is POINTS


def test_who_wants_the_round_is_left_with_points() -> None:
    assert worth_to("round", a_view(Standing()), foreseen()) is POINTS


def test_rounds_won_are_not_told_so_the_round_counts() -> None:
    variant = replace(CLASSIC, match_goal=MatchGoal.ROUNDS)
    view = a_view(Standing(round_number=2, totals=(90, 0)), variant)
    assert chances_by_margin(view)[MOST_POINTS] == 0.5


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_the_expert_plays_for_the_match(variant: Variant) -> None:
    agent = make_agent("expert:playouts=60,objective=match")
    views = [
        a_view(
            Standing(
                round_number=number, num_rounds=3, totals=(50 * (number - 1), 20 * (number - 1))
            ),
            variant,
        )
        for number in (1, 2, 3)
    ]
    for view in views:
        decision = agent.decide(view, rng=Random(1))
        assert decision.move in view.legal_moves
        assert decision == agent.decide(view, rng=Random(1))
        assert decision.value is not None
        assert -200 < decision.value < 200


@pytest.mark.parametrize("variant", [TINY, SMALL, MINI], ids=["tiny", "small", "mini"])
def test_games_with_few_colors_are_played_for_the_match_too(variant: Variant) -> None:
    position = Position.deal(Random(1).sample(variant.deck, k=len(variant.deck)), variant=variant)
    view = position.observe(0)
    decision = make_agent("expert:objective=match,playouts=20").decide(view, rng=Random(1))
    assert decision.move in view.legal_moves
