"""A contest between two agents, as jobs that anybody can play in any order.

A job is a match of up to three rounds on numbered deals, played twice with the
seats swapped. In a contest the starter alternates whatever the score, so that
both plays of a deal give each agent what the other one had.
"""

from collections.abc import Container, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final

from lostcities.agents.base import NO_LIMIT, Agent, Limit
from lostcities.agents.registry import make_agent
from lostcities.agents.spec import EXTERNAL, parse_spec
from lostcities.agents.turns import author_of
from lostcities.arena.duplicate import (
    Comparison,
    Pair,
    deal_number,
    lots_of_deal,
    play_deal,
    share_won,
)
from lostcities.arena.engines import Engine
from lostcities.arena.estimates import Estimate
from lostcities.arena.luck import luck_of_draws
from lostcities.arena.rounds import Fault, RoundReport
from lostcities.notation.records import RoundRecord, format_record
from lostcities.play.provenance import LOTS_TAG, comment_of
from lostcities.rules import (
    CLASSIC,
    NO_MEMORY,
    ONLINE_STALL_LIMIT,
    SEATS,
    Match,
    Position,
    RoundResult,
    Standing,
    StarterPolicy,
    Variant,
    remember,
    seat_name,
)

_FAULT: Final = "Fault"
"""The tags of a record that tell where an agent failed begin with this."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played.

    Attributes:
        a: The spec of the first agent.
        b: The spec of the second agent.
        num_pairs: Deals, each played twice.
        num_colors: Expeditions.
        num_rounds: Rounds in a match.
        seed: Names the deals and the agents' lots.
        seconds: Time for a turn that external programs are given; built-in
            agents keep to what their specs say, so that results can be had again.
        with_luck: Whether the luck of the draws is measured, about 20 ms a round.
        with_records: Whether the records of all rounds are kept, and not only
            of those in which an agent failed.
    """

    a: str
    b: str
    num_pairs: int
    num_colors: int = 5
    num_rounds: int = 3
    seed: int = 1
    seconds: float | None = None
    with_luck: bool = False
    with_records: bool = False

    @property
    def variant(self) -> Variant:
        """The numbers of the game."""
        return replace(
            CLASSIC,
            num_colors=self.num_colors,
            num_rounds=self.num_rounds,
            starter_policy=StarterPolicy.ALTERNATE,
            stall_limit=ONLINE_STALL_LIMIT,
        )

    @property
    def jobs(self) -> range:
        """The numbers of the matches; each is played twice."""
        return range(-(-self.num_pairs // self.num_rounds))

    def deals_of(self, job: int) -> range:
        """Return the numbers of the deals of a match; the last match may be shorter."""
        start = job * self.num_rounds
        return range(start, min(start + self.num_rounds, self.num_pairs))


@dataclass(frozen=True, slots=True)
class JobResult:
    """A match, played twice.

    Attributes:
        job: Its number.
        pairs: Its deals.
        records: The records of rounds in which an agent failed, or of all.
    """

    job: int
    pairs: tuple[Pair, ...]
    records: tuple[str, ...] = ()


def play_job(contest: Contest, job: int) -> JobResult:
    """Play one match twice. The result depends on the contest and the number alone, but for times."""
    agents = _agents(contest)
    records: list[str] = []
    first = _play_match(contest, job, agents, records, is_swapped=False)
    swapped = _play_match(contest, job, (agents[1], agents[0]), records, is_swapped=True)
    return JobResult(
        job=job,
        pairs=tuple(Pair(*both) for both in zip(first, swapped, strict=True)),
        records=tuple(records),
    )


def play_contest(
    contest: Contest, engine: Engine, *, done: Container[int] = ()
) -> Generator[JobResult, None, None]:
    """Play the matches that are left, and yield each when it is done.

    Args:
        contest: What is played.
        engine: Where the work is done.
        done: The numbers of matches that are not played again.
    """
    left = [job for job in contest.jobs if job not in done]
    if left:
        with closing(engine.run(partial(play_job, contest), left)) as played:
            yield from played


def _agents(contest: Contest) -> tuple[Agent, Agent]:
    """Return both agents; one that plays against itself is there twice, for it may remember."""
    return _agent(contest.a, copy=1), _agent(contest.b, copy=2 if contest.a == contest.b else 1)


@lru_cache(maxsize=64)
def _agent(spec: str, *, copy: int) -> Agent:  # noqa: ARG001 # a key of the cache
    """Return an agent of this process; some take long to make."""
    return make_agent(spec)


def _play_match(
    contest: Contest,
    job: int,
    agents: tuple[Agent, Agent],
    records: list[str],
    *,
    is_swapped: bool,
) -> list[RoundReport]:
    """Return how the rounds went, and add the records that are kept."""
    match = Match(contest.variant, first_starter=_first_starter(job))
    first, second = _limits(contest)
    limits = (second, first) if is_swapped else (first, second)
    reports = []
    memory = NO_MEMORY
    for index in contest.deals_of(job):
        standing = match.next_standing()
        report = play_deal(
            contest.seed,
            index,
            agents,
            variant=contest.variant,
            standing=standing,
            is_swapped=is_swapped,
            limits=limits,
            is_tolerant=True,
            memory=memory,
        )
        start = Position.deal(
            deal_number(contest.seed, index, contest.variant),
            variant=contest.variant,
            standing=standing,
        )
        if standing.round_number < standing.num_rounds:
            memory = remember(memory, start, [written.turn for written in report.turns])
        match = match.with_round(RoundResult(standing.starter, report.scores))
        if contest.with_luck:
            report = replace(report, luck=luck_of_draws(start, report.turns))
        if report.faults or contest.with_records:
            records.append(_record(contest, index, standing, report, is_swapped=is_swapped))
        reports.append(replace(report, turns=(), origins=()))
    return reports


def _limits(contest: Contest) -> tuple[Limit, Limit]:
    """Return what the first and the second agent are given."""
    return _limit(contest.a, contest.seconds), _limit(contest.b, contest.seconds)


def _limit(spec: str, seconds: float | None) -> Limit:
    return Limit(seconds=seconds) if parse_spec(spec).name == EXTERNAL else NO_LIMIT


def _first_starter(job: int) -> int:
    return job % len(SEATS)


def _record(
    contest: Contest, index: int, standing: Standing, report: RoundReport, *, is_swapped: bool
) -> str:
    """Return the record of a round, with where its turns come from, and the faults as tags."""
    names = (contest.b, contest.a) if is_swapped else (contest.a, contest.b)
    job, which = index // contest.num_rounds, "swapped" if is_swapped else "first"
    record = RoundRecord(
        variant=contest.variant,
        standing=standing,
        names=names,
        turns=report.turns,
        is_over=True,
        deal=deal_number(contest.seed, index, contest.variant),
        result=report.scores,
        comments=tuple(
            comment_of(number, origin) for number, origin in enumerate(report.origins, start=1)
        ),
        tags=(
            ("Match", f"{contest.seed}-{job}-{which}"),
            (LOTS_TAG, lots_of_deal(contest.seed, index, is_swapped=is_swapped)),
            *(
                (
                    f"{_FAULT}{number}",
                    f"{seat_name(fault.seat)}, turn {fault.turn}: {_printable(fault)}",
                )
                for number, fault in enumerate(report.faults, start=1)
            ),
        ),
    )
    return format_record(record)


def _printable(fault: Fault) -> str:
    return "".join(char if char.isprintable() else "?" for char in fault.problem)


@dataclass(frozen=True, slots=True)
class Standings:
    """What is known of a contest so far."""

    contest: Contest
    results: tuple[JobResult, ...]

    @property
    def comparison(self) -> Comparison:
        """All deals played so far, in their order."""
        ordered = sorted(self.results, key=lambda result: result.job)
        return Comparison(tuple(pair for result in ordered for pair in result.pairs))

    @property
    def match_win_rate(self) -> Estimate | None:
        """The share of whole matches that the first agent won, drawn ones half; None without any."""
        shares = [
            (_match_share(result.pairs, play=0) + _match_share(result.pairs, play=1)) / 2
            for result in self.results
            if len(result.pairs) == self.contest.num_rounds
        ]
        return Estimate.of(shares) if shares else None

    @property
    def faults(self) -> tuple[int, int]:
        """How often each agent failed."""
        counts = [0, 0]
        for result in self.results:
            for pair in result.pairs:
                for is_swapped, report in enumerate(pair.rounds):
                    for fault in report.faults:
                        counts[fault.seat ^ is_swapped] += 1
        return counts[0], counts[1]

    @property
    def records(self) -> tuple[str, ...]:
        """The records that were kept."""
        return tuple(record for result in self.results for record in result.records)

    @property
    def records_of_faults(self) -> tuple[str, ...]:
        """The records of rounds in which an agent failed."""
        return tuple(record for record in self.records if f"\n[{_FAULT}1 " in record)


def _match_share(pairs: Sequence[Pair], *, play: int) -> float:
    scores = [pair.scores_of_agents[play] for pair in pairs]
    return share_won((sum(a for a, _ in scores), sum(b for _, b in scores)))


def summary_to_data(standings: Standings) -> dict[str, Any]:
    """Return a contest as programs read it; every figure is per round, and None if unknown."""
    comparison, contest = standings.comparison, standings.contest
    match_win_rate, faults = standings.match_win_rate, standings.faults
    authors = list(map(author_of, _agents(contest), _limits(contest)))
    sides = [
        {
            "agent": spec,
            "version": authors[side].version,
            "playouts": authors[side].playouts,
            "seconds": authors[side].seconds,
            "mean_score": comparison.scores[side].mean,
            "score_deviation": comparison.score_deviations[side],
            "wagers": comparison.wagers[side],
            "expeditions": comparison.expeditions[side],
            "seconds_per_decision": comparison.seconds_per_decision[side],
            "faults": faults[side],
        }
        for side, spec in enumerate((contest.a, contest.b))
    ]
    margin = comparison.margin
    luck = {}
    if contest.with_luck:
        without_luck, share = comparison.adjusted_margin
        luck = {
            "mean_luck": Estimate.of(pair.luck for pair in comparison.pairs).mean,
            "luck_share": share,
            "adjusted_margin": without_luck.mean,
            "adjusted_se": without_luck.known_error,
        }
    return {
        "pairs": len(comparison.pairs),
        "colors": contest.num_colors,
        "seed": contest.seed,
        "mean_margin": margin.mean,
        "se": margin.known_error,
        "interval95": None if margin.known_error is None else list(margin.interval()),
        "win_rate": comparison.win_rate.mean,
        "win_rate_se": comparison.win_rate.known_error,
        "match_win_rate": None if match_win_rate is None else match_win_rate.mean,
        "match_win_rate_se": None if match_win_rate is None else match_win_rate.known_error,
        **luck,
        "stalled": comparison.share_with_forced_draw,
        "turns": comparison.turns.mean,
        "takes": comparison.takes.mean,
        "a": sides[0],
        "b": sides[1],
    }
