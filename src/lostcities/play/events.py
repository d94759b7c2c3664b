"""What has happened at a table: the whole truth.

Events hold secrets, and are for the store alone; a viewer is shown `views.view`
of them. Hidden cards and the secret are kept out of `repr`, so that a log line
that prints an event gives nothing away.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from lostcities.play.fairness import Secret
from lostcities.play.provenance import Provenance
from lostcities.rules import Card, CardMove, Cards, Points, Seat, Standing, Turn, Variant


@dataclass(frozen=True, slots=True)
class TableOpened:
    """Two people sat down, and the dealer committed itself.

    Attributes:
        match_id: Names the match everywhere.
        variant: The numbers of the game.
        names: Who sits in A and in B.
        secret: Decides every deal; revealed after the match.
        first_starter: Who starts the first round; None leaves it to the lot.
        opened_on: The date in ISO form, if somebody told the table.
    """

    match_id: str
    variant: Variant
    names: tuple[str, str]
    secret: Secret = field(repr=False)
    first_starter: Seat | None = None
    opened_on: str = ""


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A seat is ready for the next round, and may have added entropy."""

    seat: Seat
    entropy: bytes = b""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The cards of a round were dealt."""

    standing: Standing
    deal: Cards = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardStaged:
    """The side to move put a card down for the time being."""

    seat: Seat
    move: CardMove = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardTakenBack:
    """The side to move took its staged card back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn was made.

    Attributes:
        seat: Who made it.
        turn: What was chosen.
        drawn: What the draw brought.
        provenance: Where the turn of a computer comes from; None for a person's.
    """

    seat: Seat
    turn: Turn
    drawn: Card = field(repr=False)
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The last card of the deck was drawn."""

    round_number: int
    scores: Points


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is decided.

    Attributes:
        totals: The points of all finished rounds.
        winner: The winning seat; None if the match is drawn.
        resigned: The seat that gave up; None if the match was played out.
    """

    totals: Points
    winner: Seat | None
    resigned: Seat | None = None


@dataclass(frozen=True, slots=True)
class SecretRevealed:
    """The dealer showed its secret, so that the deals can be verified."""

    secret: Secret


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A seat would like another match."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RematchAgreed:
    """Both seats would like another match."""


Event: TypeAlias = (
    TableOpened
    | SeatReady
    | RoundStarted
    | CardStaged
    | CardTakenBack
    | TurnTaken
    | RoundEnded
    | MatchEnded
    | SecretRevealed
    | RematchOffered
    | RematchAgreed
)
