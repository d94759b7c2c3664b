"""What each viewer is sent, built field by field from what the table shows it.

Everything here is made of `TableView`s and `EventView`s, which are made for one
viewer. The truth about a table is not to be had here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypedDict, assert_never, cast

from lostcities.notation import format_card_move, format_draw, format_turn
from lostcities.play import EventView, Stage, TableView, Viewer
from lostcities.play.views import (
    CardStagedView,
    CardTakenBackView,
    MatchEndedView,
    RematchAgreedView,
    RematchOfferedView,
    RoundEndedView,
    RoundStartedView,
    SeatReadyView,
    SecretRevealedView,
    TableOpenedView,
    TurnTakenView,
)
from lostcities.rules import (
    SEAT_NAMES,
    SEATS,
    Card,
    CardMove,
    Color,
    Discard,
    ExpeditionScore,
    Observation,
    Play,
    PublicObservation,
    Refusal,
    Seat,
    Variant,
    score_expedition,
)
from lostcities.server import schema
from lostcities.server.schema import (
    ColorLetter,
    SeatName,
    Snapshot,
    SourceLetter,
    TableStatus,
    WarningCode,
)

_FEW_CARDS = 6
"""Cards in the deck at which a calm warning begins."""
_FEW_STALLING_TURNS = 2
"""Stalling turns before the guard at which people are told."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a viewer is told beside the game itself.

    Attributes:
        table_id: Names the table.
        opponent: Who sits opposite the host.
        host: The seat of the one who opened the table.
        seats: The seats that this viewer holds.
        invite: How to join; for the host only, while the other seat is free.
        next_table: The table of the agreed rematch.
    """

    table_id: str
    opponent: schema.OpponentInfo
    host: Seat
    seats: tuple[Seat, ...]
    invite: schema.Invite | None = None
    next_table: str | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table at which a seat is still free."""

    variant: Variant
    names: tuple[str | None, str | None]
    commitment: str
    ready: tuple[bool, bool]
    entropy: tuple[bytes, bytes]


def name_of(seat: Seat) -> SeatName:
    """Return the name of a seat."""
    return cast("SeatName", SEAT_NAMES[seat])


def _name_or_none(seat: Seat | None) -> SeatName | None:
    return None if seat is None else name_of(seat)


def _letter(color: Color) -> ColorLetter:
    return cast("ColorLetter", color.letter)


@cache
def _letters(variant: Variant) -> tuple[ColorLetter, ...]:
    return tuple(map(_letter, variant.colors))


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _points(pair: tuple[int, int]) -> schema.Points:
    return schema.Points(A=pair[0], B=pair[1])


@cache
def variant_info(variant: Variant) -> schema.VariantInfo:
    """Return the numbers of a game."""
    return schema.VariantInfo(
        name=cast("Literal['classic', 'long', 'non-standard']", variant.name),
        colors=list(_letters(variant)),
        lowest_rank=variant.lowest_rank,
        highest_rank=variant.highest_rank,
        wagers_per_color=variant.wagers_per_color,
        hand_size=variant.hand_size,
        rounds=variant.num_rounds,
        deck_size=len(variant.deck),
        expedition_cost=variant.expedition_cost,
        bonus=variant.bonus,
        bonus_threshold=variant.bonus_threshold,
        starter_policy=variant.starter_policy.value,
        match_goal=variant.match_goal.value,
        tabletop_memory=variant.tabletop_memory,
        own_discard_block=variant.own_discard_block,
        stall_limit=variant.stall_limit,
    )


# --- the snapshot ---------------------------------------------------------------------------------


def snapshot_of_waiting(waiting: Waiting, viewer: Viewer, around: Surroundings) -> Snapshot:
    """Return how a table with a free seat stands."""
    variant = waiting.variant
    return Snapshot(
        table_id=around.table_id,
        version=0,
        viewer=_name_or_none(viewer),
        seats=[name_of(seat) for seat in around.seats],
        status="waiting",
        variant=variant_info(variant),
        names=schema.Names(A=waiting.names[0], B=waiting.names[1]),
        opponent=around.opponent,
        host=name_of(around.host),
        ready=schema.Flags(A=waiting.ready[0], B=waiting.ready[1]),
        round=0,
        rounds=variant.num_rounds,
        starter=None,
        to_move=None,
        **_facts_before_the_first_deal(variant),
        hand=None,
        totals=_points((0, 0)),
        history=[],
        legal=None,
        cards=None,
        last=None,
        result=None,
        rematch=schema.Rematch(),
        commitment=waiting.commitment,
        entropy=_hex(waiting.entropy),
        secret=None,
        deal_revealed=False,
        warnings=[],
        invite=around.invite,
    )


def snapshot_of(view: TableView, around: Surroundings) -> Snapshot:
    """Return how a table stands, from what it shows the viewer."""
    observation, variant = view.observation, view.variant
    facts = (
        _facts_before_the_first_deal(variant) if observation is None else _open_facts(observation)
    )
    is_running = observation is not None and view.stage is Stage.PLAYING
    mover = observation if is_running and isinstance(observation, Observation) else None
    if mover is not None and not mover.is_own_turn:
        mover = None
    cards = None if mover is None else _hand_cards(mover)
    return Snapshot(
        table_id=around.table_id,
        version=view.version,
        viewer=_name_or_none(view.viewer),
        seats=[name_of(seat) for seat in around.seats],
        status=status_of(view),
        variant=variant_info(variant),
        names=schema.Names(A=view.names[0], B=view.names[1]),
        opponent=around.opponent,
        host=name_of(around.host),
        ready=schema.Flags(A=0 in view.ready, B=1 in view.ready),
        round=0 if observation is None else observation.standing.round_number,
        rounds=variant.num_rounds,
        starter=None if observation is None else name_of(observation.standing.starter),
        to_move=_name_or_none(observation.to_move) if observation and is_running else None,
        **facts,
        hand=_texts(observation.hand) if isinstance(observation, Observation) else None,
        totals=_points(view.match.totals),
        history=[_points(result.scores) for result in view.match.rounds],
        legal=None if cards is None else _legal_turns(cards),
        cards=cards,
        last=None if view.last_turn is None else last_turn(view.last_turn),
        result=None if view.ended is None else _result(view.ended),
        rematch=schema.Rematch(
            offered_by=_name_or_none(min(view.rematch_offers, default=None)),
            table_id=around.next_table,
        ),
        commitment=view.commitment,
        entropy=_hex(view.entropy),
        secret=view.secret,
        deal_revealed=view.secret is not None,
        warnings=_warnings(observation) if observation and is_running else [],
        invite=around.invite,
    )


def status_of(view: TableView) -> TableStatus:
    """Return what the table waits for, in the words of the wire."""
    match view.stage:
        case Stage.PLAYING:
            return "playing"
        case Stage.OVER:
            return "match_over"
        case Stage.BETWEEN_ROUNDS:
            return "waiting" if view.observation is None else "round_over"
        case _:
            assert_never(view.stage)


class OpenFacts(TypedDict):
    """The part of a snapshot that lies open on the table."""

    deck: int
    turns_left: schema.Points
    stalling: schema.Stalling
    hand_sizes: schema.Points
    known: schema.CardLists
    expeditions: schema.Expeditions
    piles: dict[ColorLetter, list[str]]
    pile_sizes: dict[ColorLetter, int]
    unseen: int
    scores: schema.SeatScores


def _facts_before_the_first_deal(variant: Variant) -> OpenFacts:
    empty: dict[ColorLetter, list[str]] = {letter: [] for letter in _letters(variant)}
    nothing = _seat_score([()] * variant.num_colors, variant)
    return OpenFacts(
        deck=len(variant.deck),
        turns_left=_points((0, 0)),
        stalling=schema.Stalling(count=0, limit=variant.stall_limit),
        hand_sizes=_points((0, 0)),
        known=schema.CardLists(A=[], B=[]),
        expeditions=schema.Expeditions(A=empty, B=empty),
        piles=empty,
        pile_sizes=dict.fromkeys(empty, 0),
        unseen=len(variant.deck),
        scores=schema.SeatScores(A=nothing, B=nothing),
    )


def _open_facts(observation: Observation | PublicObservation) -> OpenFacts:
    """Return what everybody sees of a round, and how many cards this viewer does not see."""
    variant = observation.variant
    letters = _letters(variant)
    a, b = (
        {letter: _texts(cards) for letter, cards in zip(letters, columns, strict=True)}
        for columns in observation.expeditions
    )
    scores = [_seat_score(columns, variant) for columns in observation.expeditions]
    return OpenFacts(
        deck=observation.deck_size,
        turns_left=_points((observation.turns_left(0), observation.turns_left(1))),
        stalling=schema.Stalling(count=observation.num_stalling_turns, limit=variant.stall_limit),
        hand_sizes=_points(observation.hand_sizes),
        known=schema.CardLists(A=_texts(observation.known[0]), B=_texts(observation.known[1])),
        expeditions=schema.Expeditions(A=a, B=b),
        piles={
            letter: _texts(pile) for letter, pile in zip(letters, observation.piles, strict=True)
        },
        pile_sizes=dict(zip(letters, observation.pile_sizes, strict=True)),
        unseen=_num_unseen(observation),
        scores=schema.SeatScores(A=scores[0], B=scores[1]),
    )


def _num_unseen(observation: Observation | PublicObservation) -> int:
    """Count what lies in the deck, in hands that this viewer does not see, and under pile tops."""
    own = observation.seat if isinstance(observation, Observation) else None
    hidden = sum(
        observation.hand_sizes[seat] - len(observation.known[seat]) for seat in SEATS if seat != own
    )
    under = sum(observation.pile_sizes) - sum(map(len, observation.piles))
    return observation.deck_size + hidden + under


def _seat_score(columns: Iterable[tuple[Card, ...]], variant: Variant) -> schema.SeatScore:
    parts = [score_expedition(cards, variant) for cards in columns]
    return schema.SeatScore(
        total=sum(part.score for part in parts),
        by={letter: _receipt(part) for letter, part in zip(_letters(variant), parts, strict=True)},
    )


@cache  # a few hundred are possible; nearly all of a snapshot's were there before
def _receipt(part: ExpeditionScore) -> schema.Receipt:
    return schema.Receipt(
        sum=part.number_sum,
        wagers=part.num_wagers,
        cards=part.num_cards,
        cost=part.cost,
        multiplier=part.multiplier,
        bonus=part.bonus,
        total=part.score,
        started=part.num_cards > 0,
    )


def _hex(entropy: tuple[bytes, bytes]) -> schema.HexTexts:
    return schema.HexTexts(A=entropy[0].hex(), B=entropy[1].hex())


def _result(ended: MatchEndedView) -> schema.Result:
    return schema.Result(
        totals=_points(ended.totals),
        winner=_name_or_none(ended.winner),
        resigned=_name_or_none(ended.resigned),
    )


def _warnings(observation: Observation | PublicObservation) -> list[WarningCode]:
    warnings: list[WarningCode] = []
    if observation.deck_size == 1:
        warnings.append("last_card")
    if observation.deck_size <= _FEW_CARDS:
        warnings.append("deck_low")
    limit = observation.variant.stall_limit
    if limit is not None and observation.num_stalling_turns >= limit:
        warnings.append("piles_closed")
    elif limit is not None and observation.num_stalling_turns >= limit - _FEW_STALLING_TURNS > 0:
        warnings.append("stalling")
    return warnings


# --- what may be done with each card --------------------------------------------------------------


def _hand_cards(observation: Observation) -> list[schema.HandCard]:
    made = {card: _hand_card(observation, card) for card in dict.fromkeys(observation.hand)}
    return [made[card] for card in observation.hand]


def _hand_card(observation: Observation, card: Card) -> schema.HandCard:
    refusal = observation.reason_against(Play(card))
    moves: list[CardMove] = [Discard(card)] if refusal else [Play(card), Discard(card)]
    draws: dict[str, list[SourceLetter]] = {}
    closed: dict[str, dict[ColorLetter, str]] = {}
    for move in moves:
        half, faults = format_card_move(move), observation.closed_piles_after(move)
        closed[half] = {_letter(color): code.value for color, code in faults.items()}
        is_open = [color for color in observation.variant.colors if color not in faults]
        draws[half] = ["D", *map(_letter, is_open)]
    return schema.HandCard(
        card=str(card),
        play=_choice(refusal, None if refusal else _score_after(observation, card)),
        discard=schema.Choice(ok=True),
        draws=draws,
        closed=closed,
    )


def _legal_turns(cards: Iterable[schema.HandCard]) -> list[str]:
    """Return whole turns as text: plays, then discards, as the rules list them."""
    halves = {half: sources for card in cards for half, sources in card.draws.items()}
    in_order = sorted(halves, key=lambda half: half.startswith("-"))
    return [f"{half}/{source}" for half in in_order for source in halves[half]]


def _choice(refusal: Refusal | None, score_after: int | None) -> schema.Choice:
    if refusal is None:
        return schema.Choice(ok=True, score_after=score_after)
    return schema.Choice(ok=False, code=refusal.code.value, sentence=refusal.sentence)


def _score_after(observation: Observation, card: Card) -> int:
    cards = (*observation.own_expeditions[card.color], card)
    return score_expedition(cards, observation.variant).score


# --- events ---------------------------------------------------------------------------------------


def last_turn(view: TurnTakenView) -> schema.LastTurn:
    """Return a turn as the viewer was shown it."""
    turn = view.turn
    pile = turn.draw.pile
    return schema.LastTurn(
        seat=name_of(view.seat),
        turn=format_turn(turn),
        card=str(turn.card_move.card),
        to="expedition" if isinstance(turn.card_move, Play) else "pile",
        draw="deck" if pile is None else cast("ColorLetter", format_draw(turn.draw)),
        drawn=None if view.drawn is None else str(view.drawn),
        agent=None if view.author is None else view.author.agent,
        flagged=view.author is not None and view.author.is_stand_in,
    )


def event_of(view: EventView) -> schema.TableEvent:  # noqa: C901, PLR0911 # a line for each event
    """Return an event in the form of the wire."""
    match view:
        case TableOpenedView():
            return schema.OpenedEvent(
                names=schema.Names(A=view.names[0], B=view.names[1]),
                commitment=view.commitment,
                first_starter=_name_or_none(view.first_starter),
            )
        case SeatReadyView():
            return schema.ReadyEvent(seat=name_of(view.seat), entropy=view.entropy.hex())
        case RoundStartedView():
            return _round_started(view)
        case CardStagedView():
            return schema.StagedEvent(move=format_card_move(view.move))
        case CardTakenBackView():
            return schema.TakenBackEvent()
        case TurnTakenView():
            return schema.TurnEvent(turn=last_turn(view))
        case RoundEndedView():
            return schema.RoundEndedEvent(round=view.round_number, scores=_points(view.scores))
        case MatchEndedView():
            return schema.MatchEndedEvent(result=_result(view))
        case SecretRevealedView():
            return schema.SecretRevealedEvent(secret=view.secret)
        case RematchOfferedView():
            return schema.RematchOfferedEvent(seat=name_of(view.seat))
        case RematchAgreedView():
            return schema.RematchAgreedEvent()
        case _:
            assert_never(view)


def _round_started(view: RoundStartedView) -> schema.RoundStartedEvent:
    standing = view.standing
    return schema.RoundStartedEvent(
        round=standing.round_number,
        rounds=standing.num_rounds,
        starter=name_of(standing.starter),
        totals=_points(standing.totals),
        hand=None if view.hand is None else _texts(view.hand),
    )
