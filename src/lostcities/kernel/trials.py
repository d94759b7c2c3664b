"""Trials: every candidate move is tried in the same sampled worlds, and played out by the policy.

What is kept are sums of whole numbers, so any split of the worlds over threads
gives the same result to the digit.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, njit
from lostcities.kernel.belief import deal_unseen
from lostcities.kernel.layout import MAX_CARDS, Row, U
from lostcities.kernel.policy import Work, policy_playout_from_both_ends
from lostcities.kernel.step import margin
from lostcities.kernel.streams import CardTypes, Whole, Word, round_stream

Sums: TypeAlias = npt.NDArray[np.int64]


@njit
def try_actions(
    root: Row,
    seat: Whole,
    actions: Sums,
    first: Whole,
    count: Whole,
    seed: Word,
    sums: Sums,
    products: Sums,
    work: Work,
    belief: Whole,
) -> None:
    """Play each action out in the same worlds and add up the final margins.

    Args:
        root: A world of the seat to move; what it cannot see is dealt anew.
        seat: Whose knowledge is kept, and whose margins are added up.
        actions: The candidates, legal in every world of the seat, `int64[K]`.
        first: Number of the first world.
        count: How many worlds. World number w of a seed is always the same.
        seed: Names the sequence of worlds.
        sums: Margins by candidate, in points, `int64[K]`; added to.
        products: Products of the margins of two candidates in the same world,
            `int64[K, K]`; added to.
        work: The policy's taste and room to work in.
        belief: How worlds are dealt, `belief.BY_ODDS` or `belief.EVENLY`.
    """
    _try_actions(
        root, seat, actions, first, count, U(seed), sums, products, root.copy(), root.copy(),
        np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64), work,
        np.zeros(actions.size, np.int64), belief,
    )  # fmt: skip


@njit
def _try_actions(
    root: Row,
    seat: Whole,
    actions: Sums,
    first: Whole,
    count: Whole,
    seed: Word,
    sums: Sums,
    products: Sums,
    world: Row,
    trial: Row,
    cards: CardTypes,
    keys: Work,
    work: Work,
    margins: Sums,
    belief: Whole,
) -> None:
    """Try the actions, with room to work in that the caller keeps alive."""
    root, world, trial = borrow(root), borrow(world), borrow(trial)
    cards, keys, work = borrow(cards), borrow(keys), borrow(work)
    for number in range(first, first + count):
        world[:] = root
        deal_unseen(world, seat, round_stream(seed, U(number)), belief, cards, keys)
        for index in range(actions.size):
            trial[:] = world
            policy_playout_from_both_ends(trial, world, seat, actions[index], work)
            margins[index] = margin(trial, seat)
        for index in range(actions.size):
            sums[index] += margins[index]
            for other in range(actions.size):
                products[index, other] += margins[index] * margins[other]
