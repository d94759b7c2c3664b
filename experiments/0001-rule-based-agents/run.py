"""How well do the agents without search play? Prints the tables of the README.

Run from the root of the repository:
    python experiments/0001-rule-based-agents/run.py
"""

from collections.abc import Callable
from dataclasses import replace
from statistics import fmean

from lostcities.agents.registry import make_agent
from lostcities.arena.duplicate import compare, play_each_once
from lostcities.arena.estimates import Estimate
from lostcities.arena.rounds import RoundReport
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Variant

SEED = 2026
"""Not among the seeds that the constants were tuned on (1 to 14 and 101 to 103)."""
NUM_ROUNDS = 2000
NUM_PAIRS = 1000
SELF_PLAY = (
    ("heuristic", ONLINE_STALL_LIMIT),
    ("random", ONLINE_STALL_LIMIT),
    ("random", None),
    ("discarder", ONLINE_STALL_LIMIT),
)
OPPONENTS = ("random", "discarder")


def main() -> None:
    """Play everything and print it as tables."""
    print("| self-play | colors | guard | score a side | sd | starter minus other | turns |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    details = []
    for name, stall_limit in SELF_PLAY:
        for variant in (CLASSIC, LONG):
            guarded = replace(variant, stall_limit=stall_limit)
            reports = play_each_once(
                make_agent(name), variant=guarded, num_rounds=NUM_ROUNDS, seed=SEED
            )
            print(self_play_row(name, guarded, reports), flush=True)
            details.append(detail_row(name, guarded, reports))
    print("\n| self-play | colors | guard | takes a round | rounds with a forced draw", end="")
    print(" | wagers a side | expeditions a side |\n| --- | --- | --- | --- | --- | --- | --- |")
    print("\n".join(details))
    print("\n| heuristic against | colors | margin | scores | sd | turns | forced draw", end="")
    print(" | wagers | expeditions |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in OPPONENTS:
        for variant in (CLASSIC, LONG):
            print(duel_row(name, replace(variant, stall_limit=ONLINE_STALL_LIMIT)), flush=True)


def self_play_row(name: str, variant: Variant, reports: tuple[RoundReport, ...]) -> str:
    """Return points and length; the two scores of one round count as one value."""
    score = Estimate.of(fmean(report.scores) for report in reports)
    single = Estimate.of(score for report in reports for score in report.scores)
    lead = Estimate.of(report.scores[0] - report.scores[1] for report in reports)
    turns = [report.num_turns for report in reports]
    return (
        f"| {name} | {variant.num_colors} | {guard(variant)} | {score} | {single.deviation:.1f} "
        f"| {lead} | {fmean(turns):.1f} ({min(turns)} to {max(turns)}) |"
    )


def detail_row(name: str, variant: Variant, reports: tuple[RoundReport, ...]) -> str:
    """Return what happened on the way."""
    forced = fmean(report.num_forced_draws > 0 for report in reports)
    takes = fmean(report.num_takes for report in reports)
    wagers = mean_of_seats(reports, lambda report: report.num_wagers)
    expeditions = mean_of_seats(reports, lambda report: report.num_expeditions)
    return (
        f"| {name} | {variant.num_colors} | {guard(variant)} | {takes:.1f} | {forced:.2%} "
        f"| {wagers:.2f} | {expeditions:.2f} |"
    )


def duel_row(opponent: str, variant: Variant) -> str:
    """Return how the heuristic fares over duplicate deals."""
    agents = make_agent("heuristic"), make_agent(opponent)
    result = compare(agents, variant=variant, num_pairs=NUM_PAIRS, seed=SEED)
    scores, deviations = result.scores, result.score_deviations
    wagers, expeditions = result.wagers, result.expeditions
    return (
        f"| {opponent} | {variant.num_colors} | {result.margin} | {scores[0]} / {scores[1]} "
        f"| {deviations[0]:.1f} / {deviations[1]:.1f} | {result.turns.mean:.1f} "
        f"| {result.share_with_forced_draw:.2%} | {wagers[0]:.2f} / {wagers[1]:.2f} "
        f"| {expeditions[0]:.2f} / {expeditions[1]:.2f} |"
    )


def guard(variant: Variant) -> str:
    """Return the stall limit in words."""
    return "off" if variant.stall_limit is None else str(variant.stall_limit)


def mean_of_seats(
    reports: tuple[RoundReport, ...], count: Callable[[RoundReport], tuple[int, int]]
) -> float:
    """Return the mean of a count over both seats of all rounds."""
    return fmean(value for report in reports for value in count(report))


if __name__ == "__main__":
    main()
