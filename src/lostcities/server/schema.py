"""Everything that goes over the wire, as types.

What a viewer is sent is built field by field in `views`; no type here has a
field that could hold a card which its viewer may not know. The types of the
browser client are generated from these.
"""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from lostcities.play.fairness import MAX_ENTROPY_BYTES

T = TypeVar("T")

LONGEST_MESSAGE = 4096
"""Bytes of a message from a client; nothing that anybody has to say is longer."""
LAST_VERSION = 10**9
"""No table will ever have shown so many events."""
LONGEST_NAME_SENT = 100
"""Characters of a name as it is sent; what is allowed is said by `names`."""

SeatName: TypeAlias = Literal["A", "B"]
ViewerName: TypeAlias = SeatName | Literal["none"]
"""Whose view is asked for; "none" is nobody's: what everybody may know."""
ColorLetter: TypeAlias = Literal["Y", "B", "W", "G", "R", "P"]
CardText: TypeAlias = Annotated[str, Field(pattern=r"^[YBWGRP][x2-9T]$", examples=["R7"])]
TurnText: TypeAlias = Annotated[
    str, Field(pattern=r"^-?[YBWGRP][x2-9T]/[DYBWGRP]$", examples=["R7/D", "-W9/G"])
]
SourceLetter: TypeAlias = Literal["D", "Y", "B", "W", "G", "R", "P"]
TurnSent: TypeAlias = Annotated[str, Field(max_length=32)]
"""A turn as somebody sends it; whether it is one is seen when it is read."""
TableStatus: TypeAlias = Literal["waiting", "playing", "round_over", "match_over"]
DoneStatus: TypeAlias = Literal["done", "repeat"]
Hex: TypeAlias = Annotated[str, Field(pattern=r"^([0-9a-f]{2})*$")]
CommandId: TypeAlias = Annotated[
    str,
    Field(
        min_length=8,
        max_length=40,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="Made by the sender, such as a UUID; a repeat gets the first answer.",
    ),
]
OnceId: TypeAlias = Annotated[
    str,
    Field(
        min_length=22,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="128 random bits or more, made by the sender for one press and told to nobody "
        "else: a repeat brings the same seat again.",
    ),
]
Version: TypeAlias = Annotated[
    int, Field(ge=0, le=LAST_VERSION, description="How many events this viewer has been shown.")
]
EntropyHex: TypeAlias = Annotated[
    str,
    Field(
        max_length=2 * MAX_ENTROPY_BYTES,
        pattern=r"^([0-9a-fA-F]{2})*$",
        description="Random bytes that this seat adds to the deals of the match, "
        "after it has seen the commitment and before the first deal.",
    ),
]
NameText: TypeAlias = Annotated[
    str,
    Field(max_length=LONGEST_NAME_SENT, description="1 to 24 characters of any script."),
]


class _Wire(BaseModel):
    """A value on the wire: no more fields than these, and nobody changes them."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# --- what a snapshot is made of ----------------------------------------------------------------


class Sides(_Wire, Generic[T]):
    """Something for each seat."""

    A: T
    B: T


class Points(Sides[int]):
    """A number for each seat."""


class Flags(Sides[bool]):
    """Yes or no for each seat."""


class Names(Sides[str | None]):
    """Who sits where; None while a seat is free."""


class HexTexts(Sides[Hex]):
    """Bytes for each seat, in hexadecimal digits."""


class CardLists(Sides[list[CardText]]):
    """Cards for each seat."""


class ShownHands(Sides[list[CardText] | None]):
    """The hands, as far as the viewer may know them."""


class Expeditions(Sides[dict[ColorLetter, list[CardText]]]):
    """The expeditions of each seat by color, in the order played."""


class VariantInfo(_Wire):
    """The numbers of the game."""

    name: Literal["classic", "long", "non-standard"]
    colors: list[ColorLetter]
    lowest_rank: int
    highest_rank: int
    wagers_per_color: int
    hand_size: int
    rounds: int
    deck_size: int
    expedition_cost: int
    bonus: int
    bonus_threshold: int
    starter_policy: str
    match_goal: str
    tabletop_memory: bool
    own_discard_block: bool
    stall_limit: int | None


class OpponentInfo(_Wire):
    """Who sits opposite the one who opened the table."""

    kind: Literal["computer", "friend", "local"]
    agent: str | None = None
    agent_name: str | None = None


class Stalling(_Wire):
    """Turns in a row that each discarded and took a discard, and when the guard closes the piles."""

    count: int
    limit: int | None


class Receipt(_Wire):
    """What an expedition is worth now, term by term: (sum + cost) x multiplier + bonus."""

    sum: int
    wagers: int
    cards: int
    cost: int
    multiplier: int
    bonus: int
    total: int
    started: bool


class SeatScore(_Wire):
    """What a seat would score if the round ended now."""

    total: int
    by: dict[ColorLetter, Receipt]


class SeatScores(Sides[SeatScore]):
    """The running scores of both seats."""


class Choice(_Wire):
    """Whether something may be done with a card, and why not."""

    ok: bool
    code: str | None = None
    sentence: str | None = None
    score_after: int | None = Field(
        default=None, description="The score of the expedition once the card lies there."
    )


class HandCard(_Wire):
    """A card of the own hand and what may be done with it; one entry for each card of the hand."""

    card: CardText
    play: Choice
    discard: Choice
    draws: dict[str, list[SourceLetter]] = Field(
        description="By card half of a turn ('R7', '-R7'): where the draw may come from."
    )
    closed: dict[str, dict[ColorLetter, str]] = Field(
        description="By card half: the code of the reason against each pile that is closed."
    )


class LastTurn(_Wire):
    """The turn made last in this round."""

    seat: SeatName
    turn: TurnText
    card: CardText
    to: Literal["expedition", "pile"]
    draw: Literal["deck", "Y", "B", "W", "G", "R", "P"]
    drawn: CardText | None = Field(
        description="What was drawn, if this viewer may know it: an own card, or one from a pile."
    )
    agent: str | None = Field(default=None, description="The agent that chose it, if one did.")
    flagged: bool = Field(
        default=False, description="The agent failed, and a simple one made this turn."
    )


class Result(_Wire):
    """How the match ended."""

    totals: Points
    winner: SeatName | None
    resigned: SeatName | None


class Rematch(_Wire):
    """Whether there will be another match, and where."""

    offered_by: SeatName | None = None
    table_id: str | None = None


class Invite(_Wire):
    """How somebody else takes the free seat; shown to the host while it is free."""

    code: str
    url: str


WarningCode: TypeAlias = Literal["deck_low", "last_card", "stalling", "piles_closed"]


class Snapshot(_Wire):
    """How a table stands for one viewer."""

    table_id: str
    version: Version
    viewer: SeatName | None
    seats: list[SeatName] = Field(description="The seats that this browser holds here.")
    status: TableStatus = Field(
        description="'waiting': somebody has yet to join, or to be ready for the first deal."
    )
    variant: VariantInfo
    names: Names
    opponent: OpponentInfo
    host: SeatName
    ready: Flags
    round: int = Field(description="The running or the last round; 0 before the first deal.")
    rounds: int
    starter: SeatName | None
    to_move: SeatName | None
    deck: int
    turns_left: Points
    stalling: Stalling
    hand: list[CardText] | None
    hand_sizes: Points
    known: CardLists
    expeditions: Expeditions
    piles: dict[ColorLetter, list[CardText]] = Field(
        description="Bottom to top; with tabletop memory the top only."
    )
    pile_sizes: dict[ColorLetter, int]
    unseen: int = Field(description="Cards whose place this viewer does not know.")
    scores: SeatScores
    totals: Points = Field(description="The points of the finished rounds.")
    history: list[Points]
    legal: list[TurnText] | None
    cards: list[HandCard] | None
    last: LastTurn | None
    result: Result | None
    rematch: Rematch
    commitment: str
    entropy: HexTexts
    secret: str | None = Field(description="The secret of the deals, once the match is over.")
    deal_revealed: bool
    warnings: list[WarningCode]
    invite: Invite | None


# --- events ---------------------------------------------------------------------------------------


class OpenedEvent(_Wire):
    """Both seats are taken, and the dealer has committed itself."""

    kind: Literal["opened"] = "opened"
    names: Names
    commitment: str
    first_starter: SeatName | None


class ReadyEvent(_Wire):
    """A seat is ready for the next round, and may have added entropy."""

    kind: Literal["ready"] = "ready"
    seat: SeatName
    entropy: Hex


class RoundStartedEvent(_Wire):
    """The cards were dealt; a seat is shown its own."""

    kind: Literal["round_started"] = "round_started"
    round: int
    rounds: int
    starter: SeatName
    totals: Points
    hand: list[CardText] | None


class TurnEvent(_Wire):
    """A turn was made."""

    kind: Literal["turn"] = "turn"
    turn: LastTurn


class RoundEndedEvent(_Wire):
    """The last card of the deck was drawn."""

    kind: Literal["round_ended"] = "round_ended"
    round: int
    scores: Points


class MatchEndedEvent(_Wire):
    """The match is decided."""

    kind: Literal["match_ended"] = "match_ended"
    result: Result


class SecretRevealedEvent(_Wire):
    """The dealer showed its secret, so that anybody can verify the deals."""

    kind: Literal["secret_revealed"] = "secret_revealed"
    secret: str


class RematchOfferedEvent(_Wire):
    """A seat would like another match."""

    kind: Literal["rematch_offered"] = "rematch_offered"
    seat: SeatName


class RematchAgreedEvent(_Wire):
    """There will be another match; the snapshot says at which table."""

    kind: Literal["rematch_agreed"] = "rematch_agreed"


class StagedEvent(_Wire):
    """The own card was put down for the time being."""

    kind: Literal["staged"] = "staged"
    move: str


class TakenBackEvent(_Wire):
    """The own card is back in the hand."""

    kind: Literal["taken_back"] = "taken_back"


TableEvent: TypeAlias = Annotated[
    OpenedEvent
    | ReadyEvent
    | RoundStartedEvent
    | TurnEvent
    | RoundEndedEvent
    | MatchEndedEvent
    | SecretRevealedEvent
    | RematchOfferedEvent
    | RematchAgreedEvent
    | StagedEvent
    | TakenBackEvent,
    Field(discriminator="kind"),
]


class NumberedEvent(_Wire):
    """An event with the version that the viewer has after it."""

    version: Version
    event: TableEvent


# --- the socket ------------------------------------------------------------------------------------


class HelloMessage(_Wire):
    """The first word of a client: the last version that it has, if any."""

    type: Literal["hello"]
    last: Version | None = None


class TurnMessage(_Wire):
    """A turn."""

    type: Literal["turn"]
    version: Version
    id: CommandId
    turn: TurnSent


class ReadyMessage(_Wire):
    """The next round may begin."""

    type: Literal["ready"]
    id: CommandId | None = None
    entropy: EntropyHex = ""


class ResignMessage(_Wire):
    """The seat gives up the match."""

    type: Literal["resign"]
    id: CommandId | None = None


class RematchMessage(_Wire):
    """The seat would like another match, or agrees to one."""

    type: Literal["rematch", "accept_rematch"]
    id: CommandId | None = None


class PingMessage(_Wire):
    """Are you there? The other side answers with a pong."""

    type: Literal["ping"] = "ping"


class PongMessage(_Wire):
    """Yes."""

    type: Literal["pong"] = "pong"


ClientMessage: TypeAlias = Annotated[
    HelloMessage
    | TurnMessage
    | ReadyMessage
    | ResignMessage
    | RematchMessage
    | PingMessage
    | PongMessage,
    Field(discriminator="type"),
]


class SnapshotMessage(_Wire):
    """The whole view: after the hello, and whenever a tail would not do."""

    type: Literal["snapshot"] = "snapshot"
    snapshot: Snapshot


class EventMessage(_Wire):
    """One event; the last event of a step brings the view after it."""

    type: Literal["event"] = "event"
    version: Version
    event: TableEvent
    snapshot: Snapshot | None


class DoneMessage(_Wire):
    """A command was carried out, now or when it came first."""

    type: Literal["done"] = "done"
    id: str | None
    status: DoneStatus
    version: Version


class RefusedMessage(_Wire):
    """A command was not carried out; nothing has changed."""

    type: Literal["refused"] = "refused"
    id: str | None
    code: str
    sentence: str
    version: Version
    snapshot: Snapshot | None = Field(description="The current view, if the command was stale.")


class PresenceMessage(_Wire):
    """Which seats are connected."""

    type: Literal["presence"] = "presence"
    seats: Flags
    spectators: int


class ByeMessage(_Wire):
    """The last word before the server closes a socket or a stream."""

    type: Literal["bye"] = "bye"
    code: str
    sentence: str


ServerMessage: TypeAlias = Annotated[
    SnapshotMessage
    | EventMessage
    | DoneMessage
    | RefusedMessage
    | PresenceMessage
    | PingMessage
    | PongMessage
    | ByeMessage,
    Field(discriminator="type"),
]


# --- requests and answers ------------------------------------------------------------------------


class ComputerOpponent(_Wire):
    """An agent that `/api/agents` lists."""

    kind: Literal["computer"]
    agent: Annotated[str, Field(max_length=200)]


class FriendOpponent(_Wire):
    """Somebody who is sent the invite."""

    kind: Literal["friend"]


class LocalOpponent(_Wire):
    """Somebody in front of the same screen."""

    kind: Literal["local"]
    name: NameText


Opponent: TypeAlias = Annotated[
    ComputerOpponent | FriendOpponent | LocalOpponent, Field(discriminator="kind")
]


class HouseRules(_Wire):
    """What may be agreed beyond colors and rounds; what is left out is as printed."""

    starter_policy: Literal["leader", "round_winner", "trailer", "alternate", "fixed", "random"] = (
        "leader"
    )
    match_goal: Literal["points", "rounds"] = "points"
    tabletop_memory: bool = False
    own_discard_block: bool = True


class NewTable(_Wire):
    """A table to be opened. A preset, or colors and rounds, which win over it."""

    preset: Literal["classic", "long", "quick"] = "classic"
    colors: Literal[5, 6] | None = None
    rounds: Annotated[int, Field(ge=1, le=5)] | None = None
    house_rules: HouseRules = HouseRules()
    opponent: Opponent
    starter: Literal["you", "other", "random"] = "random"
    name: NameText
    id: OnceId | None = None


class RecoveryLink(_Wire):
    """The way back to a seat after the cookies were cleared: the newest one. Whoever has it has the seat."""

    seat: SeatName
    url: str


class OpenedTable(_Wire):
    """A table that was opened; the cookies of its seats came with this answer."""

    table_id: str
    seats: list[SeatName]
    invite: Invite | None
    recovery: list[RecoveryLink]


class InviteInfo(_Wire):
    """What somebody invited may know before joining."""

    table_id: str
    host: str
    variant: VariantInfo
    free: bool
    first_starter: SeatName | None


class JoinRequest(_Wire):
    """The press of 'Join'."""

    code: Annotated[str, Field(max_length=32)]
    name: NameText
    id: OnceId | None = None


class JoinedTable(_Wire):
    """The seat is taken; its cookie came with this answer."""

    table_id: str
    seat: SeatName
    recovery: RecoveryLink


class RecoverRequest(_Wire):
    """The token of a recovery link."""

    token: Annotated[str, Field(max_length=64)]


class RecoveredSeat(_Wire):
    """The seat that the link led back to."""

    table_id: str
    seat: SeatName


class TableSummary(_Wire):
    """A table in which this browser has a seat."""

    table_id: str
    seats: list[SeatName]
    names: Names
    status: TableStatus
    your_turn: bool
    round: int
    rounds: int
    colors: int
    totals: Points
    opponent: OpponentInfo
    result: Result | None
    updated: str = Field(description="When something last happened, ISO 8601 in UTC.")


class MoveRequest(_Wire):
    """A turn, as on the socket."""

    seat: SeatName | None = None
    version: Version
    id: CommandId
    turn: TurnSent


class ReadyRequest(_Wire):
    """The next round may begin."""

    seat: SeatName | None = None
    id: CommandId | None = None
    entropy: EntropyHex = ""


class SeatRequest(_Wire):
    """A command that needs no more than a seat."""

    seat: SeatName | None = None
    id: CommandId | None = None


class Done(_Wire):
    """A command was carried out, now or when it came first."""

    status: DoneStatus
    version: Version


class EventList(_Wire):
    """The events that the viewer has been shown after a version."""

    version: Version
    events: list[NumberedEvent]


class AgentInfo(_Wire):
    """An opponent that can be chosen."""

    spec: str
    name: str
    level: int | None
    word: str = Field(description="A word on its strength.")
    points: float | None = Field(description="Measured points a round above level 1.")
    colors: list[int]


class ReplayStep(_Wire):
    """The table after a turn; the first of a round stands before any turn."""

    n: int
    round: int
    turn: LastTurn | None
    snapshot: Snapshot
    hands: ShownHands = Field(
        description="What the viewer may know: the own hand; both once the secret is revealed."
    )


class Replay(_Wire):
    """A match step by step, as the viewer may see it."""

    complete: bool
    steps: list[ReplayStep]


class CheckInfo(_Wire):
    """One thing that was checked."""

    what: str
    ok: bool
    problem: str | None


class RoundProof(_Wire):
    """The deal of a round."""

    round: int
    starter: SeatName
    deal: list[CardText]


class Proof(_Wire):
    """What it takes to verify the deals of a finished match, and what the server found itself."""

    scheme: str
    match_id: str
    commitment: str
    secret: str
    entropy: HexTexts
    first_starter: SeatName | None = Field(description="The starter that was agreed, not drawn.")
    variant: VariantInfo
    rounds: list[RoundProof]
    checks: list[CheckInfo]


class Problem(_Wire):
    """Why something was refused: a code for programs, a sentence for people."""

    code: str
    sentence: str
    version: Version | None = None
    snapshot: Snapshot | None = None


class Health(_Wire):
    """The state of the server."""

    status: Literal["ok", "unavailable"]
    version: str
    sentence: str | None = None
