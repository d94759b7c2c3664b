"""Actions and moves, worlds, and what the bridge refuses."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kernel.walking import VARIANTS, start, walk
from lostcities.kernel.bridge import (
    action_of,
    card_of,
    move_of,
    pack,
    pack_observation,
    pack_world,
    type_of,
    unpack,
)
from lostcities.kernel.layout import MAX_CARDS, card_types, new_row, num_actions, read_variant
from lostcities.kernel.streams import to_word
from lostcities.kernel.worlds import reshuffle
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    SEATS,
    SMALL,
    Card,
    Color,
    Discard,
    Draw,
    InvalidPositionError,
    Play,
    Position,
    Standing,
    Variant,
    other_seat,
)


def _positions(name: str) -> list[Position]:
    rng = random.Random(f"worlds of {name}")
    game = walk(start(VARIANTS[name], rng), rng, 120)
    return [before.after(move) for before, move in game][::9]


def test_actions_are_numbered_as_agreed() -> None:
    assert (num_actions(CLASSIC), num_actions(LONG)) == (106, 127)
    red_ten = Card(Color.RED, 10)
    assert action_of(Play(Card(Color.YELLOW, 0)), CLASSIC) == 0
    assert action_of(Play(red_ten), CLASSIC) == 49
    assert action_of(Discard(red_ten), CLASSIC) == 99
    assert action_of(DECK, CLASSIC) == 100
    assert action_of(Draw(Color.RED), CLASSIC) == 105
    assert action_of(Draw(Color.PURPLE), LONG) == 126


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_every_action_is_a_move(variant: Variant) -> None:
    moves = [move_of(action, variant) for action in range(num_actions(variant))]
    assert [action_of(move, variant) for move in moves] == list(range(num_actions(variant)))
    assert [card_of(type_of(card)) for card in variant.deck] == list(variant.deck)


def test_what_is_not_of_this_game_is_refused() -> None:
    with pytest.raises(ValueError, match="expected an action from 0 to 105, got 106"):
        move_of(106, CLASSIC)
    with pytest.raises(ValueError, match="expected an action with a card of this game, got 9"):
        move_of(9, SMALL)
    with pytest.raises(ValueError, match="expected a card of this game, got P2"):
        action_of(Play(Card(Color.PURPLE, 2)), CLASSIC)
    with pytest.raises(ValueError, match="expected a pile of this game, got purple"):
        action_of(Draw(Color.PURPLE), CLASSIC)


def test_a_row_carries_its_variant() -> None:
    for variant in VARIANTS.values():
        assert read_variant(new_row(variant)) == variant


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="expected stall_limit below 4294967295"):
        new_row(replace(CLASSIC, stall_limit=2**32))
    with pytest.raises(ValueError, match="expected total"):
        new_row(CLASSIC, Standing(totals=(2**26, 0)))
    position = replace(start(CLASSIC, random.Random(1)), num_stalling_turns=2**32)
    with pytest.raises(ValueError, match="expected num_stalling_turns"):
        pack(position)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_world_is_what_a_seat_sees_and_what_is_put_in(name: str) -> None:
    for position in _positions(name):
        for seat in SEATS:
            seen = position.observe(seat)
            hidden = [pile[:-1] for pile in position.piles]
            row = pack_world(
                seen,
                position.hands[other_seat(seat)],
                position.deck,
                buried=hidden if position.variant.tabletop_memory else None,
            )
            assert unpack(row) == position
            assert unpack(pack_observation(seen)).checked().observe(seat) == seen


def test_worlds_that_do_not_fit_are_refused() -> None:
    position = _positions("tabletop")[-1]
    seen, hand, deck = position.observe(0), position.hands[1], position.deck
    buried = [pile[:-1] for pile in position.piles]
    with pytest.raises(ValueError, match="cards in the deck, got 1"):
        pack_world(seen, hand, deck[:1], buried=buried)
    with pytest.raises(ValueError, match="buried cards by colour"):
        pack_world(seen, hand, deck)
    with pytest.raises(InvalidPositionError):
        pack_world(seen, (*hand[1:], position.hands[0][0]), deck, buried=buried)


@pytest.mark.parametrize("name", VARIANTS)
def test_reshuffled_worlds_look_the_same_to_the_seat(name: str) -> None:
    room = np.zeros(MAX_CARDS, np.uint8)
    for number, position in enumerate(_positions(name)):
        for seat in SEATS:
            row = pack(position)
            reshuffle(row, seat, to_word(number), room)
            world = unpack(row).checked()
            assert world.observe(seat) == position.observe(seat)
            assert (row == pack(world)).all()


def test_every_unseen_card_is_equally_likely_in_the_other_hand() -> None:
    position = start(SMALL, random.Random(4))
    room, stream = np.zeros(MAX_CARDS, np.uint8), to_word(7)
    counts: Counter[Card] = Counter()
    row = pack_observation(position.observe(0))
    for _ in range(3000):
        stream = to_word(reshuffle(row, 0, stream, room))
        counts.update(unpack(row).hands[1])
    assert set(counts) == set(position.observe(0).unseen)
    assert all(abs(count - 1000) < 130 for count in counts.values())  # 2 of 6, five deviations


def test_card_types_are_the_sorted_deck() -> None:
    for variant in VARIANTS.values():
        assert card_types(variant).tolist() == [type_of(card) for card in variant.deck]
