"""Estimates, the sequential test and ratings, on data whose truth is known."""

from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from lostcities.arena.estimates import Estimate
from lostcities.arena.ratings import Duel, misfit, rate
from lostcities.arena.sprt import Sample, Sprt, Verdict

DEVIATION = 40.0
"""About that of the margin of a pair between good players."""


def simulate(sprt: Sprt, truth: float, rng: Random) -> tuple[Verdict, int]:
    """Run a test on invented margins, looking after every tenth pair."""
    margins: list[float] = []
    while len(margins) < 20_000:
        margins.extend(rng.gauss(truth, DEVIATION) for _ in range(10))
        verdict = sprt.verdict(margins)
        if verdict is not Verdict.UNDECIDED:
            return verdict, len(margins)
    return Verdict.UNDECIDED, len(margins)


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, Verdict.HIGH), (8.0, Verdict.LOW)])
def test_the_error_rates_are_those_that_were_asked_for(truth: float, wrong: Verdict) -> None:
    sprt = Sprt(0.0, 8.0, alpha=0.05, beta=0.05)
    rng = Random(7)
    verdicts = [simulate(sprt, truth, rng)[0] for _ in range(400)]
    share = verdicts.count(wrong) / len(verdicts)
    assert Verdict.UNDECIDED not in verdicts
    assert share < 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
    assert share > 0.005  # a test that is never wrong plays too many games


@pytest.mark.parametrize("seed", range(8))
def test_the_order_in_which_matches_are_done_does_not_change_the_verdict(seed: int) -> None:
    sprt, rng = Sprt(0.0, 8.0), Random(seed)
    matches = [[rng.gauss(4.0, DEVIATION) for _ in range(3)] for _ in range(600)]
    all_margins = [margin for match in matches for margin in match]
    first = next(
        number
        for number in range(1, len(matches) + 1)
        if sprt.verdict(all_margins[: 3 * number]) is not Verdict.UNDECIDED
    )
    for _ in range(3):
        sample = Sample(sprt)
        order = rng.sample(range(len(matches)), k=len(matches))
        for number in order:
            sample.add(number, matches[number])
        margins = all_margins[: 3 * first]
        assert (sample.num_matches, sample.num_pairs) == (first, 3 * first)
        assert sample.verdict is sprt.verdict(margins)
        assert sample.mean == pytest.approx(fmean(margins))


def test_matches_behind_a_gap_say_nothing_yet() -> None:
    sample = Sample(Sprt(0.0, 8.0))
    for number in range(1, 40):
        sample.add(number, [40.0, 42.0, 44.0])
    assert (sample.num_matches, sample.num_pairs, sample.is_decided) == (0, 0, False)
    sample.add(0, [40.0, 42.0, 44.0])
    assert sample.verdict is Verdict.HIGH
    assert sample.num_pairs == 30


def test_a_clear_difference_is_seen_soon() -> None:
    sprt = Sprt(0.0, 8.0)
    rng = Random(8)
    lengths = [simulate(sprt, 20.0, rng)[1] for _ in range(100)]
    assert fmean(lengths) < 100


@pytest.mark.parametrize(("low", "high", "alpha"), [(1, 1, 0.05), (2, 1, 0.05), (0, 1, 0.5)])
def test_hypotheses_that_cannot_be_told_apart_are_refused(
    low: float, high: float, alpha: float
) -> None:
    with pytest.raises(ValueError, match=r"^expected "):
        Sprt(low, high, alpha=alpha)


def test_margins_without_any_spread_decide_nothing() -> None:
    assert Sprt(0.0, 1.0).verdict([0.0] * 100) is Verdict.UNDECIDED


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = Random(9)
    hits = 0
    for _ in range(1000):
        low, high = Estimate.of(rng.gauss(3.0, 10.0) for _ in range(200)).interval()
        hits += low <= 3.0 <= high
    assert 925 <= hits <= 972


def test_ratings_find_the_strengths_that_made_the_margins() -> None:
    rng = Random(10)
    strengths = {"a": 0.0, "b": 7.0, "c": 15.0, "d": 31.0}
    duels = [
        Duel(x, y, Estimate.of(rng.gauss(strengths[x] - strengths[y], 40) for _ in range(400)))
        for x, y in combinations(strengths, 2)
    ]
    ratings = rate(duels, anchor="a")
    assert [rating.agent for rating in ratings] == ["d", "c", "b", "a"]
    for rating in ratings:
        truth = strengths[rating.agent]
        assert abs(rating.points - truth) <= 4 * rating.standard_error + 1e-9
    assert misfit(duels, ratings) < 20


def test_rating_errors_are_honest() -> None:
    rng = Random(11)
    scaled = []
    for _ in range(300):
        duels = [
            Duel(x, y, Estimate.of(rng.gauss(d, 40) for _ in range(100)))
            for x, y, d in (("a", "b", -5.0), ("b", "c", -5.0), ("a", "c", -10.0))
        ]
        (best, *_) = [r for r in rate(duels, anchor="a") if r.agent == "c"]
        scaled.append((best.points - 10.0) / best.standard_error)
    assert 0.85 < Estimate.of(scaled).deviation < 1.15


def test_an_agent_apart_from_the_others_is_named() -> None:
    one = Estimate(1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="connected with the anchor"):
        rate([Duel("a", "b", one), Duel("c", "d", one)], anchor="a")
    with pytest.raises(ValueError, match="expected the anchor 'x'"):
        rate([Duel("a", "b", one)], anchor="x")
