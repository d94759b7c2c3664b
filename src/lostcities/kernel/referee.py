"""The twins of the rules on positions, one crossing there and one back for each question.

Far slower than playing in rows; for checking the kernel with whatever asks
positions: rule cases, records, other programs.
"""

from collections.abc import Sequence

import numpy as np

from lostcities.kernel import step as twins
from lostcities.kernel.bridge import action_of, move_of, pack, types_of, unpack
from lostcities.kernel.layout import MAX_LEGAL, PLAYED, WAGERS, new_row
from lostcities.rules import Card, Cards, Move, Points, Position, Variant


def deal(cards: Sequence[Card], like: Position) -> Position:
    """Return the start of a round from these cards, with variant and standing of another."""
    row = new_row(like.variant, like.standing)
    twins.deal(row, types_of(cards))
    return unpack(row)


def legal_moves(position: Position) -> tuple[Move, ...]:
    """Return the legal moves in the order of their action numbers."""
    actions = np.zeros(MAX_LEGAL, np.int64)
    count = twins.legal_list(pack(position), actions)
    return tuple(move_of(int(action), position.variant) for action in actions[:count])


def after(position: Position, move: Move) -> Position:
    """Return the position after a legal move."""
    row = pack(position)
    twins.step(row, action_of(move, position.variant))
    return unpack(row)


def is_over(position: Position) -> bool:
    """Return whether the round has ended."""
    return bool(twins.is_over(pack(position)))


def scores(position: Position) -> Points:
    """Return what both seats would score if the round ended now."""
    row = pack(position)
    return int(twins.score(row, 0)), int(twins.score(row, 1))


def score(expeditions: Sequence[Cards], variant: Variant) -> int:
    """Return the points of one side's expeditions."""
    row = new_row(variant)
    for card in (card for cards in expeditions for card in cards):
        card_type = int(types_of((card,))[0])
        row[PLAYED] |= np.uint64(1 << card_type)
        if card.is_wager:
            row[WAGERS] += np.uint64(1 << card_type + 3)
    return int(twins.score(row, 0))
