"""Moves, as people read them."""

from dataclasses import dataclass
from typing import TypeAlias

from lostcities.rules.cards import Card, Color


@dataclass(frozen=True, slots=True)
class Play:
    """Put a card from the hand on the own expedition of its colour."""

    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card from the hand on the discard pile of its colour."""

    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a card into the hand.

    Attributes:
        pile: The colour of the pile whose top card is taken; None is the deck.
    """

    pile: Color | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """What some people ask for and nobody gets: the rules know no pass."""


CardMove: TypeAlias = Play | Discard
"""The first half of a turn."""
Move: TypeAlias = Play | Discard | Draw
"""One ply."""
DECK = Draw()
"""Draw from the deck."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: one card down, then one card up."""

    card_move: CardMove
    draw: Draw = DECK


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn as somebody who was there can write it down.

    Attributes:
        turn: What the player chose.
        drawn: What the draw brought; None where the writer does not know.
    """

    turn: Turn
    drawn: Card | None = None

    def as_others_saw(self) -> "WrittenTurn":
        """Return it without a card that came from the deck."""
        return self if self.turn.draw.pile is not None else WrittenTurn(self.turn)
