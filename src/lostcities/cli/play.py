"""`lostcities play`: a table in the browser, or a match against the computer in the terminal."""

import argparse
from pathlib import Path
from typing import Final

from lostcities.agents.registry import AGENTS, DEFAULT_AGENT
from lostcities.cli.files import InputError
from lostcities.tui import app
from lostcities.tui.app import STARTERS, Wish
from lostcities.tui.console import Console
from lostcities.tui.journal import home
from lostcities.tui.sentences import YOU

_OF_THE_TERMINAL: Final = (
    "against",
    "colors",
    "rounds",
    "starter",
    "name",
    "record",
    "new",
    "resume",
)
"""What is chosen on the screens in the browser."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    agents = "; ".join(f"{name}: {entry.description}" for name, entry in AGENTS.items())
    parser.description = (
        "Open the table in the browser: against the computer, with a friend, or both on this "
        "device. With --terminal or --plain, play against the computer in the terminal. Every turn is "
        "on the disk before it is shown, and what was interrupted goes on where it was."
    )
    parser.epilog = f"Agents in the terminal. {agents}."
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--terminal", action="store_true", help="play in the terminal")
    where.add_argument(
        "--plain",
        action="store_true",
        help="play in the terminal and only ever add lines, in words: for screen readers, pipes "
        "and scripts",
    )
    where.add_argument(
        "--no-browser", action="store_true", help="say the address and open no browser"
    )
    parser.add_argument(
        "--port", type=int, metavar="PORT", help="for the browser (default: a free one)"
    )
    terminal = parser.add_argument_group("in the terminal")
    terminal.add_argument(
        "--against", metavar="AGENT", help=f"{', '.join(AGENTS)} (default: {DEFAULT_AGENT})"
    )
    terminal.add_argument("--colors", type=int, choices=(5, 6), help="expeditions (default: 5)")
    terminal.add_argument(
        "--rounds", type=int, choices=range(1, 10), metavar="1..9", help="(default: 3)"
    )
    terminal.add_argument("--starter", choices=tuple(STARTERS), help="(default: lot)")
    terminal.add_argument(
        "--name", help=f"how you are called, up to 24 characters (default: {YOU})"
    )
    terminal.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="keep the record of the match in FILE, which must be new",
    )
    which = terminal.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="leave an unfinished match alone")
    which.add_argument("--resume", action="store_true", help="only go on with an unfinished match")


def run(arguments: argparse.Namespace) -> int:
    """Play, from where the last match was left."""
    if arguments.terminal or arguments.plain:
        return _play_in_terminal(arguments)
    for name in _OF_THE_TERMINAL:
        if getattr(arguments, name):
            raise InputError(
                f"expected --terminal or --plain beside --{name}: in the browser this is chosen "
                "on the screen"
            )
    from lostcities.server.running import play_in_browser  # noqa: PLC0415 # the terminal needs none of it

    is_open = play_in_browser(
        home(),
        opens_browser=not arguments.no_browser,
        say=lambda line: print(line, flush=True),
        port=arguments.port or 0,
    )
    return 0 if is_open else 1


def _play_in_terminal(arguments: argparse.Namespace) -> int:
    if arguments.port is not None:
        raise InputError("expected --port for the browser only, got it for the terminal")
    wish = Wish(
        against=arguments.against,
        num_colors=arguments.colors,
        num_rounds=arguments.rounds,
        starter=arguments.starter,
        name=arguments.name,
        record=arguments.record,
        is_new=arguments.new,
        is_resume=arguments.resume,
        is_plain=arguments.plain,
    )
    app.run(wish, Console.standard())
    return 0
