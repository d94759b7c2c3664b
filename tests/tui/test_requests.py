from random import Random

import pytest

from lostcities.notation import NotationError, parse_card, parse_turn
from lostcities.rules import (
    CLASSIC,
    DECK,
    Color,
    Discard,
    Draw,
    Observation,
    Pass,
    Play,
    Position,
)
from lostcities.tui.requests import Word, read_request


def view_in_card_phase() -> Observation:
    deal = list(CLASSIC.deck)
    Random(5).shuffle(deal)
    position = Position.deal(deal)
    first = position.mover_hand[0]
    position = position.after(Discard(first)).after(DECK)
    return position.observe(position.mover)


def view_in_draw_phase() -> Observation:
    before = view_in_card_phase()
    deal = list(CLASSIC.deck)
    Random(5).shuffle(deal)
    position = Position.deal(deal)
    position = position.after(Discard(position.mover_hand[0])).after(DECK)
    position = position.after(Discard(before.hand[-1]))
    return position.observe(position.mover)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("R7", Play(parse_card("R7"))),
        ("r7", Play(parse_card("R7"))),
        ("play red 7", Play(parse_card("R7"))),
        ("p r7", Play(parse_card("R7"))),
        ("red wager", Play(parse_card("Rx"))),
        ("Rx", Play(parse_card("Rx"))),
        ("play yellow 10", Play(parse_card("YT"))),
        ("-W9", Discard(parse_card("W9"))),
        ("- W9", Discard(parse_card("W9"))),
        ("discard white 9", Discard(parse_card("W9"))),
        ("x w9", Discard(parse_card("W9"))),
        ("R7/D", parse_turn("R7/D").turn),
        ("-W9/B", parse_turn("-W9/B").turn),
        ("play red 7, draw deck", parse_turn("R7/D").turn),
        ("play red 7 draw deck", parse_turn("R7/D").turn),
        ("discard white 9 then take yellow", parse_turn("-W9/Y").turn),
        ("discard white 9 and draw from the deck", parse_turn("-W9/D").turn),
        ("  play   red 7 ; D ", parse_turn("R7/D").turn),
        ("pass", Pass()),
        ("help", Word.HELP),
        ("?", Word.HELP),
        ("QUIT", Word.QUIT),
        ("deal", Word.DEAL),
        ("D", DECK),  # too early; the rules say so
        ("R", Draw(Color.RED)),
        ("take blue", Draw(Color.BLUE)),
    ],
)
def test_a_card_can_be_put_down_in_notation_and_in_words(typed: str, meant: object) -> None:
    assert read_request(typed, view_in_card_phase()) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("D", DECK),
        ("d", DECK),
        ("deck", DECK),
        ("draw", DECK),
        ("draw deck", DECK),
        ("draw from the deck", DECK),
        ("Y", Draw(Color.YELLOW)),
        ("take yellow", Draw(Color.YELLOW)),
        ("the yellow pile", Draw(Color.YELLOW)),
        ("draw y", Draw(Color.YELLOW)),
        ("undo", Word.UNDO),
        ("R7/D", parse_turn("R7/D").turn),
    ],
)
def test_a_draw_can_be_chosen_in_notation_and_in_words(typed: str, meant: object) -> None:
    assert read_request(typed, view_in_draw_phase()) == meant


def test_the_top_card_of_a_pile_names_the_pile() -> None:
    view = view_in_draw_phase()
    top = next(card for card in view.pile_tops if card is not None)
    assert read_request(str(top), view) == Draw(top.color)
    assert read_request(f"take {top.words}", view) == Draw(top.color)


@pytest.mark.parametrize("typed", ["", "foo", "R1", "R11", "K4", "R7 R8", "a/b/c", "-", "play"])
def test_what_is_no_card_gets_a_sentence(typed: str) -> None:
    with pytest.raises(NotationError, match=r"^expected .*, got "):
        read_request(typed, view_in_card_phase())


@pytest.mark.parametrize("typed", ["", "foo", "take", "take K", "Y Y", "take R99"])
def test_what_is_no_draw_gets_a_sentence(typed: str) -> None:
    with pytest.raises(NotationError, match=r"^expected .*, got "):
        read_request(typed, view_in_draw_phase())


def test_a_very_long_line_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="at most 200 characters, got 1000000"):
        read_request("x" * 1_000_000, view_in_card_phase())


def test_a_wager_is_accepted_though_three_are_alike() -> None:
    """H-19: equal cards are one choice."""
    assert read_request("red wager", view_in_card_phase()) == Play(parse_card("Rx"))
