"""`lostcities perft`: count legal sequences and compare with known counts."""

import argparse

from lostcities.cli.conformance import add_case_arguments, run_case_files
from lostcities.conformance import read_perft_cases, run_perft_case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    add_case_arguments(
        parser, "a file of perft cases, JSON, one case a line; '-' is standard input"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the exit status is 1 if a count differs.

    Raises:
        LostCitiesError: If a file cannot be read or is not JSON.
    """
    return run_case_files(arguments, read_perft_cases, run_perft_case)
