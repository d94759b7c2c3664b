"""`lostcities engine`: one of our agents behind the bot protocol."""

import argparse
import sys

from lostcities.agents.registry import DEFAULT_AGENT, make_agent
from lostcities.agents.serving import serve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "--agent", metavar="SPEC", default=DEFAULT_AGENT, help=f"(default: {DEFAULT_AGENT})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Answer messages until the input ends."""
    agent = make_agent(arguments.agent)
    for answer in serve(agent, sys.stdin):
        print(answer, flush=True)
    return 0
