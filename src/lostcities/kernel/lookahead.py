"""Looking ahead with the network: candidates are tried in the same worlds, and the network plays on.

As `trials`, with three differences: the network deals the other hand by what it
believes of each card, it plays both sides, and a trial may stop at one of the
own later turns, where the network says what it expects. Margins are points.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, njit
from lostcities.kernel.belief import hand_out_earliest
from lostcities.kernel.layout import (
    CARD_PHASE,
    CONFIG,
    DECK,
    MAX_CARDS,
    MAX_LEGAL,
    Row,
    U,
)
from lostcities.kernel.network import (
    BELIEFS,
    COLOR_HEAD,
    COLOR_OUT,
    Floats,
    Weights,
    evaluate,
    logit_of,
    read_margin,
)
from lostcities.kernel.policy import LONGEST_WAIT, lay_next
from lostcities.kernel.step import (
    deck_card,
    is_over,
    legal_list,
    margin,
    mover,
    num_colors,
    phase,
    step,
)
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, mix, round_stream, shuffle
from lostcities.kernel.worlds import collect_hidden, reshuffle

_0, _1, _3, _7, _8 = U(0), U(1), U(3), U(7), U(8)
_11, _20, _55 = U(11), U(20), U(55)
_BYTE: Final = U(0xFF)
_PER_WORD: Final = 1.0 / 9007199254740992.0
_STEPS_OF_A_POINT: Final = 256.0
"""Expectations are rounded to such parts of a point, so that sums of them are exact: in whatever
order threads add them up, it is the same number."""
_SUREST: Final = 5.0
"""No belief counts for more than this, as a logarithm of odds."""


@njit
def read_odds(room: Floats, colors: Whole, odds: npt.NDArray[np.float64]) -> None:
    """Write the odds that an unseen card of a kind is in the other hand, not in the deck.

    Args:
        room: Where the network wrote its opinion of the own seat's view.
        colors: How many colors are in play.
        odds: Where they go, by kind of card, `float64[60]`; their scale means nothing.
    """
    for kind in range(10 * colors):
        belief = np.float64(room[COLOR_OUT + kind // 10 * COLOR_HEAD + BELIEFS + kind % 10])
        odds[kind] = np.exp(min(max(belief, -_SUREST), _SUREST))


@njit
def deal_by_odds(
    row: Row,
    seat: Whole,
    stream: Word,
    odds: npt.NDArray[np.float64],
    cards: CardTypes,
    keys: npt.NDArray[np.float64],
) -> Word:
    """Deal what a seat cannot see anew, in place, the other hand by odds.

    With tabletop memory all worlds are equally likely, as in `worlds.reshuffle`.

    Args:
        row: A world; the same for this seat before and after.
        seat: Whose knowledge is kept.
        stream: State of the stream.
        odds: See `read_odds`.
        cards: Room to work in, `uint8[80]`.
        keys: Room to work in, `float64[80]`.

    Returns:
        The stream's new state.

    Source:
        Efraimidis, Spirakis 2006, Weighted random sampling with a reservoir.
    """
    if (row[CONFIG] >> _55) & _1 == _1:
        return reshuffle(row, seat, stream, cards)
    other = U(1 - seat)
    count = collect_hidden(row, other, cards)
    stream = shuffle(cards, count, U(stream))
    for index in range(count):
        stream = advance(stream)
        chance = (np.float64(mix(stream) >> _11) + 0.5) * _PER_WORD
        keys[index] = -np.log(chance) / odds[cards[index]]
    hand_out_earliest(row, other, cards, count, keys)
    return stream


@njit
def likeliest_action(
    row: Row,
    room: Floats,
    actions: npt.NDArray[np.int64],
    is_impatient: bool,  # noqa: FBT001 # by place
) -> Whole:
    """Return the legal action that the network likes best; an impatient one leaves the piles."""
    colors = np.int64(num_colors(row))
    count = legal_list(row, actions)
    if is_impatient and phase(row) != CARD_PHASE:
        return actions[0]
    best, highest = actions[0], logit_of(room, actions[0], colors)
    for index in range(1, count):
        logit = logit_of(room, actions[index], colors)
        if logit > highest:
            best, highest = actions[index], logit
    return best


@njit
def network_trial(
    row: Row,
    world: Row,
    seat: Whole,
    action: Whole,
    depth: Whole,
    room: Floats,
    places: npt.NDArray[np.int64],
    values: Floats,
    weights: Weights,
    actions: npt.NDArray[np.int64],
) -> float:
    """Make a move in a world and play on; return the margin that comes of it, in points.

    Each seat draws from its own end of the deck, see
    `policy.policy_playout_from_both_ends`.

    Args:
        row: A copy of the world; changed.
        world: The position, not over.
        seat: Who draws from the top, and whose margin is asked for.
        action: The first move.
        depth: Own turns after this one before the network's expectation is taken for
            the end; 0 plays to the end.
        room: Room to work in, like the next two; see `network.new_room`.
        places: Places of what is not 0.
        values: What is there.
        weights: The network's, who plays both sides.
        actions: Room to work in, `int64[MAX_LEGAL]`.
    """
    top, bottom = world[DECK] & _BYTE, (world[DECK] >> _8) - _1
    deck_action = np.int64(_20 * num_colors(row))
    patience = LONGEST_WAIT
    own_turns = 0
    while True:
        patience -= 1
        if action == deck_action:
            patience = LONGEST_WAIT
            if np.int64(mover(row)) == seat:
                lay_next(row, deck_card(world, top))
                top += _1
            else:
                lay_next(row, deck_card(world, bottom))
                bottom -= _1
        step(row, action)
        if is_over(row):
            return np.float64(margin(row, seat))
        its_seat = np.int64(mover(row))
        evaluate(row, its_seat, room, places, values, weights)
        if its_seat == seat and phase(row) == CARD_PHASE:
            own_turns += 1
            if own_turns == depth:
                return np.rint(read_margin(room)[0] * _STEPS_OF_A_POINT) / _STEPS_OF_A_POINT
        action = likeliest_action(row, room, actions, patience <= 0)


@njit
def try_by_network(
    root: Row,
    seat: Whole,
    candidates: npt.NDArray[np.int64],
    first: Whole,
    count: Whole,
    seed: Word,
    depth: Whole,
    odds: npt.NDArray[np.float64],
    sums: npt.NDArray[np.float64],
    products: npt.NDArray[np.float64],
    room: Floats,
    places: npt.NDArray[np.int64],
    values: Floats,
    weights: Weights,
) -> None:
    """Try candidates in the same worlds and add up the margins.

    Args:
        root: A world of the seat to move; what it cannot see is dealt anew.
        seat: Whose knowledge is kept, and whose margins are added up.
        candidates: Legal in every world of the seat, `int64[K]`.
        first: Number of the first world.
        count: How many worlds. World number w of a seed is always the same.
        seed: Names the sequence of worlds.
        depth: See `network_trial`.
        odds: See `read_odds`.
        sums: Margins by candidate, in points, `float64[K]`; added to.
        products: Products of the margins of two candidates in the same world,
            `float64[K, K]`; added to.
        room: Room to work in, like the next two; see `network.new_room`.
        places: Places of what is not 0.
        values: What is there.
        weights: The network's, who plays both sides.
    """
    root, odds = borrow(root), borrow(odds)
    room, places, values, weights = borrow(room), borrow(places), borrow(values), borrow(weights)
    world, trial = root.copy(), root.copy()
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    actions = np.zeros(MAX_LEGAL, np.int64)
    margins = np.zeros(candidates.size, np.float64)
    for number in range(first, first + count):
        world[:] = root
        deal_by_odds(world, seat, round_stream(U(seed), U(number)), odds, cards, keys)
        for index in range(candidates.size):
            trial[:] = world
            margins[index] = network_trial(
                trial, world, seat, candidates[index], depth, room, places, values, weights, actions
            )
        for index in range(candidates.size):
            sums[index] += margins[index]
            for other in range(candidates.size):
                products[index, other] += margins[index] * margins[other]
