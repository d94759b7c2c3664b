"""Positions in one line: reading undoes writing, and every fault has its sentence."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import (
    NotationError,
    format_observation,
    format_position,
    parse_observation,
    parse_position,
    parse_view,
)
from lostcities.rules import (
    CLASSIC,
    LONG,
    SEATS,
    Card,
    Color,
    InvalidPositionError,
    LostCitiesError,
    Observation,
    Position,
    PublicObservation,
    Variant,
)
from strategies import deal, play_on, positions, seats

END = (
    "x379T/-/x3589T/468/x23679 -/678T/-/79T/- xx4/x2x4/2x/x523x/xx4 256/x35/x4/-/- "
    "8/9/67/x/58T 0 # 1/3,A,60,17"
)
SEEN = "-/-/-/-/- -/-/-/-/- -/-/-/-/- x379/-/-/68/x3 ?8 44 A 1/3,A,0,0"


@given(positions())
def test_position(position: Position) -> None:
    """A line says neither how long the sides have stalled nor what they know of each other."""
    told = replace(position, num_stalling_turns=0, known=((), ()))
    line = format_position(position)
    assert "\n" not in line
    assert len(line.split()) == 8
    assert parse_position(line, position.variant) == told
    assert parse_view(line, position.variant) == told
    assert format_position(told) == line


@given(positions())
def test_with_its_memory_a_line_says_everything(position: Position) -> None:
    line = format_position(position, with_memory=True)
    assert len(line.split()) == 9
    assert parse_position(line, position.variant) == position
    for seat in SEATS:
        view = position.observe(seat)
        shown = format_observation(view, with_memory=True)
        assert parse_observation(shown, position.variant) == view
    public = position.observe_publicly()
    shown = format_observation(public, with_memory=True)
    assert parse_observation(shown, position.variant) == public


def test_the_memory_in_figures() -> None:
    view = parse_observation(f"{SEEN} 11,x/-/-/-/3")
    assert view.num_stalling_turns == 11
    assert isinstance(view, Observation)
    assert [str(card) for card in view.own_known] == ["Yx", "R3"]
    public = parse_observation(" ".join([*SEEN.split()[:3], "?8 ?7:x/-/-/-/- 44 A 1/3,A,0,0 2"]))
    assert public.num_stalling_turns == 2
    assert parse_position(f"{END} 0,2/-/-/-/-,-/-/-/-/-").known[0] == (Card(Color.YELLOW, 2),)


@given(positions(st.sampled_from((CLASSIC, LONG))))
def test_variant_is_found_from_the_slots(position: Position) -> None:
    read = parse_position(format_position(position))
    assert read.variant == position.variant


@given(positions(), seats)
def test_observation(position: Position, seat: int) -> None:
    view = replace(position.observe(seat), num_stalling_turns=0)
    line = format_observation(view)
    told = replace(view, known=((), view.known[1]) if seat == 0 else (view.known[0], ()))
    assert parse_observation(line, position.variant) == told
    assert parse_view(line, position.variant) == told


@given(positions())
def test_public_observation(position: Position) -> None:
    view = replace(position.observe_publicly(), num_stalling_turns=0)
    read = parse_observation(format_observation(view), position.variant)
    assert type(read) is PublicObservation
    assert read == view


def test_examples() -> None:
    end = parse_position(END)
    assert (end.is_over, end.scores, end.standing.totals) == (True, (60, 17), (60, 17))
    view = parse_observation(SEEN)
    assert isinstance(view, Observation)
    assert (view.seat, view.deck_size, len(view.hand), len(view.unseen)) == (0, 44, 8, 52)
    assert format_observation(view) == SEEN


def test_lenient_ranks() -> None:
    assert parse_position(END.replace("T", "10").replace("x", "H", 3)) == parse_position(END)
    assert parse_position(f"\t {END.replace(' ', '   ')}\n") == parse_position(END)


def test_known_cards_of_the_other_hand() -> None:
    line = SEEN.replace("?8", "?6:x/-/-/-/5")
    view = parse_observation(line)
    assert isinstance(view, Observation)
    assert [str(card) for card in view.other_known] == ["Yx", "R5"]
    assert format_observation(view) == line


def test_hidden_cards_of_piles() -> None:
    line = "-/-/-/-/- -/-/-/-/- ??5/?x/2/-/- 34/-/-/68/x39T ?8 38 A 1/3,A,0,0"
    view = parse_observation(line)
    assert view.variant.tabletop_memory
    assert view.pile_sizes == (3, 2, 1, 0, 0)
    assert [str(pile[-1]) for pile in view.piles if pile] == ["Y5", "Bx", "W2"]
    assert isinstance(view, Observation)
    assert len(view.unseen) == 38 + 8 + 3
    assert format_observation(view) == line


def changed(line: str, index: int, field: str) -> str:
    fields = line.split()
    fields[index] = field
    return " ".join(fields)


FAULTS = [
    ("", "expected a position of 8 fields (expeditions of A, expeditions of B, piles, hand of A, hand of B, deck, turn, match), got nothing"),
    (END[:-13], "expected a position of 8 fields"),
    (END + " x", "expected a position of 8 fields"),
    (END + " " * 2000, "expected a position of 8 fields"),
    (changed(END, 0, "-/-/-"), "expected 5 or 6 slots in the expeditions of A, got 3"),
    (changed(END, 1, "-/-/-"), "expected 5 slots in the expeditions of B, got 3: '-/-/-'"),
    (changed(END, 2, "-/-/-/-/-/-"), "expected 5 slots in the piles, got 6: '-/-/-/-/-/-'"),
    (changed(END, 3, "256"), "expected 5 slots in the hand of A, got 1: '256'"),
    (changed(END, 1, "-/61/-/-/-"), "expected ranks (x 2 to 9 T) or '-' in the blue slot of the expeditions of B, got '61'"),
    (changed(END, 1, "-/6-/-/-/-"), "expected ranks (x 2 to 9 T) or '-' in the blue slot of the expeditions of B, got '6-'"),
    (changed(END, 1, "-//-/-/-"), "expected ranks (x 2 to 9 T) or '-' in the blue slot of the expeditions of B, got nothing"),
    (changed(END, 2, "-/?/-/-/-"), "expected ranks (x 2 to 9 T) or '-' in the blue slot of the piles, got '?'"),
    (changed(END, 4, "?x"), "expected 5 slots in the hand of B, got 1: '?x'"),
    (changed(END, 4, "?2:x"), "expected 5 slots in the hand of B, got 1: 'x'"),
    (changed(END, 5, "-1"), "expected the number of cards in the deck, like '44' or '2:B9WT', got '-1'"),
    (changed(END, 5, "2:B9"), "expected 2 cards in the deck, got 1"),
    (changed(END, 5, "1:B1"), "expected a card like 'R7', 'Bx' or 'YT', got 'B1'"),
    (changed(END, 5, "2"), "expected the 2 cards of the deck written out behind a colon, since both hands are known, got only their number"),
    (changed(END, 6, "C"), "expected a turn like 'A', 'A*', 'A*W' or '#', got 'C'"),
    (changed(END, 6, "A*D"), "expected a turn like 'A', 'A*', 'A*W' or '#', got 'A*D'"),
    (changed(END, 7, "1/3,A,60"), "expected a match like '1/3,A,0,0' (round/rounds,starter,total A,total B), got '1/3,A,60'"),
    (changed(END, 7, "0/3,A,0,0"), "expected a match like"),
    (changed(END, 7, "1/10,A,0,0"), "expected a match like"),
    (changed(END, 2, "?x4/x2x4/2x/x523x/xx4"), "expected the piles written out, since both hands are known, got hidden cards"),
    (f"{SEEN} 1", "expected a ninth field with the stall count and the known cards of each hand that is written out, 1 here, got '1'"),
    (f"{END} 0,-/-/-/-/-", "expected a ninth field with the stall count and the known cards of each hand that is written out, 2 here, got '0,-/-/-/-/-'"),
    (f"{SEEN} x,-/-/-/-/-", "expected a position of 8 fields, or a ninth like '2,x/-/-/-/5', got 'x,-/-/-/-/-'"),
    (f"{SEEN} 0,-/-/-/-/- 1", "expected a position of 8 fields (expeditions of A"),
    (f"{SEEN} 0,-/-/-", "expected 5 slots in the memory, got 3: '-/-/-'"),
    (f"{SEEN} 0,-/-/-/-/1", "expected ranks (x 2 to 9 T) or '-' in the red slot of the memory, got '1'"),
    (changed(SEEN, 5, "44:R5"), "expected 44 cards in the deck, got 1"),
    (changed(SEEN, 5, "1:R5"), "expected only the number of cards in the deck, since a hand is unknown, got its cards"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), FAULTS)
def test_fault(line: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_view(line)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


IMPOSSIBLE = [
    (changed(END, 6, "A"), "0 cards in the deck, but the round is not over"),
    (changed(END, 3, "256/x35/x4/-/x"), "expected 8 cards in hand A, got 9"),
    (changed(END, 7, "3/2,A,0,0"), "expected a round from 1 to 2, got 3"),
    (changed(SEEN, 5, "43"), "expected 44 cards in the deck, which is what the rest leaves, got 43"),
    (changed(SEEN, 4, "?9"), "expected 43 cards in the deck, which is what the rest leaves, got 44"),
    (changed(SEEN, 4, "?7"), "expected 45 cards in the deck, which is what the rest leaves, got 44"),
    (changed(SEEN, 4, "?6:-/-/-/-/34"), "expected 45 cards in the deck, which is what the rest leaves, got 44"),
    (f"{SEEN} 0,2/-/-/-/-", "known cards of A are not all in the hand: Y2"),
    (changed(SEEN, 6, "A*W"), "the white pile is closed by a discard, but no card lies there"),
    (changed(SEEN, 6, "B*P"), "the purple pile is closed by a discard, but no card lies there"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), IMPOSSIBLE)
def test_impossible(line: str, message: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        parse_view(line)
    assert str(caught.value) == message


def test_wrong_kind_of_line() -> None:
    with pytest.raises(
        NotationError, match="expected a full position with both hands and the deck"
    ):
        parse_position(SEEN)
    with pytest.raises(NotationError, match="expected a position with an unknown hand like"):
        parse_observation(END)


@given(positions(), st.integers(0, 10_000), st.sampled_from(" -/?x259TA#*:,R1\n|\u00e9"))
def test_changed_lines_are_read_or_refused(position: Position, at: int, mark: str) -> None:
    for line in (format_position(position), format_observation(position.observe(0))):
        place = at % (len(line) + 1)
        for other in (
            line[:place] + mark + line[place:],
            line[:place] + mark + line[place + 1 :],
            line[:place] + line[place + 1 :],
            line[:place],
        ):
            try:
                view = parse_view(other, position.variant)
            except LostCitiesError as error:
                assert "\n" not in str(error)  # noqa: PT017 # nearly all raise
            else:
                assert isinstance(view, Position | PublicObservation)


def test_line_of_another_variant() -> None:
    variant = Variant(num_colors=2, highest_rank=4, wagers_per_color=1, hand_size=2)
    position = play_on(deal(variant, Random(1)), Random(1), 4)
    line = format_position(position)
    assert parse_position(line, variant).hands == position.hands
    with pytest.raises(NotationError, match="expected 5 or 6 slots"):
        parse_position(line)
