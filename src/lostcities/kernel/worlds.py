"""Worlds: what a seat cannot see, dealt anew in agreement with what it knows."""

import numpy as np

from lostcities.kernel._jit import ctz, njit
from lostcities.kernel.layout import (
    CARDS,
    CONFIG,
    DECK,
    HAND,
    KNOWN,
    PILED,
    PILES,
    WAGER_BITS,
    WAGERS,
    Number,
    Row,
    U,
)
from lostcities.kernel.step import deck_card, num_colors
from lostcities.kernel.streams import CardTypes, Word, shuffle

_0, _1, _3, _4, _6, _7, _8 = U(0), U(1), U(3), U(4), U(6), U(7), U(8)
_TEN, _55 = U(10), U(55)
_BYTE, _NIBBLE = U(0xFF), U(0xF)


@njit
def reshuffle(row: Row, seat: Number, stream: Word, cards: CardTypes) -> Word:
    """Deal what a seat cannot see anew, in place, and return the stream's new state.

    The cards that the other seat is known to hold stay there. All worlds that
    fit the seat's observation are equally likely, card by card: the rest of the
    other hand and the deck are one shuffled heap; with tabletop memory the
    cards below the tops of the piles belong to it too, each pile being filled
    with its own colour first.

    Args:
        row: A world; the same for this seat before and after.
        seat: Whose knowledge is kept.
        stream: State of the stream.
        cards: Room to work in, `uint8[80]`.
    """
    other = U(1 - seat)
    has_memory = (row[CONFIG] >> _55) & _1 == _0
    count = collect_hidden(row, other, cards)
    if not has_memory:
        count = _dig_up(row, cards, count)
    state = shuffle(cards, count, U(stream))
    if not has_memory:
        count = _bury(row, cards, count)
    hand_out(row, other, cards, count)
    return state


@njit
def collect_hidden(row: Row, other: Word, cards: CardTypes) -> Word:
    """Gather the hidden cards of the other hand and of the deck, and return how many."""
    hidden = row[HAND + other] & ~(row[KNOWN + other] & ~WAGER_BITS)
    count = _0
    while hidden != _0:
        card_type = ctz(hidden)
        hidden &= hidden - _1
        copies = _1
        if (_1 << card_type) & WAGER_BITS:
            field = row[WAGERS + other] >> card_type
            copies = (field & _7) - ((field >> _6) & _7)
        for _ in range(copies):
            cards[count] = np.uint8(card_type)
            count += _1
    for index in range(row[DECK] & _BYTE, row[DECK] >> _8):
        cards[count] = np.uint8(deck_card(row, U(index)))
        count += _1
    return count


@njit
def hand_out(row: Row, other: Word, cards: CardTypes, count: Word) -> None:
    """Lay the heap: the deck from its end, the rest into the other hand."""
    deck_begin, end = row[DECK] & _BYTE, row[DECK] >> _8
    known = (row[WAGERS + other] >> _6) & (WAGER_BITS * _7)
    row[HAND + other] = row[KNOWN + other]
    row[WAGERS + other] = (row[WAGERS + other] & ~(WAGER_BITS * _7)) | known
    in_hand = count - (end - deck_begin)
    for index in range(in_hand):
        bit = _1 << U(cards[index])
        row[HAND + other] |= bit
        row[WAGERS + other] += bit & WAGER_BITS
    for index in range(deck_begin, end):
        place = U(index)
        shift = (place & _7) << _3
        word = CARDS + (place >> _3)
        card = U(cards[in_hand + place - deck_begin])
        row[word] = (row[word] & ~(_BYTE << shift)) | (card << shift)


@njit
def _dig_up(row: Row, cards: CardTypes, count: Word) -> Word:
    """Move what lies below the tops of the piles to the heap, leaving the nibbles to be filled."""
    for color in range(num_colors(row)):
        below_top = row[PILES + U(color)] >> _4
        while below_top != _0:
            card_type = _TEN * U(color) + (below_top & _NIBBLE) - _1
            row[PILED] &= ~(_1 << card_type)
            cards[count] = np.uint8(card_type)
            count += _1
            below_top >>= _4
    return count


@njit
def _bury(row: Row, cards: CardTypes, count: Word) -> Word:
    """Fill the piles below their tops with the first cards of their colour from a shuffled heap."""
    for color in range(num_colors(row)):
        shift = _4
        below_top = row[PILES + U(color)] >> _4
        index = _0
        while below_top != _0:
            below_top >>= _4
            while U(cards[index]) // _TEN != U(color):
                index += _1
            kind = U(cards[index]) - _TEN * U(color)
            pile = row[PILES + U(color)]
            row[PILES + U(color)] = (pile & ~(_NIBBLE << shift)) | ((kind + _1) << shift)
            row[PILED] |= (_1 << U(cards[index])) & ~WAGER_BITS
            shift += _4
            _close_gap(cards, index, count)
            count -= _1
    return count


@njit
def _close_gap(cards: CardTypes, index: Word, count: Word) -> None:
    """Take a card out of the heap, keeping the order of the others."""
    for place in range(index, count - _1):
        cards[place] = cards[U(place) + _1]
