"""What one side cannot see of a history, dealt anew so that the same history could have happened."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lostcities.kernel.layout import NUM_KINDS
from lostcities.rules import SEATS, Seat, Variant


@dataclass(frozen=True, slots=True)
class PutDown:
    """A card that came down out of a hidden part of the hand.

    Attributes:
        card_type: What it was.
        num_slots: How many hidden cards the hand had received before.
    """

    card_type: int
    num_slots: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A history, and what of it belongs to a hand that is not seen.

    Attributes:
        history: Actions and outcomes, as OpenSpiel counts them.
        slots: The places of the outcomes that went into the hidden hand.
        put_down: The cards that came out of it, in order. Cards taken from a pile
            are known to everybody and not among them.
    """

    history: tuple[int, ...]
    slots: tuple[int, ...]
    put_down: tuple[PutDown, ...]

    @classmethod
    def along(cls, history: Sequence[int], hidden: Seat, variant: Variant) -> "Walk":
        """Read a history.

        Args:
            history: Actions and outcomes from the first deal on.
            hidden: Whose hand is not seen.
            variant: The numbers of the game.
        """
        num_dealt = len(SEATS) * variant.hand_size
        slots = list(range(hidden, min(num_dealt, len(history)), len(SEATS)))
        put_down: list[PutDown] = []
        known: Counter[int] = Counter()
        piles: list[list[int]] = [[] for _ in variant.colors]
        ten = NUM_KINDS * variant.num_colors
        seat, place = 0, num_dealt
        while place < len(history):
            action = history[place]
            if action < 2 * ten:
                card_type = action % ten
                if seat == hidden and known[card_type]:
                    known[card_type] -= 1
                elif seat == hidden:
                    put_down.append(PutDown(card_type, len(slots)))
                if action >= ten:
                    piles[card_type // NUM_KINDS].append(card_type)
            else:
                if action > 2 * ten:
                    known[piles[action - 2 * ten - 1].pop()] += seat == hidden
                else:
                    place += 1  # the outcome of the draw comes next
                    if seat == hidden and place < len(history):
                        slots.append(place)
                seat = 1 - seat
            place += 1
        return cls(tuple(history), tuple(slots), tuple(put_down))


def sample_outcomes(walk: Walk, rest: bytes, sampler: Callable[[], float]) -> list[int]:
    """Return the history with other cards in the hidden hand: any order of the deck that fits.

    A card that came down is laid into a slot from before, one after the other; the
    number of free slots does not depend on the choices so far, so all ways are
    equally likely. Of equal wagers a player may put down any: an order of the deck
    then comes up once for each way to choose, and is kept in inverse proportion.

    Args:
        walk: What happened.
        rest: The types in the deck.
        sampler: Returns numbers from 0 to below 1.
    """
    hidden = Counter(walk.history[slot] for slot in walk.slots)
    hidden.subtract(card.card_type for card in walk.put_down)
    pool = sorted([*hidden.elements(), *rest])  # in an order that tells nothing
    while True:
        cards = _fill(walk, pool.copy(), sampler)
        if sampler() * _num_choices(walk, cards) < 1:
            break
    history = list(walk.history)
    for slot, card_type in zip(walk.slots, cards, strict=True):
        history[slot] = card_type
    return history


def _fill(walk: Walk, pool: list[int], sampler: Callable[[], float]) -> list[int]:
    """Return a card for each slot; *pool* is used up on the way."""
    cards: dict[int, int] = {}
    for card in walk.put_down:
        free = [slot for slot in range(card.num_slots) if slot not in cards]
        cards[free[_below(len(free), sampler)]] = card.card_type
    for slot in range(len(walk.slots)):
        if slot not in cards:
            place = _below(len(pool), sampler)
            pool[place], pool[-1] = pool[-1], pool[place]
            cards[slot] = pool.pop()
    return [cards[slot] for slot in range(len(walk.slots))]


def _num_choices(walk: Walk, cards: Sequence[int]) -> int:
    """Return in how many ways the hand could have chosen among its equal cards."""
    num_choices = 1
    gone: Counter[int] = Counter()
    for card in walk.put_down:
        copies = cards[: card.num_slots].count(card.card_type) - gone[card.card_type]
        gone[card.card_type] += 1
        num_choices *= copies
    return num_choices


def _below(bound: int, sampler: Callable[[], float]) -> int:
    return min(int(sampler() * bound), bound - 1)  # a sampler may round up to 1
