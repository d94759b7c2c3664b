"""Cards: a colour letter and a rank mark, R4 Gx PT.

Reading is lenient in three places only: 10 for T, and X or H for x.
"""

import re
from collections.abc import Iterable
from typing import Final

from lostcities.notation.errors import expected
from lostcities.rules import COLOR_LETTERS, RANK_MARKS, Card, Cards, Color

CARD_PATTERN: Final = r"[YBWGRP](?:10|[xXH2-9T])"
_CARD = re.compile(CARD_PATTERN)
_LENIENT_MARKS: Final = {"10": "T", "X": "x", "H": "x"}
_WHAT: Final = "a card like 'R7', 'Bx' or 'YT'"


def parse_card(text: str) -> Card:
    """Read one card.

    Raises:
        NotationError: If the text is not exactly one card.
    """
    if not _CARD.fullmatch(text):
        raise expected(_WHAT, text)
    mark = _LENIENT_MARKS.get(text[1:], text[1:])
    return Card(Color(COLOR_LETTERS.index(text[0])), RANK_MARKS.index(mark))


def format_card(card: Card) -> str:
    """Write one card, always in two characters."""
    return str(card)


def parse_cards(text: str) -> Cards:
    """Read cards that stand side by side, with or without blanks between them.

    Raises:
        NotationError: If anything else stands there.
    """
    cards: list[Card] = []
    end = 0
    for found in _CARD.finditer(text):
        if text[end : found.start()].strip():
            break
        cards.append(parse_card(found.group()))
        end = found.end()
    rest = text[end:].lstrip()
    if rest:
        raise expected(_WHAT, rest[:3])
    return tuple(cards)


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards side by side."""
    return "".join(map(str, cards))
