"""What the commands that play contests have in common: where the work is done, and going on."""

import argparse
import os
import sys
from pathlib import Path

from lostcities.arena.cluster import RayEngine
from lostcities.arena.engines import Engine, LocalEngine
from lostcities.cli.files import InputError


def add_engine_arguments(parser: argparse.ArgumentParser, *, processes: int) -> None:
    """Add where the work is done, and the file that keeps what is done.

    Args:
        parser: The command.
        processes: The default number of processes; 0 is one a core.
    """
    add_place_of_work(parser, processes=processes)
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="write each result to FILE; the same command goes on from it",
    )


def add_place_of_work(parser: argparse.ArgumentParser, *, processes: int) -> None:
    """Add where the work is done.

    Args:
        parser: The command.
        processes: The default number of processes; 0 is one a core.
    """
    default = processes or "one a core"
    zero = "; 0: one a core" if processes else ""
    parser.add_argument(
        "--processes",
        type=int,
        default=processes,
        help=f"local processes (default: {default}{zero})",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="do the work on a Ray cluster; 'local' starts one here (extra 'cluster')",
    )


def engine_of(arguments: argparse.Namespace) -> Engine:
    """Return who does the work.

    Raises:
        InputError: If the number of processes is none.
        ClusterError: If the cluster cannot be used.
    """
    if arguments.processes < 0:
        raise InputError(f"expected --processes of at least 0, got {arguments.processes}")
    if arguments.cluster:
        return RayEngine(arguments.cluster)
    return LocalEngine(arguments.processes or os.cpu_count() or 1)


def tell_interrupted(done: int, total: int, save: Path | None) -> None:
    """Say on stderr how far a contest has come, and how to go on."""
    how = f"the same command goes on from {save}" if save else "only with --save FILE it can go on"
    print(f"interrupted after {done} of {total} pairs; {how}", file=sys.stderr)
