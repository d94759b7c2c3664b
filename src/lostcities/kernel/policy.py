"""Informed play at machine speed: the rules of thumb of the `heuristic` agent, for playouts.

A playout is worth as much as its players. These two play like people who count:
each move is followed by a projection of what the own side may still score, less
what the move gives away. It is the projection of `agents.projection` and the
taste of `agents.heuristic`, colour by colour on machine words, with tables for
the exponentials; a test holds the two together.

A player acts on what its seat may know inside the world: the public cards, its
own hand, the size of the deck, and the cards that the other side took openly.
"""

from collections.abc import Sequence
from math import exp, log1p
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, ctz, njit, popcount
from lostcities.kernel.layout import (
    CARD_PHASE,
    CARDS,
    CONFIG,
    DECK,
    HAND,
    KNOWN,
    MAX_COLORS,
    OPEN,
    PILED,
    PILES,
    PLAYED,
    RANK_SUMS,
    WAGER_BITS,
    WAGERS,
    Row,
    U,
)
from lostcities.kernel.step import (
    deck_card,
    deck_size,
    is_over,
    mover,
    num_colors,
    open_piles,
    phase,
    step,
)
from lostcities.kernel.streams import Whole, Word

Work: TypeAlias = npt.NDArray[np.float64]
"""Room to work in, `float64[WORK_SIZE]`: projections by colour, and tables of few turns."""
Taste: TypeAlias = Sequence[float]
"""What rules of thumb mind, `NUM_TASTES` numbers; see `HEURISTIC_TASTE`."""

_0, _1, _2, _3, _4, _6, _7, _8 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(8)
_TEN, _20 = U(10), U(20)
_RANKS: Final = U(0x1FF)
_BYTE: Final = U(0xFF)
_NIBBLE: Final = U(0xF)
_ONES: Final = U(0x1111111111111111)

# Where the numbers of a taste lie in it; see `agents.heuristic.Taste` and
# `agents.projection.Weights` for what they mean.
(
    GIFT_OPEN,
    GIFT_CLOSED,
    GIFT_WAGER,
    COVER,
    DENY,
    TEMPO,
    PATIENCE,
    EXACT_DECK,
    TOO_LATE,
    LUCK,
    SPURNED_MORE,
    WAIT,
    OPTION,
    WAGER_HOPE,
    PER_BONUS_SPREAD,
    SHORTAGE_PRICE,
    FUTURE_PLAYS,
    SHORTAGE_SPREAD,
) = range(18)
NUM_TASTES: Final = 18
HEURISTIC_TASTE: Final = (
    0.7,  # gift_open
    0.15,  # gift_closed
    3.0,  # gift_wager
    0.7,  # cover
    1.0,  # deny
    1.0,  # tempo
    8.0,  # patience
    10.0,  # exact_deck
    3.0,  # too_late
    0.9,  # luck
    0.25,  # spurned_more
    0.8,  # wait
    0.68,  # option
    0.3,  # wager_hope
    1 / 1.2,  # per_bonus_spread
    4.0,  # shortage_price
    0.75,  # future_plays
    2.0,  # shortage_spread
)
"""The taste of the heuristic agent, found by paired deals (experiment 0001)."""

_REACH: Final = 12.0
_STEPS: Final = 32.0
_GRID: Final = np.arange(-_REACH, _REACH + 2 / _STEPS, 1 / _STEPS)
_SOFTPLUS: Final = np.array([log1p(exp(z)) for z in _GRID])
"""log(1 + exp(z)) for z from -12 to 12 in steps of 1/32 (error of the lines between: 3e-5)."""
_LOGISTIC: Final = np.array([1.0 / (1.0 + exp(-z)) for z in _GRID])
"""1 / (1 + exp(-z)) on the same grid."""
_SQUARE_SUMS: Final = np.array(
    [sum((k + 2) ** 2 for k in range(9) if ranks >> k & 1) for ranks in range(512)], np.float64
)
"""For each set of ranks of one colour, bit 0 the rank 2, the sum of the squares."""

# Where things lie in the room to work in.
_VALUE: Final = NUM_TASTES
_PLAYS: Final = _VALUE + MAX_COLORS
_CARDS: Final = _PLAYS + MAX_COLORS
_GAIN: Final = _CARDS + MAX_COLORS
_TABLES: Final = _GAIN + MAX_COLORS
_WIDTH: Final = 14
"""Plays that a table of few turns tells of: at most this many less one."""
_TRIED: Final = _TABLES + MAX_COLORS * _WIDTH
_BEFORE: Final = _TRIED + _WIDTH
_AFTER: Final = _BEFORE + (MAX_COLORS + 1) * _WIDTH
_OTHERS: Final = _AFTER + (MAX_COLORS + 1) * _WIDTH
WORK_SIZE: Final = _OTHERS + MAX_COLORS * _WIDTH
_FEW: Final = _WIDTH - 1
_HAIR: Final = 1e-6
"""Points by which a value must be higher to be better than one that came before."""
LONGEST_WAIT: Final = 24
"""Plies without a card from the deck after which a playout goes on with one."""


def new_work(taste: Taste = HEURISTIC_TASTE) -> Work:
    """Return room to work in, with a taste; one for each thread."""
    work = np.zeros(WORK_SIZE, np.float64)
    work[:NUM_TASTES] = taste
    return work


# --- smooth steps ------------------------------------------------------------------------------


@njit
def _softplus(z: float) -> float:
    """Return a smooth maximum of 0 and z."""
    if z <= -_REACH:
        return 0.0
    if z >= _REACH:
        return z
    place = (z + _REACH) * _STEPS
    index = U(np.int64(place))
    low = _SOFTPLUS[index]
    return low + (place - np.float64(np.int64(place))) * (_SOFTPLUS[index + _1] - low)


@njit
def _soft(z: float) -> tuple[float, float]:
    """Return the smooth maximum of 0 and z, and the smooth step: one look-up for both."""
    if z <= -_REACH:
        return 0.0, 0.0
    if z >= _REACH:
        return z, 1.0
    place = (z + _REACH) * _STEPS
    whole = np.int64(place)
    index, part = U(whole), place - np.float64(whole)
    low, step_low = _SOFTPLUS[index], _LOGISTIC[index]
    return (
        low + part * (_SOFTPLUS[index + _1] - low),
        step_low + part * (_LOGISTIC[index + _1] - step_low),
    )


@njit
def _logistic(z: float) -> float:
    """Return a smooth step from 0 to 1."""
    if z <= -_REACH:
        return 0.0
    if z >= _REACH:
        return 1.0
    place = (z + _REACH) * _STEPS
    index = U(np.int64(place))
    low = _LOGISTIC[index]
    return low + (place - np.float64(np.int64(place))) * (_LOGISTIC[index + _1] - low)


# --- one colour of one side --------------------------------------------------------------------


@njit
def _hope(
    unseen: Word,
    spurned: Word,
    fitting: Word,
    numbers: Word,
    chance: float,
    work: Work,
) -> tuple[float, float]:
    """Return the points and the cards that will still come, given the numbers that wait in hand.

    Args:
        unseen: Unseen ranks.
        spurned: Those of them that the other side cannot use.
        fitting: Ranks that fit on the expedition.
        numbers: The ranks that will be played from the hand.
        chance: The share of the unseen cards that comes in time.
        work: The taste.
    """
    later = unseen & fitting
    points = _weighed_sum(later, spurned, work)
    cards = _weighed_count(later, spurned, work)
    if numbers != _0:
        lowest = numbers & (_0 - numbers)
        over = later & ~((lowest << _1) - _1)
        points = work[WAIT] * points + (1.0 - work[WAIT]) * _weighed_sum(over, spurned, work)
        cards = work[WAIT] * cards + (1.0 - work[WAIT]) * _weighed_count(over, spurned, work)
    return chance * points, chance * cards


@njit
def _weighed_sum(ranks: Word, spurned: Word, work: Work) -> float:
    return np.float64(RANK_SUMS[ranks]) + work[SPURNED_MORE] * np.float64(
        RANK_SUMS[ranks & spurned]
    )


@njit
def _weighed_count(ranks: Word, spurned: Word, work: Work) -> float:
    return np.float64(popcount(ranks)) + work[SPURNED_MORE] * np.float64(popcount(ranks & spurned))


@njit
def _bonus(num_cards: float, config: Word, work: Work) -> float:
    threshold = np.float64((config >> U(40)) & U(0x7F))
    bonus = np.float64((config >> U(30)) & U(0x3FF))
    return bonus * _logistic((num_cards - threshold + 0.5) * work[PER_BONUS_SPREAD])


@njit
def _value(
    numbers: Word,
    num_wagers: Whole,
    column: Word,
    fitting: Word,
    unseen: Word,
    spurned: Word,
    unseen_wagers: float,
    chance: float,
    config: Word,
    work: Work,
) -> tuple[float, float]:
    """Return the expected points if these cards of the hand are played, and how sure that is.

    Args:
        numbers: The ranks played from the hand, bit 0 the rank 2.
        num_wagers: The wagers played from the hand.
        column: The own expedition: ranks, and the number of wagers from bit 9 on.
        fitting: Ranks that fit on it.
        unseen: Unseen ranks of the colour.
        spurned: Those of them that the other side cannot use.
        unseen_wagers: Unseen wagers of the colour.
        chance: The share of the unseen cards that comes in time.
        config: The word CONFIG of a row.
        work: The taste.
    """
    played = column & _RANKS
    played_wagers = np.int64(column >> U(9))
    hoped_points, hoped_cards = _hope(unseen, spurned, fitting, numbers, chance, work)
    cost = np.int64((config >> _20) & U(0x3FF))
    surplus = np.float64(RANK_SUMS[played] + RANK_SUMS[numbers] - cost) + hoped_points
    multiplier = np.float64(1 + played_wagers + num_wagers)
    if played == _0 and surplus > 0.0:
        multiplier += work[WAGER_HOPE] * chance * unseen_wagers
    on_table = np.int64(popcount(played)) + played_wagers
    num_cards = np.float64(on_table + num_wagers + np.int64(popcount(numbers)))
    value = surplus * multiplier + _bonus(num_cards + hoped_cards, config, work)
    if on_table:
        return value, 1.0
    later = unseen & fitting
    squares = _SQUARE_SUMS[later] + work[SPURNED_MORE] * _SQUARE_SUMS[later & spurned]
    spread = work[OPTION] * multiplier * (1.0 + np.sqrt(chance * (1.0 - chance) * squares))
    soft, certainty = _soft(value / spread)
    return spread * soft, certainty


@njit
def _prospect(
    hand: Word,
    hand_wagers: Whole,
    column: Word,
    fitting: Word,
    unseen: Word,
    spurned: Word,
    unseen_wagers: float,
    chance: float,
    config: Word,
    work: Work,
) -> tuple[float, float, float]:
    """Return what a colour promises: points, turns that it takes, cards of the hand played.

    A wager in the hand need not be played: a colour in doubt is better off without.
    """
    numbers = hand & fitting
    wagers = hand_wagers if column & _RANKS == _0 else 0
    best, certainty = _value(
        numbers, 0, column, fitting, unseen, spurned, unseen_wagers, chance, config, work
    )
    for num in range(1, wagers + 1):
        value, sure = _value(
            numbers, num, column, fitting, unseen, spurned, unseen_wagers, chance, config, work
        )
        if value > best:
            best, certainty = value, sure
    cards = certainty * np.float64(wagers + np.int64(popcount(numbers)))
    hoped = certainty * chance * _weighed_count(unseen & fitting, spurned, work)
    return best, cards + work[FUTURE_PLAYS] * hoped, cards


@njit
def _fill_table(
    work: Work,
    at: Whole,
    turns: Whole,
    hand: Word,
    hand_wagers: Whole,
    column: Word,
    fitting: Word,
    unseen: Word,
    spurned: Word,
    unseen_wagers: float,
    chance: float,
    config: Word,
) -> None:
    """Write the value of a colour for each number of cards played from the hand, 0 to *turns*.

    Who can play only some of the numbers plays the highest. What cannot be is
    worth a great loss.
    """
    numbers = hand & fitting
    wagers = hand_wagers if column & _RANKS == _0 else 0
    count = np.int64(popcount(numbers))
    for plays in range(turns + 1):
        best = -1e9
        first = plays - count if plays > count else 0
        last = min(plays, wagers)
        for num in range(first, last + 1):
            highest = numbers
            for _ in range(count - (plays - num)):
                highest &= highest - _1
            value, _sure = _value(
                highest, num, column, fitting, unseen, spurned, unseen_wagers, chance, config, work
            )
            best = max(best, value)
        work[at + plays] = best


# --- what a seat knows -------------------------------------------------------------------------


@njit
def _ranks(word: Word, color: Word) -> Word:
    """Return the ranks of one colour in a set of types, bit 0 the rank 2."""
    return (word >> (_TEN * color + _1)) & _RANKS


@njit
def _column(row: Row, seat: Word, color: Word) -> Word:
    """Return an expedition: its ranks, and the number of its wagers from bit 9 on."""
    wagers = (row[WAGERS + seat] >> (_TEN * color + _3)) & _7
    return _ranks(row[PLAYED + seat], color) | (wagers << U(9))


@njit
def _unseen_numbers(row: Row, seat: Word) -> Word:
    """Return the number types whose place a seat does not know."""
    config = row[CONFIG]
    lowest = (config >> U(9)) & _NIBBLE
    highest = (config >> U(13)) & _NIBBLE
    ranks = (_1 << highest) - (_1 << (lowest - _1))  # bit 1 of a colour is the rank 2
    every = ranks * (WAGER_BITS & ((_1 << (_TEN * num_colors(row))) - _1))
    other = _1 - seat
    seen = row[HAND + seat] | row[PLAYED] | row[PLAYED + _1] | row[PILED] | row[KNOWN + other]
    return every & ~seen


@njit
def _unseen_wagers(row: Row, seat: Word, color: Word) -> float:
    """Return how many wagers of a colour a seat does not see."""
    place = _TEN * color
    own, other = row[WAGERS + seat] >> place, row[WAGERS + _1 - seat] >> place
    seen = (own & _7) + ((own >> _3) & _7) + ((other >> _3) & _7) + ((other >> _6) & _7)
    marks = row[PILES + color] ^ _ONES  # a wager's nibble is 1, so now 0
    marks = (marks | (marks >> _1) | (marks >> _2) | (marks >> _3)) & _ONES
    piled = U(16) - popcount(marks)
    return np.float64((row[CONFIG] >> U(17)) & _7) - np.float64(seen + piled)


@njit
def _num_unseen(row: Row, seat: Word) -> float:
    """Return how many cards lie in the deck, or in the other hand unknown."""
    other = _1 - seat
    known = popcount(row[KNOWN + other] & ~WAGER_BITS)
    hand = popcount(row[HAND + other] & ~WAGER_BITS)
    fields = row[WAGERS + other]
    known += popcount(fields & (WAGER_BITS << _6)) + _2 * popcount(fields & (WAGER_BITS << _7))
    known += _4 * popcount(fields & (WAGER_BITS << _8))
    hand += popcount(fields & WAGER_BITS) + _2 * popcount(fields & (WAGER_BITS << _1))
    hand += _4 * popcount(fields & (WAGER_BITS << _2))
    return np.float64(deck_size(row) + hand - known)


@njit
def _gift(row: Row, other: Word, color: Word, kind: Word, work: Work) -> float:
    """Return what the other side gains if it may take this card."""
    if deck_size(row) <= work[TOO_LATE]:
        return 0.0
    if (row[OPEN + other] >> (_TEN * color + kind)) & _1 == _0:
        return 0.0
    if kind == _0:
        return work[GIFT_WAGER]
    column = _column(row, other, color)
    rank = np.float64(kind + _1)
    if column == _0:
        return work[GIFT_CLOSED] * rank
    return work[GIFT_OPEN] * rank * np.float64(_1 + (column >> U(9)))


# --- all colours of the side to move -----------------------------------------------------------


@njit
def _prospect_of(
    row: Row,
    seat: Word,
    color: Word,
    hand: Word,
    hand_wagers: Whole,
    column: Word,
    fitting: Word,
    unseen: Word,
    chance: float,
    work: Work,
) -> tuple[float, float, float]:
    """Return what a colour promises with another hand or another expedition."""
    ranks = _ranks(unseen, color)
    spurned = ranks & ~_ranks(row[OPEN + _1 - seat], color)
    return _prospect(
        hand, hand_wagers, column, fitting, ranks, spurned,
        _unseen_wagers(row, seat, color), chance, row[CONFIG], work,
    )  # fmt: skip


@njit
def _table_of(
    row: Row,
    work: Work,
    at: Whole,
    turns: Whole,
    seat: Word,
    color: Word,
    hand: Word,
    hand_wagers: Whole,
    column: Word,
    fitting: Word,
    unseen: Word,
    chance: float,
) -> None:
    """Write the table of few turns of a colour with another hand or another expedition."""
    ranks = _ranks(unseen, color)
    spurned = ranks & ~_ranks(row[OPEN + _1 - seat], color)
    _fill_table(
        work, at, turns, hand, hand_wagers, column, fitting, ranks, spurned,
        _unseen_wagers(row, seat, color), chance, row[CONFIG],
    )  # fmt: skip


@njit
def _hand_wagers(row: Row, seat: Word, color: Word) -> Whole:
    return np.int64((row[WAGERS + seat] >> (_TEN * color)) & _7)


@njit
def _project(row: Row, seat: Word, unseen: Word, chance: float, work: Work) -> tuple[float, float]:
    """Write what every colour promises; return its turns and its cards of the hand, summed up."""
    plays = cards = 0.0
    for index in range(num_colors(row)):
        color = U(index)
        value, its_plays, its_cards = _prospect_of(
            row, seat, color, _ranks(row[HAND + seat], color), _hand_wagers(row, seat, color),
            _column(row, seat, color), _ranks(row[OPEN + seat], color), unseen, chance, work,
        )  # fmt: skip
        work[_VALUE + index] = value
        work[_PLAYS + index] = its_plays
        work[_CARDS + index] = its_cards
        plays += its_plays
        cards += its_cards
    return plays, cards


@njit
def _sum_of_values(row: Row, work: Work) -> float:
    total = 0.0
    for index in range(num_colors(row)):
        total += work[_VALUE + index]
    return total


@njit
def _price_of_shortage(plays: float, turns: float, work: Work) -> float:
    return (
        work[SHORTAGE_PRICE]
        * work[SHORTAGE_SPREAD]
        * _softplus((plays - turns) / work[SHORTAGE_SPREAD])
    )


@njit
def _share_out(row: Row, seat: Word, unseen: Word, chance: float, turns: Whole, work: Work) -> None:
    """Write, for each colour, the best total of the *other* colours for each number of turns."""
    colors = np.int64(num_colors(row))
    for index in range(colors):
        color = U(index)
        _table_of(
            row, work, _TABLES + index * _WIDTH, turns, seat, color,
            _ranks(row[HAND + seat], color), _hand_wagers(row, seat, color),
            _column(row, seat, color), _ranks(row[OPEN + seat], color), unseen, chance,
        )  # fmt: skip
    for num in range(turns + 1):
        work[_BEFORE + num] = 0.0
        work[_AFTER + colors * _WIDTH + num] = 0.0
    for index in range(colors):
        here = _BEFORE + index * _WIDTH
        _join(work, here, _TABLES + index * _WIDTH, here + _WIDTH, turns)
    for index in range(colors - 1, -1, -1):
        here = _AFTER + index * _WIDTH
        _join(work, here + _WIDTH, _TABLES + index * _WIDTH, here, turns)
    for index in range(colors):
        before, after = _BEFORE + index * _WIDTH, _AFTER + (index + 1) * _WIDTH
        _join(work, before, after, _OTHERS + index * _WIDTH, turns)


@njit
def _join(work: Work, one: Whole, other: Whole, at: Whole, turns: Whole) -> None:
    """Write the best total of two tables for each number of turns."""
    for num in range(turns + 1):
        best = -1e9
        for plays in range(num + 1):
            best = max(best, work[one + num - plays] + work[other + plays])
        work[at + num] = best


@njit
def _best_with(work: Work, index: Whole, turns: Whole) -> float:
    """Return the best total of the table just tried for a colour with those of the others."""
    best = -1e9
    for plays in range(turns + 1):
        best = max(best, work[_OTHERS + index * _WIDTH + turns - plays] + work[_TRIED + plays])
    return best


# --- card moves --------------------------------------------------------------------------------


@njit
def _turns_after_deck(row: Row, size: Whole, work: Work) -> float:
    """Return the own turns to come when I have drawn and the deck holds so many cards."""
    if deck_size(row) <= work[EXACT_DECK]:
        return np.float64(size // 2)
    return np.float64(size) / 2.0


@njit
def _chance(row: Row, seat: Word, draws: float, work: Work) -> float:
    return min(1.0, work[LUCK] * max(0.0, draws) / max(1.0, _num_unseen(row, seat)))


@njit
def _gain_of_pile(
    row: Row,
    seat: Word,
    color: Word,
    hand: Word,
    hand_wagers: Whole,
    column: Word,
    fitting: Word,
    value: float,
    unseen: Word,
    chance: float,
    work: Work,
) -> float:
    """Return what the top of a pile would bring to the colour, more than a card of the deck."""
    pile = row[PILES + color]
    if pile == _0:
        return 0.0
    kind = (pile & _NIBBLE) - _1
    if kind == _0:
        if column & _RANKS != _0:
            return 0.0
        hand_wagers += 1
    else:
        bit = _1 << (kind - _1)
        if fitting & bit == _0:
            return 0.0
        hand |= bit
    after, _plays, _cards = _prospect_of(
        row, seat, color, hand, hand_wagers, column, fitting, unseen, chance, work
    )
    return max(0.0, after - value - work[PATIENCE])


@njit
def _after_card(
    row: Row,
    seat: Word,
    color: Word,
    kind: Word,
    is_play: bool,  # noqa: FBT001 # a compiled function has no keyword-only arguments
) -> tuple[Word, Whole, Word, Word]:
    """Return hand, wagers in the hand, expedition and what fits on it after a card move."""
    hand, hand_wagers = _ranks(row[HAND + seat], color), _hand_wagers(row, seat, color)
    column, fitting = _column(row, seat, color), _ranks(row[OPEN + seat], color)
    if kind == _0:
        hand_wagers -= 1
        if is_play:
            column += U(512)
        return hand, hand_wagers, column, fitting
    bit = _1 << (kind - _1)
    hand &= ~bit
    if is_play:
        column |= bit
        fitting &= ~((bit << _1) - _1)
    return hand, hand_wagers, column, fitting


@njit
def _price_of_discard(row: Row, other: Word, color: Word, kind: Word, work: Work) -> float:
    """Return what the other side gains by a discard, less what it buries."""
    price = _gift(row, other, color, kind, work)
    pile = row[PILES + color]
    if pile != _0:
        price -= work[COVER] * _gift(row, other, color, (pile & _NIBBLE) - _1, work)
    return price


@njit
def _value_of_card(
    row: Row,
    seat: Word,
    color: Word,
    kind: Word,
    is_play: bool,  # noqa: FBT001
    unseen: Word,
    chance: float,
    turns: float,
    total: float,
    plays: float,
    is_short: bool,  # noqa: FBT001
    work: Work,
) -> float:
    """Return the points that the own side may expect after a card move, less gifts."""
    index, few = np.int64(color), np.int64(turns)
    hand, hand_wagers, column, fitting = _after_card(row, seat, color, kind, is_play)
    value = work[TEMPO]
    if not is_play:
        value = -_price_of_discard(row, _1 - seat, color, kind, work)
    now, its_plays = work[_VALUE + index], work[_PLAYS + index]
    is_changed = (row[OPEN + seat] >> (_TEN * color + kind)) & _1 == _1
    if is_changed:  # a card that fits nowhere promised nothing
        now, its_plays, _cards = _prospect_of(
            row, seat, color, hand, hand_wagers, column, fitting, unseen, chance, work
        )
    if not is_short:
        value += total - work[_VALUE + index] + now
        value -= _price_of_shortage(plays - work[_PLAYS + index] + its_plays, turns, work)
    elif is_changed:
        _table_of(
            row, work, _TRIED, few, seat, color, hand, hand_wagers, column, fitting, unseen, chance
        )
        value += _best_with(work, index, few)
    else:
        value += work[_BEFORE + np.int64(num_colors(row)) * _WIDTH + few]
    if deck_size(row) <= _1:
        return value
    gain = 0.0
    if is_play:
        gain = _gain_of_pile(
            row, seat, color, hand, hand_wagers, column, fitting, now, unseen, chance, work
        )
    return value + max(gain, _best_gain(row, index, work))


@njit
def _best_gain(row: Row, closed: Whole, work: Work) -> float:
    """Return what the best pile would bring, the one of the color *closed* apart."""
    gain = 0.0
    for index in range(num_colors(row)):
        if index != closed:
            gain = max(gain, work[_GAIN + index])
    return gain


@njit
def value_card_actions(row: Row, work: Work, values: Work) -> Whole:
    """Write what the policy thinks of the legal card actions, and return the best of them.

    Args:
        row: A position in the card phase.
        work: Room to work in.
        values: Where the values go, in points, by action, `float64[20 * colors or more]`;
            only those of legal actions are written. If it is shorter, nothing is.
    """
    seat = mover(row)
    unseen = _unseen_numbers(row, seat)
    turns = _turns_after_deck(row, (np.int64(deck_size(row)) - 1) // 2 * 2, work)
    chance = _chance(row, seat, turns, work)
    plays, cards = _project(row, seat, unseen, chance, work)
    is_short = cards > turns + 0.5 and turns <= _FEW
    if is_short:
        _share_out(row, seat, unseen, chance, np.int64(turns), work)
    total = _sum_of_values(row, work)
    for index in range(num_colors(row)):
        color = U(index)
        work[_GAIN + index] = _gain_of_pile(
            row, seat, color, _ranks(row[HAND + seat], color), _hand_wagers(row, seat, color),
            _column(row, seat, color), _ranks(row[OPEN + seat], color), work[_VALUE + index],
            unseen, chance, work,
        )  # fmt: skip
    ten = _TEN * num_colors(row)
    is_wanted = values.size >= np.int64(_2 * ten)
    best, best_value = np.int64(-1), -1e18
    for is_play in (True, False):
        cards_left = row[HAND + seat] & row[OPEN + seat] if is_play else row[HAND + seat]
        while cards_left != _0:
            card_type = ctz(cards_left)
            cards_left &= cards_left - _1
            color = card_type // _TEN
            value = _value_of_card(
                row, seat, color, card_type - _TEN * color, is_play,
                unseen, chance, turns, total, plays, is_short, work,
            )  # fmt: skip
            action = np.int64(card_type if is_play else card_type + ten)
            if is_wanted:
                values[action] = value
            if value > best_value + _HAIR:
                best, best_value = action, value
    return best


# --- draws -------------------------------------------------------------------------------------


@njit
def _worth(
    row: Row, seat: Word, unseen: Word, chance: float, turns: float, work: Work
) -> tuple[float, float, float, bool]:
    """Return what the hand is worth, the sums of values and of plays, and whether turns are few."""
    plays, cards = _project(row, seat, unseen, chance, work)
    total = _sum_of_values(row, work)
    is_short = cards > turns + 0.5 and turns <= _FEW
    if not is_short:
        return total - _price_of_shortage(plays, turns, work), total, plays, False
    few = np.int64(turns)
    _share_out(row, seat, unseen, chance, few, work)
    return work[_BEFORE + np.int64(num_colors(row)) * _WIDTH + few], total, plays, True


@njit
def _worth_of_take(
    row: Row,
    seat: Word,
    color: Word,
    unseen: Word,
    chance: float,
    turns: float,
    worth: tuple[float, float, float, bool],
    work: Work,
) -> float:
    """Return what the hand is worth with the top card of a pile."""
    as_it_is, total, plays, is_short = worth
    index = np.int64(color)
    hand, hand_wagers = _ranks(row[HAND + seat], color), _hand_wagers(row, seat, color)
    column, fitting = _column(row, seat, color), _ranks(row[OPEN + seat], color)
    kind = (row[PILES + color] & _NIBBLE) - _1
    if (row[OPEN + seat] >> (_TEN * color + kind)) & _1 == _0:
        return as_it_is
    if kind == _0:
        hand_wagers += 1
    else:
        hand |= _1 << (kind - _1)
    if is_short:
        few = np.int64(turns)
        _table_of(
            row, work, _TRIED, few, seat, color, hand, hand_wagers, column, fitting, unseen, chance
        )
        return _best_with(work, index, few)
    now, its_plays, _cards = _prospect_of(
        row, seat, color, hand, hand_wagers, column, fitting, unseen, chance, work
    )
    more = plays - work[_PLAYS + index] + its_plays
    return total - work[_VALUE + index] + now - _price_of_shortage(more, turns, work)


@njit
def value_draw_actions(row: Row, work: Work, values: Work) -> Whole:
    """Write what the policy thinks of the open draws, and return the best of them.

    Args:
        row: A position in the draw phase.
        work: Room to work in.
        values: Where the values go, in points, by action, `float64[21 * colors + 1 or more]`;
            only those of legal actions are written. If it is shorter, nothing is.
    """
    deck = _20 * num_colors(row)
    best = np.int64(deck)
    piles = open_piles(row)
    is_wanted = values.size > np.int64(deck + num_colors(row))
    if piles == _0:
        if is_wanted:
            values[best] = 0.0
        return best
    seat = mover(row)
    unseen = _unseen_numbers(row, seat)
    turns = _turns_after_deck(row, np.int64(deck_size(row)) - 1, work)
    best_value = (
        work[PATIENCE] + _worth(row, seat, unseen, _chance(row, seat, turns, work), turns, work)[0]
    )
    if is_wanted:
        values[best] = best_value
    turns = _turns_after_deck(row, np.int64(deck_size(row)), work)
    chance = _chance(row, seat, turns - 1.0, work)
    worth = _worth(row, seat, unseen, chance, turns, work)
    while piles != _0:
        color = ctz(piles)
        piles &= piles - _1
        value = _worth_of_take(row, seat, color, unseen, chance, turns, worth, work)
        value += work[DENY] * _gift(
            row, _1 - seat, color, (row[PILES + color] & _NIBBLE) - _1, work
        )
        action = np.int64(deck + _1 + color)
        if is_wanted:
            values[action] = value
        if value > best_value + _HAIR:
            best, best_value = action, value
    return best


# --- whole playouts ----------------------------------------------------------------------------


@njit
def policy_action(row: Row, work: Work) -> Whole:
    """Return the action that the policy chooses; the round is not over."""
    if phase(row) == CARD_PHASE:
        return value_card_actions(row, work, work[:0])
    return value_draw_actions(row, work, work[:0])


@njit
def policy_playout(row: Row, work: Work) -> Whole:
    """Play a round to its end, in place, both sides by the policy, and return the number of plies.

    Args:
        row: The position; afterwards the end of the round.
        work: Room to work in.
    """
    row, work = borrow(row), borrow(work)
    plies = 0
    patience: Whole = LONGEST_WAIT
    while not is_over(row):
        action, patience = _patient_action(row, work, patience)
        step(row, action)
        plies += 1
    return plies


@njit
def policy_playout_from_both_ends(
    row: Row, world: Row, seat: Whole, action: Whole, work: Work
) -> None:
    """Make a move and play the round to its end; one seat draws from the top, the other from below.

    A shuffled deck is as random from below as from the top. But so each seat
    meets its cards in the same order whatever the other one does, and two moves
    tried in one world stay comparable for longer: from a single end, the first
    take of a discard gives every later card to the other side.

    Args:
        row: A copy of the world; afterwards the end of the round.
        world: The position, not over.
        seat: Who draws from the top.
        action: The first move.
        work: Room to work in.
    """
    row, world, work = borrow(row), borrow(world), borrow(work)
    top, bottom = world[DECK] & _BYTE, (world[DECK] >> _8) - _1
    deck_action = np.int64(_20 * num_colors(row))
    patience: Whole = LONGEST_WAIT
    while True:
        if action == deck_action:
            top, bottom = lay_from_own_end(row, world, seat, top, bottom)
        step(row, action)
        if is_over(row):
            return
        action, patience = _patient_action(row, work, patience)


@njit
def _patient_action(row: Row, work: Work, patience: Whole) -> tuple[Whole, Whole]:
    """Return what the policy does, and for how many more plies the deck may stay as it is.

    Without a stall guard nothing else promises an end.
    """
    action = policy_action(row, work)
    deck_action = np.int64(_20 * num_colors(row))
    if patience <= 0 and action > deck_action:
        action = deck_action
    return action, LONGEST_WAIT if action == deck_action else patience - 1


@njit
def lay_from_own_end(
    row: Row, world: Row, seat: Whole, top: Word, bottom: Word
) -> tuple[Word, Word]:
    """Lay the card that the mover draws from its own end of a world's deck.

    Args:
        row: The position; the card goes where the next one is drawn.
        world: Where the deck lies as it was shuffled.
        seat: Who draws from the top.
        top: The place of the next card at the top.
        bottom: And at the bottom.

    Returns:
        The places of the next cards after this one.
    """
    if np.int64(mover(row)) == seat:
        _lay_next(row, deck_card(world, top))
        return top + _1, bottom
    _lay_next(row, deck_card(world, bottom))
    return top, bottom - _1


@njit
def _lay_next(row: Row, card_type: Word) -> None:
    """Put a card where the next one is drawn."""
    index = row[DECK] & _BYTE
    word, shift = CARDS + (index >> _3), (index & _7) << _3
    row[word] = (row[word] & ~(_BYTE << shift)) | (card_type << shift)
