"""`lostcities verify-bot`: make the computer's moves of a record again."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from lostcities.agents.version import agents_version
from lostcities.arena.rerun import Rerun, Verdict, rerun, rounds_before
from lostcities.cli.files import InputError, read_text
from lostcities.notation import RoundRecord, parse_records
from lostcities.rules import SEAT_NAMES, seat_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.description = (
        "Make every move of the computer again that can be made again: the same agent, seed and "
        "limit, and what the agent saw. Exit code 0 if at least one was made again and nothing "
        "differs, else 1. Programs of other people are never started, nor files with their networks opened."
    )
    parser.add_argument("record", metavar="RECORD", help="a record; '-' is standard input")
    parser.add_argument("--seat", choices=tuple(SEAT_NAMES), help="only the moves of this seat")
    parser.add_argument(
        "--round", type=int, metavar="N", help="only the N-th record of the file, counted from 1"
    )
    parser.add_argument(
        "--move", type=int, metavar="N", help="only turn N of a round, both sides counted, from 1"
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """Make the moves again and say what came of it."""
    all_records = parse_records(read_text(arguments.record))
    records = _choose(all_records, arguments)
    seat = None if arguments.seat is None else SEAT_NAMES.index(arguments.seat)
    moves = []
    for record in records:
        earlier = rounds_before(record, all_records)
        for move in rerun(record, earlier=earlier, seat=seat, turn_number=arguments.move):
            moves.append(move)
            if not arguments.json:
                print(_line(move), flush=True)
    if arguments.json:
        print(json.dumps(_to_data(moves)))
    else:
        print("\n".join(_summary(moves)))
    return 0 if _is_verified(moves) else 1


def _choose(records: Sequence[RoundRecord], arguments: argparse.Namespace) -> Sequence[RoundRecord]:
    number, move = arguments.round, arguments.move
    if number is not None and not 1 <= number <= len(records):
        raise InputError(f"expected --round from 1 to {len(records)}, got {number}")
    chosen = records if number is None else [records[number - 1]]
    longest = max(len(record.turns) for record in chosen)
    if move is not None and not 1 <= move <= longest:
        raise InputError(f"expected --move from 1 to {longest}, got {move}")
    return chosen


def _is_verified(moves: Sequence[Rerun]) -> bool:
    verdicts = [move.verdict for move in moves]
    return Verdict.SAME in verdicts and not any(verdict.is_problem for verdict in verdicts)


def _line(move: Rerun) -> str:
    agent = "" if move.author is None else f" by {move.author.agent}"
    reason = f": {move.reason}" if move.reason else ""
    return (
        f"round {move.round_number}, turn {move.turn_number}: {seat_name(move.seat)} {move.turn}"
        f"{agent}: {move.verdict}{reason}"
    )


def _summary(moves: Sequence[Rerun]) -> Iterator[str]:
    others = {move.author.version for move in moves if move.author and move.is_of_other_version}
    for version in sorted(others):
        yield (
            f"note: moves were made by version {version}, and this is {agents_version()}: where "
            "they differ, the agents may have changed since; the same version decides it"
        )
    if not moves:
        yield "the record states no move of the computer"
        return
    counts = Counter(move.verdict for move in moves)
    yield ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])


def _to_data(moves: Sequence[Rerun]) -> dict[str, Any]:
    counts = Counter(move.verdict for move in moves)
    return {
        "ok": _is_verified(moves),
        "version": agents_version(),
        "counts": {verdict.value: counts[verdict] for verdict in Verdict},
        "moves": [_move_to_data(move) for move in moves],
    }


def _move_to_data(move: Rerun) -> dict[str, Any]:
    author = move.author
    return {
        "round": move.round_number,
        "turn": move.turn_number,
        "seat": seat_name(move.seat),
        "move": move.turn,
        "agent": None if author is None else author.agent,
        "version": None if author is None else author.version,
        "is_of_other_version": move.is_of_other_version,
        "stands_in_for": (author.stands_in_for or None) if author else None,
        "verdict": move.verdict.value,
        "reason": move.reason or None,
    }
