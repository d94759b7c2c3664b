"""The inventory of the deck, the deal, and that no card is ever lost or doubled (H-01)."""

from collections import Counter
from random import Random

import pytest

from lostcities.rules import (
    CLASSIC,
    COLOR_LETTERS,
    LONG,
    MINI,
    RANK_MARKS,
    SMALL,
    TINY,
    WAGER,
    Card,
    Color,
    InvalidPositionError,
    Phase,
    Position,
    Standing,
    Variant,
    other_seat,
    seat_name,
)
from strategies import all_cards, deal, random_move, shuffled


@pytest.mark.parametrize(("variant", "size", "left"), [(CLASSIC, 60, 44), (LONG, 72, 56)])
def test_inventory(variant: Variant, size: int, left: int) -> None:
    assert len(variant.deck) == size
    assert variant.deck_after_deal == left
    assert variant.ranks == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert variant.colors == tuple(Color)[: variant.num_colors]
    for color in variant.colors:
        of_color = [card for card in variant.deck if card.color == color]
        assert [card.rank for card in of_color] == [0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        assert sum(card.rank for card in of_color) == 54
    assert list(variant.deck) == sorted(variant.deck)


@pytest.mark.parametrize(("variant", "size"), [(TINY, 6), (SMALL, 8), (MINI, 12)])
def test_inventory_of_small_variants(variant: Variant, size: int) -> None:
    assert len(variant.deck) == size == variant.num_colors * len(variant.cards_of_a_color)


def test_copies() -> None:
    assert CLASSIC.copies_of(Card(Color.RED, WAGER)) == 3
    assert CLASSIC.copies_of(Card(Color.RED, 10)) == 1
    assert CLASSIC.copies_of(Card(Color.RED, 11)) == 0
    assert CLASSIC.copies_of(Card(Color.PURPLE, 5)) == 0
    assert LONG.copies_of(Card(Color.PURPLE, 5)) == 1


def test_names_of_cards_and_colors() -> None:
    assert COLOR_LETTERS == "YBWGRP"
    assert RANK_MARKS == "x-23456789T"
    assert [color.letter for color in Color] == list("YBWGRP")
    assert [color.word for color in Color] == ["yellow", "blue", "white", "green", "red", "purple"]
    texts = [str(Card(Color.RED, rank)) for rank in (0, 2, 9, 10)]
    assert texts == ["Rx", "R2", "R9", "RT"]
    assert Card(Color.RED, 0).words == "red wager"
    assert Card(Color.GREEN, 10).words == "green 10"
    assert Card(Color.RED, 0).is_wager
    assert not Card(Color.RED, 2).is_wager


def test_seats() -> None:
    assert [other_seat(seat) for seat in (0, 1)] == [1, 0]
    assert [seat_name(seat) for seat in (0, 1)] == ["A", "B"]


@pytest.mark.parametrize("variant", [CLASSIC, LONG, TINY])
@pytest.mark.parametrize("starter", [0, 1])
def test_deal_goes_out_one_at_a_time(variant: Variant, starter: int) -> None:
    cards = shuffled(variant, Random(5))
    standing = Standing(round_number=2, starter=starter, totals=(3, -4))
    start = Position.deal(cards, variant=variant, standing=standing)
    size = variant.hand_size
    assert start.hands[starter] == tuple(sorted(cards[: 2 * size : 2]))
    assert start.hands[1 - starter] == tuple(sorted(cards[1 : 2 * size : 2]))
    assert start.deck == cards[2 * size :]
    assert (start.to_move, start.phase, start.standing) == (starter, Phase.CARD, standing)
    assert not any(start.piles)
    assert not any(start.expeditions[0] + start.expeditions[1])
    assert start.checked() == start


def test_deal_without_standing_is_the_first_round() -> None:
    start = Position.deal(Variant(num_rounds=5).deck, variant=Variant(num_rounds=5))
    assert start.standing == Standing(round_number=1, num_rounds=5, starter=0, totals=(0, 0))


def test_deals_of_other_cards_are_refused() -> None:
    deck = list(CLASSIC.deck)
    for cards, message in (
        (deck[1:], "59 cards in deal, variant 'classic' has 60; missing: Yx"),
        ([*deck, deck[4]], "61 cards in deal, variant 'classic' has 60; extra: Y3"),
        (
            [deck[-1], *deck[1:]],
            "60 cards in deal, variant 'classic' has 60; extra: RT; missing: Yx",
        ),
        (list(LONG.deck), "extra: Px, Px, Px, P2, P3 ..."),
        (deck[:50], "missing: Rx, R2, R3, R4, R5 ..."),
        (deck[5:], "missing: Yx, Yx, Yx, Y2, Y3"),
        (deck[6:], "missing: Yx, Yx, Yx, Y2, Y3 ..."),
    ):
        with pytest.raises(InvalidPositionError) as caught:
            Position.deal(cards)
        assert str(caught.value).endswith(message)


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_random_rounds_lose_no_card(variant: Variant) -> None:
    inventory = Counter(variant.deck)
    for seed in range(120):
        rng = Random(seed)
        position = deal(variant, rng, starter=seed % 2)
        while not position.is_over:
            assert len(position.mover_hand) == 8 - (position.phase is Phase.DRAW)
            position = position.after(random_move(position, rng))
            assert all_cards(position) == inventory
        assert [len(hand) for hand in position.hands] == [8, 8]
        on_table = all_cards(position) - Counter(position.hands[0] + position.hands[1])
        assert on_table.total() == variant.deck_after_deal
