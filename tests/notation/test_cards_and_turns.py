"""Cards, turns and their halves: reading undoes writing, and nothing else is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import (
    NotationError,
    format_card,
    format_card_move,
    format_cards,
    format_draw,
    format_turn,
    parse_card,
    parse_card_move,
    parse_cards,
    parse_draw,
    parse_turn,
)
from lostcities.rules import DECK, Card, CardMove, Color, Discard, Draw, Play, Turn, WrittenTurn
from strategies import ALL_CARD_MOVES, ALL_CARDS, ALL_DRAWS, cards

card_moves = st.sampled_from(ALL_CARD_MOVES)
draws = st.sampled_from(ALL_DRAWS)


@pytest.mark.parametrize("card", ALL_CARDS, ids=str)
def test_card(card: Card) -> None:
    text = format_card(card)
    assert len(text) == 2
    assert parse_card(text) == card


@pytest.mark.parametrize(
    ("text", "card"), [("R10", "RT"), ("BX", "Bx"), ("BH", "Bx"), ("P10", "PT"), ("W9", "W9")]
)
def test_lenient_cards(text: str, card: str) -> None:
    assert format_card(parse_card(text)) == card
    assert format_turn(parse_turn(f"-{text}/D={text}").turn) == f"-{card}/D"


NO_CARDS = [
    "",
    "R",
    "R1",
    "R0",
    "R11",
    "RA",
    "r5",
    "K5",
    "R5 ",
    " R5",
    "R5R6",
    "R-",
    "Rt",
    "R 5",
    "５R",
    "R５",
    "R5\n",
]


@pytest.mark.parametrize("text", NO_CARDS)
def test_no_card(text: str) -> None:
    got = repr(text) if text else "nothing"
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert str(caught.value) == f"expected a card like 'R7', 'Bx' or 'YT', got {got}"
    assert caught.value.place is None


@given(st.lists(cards))
def test_cards_side_by_side(some: list[Card]) -> None:
    assert parse_cards(format_cards(some)) == tuple(some)
    assert parse_cards(" ".join(map(str, some))) == tuple(some)
    assert parse_cards(f"\n{'  '.join(map(str, some))}\t") == tuple(some)


@pytest.mark.parametrize(
    ("text", "got"), [("R5R1", "'R1'"), ("R5,R6", "',R6'"), ("R5 r6R7", "'r6R'"), ("5", "'5'")]
)
def test_no_cards_side_by_side(text: str, got: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards(text)
    assert str(caught.value) == f"expected a card like 'R7', 'Bx' or 'YT', got {got}"


@pytest.mark.parametrize("move", ALL_CARD_MOVES, ids=str)
def test_card_move(move: CardMove) -> None:
    assert parse_card_move(format_card_move(move)) == move


@pytest.mark.parametrize("draw", ALL_DRAWS, ids=str)
def test_draw(draw: Draw) -> None:
    assert parse_draw(format_draw(draw)) == draw


@given(card_moves, draws, st.none() | cards)
def test_turn(card_move: CardMove, draw: Draw, drawn: Card | None) -> None:
    turn = Turn(card_move, draw)
    text = format_turn(turn, drawn)
    if draw.pile is not None and drawn is not None and drawn.color != draw.pile:
        with pytest.raises(NotationError, match=f"expected a {draw.pile.word} card from the"):
            parse_turn(text)
    else:
        assert parse_turn(text) == WrittenTurn(turn, drawn)


def test_examples() -> None:
    red_4 = parse_card("R4")
    assert parse_turn("R4/D") == WrittenTurn(Turn(Play(red_4)))
    assert parse_turn("-W9/D=G6").turn == Turn(Discard(parse_card("W9")), DECK)
    assert parse_turn("-W9/D=G6").drawn == parse_card("G6")
    assert parse_turn("B7/Y=Y5").turn.draw == Draw(Color.YELLOW)


NO_TURNS = ["", "R4", "K4/D", "R1/D", "R11/D", "--R4/D", "D/R4", "R4/", "R4/Q", "R4/D=", "R4/D=G",
            "R4/D=G6G7", "R4/DD", "R4 /D", "r4/D", "R4/d", "R4/D ", "+R4/D", "R4-D", "R4/R4"]  # fmt: skip


@pytest.mark.parametrize("text", NO_TURNS)
def test_no_turn(text: str) -> None:
    got = repr(text) if text else "nothing"
    with pytest.raises(NotationError) as caught:
        parse_turn(text)
    assert str(caught.value) == f"expected a turn like 'R4/D', '-W9/D=G6' or 'B7/Y', got {got}"


def test_wrong_color_from_a_pile() -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn("B7/Y=R5")
    assert str(caught.value) == "expected a yellow card from the yellow pile, got R5"


@pytest.mark.parametrize("text", ["", "-", "R4/D", "--R4", "R1", "R4 "])
def test_no_card_move(text: str) -> None:
    with pytest.raises(NotationError, match=r"^expected a card to play like 'R7' or to discard"):
        parse_card_move(text)


@pytest.mark.parametrize("text", ["", "d", "K", "YB", "deck", " "])
def test_no_draw(text: str) -> None:
    with pytest.raises(NotationError, match=r"^expected 'D' for the deck or the letter of a pile"):
        parse_draw(text)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_card, parse_cards, parse_card_move, parse_draw, parse_turn):
        try:
            parse(text)
        except NotationError as error:
            assert "\n" not in str(error)  # noqa: PT017 # most texts raise, some do not


def test_long_texts_are_cut_in_messages() -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn("R" * 1000)
    assert str(caught.value).endswith("got 'RRRRRRRRRRRRRRRRRRRRRRRR...'")
