"""`lostcities ladder`: the levels of play, and how far apart they are."""

import argparse
import json
from collections.abc import Iterable, Sequence
from contextlib import closing

from lostcities.agents.levels import LEVELS
from lostcities.arena.contest import Contest, JobResult, play_contest
from lostcities.arena.engines import Engine
from lostcities.arena.ladder import duel_of, duels_of
from lostcities.arena.ratings import Duel, Rating, misfit, rate
from lostcities.arena.results import LadderFile
from lostcities.cli.contests import add_engine_arguments, engine_of, tell_interrupted
from lostcities.cli.files import InputError
from lostcities.cli.progress import Progress

Results = dict[Contest, list[JobResult]]


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
    add_engine_arguments(parser, processes=0)
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """List the levels, or play them against each other and rate them."""
    _check(arguments)
    names = {f"level:{number}": level.name for number, level in enumerate(LEVELS, start=1)}
    if not arguments.pairs:
        _report(names, [], is_json=arguments.json)
        return 0
    contests = list(
        duels_of(
            list(names),
            num_pairs=arguments.pairs,
            num_colors=arguments.colors,
            seed=arguments.seed,
        )
    )
    duels = _measure(contests, arguments)
    if duels is None:
        return 130
    _report(names, duels, is_json=arguments.json)
    return 0


def _measure(contests: Sequence[Contest], arguments: argparse.Namespace) -> list[Duel] | None:
    """Play the contests, going on from the file if there is one; None if interrupted."""
    engine = engine_of(arguments)
    file, results = None, Results()
    if arguments.save:
        file, results = LadderFile.open(arguments.save, contests)
    try:
        return _play(contests, engine, results, file, is_json=arguments.json)
    except KeyboardInterrupt:
        tell_interrupted(_num_pairs(results), len(contests) * arguments.pairs, arguments.save)
        return None
    finally:
        if file is not None:
            file.close()


def _check(arguments: argparse.Namespace) -> None:
    if arguments.pairs < 0 or arguments.pairs == 1:
        raise InputError(
            "expected --pairs of at least 2, of which one tells the error, or 0, which only lists, "
            f"got {arguments.pairs}"
        )
    if arguments.processes < 0:
        raise InputError(f"expected --processes of at least 0, got {arguments.processes}")
    if arguments.save and not arguments.pairs:
        raise InputError("expected --pairs of at least 2 with --save, got none")


def _play(
    contests: Sequence[Contest],
    engine: Engine,
    results: Results,
    file: LadderFile | None,
    *,
    is_json: bool,
) -> list[Duel]:
    """Play what is left, adding to the results, and return how each contest went."""
    progress = Progress(sum(c.num_pairs for c in contests), done=_num_pairs(results))
    duels = []
    try:
        for contest in contests:
            known = results.setdefault(contest, [])
            done = {result.job for result in known}
            with closing(play_contest(contest, engine, done=done)) as played:
                for result in played:
                    known.append(result)
                    if file is not None:
                        file.add(contest, result)
                    progress.advance(len(result.pairs), f"{contest.a} against {contest.b}")
            duels.append(duel_of(contest, known))
            if not is_json:
                progress.clear()
                print(f"{contest.a} against {contest.b}: {duels[-1].margin}", flush=True)
    finally:
        progress.finish()
    return duels


def _num_pairs(results: Results) -> int:
    return sum(len(result.pairs) for known in results.values() for result in known)


def _report(names: dict[str, str], duels: list[Duel], *, is_json: bool) -> None:
    anchor = next(iter(names))
    ratings = rate(duels, anchor=anchor) if duels else []
    if is_json:
        print(json.dumps(_data(names, duels, ratings)))
        return
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


def _data(
    names: dict[str, str], duels: Iterable[Duel], ratings: Iterable[Rating]
) -> dict[str, object]:
    rated = {rating.agent: rating for rating in ratings}
    return {
        "levels": [
            {
                "spec": spec,
                "name": name,
                "points": rated[spec].points if rated else None,
                "standard_error": rated[spec].standard_error if rated else None,
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
