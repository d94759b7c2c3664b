"""Taking the luck of the draws out must not change what a margin means."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from math import sqrt
from random import Random
from statistics import fmean

import pytest

from lostcities.agents.heuristic import Heuristic, outlook
from lostcities.agents.simple import Discarder, RandomAgent
from lostcities.arena.contest import Contest, Standings, play_job, summary_to_data
from lostcities.arena.luck import adjusted, luck_of_draws
from lostcities.arena.rounds import play_round
from lostcities.rules import CLASSIC, SMALL, Observation, Position


def sum_of_hand(observation: Observation) -> float:
    return float(sum(card.rank for card in observation.hand))


def nonsense(observation: Observation) -> float:
    """A value function that knows nothing at all; it must do no harm."""
    return float(hash((observation.hand, observation.seat)) % 1000)


@pytest.mark.parametrize("value", [outlook, sum_of_hand, nonsense])
def test_over_all_orders_of_the_deck_the_luck_is_exactly_nothing(
    value: Callable[[Observation], float],
) -> None:
    game = replace(SMALL, stall_limit=2)
    deal = Random(5).sample(game.deck, k=len(game.deck))
    dealt = 2 * game.hand_size
    lucks = []
    for rest in permutations(deal[dealt:]):
        start = Position.deal([*deal[:dealt], *rest], variant=game)
        report = play_round(start, (Heuristic(), Discarder()), lots="luck")
        lucks.append(luck_of_draws(start, report.turns, value=value))
    assert abs(fmean(lucks)) < 1e-9
    assert any(abs(luck) > 1e-6 for luck in lucks)


def test_over_many_rounds_the_luck_tends_to_nothing() -> None:
    rng = Random(6)
    lucks = []
    for number in range(60):
        start = Position.deal(rng.sample(CLASSIC.deck, k=60))
        report = play_round(start, (RandomAgent(), RandomAgent()), lots=f"luck {number}")
        lucks.append(luck_of_draws(start, report.turns, value=sum_of_hand))
    error = sqrt(sum(luck**2 for luck in lucks)) / len(lucks)
    assert abs(fmean(lucks)) < 4 * error


def test_a_better_card_is_better_luck_for_the_side_that_draws_it() -> None:
    rng = Random(7)
    start = Position.deal(rng.sample(CLASSIC.deck, k=60))
    report = play_round(start, (Discarder(), Discarder()), lots="luck")
    top = start.deck[0]
    luck = luck_of_draws(start, report.turns[:1], value=sum_of_hand)
    assert luck == pytest.approx(top.rank - fmean(card.rank for card in start.deck))


def test_what_is_explained_goes_and_the_mean_stays() -> None:
    rng = Random(8)
    means, plain, reduced = [], [], []
    for _ in range(200):
        lucks = [rng.gauss(0, 30) for _ in range(100)]
        margins = [5.0 + 0.8 * luck + rng.gauss(0, 10) for luck in lucks]
        estimate, share = adjusted(margins, lucks)
        means.append(estimate.mean)
        plain.append(fmean(margins))
        reduced.append(share)
    assert fmean(means) == pytest.approx(5.0, abs=0.3)
    assert fmean(reduced) == pytest.approx(0.8, abs=0.02)
    spread = fmean((mean - 5) ** 2 for mean in means) / fmean((mean - 5) ** 2 for mean in plain)
    assert spread < 0.3


def test_without_any_luck_the_margin_is_what_it_was() -> None:
    estimate, share = adjusted([1.0, 2.0, 6.0], [0.0, 0.0, 0.0])
    assert (estimate.mean, share) == (3.0, 0.0)


def test_few_pairs_do_not_claim_to_be_sure() -> None:
    """The share fits two pairs exactly; in many samples of a few the error is as it says."""
    assert adjusted([1.0, 5.0], [0.0, 3.0])[0].known_error is None
    rng = Random(9)
    variances = []
    for _ in range(4000):
        lucks = [rng.gauss(0, 30) for _ in range(6)]
        estimate, _ = adjusted([0.8 * luck + rng.gauss(0, 10) for luck in lucks], lucks)
        variances.append(estimate.deviation**2)
    assert fmean(variances) == pytest.approx(100.0, rel=0.05)


def test_a_contest_can_measure_it() -> None:
    contest = Contest("heuristic", "discarder", num_pairs=12, with_luck=True)
    data = summary_to_data(
        Standings(contest, tuple(play_job(contest, job) for job in contest.jobs))
    )
    assert data["adjusted_se"] <= data["se"]
    assert abs(data["adjusted_margin"] - data["mean_margin"]) < 4 * data["se"]
    assert 0 < data["luck_share"] < 2
