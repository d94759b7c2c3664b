"""Colours and cards, and how a card is called in two characters and in words."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple


class Color(IntEnum):
    """A colour, in the order in which the official scoring example prints them."""

    YELLOW = 0
    BLUE = 1
    WHITE = 2
    GREEN = 3
    RED = 4
    PURPLE = 5

    @property
    def letter(self) -> str:
        """The letter of the notation: Y B W G R P."""
        return COLOR_LETTERS[self]

    @property
    def word(self) -> str:
        """The English name in lower case."""
        return self.name.lower()


COLOR_LETTERS: Final = "YBWGRP"
WAGER: Final = 0
"""The rank of a wager: below every number, so that one comparison is the whole rule of playing."""
RANK_MARKS: Final = "x-23456789T"
"""The mark of each rank; the index is the rank. No rank 1 exists."""


class Card(NamedTuple):
    """A card. The wagers of a colour are equal: nobody can tell which copy is which.

    A named tuple because hands are sorted and searched all the time: comparing
    and hashing happen in C.
    """

    color: Color
    rank: int

    @property
    def is_wager(self) -> bool:
        """Whether this is a wager and not a number card."""
        return self.rank == WAGER

    @property
    def words(self) -> str:
        """The card in words, for people and speech: red 5, red wager."""
        return f"{self.color.word} {'wager' if self.is_wager else self.rank}"

    def __str__(self) -> str:
        """Return the two characters of the notation: R5, Rx, RT."""
        return self.color.letter + RANK_MARKS[self.rank]


Cards = tuple[Card, ...]


def format_list(cards: Iterable[Card]) -> str:
    """Return the cards as a sentence needs them: 'R7, W2'."""
    return ", ".join(map(str, cards))
