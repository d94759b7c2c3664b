"""Worlds as likely as they are: what a hand holds says something of who holds it.

Players keep what they can use. So an unseen card that fits the other side's
expedition is more often in its hand than in the deck, and one that is of no use
to it is less often there. `ODDS` says by how much, for each kind of card; it was
counted in self-play of the policy (experiment 0002). Nothing is asked about
the past: the odds depend on what lies on the table now. Whoever does not
believe in them deals evenly.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit
from lostcities.kernel.layout import CONFIG, DECK, OPEN, PLAYED, WAGERS, Row, U
from lostcities.kernel.step import deck_size
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, mix, shuffle
from lostcities.kernel.worlds import collect_hidden, hand_out, reshuffle

_0, _1, _3, _7, _8 = U(0), U(1), U(3), U(7), U(8)
_TEN, _11, _55 = U(10), U(11), U(55)
_BYTE: Final = U(0xFF)
_RANKS: Final = U(0x1FF)
_PER_WORD: Final = 1.0 / 9007199254740992.0

BY_ODDS, EVENLY = 0, 1
"""What is believed of unseen cards: `ODDS`, or that they are all alike."""
BELIEFS: Final = {"odds": BY_ODDS, "even": EVENLY}
"""Beliefs by the words that people choose them by."""

NUM_PHASES: Final = 6
NUM_RELATIONS: Final = 20
ODDS: Final = np.array(
    (
        (
            0.15,
            0.14,
            1.93,
            1.89,
            1.96,
            2.05,
            0.29,
            1.24,
            2.03,
            2.86,
            0.96,
            0.73,
            0.99,
            1.00,
            1.01,
            0.94,
            0.64,
            0.99,
            1.02,
            1.02,
        ),
        (
            0.18,
            0.14,
            0.85,
            1.08,
            1.57,
            2.36,
            0.23,
            0.83,
            2.09,
            3.37,
            0.98,
            0.51,
            0.94,
            1.05,
            1.05,
            0.91,
            0.50,
            0.97,
            1.10,
            1.11,
        ),
        (
            0.25,
            0.16,
            0.66,
            1.00,
            1.60,
            2.83,
            0.21,
            0.74,
            2.25,
            3.95,
            0.98,
            0.48,
            0.86,
            0.95,
            0.93,
            0.92,
            0.53,
            0.94,
            1.15,
            1.16,
        ),
        (
            0.38,
            0.22,
            0.62,
            1.03,
            1.77,
            3.22,
            0.22,
            0.70,
            2.37,
            4.56,
            1.05,
            0.51,
            0.77,
            0.85,
            0.79,
            1.01,
            0.63,
            0.99,
            1.17,
            1.23,
        ),
        (
            0.57,
            0.38,
            0.65,
            1.11,
            1.93,
            3.49,
            0.38,
            0.67,
            2.27,
            4.90,
            1.15,
            0.52,
            0.70,
            0.75,
            0.73,
            1.14,
            0.72,
            1.06,
            1.20,
            1.34,
        ),
        (
            0.81,
            0.72,
            0.87,
            1.21,
            1.83,
            2.77,
            0.82,
            0.59,
            1.50,
            3.99,
            1.28,
            0.62,
            0.74,
            0.82,
            0.89,
            1.25,
            0.91,
            1.24,
            1.34,
            1.49,
        ),
    )
)
"""Odds that an unseen card is in the other hand and not in the deck, by part of the round and
relation, `float64[6, 20]`; 1 is what an even deal would make of it."""


@njit
def relation(row: Row, holder: Word, card_type: Word) -> Whole:
    """Return how a card stands to a seat that may hold it, 0 to 19.

    0 and 1: of no use, but of some to the other seat, or of none to both.
    2 to 5: fits the numbers on the table, by the gap. 6 to 9: fits wagers, itself
    a wager, low, middling or high. 10 to 19: opens the colour, five kinds, where
    the other seat has not opened it (from 10) or has (from 15).
    """
    color = card_type // _TEN
    kind = np.int64(card_type - color * _TEN)
    other = _1 - holder
    if (row[OPEN + holder] >> card_type) & _1 == _0:
        return 0 if (row[OPEN + other] >> card_type) & _1 == _1 else 1
    played = (row[PLAYED + holder] >> (_TEN * color + _1)) & _RANKS
    if played != _0:
        top = 0
        while played != _0:
            top += 1
            played >>= _1
        gap = kind - top - 1
        return 5 if gap > 3 else 2 + gap
    group = (kind + 2) // 3  # 0 the wager, 1 to 3 low, middling and high
    if (row[WAGERS + holder] >> (_TEN * color + _3)) & _7 != _0:
        return 6 + group
    is_taken = (row[PLAYED + other] >> (_TEN * color)) & U(0x3FF) != _0
    return (15 if is_taken else 10) + (4 if kind == 9 else group)


@njit
def phase_of_round(row: Row) -> Whole:
    """Return how far the round is: 0 with a full deck, 5 with an empty one."""
    dealt = _1 + (row[DECK] >> _8) - U(2) * ((row[CONFIG] >> _3) & U(0x3F))
    return NUM_PHASES - 1 - np.int64(deck_size(row) * U(NUM_PHASES) // dealt)


@njit
def reshuffle_by_odds(
    row: Row, seat: Whole, stream: Word, cards: CardTypes, keys: npt.NDArray[np.float64]
) -> Word:
    """Deal what a seat cannot see anew, in place, the other hand by the odds of its cards.

    With tabletop memory, where cards may lie under the piles too, all worlds
    are equally likely, as in `worlds.reshuffle`.

    Args:
        row: A world; the same for this seat before and after.
        seat: Whose knowledge is kept.
        stream: State of the stream.
        cards: Room to work in, `uint8[80]`.
        keys: Room to work in, `float64[80]`.

    Returns:
        The stream's new state.

    Source:
        See `waiting_time`.
    """
    if (row[CONFIG] >> _55) & _1 == _1:
        return reshuffle(row, seat, stream, cards)
    other = U(1 - seat)
    count = collect_hidden(row, other, cards)
    stream = shuffle(cards, count, U(stream))
    part = phase_of_round(row)
    for index in range(count):
        stream = advance(stream)
        odds = ODDS[part, relation(row, other, U(cards[index]))]
        keys[index] = waiting_time(stream, odds)
    hand_out_earliest(row, other, cards, count, keys)
    return stream


@njit
def deal_unseen(
    row: Row,
    seat: Whole,
    stream: Word,
    belief: Whole,
    cards: CardTypes,
    keys: npt.NDArray[np.float64],
) -> Word:
    """Deal what a seat cannot see anew, in place, as `reshuffle_by_odds` or `reshuffle` does.

    Args:
        row: A world; the same for this seat before and after.
        seat: Whose knowledge is kept.
        stream: State of the stream.
        belief: `BY_ODDS` or `EVENLY`.
        cards: Room to work in, `uint8[80]`.
        keys: Room to work in, `float64[80]`.

    Returns:
        The stream's new state.
    """
    if belief == EVENLY:
        return reshuffle(row, seat, stream, cards)
    return reshuffle_by_odds(row, seat, stream, cards, keys)


@njit
def waiting_time(stream: Word, odds: float) -> float:
    """Return how long a card waits for its place in the other hand; see `hand_out_earliest`.

    Args:
        stream: State of the stream, from which a random word is taken.
        odds: That the card is there and not in the deck; their scale means nothing.

    Source:
        Efraimidis, Spirakis 2006, Weighted random sampling with a reservoir:
        the smallest of exponential waiting times are a weighted sample.
    """
    chance = (np.float64(mix(stream) >> _11) + 0.5) * _PER_WORD
    return -np.log(chance) / odds


@njit
def hand_out_earliest(
    row: Row, other: Word, cards: CardTypes, count: Word, keys: npt.NDArray[np.float64]
) -> None:
    """Lay the heap: the cards with the shortest waiting times into the other hand.

    Args:
        row: A world; its hidden cards were collected.
        other: Whose hand is filled.
        cards: The heap; sorted as far as is needed.
        count: How many cards it holds.
        keys: Their waiting times, moved along with them.
    """
    for index in range(np.int64(count) - np.int64(deck_size(row))):
        least = index
        for place in range(index + 1, np.int64(count)):
            if keys[place] < keys[least]:
                least = place
        cards[index], cards[least] = cards[least], cards[index]
        keys[index], keys[least] = keys[least], keys[index]
    hand_out(row, other, cards, count)
