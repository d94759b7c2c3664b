"""The commands: `lostcities play|score|replay|match|deal|...`.

Each command is a module with `add_arguments` and `run`; only the one that was
called is loaded. Exit codes: 0 done, 1 found a problem, 2 wrong usage or input.
Errors go to stderr, in one line.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn

from lostcities import __version__
from lostcities.rules import LostCitiesError

PROGRAM: Final = "lostcities"
DONE, PROBLEM, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS: Final = {
    "play": "play, in the browser or in the terminal",
    "serve": "serve the table in the browser for others",
    "score": "score a sheet of cards, term by term",
    "replay": "show a recorded game, whole or at one turn",
    "match": "let two agents play each other over duplicate deals",
    "agents": "list the agents that can play here",
    "ladder": "list the levels of play, or measure the steps between them",
    "engine": "put one of our agents behind the bot protocol",
    "deal": "make a provably fair deal, or verify the deals of a record",
    "verify-bot": "make the computer's moves of a record again and compare",
    "bench": "print a fingerprint of the behaviour, and speeds",
    "train": "teach a network by self-play, measure it, promote it",
    "warm-up": "compile the fast kernels ahead, so that nobody waits for it in a game",
    "conformance": "run neutral rule cases on the rules of this program",
    "perft": "count the legal sequences of moves from given positions",
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(WRONG_INPUT, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words and words[0] in COMMANDS else ""
    prefix = f"{PROGRAM} {name}".rstrip()
    try:
        _open_missing_streams()
        try:
            code = _run(words)
        except SystemExit as left:  # the parser has said what there was to say
            code = int(left.code or DONE)
        sys.stdout.flush()
    except LostCitiesError as error:
        return _fail(prefix, str(error))
    except BrokenPipeError:
        _drop_output()  # the reader has gone, and has what it wanted
        return DONE
    except OSError as error:
        _drop_output()
        return _fail(prefix, f"cannot go on: {error.strerror or error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(words: Sequence[str]) -> int:
    parser = _Parser(
        prog=PROGRAM,
        description="Lost Cities, the two-player card game (unofficial).",
        epilog="A round is one deal; a match is the agreed number of rounds, usually three.",
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    called = words[0] if words else ""
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        if name == called:
            _module(name).add_arguments(command)
    chosen, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"expected only options that there are, got {unknown[0]!r}")
    return int(_module(chosen.command).run(chosen))


def _module(command: str) -> ModuleType:
    return import_module(f"{__name__}.{command.replace('-', '_')}")


def _fail(prefix: str, problem: str) -> int:
    """Say in one line what is wrong."""
    with suppress(OSError):
        print(f"{prefix}: {' '.join(problem.split())}", file=sys.stderr)
    return WRONG_INPUT


def _open_missing_streams() -> None:
    """Give a process that was started without standard streams empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 # until the end


def _drop_output() -> None:
    """Forget what could not be written; Python would complain of it once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
