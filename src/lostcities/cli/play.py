"""`lostcities play`: a match against the computer, in the terminal."""

import argparse
from pathlib import Path

from lostcities.agents.registry import AGENTS, DEFAULT_AGENT
from lostcities.tui import app
from lostcities.tui.app import STARTERS, Wish
from lostcities.tui.console import Console
from lostcities.tui.sentences import YOU


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    agents = "; ".join(f"{name}: {entry.description}" for name, entry in AGENTS.items())
    parser.description = (
        "Play a match against the computer. An interrupted match goes on where it was; every "
        "turn is on the disk before it is shown."
    )
    parser.epilog = f"Agents. {agents}."
    parser.add_argument(
        "--against", metavar="AGENT", help=f"{', '.join(AGENTS)} (default: {DEFAULT_AGENT})"
    )
    parser.add_argument("--colors", type=int, choices=(5, 6), help="expeditions (default: 5)")
    parser.add_argument(
        "--rounds", type=int, choices=range(1, 10), metavar="1..9", help="(default: 3)"
    )
    parser.add_argument("--starter", choices=tuple(STARTERS), help="(default: lot)")
    parser.add_argument("--name", help=f"how you are called, up to 24 characters (default: {YOU})")
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="keep the record of the match in FILE, which must be new",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="only ever add lines, in words: for screen readers, pipes and scripts",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="leave an unfinished match alone")
    which.add_argument("--resume", action="store_true", help="only go on with an unfinished match")


def run(arguments: argparse.Namespace) -> int:
    """Play, from where the last match was left."""
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
