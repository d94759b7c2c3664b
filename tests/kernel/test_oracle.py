"""What a judge of training games sees beyond a seat, against plain Python on whole positions."""

import random
from math import exp

import numpy as np
import numpy.typing as npt
import pytest

from kernel.walking import reshuffle_unseen, start, walk
from lostcities.kernel.bridge import pack, type_of
from lostcities.kernel.features import features, num_features
from lostcities.kernel.oracle import ORACLE_WIDTH, oracle_features
from lostcities.rules import CLASSIC, LONG, Position, Variant, other_seat


def reckoned(position: Position) -> npt.NDArray[np.float64]:
    """Return the vector, card by card."""
    out = np.zeros((position.variant.num_colors, ORACLE_WIDTH))
    for card in position.hands[other_seat(position.mover)]:
        block = out[card.color]
        if card.is_wager:
            block[int(block[:3].sum())] = 1
        else:
            block[3 + card.rank - 2] = 1
    for draws, card in enumerate(position.deck):
        color, kind = divmod(type_of(card), 10)
        at = 12 + 6 * kind + 3 * (draws % 2)
        out[color, at : at + 3] += 1, exp(-draws / 12), exp(-draws / 3)
    return out.reshape(-1)


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_it_is_the_other_hand_and_the_deck(variant: Variant) -> None:
    out = np.full(ORACLE_WIDTH * variant.num_colors, 7, np.float32)
    rng, num = random.Random(4), 0
    for _ in range(6):
        for position, _ in walk(start(variant, rng), rng, 400):
            oracle_features(pack(position), position.mover, out)
            assert out == pytest.approx(reckoned(position), abs=1e-5)
            num += 1
    assert num > 300


def test_it_differs_between_worlds_that_a_seat_cannot_tell_apart() -> None:
    rng = random.Random(5)
    position = start(CLASSIC, rng)
    other = reshuffle_unseen(position, position.mover, rng)
    seen = np.zeros((2, num_features(CLASSIC)), np.float32)
    unseen = np.zeros((2, ORACLE_WIDTH * CLASSIC.num_colors), np.float32)
    for place, world in enumerate((position, other)):
        features(pack(world), world.mover, seen[place])
        oracle_features(pack(world), world.mover, unseen[place])
    assert (seen[0] == seen[1]).all()
    assert not (unseen[0] == unseen[1]).all()
