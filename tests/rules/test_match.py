"""Rounds that make a match: totals, winners, all six starter policies."""

import pytest

from lostcities.rules import (
    IllegalMoveError,
    Match,
    MatchGoal,
    RoundResult,
    Standing,
    StarterPolicy,
    Variant,
)
from lostcities.rules.match import leader


def play(policy: str, *scores: tuple[int, int], first: int = 0, num_rounds: int = 9) -> Match:
    variant = Variant(num_rounds=num_rounds, starter_policy=StarterPolicy(policy))
    match = Match(variant, first)
    for points in scores:
        match = match.with_round(RoundResult(match.next_starter(lot=1), points))
    return match


def starters(policy: str, *scores: tuple[int, int], first: int = 0) -> str:
    """Return who started each round and who would start the next one."""
    match = play(policy, *scores, first=first)
    seats = [result.starter for result in match.rounds] + [match.next_starter(lot=1)]
    return "".join("AB"[seat] for seat in seats)


LEAD_CHANGES = ((10, 20), (30, 5), (-6, 40))
LEVEL = ((5, 5), (0, 0), (-7, -7))
LEVEL_ON_TOTAL = ((10, 0), (0, 10))


@pytest.mark.parametrize(
    ("policy", "scores", "expected"),
    [
        ("leader", LEAD_CHANGES, "ABAB"),
        ("leader", LEVEL, "ABAB"),
        ("leader", LEVEL_ON_TOTAL, "AAB"),
        ("leader", ((50, 0), (0, 10)), "AAA"),
        ("round_winner", LEAD_CHANGES, "ABAB"),
        ("round_winner", ((50, 0), (0, 10)), "AAB"),
        ("round_winner", LEVEL, "ABAB"),
        ("round_winner", ((0, 9), (3, 3), (4, 4)), "ABAB"),
        ("trailer", LEAD_CHANGES, "AABA"),
        ("trailer", LEVEL, "ABAB"),
        ("trailer", LEVEL_ON_TOTAL, "ABA"),
        ("alternate", LEAD_CHANGES, "ABAB"),
        ("alternate", LEVEL, "ABAB"),
        ("fixed", LEAD_CHANGES, "AAAA"),
        ("fixed", LEVEL, "AAAA"),
        ("random", LEAD_CHANGES, "ABBB"),
        ("random", LEVEL, "ABBB"),
        ("leader", (), "A"),
        ("random", (), "A"),
    ],
)
def test_starters(policy: str, scores: tuple[tuple[int, int], ...], expected: str) -> None:
    assert starters(policy, *scores) == expected


@pytest.mark.parametrize("policy", list(StarterPolicy))
def test_first_starter_by_lot(policy: str) -> None:
    assert starters(policy, first=1) == "B"


def test_other_first_starter() -> None:
    assert starters("fixed", (1, 0), (1, 0), first=1) == "BBB"
    assert starters("alternate", (1, 0), (1, 0), first=1) == "BAB"
    assert starters("leader", (3, 3), (3, 3), first=1) == "BAB"


def test_random_policy_needs_a_lot() -> None:
    match = play("random", (1, 2))
    assert (match.next_starter(0), match.next_starter(1)) == (0, 1)
    assert [match.next_standing(lot).starter for lot in (0, 1)] == [0, 1]
    for ask in (match.next_starter, match.next_standing):
        with pytest.raises(ValueError, match="expected a lot"):
            ask()


@pytest.mark.parametrize("num_rounds", range(1, 10))
def test_matches_of_one_to_nine_rounds(num_rounds: int) -> None:
    match = Match(Variant(num_rounds=num_rounds))
    for number in range(1, num_rounds + 1):
        assert not match.is_over
        assert match.reason_against_round() is None
        standing = match.next_standing()
        assert (standing.round_number, standing.num_rounds) == (number, num_rounds)
        assert standing.totals == match.totals == (2 * (number - 1), number - 1)
        match = match.with_round(RoundResult(standing.starter, (2, 1)))
    assert match.is_over
    assert match.leader == 0
    check_refuses_another_round(match, num_rounds)


def check_refuses_another_round(match: Match, num_rounds: int) -> None:
    sentence = f"cannot start a round: all {num_rounds} rounds have been played"
    refusal = match.reason_against_round()
    assert refusal is not None
    assert (refusal.code, refusal.sentence) == ("match_over", sentence)
    for another in (match.next_starter, match.next_standing):
        with pytest.raises(IllegalMoveError, match=sentence):
            another()
    with pytest.raises(IllegalMoveError, match=sentence):
        match.with_round(RoundResult(0, (0, 0)))


def test_first_standing() -> None:
    assert Match(Variant(), 1).next_standing() == Standing(1, 3, 1, (0, 0))
    assert Match().next_standing() == Standing()


def test_goal_points_or_rounds() -> None:
    scores = ((80, 0), (0, 10), (0, 10))
    for goal, winner in ((MatchGoal.POINTS, 0), (MatchGoal.ROUNDS, 1)):
        match = Match(Variant(match_goal=goal))
        for points in scores:
            match = match.with_round(RoundResult(0, points))
        assert match.leader == winner
        assert match.totals == (80, 20)
        assert match.rounds_won == (1, 2)


def test_level_matches_are_drawn() -> None:
    for goal in MatchGoal:
        match = Match(Variant(num_rounds=2, match_goal=goal))
        assert match.leader is None
        match = match.with_round(RoundResult(0, (-43, -43)))
        assert match.leader is None
        assert match.rounds_won == (0, 0)
        match = match.with_round(RoundResult(1, (5, 5)))
        assert match.is_over
        assert match.leader is None


def test_match_of_a_score_pad() -> None:
    match = play("leader", (12, 5), (-30, 8), (40, 40), num_rounds=3)
    assert (match.totals, match.leader, match.is_over) == ((22, 53), 1, True)


@pytest.mark.parametrize(("points", "seat"), [((1, 0), 0), ((0, 1), 1), ((-2, -2), None)])
def test_leader(points: tuple[int, int], seat: int | None) -> None:
    assert leader(points) == seat


def test_standing_with_scores() -> None:
    standing = Standing(2, 3, 1, (10, -5)).with_scores((-20, 8))
    assert standing == Standing(2, 3, 1, (-10, 3))
