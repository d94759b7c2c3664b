"""A careful player by rules of thumb: no search, no chance, no learning.

Each legal move is followed by a projection of what this side may still score
(`projection`), less what the move gives to the other side. The best sum wins.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.projection import Column, Holding, Projection, Prospect, Unseen, Weights
from lostcities.rules import (
    DECK,
    Card,
    CardMove,
    Cards,
    Color,
    Discard,
    Draw,
    Observation,
    Phase,
    Play,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Taste:
    """What the heuristic minds besides its own projection; in points unless it says otherwise.

    Found by paired deals (experiment 0001).

    Attributes:
        gift_open: Share of a number's points, multiplied, that the other side
            gains from a discard on which it can go on. Below 1, because it may
            have better things to do.
        gift_closed: Share of a number's points that it gains in a colour that
            it has not opened and may never open.
        gift_wager: Points that it gains from a wager.
        cover: Share of the gain from burying a card that the other side wants.
        deny: Share of the gain from taking such a card away.
        tempo: What a play is worth for itself: it lets the hand flow.
        patience: What a card from a pile must bring more than a card from the
            deck. A take shows a card of the hand, tells nothing new and gives
            the other side time. Without this price two heuristics go round in
            circles until the stall guard ends it.
        exact_deck: Cards in the deck from which on turns are counted exactly.
            Before, nobody knows who will draw last, and halves are fairer.
        weights: How the projection weighs hopes.
    """

    gift_open: float = 0.7
    gift_closed: float = 0.15
    gift_wager: float = 3.0
    cover: float = 0.7
    deny: float = 1.0
    tempo: float = 1.0
    patience: float = 8.0
    exact_deck: int = 10
    weights: Weights = field(default_factory=Weights)


DEFAULT_TASTE: Final = Taste()
_TOO_LATE_TO_TAKE: Final = 3
"""Cards in the deck at my turn with which nobody can count on playing what he takes next."""


class Heuristic:
    """Plays the move after which its projected score is highest."""

    name = "heuristic"

    def __init__(self, taste: Taste = DEFAULT_TASTE) -> None:
        self._taste = taste

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,  # noqa: ARG002 # leaves nothing to chance
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time to speak of
    ) -> Decision:
        """Choose by projection; among equals, the first in the order of the legal moves."""
        table = _Table(observation, self._taste)
        if observation.phase is Phase.DRAW:
            return Decision(_choose_draw(table))
        return Decision(_choose_card_move(table))


def outlook(observation: Observation, taste: Taste = DEFAULT_TASTE) -> float:
    """Return the points that a seat may hope for just after its draw, by rule of thumb.

    Args:
        observation: The view of a seat that has drawn; the other side is to move.
        taste: What the heuristic minds.
    """
    table = _Table(observation, taste)
    return _worth(table.project_after_deck(observation.deck_size), table.holdings)


class _Table:
    """The observation, sorted for projecting."""

    def __init__(self, observation: Observation, taste: Taste) -> None:
        self.observation = observation
        self.taste = taste
        self.variant = variant = observation.variant
        self.others = [Column.of(cards) for cards in observation.other_expeditions]
        hand, unseen = self._ranks_by_color(observation.hand), observation.unseen
        self.holdings = [
            Holding(color, Column.of(observation.own_expeditions[color]), hand[color])
            for color in variant.colors
        ]
        self.num_unseen = len(unseen)
        self.unseen = [
            Unseen(ranks, variant, other=other, weights=taste.weights)
            for ranks, other in zip(self._ranks_by_color(unseen), self.others, strict=True)
        ]

    def _ranks_by_color(self, cards: Cards) -> list[tuple[int, ...]]:
        ranks: list[list[int]] = [[] for _ in self.variant.colors]
        for color, rank in cards:
            ranks[color].append(rank)
        return [tuple(of_color) for of_color in ranks]

    def project(self, *, turns: float, draws: float) -> Projection:
        """Look ahead, with so many own turns to come and draws in time for a play."""
        weights = self.taste.weights
        chance = min(1.0, weights.luck * max(0.0, draws) / max(1, self.num_unseen))
        return Projection(self.variant, self.unseen, turns=turns, chance=chance, weights=weights)

    def project_after_deck(self, deck_size: float) -> Projection:
        """Look ahead from the moment when I have drawn and the deck holds so many cards.

        The other side draws first, and what I draw in my last turn comes too
        late; the draw just made counts as still hidden.
        """
        turns = deck_size // 2 if self.is_exact else deck_size / 2
        return self.project(turns=turns, draws=turns)

    def project_after_take(self) -> Projection:
        """Look ahead from the moment when I have taken a discard: the deck stays as it is."""
        deck_size = self.observation.deck_size
        turns = deck_size // 2 if self.is_exact else deck_size / 2
        return self.project(turns=turns, draws=turns - 1)

    @property
    def is_exact(self) -> bool:
        """Whether the end is near enough to count turns."""
        return self.observation.deck_size <= self.taste.exact_deck

    def gift(self, card: Card) -> float:
        """Return what the other side gains if it may take this card, by rule of thumb."""
        column, taste = self.others[card.color], self.taste
        if self.observation.deck_size <= _TOO_LATE_TO_TAKE or not column.fits(card.rank):
            return 0.0
        if card.is_wager:
            return taste.gift_wager
        if not column.num_cards:
            return taste.gift_closed * card.rank
        return taste.gift_open * card.rank * (1 + column.num_wagers)


def _choose_card_move(table: _Table) -> CardMove:
    # The draw that follows is taken to be from the deck, as most are.
    projection = table.project_after_deck((table.observation.deck_size - 1) // 2 * 2)
    prospects = [projection.prospect(holding) for holding in table.holdings]
    chooser = _CardChooser(table, projection, prospects)
    moves = [move for move in table.observation.legal_moves if not isinstance(move, Draw)]
    return max(moves, key=chooser.value)


class _CardChooser:
    """Values card moves. Only one colour changes; the others are projected once."""

    def __init__(self, table: _Table, projection: Projection, prospects: list[Prospect]) -> None:
        self._table = table
        self._projection = projection
        self._prospects = prospects
        self._is_short = projection.is_short(prospects)

    def value(self, move: CardMove) -> float:
        """Return the points that the own side may expect after the move, less gifts."""
        color, rank = move.card
        before = self._table.holdings[color]
        if isinstance(move, Play):
            value, holding = self._table.taste.tempo, before.after_play(rank)
        else:
            value, holding = -self._price_of_discard(move.card), before.after_discard(rank)
        holdings = _put(self._table.holdings, color, holding)
        prospects = _put(self._prospects, color, self._projection.prospect(holding))
        if self._is_short:
            value += self._projection.total_when_short(holdings)
        else:
            value += self._projection.total(prospects)
        closed = color if isinstance(move, Discard) else None
        return value + self._gain_of_take(holdings, prospects, closed)

    def _price_of_discard(self, card: Card) -> float:
        """Return what the other side gains by the discard, less what it buries."""
        price = self._table.gift(card)
        top = self._table.observation.pile_tops[card.color]
        if top is not None:
            price -= self._table.taste.cover * self._table.gift(top)
        return price

    def _gain_of_take(
        self, holdings: list[Holding], prospects: list[Prospect], closed: Color | None
    ) -> float:
        """Return how much the best pile would bring this turn, more than the deck.

        So a move is not chosen that buries a card worth taking, and a play
        that makes room for one is.
        """
        gain = 0.0
        if self._table.observation.deck_size <= 1:
            return gain  # there is no turn after this one to play it
        for top in self._table.observation.pile_tops:
            if top is None or top.color == closed:
                continue
            holding = holdings[top.color]
            if holding.column.fits(top.rank):
                after = self._projection.prospect(holding.after_draw(top.rank))
                more = after.value - prospects[top.color].value - self._table.taste.patience
                gain = max(gain, more)
        return gain


def _choose_draw(table: _Table) -> Draw:
    observation, taste = table.observation, table.taste
    takes = [move for move in observation.legal_moves if isinstance(move, Draw) and move != DECK]
    if not takes:
        return DECK
    from_deck = _worth(table.project_after_deck(observation.deck_size - 1), table.holdings)
    projection = table.project_after_take()

    def value(move: Draw) -> float:
        top = None if move.pile is None else observation.pile_tops[move.pile]
        if top is None:
            return from_deck + taste.patience
        holding = table.holdings[top.color].after_draw(top.rank)
        own = _worth(projection, _put(table.holdings, top.color, holding))
        return own + taste.deny * table.gift(top)

    return max((DECK, *takes), key=value)


def _worth(projection: Projection, holdings: list[Holding]) -> float:
    prospects = [projection.prospect(holding) for holding in holdings]
    if projection.is_short(prospects):
        return projection.total_when_short(holdings)
    return projection.total(prospects)


def _put(items: list[_T], color: Color, item: _T) -> list[_T]:
    return [*items[:color], item, *items[color + 1 :]]
