"""Random words: one stream a round, so that any split of the work plays the same games."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit

Word: TypeAlias = np.uint64
Whole: TypeAlias = int | np.int64
"""A signed number: Python's outside of compiled code, the machine's inside."""
CardTypes: TypeAlias = npt.NDArray[np.uint8]

_U: Final = np.uint64
_GAMMA: Final = _U(0x9E3779B97F4A7C15)
_ROUND: Final = _U(0xD1342543DE82EF95)
_MIX_1: Final = _U(0xBF58476D1CE4E5B9)
_MIX_2: Final = _U(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = _U(27), _U(30), _U(31), _U(32)
_ONE: Final = _U(1)
_LOW: Final = _U(0xFFFFFFFF)


@njit
def mix(word: Word) -> Word:
    """Return the word with its bits stirred.

    Source:
        splitmix64: Steele, Lea, Flood 2014, Fast Splittable Pseudorandom Number
        Generators, with Stafford's variant 13 of the finalizer.
    """
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@njit
def advance(stream: Word) -> Word:
    """Return the next state of a stream; `mix` of it is the next random word."""
    return stream + _GAMMA


@njit
def round_stream(seed: Word, number: Word) -> Word:
    """Return the first state of the stream that belongs to one round."""
    return seed + number * _ROUND


@njit
def below(half: Word, bound: Word) -> Word:
    """Return a number below *bound* from 32 random bits.

    Equally likely up to one part in 2**32 / bound.
    """
    return (half * bound) >> _S32


@njit
def shuffle(cards: CardTypes, num_cards: Word, stream: Word) -> Word:
    """Shuffle the first cards in place, two swaps a word, and return the stream's new state.

    Args:
        cards: Card types `uint8[num_cards or more]`.
        num_cards: How many of them.
        stream: State of the stream.

    Source:
        Fisher-Yates, from the last card down; the high half of a word goes first.
    """
    left = num_cards
    while left > _ONE:
        stream = advance(stream)
        word = mix(stream)
        left -= _ONE
        _swap(cards, left, below(word >> _S32, left + _ONE))
        if left > _ONE:
            left -= _ONE
            _swap(cards, left, below(word & _LOW, left + _ONE))
    return stream


@njit
def _swap(cards: CardTypes, one: Word, other: Word) -> None:
    kept = cards[one]
    cards[one] = cards[other]
    cards[other] = kept


def to_word(number: int | Word) -> Word:
    """Return a number of any size as a word: its lowest 64 bits.

    Wrap what goes into a kernel from Python: Numba takes a bare `int` for a
    signed one, and hands words back as `int`.
    """
    return _U(int(number) & 0xFFFFFFFFFFFFFFFF)
