"""What a viewer is shown of each event: an allow-list, field by field.

A new event, or a new field of one, is invisible until somebody writes its view
here. The classes have no field that could hold what its viewer may not know.
"""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from lostcities.play.events import (
    CardStaged,
    CardTakenBack,
    Event,
    MatchEnded,
    RematchAgreed,
    RematchOffered,
    RoundEnded,
    RoundStarted,
    SeatReady,
    SecretRevealed,
    TableOpened,
    TurnTaken,
)
from lostcities.play.provenance import Author
from lostcities.rules import (
    SEATS,
    Card,
    CardMove,
    Cards,
    Points,
    Position,
    Seat,
    Standing,
    Turn,
    Variant,
)

Viewer: TypeAlias = Seat | None
"""A seat, or None for a spectator."""
SPECTATOR: Viewer = None


VIEWERS: tuple[Viewer, ...] = (*SEATS, SPECTATOR)


def check_viewer(viewer: Viewer) -> Viewer:
    """Return the viewer.

    Raises:
        ValueError: If it is neither a seat nor a spectator.
    """
    if viewer not in VIEWERS:
        raise ValueError(f"expected seat 0 or 1, or None for a spectator, got {viewer}")
    return viewer


@dataclass(frozen=True, slots=True)
class TableOpenedView:
    """Who sits here, what is played, and the commitment to the deals."""

    match_id: str
    variant: Variant
    names: tuple[str, str]
    commitment: str
    first_starter: Seat | None
    opened_on: str


@dataclass(frozen=True, slots=True)
class SeatReadyView:
    """A seat is ready; its entropy is for everybody to see."""

    seat: Seat
    entropy: bytes


@dataclass(frozen=True, slots=True)
class RoundStartedView:
    """A round has begun. A seat sees its own hand, a spectator none."""

    standing: Standing
    hand: Cards | None


@dataclass(frozen=True, slots=True)
class CardStagedView:
    """The own staged card."""

    move: CardMove


@dataclass(frozen=True, slots=True)
class CardTakenBackView:
    """The own staged card is back in the hand."""


@dataclass(frozen=True, slots=True)
class TurnTakenView:
    """A turn. What came from the deck is seen by the seat that drew it.

    Attributes:
        seat: Who made it.
        turn: What was chosen.
        drawn: What the draw brought; None if the viewer may not know.
        author: Which agent chose it; None for a person. The seed and the hash
            of what it saw are not here: they would confirm guesses about its hand.
    """

    seat: Seat
    turn: Turn
    drawn: Card | None
    author: Author | None = None


@dataclass(frozen=True, slots=True)
class RoundEndedView:
    """The scores of a round."""

    round_number: int
    scores: Points


@dataclass(frozen=True, slots=True)
class MatchEndedView:
    """The end of the match."""

    totals: Points
    winner: Seat | None
    resigned: Seat | None

    @classmethod
    def of(cls, event: MatchEnded) -> "MatchEndedView":
        """Return what everybody may know of the end."""
        return cls(event.totals, event.winner, event.resigned)


@dataclass(frozen=True, slots=True)
class SecretRevealedView:
    """The secret in hexadecimal digits, for everybody to verify the deals."""

    secret: str


@dataclass(frozen=True, slots=True)
class RematchOfferedView:
    """A seat would like another match."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RematchAgreedView:
    """There will be another match."""


EventView: TypeAlias = (
    TableOpenedView
    | SeatReadyView
    | RoundStartedView
    | CardStagedView
    | CardTakenBackView
    | TurnTakenView
    | RoundEndedView
    | MatchEndedView
    | SecretRevealedView
    | RematchOfferedView
    | RematchAgreedView
)


def view(event: Event, viewer: Viewer, *, variant: Variant) -> EventView | None:
    """Return what the viewer is shown of an event, None if nothing at all.

    Args:
        event: The truth.
        viewer: A seat, or None for a spectator.
        variant: The numbers of the table's game, which decide the dealing.

    Raises:
        ValueError: If there is no such viewer.
    """
    check_viewer(viewer)
    match event:
        case RoundStarted():
            return _view_of_deal(event, viewer, variant)
        case CardStaged():
            return CardStagedView(event.move) if viewer == event.seat else None
        case CardTakenBack():
            return CardTakenBackView() if viewer == event.seat else None
        case TurnTaken():
            return _view_of_turn(event, viewer)
        case _:
            return _view_for_all(event)


def _view_of_turn(event: TurnTaken, viewer: Viewer) -> TurnTakenView:
    is_visible = viewer == event.seat or event.turn.draw.pile is not None
    return TurnTakenView(
        seat=event.seat,
        turn=event.turn,
        drawn=event.drawn if is_visible else None,
        author=None if event.provenance is None else event.provenance.author,
    )


def _view_of_deal(event: RoundStarted, viewer: Viewer, variant: Variant) -> RoundStartedView:
    if viewer is None:
        return RoundStartedView(event.standing, None)
    start = Position.deal(event.deal, variant=variant, standing=event.standing)
    return RoundStartedView(event.standing, start.hands[viewer])


def _view_for_all(
    event: TableOpened
    | SeatReady
    | RoundEnded
    | MatchEnded
    | SecretRevealed
    | RematchOffered
    | RematchAgreed,
) -> EventView:
    """Return the view of an event that everybody sees alike."""
    match event:
        case TableOpened():
            return TableOpenedView(
                match_id=event.match_id,
                variant=event.variant,
                names=event.names,
                commitment=event.secret.commitment(event.match_id),
                first_starter=event.first_starter,
                opened_on=event.opened_on,
            )
        case SeatReady():
            return SeatReadyView(event.seat, event.entropy)
        case RoundEnded():
            return RoundEndedView(event.round_number, event.scores)
        case MatchEnded():
            return MatchEndedView.of(event)
        case SecretRevealed():
            return SecretRevealedView(event.secret.reveal())
        case RematchOffered():
            return RematchOfferedView(event.seat)
        case RematchAgreed():
            return RematchAgreedView()
        case _:
            assert_never(event)
