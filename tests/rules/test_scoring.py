"""What expeditions are worth: examples from many sources (H-05 to H-08), and the formula."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import parse_cards
from lostcities.rules import (
    CLASSIC,
    LONG,
    Card,
    Color,
    InvalidPositionError,
    Variant,
    score_expedition,
    score_round,
    sort_into_expeditions,
)
from lostcities.rules.bounds import expedition_scores

EXAMPLES = [
    # H-05: the multiplier is 2, 3, 4 and not 2, 4, 8
    ("xx89T", 21), ("xxx89T", 28), ("xx234", -33),
    # H-06: cost, then multiplier, then bonus
    ("xx345678", 59),
    # H-07: wagers count towards the eight
    ("xxx23456", 20), ("xx23456", 0), ("23456789", 44), ("2345678", 15),
    # H-08: wagers only, and nothing at all
    ("", 0), ("x", -40), ("xx", -60), ("xxx", -80),
    # other people's examples
    ("xx68T", 12), ("x3578T", 26), ("48", -8), ("x579", 2), ("xx2468T", 30), ("28T", 0), ("x38T", 2),
    ("T", -10), ("xx23578", 15), ("789T", 14), ("34567", 5), ("xxx56789", 80), ("xxx6789T", 100),
    ("xxx23456789T", 156),
    # break-even is a sum of 20 under any multiplier
    ("578", 0), ("x578", 0), ("xx578", 0), ("xxx578", 0),
    # sums of 10, 15, 25, 30, 40 with two wagers
    ("xx46", -30), ("xx78", -15), ("xx4678", 15), ("xx578T", 30), ("xx6789T", 60),
    # the three examples of the source texts
    ("2378T", 10), ("xx45678T", 80), ("x467", -6),
]  # fmt: skip


def column(ranks: str, color: str = "R") -> tuple[Card, ...]:
    return parse_cards("".join(color + rank for rank in ranks))


@pytest.mark.parametrize(("ranks", "score"), EXAMPLES)
def test_example(ranks: str, score: int) -> None:
    for color in "YBWGRP":
        assert score_expedition(column(ranks, color)).score == score


def test_terms() -> None:
    terms = score_expedition(column("xx45678T"))
    assert (terms.num_cards, terms.num_wagers, terms.number_sum) == (8, 2, 40)
    assert (terms.cost, terms.multiplier, terms.bonus, terms.score) == (-20, 3, 20, 80)
    nothing = score_expedition(())
    assert (nothing.num_cards, nothing.cost, nothing.multiplier, nothing.bonus) == (0, 0, 1, 0)


@pytest.mark.parametrize(
    ("columns", "score"),
    [
        (["xx23578", "789T", "34567", "", ""], 34),
        (["x", "T", "x", "T", ""], -100),
        (["T", "T", "T", "T", ""], -40),
        (["xxx23456789T"] * 5, 780),
        (["xxx"] * 5, -400),
        (["58T", "", "x", "x357", "xx23578T"], 18),
        (["x379T", "", "x3589T", "468", "x23679"], 60),
        (["", "678T", "", "79T", ""], 17),
        (["xxx"] * 6, -480),
        ([""] * 5, 0),
    ],
)
def test_sheet(columns: list[str], score: int) -> None:
    expeditions = [column(ranks, "YBWGRP"[index]) for index, ranks in enumerate(columns)]
    assert score_round(expeditions) == score


def test_column_that_is_emptied_again_is_worth_nothing() -> None:
    cards = column("x35")
    scores = [score_expedition(cards[:left]).score for left in (3, 2, 1, 0)]
    assert scores == [-24, -34, -40, 0]


def test_all_sets_of_a_color() -> None:
    scores = expedition_scores(CLASSIC)
    assert len(scores) == 2048
    assert (min(scores), max(scores)) == (-80, 156)
    assert len(set(scores)) == 143
    assert scores.count(0) == 64


def test_facts_about_all_sets() -> None:
    """Two numbers never break even; eight cards are never below 20; each wager adds sum - 20."""
    assert max(a + b for a, b in combinations(range(2, 11), 2)) == 19
    for wagers in range(4):
        for count in range(10):
            for ranks in combinations(range(2, 11), count):
                cards = [Card(Color.BLUE, rank) for rank in (0,) * wagers + ranks]
                score = score_expedition(cards).score
                assert score == (
                    (sum(ranks) - 20) * (1 + wagers) + 20 * (len(cards) >= 8) if cards else 0
                )
                assert len(cards) < 8 or score >= 20


@given(st.permutations(list(column("xxx23456789T"))), st.integers(0, 12))
def test_order_does_not_matter(cards: list[Card], num: int) -> None:
    some = cards[:num]
    assert score_expedition(some) == score_expedition(sorted(some))


def test_other_numbers_of_the_game() -> None:
    house = Variant(expedition_cost=14, bonus=10, bonus_threshold=6)
    assert score_expedition(column("45"), house).score == -5
    assert score_expedition(column("x23456"), house).score == (20 - 14) * 2 + 10
    free = Variant(expedition_cost=0, bonus=0)
    assert score_expedition(column("xxx"), free).score == 0


def test_sorting_into_expeditions() -> None:
    cards = parse_cards("R7YxRxR2Yx")
    assert sort_into_expeditions(cards) == {
        Color.YELLOW: parse_cards("YxYx"),
        Color.RED: parse_cards("RxR2R7"),
    }
    assert list(sort_into_expeditions(cards)) == [Color.YELLOW, Color.RED]
    assert sort_into_expeditions(()) == {}
    assert sort_into_expeditions(parse_cards("PT"), LONG) == {Color.PURPLE: parse_cards("PT")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P5", "P5 does not exist in this game"),
        ("RxRxRxRx", "expected at most 3 Rx, which is what the deck holds, got 4"),
        ("R5R6R5", "expected at most 1 R5, which is what the deck holds, got 2"),
    ],
)
def test_cards_that_no_deck_holds(text: str, message: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        sort_into_expeditions(parse_cards(text))
    assert str(caught.value) == message
