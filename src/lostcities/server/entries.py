"""What the log of a table holds: one entry after another, each a kind and a text.

The log is the truth, secrets included, and the only thing that is kept of a
table. Everything else is made of it again when it is needed.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from lostcities.play import Step
from lostcities.play.codec import CorruptLogError, step_from_json, step_to_json
from lostcities.play.events import TableOpened
from lostcities.rules import Seat
from lostcities.server.store_tables import FOLLOWED

OpponentKind: TypeAlias = Literal["computer", "friend", "local"]


@dataclass(frozen=True, slots=True)
class Created:
    """Somebody opened a table.

    Attributes:
        series: Names the table and its rematches together; a seat is held in all of them.
        kind: Who is to sit opposite.
        host: The seat of the one who opened the table.
        agent: The spec of the computer's agent, "" if it does not play.
        agent_name: What the agent is called.
        invite: The code by which the free seat is taken, "" if none is free.
        previous: The table whose rematch this is, "" if it is none.
        draft: The step that opens the match, as agreed so far; the name of a
            free seat is still empty.
    """

    series: str
    kind: OpponentKind
    host: Seat
    agent: str
    agent_name: str
    invite: str
    previous: str
    draft: Step = field(repr=False)


@dataclass(frozen=True, slots=True)
class EarlyReady:
    """The host was ready before anybody had joined, and may have added entropy."""

    command: str
    seat: Seat
    entropy: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody took the free seat."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step of the match."""

    step: Step


@dataclass(frozen=True, slots=True)
class Followed:
    """The rematch was opened at another table."""

    table: str


Entry: TypeAlias = Created | EarlyReady | Joined | Stepped | Followed


def without_guest(opening: Step) -> Step:
    """Return an opening in which the name of seat B is not known yet."""
    (opened,) = opening.events
    if not isinstance(opened, TableOpened):
        raise TypeError(f"expected the opening of a table, got {type(opened).__name__}")
    return Step(None, (replace(opened, names=(opened.names[0], "")),))


def entry_to_text(entry: Entry) -> tuple[str, str]:
    """Return the kind and the text of an entry."""
    match entry:
        case Stepped():
            return "step", step_to_json(entry.step)
        case Created():
            data = {name: getattr(entry, name) for name in _TEXTS_OF_CREATED}
            draft = step_to_json(entry.draft)
            return "created", _dump({**data, "host": entry.host, "draft": draft})
        case _:
            return _KIND_OF[type(entry)], _dump(asdict(entry))


def entry_from_text(kind: str, text: str) -> Entry:
    """Read an entry.

    Raises:
        CorruptLogError: If it is none; the text is not repeated, for it is secret.
    """
    if kind == "step":
        return Stepped(step_from_json(text))
    try:
        return _READERS[kind](json.loads(text))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise CorruptLogError(
            f"expected an entry of a table's log, got one of kind {kind[:20]!r} that is none "
            f"({type(error).__name__})"
        ) from None


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


_TEXTS_OF_CREATED: Final = ("series", "kind", "agent", "agent_name", "invite", "previous")
_KIND_OF: Final[dict[type, str]] = {EarlyReady: "ready", Joined: "joined", Followed: FOLLOWED}


def _read_created(data: dict[str, Any]) -> Created:
    draft = step_from_json(data.pop("draft"))
    return Created(**data, draft=draft)


_READERS: Final[dict[str, Callable[[dict[str, Any]], Entry]]] = {
    "created": _read_created,
    "ready": lambda data: EarlyReady(**data),
    "joined": lambda data: Joined(**data),
    FOLLOWED: lambda data: Followed(**data),
}
