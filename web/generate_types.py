"""Writes the client's types of the wire, `src/lib/wire.ts`, from the server's schema."""

import re
import sys
from pathlib import Path
from typing import Any, Final

from lostcities.server.wire_types import wire_schema

WIRE: Final = Path(__file__).resolve().parent / "src" / "lib" / "wire.ts"
_HEAD: Final = "// Written by web/generate_types.py from the server's schema: `make web-types` writes it anew.\n"
_FROM_CLIENT: Final = (
    "ClientMessage",
    "NewTable",
    "JoinRequest",
    "RecoverRequest",
    "MoveRequest",
    "ReadyRequest",
    "SeatRequest",
)
_SCALARS: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_REFERENCE: Final = "#/$defs/"

Schema = dict[str, Any]


def types_text(schema: Schema) -> str:
    """Return the types of all definitions, in the order of their names."""
    definitions: dict[str, Schema] = schema["$defs"]
    ours = _reachable(definitions, _FROM_CLIENT)
    shown = (
        _definition(name, definitions, may_leave_out=name in ours)
        for name in sorted(definitions)
        if not _is_generic(name)
    )
    return _HEAD + "".join(f"\n{text}\n" for text in shown)


def _is_generic(name: str) -> bool:
    """A half-named type such as `Sides_int_` is written out where it is used."""
    return name.startswith("Sides_")


def _reachable(definitions: dict[str, Schema], roots: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_references(definitions[name]))
    return found


def _references(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"].removeprefix(_REFERENCE)] if isinstance(part.get("$ref"), str) else []
        return own + [name for value in part.values() for name in _references(value)]
    return [name for value in part for name in _references(value)] if isinstance(part, list) else []


def _definition(name: str, definitions: dict[str, Schema], *, may_leave_out: bool) -> str:
    body = definitions[name]
    comment = f"/** {_line(body['description'])} */\n" if "description" in body else ""
    if "properties" not in body:
        return f"{comment}export type {name} = {_type(body, definitions)};"
    return f"{comment}export interface {name} {_members(body, definitions, may_leave_out=may_leave_out)}"


def _members(body: Schema, definitions: dict[str, Schema], *, may_leave_out: bool) -> str:
    lines = []
    for name, part in body["properties"].items():
        # The server sends every field; a client may leave out what has a default.
        is_optional = may_leave_out and name not in body.get("required", ()) and "const" not in part
        comment = f"  /** {_line(part['description'])} */\n" if "description" in part else ""
        lines.append(
            f"{comment}  readonly {name}{'?' if is_optional else ''}: {_type(part, definitions)};\n"
        )
    return "{\n" + "".join(lines) + "}"


def _type(part: Schema, definitions: dict[str, Schema]) -> str:
    if "$ref" in part:
        name = part["$ref"].removeprefix(_REFERENCE)
        return (
            re.sub(r"\s+", " ", _members(definitions[name], definitions, may_leave_out=False))
            if _is_generic(name)
            else name
        )
    if "const" in part:
        return _literal(part["const"])
    if "enum" in part:
        return " | ".join(_literal(value) for value in part["enum"])
    for word in ("anyOf", "oneOf"):
        if word in part:
            return " | ".join(dict.fromkeys(_type(one, definitions) for one in part[word]))
    if part.get("type") == "array":
        items = _type(part["items"], definitions)
        return f"readonly ({items})[]" if " | " in items else f"readonly {items}[]"
    if part.get("type") == "object":
        return _map(part, definitions)
    return _SCALARS[part["type"]]


def _map(part: Schema, definitions: dict[str, Schema]) -> str:
    value = _type(part["additionalProperties"], definitions)
    keys = part.get("propertyNames", {}).get("enum")
    if keys is None:
        return f"Readonly<Record<string, {value}>>"
    return f"Readonly<Partial<Record<{' | '.join(_literal(key) for key in keys)}, {value}>>>"


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def main() -> int:
    """Write the types; with --check only say whether they are fresh."""
    fresh = types_text(wire_schema())
    if "--check" in sys.argv:
        if WIRE.read_text("utf-8") == fresh:
            return 0
        print(
            f"expected {WIRE} to be what the server's schema gives: run 'make web-types'",
            file=sys.stderr,
        )
        return 1
    WIRE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
