"""What a seat remembers of rounds: what it saw itself, up to the last turn that it made."""

from dataclasses import replace
from random import Random

import pytest

from lostcities.rules import (
    CLASSIC,
    MINI,
    NO_MEMORY,
    ONLINE_STALL_LIMIT,
    SEATS,
    Position,
    Seat,
    Standing,
    Turn,
    Variant,
    remember,
    seen_by,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
SMALLEST = replace(MINI, stall_limit=ONLINE_STALL_LIMIT)


def some_round(variant: Variant, seed: int, starter: Seat = 0) -> tuple[Position, list[Turn]]:
    """Return a deal and the turns of a round of random moves."""
    rng, deal = Random(seed), list(variant.deck)
    rng.shuffle(deal)
    standing = Standing(num_rounds=variant.num_rounds, starter=starter)
    start = position = Position.deal(deal, variant=variant, standing=standing)
    turns = []
    while not position.is_over:
        turns.append(rng.choice(position.legal_turns))
        position = position.after_turn(turns[-1])
    return start, turns


@pytest.mark.parametrize("variant", [GUARDED, SMALLEST], ids=["five", "mini"])
@pytest.mark.parametrize("starter", SEATS)
def test_each_seat_keeps_its_view_before_the_last_turn_that_it_made(
    variant: Variant, starter: Seat
) -> None:
    for seed in range(8):
        start, turns = some_round(variant, seed, starter)
        memory = remember(NO_MEMORY, start, turns)
        for seat in SEATS:
            (view,) = memory[seat]
            number = len(turns) - 1
            if (starter + number) % 2 != seat:
                number -= 1
            position = start
            for turn in turns[:number]:
                position = position.after_turn(turn)
            assert view == position.observe(seat)
            assert view.is_own_turn
            assert [written.turn for written in view.past] == turns[:number]
            assert view.earlier == ()


@pytest.mark.parametrize("seat", SEATS)
def test_what_the_other_side_drew_from_the_deck_is_not_in_it(seat: Seat) -> None:
    start, turns = some_round(GUARDED, 3)
    position = start
    for written in seen_by(seat, start, turns):
        drawn = position.after(written.turn.card_move).card_drawn_by(written.turn.draw)
        is_hidden = position.mover != seat and written.turn.draw.pile is None
        assert written.drawn == (None if is_hidden else drawn)
        position = position.after_turn(written.turn)
    assert position.is_over


def test_rounds_are_remembered_in_order() -> None:
    rounds = [some_round(SMALLEST, seed, seed % 2) for seed in range(3)]
    memory = NO_MEMORY
    for start, turns in rounds:
        memory = remember(memory, start, turns)
    for seat in SEATS:
        assert len(memory[seat]) == 3
        for view, (start, turns) in zip(memory[seat], rounds, strict=True):
            assert view in remember(NO_MEMORY, start, turns)[seat]


def test_a_seat_that_made_no_turn_saw_nothing_to_choose_by() -> None:
    start, turns = some_round(GUARDED, 3)
    memory = remember(NO_MEMORY, start, turns[:1])
    assert [len(views) for views in memory] == [1, 0]
    assert remember(NO_MEMORY, start, []) == NO_MEMORY


def test_a_view_with_its_memory_is_the_same_view() -> None:
    start, turns = some_round(GUARDED, 3)
    view = start.observe(0)
    remembering = view.with_earlier(remember(NO_MEMORY, start, turns)[0])
    assert len(remembering.earlier) == 1
    assert remembering == view
    assert repr(remembering) == repr(view)
