"""What a case is and what comes out of it; reading a file of cases."""

import json
from dataclasses import dataclass

from lostcities.rules import LostCitiesError


class CaseFileError(LostCitiesError):
    """A text that is not one JSON value a line."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case as it stands in the file, not yet understood.

    Attributes:
        id: Its name; 'line 7' where it has none.
        kind: What is to be run; '' where it is not said.
        content: The JSON value of the line.
        line: Counted from 1.
    """

    id: str
    kind: str
    content: object
    line: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a case.

    Attributes:
        id: The name of the case.
        kind: Its kind.
        passed: Whether everything was as expected.
        expected: What was expected, as far as something else came.
        got: What came instead.
        problem: Why the case could not be run, in one line; None if it was.
    """

    id: str
    kind: str
    passed: bool
    expected: dict[str, object]
    got: dict[str, object]
    problem: str | None = None


def judge(case: Case, expected: dict[str, object], got: dict[str, object]) -> Outcome:
    """Return the outcome of a case that was run."""
    differing = [name for name in expected if not _is_same(expected[name], got[name])]
    return Outcome(
        id=case.id,
        kind=case.kind,
        passed=not differing,
        expected={name: expected[name] for name in differing},
        got={name: got[name] for name in differing},
    )


def fail(case: Case, problem: str) -> Outcome:
    """Return the outcome of a case that could not be run."""
    return Outcome(case.id, case.kind, passed=False, expected={}, got={}, problem=problem)


def _is_same(wanted: object, there: object) -> bool:
    """Compare as JSON does, where true is not 1."""
    return json.dumps(wanted, sort_keys=True) == json.dumps(there, sort_keys=True)


def read_cases(text: str) -> tuple[Case, ...]:
    """Read one case a line; empty lines do not count.

    Raises:
        CaseFileError: If a line is not JSON, or there is none; it says where.
    """
    cases = [
        _read_line(line, number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    if not cases:
        raise CaseFileError("expected one case a line, got an empty text")
    return tuple(cases)


def _read_line(line: str, number: int) -> Case:
    try:
        content = json.loads(line, object_pairs_hook=_without_repeats, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise CaseFileError(f"line {number}: expected JSON, got {line!r:.40} ({error})") from None
    fields = content if isinstance(content, dict) else {}
    name, kind = fields.get("id"), fields.get("kind")
    return Case(
        id=name if isinstance(name, str) else f"line {number}",
        kind=kind if isinstance(kind, str) else "",
        content=content,
        line=number,
    )


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return fields


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not a number")
