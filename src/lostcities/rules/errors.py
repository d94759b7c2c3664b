"""What can be wrong, as types, and why something is refused, as data."""

from dataclasses import dataclass
from enum import StrEnum


class LostCitiesError(Exception):
    """Anything that this package refuses. The message is one line."""


class RefusalCode(StrEnum):
    """Why the rules refuse something. Screens translate the code."""

    ROUND_OVER = "round_over"
    NOT_YOUR_TURN = "not_your_turn"
    NO_PASS = "no_pass"
    WRONG_PHASE = "wrong_phase"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    NOT_ASCENDING = "not_ascending"
    WAGER_AFTER_NUMBER = "wager_after_number"
    NO_SUCH_COLOR = "no_such_color"
    JUST_DISCARDED = "just_discarded"
    PILE_EMPTY = "pile_empty"
    MUST_DRAW_DECK = "must_draw_deck"
    MATCH_OVER = "match_over"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason against something.

    Attributes:
        code: The reason as data, a member of an enumeration of codes.
        sentence: The reason for people, in one line.
    """

    code: StrEnum
    sentence: str


class IllegalMoveError(LostCitiesError, ValueError):
    """A well-formed move that the rules do not allow now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class InvalidPositionError(LostCitiesError, ValueError):
    """Cards that cannot lie like this in any game of the variant."""
