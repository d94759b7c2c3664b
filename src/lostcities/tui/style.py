"""What a terminal can show: colours or not, symbols or plain letters."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from lostcities.rules import RANK_MARKS, Card, Color

_SYMBOLS: Final = dict(zip(Color, "●≈▲♣♦★", strict=True))
_ASCII_SYMBOLS: Final = dict(zip(Color, "o~^%*+", strict=True))
_COLOR_CODES: Final = dict(zip(Color, ("33", "94", "1;97", "32", "91", "95"), strict=True))


@dataclass(frozen=True, slots=True)
class Style:
    """How to show things.

    Attributes:
        has_color: Whether to use colours. They are never the only mark: each
            colour has its letter and its symbol beside it.
        has_symbols: Whether the output can carry symbols beyond ASCII.
    """

    has_color: bool = False
    has_symbols: bool = True

    @classmethod
    def of(cls, output: TextIO, environment: Mapping[str, str] = os.environ) -> "Style":
        """Return what this output can show.

        Source:
            https://no-color.org: any value but an empty one switches colours off.
        """
        is_terminal = output.isatty() and environment.get("TERM") != "dumb"
        return cls(
            has_color=is_terminal and not environment.get("NO_COLOR"),
            has_symbols=_can_encode(output, "".join(_SYMBOLS.values()) + "·×"),
        )

    def symbol(self, color: Color) -> str:
        """Return the symbol of a colour."""
        return (_SYMBOLS if self.has_symbols else _ASCII_SYMBOLS)[color]

    def tint(self, text: str, color: Color) -> str:
        """Return the text in a colour, if there are any."""
        return f"\x1b[{_COLOR_CODES[color]}m{text}\x1b[0m" if self.has_color else text

    def strong(self, text: str) -> str:
        """Return the text in bold, if the terminal has it."""
        return f"\x1b[1m{text}\x1b[0m" if self.has_color else text

    def card(self, card: Card) -> str:
        """Return a card with letter, rank and symbol: R4♦."""
        return self.tint(
            card.color.letter + RANK_MARKS[card.rank] + self.symbol(card.color), card.color
        )

    @property
    def dot(self) -> str:
        """The mark between two facts on one line."""
        return "·" if self.has_symbols else "|"


PLAIN: Final = Style()


def _can_encode(output: TextIO, text: str) -> bool:
    try:
        text.encode(output.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
