"""The commands: `lostcities play|score|replay|match|deal|...`.

Each command is a module with `add_arguments` and `run`; only the one that was
called is loaded. Exit codes: 0 done, 1 found a problem, 2 wrong usage or input.
Errors go to stderr, in one line.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from lostcities import __version__
from lostcities.rules import LostCitiesError

PROGRAM: Final = "lostcities"
DONE, PROBLEM, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS: Final = {
    "play": "play a match against the computer",
    "score": "score a sheet of cards, term by term",
    "replay": "show a recorded game, whole or at one turn",
    "match": "let two agents play each other over duplicate deals",
    "agents": "list the agents that can play here",
    "ladder": "list the levels of play, or measure the steps between them",
    "engine": "put one of our agents behind the bot protocol",
    "deal": "make a provably fair deal, or verify the deals of a record",
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
            import_module(f"{__name__}.{name}").add_arguments(command)
    chosen = parser.parse_args(words)
    try:
        return int(import_module(f"{__name__}.{chosen.command}").run(chosen))
    except LostCitiesError as error:
        print(f"{PROGRAM} {chosen.command}: {error}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:
        # The reader has gone; without this, Python complains once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
