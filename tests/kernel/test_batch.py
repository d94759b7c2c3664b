"""Many games at once: the same games for every number of games and threads."""

import numpy as np
import pytest

from lostcities.kernel.batch import Batch, game_seed
from lostcities.kernel.bridge import move_of, unpack
from lostcities.kernel.features import features
from lostcities.kernel.layout import Row
from lostcities.kernel.step import legal_mask
from lostcities.rules import CLASSIC, LONG, MINI, TINY, Position, Variant


def _first_legal(batch: Batch, turn: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return actions that depend on nothing but the game itself."""
    chosen = [
        legal[(turn * 7) % len(legal)] for legal in (np.flatnonzero(mask) for mask in batch.masks)
    ]
    return np.array(chosen, np.int64)


def _history(batch: Batch, num_steps: int) -> list[tuple[bytes, ...]]:
    history = []
    for turn in range(num_steps):
        batch.step(_first_legal(batch, turn))
        arrays = (
            batch.rows, batch.features, batch.masks, batch.movers, batch.finished, batch.scores,
        )  # fmt: skip
        history.append(tuple(array[:3].tobytes() for array in arrays))
    return history


@pytest.mark.parametrize("variant", [MINI, CLASSIC, LONG], ids=["mini", "classic", "long"])
def test_threads_and_other_games_change_nothing(variant: Variant) -> None:
    three = _history(Batch(variant, 3, seed=5), 150)
    assert _history(Batch(variant, 7, seed=5, threads=3), 150) == three
    seeds = [int(game_seed(5, game)) for game in range(3)]
    assert _history(Batch(variant, 3, seeds=seeds), 150) == three
    assert _history(Batch(variant, 3, seed=6), 150) != three


@pytest.mark.parametrize("variant", [TINY, MINI], ids=["tiny", "mini"])
def test_a_batch_goes_by_the_rules_and_deals_anew(variant: Variant) -> None:
    batch = Batch(variant, 4, seed=2)
    positions: list[Position] = [unpack(row) for row in batch.rows]
    num_finished = 0
    for turn in range(300):
        actions = _first_legal(batch, turn)
        batch.step(actions)
        for game, action in enumerate(actions):
            after = positions[game].after(move_of(int(action), variant))
            assert batch.finished[game] == after.is_over
            expected = after.scores if after.is_over else (0, 0)
            assert tuple(batch.scores[game]) == expected
            positions[game] = unpack(batch.rows[game]).checked()
            if after.is_over:
                num_finished += 1
                assert positions[game].standing.totals == (0, 0)
                assert not any(positions[game].piles)
            else:
                assert positions[game] == after
    assert num_finished > 10


def test_what_is_observed_is_what_the_single_kernels_say() -> None:
    batch = Batch(CLASSIC, 5, seed=1)
    _history(batch, 40)
    for row, vector, mask, seat in zip(
        batch.rows, batch.features, batch.masks, batch.movers, strict=True
    ):
        assert seat == unpack(row).to_move
        assert _encode(row, int(seat), len(vector)) == vector.tolist()
        expected = np.zeros(len(mask), np.uint8)
        legal_mask(row, expected)
        assert mask.tolist() == expected.tolist()


def _encode(row: Row, seat: int, length: int) -> list[float]:
    out = np.zeros(length, np.float32)
    features(row, seat, out)
    return out.tolist()


def test_reset_begins_again() -> None:
    batch = Batch(LONG, 3, seed=8)
    first = batch.rows.copy()
    before = _history(batch, 30)
    batch.reset()
    assert (batch.rows == first).all()
    assert _history(batch, 30) == before


def test_rows_changed_by_hand_are_observed_anew() -> None:
    batch = Batch(CLASSIC, 2, seed=8)
    batch.rows[1] = batch.rows[0]
    batch.observe()
    assert (batch.features[0] == batch.features[1]).all()


def test_random_actions_are_legal_and_differ() -> None:
    batch = Batch(CLASSIC, 64, seed=3)
    actions = np.zeros(64, np.int64)
    for turn in range(100):
        batch.random_actions(turn, actions)
        assert batch.masks[np.arange(64), actions].all()
        batch.step(actions)
    assert len(set(actions.tolist())) > 5


def test_every_round_of_every_game_is_another_deal() -> None:
    batch = Batch(MINI, 20, seed=3)
    deals = {batch.rows[game].tobytes() for game in range(20)}
    actions = np.zeros(20, np.int64)
    turn = num_new = 0
    while num_new < 60:
        batch.random_actions(turn, actions)
        batch.step(actions)
        turn += 1
        for game in np.flatnonzero(batch.finished):
            deals.add(batch.rows[game].tobytes())
            num_new += 1
    assert len(deals) > 75


def test_what_makes_no_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="expected games and threads >= 1, got 0 and 1"):
        Batch(CLASSIC, 0)
    with pytest.raises(ValueError, match="expected 2 seeds, got 1"):
        Batch(CLASSIC, 2, seeds=[1])
    batch = Batch(CLASSIC, 2)
    with pytest.raises(ValueError, match=r"expected actions int64\[2\], got int32\[2\]"):
        batch.step(np.zeros(2, np.int32))
