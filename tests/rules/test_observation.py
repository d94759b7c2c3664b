"""What a seat and a spectator may know: contents, cards known in hands, turns left."""

from collections import Counter
from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given

from lostcities.notation import parse_card_move, parse_draw, parse_position, parse_turn
from lostcities.rules import (
    CLASSIC,
    LONG,
    Card,
    Color,
    Discard,
    Draw,
    Observation,
    Phase,
    Play,
    Position,
    PublicObservation,
    Turn,
    Variant,
    WrittenTurn,
    score_expedition,
)
from strategies import deal, play_on, positions, seats


@given(positions(), seats)
def test_view_shows_what_is_public_and_the_own_hand(position: Position, seat: int) -> None:
    view = position.observe(seat)
    assert (view.seat, view.hand) == (seat, position.hands[seat])
    assert view.expeditions == position.expeditions
    assert view.own_expeditions == position.expeditions[seat]
    assert view.other_expeditions == position.expeditions[1 - seat]
    assert view.pile_tops == position.pile_tops
    assert view.pile_sizes == tuple(map(len, position.piles))
    assert view.deck_size == len(position.deck)
    assert view.hand_sizes == (len(position.hands[0]), len(position.hands[1]))
    assert (view.own_known, view.other_known) == (position.known[seat], position.known[1 - seat])
    assert view.is_over == position.is_over
    assert view.scores == position.scores
    assert view.is_own_turn == (position.to_move == seat)
    for side in (0, 1):
        for column, terms in zip(view.expeditions[side], view.expedition_scores[side], strict=True):
            assert terms == score_expedition(column, position.variant)


@given(positions())
def test_spectator_sees_the_public_part_only(position: Position) -> None:
    public = position.observe_publicly()
    assert not isinstance(public, Observation)
    for seat in (0, 1):
        view = position.observe(seat)
        assert view == public.with_hand(seat, position.hands[seat])
        assert all(getattr(view, f.name) == getattr(public, f.name) for f in fields(public))


@given(positions())
def test_piles_are_shown_in_full_or_by_their_top(position: Position) -> None:
    view = position.observe_publicly()
    if position.variant.tabletop_memory:
        assert view.piles == tuple(pile[-1:] for pile in position.piles)
    else:
        assert view.piles == position.piles


def test_names_of_the_fields_hold_no_hidden_card() -> None:
    """A new field is noticed here, so that somebody thinks about who may see it."""
    assert [field.name for field in fields(PublicObservation)] == [
        "variant",
        "hand_sizes",
        "known",
        "expeditions",
        "piles",
        "pile_sizes",
        "deck_size",
        "to_move",
        "phase",
        "just_discarded",
        "num_stalling_turns",
        "standing",
    ]
    assert [field.name for field in fields(Observation)][-4:] == ["seat", "hand", "past", "earlier"]


@given(positions(may_be_over=False), seats)
def test_a_view_with_its_past_is_the_same_view(position: Position, seat: int) -> None:
    """The other side saw where a card came from, and which one only if it lay there for all to see."""
    turn = Turn(Discard(Card(Color.RED, 2)), Draw())
    drawn = WrittenTurn(turn, Card(Color.BLUE, 7))
    taken = WrittenTurn(replace(turn, draw=Draw(Color.BLUE)), Card(Color.BLUE, 7))
    assert [drawn.as_others_saw(), taken.as_others_saw()] == [WrittenTurn(turn), taken]
    view = position.observe(seat)
    remembering = view.with_past([drawn, taken])
    assert remembering == view
    assert (view.past, remembering.past) == ((), (drawn, taken))


def play(position: Position, *turns: str) -> Position:
    for text in turns:
        position = position.after_turn(parse_turn(text).turn)
    return position


WAGERS = parse_position(
    "-/-/-/-/- -/-/-/-/- -/-/-/-/x x2/-/9/23T/46 x3/24/23/5/x "
    "43:Y5B5W5R5BxWxGxRxY8B8W8G8R8R3YTBTWTRTY6B6W6G6BxWxGxY9B9G9R9Y4W4G4Y7B7W7G7R7BxWxGxYxB3R2 "
    "A 1/3,A,0,0"
)


def known(position: Position, seat: int) -> list[str]:
    return [str(card) for card in position.known[seat]]


def test_taken_cards_are_known_until_they_are_put_down() -> None:
    position = play(WAGERS, "R4/R", "-W2/D", "-W9/D", "Y3/W")
    assert known(position, 0) == ["Rx"]
    assert known(position, 1) == ["W9"]
    assert position.observe(0).other_known == position.known[1]
    assert position.observe(1).own_known == position.known[1]
    position = play(position, "-Rx/D", "W9/D")
    assert known(position, 0) == known(position, 1) == []


def test_known_wager_and_unknown_equal_one() -> None:
    """B holds a red wager that nobody has seen and takes another: one of them is known of."""
    position = play(WAGERS, "R4/D", "Y3/R")
    assert known(position, 1) == ["Rx"]
    assert position.hands[1].count(position.known[1][0]) == 2
    staged = position.after_turn(parse_turn("-G2/D").turn).after(parse_card_move("Rx"))
    assert known(staged, 1) == []  # equal cards: whichever it was, none is known of any more
    assert known(staged.after(parse_draw("G")), 1) == ["G2"]


def test_deck_draws_tell_nothing() -> None:
    position = play(WAGERS, "R4/D", "-W2/D", "-W9/D")
    assert position.known == ((), ())
    assert len(position.observe(0).unseen) == 52 - 1 - 1 - 1 - 1


@pytest.mark.parametrize(("variant", "num"), [(CLASSIC, 22), (LONG, 28)])
def test_turns_left(variant: Variant, num: int) -> None:
    start = deal(variant, Random(2))
    assert [start.observe(0).turns_left(seat) for seat in (0, 1)] == [num, num]
    after = start.after(start.legal_moves[0])
    assert [after.observe(1).turns_left(seat) for seat in (0, 1)] == [num, num]
    later = after.after(after.legal_moves[0])
    assert [later.observe(1).turns_left(seat) for seat in (0, 1)] == [num - 1, num]
    over = play_on(start, Random(2), 10_000)
    assert [over.observe(0).turns_left(seat) for seat in (0, 1)] == [0, 0]


@given(positions(), seats)
def test_turns_left_come_true_when_nobody_takes(position: Position, seat: int) -> None:
    expected = position.observe(0).turns_left(seat)
    num_turns = 0
    while not position.is_over:
        num_turns += position.phase is Phase.DRAW and position.mover == seat
        position = position.after(position.legal_moves[0 if position.phase is Phase.DRAW else -1])
    assert num_turns == expected


def test_unseen_cards_with_tabletop_memory() -> None:
    position = replace(WAGERS, variant=Variant(tabletop_memory=True))
    covered = play(position, "-W9/D", "-W2/D")
    view = covered.observe(0)
    assert view.piles[2] == covered.piles[2][-1:]
    assert view.pile_sizes[2] == 2
    hidden = Counter(covered.deck) + Counter(covered.hands[1]) + Counter(covered.piles[2][:1])
    assert view.unseen == tuple(sorted(hidden.elements()))


def test_view_of_the_other_side_judges_no_moves() -> None:
    position = Position.deal(CLASSIC.deck)
    other = position.observe(1)
    assert (other.legal_moves, other.legal_turns) == ((), ())
    for ask in (lambda: other.mover_hand, lambda: other.mover_expeditions):
        with pytest.raises(ValueError, match="expected the view of the side to move"):
            ask()


@given(positions())
def test_a_view_tells_which_piles_are_closed_after_a_card(position: Position) -> None:
    if position.phase is not Phase.CARD:
        return
    view = position.observe(position.mover)
    for card_move in position.legal_moves:
        assert isinstance(card_move, Play | Discard)
        after = position.after(card_move)
        refusals = {color: after.reason_against(Draw(color)) for color in position.variant.colors}
        closed = {color: refusal.code for color, refusal in refusals.items() if refusal}
        assert view.closed_piles_after(card_move) == closed
