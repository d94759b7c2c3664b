"""`lostcities conformance`: run neutral rule cases."""

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict

from lostcities.cli.files import InputError, read_text
from lostcities.conformance import Case, CaseFileError, Outcome, read_cases, run_case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    add_case_arguments(parser, "a file of rule cases, JSON, one case a line; '-' is standard input")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the exit status is 1 if a case failed.

    Raises:
        LostCitiesError: If a file cannot be read or is not JSON.
    """
    return run_case_files(arguments, read_cases, run_case)


def add_case_arguments(parser: argparse.ArgumentParser, help_of_file: str) -> None:
    """Describe the arguments of a command that runs files of cases."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=help_of_file)
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")


def run_case_files(
    arguments: argparse.Namespace,
    read: Callable[[str], Iterable[Case]],
    run_one: Callable[[Case], Outcome],
) -> int:
    """Run all cases of all files and print what came out.

    Raises:
        InputError: If a file cannot be read or is not JSON.
    """
    cases = [case for path in arguments.files for case in _read(path, read)]
    outcomes = [run_one(case) for case in cases]
    failures = [outcome for outcome in outcomes if not outcome.passed]
    if arguments.json:
        print(json.dumps(_summary(outcomes, failures), indent=2))
    else:
        for failure in failures:
            print(_printable(_describe(failure)))
        print(f"{len(outcomes) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def _read(path: str, read: Callable[[str], Iterable[Case]]) -> Iterable[Case]:
    try:
        return read(read_text(path))
    except CaseFileError as error:
        raise InputError(f"cannot read {path!r}: {error}") from None


def _printable(text: str) -> str:
    """Return the text with what a terminal would obey, not show, written out."""
    return "".join(
        char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text
    )


def _summary(outcomes: list[Outcome], failures: list[Outcome]) -> dict[str, object]:
    return {
        "passed": len(outcomes) - len(failures),
        "failed": len(failures),
        "outcomes": [asdict(outcome) for outcome in outcomes],
    }


def _describe(failure: Outcome) -> str:
    if failure.problem is not None:
        return f"{failure.id}: {failure.problem}"
    lines = [
        f"{failure.id}: {name}\n  expected {json.dumps(wanted)}\n  got      {json.dumps(failure.got[name])}"
        for name, wanted in failure.expected.items()
    ]
    return "\n".join(lines)
