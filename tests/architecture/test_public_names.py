"""Public names are described, and each room imports what it may."""

import ast
import importlib
import inspect
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

import lostcities

SOURCE = Path(__file__).parents[2] / "src"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(lostcities.__path__, "lostcities.")
    if not module.name.endswith(
        ("__main__", "migrations.env")
    )  # the latter is run by alembic alone
)
PACKAGES = [name for name in MODULES if (SOURCE / name.replace(".", "/")).is_dir()]
FILES = sorted(SOURCE.rglob("*.py"))


THIRD_PARTY = {
    "kernel": {"numpy", "numba", "llvmlite"},
    "agents": {"numpy"},
    "arena": {"ray", "numpy"},
    "training": {"numpy", "torch", "matplotlib"},
    "adapters": {"numpy", "gymnasium", "pettingzoo", "pyspiel"},
    "server": {
        "alembic",
        "fastapi",
        "prometheus_client",
        "pydantic",
        "sqlalchemy",
        "starlette",
        "structlog",
        "uvicorn",
        "websockets",
    },
}
"""By room; every other room needs nothing but Python."""


PEERS = {"gymnasium": "gymnasium", "openspiel": "pyspiel", "pettingzoo": "pettingzoo"}
"""What a file of the adapters needs before it can be loaded."""


def load(name: str) -> ModuleType:
    if peer := PEERS.get(name.removeprefix("lostcities.adapters.")):
        pytest.importorskip(peer, reason=f"{peer} is missing: install lostcities[research]")
    if name.startswith("lostcities.training."):
        library = "matplotlib" if name.endswith(".curves") else "torch"
        pytest.importorskip(library, reason=f"{library} is missing: install lostcities[train]")
    return importlib.import_module(name)


@pytest.mark.parametrize("name", ["lostcities", *MODULES])
def test_modules_open_with_a_docstring(name: str) -> None:
    assert (load(name).__doc__ or "").strip()


@pytest.mark.parametrize("name", ["lostcities", *PACKAGES])
def test_public_names_are_described(name: str) -> None:
    package = load(name)
    for public in getattr(package, "__all__", ()):
        value = getattr(package, public)
        if inspect.isclass(value) or inspect.isfunction(value):
            doc = inspect.getdoc(value) or ""
            assert doc, f"{name}.{public} has no docstring"
            assert not doc.startswith(f"{public}("), f"{name}.{public} has a made-up docstring"


@pytest.mark.parametrize(
    "name", ["lostcities.rules", "lostcities.notation", "lostcities.conformance"]
)
def test_public_names_are_sorted_and_exist(name: str) -> None:
    package = load(name)
    names = package.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(package, public) for public in names)
    loaded = {key for key, value in vars(package).items() if not isinstance(value, ModuleType)}
    assert {key for key in loaded if not key.startswith("_")} <= set(names)


def imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_each_room_imports_what_it_may(path: Path) -> None:
    room = path.relative_to(SOURCE / "lostcities").parts[0]
    allowed = sys.stdlib_module_names | {"lostcities"} | THIRD_PARTY.get(room, set())
    names = imported(ast.parse(path.read_text("utf-8")))
    assert {name.partition(".")[0] for name in names} <= allowed


@pytest.mark.parametrize("layer", ["rules", "notation", "conformance"])
def test_inner_rooms_do_no_input_or_output(layer: str) -> None:
    """No printing, no files, no clocks, no chance of their own: all of it is passed in."""
    forbidden = {"random", "secrets", "time", "os", "pathlib", "io", "socket", "logging"}
    for path in (SOURCE / "lostcities" / layer).glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        assert not imported(tree) & forbidden, path
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        names = {call.id for call in calls if isinstance(call, ast.Name)}
        assert not names & {"print", "open", "input", "eval", "exec"}, path
