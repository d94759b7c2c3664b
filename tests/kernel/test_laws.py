"""The five laws that hold rules and kernel together."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.walking import VARIANTS, reshuffle_unseen, start, walk
from lostcities.kernel.bridge import action_of, move_of, pack, types_of, unpack
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import MAX_LEGAL, Row, new_row, num_actions
from lostcities.kernel.step import deal, is_over, legal_list, legal_mask, margin, score, step
from lostcities.rules import SEATS, Card, Position, Variant


def _mask(row: Row, variant: Variant) -> list[int]:
    mask = np.full(num_actions(variant), 7, np.uint8)
    legal_mask(row, mask)
    return [int(action) for action in np.flatnonzero(mask)]


def _list(row: Row) -> list[int]:
    actions = np.zeros(MAX_LEGAL, np.int64)
    return [int(action) for action in actions[: legal_list(row, actions)]]


def _features(position: Position, seat: int) -> list[float]:
    out = np.full(num_features(position.variant), np.nan, np.float32)
    features(pack(position), seat, out)
    assert np.isfinite(out).all()
    return out.tolist()


def _check_position(position: Position) -> None:
    row, variant = pack(position), position.variant
    assert unpack(row) == position
    actions = sorted(action_of(move, variant) for move in position.legal_moves)
    assert _mask(row, variant) == _list(row) == actions
    assert {move_of(action, variant) for action in actions} == set(position.legal_moves)
    assert is_over(row) == position.is_over
    scores = position.scores
    assert [int(score(row, seat)) for seat in SEATS] == [*scores]
    assert margin(row, 1) == scores[1] - scores[0]


def _check_game(variant: Variant, rng: random.Random, num_plies: int) -> None:
    position = start(variant, rng)
    row = new_row(variant, position.standing)
    deal(row, types_of(_as_dealt(position)))
    assert (row == pack(position)).all()
    for before, move in walk(position, rng, num_plies):
        _check_position(before)
        position = before.after(move)
        step(row, action_of(move, variant))
        assert unpack(row) == position
        assert (row == pack(position)).all(), "equal positions have equal rows"
    _check_position(position)


def _as_dealt(position: Position) -> list[Card]:
    """Return the deal that leads to a first position."""
    starter = position.standing.starter
    hands = position.hands[starter], position.hands[1 - starter]
    return [*(card for pair in zip(*hands, strict=True) for card in pair), *position.deck]


@pytest.mark.parametrize("name", VARIANTS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_both_play_the_same_game(name: str, seed: int) -> None:
    _check_game(VARIANTS[name], random.Random(seed), num_plies=90)


@pytest.mark.parametrize("name", VARIANTS)
def test_both_play_the_same_game_to_the_end(name: str) -> None:
    _check_game(VARIANTS[name], random.Random(f"end of {name}"), num_plies=1500)


@pytest.mark.parametrize("name", VARIANTS)
@given(seed=st.integers(0, 2**32), num_plies=st.integers(0, 60))
@settings(max_examples=12, deadline=None)
def test_hidden_cards_do_not_show_in_the_features(name: str, seed: int, num_plies: int) -> None:
    rng = random.Random(seed)
    position = start(VARIANTS[name], rng)
    for before, move in walk(position, rng, num_plies):
        position = before.after(move)
    for seat in SEATS:
        twin = reshuffle_unseen(position, seat, rng).checked()
        assert twin.observe(seat) == position.observe(seat)
        assert _features(twin, seat) == _features(position, seat)


def test_a_position_that_differs_where_the_seat_looks_has_other_features() -> None:
    rng = random.Random(3)
    position = start(VARIANTS["classic"], rng)
    other = start(VARIANTS["classic"], rng)
    assert _features(position, 0) != _features(other, 0)
