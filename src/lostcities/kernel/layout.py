"""How a position lies in a row of 32 machine words, and how moves are numbered.

A **row** is `uint64[32]`: one argument to pass, one copy to clone, `uint64[N, 32]`
for many. It holds a whole `Position` with its `Variant`, nothing else, and it is
canonical: equal positions have equal rows, bit for bit.

A card **type** is `10 * color + kind`; kind 0 is the wager, kinds 1 to 9 are the
ranks 2 to 10. Sets of types are one word, bit by type. The wagers of a colour
have no identity: a set says whether there is one, and a side word how many.

```
word   name      content
 0  1  HAND      types in the hand, by seat
 2  3  OPEN      types that still fit on the own expeditions, by seat
 4  5  PLAYED    types on the own expeditions, by seat
 6  7  KNOWN     types of the hand that everybody knows of, by seat
 8  9  WAGERS    counts of wagers, by seat; at bit 10 * color three fields of
                 three bits: in the hand, played, known in the hand
10     PILED     types of the numbers in the discard piles
11-16  PILES     discard piles by colour: a stack of nibbles kind + 1, top lowest
17     TURN      bit 0 mover (0 when over), bits 1-2 phase, bits 3-5 colour
                 discarded this turn (7: none), bits 8-13 piles that hold a card
18     DECK      bits 0-7 index of the next card, bits 8-15 number of all cards;
                 the round is over when they are equal
19     STALL     bits 0-31 stalling turns in a row, bits 32-63 stall limit
                 (all ones: the guard is off)
20     CONFIG    the other numbers of the variant, see `CONFIG_FIELDS`
21     STANDING  bits 0-3 round number, 4-7 rounds, 8 starter, 9-35 and 36-62
                 totals of the seats plus 2**26
22-31  CARDS     80 bytes, in memory order: the deck; bytes before the next card are 0
```

An **action** is the number of a move: plays by type, then discards by type, then
the deck, then the piles by colour. That is `21 * colors + 1` numbers: 106 or 127.
"""

import sys
from dataclasses import fields
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.rules import MatchGoal, Standing, StarterPolicy, Variant

Row: TypeAlias = npt.NDArray[np.uint64]
"""`uint64[32]`."""
Rows: TypeAlias = npt.NDArray[np.uint64]
"""`uint64[N, 32]`."""
Number: TypeAlias = int | np.int64
"""A signed number: from Python, or from an array."""

NUM_WORDS: Final = 32
MAX_COLORS: Final = 6
NUM_KINDS: Final = 10
MAX_CARDS: Final = 80
MAX_ACTIONS: Final = 21 * MAX_COLORS + 1
MAX_LEGAL: Final = 2 * NUM_KINDS * MAX_COLORS
"""No position has more legal actions: a buffer of this length always does."""

U: Final = np.uint64
HAND, OPEN, PLAYED, KNOWN, WAGERS = U(0), U(2), U(4), U(6), U(8)
PILED, PILES, TURN, DECK, STALL = U(10), U(11), U(17), U(18), U(19)
CONFIG, STANDING, CARDS = U(20), U(21), U(22)

CARD_PHASE, DRAW_PHASE, OVER_PHASE = U(0), U(1), U(2)
NO_COLOR: Final = U(7)
NO_LIMIT: Final = 0xFFFFFFFF
TOTAL_BIAS: Final = 1 << 26
TOTAL_BITS: Final = 27

WAGER_BITS: Final = U(sum(1 << NUM_KINDS * color for color in range(MAX_COLORS)))
"""The wager types of all colours."""

_POLICIES: Final = tuple(StarterPolicy)
_GOALS: Final = tuple(MatchGoal)
CONFIG_FIELDS: Final = {
    "num_colors": (0, 3),
    "hand_size": (3, 6),
    "lowest_rank": (9, 4),
    "highest_rank": (13, 4),
    "wagers_per_color": (17, 3),
    "expedition_cost": (20, 10),
    "bonus": (30, 10),
    "bonus_threshold": (40, 7),
    "num_rounds": (47, 4),
    "starter_policy": (51, 3),
    "match_goal": (54, 1),
    "tabletop_memory": (55, 1),
    "own_discard_block": (56, 1),
}
"""First bit and width of each number of the variant in the word CONFIG."""

if sys.byteorder != "little":
    raise ImportError("expected a little-endian processor: rows keep the deck in memory order")


def _closed_by(card_type: int) -> int:
    """Return the types that no longer fit once a card of this type is played."""
    color, kind = divmod(card_type, NUM_KINDS)
    return 0 if kind == 0 or color >= MAX_COLORS else ((2 << kind) - 1) << NUM_KINDS * color


CLOSES: Final = np.array([_closed_by(card_type) for card_type in range(64)], np.uint64)
"""For each type `uint64[64]`, the types that a play of it closes."""
RANK_SUMS: Final = np.array(
    [sum(kind + 2 for kind in range(9) if ranks >> kind & 1) for ranks in range(512)], np.int64
)
"""For each set of ranks of one colour `int64[512]`, bit 0 the rank 2, their sum in points."""


def num_actions(variant: Variant) -> int:
    """Return how many actions the variant has: 106 with five colours, 127 with six."""
    return 21 * variant.num_colors + 1


def card_types(variant: Variant) -> npt.NDArray[np.uint8]:
    """Return the deck of the variant, sorted, as card types `uint8[cards]`."""
    types = [
        NUM_KINDS * card.color + (0 if card.is_wager else card.rank - 1) for card in variant.deck
    ]
    return np.array(types, np.uint8)


def new_row(variant: Variant, standing: Standing | None = None) -> Row:
    """Return a row with the numbers of the game and no cards, ready for `step.deal`.

    Args:
        variant: The numbers of the game.
        standing: Where the round stands; by default the first one, started by seat A.

    Raises:
        ValueError: If a number does not fit into its field of the row.
    """
    row = np.zeros(NUM_WORDS, np.uint64)
    row[CONFIG] = _config_word(variant)
    row[STALL] = stall_word(0, variant.stall_limit)
    row[STANDING] = standing_word(standing or Standing(num_rounds=variant.num_rounds))
    row[DECK] = len(variant.deck) << 8
    row[TURN] = int(NO_COLOR) << 3
    return row


def _config_word(variant: Variant) -> int:
    word = 0
    for name, (first, width) in CONFIG_FIELDS.items():
        value: Any = getattr(variant, name)
        if name == "starter_policy":
            value = _POLICIES.index(value)
        elif name == "match_goal":
            value = _GOALS.index(value)
        word |= _field(int(value), width, name) << first
    return word


def _field(value: int, width: int, name: str) -> int:
    if not 0 <= value < 1 << width:
        raise ValueError(f"expected {name} from 0 to {(1 << width) - 1} in a row, got {value}")
    return value


def stall_word(num_stalling_turns: int, stall_limit: int | None) -> int:
    """Return the word STALL.

    Raises:
        ValueError: If a number does not fit.
    """
    limit = NO_LIMIT if stall_limit is None else stall_limit
    if stall_limit is not None and not 0 <= stall_limit < NO_LIMIT:
        raise ValueError(f"expected stall_limit below {NO_LIMIT} in a row, got {stall_limit}")
    return _field(num_stalling_turns, 32, "num_stalling_turns") | limit << 32


def standing_word(standing: Standing) -> int:
    """Return the word STANDING.

    Raises:
        ValueError: If a number does not fit.
    """
    word = (
        _field(standing.round_number, 4, "round_number")
        | _field(standing.num_rounds, 4, "num_rounds") << 4
        | _field(standing.starter, 1, "starter") << 8
    )
    for seat, total in enumerate(standing.totals):
        biased = _field(total + TOTAL_BIAS, TOTAL_BITS, "total + 2**26")
        word |= biased << 9 + TOTAL_BITS * seat
    return word


def read_standing(row: Row) -> Standing:
    """Return where the round of a row stands in its match."""
    word = int(row[STANDING])
    mask = (1 << TOTAL_BITS) - 1
    return Standing(
        round_number=word & 15,
        num_rounds=word >> 4 & 15,
        starter=word >> 8 & 1,
        totals=((word >> 9 & mask) - TOTAL_BIAS, (word >> 9 + TOTAL_BITS & mask) - TOTAL_BIAS),
    )


def read_variant(row: Row) -> Variant:
    """Return the numbers of the game of a row."""
    word = int(row[CONFIG])
    values: dict[str, Any] = {
        name: word >> first & (1 << width) - 1 for name, (first, width) in CONFIG_FIELDS.items()
    }
    limit = int(row[STALL]) >> 32
    values["starter_policy"] = _POLICIES[values["starter_policy"]]
    values["match_goal"] = _GOALS[values["match_goal"]]
    for name in ("tabletop_memory", "own_discard_block"):
        values[name] = bool(values[name])
    return Variant(**values, stall_limit=None if limit == NO_LIMIT else limit)


def _check_fields() -> None:
    """Refuse to start if the variant has a number that a row would lose."""
    names = {field.name for field in fields(Variant)}
    if lost := names - CONFIG_FIELDS.keys() - {"stall_limit"}:
        raise ImportError(f"expected a place in the row for every number, got none for {lost}")


_check_fields()
