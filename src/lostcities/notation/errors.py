"""What can be wrong with a text, and where."""

from typing import NamedTuple

from lostcities.rules import LostCitiesError

_LONGEST_EXCERPT = 24


class Place(NamedTuple):
    """Where in a text something stands.

    Attributes:
        line: Counted from 1.
        column: Counted from 1, in characters.
        turn: The number of the turn as the record counts them; None outside the turns.
    """

    line: int
    column: int
    turn: int | None = None

    def __str__(self) -> str:
        """Return the place as a message begins with it."""
        where = f"line {self.line}, column {self.column}"
        return where if self.turn is None else f"{where}, turn {self.turn}"


class _PlacedError(LostCitiesError, ValueError):
    """An error that may know its place."""

    def __init__(self, problem: str, place: Place | None = None) -> None:
        super().__init__(problem if place is None else f"{place}: {problem}")
        self.problem = problem
        self.place = place


class NotationError(_PlacedError):
    """A text that is not well formed."""


class InvalidRecordError(_PlacedError):
    """A well-formed record of something that cannot have happened."""


def excerpt(text: str) -> str:
    """Return the text in quotes, shortened so that a message stays one line."""
    if text == "":
        return "nothing"
    short = text if len(text) <= _LONGEST_EXCERPT else text[:_LONGEST_EXCERPT] + "..."
    return repr(short)


def expected(what: str, got: str, place: Place | None = None) -> NotationError:
    """Return the error for a text that is something else than what was expected."""
    return NotationError(f"expected {what}, got {excerpt(got)}", place)
