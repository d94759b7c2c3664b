"""`lostcities match`: two agents over duplicate deals."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lostcities.agents.registry import make_agent
from lostcities.arena.contest import Contest, JobResult, Standings, play_contest, summary_to_data
from lostcities.arena.engines import Engine
from lostcities.arena.results import ResultsFile
from lostcities.arena.sprt import Sample, Sprt
from lostcities.cli.contests import add_engine_arguments, engine_of, tell_interrupted
from lostcities.cli.files import InputError, check_writable, write_text
from lostcities.cli.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.description = (
        "Play duplicate deals between two agents: every deal twice, with the seats swapped. An "
        "agent that fails is replaced by the discarder for that turn, after three faults for "
        "the rest of the round; the rounds count as played, and every fault is reported."
    )
    parser.add_argument("a", metavar="A", help="an agent, see 'lostcities agents'")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument("--pairs", type=int, default=100, help="deals (default: 100)")
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument(
        "--rounds",
        type=int,
        choices=range(1, 10),
        default=3,
        metavar="1..9",
        help="rounds in a match (default: 3)",
    )
    parser.add_argument("--seed", type=int, default=1, help="names the deals (default: 1)")
    parser.add_argument(
        "--seconds",
        type=float,
        help="time for a turn of external programs, exec:COMMAND (default: 10); other agents keep "
        "to what their specs say, such as search:seconds=0.5",
    )
    parser.add_argument(
        "--sprt",
        metavar="LOW,HIGH",
        help="stop when it is clear which of these margins is nearer the truth",
    )
    parser.add_argument(
        "--luck",
        action="store_true",
        help="measure the luck of the draws and give the margin without it too",
    )
    add_engine_arguments(parser, processes=1)
    parser.add_argument(
        "--records",
        type=Path,
        metavar="FILE",
        help="write the records of rounds with faults to FILE (default: the first 3 to standard "
        "error)",
    )
    parser.add_argument(
        "--all-records",
        action="store_true",
        help="keep the records of all rounds, with --records or --save, to show them or to verify "
        "the moves",
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """Play the contest and report it."""
    contest, sample = _contest(arguments), Sample(_sprt(arguments.sprt))
    _check_files(arguments)
    results_file, done = None, list[JobResult]()
    if arguments.save:
        results_file, done = ResultsFile.open(arguments.save, contest)
    results = {result.job: result for result in done}
    is_interrupted = False
    try:
        for result in _play(contest, results, engine_of(arguments), sample):
            if results_file is not None:
                results_file.add(result)
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        if results_file is not None:
            results_file.close()
    if is_interrupted:
        num_done = sum(len(result.pairs) for result in results.values())
        tell_interrupted(num_done, contest.num_pairs, arguments.save)
    if not results:
        return 130
    _report(_standings(contest, results, sample), sample, arguments)
    return 130 if is_interrupted else 0


def _check_files(arguments: argparse.Namespace) -> None:
    """Refuse what would come to nothing after everything has been played."""
    records, save = arguments.records, arguments.save
    if arguments.all_records and not (records or save):
        raise InputError("expected --records FILE or --save FILE with --all-records, got neither")
    if records and save and records.resolve() == save.resolve():
        raise InputError(f"expected two files for --save and --records, got {str(save)!r} for both")
    if records:
        check_writable(records)


def _standings(contest: Contest, results: dict[int, JobResult], sample: Sample) -> Standings:
    """Return what is reported: once a test has its verdict, the sample that the verdict rests on."""
    told = [r for r in results.values() if not sample.is_decided or r.job < sample.num_matches]
    return Standings(contest, tuple(told))


def _contest(arguments: argparse.Namespace) -> Contest:
    if arguments.pairs < 1:
        raise InputError(f"expected --pairs of at least 1, got {arguments.pairs}")
    if arguments.seconds is not None and not 0 < arguments.seconds <= 3600:
        raise InputError(f"expected --seconds above 0, at most 3600, got {arguments.seconds}")
    return Contest(
        a=make_agent(arguments.a).name,
        b=make_agent(arguments.b).name,
        num_pairs=arguments.pairs,
        num_colors=arguments.colors,
        num_rounds=arguments.rounds,
        seed=arguments.seed,
        seconds=arguments.seconds,
        with_luck=arguments.luck,
        with_records=arguments.all_records,
    )


def _sprt(text: str | None) -> Sprt | None:
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
        return Sprt(low, high)
    except ValueError:
        raise InputError(f"expected --sprt LOW,HIGH like 0,5, got {text!r}") from None


def _play(
    contest: Contest, results: dict[int, JobResult], engine: Engine, sample: Sample
) -> Iterator[JobResult]:
    """Play what is left, adding to the results and to the sample; a verdict ends it."""
    for result in results.values():
        _add(result, sample)
    if sample.is_decided:
        return
    progress = Progress(contest.num_pairs, done=sum(len(r.pairs) for r in results.values()))
    try:
        with closing(play_contest(contest, engine, done=frozenset(results))) as played:
            for result in played:
                results[result.job] = result
                yield result
                if _add(result, sample):
                    break
                note = f"margin {sample.mean:+.1f}" if sample.num_pairs else ""
                progress.advance(len(result.pairs), note)
    finally:
        progress.finish()


def _add(result: JobResult, sample: Sample) -> bool:
    """Add a match to the sample, and return whether there is a verdict."""
    sample.add(result.job, (pair.margin for pair in result.pairs))
    return sample.is_decided


def _report(standings: Standings, sample: Sample, arguments: argparse.Namespace) -> None:
    data = summary_to_data(standings)
    if sample.sprt is not None:
        data["sprt"] = {
            "low": sample.sprt.low,
            "high": sample.sprt.high,
            "alpha": sample.sprt.alpha,
            "beta": sample.sprt.beta,
            "pairs": sample.num_pairs,
            "verdict": sample.verdict.value,
        }
    try:
        print(json.dumps(data) if arguments.json else "\n".join(_lines(standings, sample)))
        sys.stdout.flush()
    finally:  # told before anything else can fail, and kept even if nobody reads it
        _keep_records(standings, arguments.records)


def _keep_records(standings: Standings, path: Path | None) -> None:
    if path is not None:
        write_text(path, "\n".join(standings.records))
    else:
        print("\n".join(standings.records_of_faults[:3]), end="", file=sys.stderr)


def _lines(standings: Standings, sample: Sample) -> Iterator[str]:
    contest, comparison = standings.contest, standings.comparison
    margin = comparison.margin
    low, high = margin.interval()
    interval = "unknown" if margin.known_error is None else f"{low:+.2f} to {high:+.2f}"
    yield f"{contest.a} against {contest.b}, {contest.num_colors} colors, seed {contest.seed}"
    yield (f"{len(comparison.pairs)} pairs: margin {margin} points a round (95 %: {interval})")
    if contest.with_luck:
        without_luck, taken_out = comparison.adjusted_margin
        yield f"without the luck of the draws: {without_luck} ({taken_out:.2f} of it taken out)"
    matches = standings.match_win_rate
    share = f", of matches {matches.mean:.1%}" if matches else ""
    yield f"wins {comparison.win_rate.mean:.1%} of rounds{share}"
    for side, spec in enumerate((contest.a, contest.b)):
        seconds = comparison.seconds_per_decision[side]
        yield (
            f"  {spec}: {comparison.scores[side]} points, {comparison.wagers[side]:.2f} wagers, "
            f"{comparison.expeditions[side]:.2f} expeditions, {seconds * 1000:.2f} ms a decision, "
            f"{standings.faults[side]} faults"
        )
    yield (
        f"{comparison.turns.mean:.1f} turns a round, {comparison.takes.mean:.1f} takes; the stall "
        f"guard forced a draw in {comparison.share_with_forced_draw:.1%} of rounds"
    )
    if sprt := sample.sprt:
        yield (
            f"sprt, {sprt.low:g} or {sprt.high:g} points: {sample.verdict}, "
            f"from the first {sample.num_pairs} pairs"
        )
