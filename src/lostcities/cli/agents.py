"""`lostcities agents`: who can play here."""

import argparse
import json

from lostcities.agents.registry import AGENTS, DEFAULT_AGENT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """List the agents."""
    if arguments.json:
        data = [
            {"name": name, "description": entry.description, "default": name == DEFAULT_AGENT}
            for name, entry in AGENTS.items()
        ]
        print(json.dumps(data))
        return 0
    for name, entry in AGENTS.items():
        print(f"{name:<12} {entry.description}")
    return 0
