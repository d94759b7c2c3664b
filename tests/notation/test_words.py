"""Cards as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import NotationError, format_cards, read_cards
from lostcities.rules import Card, LostCitiesError
from strategies import cards


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("R5", "R5"),
        ("r5 y10", "R5YT"),
        ("red 5, yellow ten", "R5YT"),
        ("RxRxR4", "RxRxR4"),
        ("rxrxr10r2", "RxRxRTR2"),
        ("red wager", "Rx"),
        ("RED Handshake; blue investment", "RxBx"),
        ("white-7 green_2", "W7G2"),
        ("purple10", "PT"),
        ("yt yh yx", "YTYxYx"),
        ("r 5", "R5"),
        ("R5/R6|R7+R8", "R5R6R7R8"),
        ("bluex", "Bx"),
        ("", ""),
        ("  ,; ", ""),
    ],
)
def test_typed(typed: str, expected: str) -> None:
    assert format_cards(read_cards(typed)) == expected


@given(st.lists(cards, max_size=12))
def test_every_way_of_typing_cards(some: list[Card]) -> None:
    for text in (
        format_cards(some),
        " ".join(map(str, some)),
        ", ".join(card.words for card in some),
        "".join(map(str, some)).lower(),
        " ".join(str(card).replace("T", "10") for card in some),
    ):
        assert read_cards(text) == tuple(some)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            "R5 R1",
            "expected ranks from 2 to 10, or x for a wager, got 'R1' at column 4: no such card exists",
        ),
        (
            "R11",
            "expected ranks from 2 to 10, or x for a wager, got 'R11' at column 1: no such card exists",
        ),
        (
            "red 1",
            "expected ranks from 2 to 10, or x for a wager, got 'red 1' at column 5: no such card exists",
        ),
        ("R5 pink7", "expected a card like 'R7', 'Bx' or 'yellow 10', got 'pink7' at column 4"),
        ("5", "expected a card like 'R7', 'Bx' or 'yellow 10', got '5' at column 1"),
        (
            "R5 red",
            "expected a rank (2 to 10, or x for a wager) after the color, got nothing at column 4",
        ),
    ],
)
def test_no_card_typed(typed: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_cards(typed)
    assert str(caught.value) == message


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        read_cards(typed)
    except LostCitiesError as error:
        assert "\n" not in str(error)  # noqa: PT017 # most texts raise, some do not
