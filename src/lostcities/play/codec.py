"""Steps as JSON and back: the form in which a log is stored.

What is stored is the whole truth, secrets included. Fields are written by the
types that their classes declare, so a new event needs nothing here.
"""

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, get_args, get_type_hints

from lostcities.notation.cards import format_cards, parse_card, parse_cards
from lostcities.notation.record_reader import parse_rules
from lostcities.notation.records import format_rules
from lostcities.notation.turns import format_card_move, format_turn, parse_card_move, parse_turn
from lostcities.play.commands import Action, Command
from lostcities.play.events import Event
from lostcities.play.fairness import Secret, parse_entropy
from lostcities.play.outcomes import Step
from lostcities.play.provenance import Provenance, format_provenance, parse_provenance
from lostcities.rules import (
    Card,
    CardMove,
    Cards,
    LostCitiesError,
    Points,
    Seat,
    Standing,
    Turn,
    Variant,
)


class CorruptLogError(LostCitiesError, ValueError):
    """A stored step that nobody can have stored like this."""


_NONE: Final[frozenset[str]] = frozenset()


def step_to_json(step: Step) -> str:
    """Write a step on one line."""
    command = None if step.command is None else _command_to_data(step.command)
    data = {"command": command, "events": [_to_data(event) for event in step.events]}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def step_from_json(text: str) -> Step:
    """Read a step.

    Raises:
        CorruptLogError: If the line is not a step; the line is not repeated, for it is secret.
    """
    try:
        data = _fields_of(json.loads(text), "command", "events")
        command = None if data["command"] is None else _command_from_data(data["command"])
        events = tuple(_from_data(event, _EVENTS) for event in _list(data["events"]))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise CorruptLogError(
            f"expected a stored step of a match, got a line of {len(text)} characters "
            f"that is none ({type(error).__name__})"
        ) from None
    return Step(command, events)


def _command_to_data(command: Command) -> dict[str, Any]:
    return {
        "id": command.id,
        "seat": command.seat,
        "seen": command.seen,
        "action": _to_data(command.action),
    }


def _command_from_data(data: object) -> Command:
    parts = _fields_of(data, "id", "seat", "seen", "action")
    return Command(
        id=_text(parts["id"]),
        seat=_number(parts["seat"]),
        seen=_number(parts["seen"]),
        action=_from_data(parts["action"], _ACTIONS),
    )


def _fields_of(data: object, *names: str, may_lack: frozenset[str] = _NONE) -> dict[str, Any]:
    if type(data) is not dict or not set(names) - may_lack <= set(data) <= set(names):
        raise ValueError("other fields than those of the class")
    return data


def _list(data: object) -> list[Any]:
    if type(data) is not list:
        raise TypeError("not a list")
    return data


def _text(data: object) -> str:
    if type(data) is not str:
        raise TypeError("not a text")
    return data


def _number(data: object) -> int:
    if type(data) is not int:
        raise TypeError("not a whole number")
    return data


def _keep(value: object) -> object:
    return value


def _number_or_none(data: object) -> int | None:
    return None if data is None else _number(data)


_EVENTS: Final = {kind.__name__: kind for kind in get_args(Event)}
_ACTIONS: Final = {kind.__name__: kind for kind in get_args(Action)}


def _to_data(value: Event | Action) -> dict[str, Any]:
    kind = type(value)
    parts = {
        name: write(getattr(value, name))
        for name, (write, _) in _CODECS[kind].items()
        if name not in _MAY_LACK[kind] or getattr(value, name) is not None
    }
    return {"type": kind.__name__, **parts}


def _from_data(data: dict[str, Any], kinds: dict[str, Any]) -> Any:  # noqa: ANN401 # event or action
    kind = kinds[data["type"]]
    codecs: dict[str, _Codec] = _CODECS[kind]
    _fields_of(data, "type", *codecs, may_lack=_MAY_LACK[kind])
    return kind(**{name: read(data[name]) for name, (_, read) in codecs.items() if name in data})


_LATER: Final = Provenance | None
_Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]


def _codecs_of(kind: type) -> dict[str, _Codec]:
    hints = get_type_hints(kind)
    return {field.name: _CODEC_OF_TYPE[hints[field.name]] for field in fields(kind)}


def _variant_to_data(variant: Variant) -> list[Any]:
    return [variant.num_colors, variant.num_rounds, format_rules(variant)]


def _variant_from_data(data: list[Any]) -> Variant:
    num_colors, num_rounds, rules = _list(data)
    numbers = parse_rules(_text(rules))
    numbers.update(num_colors=_number(num_colors), num_rounds=_number(num_rounds))
    return Variant(**numbers)  # type: ignore[arg-type] # parsed by the type of each field


def _standing_to_data(standing: Standing) -> list[Any]:
    return [standing.round_number, standing.num_rounds, standing.starter, list(standing.totals)]


def _standing_from_data(data: list[Any]) -> Standing:
    round_number, num_rounds, starter, totals = _list(data)
    return Standing(
        _number(round_number), _number(num_rounds), _number(starter), _pair_of_ints(totals)
    )


def _pair_of_ints(data: list[Any]) -> tuple[int, int]:
    first, second = _list(data)
    return _number(first), _number(second)


def _pair_of_texts(data: list[Any]) -> tuple[str, str]:
    first, second = _list(data)
    return _text(first), _text(second)


_CODEC_OF_TYPE: Final[dict[Any, _Codec]] = {
    str: (_keep, _text),
    int: (_keep, _number),
    Seat | None: (_keep, _number_or_none),
    bytes: (bytes.hex, parse_entropy),
    tuple[str, str]: (list, _pair_of_texts),
    Points: (list, _pair_of_ints),
    Secret: (Secret.reveal, Secret.from_hex),
    Variant: (_variant_to_data, _variant_from_data),
    Standing: (_standing_to_data, _standing_from_data),
    Card: (str, parse_card),
    Cards: (format_cards, parse_cards),
    CardMove: (format_card_move, parse_card_move),
    Turn: (format_turn, lambda text: parse_turn(text).turn),
    Provenance | None: (format_provenance, lambda text: parse_provenance(_text(text))),
}
_CODECS: Final[dict[type, dict[str, _Codec]]] = {
    kind: _codecs_of(kind) for kind in (*_EVENTS.values(), *_ACTIONS.values())
}
_MAY_LACK: Final = {
    kind: frozenset(name for name, codec in codecs.items() if codec is _CODEC_OF_TYPE[_LATER])
    for kind, codecs in _CODECS.items()
}
"""The fields that came later: what was stored before has none of them, and None is not written."""
