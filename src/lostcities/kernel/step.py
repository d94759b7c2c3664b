"""The five twins of the rules: deal, legal actions, step, is_over, score.

They work in place and check nothing: an illegal action leaves nonsense behind.
All of them run compiled, and may be called from other compiled code.

Source:
    `lostcities.rules` is the law; rule numbers are those of the rules document.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import ctz, njit, popcount
from lostcities.kernel.layout import (
    CARD_PHASE,
    CARDS,
    CLOSES,
    CONFIG,
    DECK,
    DRAW_PHASE,
    HAND,
    KNOWN,
    NO_COLOR,
    OPEN,
    OVER_PHASE,
    PILED,
    PILES,
    PLAYED,
    RANK_SUMS,
    STALL,
    STANDING,
    TURN,
    WAGER_BITS,
    WAGERS,
    Number,
    Row,
    U,
)
from lostcities.kernel.streams import CardTypes, Word

_0, _1, _2, _3, _4, _5, _6, _7, _8, _9 = (U(number) for number in range(10))
_TEN, _20, _30, _36, _40, _56 = U(10), U(20), U(30), U(36), U(40), U(56)
_HALF: Final = U(32)
_BYTE, _LOW_HALF = U(0xFF), U(0xFFFFFFFF)
_CONFIG_10: Final = U(0x3FF)
_CONFIG_7: Final = U(0x7F)
_RANKS: Final = U(0x1FF)
_PILE_MASK: Final = U(0x3F)
_NIBBLE: Final = U(0xF)
_IN_HAND = _7
_KNOWN_FIELD: Final = U(0b111_000_000)


# --- reading a row -----------------------------------------------------------------------------


@njit
def num_colors(row: Row) -> Word:
    """Return the number of colours in play."""
    return row[CONFIG] & _7


@njit
def mover(row: Row) -> Word:
    """Return the seat to move; 0 when the round is over."""
    return row[TURN] & _1


@njit
def phase(row: Row) -> Word:
    """Return what is due: `CARD_PHASE`, `DRAW_PHASE` or `OVER_PHASE`."""
    return (row[TURN] >> _1) & _3


@njit
def deck_size(row: Row) -> Word:
    """Return the number of cards in the deck."""
    return (row[DECK] >> _8) - (row[DECK] & _BYTE)


@njit
def deck_card(row: Row, index: Word) -> Word:
    """Return the type of a card by its place in the full deck, 0 if it was drawn."""
    return (row[CARDS + (index >> _3)] >> ((index & _7) << _3)) & _BYTE


@njit
def open_piles(row: Row) -> Word:
    """Return the piles from which the mover may draw in this draw phase, bit by colour.

    Source:
        rules N9, N10 and section 11 (stall guard).
    """
    turn = row[TURN]
    piles = (turn >> _8) & _PILE_MASK
    closed = (turn >> _3) & _7
    stall = row[STALL]
    if closed != NO_COLOR and (stall & _LOW_HALF) >= (stall >> _HALF):
        return _0
    return piles & ~(((row[CONFIG] >> _56) & _1) << closed)


# --- the twins ---------------------------------------------------------------------------------


@njit
def deal(row: Row, cards: CardTypes) -> None:
    """Start a round: two hands from the top, one card at a time, the starter first.

    Args:
        row: Made by `layout.new_row`, or any row of the variant; its numbers of
            the game, its standing and its stall limit stay.
        cards: The shuffled deck as card types `uint8[cards or more]`, top first.
    """
    for word in range(HAND, TURN):
        row[word] = _0
    starter = (row[STANDING] >> _8) & _1
    row[TURN] = starter | (NO_COLOR << _3)
    row[STALL] &= ~_LOW_HALF
    num_dealt = ((row[CONFIG] >> _3) & _PILE_MASK) * _2
    num_cards = row[DECK] >> _8
    row[DECK] = (num_cards << _8) | num_dealt
    every_type = (_1 << (_TEN * num_colors(row))) - _1
    row[OPEN] = every_type
    row[OPEN + _1] = every_type
    for index in range(num_dealt):
        _add_to_hand(row, starter ^ (U(index) & _1), U(cards[index]))
    _lay_deck(row, cards, num_dealt, num_cards)


@njit
def _lay_deck(row: Row, cards: CardTypes, first: Word, end: Word) -> None:
    for word in range(CARDS, U(row.size)):
        packed = _0
        for place in range(_8):
            index = (U(word) - CARDS) * _8 + U(place)
            if first <= index < end:
                packed |= U(cards[index]) << (U(place) << _3)
        row[word] = packed


@njit
def _add_to_hand(row: Row, seat: Word, card_type: Word) -> None:
    bit = _1 << card_type
    row[HAND + seat] |= bit
    row[WAGERS + seat] += bit & WAGER_BITS


@njit
def legal_list(row: Row, actions: npt.NDArray[np.int64]) -> int:
    """Write the legal actions, ascending, and return how many there are.

    Args:
        row: The position.
        actions: Where they go, `int64[MAX_LEGAL]` (as long as is needed).
    """
    if phase(row) == CARD_PHASE:
        return _list_card_actions(row, actions)
    if phase(row) == OVER_PHASE:
        return 0
    deck_action = _20 * num_colors(row)
    actions[0] = np.int64(deck_action)
    return _list_bits(open_piles(row), deck_action + _1, actions, 1)


@njit
def _list_card_actions(row: Row, actions: npt.NDArray[np.int64]) -> int:
    seat = mover(row)
    hand = row[HAND + seat]
    count = _list_bits(hand & row[OPEN + seat], _0, actions, 0)
    return _list_bits(hand, _TEN * num_colors(row), actions, count)


@njit
def _list_bits(bits: Word, first: Word, actions: npt.NDArray[np.int64], count: int) -> int:
    while bits != _0:
        actions[count] = np.int64(first + ctz(bits))
        count += 1
        bits &= bits - _1
    return count


@njit
def legal_mask(row: Row, mask: npt.NDArray[np.uint8]) -> None:
    """Write 1 for each legal action and 0 for every other.

    Args:
        row: The position.
        mask: Where it goes, `uint8[21 * colors + 1]` or longer.
    """
    mask[:] = 0
    if phase(row) == CARD_PHASE:
        seat = mover(row)
        hand = row[HAND + seat]
        _mark_bits(hand & row[OPEN + seat], _0, mask)
        _mark_bits(hand, _TEN * num_colors(row), mask)
    elif phase(row) == DRAW_PHASE:
        deck_action = _20 * num_colors(row)
        mask[deck_action] = 1
        _mark_bits(open_piles(row), deck_action + _1, mask)


@njit
def _mark_bits(bits: Word, first: Word, mask: npt.NDArray[np.uint8]) -> None:
    while bits != _0:
        mask[first + ctz(bits)] = 1
        bits &= bits - _1


@njit
def step(row: Row, action: Number) -> None:
    """Make a legal move, in place.

    Args:
        row: The position; it becomes the one after the move.
        action: The number of the move.
    """
    number = U(action)
    ten = _TEN * num_colors(row)
    if number < ten:
        _play(row, number)
    elif number < ten + ten:
        _discard(row, number - ten)
    elif number == ten + ten:
        _draw_from_deck(row)
    else:
        _draw_from_pile(row, number - ten - ten - _1)


@njit
def _take_from_hand(row: Row, seat: Word, card_type: Word) -> None:
    """Remove a card from the hand; of equal wagers a known one goes first."""
    bit = _1 << card_type
    wager = bit & WAGER_BITS
    wagers = row[WAGERS + seat] - wager
    if wagers & (wager * _KNOWN_FIELD):
        wagers -= wager << _6
    if not wagers & (wager * _KNOWN_FIELD):
        row[KNOWN + seat] &= ~bit
    if not wagers & (wager * _IN_HAND):
        row[HAND + seat] &= ~bit
    row[WAGERS + seat] = wagers


@njit
def _play(row: Row, card_type: Word) -> None:
    seat = mover(row)
    bit = _1 << card_type
    _take_from_hand(row, seat, card_type)
    row[WAGERS + seat] += (bit & WAGER_BITS) << _3
    row[PLAYED + seat] |= bit
    row[OPEN + seat] &= ~CLOSES[card_type]
    row[TURN] |= DRAW_PHASE << _1


@njit
def _discard(row: Row, card_type: Word) -> None:
    color = card_type // _TEN
    _take_from_hand(row, mover(row), card_type)
    row[PILES + color] = (row[PILES + color] << _4) | (card_type - color * _TEN + _1)
    row[PILED] |= (_1 << card_type) & ~WAGER_BITS
    turn = row[TURN] & ~(NO_COLOR << _3)
    row[TURN] = turn | (DRAW_PHASE << _1) | (color << _3) | (_1 << (_8 + color))


@njit
def _draw_from_pile(row: Row, color: Word) -> None:
    turn = row[TURN]
    seat = turn & _1
    pile = row[PILES + color]
    card_type = color * _TEN + (pile & _NIBBLE) - _1
    bit = _1 << card_type
    row[PILES + color] = pile >> _4
    row[PILED] &= ~bit
    _add_to_hand(row, seat, card_type)
    row[KNOWN + seat] |= bit
    row[WAGERS + seat] += (bit & WAGER_BITS) << _6
    if (turn >> _3) & _7 != NO_COLOR:
        row[STALL] += _1
    else:
        row[STALL] &= ~_LOW_HALF
    piles = (turn >> _8) & _PILE_MASK
    if pile >> _4 == _0:
        piles &= ~(_1 << color)
    row[TURN] = (seat ^ _1) | (NO_COLOR << _3) | (piles << _8)


@njit
def _draw_from_deck(row: Row) -> None:
    turn = row[TURN]
    seat = turn & _1
    index = row[DECK] & _BYTE
    _add_to_hand(row, seat, deck_card(row, index))
    row[CARDS + (index >> _3)] &= ~(_BYTE << ((index & _7) << _3))
    row[DECK] += _1
    row[STALL] &= ~_LOW_HALF
    rest = (NO_COLOR << _3) | (turn & (_PILE_MASK << _8))
    if index + _1 == row[DECK] >> _8:
        row[TURN] = rest | (OVER_PHASE << _1)
        _add_to_totals(row)
    else:
        row[TURN] = rest | (seat ^ _1)


@njit
def _add_to_totals(row: Row) -> None:
    row[STANDING] += U(score(row, 0)) << _9
    row[STANDING] += U(score(row, 1)) << _36


@njit
def is_over(row: Row) -> bool:
    """Return whether the round has ended: the last card of the deck was drawn."""
    return phase(row) == OVER_PHASE


@njit
def score(row: Row, seat: Number) -> np.int64:
    """Return what a seat would score if the round ended now, in points."""
    return score_words(row[PLAYED + U(seat)], row[WAGERS + U(seat)], row[CONFIG])


@njit
def margin(row: Row, seat: Number) -> np.int64:
    """Return by how many points a seat would be ahead if the round ended now."""
    return score(row, seat) - score(row, 1 - seat)


@njit
def score_words(played: Word, wagers: Word, config: Word) -> np.int64:
    """Return the points of the expeditions in the words PLAYED and WAGERS of a seat.

    Source:
        rules N12: (sum - cost) * (1 + wagers), plus the bonus, for each colour with a card.
    """
    total = np.int64(0)
    for color in range(config & _7):
        shift = _TEN * U(color)
        ranks = (played >> (shift + _1)) & _RANKS
        num_wagers = (wagers >> (shift + _3)) & _7
        total += score_expedition(ranks, num_wagers, config)
    return total


@njit
def score_expedition(ranks: Word, num_wagers: Word, config: Word) -> np.int64:
    """Return the points of one expedition.

    Args:
        ranks: Its numbers, bit 0 the rank 2.
        num_wagers: Its wagers.
        config: The word CONFIG of a row.
    """
    num_cards = popcount(ranks) + num_wagers
    cost = np.int64((config >> _20) & _CONFIG_10)
    bonus = np.int64((config >> _30) & _CONFIG_10)
    is_long = num_cards >= (config >> _40) & _CONFIG_7
    points = (RANK_SUMS[ranks] - cost) * np.int64(num_wagers + _1) + bonus * np.int64(is_long)
    return points * np.int64(num_cards != _0)  # products, for nobody can guess the conditions
