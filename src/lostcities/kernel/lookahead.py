"""Looking ahead with the network: candidates are tried in the same worlds, and the network plays on.

As `trials`, with three differences: the network deals the other hand by what it
believes of each card, it plays both sides, and a trial may stop at one of the
own later turns, where a critic says what is to be expected. What a margin is
worth is up to the caller: so many points, or the match.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, njit
from lostcities.kernel.belief import hand_out_earliest, waiting_time
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
    BIN_WIDTH,
    COLOR_HEAD,
    COLOR_OUT,
    NUM_BINS,
    TABLE_OUT,
    Floats,
    Thinker,
    Weights,
    evaluate_told,
    logit_of,
    think,
)
from lostcities.kernel.policy import LONGEST_WAIT, Work, lay_from_own_end, policy_action
from lostcities.kernel.step import (
    is_over,
    legal_list,
    margin,
    mover,
    num_colors,
    phase,
    step,
)
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, round_stream, shuffle
from lostcities.kernel.worlds import collect_hidden, reshuffle

_0, _1, _3, _7, _8 = U(0), U(1), U(3), U(7), U(8)
_20, _55 = U(20), U(55)
_BYTE: Final = U(0xFF)
_PARTS_OF_A_POINT: Final = 256.0
"""Worths are rounded to such parts of a point, so that sums of them are exact: in whatever order
threads add them up, it is the same number."""
_SUREST: Final = 5.0
"""No belief counts for more than this, as a logarithm of odds."""
MOST_POINTS: Final = 500
"""No margin counts for more than this; even a side that only discards loses by less."""


class Worth(NamedTuple):
    """What final margins are worth, in points or in something that is measured like them.

    Attributes:
        margins: Of every margin from -`MOST_POINTS` on, `float64[2 * MOST_POINTS + 1]`.
        steps: Of every step of the margin that a network foresees, `float64[NUM_BINS]`.
    """

    margins: npt.NDArray[np.float64]
    steps: npt.NDArray[np.float64]


POINTS: Final = Worth(
    np.arange(-MOST_POINTS, MOST_POINTS + 1, dtype=np.float64),
    (np.arange(NUM_BINS, dtype=np.float64) - NUM_BINS // 2) * BIN_WIDTH,
)
"""A point is worth a point."""


class Outlook(NamedTuple):
    """How trials are played and judged.

    Attributes:
        player: The network that plays both sides.
        critic: The weights of the network that judges where a trial stops; `player`'s
            own, or those of a second one.
        worth: What margins are worth.
        depth: Own turns of a trial after its first one before it stops; 0 plays to the end.
        thumbs: In which share of the worlds the other side plays by rules of thumb instead.
        work: Their taste, and room to work in; see `policy.new_work`.
        odds: How likely unseen cards are in the other hand, see `read_odds`.
    """

    player: Thinker
    critic: Weights
    worth: Worth
    depth: int
    thumbs: float
    work: Work
    odds: npt.NDArray[np.float64]


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
        See `belief.waiting_time`.
    """
    if (row[CONFIG] >> _55) & _1 == _1:
        return reshuffle(row, seat, stream, cards)
    other = U(1 - seat)
    count = collect_hidden(row, other, cards)
    stream = shuffle(cards, count, U(stream))
    for index in range(count):
        stream = advance(stream)
        keys[index] = waiting_time(stream, odds[cards[index]])
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
def _rounded(worth: float) -> float:
    return np.rint(worth * _PARTS_OF_A_POINT) / _PARTS_OF_A_POINT


@njit
def _final_worth(row: Row, seat: Whole, worth: Worth) -> float:
    """Return what the margin of a finished round is worth."""
    points = np.int64(margin(row, seat))
    points = max(min(points, np.int64(MOST_POINTS)), np.int64(-MOST_POINTS))
    return _rounded(worth.margins[points + MOST_POINTS])


@njit
def _expected_worth(room: Floats, worth: Worth) -> float:
    """Return what the margin that a network foresees is worth."""
    highest = np.float32(-1e30)
    for index in range(NUM_BINS):
        highest = max(highest, room[TABLE_OUT + 1 + index])
    total = mean = 0.0
    for index in range(NUM_BINS):
        chance = np.exp(np.float64(room[TABLE_OUT + 1 + index] - highest))
        total += chance
        mean += chance * worth.steps[index]
    return _rounded(mean / total)


@njit
def network_trial(
    row: Row,
    world: Row,
    seat: Whole,
    action: Whole,
    outlook: Outlook,
    has_thumbs: bool,  # noqa: FBT001 # by place
    actions: npt.NDArray[np.int64],
) -> float:
    """Make a move in a world and play on; return what the outcome is worth.

    Each seat draws from its own end of the deck, see
    `policy.policy_playout_from_both_ends`.

    Args:
        row: A copy of the world; changed.
        world: The position, not over.
        seat: Who draws from the top, and whose margin is asked for.
        action: The first move.
        outlook: How it is played and judged.
        has_thumbs: Whether the other side plays by rules of thumb.
        actions: Room to work in, `int64[MAX_LEGAL]`.
    """
    player, critic, worth, depth, _, work, _ = outlook
    room = player.room
    top, bottom = world[DECK] & _BYTE, (world[DECK] >> _8) - _1
    deck_action = np.int64(_20 * num_colors(row))
    patience = LONGEST_WAIT
    own_turns = 0
    while True:
        patience -= 1
        if action == deck_action:
            patience = LONGEST_WAIT
            top, bottom = lay_from_own_end(row, world, seat, top, bottom)
        step(row, action)
        if is_over(row):
            return _final_worth(row, seat, worth)
        its_seat = np.int64(mover(row))
        if its_seat == seat and phase(row) == CARD_PHASE:
            own_turns += 1
            if own_turns == depth:
                evaluate_told(row, seat, player.told[seat], room, critic)
                return _expected_worth(room, worth)
        if legal_list(row, actions) == 1:
            action = actions[0]
            continue
        if has_thumbs and its_seat != seat:
            action = policy_action(row, work)
            if patience <= 0 and phase(row) != CARD_PHASE:
                action = actions[0]
            continue
        think(row, its_seat, player)
        action = likeliest_action(row, room, actions, patience <= 0)


@njit
def try_by_network(
    root: Row,
    seat: Whole,
    candidates: npt.NDArray[np.int64],
    first: Whole,
    count: Whole,
    seed: Word,
    outlook: Outlook,
    sums: npt.NDArray[np.float64],
    products: npt.NDArray[np.float64],
) -> None:
    """Try candidates in the same worlds and add up what came of them.

    Args:
        root: A world of the seat to move; what it cannot see is dealt anew.
        seat: Whose knowledge is kept, and whose margins count.
        candidates: Legal in every world of the seat, `int64[K]`.
        first: Number of the first world.
        count: How many worlds. World number w of a seed is always the same.
        seed: Names the sequence of worlds.
        outlook: How they are dealt, played and judged.
        sums: Worths by candidate, `float64[K]`; added to.
        products: Products of the worths of two candidates in the same world,
            `float64[K, K]`; added to.
    """
    root, odds = borrow(root), outlook.odds
    world, trial = root.copy(), root.copy()
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    actions = np.zeros(MAX_LEGAL, np.int64)
    worths = np.zeros(candidates.size, np.float64)
    for number in range(first, first + count):
        world[:] = root
        deal_by_odds(world, seat, round_stream(U(seed), U(number)), odds, cards, keys)
        has_thumbs = np.floor((number + 1) * outlook.thumbs) > np.floor(number * outlook.thumbs)
        for index in range(candidates.size):
            trial[:] = world
            worths[index] = network_trial(
                trial, world, seat, candidates[index], outlook, has_thumbs, actions
            )
        for index in range(candidates.size):
            sums[index] += worths[index]
            for other in range(candidates.size):
                products[index, other] += worths[index] * worths[other]
