"""What a seat may not know, as numbers for a judge of training games; no player ever sees it.

Who judges how a game stands in training may see all cards: what a draw brought, and what
the other hand held, is then no surprise, and what is left to be surprised at is what was done.

The vector is `float32[72 * colors]`, one block of 72 for each color: the other hand as in the
features (12), then for each kind of card six numbers on its copies in the deck, by who draws
them if nobody takes from a pile, first the seat to move, then the other: how many, and how soon.
"""

from typing import Final

import numpy as np

from lostcities.kernel._jit import njit
from lostcities.kernel.features import Features, write_cards
from lostcities.kernel.layout import DECK, HAND, WAGERS, Row, U
from lostcities.kernel.step import deck_card, num_colors
from lostcities.kernel.streams import Whole

_HAND_WIDTH: Final = 12
_KIND_WIDTH: Final = 6
ORACLE_WIDTH: Final = _HAND_WIDTH + 10 * _KIND_WIDTH
"""Numbers for each color."""

_TEN, _1, _7, _8 = U(10), U(1), U(7), U(8)
_RANKS: Final = U(0x1FF)
_BYTE: Final = U(0xFF)
_DRAWS: Final = np.arange(80, dtype=np.float32)
_SOON: Final = np.stack(
    [np.ones(80, np.float32), np.exp(-_DRAWS / 12), np.exp(-_DRAWS / 3)], axis=1
).astype(np.float32)
"""What a card counts behind so many draws, `float32[80, 3]`: at all, soon, very soon."""


@njit
def oracle_features(row: Row, seat: Whole, out: Features) -> None:
    """Write what a seat that is to move may not know.

    Args:
        row: The position.
        seat: The seat to move.
        out: Where it goes, `float32[72 * colors]`.
    """
    out[:] = 0
    other = U(1 - seat)
    for color in range(num_colors(row)):
        shift = _TEN * U(color)
        ranks = (row[HAND + other] >> (shift + _1)) & _RANKS
        write_cards(out, U(color * ORACLE_WIDTH), ranks, (row[WAGERS + other] >> shift) & _7)
    begin, end = np.int64(row[DECK] & _BYTE), np.int64(row[DECK] >> _8)
    for index in range(begin, end):
        draws = index - begin
        kind = np.int64(deck_card(row, U(index)))
        at = kind // 10 * ORACLE_WIDTH + _HAND_WIDTH + kind % 10 * _KIND_WIDTH + draws % 2 * 3
        for place in range(3):
            out[at + place] += _SOON[draws, place]
