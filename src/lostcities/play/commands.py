"""What a seat may ask of a table."""

from dataclasses import dataclass, field
from typing import TypeAlias

from lostcities.play.provenance import Provenance
from lostcities.rules import CardMove, Seat, Turn


@dataclass(frozen=True, slots=True)
class Ready:
    """Let the next round begin as soon as both seats say so.

    Attributes:
        entropy: Bytes that this seat adds to the deals, before the first round only.
    """

    entropy: bytes = b""


@dataclass(frozen=True, slots=True)
class StageCard:
    """Put a card down for the time being; only the own seat sees it."""

    move: CardMove = field(repr=False)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the staged card back into the hand."""


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Make a whole turn: choosing the draw commits it. A staged card gives way to it.

    Attributes:
        turn: The turn.
        provenance: Where the turn of a computer comes from; None for a
            person's. It is the word of whoever runs the agent and never what
            a client sends.
    """

    turn: Turn = field(repr=False)
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up the match."""


@dataclass(frozen=True, slots=True)
class OfferRematch:
    """Ask for another match, or agree to one; the other seat starts it."""


Action: TypeAlias = Ready | StageCard | TakeBack | TakeTurn | Resign | OfferRematch


@dataclass(frozen=True, slots=True)
class Command:
    """An action, with what makes it safe to send twice.

    Attributes:
        id: Made up by the sender, 1 to 64 printable characters, new for each command.
        seat: Who asks. The caller has made sure of that.
        seen: The version of the table that the sender saw.
        action: What is asked for.
    """

    id: str
    seat: Seat
    seen: int
    action: Action
