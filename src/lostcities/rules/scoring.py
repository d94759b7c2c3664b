"""What expeditions are worth, term by term."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lostcities.rules.cards import WAGER, Card, Cards, Color
from lostcities.rules.errors import InvalidPositionError
from lostcities.rules.variant import CLASSIC, Variant


@dataclass(frozen=True, slots=True)
class ExpeditionScore:
    """The terms of one expedition's score.

    Attributes:
        num_cards: Cards that lie there, wagers included.
        num_wagers: Wagers among them.
        number_sum: Sum of the numbers, in points.
        cost: Minus the cost if a card lies there, else 0.
        multiplier: One more than the number of wagers.
        bonus: Points for a long expedition, or 0.
    """

    num_cards: int
    num_wagers: int
    number_sum: int
    cost: int
    multiplier: int
    bonus: int

    @property
    def score(self) -> int:
        """The points: (sum + cost) x multiplier + bonus."""
        return (self.number_sum + self.cost) * self.multiplier + self.bonus


def score_expedition(cards: Iterable[Card], variant: Variant = CLASSIC) -> ExpeditionScore:
    """Score the cards of one expedition; their order does not matter."""
    ranks = [card.rank for card in cards]
    num_wagers = ranks.count(WAGER)
    return ExpeditionScore(
        num_cards=len(ranks),
        num_wagers=num_wagers,
        number_sum=sum(ranks),
        cost=-variant.expedition_cost if ranks else 0,
        multiplier=1 + num_wagers,
        bonus=variant.bonus if len(ranks) >= variant.bonus_threshold else 0,
    )


def score_round(expeditions: Sequence[Cards], variant: Variant = CLASSIC) -> int:
    """Return the points of one player: the sum over the own expeditions."""
    return sum(score_expedition(cards, variant).score for cards in expeditions)


def sort_into_expeditions(cards: Iterable[Card], variant: Variant = CLASSIC) -> dict[Color, Cards]:
    """Sort cards given in any order into expeditions, one for each colour that occurs.

    Raises:
        InvalidPositionError: If the deck does not hold these cards.
    """
    counts = Counter(cards)
    for card, count in sorted(counts.items()):
        copies = variant.copies_of(card)
        if copies == 0:
            raise InvalidPositionError(f"{card} does not exist in this game")
        if count > copies:
            raise InvalidPositionError(
                f"expected at most {copies} {card}, which is what the deck holds, got {count}"
            )
    in_order = sorted(counts.elements())
    return {
        color: tuple(card for card in in_order if card.color == color)
        for color in variant.colors
        if any(card.color == color for card in in_order)
    }
