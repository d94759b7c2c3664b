"""Positions that no game can have are refused with the reason."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from lostcities.notation import parse_cards
from lostcities.rules import (
    CLASSIC,
    Color,
    InvalidPositionError,
    Phase,
    Position,
    Standing,
)
from strategies import deal, play_on, positions

START = deal(CLASSIC, Random(4))
MIDDLE = play_on(START, Random(4), 60)
OVER = play_on(START, Random(4), 10_000)
NOTHING: tuple[Any, ...] = ((),) * 5


def refusal(position: Position, **changes: object) -> str:
    with pytest.raises(InvalidPositionError) as caught:
        replace(position, **changes).checked()  # type: ignore[arg-type] # wrong on purpose
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_columns_are_one_for_each_color() -> None:
    assert refusal(START, piles=((),) * 6) == "expected 5 piles, one for each colour, got 6"
    expeditions = (NOTHING, ((),) * 4)
    assert refusal(START, expeditions=expeditions) == (
        "expected 5 expeditions, one for each colour, got 4"
    )


def test_cards_lie_under_their_color() -> None:
    piles = (parse_cards("R5"), (), (), (), ())
    assert refusal(START, piles=piles) == "R5 lies in the yellow pile"
    expeditions = (NOTHING, ((), (), (), parse_cards("G2Y3"), ()))
    assert refusal(START, expeditions=expeditions) == "Y3 lies in the green expedition"


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ("R5R4", "R4 cannot follow R5"),
        ("R5Rx", "Rx cannot follow R5"),
        ("R5R5", "R5 cannot follow R5"),
        ("RxR2R2", "R2 cannot follow R2"),
    ],
)
def test_expeditions_rise(ranks: str, message: str) -> None:
    expeditions = (NOTHING, (*NOTHING[:4], parse_cards(ranks)))
    assert refusal(START, expeditions=expeditions) == (
        f"{message} in an expedition, which only rises"
    )


def test_round_is_over_exactly_without_a_deck() -> None:
    assert refusal(START, phase=Phase.OVER, to_move=None) == (
        "44 cards in the deck, but the round is over"
    )
    assert refusal(START, deck=()) == "0 cards in the deck, but the round is not over"
    assert refusal(START, to_move=None) == "somebody is to move exactly while the round is not over"
    assert refusal(OVER, to_move=1) == "somebody is to move exactly while the round is not over"


def test_closed_pile_needs_a_draw_and_a_card() -> None:
    closed = {"just_discarded": Color.WHITE}
    assert refusal(START, **closed) == "a pile is closed, but no draw is due"
    drawing = replace(START, phase=Phase.DRAW)
    empty = "the white pile is closed by a discard, but no card lies there"
    assert refusal(drawing, **closed) == empty
    assert refusal(drawing, just_discarded=Color.PURPLE) == empty.replace("white", "purple")


@pytest.mark.parametrize("number", [0, 4, -1])
def test_round_belongs_to_its_match(number: int) -> None:
    assert refusal(START, standing=Standing(number, 3)) == (
        f"expected a round from 1 to 3, got {number}"
    )


@pytest.mark.parametrize("of", [1, 9, 0])
def test_match_is_as_long_as_the_variant_says(of: int) -> None:
    assert refusal(START, standing=Standing(1, of)) == (
        f"expected a match of 3 rounds, got one of {of}"
    )


@pytest.mark.parametrize("starter", [2, -1])
def test_starter_is_a_seat(starter: int) -> None:
    assert refusal(START, standing=Standing(1, 3, starter)) == (
        f"expected seat 0 or 1 to start, got {starter}"
    )


@pytest.mark.parametrize("count", [-1, -3])
def test_stalling_turns_are_not_negative(count: int) -> None:
    assert refusal(START, num_stalling_turns=count) == (
        f"expected 0 or more stalling turns, got {count}"
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_any_round_of_a_match_will_do(number: int) -> None:
    standing = Standing(number, 3)
    assert replace(START, standing=standing).checked().standing == standing


def test_nobody_has_points_before_the_first_round() -> None:
    with pytest.raises(InvalidPositionError, match="expected totals of 0 and 0 before round 1"):
        Position.deal(CLASSIC.deck, standing=Standing(1, 3, 0, (5, 0)))


@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_else_observes(seat: int) -> None:
    with pytest.raises(ValueError, match="expected seat 0 or 1"):
        START.observe(seat)


def test_hands_have_their_size() -> None:
    hands = (START.hands[0][1:], START.hands[1])
    assert refusal(START, hands=hands) == "expected 8 cards in hand A, got 7"
    drawing = replace(START, phase=Phase.DRAW)
    assert refusal(drawing) == "expected 7 cards in hand A, got 8"
    hands = (START.hands[0], START.hands[1] + START.deck[:1])
    assert refusal(START, hands=hands) == "expected 8 cards in hand B, got 9"


def test_known_cards_are_in_the_hand() -> None:
    card = START.hands[1][0]
    assert card not in START.hands[0]
    assert refusal(START, known=((card,), ())) == (
        f"known cards of A are not all in the hand: {card}"
    )
    known = ((), (card, *START.hands[1]))
    assert refusal(START, known=known).startswith("known cards of B are not all in the hand: ")


def test_every_card_is_there_once() -> None:
    message = refusal(START, deck=START.deck[1:])
    assert message == (f"59 cards in position, variant 'classic' has 60; missing: {START.deck[0]}")
    doubled = (*START.deck[:-1], START.deck[0])
    card, lost = START.deck[0], START.deck[-1]
    expected = f"60 cards in position, variant 'classic' has 60; extra: {card}; missing: {lost}"
    assert refusal(START, deck=doubled) == expected


def test_checking_sorts_hands() -> None:
    hands = (START.hands[0][::-1], START.hands[1][::-1])
    known = (START.hands[0][:3][::-1], START.hands[1][2:5][::-1])
    position = replace(START, hands=hands, known=known).checked()
    assert position.hands == START.hands
    assert position.known == (START.hands[0][:3], START.hands[1][2:5])


@given(positions())
def test_played_positions_are_fine(position: Position) -> None:
    assert position.checked() == position


def test_middle_is_a_middle() -> None:
    assert any(MIDDLE.piles)
    assert not MIDDLE.is_over
    assert OVER.is_over
