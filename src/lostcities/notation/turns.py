"""Turns and their halves: R4/D, -W9/D=G6, B7/Y.

A leading minus is a discard; behind the slash stands the source of the draw, D
for the deck or the letter of a pile; =CARD says what came, where it is known.
"""

import re

from lostcities.notation.cards import CARD_PATTERN, parse_card
from lostcities.notation.errors import NotationError, expected
from lostcities.rules import (
    COLOR_LETTERS,
    DECK,
    Card,
    CardMove,
    Color,
    Discard,
    Draw,
    Play,
    Turn,
    WrittenTurn,
)

_CARD_MOVE = re.compile(rf"(-?)({CARD_PATTERN})")
_TURN = re.compile(rf"(-?{CARD_PATTERN})/([D{COLOR_LETTERS}])(?:=({CARD_PATTERN}))?")


def parse_turn(text: str) -> WrittenTurn:
    """Read a whole turn.

    Raises:
        NotationError: If the text is not exactly one turn.
    """
    found = _TURN.fullmatch(text)
    if not found:
        raise expected("a turn like 'R4/D', '-W9/D=G6' or 'B7/Y'", text)
    draw = parse_draw(found[2])
    drawn = parse_card(found[3]) if found[3] else None
    if draw.pile is not None and drawn is not None and drawn.color != draw.pile:
        raise NotationError(
            f"expected a {draw.pile.word} card from the {draw.pile.word} pile, got {drawn}"
        )
    return WrittenTurn(Turn(parse_card_move(found[1]), draw), drawn)


def format_turn(turn: Turn, drawn: Card | None = None) -> str:
    """Write a whole turn, with the drawn card if it is given."""
    text = f"{format_card_move(turn.card_move)}/{format_draw(turn.draw)}"
    return text if drawn is None else f"{text}={drawn}"


def parse_card_move(text: str) -> CardMove:
    """Read the first half of a turn: R4 plays it, -R4 discards it.

    Raises:
        NotationError: If the text is not exactly that.
    """
    found = _CARD_MOVE.fullmatch(text)
    if not found:
        raise expected("a card to play like 'R7' or to discard like '-R7'", text)
    card = parse_card(found[2])
    return Discard(card) if found[1] else Play(card)


def format_card_move(move: CardMove) -> str:
    """Write the first half of a turn."""
    return f"-{move.card}" if isinstance(move, Discard) else str(move.card)


def parse_draw(text: str) -> Draw:
    """Read the second half of a turn: D is the deck, a colour letter is its pile.

    Raises:
        NotationError: If the text is neither.
    """
    if text == "D":
        return DECK
    if len(text) != 1 or text not in COLOR_LETTERS:
        raise expected("'D' for the deck or the letter of a pile", text)
    return Draw(Color(COLOR_LETTERS.index(text)))


def format_draw(draw: Draw) -> str:
    """Write the second half of a turn."""
    return "D" if draw.pile is None else draw.pile.letter
