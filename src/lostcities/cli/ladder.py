"""`lostcities ladder`: the levels of play, and how far apart they are."""

import argparse
import json
import os

from lostcities.agents.levels import LEVELS
from lostcities.arena.engines import LocalEngine
from lostcities.arena.ladder import duels_of, play_duel
from lostcities.arena.ratings import Duel, misfit, rate
from lostcities.cli.files import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "--pairs",
        type=int,
        default=0,
        help="measure: deals in each contest, at least 2 (default: only list)",
    )
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument("--seed", type=int, default=1, help="names the deals (default: 1)")
    parser.add_argument(
        "--processes", type=int, default=0, help="processes (default: one for each processor)"
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """List the levels, or play them against each other and rate them."""
    if arguments.pairs < 0 or arguments.pairs == 1:
        raise InputError(
            "expected --pairs of at least 2, of which one tells the error, or 0, which only lists, "
            f"got {arguments.pairs}"
        )
    if arguments.processes < 0:
        raise InputError(f"expected --processes of at least 0, got {arguments.processes}")
    names = {f"level:{number}": level.name for number, level in enumerate(LEVELS, start=1)}
    duels = _play(list(names), arguments) if arguments.pairs else []
    anchor = next(iter(names))
    ratings = rate(duels, anchor=anchor) if duels else []
    if arguments.json:
        print(json.dumps(_data(names, duels)))
        return 0
    for spec, name in names.items():
        points = [
            f"  {rating.points:+6.1f} +- {rating.standard_error:.1f} points a round"
            for rating in ratings
            if rating.agent == spec
        ]
        print(f"{spec}  {name:<14}{''.join(points)}")
    if ratings:
        free = len(duels) - len(names) + 1
        print(f"above {anchor}; misfit {misfit(duels, ratings):.1f}, expected {free}")
    return 0


def _play(specs: list[str], arguments: argparse.Namespace) -> list[Duel]:
    engine = LocalEngine(arguments.processes or os.cpu_count() or 1)
    duels = []
    for contest in duels_of(
        specs, num_pairs=arguments.pairs, num_colors=arguments.colors, seed=arguments.seed
    ):
        duel = play_duel(contest, engine)
        duels.append(duel)
        if not arguments.json:
            print(f"{duel.a} against {duel.b}: {duel.margin}", flush=True)
    return duels


def _data(names: dict[str, str], duels: list[Duel]) -> dict[str, object]:
    ratings = {rating.agent: rating for rating in rate(duels, anchor="level:1")} if duels else {}
    return {
        "levels": [
            {
                "spec": spec,
                "name": name,
                "points": ratings[spec].points if ratings else None,
                "standard_error": ratings[spec].standard_error if ratings else None,
            }
            for spec, name in names.items()
        ],
        "duels": [
            {
                "a": duel.a,
                "b": duel.b,
                "margin": duel.margin.mean,
                "standard_error": duel.margin.standard_error,
            }
            for duel in duels
        ],
    }
