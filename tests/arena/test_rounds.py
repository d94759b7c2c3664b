"""Whole rounds, and duplicate deals."""

# ruff: noqa: ARG002 # scripted agents look at nothing

from dataclasses import replace
from math import inf, isclose, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.registry import make_agent
from lostcities.agents.simple import Discarder, RandomAgent
from lostcities.arena.duplicate import compare
from lostcities.arena.estimates import Estimate
from lostcities.arena.rounds import play_round
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    ONLINE_STALL_LIMIT,
    Card,
    Color,
    Discard,
    Draw,
    IllegalMoveError,
    Move,
    Observation,
    Phase,
    Play,
    Position,
    RefusalCode,
    Variant,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)


class Staller:
    """Always discards, and takes a discard whenever one may be taken."""

    name = "staller"

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        if observation.phase is Phase.DRAW:
            return Decision(observation.legal_moves[-1])
        return Decision(Discard(observation.hand[0]))


class Stubborn:
    """Insists on one move, whether it is legal or not."""

    name = "stubborn"

    def __init__(self, move: Move) -> None:
        self.move = move

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        return Decision(self.move)


class Opener:
    """Opens with the lowest card of the hand, then only discards."""

    name = "opener"

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        if observation.phase is Phase.DRAW:
            return Decision(DECK)
        card = observation.hand[0]
        is_first = not any(observation.own_expeditions)
        return Decision(Play(card) if is_first else Discard(card))


class Faulty:
    """Breaks down at once."""

    name = "faulty"

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        raise ZeroDivisionError


def shuffled(variant: Variant, seed: int) -> Position:
    deal = list(variant.deck)
    Random(seed).shuffle(deal)
    return Position.deal(deal, variant=variant)


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_two_stallers_end_by_the_deck_running_out_under_the_guard(variant: Variant) -> None:
    guarded = replace(variant, stall_limit=ONLINE_STALL_LIMIT)
    report = play_round(shuffled(guarded, 1), (Staller(), Staller()), lots="lots 1")
    assert report.scores == (0, 0)
    # Each forced draw comes after the whole limit of stalling; the few other
    # draws from the deck found no pile but the one just discarded on.
    assert report.num_forced_draws > variant.deck_after_deal // 2
    assert report.num_takes >= report.num_forced_draws * ONLINE_STALL_LIMIT
    assert report.num_turns == variant.deck_after_deal + report.num_takes


def test_without_takes_a_round_lasts_as_many_turns_as_the_deck_has_cards() -> None:
    report = play_round(shuffled(GUARDED, 2), (Discarder(), Discarder()), lots="lots 2")
    assert (report.num_turns, report.num_takes) == (CLASSIC.deck_after_deal, 0)
    assert report.num_forced_draws == 0
    assert report.num_wagers == report.num_expeditions == (0, 0)


def test_the_guard_forces_nothing_where_no_other_pile_holds_a_card() -> None:
    always = replace(CLASSIC, stall_limit=0)
    report = play_round(shuffled(always, 2), (Opener(), Discarder()), lots="lots 2")
    position = shuffled(always, 2)
    expected = 0
    while not position.is_over:
        agent = (Opener(), Discarder())[position.mover]
        position = position.after(agent.decide(position.observe(position.mover), rng=Random()).move)
        if position.phase is Phase.DRAW and position.just_discarded is not None:
            closed = position.just_discarded
            expected += any(top and top.color != closed for top in position.pile_tops)
    assert report.num_forced_draws == expected < report.num_turns


def test_wagers_and_expeditions_are_counted_for_each_seat() -> None:
    seen = set()
    for seed in range(10):
        position = shuffled(GUARDED, seed)
        is_wager = position.hands[1][0].is_wager
        report = play_round(position, (Discarder(), Opener()), lots=f"lots {seed}")
        assert report.num_expeditions == (0, 1)
        assert report.num_wagers == (0, is_wager)
        seen.add(is_wager)
    assert seen == {False, True}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (DECK, RefusalCode.WRONG_PHASE),
        (Draw(Color.RED), RefusalCode.WRONG_PHASE),
        (Discard(Card(Color.PURPLE, 2)), RefusalCode.CARD_NOT_IN_HAND),
    ],
)
def test_an_illegal_move_surfaces(move: Move, code: RefusalCode) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        play_round(shuffled(GUARDED, 3), (Stubborn(move), Discarder()), lots="lots 3")
    assert caught.value.refusal.code is code


def test_a_crash_surfaces() -> None:
    with pytest.raises(ZeroDivisionError):
        play_round(shuffled(GUARDED, 3), (Discarder(), Faulty()), lots="lots 3")


def test_agents_that_differ_in_nothing_are_level_in_every_pair() -> None:
    heuristic = make_agent("heuristic")
    comparison = compare((heuristic, heuristic), variant=GUARDED, num_pairs=3, seed=1)
    assert [pair.margin for pair in comparison.pairs] == [0, 0, 0]
    assert comparison.scores[0] == comparison.scores[1]


def test_swapping_the_agents_turns_the_margin_round() -> None:
    one = compare((make_agent("heuristic"), Discarder()), variant=GUARDED, num_pairs=3, seed=2)
    two = compare((Discarder(), make_agent("heuristic")), variant=GUARDED, num_pairs=3, seed=2)
    assert one.margin.mean == -two.margin.mean
    assert one.wagers == two.wagers[::-1]
    assert one.expeditions == two.expeditions[::-1]


def test_a_longer_run_begins_with_the_same_pairs() -> None:
    agents = (RandomAgent(), RandomAgent())
    short = compare(agents, variant=GUARDED, num_pairs=2, seed=3)
    long = compare(agents, variant=GUARDED, num_pairs=3, seed=3)
    assert long.pairs[:2] == short.pairs
    assert compare(agents, variant=GUARDED, num_pairs=2, seed=4).pairs != short.pairs


def test_figures_of_a_comparison_are_what_they_say() -> None:
    comparison = compare((RandomAgent(), Discarder()), variant=GUARDED, num_pairs=5, seed=5)
    scores = [(p.first.scores[0], p.swapped.scores[1]) for p in comparison.pairs]
    singles = [score for pair in scores for score in pair]
    assert comparison.num_rounds == 10
    assert comparison.scores[1] == Estimate(0.0, 0.0, 0.0)
    assert comparison.scores[0].mean == comparison.margin.mean == fmean(singles)
    assert isclose(comparison.scores[0].standard_error, stdev(map(fmean, scores)) / sqrt(5))
    assert comparison.score_deviations == (stdev(singles), 0.0)
    assert comparison.turns.mean == comparison.takes.mean + CLASSIC.deck_after_deal
    assert comparison.expeditions[1] == comparison.wagers[1] == 0


def test_an_estimate_reads_as_mean_and_error() -> None:
    assert str(Estimate.of([1.0, 3.0])) == "+2.00 +- 1.00"
    assert Estimate.of([4.0]) == Estimate(4.0, inf, inf)
    assert str(Estimate.of([4.0])) == "+4.00 +- unknown"
    assert Estimate.of([4.0]).known_error is None
