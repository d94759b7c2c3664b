"""The luck of the draws, measured and taken out of a margin without changing what it means.

The referee knows the deck. At each draw from it every card left there was
equally likely to come, whatever both sides had seen and done, since they had
not seen the order. So the value of the card that came, less the mean value of
all that could have come, is 0 on average, whatever the value function says;
added up over a round it is the luck. Subtracted from the margin it leaves the
mean alone and takes away that part of the noise that the value function
understands: a control variate.

Source:
    Zinkevich et al. 2006, Optimal Unbiased Estimators for Evaluating Agent Performance (DIVAT).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf, sqrt
from statistics import covariance, variance

from lostcities.agents.heuristic import outlook
from lostcities.arena.estimates import Estimate
from lostcities.rules import DECK, Card, Observation, Position, WrittenTurn

ValueFunction = Callable[[Observation], float]
"""Points that a seat may hope for, just after it has drawn; any function will do, a good one
takes away more noise."""


def luck_of_draws(
    start: Position, turns: Iterable[WrittenTurn], *, value: ValueFunction = outlook
) -> float:
    """Return by how many points the draws of a round favoured seat A over seat B.

    Args:
        start: The deal.
        turns: What was played from there.
        value: What a seat may hope for after a draw.
    """
    luck = 0.0
    position = start
    for written in turns:
        seat = position.mover
        staged = position.after(written.turn.card_move)
        if written.turn.draw.pile is None and len(staged.deck) > 1:
            luck += (-1) ** seat * _luck_of_draw(staged, value)
        position = staged.after(written.turn.draw)
    return luck


def _luck_of_draw(staged: Position, value: ValueFunction) -> float:
    """Return how much better the card that comes is than the mean of those that could come."""
    copies = Counter(staged.deck)
    values = {card: _value_if_drawn(staged, card, value) for card in copies}
    mean = sum(values[card] * count for card, count in copies.items()) / len(staged.deck)
    return values[staged.deck[0]] - mean


def _value_if_drawn(staged: Position, card: Card, value: ValueFunction) -> float:
    seat = staged.mover
    index = staged.deck.index(card)
    deck = (card, *staged.deck[:index], *staged.deck[index + 1 :])
    return value(replace(staged, deck=deck).after(DECK).observe(seat))


def adjusted(margins: Sequence[float], lucks: Sequence[float]) -> tuple[Estimate, float]:
    """Return the margin with the luck taken out, and the share of the luck that was.

    The share is fitted to the sample, which biases the mean by less than the
    standard error divided by the root of the number of pairs. The error allows
    for it: two pairs, which a share always fits exactly, tell none.

    Args:
        margins: The margin of each pair.
        lucks: The luck of each pair, seen from the same side.
    """
    share, num_pairs = 0.0, len(margins)
    if num_pairs > 1 and (spread := variance(lucks)) > 0:
        share = covariance(margins, lucks) / spread
    rest = Estimate.of(margin - share * luck for margin, luck in zip(margins, lucks, strict=True))
    return (_after_a_fit(rest, num_pairs) if share else rest), share


def _after_a_fit(rest: Estimate, num_pairs: int) -> Estimate:
    """Return the estimate with an error that allows for the share that was fitted."""
    if num_pairs < 3:
        return Estimate(rest.mean, inf, inf)
    widening = sqrt((num_pairs - 1) / (num_pairs - 2))
    return Estimate(rest.mean, rest.standard_error * widening, rest.deviation * widening)
