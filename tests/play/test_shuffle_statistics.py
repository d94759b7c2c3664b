"""Deals look like chance. Fixed secrets: the outcome is the same on every run.

Each figure is compared with its exact mean and variance. Beyond six standard
deviations a fair dealer lies less than twice in a million figures (for the
chi-square of 59 degrees of freedom; for the others twice in a billion), so a
failure means a bias and not bad luck. The same figures find well-known bad dealers.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import sqrt
from typing import Final

import pytest

from lostcities.play import Secret
from lostcities.play.fairness import deal_of_round, lot_of_round, shuffle
from lostcities.rules import CLASSIC, Card, Cards, Color

# Sixty cards that all differ, so that no copies have to be told apart.
DISTINCT: Final = tuple(Card(color, rank) for color in Color for rank in (0, *range(2, 11)))
NUM_CARDS: Final = len(DISTINCT)
NUM_DEALS: Final = 3000
MOST: Final = 6.0
Dealer = Callable[[Cards, Iterator[int]], Cards]
Orders = list[list[int]]


def words_of(number: int) -> Iterator[int]:
    return Secret(number.to_bytes(32, "big")).stream("statistics")


def orders_of(dealer: Dealer) -> Orders:
    index = {card: place for place, card in enumerate(DISTINCT)}
    return [
        [index[card] for card in dealer(DISTINCT, words_of(number))] for number in range(NUM_DEALS)
    ]


def naive(cards: Cards, words: Iterator[int]) -> Cards:
    """Exchange each place with any place: a famous mistake."""
    order = list(cards)
    for place in range(len(order)):
        chosen = next(words) % len(order)
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


def sattolo(cards: Cards, words: Iterator[int]) -> Cards:
    """Never leave a card where it is: another famous mistake."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = next(words) % last
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def coarse(cards: Cards, words: Iterator[int]) -> Cards:
    """Use the remainder of seven bits, as if no word had to be skipped."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = (next(words) % 128) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def one_riffle(cards: Cards, words: Iterator[int]) -> Cards:
    """Shuffle as people do, once."""
    halves = [list(cards[: len(cards) // 2]), list(cards[len(cards) // 2 :])]
    order: list[Card] = []
    while halves[0] and halves[1]:
        order.append(halves[next(words) % 2].pop(0))
    return (*order, *halves[0], *halves[1])


def excess_of_places(orders: Orders) -> float:
    """Compare how often each card lies in each place (Pearson's chi-square, scaled).

    The table is a sum of permutation matrices, so chi-square times (n-1)/n
    has (n-1)^2 degrees of freedom.
    """
    counts = Counter((place, card) for order in orders for place, card in enumerate(order))
    mean = len(orders) / NUM_CARDS
    cells = ((place, card) for place in range(NUM_CARDS) for card in range(NUM_CARDS))
    chi_square = sum((counts[cell] - mean) ** 2 / mean for cell in cells)
    freedom = (NUM_CARDS - 1) ** 2
    return (chi_square * (NUM_CARDS - 1) / NUM_CARDS - freedom) / sqrt(2 * freedom)


def excess_of_first_cards(orders: Orders) -> float:
    """Compare how often each card is dealt first."""
    counts = Counter(order[0] for order in orders)
    mean = len(orders) / NUM_CARDS
    chi_square = sum((counts[card] - mean) ** 2 / mean for card in range(NUM_CARDS))
    freedom = NUM_CARDS - 1
    return (chi_square - freedom) / sqrt(2 * freedom)


def excess_of_ascents(orders: Orders) -> float:
    """Compare how often a card follows a lower one: mean (n-1)/2, variance (n+1)/12 (Euler)."""
    ascents = sum(before < after for order in orders for before, after in pairwise(order))
    mean, variance = (NUM_CARDS - 1) / 2, (NUM_CARDS + 1) / 12
    return (ascents - len(orders) * mean) / sqrt(len(orders) * variance)


def excess_of_meetings(orders: Orders) -> float:
    """Compare how often a card lies where it lay in the deal before: mean 1, variance 1."""
    meetings = sum(
        before == after
        for first, second in pairwise(orders)
        for before, after in zip(first, second, strict=True)
    )
    num_pairs = len(orders) - 1
    return (meetings - num_pairs) / sqrt(num_pairs)


def excess_of_cards_that_stay(orders: Orders) -> float:
    """Compare how many cards lie where they lay in the sorted deck: mean 1, variance 1."""
    stays = sum(place == card for order in orders for place, card in enumerate(order))
    return (stays - len(orders)) / sqrt(len(orders))


FIGURES = [
    excess_of_places,
    excess_of_first_cards,
    excess_of_ascents,
    excess_of_meetings,
    excess_of_cards_that_stay,
]


@pytest.fixture(scope="module")
def fair_orders() -> Orders:
    return orders_of(shuffle)


@pytest.mark.parametrize("figure", FIGURES)
def test_the_dealer_is_not_told_from_chance(
    figure: Callable[[Orders], float], fair_orders: Orders
) -> None:
    assert abs(figure(fair_orders)) < MOST


@pytest.mark.parametrize(
    ("dealer", "figure"),
    [
        (naive, excess_of_places),
        (coarse, excess_of_places),
        (sattolo, excess_of_cards_that_stay),
        (one_riffle, excess_of_ascents),
        (one_riffle, excess_of_first_cards),
        (one_riffle, excess_of_meetings),
    ],
)
def test_a_bad_dealer_is_found(dealer: Dealer, figure: Callable[[Orders], float]) -> None:
    assert abs(figure(orders_of(dealer))) > MOST


def deals_of_rounds() -> list[tuple[Cards, ...]]:
    return [
        tuple(
            deal_of_round(
                Secret(number.to_bytes(32, "big")),
                match_id="statistics",
                round_number=round_number,
                entropy=(b"", b""),
                variant=CLASSIC,
            )
            for round_number in (1, 2)
        )
        for number in range(1500)
    ]


def test_the_rounds_of_a_match_have_nothing_to_do_with_each_other() -> None:
    """Count the places with the same card in both rounds; wagers have equal copies."""
    meetings = sum(
        first == second for deals in deals_of_rounds() for first, second in zip(*deals, strict=True)
    )
    copies = Counter(CLASSIC.deck).values()
    mean = 1500 * sum(number**2 for number in copies) / 60
    # The variance of a permutation statistic (Hoeffding 1951), with equal copies as matches.
    squares, cubes = sum(n**2 for n in copies), sum(n**3 for n in copies)
    variance = 1500 * (60**2 * squares - 2 * 60 * cubes + squares**2) / (60**2 * 59)
    assert abs(meetings - mean) < MOST * sqrt(variance)


def test_the_lot_falls_on_both_seats_alike() -> None:
    num_lots = 4000
    lots = [
        lot_of_round(
            Secret(number.to_bytes(32, "big")),
            match_id="statistics",
            round_number=1 + number % 3,
            entropy=(b"", b""),
        )
        for number in range(num_lots)
    ]
    assert abs(sum(lots) - num_lots / 2) < MOST * sqrt(num_lots) / 2
    repeats = sum(before == after for before, after in pairwise(lots))
    assert abs(repeats - num_lots / 2) < MOST * sqrt(num_lots) / 2
