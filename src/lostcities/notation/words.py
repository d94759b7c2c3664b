"""Cards as people type them: R5, r5, red 5, 'red wager', R10, RxRxR4.

For command lines and score sheets; records are held to the notation.
"""

import re
from typing import Final

from lostcities.notation.errors import NotationError, excerpt
from lostcities.rules import WAGER, Card, Cards, Color

_WORD: Final = re.compile(r"[^\s,;+/|]+")
COLORS_BY_WORD: Final = {color.letter.lower(): color for color in Color} | {
    color.word: color for color in Color
}
_RANKS: Final = (
    dict.fromkeys(("x", "h", "wager", "handshake", "investment"), WAGER)
    | {str(rank): rank for rank in range(2, 11)}
    | {"t": 10, "ten": 10}
)
_ONE: Final = re.compile(
    rf"(?P<color>{'|'.join(sorted(COLORS_BY_WORD, key=len, reverse=True))})[-_]?(?P<rank>[a-z]+|[0-9]+)"
)
_GLUED: Final = re.compile(r"(?:[ybwgrp](?:10|[xh2-9t]))+")
_GLUED_ONE: Final = re.compile(r"([ybwgrp])(10|[xh2-9t])")


def read_cards(text: str) -> Cards:
    """Read cards that a person typed, in the order typed.

    Raises:
        NotationError: At the first word that is no card; it says where.
    """
    cards: list[Card] = []
    color: tuple[Color, int] | None = None
    for found in _WORD.finditer(text):
        word, column = found.group().lower(), found.start() + 1
        if color is not None:
            cards.append(Card(color[0], _rank(word, found.group(), column, f"{color[0].word} ")))
            color = None
        elif word in COLORS_BY_WORD:
            color = COLORS_BY_WORD[word], column
        else:
            cards.extend(_cards_of(word, found.group(), column))
    if color is not None:
        raise _fault("a rank (2 to 10, or x for a wager) after the color", "", color[1])
    return tuple(cards)


def _cards_of(word: str, typed: str, column: int) -> list[Card]:
    if _GLUED.fullmatch(word):
        return [Card(COLORS_BY_WORD[one], _RANKS[rank]) for one, rank in _GLUED_ONE.findall(word)]
    found = _ONE.fullmatch(word)
    if not found:
        raise _fault("a card like 'R7', 'Bx' or 'yellow 10'", typed, column)
    return [Card(COLORS_BY_WORD[found["color"]], _rank(found["rank"], typed, column, ""))]


def _rank(word: str, typed: str, column: int, before: str) -> int:
    if word not in _RANKS:
        raise NotationError(
            f"expected ranks from 2 to 10, or x for a wager, got {excerpt(before + typed)} "
            f"at column {column}: no such card exists"
        )
    return _RANKS[word]


def _fault(what: str, typed: str, column: int) -> NotationError:
    return NotationError(f"expected {what}, got {excerpt(typed)} at column {column}")
