"""Trials with the network: worlds that agree with what is known, sums that any split gives."""

import random
from collections import Counter

import numpy as np
import pytest

from kernel.test_network import some_positions, some_weights
from lostcities.kernel.bridge import action_of, pack, unpack
from lostcities.kernel.layout import MAX_CARDS
from lostcities.kernel.lookahead import (
    POINTS,
    Outlook,
    deal_by_odds,
    read_odds,
    try_by_network,
)
from lostcities.kernel.network import (
    COLOR_HEAD,
    COLOR_OUT,
    NUM_WEIGHTS,
    Weights,
    evaluate,
    new_room,
    new_thinker,
)
from lostcities.kernel.policy import new_work
from lostcities.kernel.streams import to_word
from lostcities.rules import CLASSIC, DECK, LONG, Variant


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_worlds_agree_with_what_the_seat_sees(variant: Variant) -> None:
    odds = np.random.default_rng(1).uniform(0.1, 5.0, 60)
    for position in some_positions(variant, 5)[::9]:
        row, seat = pack(position), position.mover
        world = row.copy()
        deal_by_odds(
            world, seat, to_word(3), odds, np.zeros(MAX_CARDS, np.uint8),
            np.zeros(MAX_CARDS, np.float64),
        )  # fmt: skip
        assert unpack(world).observe(seat) == position.observe(seat)


def test_likelier_cards_are_dealt_to_the_other_hand_more_often() -> None:
    position = some_positions(CLASSIC, 6)[0]
    seat = position.mover
    unseen = Counter([*position.hands[1 - seat], *position.deck])
    card = next(card for card in unseen if not card.is_wager)
    kind = int(card.color) * 10 + card.rank - 1
    held = {}
    for odds_of_it in (0.05, 1.0, 20.0):
        odds = np.ones(60, np.float64)
        odds[kind] = odds_of_it
        world, row = pack(position), pack(position)
        count = 0
        for number in range(400):
            world[:] = row
            deal_by_odds(
                world, seat, to_word(number * 7919), odds, np.zeros(MAX_CARDS, np.uint8),
                np.zeros(MAX_CARDS, np.float64),
            )  # fmt: skip
            count += card in unpack(world).hands[1 - seat]
        held[odds_of_it] = count / 400
    evenly = 8 / len([*position.hands[1 - seat], *position.deck])
    assert held[0.05] < 0.05 < held[1.0] < 0.5 < held[20.0]
    assert held[1.0] == pytest.approx(evenly, abs=0.08)


def test_odds_are_read_by_kind_and_bounded() -> None:
    room = new_room()
    for color in range(5):
        for kind in range(10):
            room[COLOR_OUT + color * COLOR_HEAD + 21 + kind] = np.log(1 + 10 * color + kind)
    room[COLOR_OUT + 21] = 99.0
    odds = np.zeros(60, np.float64)
    read_odds(room, 5, odds)
    assert odds[0] == pytest.approx(np.exp(5.0))
    assert odds[1:50] == pytest.approx(np.arange(2, 51), rel=1e-5)


def outlook_of(weights: Weights, depth: int) -> Outlook:
    return Outlook(
        new_thinker(weights), weights, POINTS, depth, 0.0, new_work(), np.ones(60, np.float64)
    )


def sums_of(position_number: int, parts: list[tuple[int, int]], depth: int) -> list[float]:
    position = some_positions(CLASSIC, 7)[position_number]
    row, seat = pack(position), position.mover
    moves = position.legal_moves[:5]
    candidates = np.array([action_of(move, CLASSIC) for move in moves], np.int64)
    sums = np.zeros(candidates.size, np.float64)
    products = np.zeros((candidates.size, candidates.size), np.float64)
    for first, count in parts:
        try_by_network(
            row, seat, candidates, first, count, to_word(11), outlook_of(some_weights(), depth),
            sums, products,
        )  # fmt: skip
    assert np.allclose(products, products.T)
    return [*sums.tolist(), *products.ravel().tolist()]


@pytest.mark.parametrize(("position_number", "depth"), [(-20, 0), (4, 1), (4, 2)])
def test_worlds_may_be_split(position_number: int, depth: int) -> None:
    """To the digit: any split over threads leads to the same decision."""
    parts = [(5, 1), (0, 2), (2, 3)]
    whole = sums_of(position_number, [(0, 6)], depth)
    assert whole == sums_of(position_number, parts, depth)
    assert (depth == 0) == all(number.is_integer() for number in whole)


def test_the_last_card_ends_the_round_with_the_true_margin() -> None:
    rng = random.Random(12)
    position = next(
        position
        for seed in range(9, 99)
        for position in some_positions(CLASSIC, seed)
        if len(position.deck) == 1 and DECK in position.legal_moves
    )
    row, seat = pack(position), position.mover
    after = position.after(DECK)
    assert after.is_over
    sums, products = np.zeros(1), np.zeros((1, 1))
    try_by_network(
        row, seat, np.array([action_of(DECK, CLASSIC)]), 0, 3, to_word(rng.getrandbits(60)),
        outlook_of(np.zeros(NUM_WEIGHTS, np.float32), 0), sums, products,
    )  # fmt: skip
    margin = after.scores[seat] - after.scores[1 - seat]
    assert sums[0] == 3 * margin
    assert products[0, 0] == 3 * margin**2


def test_a_world_without_opinions_still_plays_on() -> None:
    position = some_positions(CLASSIC, 10)[0]
    room = new_room()
    evaluate(pack(position), position.mover, room, np.zeros(NUM_WEIGHTS, np.float32))
    assert not room[COLOR_OUT:].any()
