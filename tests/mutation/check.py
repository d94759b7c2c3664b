"""Change the rules in small ways, one at a time, and see whether the tests notice.

Each mutant is one change of the syntax tree: a comparison or an operator
turned, a number moved by one, a condition negated, a value returned as None.
It is written into a copy of the tree, where the quick tests of the rules and
the conformance cases run until one of them fails. A mutant that no test
notices is printed: either a test is missing, or the change makes no
difference.

    python tests/mutation/check.py [--files legality.py ...] [--every N] [--minutes M]
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = Path("src/lostcities/rules")
COPIED = ("src/lostcities", "tests", "conformance", "pyproject.toml")
QUICK_TESTS = (  # those that fail fastest come first, since the first failure ends a run
    "tests/rules/test_playing.py",
    "tests/rules/test_scoring.py",
    "tests/rules/test_match.py",
    "tests/rules/test_variant.py",
    "tests/rules/test_validity.py",
    "tests/rules/test_values.py",
    "tests/rules/test_deck.py",
    "tests/rules/test_observation.py",
    "tests/rules/test_bounds.py",
    "tests/conformance/test_rule_cases.py::test_case",
    "tests/conformance/test_perft.py::test_case",
    "tests/rules/test_whole_rounds.py",
    "tests/secrecy/test_secrecy.py",
    "tests/notation/test_position_lines.py",
    "tests/notation/test_records.py",
)
COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}


def variations(node: ast.AST) -> Iterator[ast.AST]:
    """Yield small changes of one node, each as a new node."""
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARISONS.get(type(operator), []):
                yield _changed(node, ops=[other()])
        case ast.BoolOp(op=operator):
            yield _changed(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            yield _changed(node, op=OPERATORS[type(operator)]())
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield _changed(node, value=ast.Constant(None))
        case ast.If(test=test) | ast.IfExp(test=test):
            yield _changed(node, test=ast.UnaryOp(ast.Not(), test))
        case _:
            pass


def _changed(node: ast.AST, **fields: object) -> ast.AST:
    other = deepcopy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, what changes, and the changed source, for each mutant."""
    tree = ast.parse(source)
    for parent in list(ast.walk(tree)):
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "type_comment"):
                continue
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.AST):
                    for other in variations(node):
                        yield _mutant(tree, (parent, name, index), node, other)


def _mutant(
    tree: ast.AST, place: tuple[ast.AST, str, int], node: ast.AST, other: ast.AST
) -> tuple[int, str, str]:
    parent, name, index = place
    ast.copy_location(other, node)
    before = getattr(parent, name)
    if isinstance(before, list):
        setattr(parent, name, [*before[:index], other, *before[index + 1 :]])
    else:
        setattr(parent, name, other)
    changed = ast.unparse(ast.fix_missing_locations(tree))
    setattr(parent, name, before)
    line = getattr(node, "lineno", 0)
    return line, f"{_short(node)}  ->  {_short(other)}", changed


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."


def is_noticed(tree: Path) -> bool:
    """Run the quick tests in the copied tree; a run that takes too long is a notice too."""
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "--no-header", "-p", "no:randomly", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *QUICK_TESTS]
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, check=False, timeout=180
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def copy_tree(target: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)


def check(names: list[str], *, every: int, minutes: float) -> int:
    """Try the mutants and print the survivors; return how many there are."""
    deadline = time.monotonic() + 60 * minutes
    tried, survivors, left = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(tree)
        if is_noticed(tree):
            print("the tests fail without any change: mend that first")
            return 1
        for name in names:
            path = tree / RULES / name
            source = path.read_text("utf-8")
            for number, (line, what, changed) in enumerate(mutants(source)):
                if number % every:
                    continue
                if time.monotonic() > deadline:
                    left += 1
                    continue
                path.write_text(changed, "utf-8")
                tried += 1
                if not is_noticed(tree):
                    survivors += 1
                    print(f"survivor: {name}:{line}: {what}", flush=True)
            path.write_text(source, "utf-8")
            print(f"{name}: done, {tried} mutants so far, {survivors} survivors", flush=True)
    print(f"{tried} mutants, {survivors} survivors, {left} not tried for lack of time")
    return survivors


def main() -> int:
    """Run the check; the exit status is 1 if a mutant survives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    every_file = sorted(path.name for path in (ROOT / RULES).glob("*.py"))
    parser.add_argument("--files", nargs="+", default=every_file, help="files of the rules")
    parser.add_argument("--every", type=int, default=1, help="try each N-th mutant only")
    parser.add_argument("--minutes", type=float, default=60, help="stop after so many minutes")
    arguments = parser.parse_args()
    return 1 if check(arguments.files, every=arguments.every, minutes=arguments.minutes) else 0


if __name__ == "__main__":
    sys.exit(main())
