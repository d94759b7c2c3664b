"""The types of the wire as JSON Schema, from which the browser client's are generated.

`python -m lostcities.server.wire_types` prints it.
"""

import json
from inspect import isclass
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, TypeAdapter

from lostcities.server import schema

_Mode: TypeAlias = Literal["validation", "serialization"]
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_FROM_CLIENTS: Final = frozenset(
    ("NewTable", "JoinRequest", "RecoverRequest", "MoveRequest", "ReadyRequest", "SeatRequest")
)


def wire_schema() -> dict[str, Any]:
    """Return one JSON Schema with a definition for every type on the wire."""
    adapters: list[tuple[str, _Mode, TypeAdapter[Any]]] = [
        ("ClientMessage", "validation", TypeAdapter(schema.ClientMessage)),
        ("ServerMessage", "serialization", TypeAdapter(schema.ServerMessage)),
        ("TableEvent", "serialization", TypeAdapter(schema.TableEvent)),
    ]
    for name, kind in vars(schema).items():
        if isclass(kind) and issubclass(kind, BaseModel) and _is_own(kind, name):
            mode: _Mode = "validation" if name in _FROM_CLIENTS else "serialization"
            adapters.append((name, mode, TypeAdapter(kind)))
    schemas, definitions = TypeAdapter.json_schemas(adapters)
    for (name, _), body in schemas.items():
        if "$ref" not in body:
            definitions["$defs"][name] = body
    return {"$schema": _DIALECT, "title": "lostcities", **definitions}


def _is_own(kind: type[BaseModel], name: str) -> bool:
    return (
        kind.__module__ == schema.__name__
        and not name.startswith("_")
        and not kind.__pydantic_generic_metadata__["parameters"]
    )


if __name__ == "__main__":
    print(json.dumps(wire_schema(), indent=1))
