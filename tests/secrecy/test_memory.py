"""What a seat remembers of a round holds nothing that it did not see."""

from random import Random

import pytest

from lostcities.rules import CLASSIC, NO_MEMORY, SEATS, Observation, Position, Seat, Turn, remember


def told(view: Observation) -> str:
    """Return all that is in a view, as text."""
    return "\n".join([repr(view), *map(repr, view.past), *map(repr, view.earlier)])


def round_with_twin(seat: Seat, seed: int) -> tuple[Position, Position, list[Turn]]:
    """Return a deal, one that the seat cannot tell from it, and turns that are legal in both.

    The other side never puts down the card that differs: the lowest of its first hand, and the one
    that it draws first, change places with two cards at the bottom of the deck.
    """
    rng, deal = Random(seed), list(CLASSIC.deck)
    rng.shuffle(deal)
    other_cards = range(1 - seat, 16, 2)  # seat 0 starts and is dealt the first card
    hidden = min(other_cards, key=lambda place: deal[place])
    bottom = len(deal) - 1
    while deal[bottom] == deal[hidden]:
        bottom -= 1
    twin = list(deal)
    twin[hidden], twin[bottom] = deal[bottom], deal[hidden]
    kept = {deal[hidden], deal[bottom]}
    start = position = Position.deal(deal, variant=CLASSIC)
    turns: list[Turn] = []
    while len(position.deck) > 4:
        fair = [
            turn
            for turn in position.legal_turns
            if turn.draw.pile is None
            and (position.mover == seat or turn.card_move.card not in kept)
        ]
        turns.append(rng.choice(fair))
        position = position.after_turn(turns[-1])
    return start, Position.deal(twin, variant=CLASSIC), turns


@pytest.mark.parametrize("seat", SEATS)
def test_rounds_that_a_seat_cannot_tell_apart_are_remembered_alike(seat: Seat) -> None:
    for seed in range(12):
        first, twin, turns = round_with_twin(seat, seed)
        assert first.hands != twin.hands
        one, other = (remember(NO_MEMORY, start, turns) for start in (first, twin))
        assert told(one[seat][0]) == told(other[seat][0])
        # Who held the card remembers it.
        assert told(one[1 - seat][0]) != told(other[1 - seat][0])
