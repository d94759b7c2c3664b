"""What one side may still hope for: expected final points of its expeditions.

A projection adds up, colour by colour, what lies on the table, what the hand
can add, and a share of the unseen cards that would still fit. It is a sum of
rules of thumb and no search: a number of points for a hand, in microseconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log1p, sqrt
from typing import Final, NamedTuple

from lostcities.rules import WAGER, Card, Color, Variant


@dataclass(frozen=True, slots=True)
class Weights:
    """How a projection weighs hopes; found by paired deals (experiment 0001).

    Attributes:
        luck: Factor on the chance to get an unseen card. Below 1, since some
            cards come when it is too late for them.
        spurned: Factor on the chance to get a card that the other side can no
            longer play on an open expedition: it will be thrown away.
        patience: Share of the hope for cards that have to come before the
            lowest number in the hand is played.
        option: Share of the spread of the outcome that counts as a gain while
            an expedition is closed, since a bad one need not be opened.
        wager_hope: Share of the hope for unseen wagers.
        bonus_spread: How unsure the final number of cards is, in cards.
        shortage_price: Points lost for a planned card that finds no turn.
        future_plays: Share of the hoped-for cards that will want a turn.
        shortage_spread: How unsure the number of turns is, in turns.
    """

    luck: float = 0.9
    spurned: float = 1.25
    patience: float = 0.8
    option: float = 0.68
    wager_hope: float = 0.3
    bonus_spread: float = 1.2
    shortage_price: float = 4.0
    future_plays: float = 0.75
    shortage_spread: float = 2.0


class Column(NamedTuple):
    """An expedition in four numbers; *top* is the rank of the last card, 0 if there is none."""

    num_cards: int
    num_wagers: int
    number_sum: int
    top: int

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "Column":
        """Sum up the cards of an expedition."""
        ranks = [card.rank for card in cards]
        return cls(len(ranks), ranks.count(WAGER), sum(ranks), ranks[-1] if ranks else WAGER)

    def with_rank(self, rank: int) -> "Column":
        """Return the expedition with one more card on top."""
        num_wagers = self.num_wagers + (rank == WAGER)
        return Column(self.num_cards + 1, num_wagers, self.number_sum + rank, rank)

    def fits(self, rank: int) -> bool:
        """Return whether a card of this rank may follow (wagers follow wagers only)."""
        return rank > self.top or self.top == WAGER


class Holding(NamedTuple):
    """One colour of one side: the expedition, and the ranks in the hand, ascending."""

    color: Color
    column: Column
    ranks: tuple[int, ...]

    @property
    def playable(self) -> tuple[int, Sequence[int]]:
        """The number of wagers in the hand that still fit, and the numbers that do."""
        top = self.column.top
        if top == WAGER:
            num_wagers = self.ranks.count(WAGER)
            return num_wagers, self.ranks[num_wagers:]
        return 0, [rank for rank in self.ranks if rank > top]

    def after_play(self, rank: int) -> "Holding":
        """Return the colour after a card went from the hand to the expedition."""
        return Holding(self.color, self.column.with_rank(rank), self._ranks_without(rank))

    def after_discard(self, rank: int) -> "Holding":
        """Return the colour after a card left the hand for good."""
        return Holding(self.color, self.column, self._ranks_without(rank))

    def after_draw(self, rank: int) -> "Holding":
        """Return the colour after a card came into the hand."""
        return Holding(self.color, self.column, tuple(sorted((*self.ranks, rank))))

    def _ranks_without(self, rank: int) -> tuple[int, ...]:
        index = self.ranks.index(rank)
        return self.ranks[:index] + self.ranks[index + 1 :]


class Unseen:
    """The unseen cards of one colour, summed up above each rank.

    Attributes:
        num_wagers: Wagers among them.
        count_above: How many numbers are higher than a rank; index = rank.
        sum_above: Their points.
        square_above: The squares of their points, for the spread.
    """

    def __init__(
        self, ranks: Sequence[int], variant: Variant, *, other: Column, weights: Weights
    ) -> None:
        size = variant.highest_rank + 1
        self.num_wagers = ranks.count(WAGER)
        self.count_above, self.sum_above, self.square_above = ([0.0] * size for _ in range(3))
        count = points = square = 0.0
        for rank in range(size - 1, -1, -1):
            self.count_above[rank], self.sum_above[rank] = count, points
            self.square_above[rank] = square
            if rank in ranks:
                share = 1.0 if other.fits(rank) else weights.spurned
                count += share
                points += share * rank
                square += share * rank * rank


class Prospect(NamedTuple):
    """What a colour promises.

    Attributes:
        value: Expected points at the end.
        plays: Turns that it is expected to take.
        cards: Cards of the hand that are expected to be played.
    """

    value: float
    plays: float
    cards: float


class Projection:
    """The outlook of one side that has a number of turns and useful draws to come."""

    def __init__(
        self,
        variant: Variant,
        unseen: Sequence[Unseen],
        *,
        turns: float,
        chance: float,
        weights: Weights,
    ) -> None:
        """Look ahead.

        Args:
            variant: The numbers of the game.
            unseen: The unseen cards by colour.
            turns: Own turns to come.
            chance: The share of the unseen cards that will come in time, 0 to 1.
            weights: How hopes are weighed.
        """
        self._variant = variant
        self._unseen = unseen
        self._turns = turns
        self._chance = chance
        self._weights = weights

    def prospect(self, holding: Holding) -> Prospect:
        """Return what a colour promises if there is time for everything."""
        num_wagers, numbers = holding.playable
        # A wager in the hand need not be played: a colour in doubt is better off without.
        value, certainty = max(self._value(holding, num, numbers) for num in range(num_wagers + 1))
        cards = certainty * (num_wagers + len(numbers))
        hoped = (
            certainty * self._chance * self._unseen[holding.color].count_above[holding.column.top]
        )
        return Prospect(value, cards + self._weights.future_plays * hoped, cards)

    def is_short(self, prospects: Iterable[Prospect]) -> bool:
        """Return whether the turns do not suffice even for the cards in the hand."""
        return sum(prospect.cards for prospect in prospects) > self._turns + 0.5

    def total(self, prospects: Sequence[Prospect]) -> float:
        """Add up the colours, less what a shortage of turns may cost later."""
        weights = self._weights
        plays = sum(prospect.plays for prospect in prospects)
        shortage = _softplus(plays - self._turns, weights.shortage_spread)
        return sum(prospect.value for prospect in prospects) - weights.shortage_price * shortage

    def total_when_short(self, holdings: Iterable[Holding]) -> float:
        """Return the best total over all ways to spend the few turns on cards of the hand."""
        turns = int(self._turns)
        best = [0.0] * (turns + 1)  # the best total of the colours so far, by turns spent
        for holding in holdings:
            table = self._value_by_plays(holding, turns)
            best = [
                max(best[num - plays] + table[plays] for plays in range(min(num + 1, len(table))))
                for num in range(turns + 1)
            ]
        return best[turns]

    def _value_by_plays(self, holding: Holding, turns: int) -> list[float]:
        """Return the value of a colour for each number of cards played from the hand."""
        num_wagers, numbers = holding.playable
        return [
            max(
                # Who can play only some of the numbers plays the highest.
                self._value(holding, wagers, numbers[len(numbers) - plays + wagers :])[0]
                for wagers in range(max(0, plays - len(numbers)), min(num_wagers, plays) + 1)
            )
            for plays in range(min(num_wagers + len(numbers), turns) + 1)
        ]

    def _value(
        self, holding: Holding, num_wagers: int, numbers: Sequence[int]
    ) -> tuple[float, float]:
        """Return the expected points if these cards are played, and how sure that is."""
        color, column, _ = holding
        weights, unseen = self._weights, self._unseen[color]
        surplus = float(column.number_sum + sum(numbers)) - self._variant.expedition_cost
        surplus += self._hope(unseen.sum_above, column.top, numbers)
        multiplier = 1.0 + column.num_wagers + num_wagers
        if column.top == WAGER and surplus > 0:
            multiplier += weights.wager_hope * self._chance * unseen.num_wagers
        num_cards = column.num_cards + num_wagers + len(numbers)
        num_cards_hoped = self._hope(unseen.count_above, column.top, numbers)
        value = surplus * multiplier + self._bonus(num_cards + num_cards_hoped)
        if column.num_cards:
            return value, 1.0
        variance = self._chance * (1.0 - self._chance) * unseen.square_above[column.top]
        spread = weights.option * multiplier * (1.0 + sqrt(variance))
        return _softplus(value, spread), _logistic(value, spread)

    def _hope(self, above: Sequence[float], top: int, numbers: Sequence[int]) -> float:
        """Return how much of the unseen will come, given that *numbers* wait in the hand."""
        if not numbers:
            return self._chance * above[top]
        over = above[numbers[0]]
        return self._chance * (over + self._weights.patience * (above[top] - over))

    def _bonus(self, num_cards: float) -> float:
        variant = self._variant
        # The half is because cards come whole: the threshold itself is enough.
        surplus = num_cards - variant.bonus_threshold + 0.5
        return variant.bonus * _logistic(surplus, self._weights.bonus_spread)


_FAR: Final = 30.0
"""Spreads from the middle at which a smooth step is as good as done; keeps exp in range."""


def _softplus(x: float, spread: float) -> float:
    """Return a smooth maximum of 0 and x: what an outcome is worth that one may decline."""
    z = x / spread
    if abs(z) > _FAR:
        return max(0.0, x)
    return spread * log1p(exp(z))


def _logistic(x: float, spread: float) -> float:
    """Return a smooth step from 0 to 1."""
    z = x / spread
    if abs(z) > _FAR:
        return float(z > 0)
    return 1.0 / (1.0 + exp(-z))
