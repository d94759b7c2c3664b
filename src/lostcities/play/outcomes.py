"""What a table answers."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from lostcities.play.commands import Command
from lostcities.play.events import Event
from lostcities.play.fairness import Entropy
from lostcities.play.state import Stage
from lostcities.play.views import MatchEndedView, TurnTakenView, Viewer
from lostcities.rules import CardMove, Match, Observation, PublicObservation, Refusal, Seat, Variant


class TableRefusalCode(StrEnum):
    """Why a table refuses a command that the rules have nothing to say about."""

    BAD_COMMAND = "bad_command"
    ID_REUSED = "id_reused"
    STALE = "stale"
    NOT_PLAYING = "not_playing"
    ROUND_RUNNING = "round_running"
    ALREADY_READY = "already_ready"
    ENTROPY_TOO_LATE = "entropy_too_late"
    NOTHING_STAGED = "nothing_staged"
    MATCH_RUNNING = "match_running"
    ALREADY_OFFERED = "already_offered"


@dataclass(frozen=True, slots=True)
class Step:
    """What followed, or would follow, from one command: all of it or nothing.

    Attributes:
        command: The command; None for the opening.
        events: What happens, in order.
    """

    command: Command | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command was carried out before; this is what followed then."""

    step: Step


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing happens.

    Attributes:
        refusal: The reason.
        view: How the table stands now, for the seat that asked.
    """

    refusal: Refusal
    view: "TableView" = field(repr=False)


Outcome: TypeAlias = Step | Repeated | Refused


@dataclass(frozen=True, slots=True)
class TableView:
    """How a table stands for one viewer, built field by field.

    Attributes:
        viewer: A seat, or None for a spectator.
        version: The number of events that this viewer has been shown.
        match_id: Names the match.
        variant: The numbers of the game.
        names: Who sits in A and in B.
        first_starter: The seat agreed to start the match; None if the lot decides.
        opened_on: The date in ISO form, "" if nobody told.
        stage: What the table waits for.
        match: The finished rounds.
        ready: The seats that are ready for the next round.
        entropy: What the seats have added to the deals.
        observation: The running or the last round as the viewer may see it;
            None before the first deal. The own staged card is put down in it.
        staged: The own staged card.
        last_turn: The turn made last in this round.
        commitment: The commitment to the deals.
        secret: The secret in hexadecimal digits, once the match is over.
        ended: How the match ended; None while it goes on.
        rematch_offers: The seats that would like another match.
    """

    viewer: Viewer
    version: int
    match_id: str
    variant: Variant
    names: tuple[str, str]
    first_starter: Seat | None
    opened_on: str
    stage: Stage
    match: Match
    ready: frozenset[Seat]
    entropy: Entropy
    observation: Observation | PublicObservation | None
    staged: CardMove | None
    last_turn: TurnTakenView | None
    commitment: str
    secret: str | None
    ended: MatchEndedView | None
    rematch_offers: frozenset[Seat]
