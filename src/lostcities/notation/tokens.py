"""The words of a record, each with its place."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from lostcities.notation.errors import NotationError, Place, excerpt
from lostcities.notation.printable import is_printable


class Kind(Enum):
    """What a token is."""

    TAG = auto()
    COMMENT = auto()
    NUMBER = auto()
    TURN = auto()
    END = auto()


class Token(NamedTuple):
    """A word of a record.

    Attributes:
        kind: What it is.
        text: The name of a tag, the words of a comment, the digits of a
            number, or the text as it stands.
        place: Where it begins.
        value: The value of a tag, else "".
    """

    kind: Kind
    text: str
    place: Place
    value: str = ""


_BYTE_ORDER_MARK: Final = "\ufeff"
_SPACE: Final = re.compile(r"\s*")
_TAG: Final = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\\n\r]|\\.)*)"\s*\]')
_COMMENT: Final = re.compile(r"\{([^}]*)\}")
_NUMBER: Final = re.compile(r"([0-9]{1,9})\.")
_TURN: Final = re.compile(r"[^\s\[\]{}#\"]+")
_ESCAPE: Final = re.compile(r'\\(["\\])')


def tokenize(text: str) -> Iterator[Token]:
    """Split a text into tokens.

    Line ends of any system, tabs and a byte-order mark are white space.

    Raises:
        NotationError: At the first thing that no record contains.
    """
    lines = _Lines(text)
    end = len(text)
    at = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    while (at := _end_of_space(text, at)) < end:
        token, at = _next_token(text, at, lines.place(at))
        yield token


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _next_token(text: str, at: int, place: Place) -> tuple[Token, int]:
    match text[at]:
        case "[":
            if found := _TAG.match(text, at):
                value = _ESCAPE.sub(r"\1", found[2])
                if not is_printable(value):
                    raise NotationError(
                        f"expected printable characters in the tag {found[1]}, got {excerpt(value)}",
                        place,
                    )
                return Token(Kind.TAG, found[1], place, value), found.end()
            raise NotationError(
                f'expected a tag like [Colors "5"] on one line, got {excerpt(text[at : at + 30])}',
                place,
            )
        case "{":
            if found := _COMMENT.match(text, at):
                words = " ".join(found[1].split())
                if not words.isprintable():
                    raise NotationError(
                        f"expected printable characters in a comment, got {excerpt(words)}", place
                    )
                return Token(Kind.COMMENT, words, place), found.end()
            raise NotationError(
                "expected '}' at the end of this comment, got the end of the text", place
            )
        case "#":
            return Token(Kind.END, "#", place), at + 1
        case _:
            if found := _NUMBER.match(text, at):
                return Token(Kind.NUMBER, found[1], place), found.end()
            if found := _TURN.match(text, at):
                return Token(Kind.TURN, found[0], place), found.end()
            raise NotationError(
                f"expected a tag, a turn, a comment or '#', got {excerpt(text[at])}", place
            )


class _Lines:
    """Finds line and column of an offset."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]
        self.has_mark = text.startswith(_BYTE_ORDER_MARK)

    def place(self, at: int) -> Place:
        """Return the place of an offset; a byte-order mark has no column."""
        line = bisect_right(self.starts, at)
        unseen = line == 1 and self.has_mark
        return Place(line, at - self.starts[line - 1] + 1 - unseen)
