"""Kinds about notation: turns, positions, records."""

from typing import Final

from lostcities.conformance.fields import Fact, Fields, answers, as_texts
from lostcities.conformance.runs import RUN_FACTS, Run
from lostcities.conformance.states import read_state
from lostcities.notation import (
    NotationError,
    RoundRecord,
    format_observation,
    format_position,
    format_records,
    format_turn,
    parse_position,
    parse_records,
    parse_turn,
    replay,
)
from lostcities.rules import Discard, Draw, Seat, WrittenTurn, other_seat

_TURN_FACTS: Final[dict[str, Fact[WrittenTurn]]] = {
    "parsed": lambda written, wanted: answers(_PART_FACTS, written, wanted),
    "text": lambda written, _: format_turn(written.turn, written.drawn),
}
_PART_FACTS: Final[dict[str, Fact[WrittenTurn]]] = {
    "act": lambda written, _: "discard" if isinstance(written.turn.card_move, Discard) else "play",
    "card": lambda written, _: str(written.turn.card_move.card),
    "draw": lambda written, _: _source(written.turn.draw),
    "drawn": lambda written, _: None if written.drawn is None else str(written.drawn),
}


def _source(draw: Draw) -> str:
    return "deck" if draw.pile is None else draw.pile.letter


def run_notation_turn(setup: Fields, expected: object) -> dict[str, object]:
    """Read a turn."""
    return answers(_TURN_FACTS, parse_turn(setup.text("text")), expected)


def run_notation_reject(setup: Fields, expected: object) -> dict[str, object]:
    """Read texts that may be no turns."""
    accepted = [text for text in as_texts(setup.take("texts"), "texts") if _is_turn(text)]
    return answers({"accepted": lambda _, __: accepted}, None, expected)


def _is_turn(text: str) -> bool:
    try:
        parse_turn(text)
    except NotationError:
        return False
    return True


def run_notation_position(setup: Fields, expected: object) -> dict[str, object]:
    """Write a position, read that again and write it once more; or read a text and write it."""
    position = parse_position(setup.text("text")) if "text" in setup else read_state(setup)
    again = parse_position(format_position(position), position.variant)
    viewer = setup.seat("viewer") if "viewer" in setup else None
    text = format_position(again) if viewer is None else format_observation(again.observe(viewer))
    return answers(RUN_FACTS | {"text": lambda _, __: text}, Run.at(position), expected)


def run_notation_record(setup: Fields, expected: object) -> dict[str, object]:
    """Read records, replay them, and answer for the last one."""
    records = parse_records(setup.text("text"))
    last = records[-1]
    result = None if last.result is None else dict(zip("AB", last.result, strict=True))
    facts: dict[str, Fact[Run]] = {
        **RUN_FACTS,
        "final_position": RUN_FACTS["position"],
        "records": lambda _, __: len(records),
        "names": lambda _, __: dict(zip("AB", last.names, strict=True)),
        "result": lambda _, __: result,
        "text": lambda _, __: format_records(records),
    }
    return answers(facts, _as_run(last), expected)


def _as_run(record: RoundRecord) -> Run:
    played = replay(record)
    return Run(
        start=played.positions[0],
        final=played.final,
        drawers=_drawers(record.standing.starter, len(record.turns)),
        num_takes=played.num_takes,
    )


def _drawers(starter: Seat, num_turns: int) -> tuple[Seat, ...]:
    return tuple(other_seat(starter) if index % 2 else starter for index in range(num_turns))
