"""What a seat may know, as numbers for a network. The only encoder.

The vector is `float32[104 * colors + 32]`: one block of 104 for each colour, all
alike, so that a network may share its weights between colours, then 32 numbers
about the whole round. Own comes before other. The scales bring usual values
into -1 to 1; nothing is cut off.

Only what the seat may know goes in. With tabletop memory the cards below the top
of a pile are left out, and count as unseen.

A net remembers `FEATURES_VERSION`, and refuses another.
"""

from itertools import takewhile
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import copy_row, njit, popcount
from lostcities.kernel.layout import (
    CONFIG,
    DRAW_PHASE,
    HAND,
    KNOWN,
    NO_LIMIT,
    OPEN,
    OVER_PHASE,
    PILED,
    PILES,
    PLAYED,
    RANK_SUMS,
    STALL,
    STANDING,
    TOTAL_BITS,
    TURN,
    WAGER_BITS,
    WAGERS,
    Number,
    Row,
    U,
)
from lostcities.kernel.step import deck_size, num_colors, phase, score_expedition
from lostcities.kernel.streams import Word
from lostcities.rules import Variant

FEATURES_VERSION: Final = 1
"""Raised whenever a number changes its place or its meaning."""

Features: TypeAlias = npt.NDArray[np.float32]

_RANKS = tuple(f"{rank}" for rank in range(2, 11))
_CARDS = ("wagers>=1", "wagers>=2", "wagers-2", *_RANKS)

COLOR_BLOCKS: Final[dict[str, tuple[str, ...]]] = {
    "own_hand": _CARDS,
    "own_expedition": _CARDS,
    "other_expedition": _CARDS,
    "pile": _CARDS,  # the cards that are shown
    "other_known": _CARDS,  # taken from piles, in the other hand
    "own_known": _CARDS,  # of the own hand, known to the other side
    "pile_top": ("wager", *_RANKS),
    "pile_state": ("has_cards", "size/6", "fits_own", "fits_other", "just_discarded"),
    "own_sheet": ("started", "top/9", "sum/30", "cards/6", "score/50"),
    "other_sheet": ("started", "top/9", "sum/30", "cards/6", "score/50"),
    "own_playable": ("sum/20", "cards/4", "score_if_all_played/50"),
    "own_hopes": ("sum/30", "numbers/6"),  # unseen or known in the other hand, fits here
    "other_hopes": ("sum/30", "numbers/6"),  # the same cards, if they fit there
}
"""What stands in the block of a colour, in order, each with the names of its numbers."""

_DECK_STEPS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 26, 32)

GLOBAL_BLOCKS: Final[dict[str, tuple[str, ...]]] = {
    "phase": ("is_own_turn", "is_draw_phase"),
    "scores": ("own/50", "other/50", "lead/50"),
    "stalling": ("turns/10", "turns_until_guard/10"),  # the latter at most 1
    "expeditions": ("own_started/3", "other_started/3"),
    "tempo": ("playable/8", "own_turns_left/10", "other_turns_left/10", "surplus/8"),
    "knowledge": ("other_known/4",),
    "match": ("total_lead/100", "rounds_left/3"),
    "deck": ("size/30", "is_odd", *(f"size<={step}" for step in _DECK_STEPS)),
}
"""What stands behind the blocks of the colours, in order, each with the names of its numbers."""

COLOR_WIDTH: Final = sum(map(len, COLOR_BLOCKS.values()))
GLOBAL_WIDTH: Final = sum(map(len, GLOBAL_BLOCKS.values()))
MATCH_AT: Final = sum(map(len, takewhile(GLOBAL_BLOCKS["match"].__ne__, GLOBAL_BLOCKS.values())))
"""Where the match begins behind the blocks of the colours: the lead, then the rounds left."""
LEAD_UNIT: Final = 100
ROUNDS_UNIT: Final = 3
"""What the two are divided by."""

_0, _1, _2, _3, _4, _5, _6, _7, _8, _9 = (U(number) for number in range(10))
_10, _11, _12, _13, _14, _15, _16, _24, _32 = map(U, (10, 11, 12, 13, 14, 15, 16, 24, 32))
_36, _48, _55, _60, _72, _87, _92 = map(U, (36, 48, 55, 60, 72, 87, 92))
_97, _98, _99, _100, _102 = map(U, (97, 98, 99, 100, 102))
_TEN = U(10)
_COLOR_WIDTH: Final = U(COLOR_WIDTH)
_NINE_BITS, _TEN_BITS, _LOW_HALF = U(0x1FF), U(0x3FF), U(0xFFFFFFFF)
_NIBBLE_ONES: Final = U(0x1111111111111111)
_SECOND_TOTAL: Final = U(9 + TOTAL_BITS)
_TOTAL_MASK: Final = U((1 << TOTAL_BITS) - 1)
_OFF: Final = U(NO_LIMIT)
_F: Final = np.float32


def _bit_rows(num_bits: int) -> Features:
    """Return the bits of each number as a row `float32[2**bits, bits]`."""
    numbers = np.arange(1 << num_bits)[:, None]
    return (numbers >> np.arange(num_bits) & 1).astype(np.float32)


def _sheet_row(ranks: int, wagers: int) -> list[float]:
    num_cards = ranks.bit_count() + wagers
    return [num_cards > 0, ranks.bit_length() / 9, RANK_SUMS[ranks] / 30, num_cards / 6]


def _deck_row(size: int) -> list[float]:
    return [size / 30, size % 2, *(size <= step for step in _DECK_STEPS)]


# Rows to copy: constants in memory are copied a vector at a time, bits set one by one are not.
_RANK_ROWS: Final = _bit_rows(9)
_WAGER_ROWS: Final = np.array(
    [[num >= 1, num >= 2, max(num - 2, 0)] for num in range(8)], np.float32
)
_TOP_ROWS: Final = np.array(
    [[*(mark == kind + 1 for kind in range(10)), mark > 0] for mark in range(16)], np.float32
)
_SHEET_ROWS: Final = np.array(
    [_sheet_row(ranks, wagers) for wagers in range(8) for ranks in range(512)], np.float32
)
_HOPE_ROWS: Final = np.array(
    [[RANK_SUMS[ranks] / 30, ranks.bit_count() / 6] for ranks in range(512)], np.float32
)
_DECK_ROWS: Final = np.array([_deck_row(size) for size in range(256)], np.float32)
_BY_3, _BY_4, _BY_6, _BY_8, _BY_9 = (_F(1 / number) for number in (3, 4, 6, 8, 9))
_BY_10, _BY_20, _BY_30, _BY_50, _BY_100 = (_F(1 / number) for number in (10, 20, 30, 50, 100))


def num_features(variant: Variant) -> int:
    """Return the length of the vector: 552 with five colours, 656 with six."""
    return COLOR_WIDTH * variant.num_colors + GLOBAL_WIDTH


def feature_names(variant: Variant) -> tuple[str, ...]:
    """Return a name for each number of the vector, such as 'yellow.own_hand.7'."""
    by_color = [
        f"{color.word}.{block}.{name}"
        for color in variant.colors
        for block, names in COLOR_BLOCKS.items()
        for name in names
    ]
    of_round = [f"{block}.{name}" for block, names in GLOBAL_BLOCKS.items() for name in names]
    return (*by_color, *of_round)


@njit
def features(row: Row, seat: Number, out: Features) -> None:
    """Write what a seat may know.

    Args:
        row: The position.
        seat: Whose knowledge it is, to move or not.
        out: Where it goes, `float32[104 * colors + 32]`.
    """
    own = U(seat)
    scores = np.int64(0)
    other_scores = np.int64(0)
    started = _0
    other_started = _0
    for color in range(num_colors(row)):
        at = U(color) * _COLOR_WIDTH
        own_score, other_score = _color_block(row, own, U(color), out, at)
        scores += own_score
        other_scores += other_score
        started += _has_started(row, own, U(color))
        other_started += _has_started(row, _1 - own, U(color))
    at = num_colors(row) * _COLOR_WIDTH
    out[at] = _F((row[TURN] & _1 == own) and phase(row) != OVER_PHASE)
    out[at + _1] = _F(phase(row) == DRAW_PHASE)
    out[at + _2] = _F(scores) * _BY_50
    out[at + _3] = _F(other_scores) * _BY_50
    out[at + _4] = _F(scores - other_scores) * _BY_50
    out[at + _5] = _f(row[STALL] & _LOW_HALF) * _BY_10
    out[at + _6] = _until_guard(row[STALL])
    out[at + _7] = _f(started) * _BY_3
    out[at + _8] = _f(other_started) * _BY_3
    _tempo(row, own, out, at + _9)
    _match(row, own, out, at + _14)
    _deck(row, out, at + _16)


@njit
def _has_started(row: Row, seat: Word, color: Word) -> Word:
    return U((row[PLAYED + seat] >> (_TEN * color)) & _TEN_BITS != _0)


@njit
def _color_block(
    row: Row, own: Word, color: Word, out: Features, at: Word
) -> tuple[np.int64, np.int64]:
    """Write the block of a colour and return the scores of both expeditions."""
    other = _1 - own
    shift = _TEN * color
    first = shift + _1
    own_wagers, other_wagers = row[WAGERS + own] >> shift, row[WAGERS + other] >> shift
    hand = (row[HAND + own] >> first) & _NINE_BITS
    played = (row[PLAYED + own] >> first) & _NINE_BITS
    other_played = (row[PLAYED + other] >> first) & _NINE_BITS
    stack = row[PILES + color]
    pile, pile_wagers = _shown(row, color)
    write_cards(out, at, hand, own_wagers & _7)
    write_cards(out, at + _12, played, (own_wagers >> _3) & _7)
    write_cards(out, at + _24, other_played, (other_wagers >> _3) & _7)
    write_cards(out, at + _36, pile, pile_wagers)
    write_cards(
        out, at + _48, (row[KNOWN + other] >> first) & _NINE_BITS, (other_wagers >> _6) & _7
    )
    write_cards(out, at + _60, (row[KNOWN + own] >> first) & _NINE_BITS, (own_wagers >> _6) & _7)
    _pile_state(row, own, color, stack, out, at + _72)
    num_wagers, other_num_wagers = (own_wagers >> _3) & _7, (other_wagers >> _3) & _7
    own_score = _sheet(played, num_wagers, row[CONFIG], out, at + _87)
    other_score = _sheet(other_played, other_num_wagers, row[CONFIG], out, at + _92)
    fitting = row[OPEN + own] >> shift
    playable = hand & (fitting >> _1)
    more_wagers = (own_wagers & _7) * (fitting & _1)
    out[at + _97] = _F(RANK_SUMS[playable]) * _BY_20
    out[at + _98] = _f(popcount(playable) + more_wagers) * _BY_4
    best = score_expedition(played | playable, num_wagers + more_wagers, row[CONFIG])
    out[at + _99] = _F(best) * _BY_50
    missing = _ranks_in_play(row[CONFIG]) & ~(hand | played | other_played | pile)
    _hopes(missing & (fitting >> _1), out, at + _100)
    _hopes(missing & (row[OPEN + other] >> first), out, at + _102)
    return own_score, other_score


@njit
def _f(word: Word) -> np.float32:
    """Return a small word as a number: signed conversion is one instruction everywhere."""
    return _F(np.int64(word))


@njit
def write_cards(out: Features, at: Word, ranks: Word, num_wagers: Word) -> None:
    """Write cards of a color as twelve numbers: three of its wagers, one for each rank."""
    copy_row(out, at, _WAGER_ROWS, num_wagers, 3)
    copy_row(out, at + _3, _RANK_ROWS, ranks, 9)


@njit
def _shown(row: Row, color: Word) -> tuple[Word, Word]:
    """Return the ranks and the number of wagers of a pile that the seats are shown."""
    stack = row[PILES + color]
    ranks = (row[PILED] >> (_TEN * color + _1)) & _NINE_BITS
    if (row[CONFIG] >> _55) & _1:
        stack &= _15
        ranks = ((_1 << stack) >> _2) & _NINE_BITS
    others = stack ^ _NIBBLE_ONES  # the nibbles of wagers become 0
    others |= others >> _1
    others |= others >> _2
    return ranks, _16 - popcount(others & _NIBBLE_ONES)


@njit
def _pile_state(row: Row, own: Word, color: Word, stack: Word, out: Features, at: Word) -> None:
    copy_row(out, at, _TOP_ROWS, stack & _15, 11)
    used = stack | (stack >> _1)
    used |= used >> _2
    has_cards = U(stack != _0)
    out[at + _11] = _f(popcount(used & _NIBBLE_ONES)) * _BY_6
    top = _TEN * color + (stack & _15) - has_cards
    out[at + _12] = _f(has_cards & (row[OPEN + own] >> top))
    out[at + _13] = _f(has_cards & (row[OPEN + _1 - own] >> top))
    out[at + _14] = _f(U((row[TURN] >> _3) & _7 == color))


@njit
def _sheet(ranks: Word, num_wagers: Word, config: Word, out: Features, at: Word) -> np.int64:
    """Write the sheet of an expedition and return its score."""
    points = score_expedition(ranks, num_wagers, config)
    copy_row(out, at, _SHEET_ROWS, (num_wagers << _9) | ranks, 4)
    out[at + _4] = _F(points) * _BY_50
    return points


@njit
def _ranks_in_play(config: Word) -> Word:
    """Return the ranks of the variant, bit 0 the rank 2."""
    lowest, highest = (config >> _9) & _15, (config >> _13) & _15
    return (_1 << (highest - _1)) - (_1 << (lowest - _2))


@njit
def _hopes(ranks: Word, out: Features, at: Word) -> None:
    copy_row(out, at, _HOPE_ROWS, ranks, 2)


@njit
def _until_guard(stall: Word) -> np.float32:
    """Return how many stalling turns are free before the guard closes the piles, / 10."""
    count, limit = stall & _LOW_HALF, stall >> _32
    if limit == _OFF or limit >= count + _TEN:
        return _F(1)
    return _f(limit - count) * _BY_10 if limit > count else _F(0)


@njit
def _tempo(row: Row, own: Word, out: Features, at: Word) -> None:
    """Write the race between cards to play and turns to come, and what is known of the other hand.

    Source:
        `PublicObservation.turns_left`.
    """
    fitting = row[HAND + own] & row[OPEN + own]
    playable = popcount(fitting & ~WAGER_BITS) + _wagers_in(row[WAGERS + own], fitting)
    size = deck_size(row)
    is_own_turn = U(row[TURN] & _1 == own)
    left, other_left = (size + is_own_turn) >> _1, (size + _1 - is_own_turn) >> _1
    known = row[KNOWN + _1 - own]
    out[at] = _f(playable) * _BY_8
    out[at + _1] = _f(left) * _BY_10
    out[at + _2] = _f(other_left) * _BY_10
    out[at + _3] = (_f(playable) - _f(left)) * _BY_8
    num_known = popcount(known & ~WAGER_BITS) + _wagers_in(row[WAGERS + _1 - own] >> _6, known)
    out[at + _4] = _f(num_known) * _BY_4


@njit
def _wagers_in(counts: Word, types: Word) -> Word:
    """Return how many wagers the lowest three bits of the fields count, where the type is set."""
    counts &= (types & WAGER_BITS) * _7
    return (
        popcount(counts & WAGER_BITS)
        + _2 * popcount(counts & (WAGER_BITS << _1))
        + _4 * popcount(counts & (WAGER_BITS << _2))
    )


@njit
def _match(row: Row, own: Word, out: Features, at: Word) -> None:
    word = row[STANDING]
    first = np.int64((word >> _9) & _TOTAL_MASK)
    second = np.int64((word >> _SECOND_TOTAL) & _TOTAL_MASK)
    lead = first - second
    out[at] = _F(lead if own == _0 else -lead) * _BY_100
    out[at + _1] = (_f((word >> _4) & _15) - _f(word & _15)) * _BY_3


@njit
def _deck(row: Row, out: Features, at: Word) -> None:
    size = deck_size(row)
    copy_row(out, at, _DECK_ROWS, size, 16)
