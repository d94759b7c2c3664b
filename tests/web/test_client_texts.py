"""What the server names by a word has a text in every language of the client: reasons, warnings, levels."""

import ast
import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Final, get_args

import pytest

from lostcities.agents.registry import LADDER
from lostcities.play import TableRefusalCode
from lostcities.rules import RefusalCode
from lostcities.server import schema
from lostcities.server.live_table import WaitingRefusalCode
from lostcities.server.subscribers import Loss

ROOT: Final = Path(__file__).resolve().parents[2]
SERVER: Final = ROOT / "src" / "lostcities" / "server"
CATALOGUES: Final = sorted((ROOT / "web" / "src" / "i18n").glob("*.json"))
ENUMS: Final[tuple[type[StrEnum], ...]] = (RefusalCode, TableRefusalCode, WaitingRefusalCode, Loss)
NOT_SENT: Final = {"entries.py"}
"""Its words say what lies in the log, and reach nobody."""
_CODE: Final = re.compile(r"[a-z]+(_[a-z]+)*")


def codes_in(sources: list[str]) -> set[str]:
    """Return the codes that are written in sources, wherever a `code` is handed on or returned."""
    trees = [ast.parse(source) for source in sources]
    places: dict[str, int] = {}
    for tree in trees:
        places.update(_places_of_codes(tree))
    return {code for tree in trees for node in ast.walk(tree) for code in _codes_at(node, places)}


def _places_of_codes(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield functions and classes that take a code, and at which place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for function in node.body:
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    name = node.name if function.name == "__init__" else function.name
                    yield from _place_in(function, name, num_bound=1)
        elif isinstance(node, ast.Module):
            for function in node.body:
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from _place_in(function, function.name, num_bound=0)


def _place_in(
    function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, *, num_bound: int
) -> Iterator[tuple[str, int]]:
    for at, argument in enumerate(function.args.args):
        is_text = argument.annotation is not None and ast.unparse(argument.annotation) == "str"
        if argument.arg == "code" and is_text:
            yield name, at - num_bound


def _codes_at(node: ast.AST, places: dict[str, int]) -> Iterator[str]:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        yield from _texts(*node.value.elts)
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        place = places.get(name)
        if place is not None:
            yield from _texts(*node.args[place : place + 1])
        yield from _texts(*(word.value for word in node.keywords if word.arg == "code"))


def _texts(*values: ast.expr) -> Iterator[str]:
    for value in values:
        is_made = isinstance(value, ast.JoinedStr) and " " not in ast.unparse(value)
        assert not is_made, f"expected a code that can be looked up, got {ast.unparse(value)}"
        if isinstance(value, ast.IfExp):
            yield from _texts(value.body, value.orelse)
        elif isinstance(value, ast.Constant) and _CODE.fullmatch(str(value.value)):
            yield str(value.value)


def codes_of_the_server() -> set[str]:
    paths = (path for path in sorted(SERVER.glob("*.py")) if path.name not in NOT_SENT)
    written = codes_in([path.read_text("utf-8") for path in paths])
    return written | {code.value for enum in ENUMS for code in enum}


def test_codes_are_found_however_they_are_handed_on() -> None:
    source = """
class Fault(Exception):
    def __init__(self, status: int, code: str, sentence: str) -> None: ...
class Page:
    def turn_away(self, code: str, sentence: str) -> None: ...
def refused(command: str | None, code: str) -> str: ...
def count(code: int) -> None: ...
def reason(one: bool) -> tuple[int, str, str]:
    self.turn_away("by_method", "a sentence, which is no code")
    count("no_code")
    refused(None, "either" if one else "or_other")
    raise Fault(404, "by_class", f"expected {one}, got another")
    return 403, "by_return", "a sentence."
def message() -> object:
    return Bye(code="by_name", sentence=f"{message}")
"""
    assert codes_in([source]) == {
        "by_method", "either", "or_other", "by_class", "by_return", "by_name",
    }  # fmt: skip


def test_the_codes_of_the_server_are_found() -> None:
    codes = codes_of_the_server()
    assert codes >= {
        "bad_message", "foreign_origin", "id_reused", "internal", "no_such_request", "not_joined",
        "not_ascending", "restart", "rubbish", "silent", "slow_reader", "storage", "too_fast",
        "too_long", "too_slow", "too_many_sockets", "wrong_code",
    }  # fmt: skip
    assert len(codes) > 50


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_every_reason_has_a_text(catalogue: Path) -> None:
    texts = json.loads(catalogue.read_text("utf-8"))
    missing = {code for code in codes_of_the_server() if not texts.get(f"reason.{code}")}
    assert missing == set()


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_every_warning_has_a_text(catalogue: Path) -> None:
    texts = json.loads(catalogue.read_text("utf-8"))
    for code in get_args(schema.WarningCode):
        assert f"warning.{code}" in texts or f"warning.{code}.other" in texts, code


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_every_level_has_a_name(catalogue: Path) -> None:
    texts = json.loads(catalogue.read_text("utf-8"))
    names = [texts.get(f"levelName.{rung.name}") for rung in LADDER]
    assert all(names)
    assert len(set(names)) == len(LADDER)
    if catalogue.stem == "en":
        assert names == [rung.name for rung in LADDER]
