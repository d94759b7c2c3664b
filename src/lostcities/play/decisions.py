"""What follows from a command, and what speaks against it: pure functions of the state."""

from typing import assert_never

from lostcities.play.commands import (
    Command,
    OfferRematch,
    Ready,
    Resign,
    StageCard,
    TakeBack,
    TakeTurn,
)
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
    TurnTaken,
)
from lostcities.play.fairness import (
    MAX_ENTROPY_BYTES,
    deal_of_round,
    lot_of_round,
)
from lostcities.play.outcomes import TableRefusalCode
from lostcities.play.state import Stage, TableState
from lostcities.rules import (
    SEATS,
    Match,
    Refusal,
    RefusalCode,
    RoundResult,
    Seat,
    Standing,
    other_seat,
    seat_name,
)

MAX_ID_LENGTH = 64


def reason_against(state: TableState, command: Command, *, version: int) -> Refusal | None:
    """Return why the table refuses a command, or None.

    Args:
        state: The truth.
        command: What is asked for.
        version: The number of events that the seat has been shown.
    """
    if command.seat not in SEATS:
        return Refusal(TableRefusalCode.BAD_COMMAND, f"expected seat 0 or 1, got {command.seat}")
    if not command.id.isprintable() or not 1 <= len(command.id) <= MAX_ID_LENGTH:
        return Refusal(
            TableRefusalCode.BAD_COMMAND,
            f"expected a command id of 1 to {MAX_ID_LENGTH} printable characters, "
            f"got {len(command.id)} characters",
        )
    match command.action:
        case StageCard() | TakeBack() | TakeTurn():
            return _against_turn(state, command, command.action, version=version)
        case Ready():
            return _against_ready(state, command.seat, command.action)
        case Resign():
            return _against_resigning(state)
        case OfferRematch():
            return _against_rematch(state, command.seat)
        case _:
            assert_never(command.action)


def _against_turn(
    state: TableState,
    command: Command,
    action: StageCard | TakeBack | TakeTurn,
    *,
    version: int,
) -> Refusal | None:
    position = state.position
    if state.stage is Stage.OVER:
        return _match_over()
    if state.stage is not Stage.PLAYING or position is None:
        return Refusal(
            TableRefusalCode.NOT_PLAYING,
            "cannot move: the next round starts when both players are ready",
        )
    if command.seen != version:
        return Refusal(
            TableRefusalCode.STALE,
            f"expected a command that has seen version {version}, "
            f"got one that has seen {command.seen}: the table has moved on",
        )
    match action:
        case StageCard():
            return position.reason_against(action.move, seat=command.seat)
        case TakeTurn():
            return position.reason_against_turn(action.turn, seat=command.seat)
        case TakeBack():
            if state.staged is None or command.seat != position.to_move:
                return Refusal(
                    TableRefusalCode.NOTHING_STAGED,
                    "cannot take back: no card is put down; a turn stands once its card is drawn",
                )
            return None
        case _:
            assert_never(action)


def _match_over() -> Refusal:
    return Refusal(RefusalCode.MATCH_OVER, "cannot do that: the match is over")


def _against_ready(state: TableState, seat: Seat, action: Ready) -> Refusal | None:
    if state.stage is Stage.OVER:
        return _match_over()
    if state.stage is Stage.PLAYING:
        return Refusal(TableRefusalCode.ROUND_RUNNING, "cannot start a round: one is being played")
    if seat in state.ready:
        return Refusal(
            TableRefusalCode.ALREADY_READY,
            f"{seat_name(seat)} is ready already, waiting for {seat_name(other_seat(seat))}",
        )
    if action.entropy and state.match.rounds:
        return Refusal(
            TableRefusalCode.ENTROPY_TOO_LATE,
            "cannot add entropy: it counts for all deals of the match, and the first has been made",
        )
    if len(action.entropy) > MAX_ENTROPY_BYTES:
        return Refusal(
            TableRefusalCode.BAD_COMMAND,
            f"expected at most {MAX_ENTROPY_BYTES} bytes of entropy, got {len(action.entropy)}",
        )
    return None


def _against_resigning(state: TableState) -> Refusal | None:
    return _match_over() if state.stage is Stage.OVER else None


def _against_rematch(state: TableState, seat: Seat) -> Refusal | None:
    if state.stage is not Stage.OVER:
        return Refusal(
            TableRefusalCode.MATCH_RUNNING, "cannot offer a rematch: the match is not over"
        )
    if seat in state.rematch_offers:
        return Refusal(
            TableRefusalCode.ALREADY_OFFERED, f"{seat_name(seat)} has offered a rematch already"
        )
    return None


def events_of(state: TableState, command: Command) -> list[Event]:
    """Return what follows from a command that nothing speaks against."""
    seat, action = command.seat, command.action
    match action:
        case Ready():
            return _events_of_ready(state, SeatReady(seat, action.entropy))
        case StageCard():
            return [CardStaged(seat, action.move)]
        case TakeBack():
            return [CardTakenBack(seat)]
        case TakeTurn():
            return _events_of_turn(state, seat, action)
        case Resign():
            return _events_of_end(
                state, MatchEnded(state.match.totals, winner=other_seat(seat), resigned=seat)
            )
        case OfferRematch():
            offer: list[Event] = [RematchOffered(seat)]
            both = other_seat(seat) in state.rematch_offers
            return [*offer, RematchAgreed()] if both else offer
        case _:
            assert_never(action)


def _events_of_ready(before: TableState, ready: SeatReady) -> list[Event]:
    state = before.after(ready)
    if len(state.ready) < len(SEATS):
        return [ready]
    opening = state.opening
    standing = _next_standing(state)
    deal = deal_of_round(
        opening.secret,
        match_id=opening.match_id,
        round_number=standing.round_number,
        entropy=state.entropy,
        variant=opening.variant,
    )
    return [ready, RoundStarted(standing, deal)]


def _events_of_turn(state: TableState, seat: Seat, action: TakeTurn) -> list[Event]:
    position = state.position
    assert position is not None  # noqa: S101 # _against_turn has seen to it
    staged = position.after(action.turn.card_move)
    turn = TurnTaken(
        seat,
        action.turn,
        drawn=staged.card_drawn_by(action.turn.draw),
        provenance=action.provenance,
    )
    final = staged.after(action.turn.draw)
    if not final.is_over:
        return [turn]
    round_ended = RoundEnded(position.standing.round_number, final.scores)
    match = state.match.with_round(RoundResult(position.standing.starter, final.scores))
    if not match.is_over:
        return [turn, round_ended]
    ended = MatchEnded(match.totals, winner=match.leader)
    return [turn, round_ended, *_events_of_end(state, ended)]


def _events_of_end(state: TableState, ended: MatchEnded) -> list[Event]:
    return [ended, SecretRevealed(state.opening.secret)]


def _next_standing(state: TableState) -> Standing:
    opening, match = state.opening, state.match
    lot = lot_of_round(
        opening.secret,
        match_id=opening.match_id,
        round_number=len(match.rounds) + 1,
        entropy=state.entropy,
    )
    if not match.rounds:
        first = lot if opening.first_starter is None else opening.first_starter
        match = Match(opening.variant, first)
    return match.next_standing(lot)
