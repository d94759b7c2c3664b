"""`lostcities replay`: a recorded game, whole or at one turn."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from lostcities.cli.files import InputError, read_text
from lostcities.notation import (
    Replay,
    RoundRecord,
    format_observation,
    format_position,
    format_turn,
    parse_records,
    replay,
)
from lostcities.notation.receipts import score_to_data
from lostcities.play.provenance import Author, Provenance, origin_to_data, origins_in
from lostcities.rules import (
    SEAT_NAMES,
    SEATS,
    Position,
    PublicObservation,
    score_expedition,
    seat_name,
)
from lostcities.tui.board import Board, receipts
from lostcities.tui.sentences import round_result
from lostcities.tui.style import Style


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("file", metavar="FILE", help="a record; '-' is standard input")
    parser.add_argument(
        "--at",
        type=_turn_number,
        metavar="TURN",
        help="show the table after so many turns (both sides counted, 0 is the deal)",
    )
    parser.add_argument(
        "--round",
        type=_turn_number,
        metavar="N",
        help="only the N-th record of the file, counted from 1",
    )
    parser.add_argument(
        "--computer", action="store_true", help="say of the computer's turns where they come from"
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def _turn_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"expected a number like 12, got {text[:20]!r}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Show the records of the file."""
    replays = [replay(record) for record in parse_records(read_text(arguments.file))]
    chosen = _choose(replays, arguments.round, arguments.at)
    if arguments.json:
        rounds = [_to_data(part, arguments.at) for part in chosen]
        if arguments.computer:
            for data, part in zip(rounds, chosen, strict=True):
                data["computer"] = _origins_to_data(part)
        print(json.dumps({"rounds": rounds}))
        return 0
    style = Style.of(sys.stdout)
    blocks = [
        _show_all(part, style, with_origins=arguments.computer)
        if arguments.at is None
        else _show_turn(part, arguments.at, style)
        for part in chosen
    ]
    print("\n\n".join("\n".join(block) for block in blocks))
    return 0


def _choose(replays: list[Replay], number: int | None, at: int | None) -> list[Replay]:
    """Return the records that are asked for: with a turn, the first unless one is named."""
    if number is not None and not 1 <= number <= len(replays):
        raise InputError(f"expected --round from 1 to {len(replays)}, got {number}")
    if number is None and at is None:
        return replays
    part = replays[(number or 1) - 1]
    num_turns = len(part.record.turns)
    if at is not None and at > num_turns:
        raise InputError(f"expected --at from 0 to {num_turns}, the turns of this round, got {at}")
    return [part]


def _view(part: Replay, position: Position) -> Position | PublicObservation:
    """Return what the record knows of a position."""
    return position if part.has_known_hands else position.observe_publicly()


def _position_text(part: Replay, position: Position) -> str:
    view = _view(part, position)
    return format_position(view) if isinstance(view, Position) else format_observation(view)


def _show_turn(part: Replay, at: int, style: Style) -> list[str]:
    position = part.positions[at]
    board = Board(
        position.observe_publicly(),
        part.record.names,
        bottom=0,
        hands=dict(enumerate(position.hands)) if part.has_known_hands else {},
    )
    num_turns = len(part.record.turns)
    return [
        f"after turn {at} of {num_turns}: {_turn_text(part, at - 1)}" if at else "the deal",
        *board.lines(style),
        "",
        _position_text(part, position),
    ]


def _show_all(part: Replay, style: Style, *, with_origins: bool) -> list[str]:
    record, final = part.record, part.final
    standing = record.standing
    lines = [
        _heading(record),
        *_turn_lines(part, origins_in(record) if with_origins else {}),
    ]
    for seat in SEATS:
        lines.append(f"{seat_name(seat)} {record.names[seat]}:")
        lines.extend(receipts(final.expeditions[seat], record.variant, style=style))
    num_turns, num_takes = len(record.turns), part.num_takes
    lines.append(f"{num_turns} turns, {num_takes} takes from discard piles")
    if final.is_over:
        lines.append(round_result(part.scores, standing.round_number, record.names))
    else:
        lines.append(f"the round is not over: {len(final.deck)} cards are left in the deck")
    return lines


def _heading(record: RoundRecord) -> str:
    standing = record.standing
    return (
        f"round {standing.round_number} of {standing.num_rounds}: A {record.names[0]}, "
        f"B {record.names[1]}, {record.variant.num_colors} colors, "
        f"{seat_name(standing.starter)} starts"
    )


def _turn_lines(part: Replay, origins: Mapping[int, Author | Provenance]) -> Iterator[str]:
    """Yield each turn with the score of both sides after it, and where it comes from."""
    for index in range(len(part.record.turns)):
        a, b = part.positions[index + 1].scores
        origin = origins.get(index)
        by = "" if origin is None else f"  by {_words_of(origin)}"
        yield f"  {index + 1:>3} {_turn_text(part, index):<14} A {a:>4}  B {b:>4}{by}"


def _words_of(origin: Author | Provenance) -> str:
    author = origin.author if isinstance(origin, Provenance) else origin
    parts = [author.agent]
    if author.playouts is not None:
        parts.append(f"{author.playouts} playouts")
    if author.seconds is not None:
        parts.append(f"{author.seconds:g} s")
    if author.is_stand_in:
        parts.append(f"in place of {author.stands_in_for}, which failed")
    if author.version:
        parts.append(f"version {author.version}")
    if isinstance(origin, Provenance):
        parts.append(f"seed {origin.seed:016x}")
    return ", ".join(parts)


def _origins_to_data(part: Replay) -> list[dict[str, Any]]:
    return [
        {"turn": index + 1, **origin_to_data(origin)}
        for index, origin in sorted(origins_in(part.record).items())
    ]


def _turn_text(part: Replay, index: int) -> str:
    written = part.record.turns[index]
    mover = part.positions[index].mover
    drawn = written.drawn
    if part.has_known_hands:
        staged = part.positions[index].after(written.turn.card_move)
        drawn = staged.card_drawn_by(written.turn.draw)
    return f"{seat_name(mover)} {format_turn(written.turn, drawn)}"


def _to_data(part: Replay, at: int | None) -> dict[str, Any]:
    record = part.record
    position = part.final if at is None else part.positions[at]
    scores = position.scores
    return {
        "round": record.standing.round_number,
        "rounds": record.standing.num_rounds,
        "colors": record.variant.num_colors,
        "names": dict(zip(SEAT_NAMES, record.names, strict=True)),
        "starter": seat_name(record.standing.starter),
        "turns": len(record.turns),
        "takes": part.num_takes,
        "is_over": part.final.is_over,
        "at": len(record.turns) if at is None else at,
        "position": _position_text(part, position),
        "scores": dict(zip(SEAT_NAMES, scores, strict=True)),
        "totals": dict(zip(SEAT_NAMES, position.standing.totals, strict=True)),
        "expeditions": {
            SEAT_NAMES[seat]: {
                color.letter: score_to_data(score_expedition(cards, record.variant))
                for color, cards in zip(
                    record.variant.colors, position.expeditions[seat], strict=True
                )
                if cards
            }
            for seat in SEATS
        },
    }
