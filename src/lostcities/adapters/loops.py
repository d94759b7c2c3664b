"""Compiled loops around the twins, for calls that cost less than what they do."""

from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit, row_of
from lostcities.kernel.batch import deal_game, observe_game
from lostcities.kernel.features import features
from lostcities.kernel.layout import MAX_CARDS, Row, Rows, U
from lostcities.kernel.playout import random_action
from lostcities.kernel.step import is_over, legal_mask, mover, score, step
from lostcities.kernel.streams import CardTypes, mix
from lostcities.kernel.streams import advance as next_state

OVER: Final = 2
"""What `advance` returns when nobody is to move."""
BOTH: Final = 2
"""In place of a seat: both sides are asked for their moves."""
_1: Final = U(1)
_S32: Final = U(32)


@njit
def advance(row: Row, action: int, mask: npt.NDArray[np.uint8]) -> np.int64:
    """Make a legal move in place and look at what comes: one call from Python instead of four.

    Args:
        row: The position.
        action: Unchecked.
        mask: Where the legal actions go, `uint8[A]`.

    Returns:
        The seat to move, or `OVER`.
    """
    step(row, action)
    legal_mask(row, mask)
    return np.int64(OVER) if is_over(row) else np.int64(mover(row))


@njit
def _answer(row: Row, seat: int, streams: Row, game: int) -> None:
    """Play at random for the other side, until it is the seat's turn or the round is over."""
    while seat != BOTH and not is_over(row) and np.int64(mover(row)) != seat:
        streams[game] = next_state(streams[game])
        step(row, np.int64(random_action(row, mix(streams[game]) >> _S32)))


@njit
def begin_range(
    begin: int,
    end: int,
    rows: Rows,
    start: Row,
    types: CardTypes,
    seeds: Row,
    rounds: Row,
    seats: npt.NDArray[np.int64],
    streams: Row,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    movers: npt.NDArray[np.int64],
) -> None:
    """Deal each game its next round, and play on until its seat is asked."""
    cards = np.zeros(MAX_CARDS, np.uint8)
    for game in range(begin, end):
        deal_game(rows, start, types, cards, seeds, rounds, game)
        _answer(row_of(rows, game), seats[game], streams, game)
        observe_game(rows, observations, masks, movers, game)


@njit
def step_range(
    begin: int,
    end: int,
    rows: Rows,
    start: Row,
    types: CardTypes,
    seeds: Row,
    rounds: Row,
    seats: npt.NDArray[np.int64],
    streams: Row,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    movers: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
    finished: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int64],
    final: npt.NDArray[np.float32],
) -> None:
    """Step each game and play on until its seat is asked; a round that ends is followed by a deal."""
    cards = np.zeros(MAX_CARDS, np.uint8)
    for game in range(begin, end):
        row = row_of(rows, game)
        viewer = np.int64(mover(row))
        step(row, actions[game])
        _answer(row, seats[game], streams, game)
        finished[game] = is_over(row)
        scores[game, 0] = 0
        scores[game, 1] = 0
        if finished[game]:
            scores[game, 0] = score(row, 0)
            scores[game, 1] = score(row, 1)
            features(row, viewer, row_of(final, game))
            deal_game(rows, start, types, cards, seeds, rounds, game)
            _answer(row, seats[game], streams, game)
        observe_game(rows, observations, masks, movers, game)
