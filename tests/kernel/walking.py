"""Games for the tests of the kernel: variants, random walks, worlds that a seat cannot tell apart."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    SMALL,
    TINY,
    Card,
    Cards,
    Move,
    Position,
    Seat,
    Standing,
    StarterPolicy,
    Variant,
    other_seat,
)

VARIANTS: Final = {
    "tiny": TINY,
    "small": SMALL,
    "mini": MINI,
    "classic": CLASSIC,
    "long": LONG,
    "guarded": replace(CLASSIC, stall_limit=2),
    "guarded-at-once": replace(SMALL, stall_limit=0),
    "unblocked": replace(MINI, own_discard_block=False),
    "unblocked-guarded": replace(LONG, own_discard_block=False, stall_limit=3),
    "tabletop": replace(CLASSIC, tabletop_memory=True),
    "tabletop-mini": replace(MINI, tabletop_memory=True, wagers_per_color=3),
    "no-wagers": replace(MINI, wagers_per_color=0, lowest_rank=5, highest_rank=9),
    "four-wagers": replace(
        LONG,
        wagers_per_color=4,
        hand_size=20,
        expedition_cost=1000,
        bonus=999,
        bonus_threshold=100,
        num_rounds=9,
        starter_policy=StarterPolicy.RANDOM,
    ),
    "one-card": replace(TINY, hand_size=1, bonus_threshold=1, lowest_rank=10, highest_rank=10),
}
SMALL_NAMES: Final = ("tiny", "small", "mini", "guarded-at-once", "unblocked", "tabletop-mini")


def start(variant: Variant, rng: random.Random) -> Position:
    """Return a random deal somewhere in a match."""
    deck = list(variant.deck)
    rng.shuffle(deck)
    standing = Standing(
        round_number=rng.randint(1, variant.num_rounds),
        num_rounds=variant.num_rounds,
        starter=rng.randrange(2),
        totals=(rng.randint(-500, 500), rng.randint(-500, 500)),
    )
    return Position.deal(deck, variant=variant, standing=standing)


def walk(position: Position, rng: random.Random, num_plies: int) -> Iterator[tuple[Position, Move]]:
    """Yield positions of a random game with the move that is made in each.

    Some games like to play, some to discard and to take, so that all corners are seen.
    """
    taste = rng.random()
    for _ in range(num_plies):
        if position.is_over:
            return
        moves = position.legal_moves
        half = moves[len(moves) // 2 :] if rng.random() < taste else moves
        move = rng.choice(half)
        yield position, move
        position = position.after(move)


def reshuffle_unseen(position: Position, seat: Seat, rng: random.Random) -> Position:
    """Return a position that the seat cannot tell from this one."""
    other = other_seat(seat)
    hidden = list((Counter(position.hands[other]) - Counter(position.known[other])).elements())
    num_hidden = len(hidden)
    heap = [*hidden, *position.deck]
    shows_all = not position.variant.tabletop_memory
    if not shows_all:
        heap += [card for pile in position.piles for card in pile[:-1]]
    rng.shuffle(heap)
    piles = position.piles
    if not shows_all:
        piles = tuple(_bury(pile, heap) for pile in piles)
    hand = tuple(sorted((*position.known[other], *heap[:num_hidden])))
    own = position.hands[seat]
    return replace(
        position,
        hands=(own, hand) if seat == 0 else (hand, own),
        piles=piles,
        deck=tuple(heap[num_hidden:]),
    )


def _bury(pile: Cards, heap: list[Card]) -> Cards:
    """Take cards of the pile's colour out of the heap for all of the pile but its top."""
    below: list[Card] = []
    while len(below) < len(pile) - 1:
        card = next(card for card in heap if card.color == pile[-1].color)
        heap.remove(card)
        below.append(card)
    return (*below, *pile[-1:])
