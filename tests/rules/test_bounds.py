"""Bounds of a round (rules 9 to 11), and that play reaches or respects them."""

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    MINI,
    SMALL,
    TINY,
    Discard,
    Move,
    Phase,
    Play,
    Position,
    Variant,
)
from lostcities.rules.bounds import (
    best_by_count,
    expedition_scores,
    max_cards_played,
    max_cards_played_without_takes,
    max_round_score,
    max_turns,
    min_round_score,
    worst_by_count,
)
from strategies import deal, shuffled

BEST = (0, -10, -1, 7, 14, 28, 42, 60, 100, 120, 136, 148, 156)
WORST = (0, -40, -60, -80, -72, -60, -44, -24, 20, 48, 80, 116, 156)


def test_best_and_worst_by_number_of_cards() -> None:
    assert best_by_count(CLASSIC) == BEST
    assert worst_by_count(CLASSIC) == WORST
    assert best_by_count(TINY) == (0, -17, -15, -30)
    assert worst_by_count(TINY) == (0, -40, -36, -30)


def test_bounds_by_number_of_colors() -> None:
    variants = [Variant(num_colors=num) for num in (3, 4, 5, 6)]
    assert [max_cards_played(variant) for variant in variants] == [19, 31, 43, 55]
    assert [max_round_score(variant) for variant in variants] == [256, 420, 580, 740]
    assert [max_cards_played_without_takes(variant) for variant in variants] == [10, 16, 22, 28]
    without = [max_round_score(variant, with_takes=False) for variant in variants]
    assert without == [136, 200, 296, 376]
    assert [min_round_score(variant) for variant in variants] == [-240, -320, -400, -480]


ODD_DECK = Variant(num_colors=3, wagers_per_color=0, hand_size=5)
WHOLE_COLORS = Variant(num_colors=2, hand_size=1, bonus=100, bonus_threshold=12)


def test_starter_has_one_turn_more_when_the_deck_is_odd() -> None:
    assert ODD_DECK.deck_after_deal == 17
    assert max_cards_played_without_takes(ODD_DECK) == 9


@pytest.mark.parametrize("variant", [CLASSIC, LONG, TINY, SMALL, MINI, ODD_DECK, WHOLE_COLORS])
def test_maximum_agrees_with_all_ways_to_spread_the_cards(variant: Variant) -> None:
    best = best_by_count(variant)
    for with_takes in (True, False):
        cap = (max_cards_played if with_takes else max_cards_played_without_takes)(variant)
        spreads = combinations_with_replacement(range(len(best)), variant.num_colors)
        by_hand = max(
            sum(best[count] for count in spread) for spread in spreads if sum(spread) <= cap
        )
        assert max_round_score(variant, with_takes=with_takes) == by_hand


def test_expedition_scores_of_a_small_variant() -> None:
    assert sorted(expedition_scores(TINY)) == sorted(
        [0, -40, -18, -17, -15, -36, -34, -30],
    )


def test_no_bound_on_turns_without_the_guard() -> None:
    assert max_turns(CLASSIC) is None
    assert max_turns(Variant(stall_limit=12)) == 13 * 2 * 44
    assert max_turns(Variant(num_colors=6, stall_limit=0)) == 2 * 56


def longest(position: Position) -> int:
    """Return the turns of the longest round from here: every game is walked."""

    @cache
    def turns_from(here: Position) -> int:
        if here.is_over:
            return 0
        return 1 + max(turns_from(here.after_turn(turn)) for turn in here.legal_turns)

    return turns_from(position)


@pytest.mark.parametrize("stall_limit", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "shape", [TINY, Variant(num_colors=2, highest_rank=2, wagers_per_color=2, hand_size=2)]
)
def test_longest_round_under_the_guard(shape: Variant, stall_limit: int) -> None:
    variant = Variant(**{**shape.differences(), "stall_limit": stall_limit})  # type: ignore[arg-type]
    bound = max_turns(variant)
    assert bound is not None
    lengths = [longest(deal(variant, Random(seed))) for seed in range(8)]
    assert max(lengths) <= bound
    assert max(lengths) > variant.deck_after_deal or stall_limit == 0


def stall(position: Position, *, plays_last: bool) -> Move:
    """Choose the move that keeps the round going: take wherever it is allowed, draw if forced."""
    if position.phase is Phase.DRAW:
        takes = [move for move in position.legal_moves if move != DECK]
        return takes[-1] if takes else DECK
    discards = [move for move in position.legal_moves if isinstance(move, Discard)]
    playable = [move for move in position.legal_moves if isinstance(move, Play)]
    filled = {color for color in position.variant.colors if position.piles[color]}
    stalling = [move for move in discards if filled - {move.card.color}]
    limit = position.variant.stall_limit or 0
    if position.num_stalling_turns >= limit and playable and plays_last:
        return playable[0]
    return (stalling or discards)[0]


@pytest.mark.parametrize("plays_last", [False, True])
@pytest.mark.parametrize("stall_limit", [0, 1, 12])
@pytest.mark.parametrize("num_colors", [5, 6])
def test_two_stallers_end_within_the_bound(
    num_colors: int, stall_limit: int, *, plays_last: bool
) -> None:
    variant = Variant(num_colors=num_colors, stall_limit=stall_limit)
    bound = max_turns(variant)
    assert bound is not None
    for seed in range(3):
        position, turns = Position.deal(shuffled(variant, Random(seed)), variant=variant), 0
        while not position.is_over:
            move = stall(position, plays_last=plays_last)
            turns += position.phase is Phase.DRAW
            position = position.after(move)
        assert turns <= bound
        # Each deck draw but the first is put off by the whole limit.
        assert turns >= (stall_limit + 1) * (variant.deck_after_deal - 2)


def test_two_stallers_never_end_without_the_guard() -> None:
    position = Position.deal(shuffled(CLASSIC, Random(1)))
    for _ in range(2000):
        position = position.after(stall(position, plays_last=False))
    assert len(position.deck) >= 42
    assert position.num_stalling_turns > 900


@pytest.mark.parametrize(
    "variant",
    [
        replace(TINY, own_discard_block=False, stall_limit=1),
        replace(TINY, stall_limit=1),
        replace(TINY, hand_size=1, stall_limit=1),
        Variant(
            num_colors=2,
            highest_rank=4,
            wagers_per_color=0,
            hand_size=2,
            expedition_cost=0,
            own_discard_block=False,
            stall_limit=1,
        ),
        Variant(
            num_colors=2,
            highest_rank=2,
            wagers_per_color=1,
            hand_size=1,
            expedition_cost=0,
            stall_limit=1,
        ),
        Variant(
            num_colors=3,
            highest_rank=2,
            wagers_per_color=0,
            hand_size=1,
            expedition_cost=0,
            stall_limit=2,
        ),
    ],
)
def test_no_round_of_a_tiny_game_beats_the_bounds(variant: Variant) -> None:
    """Every round of several deals, all games walked."""
    rng = Random(1)
    most_cards, best, worst = 0, -1000, 1000
    for _ in range(6):
        deal = rng.sample(variant.deck, k=len(variant.deck))
        for end in ends_of(Position.deal(deal, variant=variant)):
            for seat in (0, 1):
                most_cards = max(most_cards, sum(map(len, end.expeditions[seat])))
                best, worst = max(best, end.scores[seat]), min(worst, end.scores[seat])
    assert most_cards <= max_cards_played(variant)
    assert best <= max_round_score(variant)
    assert worst >= min_round_score(variant)


def ends_of(start: Position) -> list[Position]:
    seen, left, ends = {start}, [start], []
    while left:
        position = left.pop()
        if position.is_over:
            ends.append(position)
        for move in position.legal_moves:
            after = position.after(move)
            if after not in seen:
                seen.add(after)
                left.append(after)
    return ends


def test_the_other_side_leaves_a_card_if_it_has_a_turn_and_cannot_take_it_back() -> None:
    assert max_cards_played(TINY) == TINY.deck_after_deal - 1 == 1
    one_turn = replace(TINY, num_colors=3, hand_size=4)
    assert max_cards_played(one_turn) == one_turn.deck_after_deal == 1
    open_piles = replace(TINY, own_discard_block=False)
    assert max_cards_played(open_piles) == open_piles.deck_after_deal == 2
