"""Facts about the deal (rules 15), computed exactly from the inventory of the deck."""

from math import comb
from random import Random

import pytest

from lostcities.rules import CLASSIC, LONG, Card, Color, Variant
from strategies import deal


def chance_of_none(variant: Variant, num_excluded: int) -> float:
    size = len(variant.deck)
    return comb(size - num_excluded, variant.hand_size) / comb(size, variant.hand_size)


@pytest.mark.parametrize(("variant", "percent"), [(CLASSIC, 8.42), (LONG, 8.69)])
def test_hand_without_a_wager(variant: Variant, percent: float) -> None:
    num_wagers = sum(card.is_wager for card in variant.deck)
    assert round(100 * chance_of_none(variant, num_wagers), 2) == percent


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_mean_hand(variant: Variant) -> None:
    share = variant.hand_size / len(variant.deck)
    assert sum(card.is_wager for card in variant.deck) * share == pytest.approx(2.0)
    assert sum(card.rank for card in variant.deck) * share == pytest.approx(36.0)


@pytest.mark.parametrize(
    ("variant", "missing", "mean"), [(CLASSIC, 62.2, 4.26), (LONG, 85.9, 4.72)]
)
def test_colors_in_a_hand(variant: Variant, missing: float, mean: float) -> None:
    per_color, num_colors = len(variant.cards_of_a_color), variant.num_colors
    all_there = sum(
        (-1) ** absent * comb(num_colors, absent) * chance_of_none(variant, absent * per_color)
        for absent in range(num_colors + 1)
    )
    assert round(100 * (1 - all_there), 1) == missing
    assert round(num_colors * (1 - chance_of_none(variant, per_color)), 2) == mean


@pytest.mark.parametrize(("variant", "num"), [(CLASSIC, 618_647_405), (LONG, 2_866_353_945)])
def test_number_of_distinct_hands(variant: Variant, num: int) -> None:
    """Multiply one polynomial for each kind of card: 1 + x + ... as often as there are copies."""
    ways = [1] + [0] * variant.hand_size
    for card in set(variant.deck):
        copies = variant.copies_of(card)
        ways = [
            sum(ways[size - taken] for taken in range(min(copies, size) + 1))
            for size in range(len(ways))
        ]
    assert ways[-1] == num


@pytest.mark.parametrize(("variant", "unseen", "percent"), [(CLASSIC, 52, 42.3), (LONG, 64, 43.8)])
def test_unseen_cards_at_the_start(variant: Variant, unseen: int, percent: float) -> None:
    view = deal(variant, Random(1)).observe(0)
    assert len(view.unseen) == unseen
    assert round(100 * view.turns_left(0) / unseen, 1) == percent


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_first_turn_has_at_most_sixteen_choices(variant: Variant) -> None:
    choices = [len(deal(variant, Random(seed)).legal_turns) for seed in range(200)]
    assert max(choices) == 16
    assert min(choices) >= 4


def test_no_rank_one_and_no_more_points_than_54() -> None:
    assert CLASSIC.copies_of(Card(Color.RED, 1)) == 0
    assert sum(CLASSIC.ranks) == 54
