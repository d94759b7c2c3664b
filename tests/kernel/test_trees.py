"""Whole trees of tiny decks, and counts of sequences: both implementations walk the same tree."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from lostcities.kernel.bridge import action_of, pack, unpack
from lostcities.kernel.layout import MAX_LEGAL
from lostcities.kernel.step import is_over, legal_list, step
from lostcities.rules import CLASSIC, LONG, MINI, SMALL, TINY, Position, Variant

_COUNTS = [
    (TINY, (4, 4, 16, 22, 24, 30, 24, 30, 24)),
    (SMALL, (4, 4, 16, 22, 88, 134, 497, 825, 2186)),
    (MINI, (6, 6, 36, 51, 306, 516, 2865)),
    (CLASSIC, (6, 6, 48, 70, 560, 955, 8516)),
    (LONG, (6, 6, 48, 71, 568, 992, 7736)),
]
_NAMES = ["tiny", "small", "mini", "classic", "long"]


def _sorted_start(variant: Variant) -> Position:
    """Return the position whose hands and deck are the sorted cards in a row, all wagers first."""
    size = variant.hand_size
    deck = sorted(variant.deck, key=lambda card: (not card.is_wager, card))
    dealt = [card for pair in zip(deck[:size], deck[size : 2 * size], strict=True) for card in pair]
    return Position.deal([*dealt, *deck[2 * size :]], variant=variant)


def _children(packed: bytes) -> Iterable[bytes]:
    row = np.frombuffer(packed, np.uint64)
    actions = np.zeros(MAX_LEGAL, np.int64)
    for action in actions[: legal_list(row.copy(), actions)].tolist():
        child = row.copy()
        step(child, action)
        yield child.tobytes()


def _count(root: bytes, children: Callable[[bytes], Iterable[bytes]], depth: int) -> list[int]:
    ways, counts = Counter({root: 1}), []
    for _ in range(depth):
        further: Counter[bytes] = Counter()
        for reached, num in ways.items():
            for child in children(reached):
                further[child] += num
        ways = further
        counts.append(ways.total())
    return counts


@pytest.mark.parametrize(("variant", "counts"), _COUNTS, ids=_NAMES)
def test_the_kernel_counts_what_the_rules_count(variant: Variant, counts: tuple[int, ...]) -> None:
    root = pack(_sorted_start(variant)).tobytes()
    assert _count(root, _children, len(counts)) == list(counts)


def _without_history(position: Position) -> Position:
    return replace(position, num_stalling_turns=0, known=((), ()))


@pytest.mark.parametrize("limit", [None, 1])
@pytest.mark.parametrize("block", [True, False])
def test_every_position_of_the_tiny_deck_is_the_same(*, limit: int | None, block: bool) -> None:
    variant = replace(TINY, stall_limit=limit, own_discard_block=block)
    seen: set[Position] = set()
    left = [_sorted_start(variant)]
    while left:
        position = left.pop()
        key = position if limit is not None else replace(position, num_stalling_turns=0)
        if key in seen:
            continue
        seen.add(key)
        row = pack(position)
        assert unpack(row) == position
        assert is_over(row) == position.is_over
        actions = np.zeros(MAX_LEGAL, np.int64)
        num = legal_list(row, actions)
        moves = {action_of(move, variant): move for move in position.legal_moves}
        assert actions[:num].tolist() == sorted(moves)
        for action, move in moves.items():
            child = row.copy()
            step(child, action)
            after = position.after(move)
            assert unpack(child) == after
            left.append(after)
    plain = {_without_history(position) for position in seen}
    if limit is None and block:
        assert len(plain) == 230
        assert sum(position.is_over for position in plain) == 100
