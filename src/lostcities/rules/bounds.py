"""How high, how low and how long a round can be.

Source:
    rules section 10 and 11; the argument is in each docstring.
"""

from functools import cache
from itertools import combinations

from lostcities.rules.cards import WAGER, Card, Color
from lostcities.rules.scoring import score_expedition
from lostcities.rules.variant import Variant


@cache
def best_by_count(variant: Variant) -> tuple[int, ...]:
    """Return the highest score of one expedition for each number of cards in it, from 0."""
    return tuple(max(scores) for scores in _scores_by_count(variant))


@cache
def worst_by_count(variant: Variant) -> tuple[int, ...]:
    """Return the lowest score of one expedition for each number of cards in it, from 0."""
    return tuple(min(scores) for scores in _scores_by_count(variant))


def expedition_scores(variant: Variant) -> list[int]:
    """Return the scores of all distinct sets of cards of one colour, the empty one included."""
    return [score for scores in _scores_by_count(variant) for score in scores]


def _scores_by_count(variant: Variant) -> list[list[int]]:
    scores: list[list[int]] = [[] for _ in range(len(variant.cards_of_a_color) + 1)]
    for num_wagers in range(variant.wagers_per_color + 1):
        for num_numbers in range(len(variant.ranks) + 1):
            for ranks in combinations(variant.ranks, num_numbers):
                cards = [Card(Color.YELLOW, rank) for rank in (WAGER,) * num_wagers + ranks]
                scores[len(cards)].append(score_expedition(cards, variant).score)
    return scores


def max_cards_played(variant: Variant) -> int:
    """Return how many cards the expeditions of one player can hold at most.

    Both hands are full at the end, so as many cards lie on the table as the
    deck held after the deal. At least one is not mine: the last card that the
    other side put down, which I cannot have taken, since the last draw is
    from the deck. (That needs the other side to have a turn, and its own
    discard to be closed to it: where it may take it back, it can leave none.)
    """
    has_other_card = variant.own_discard_block and variant.deck_after_deal > 1
    return variant.deck_after_deal - has_other_card


def max_cards_played_without_takes(variant: Variant) -> int:
    """Return how many cards one player can play if nobody takes a discard: the own turns."""
    return (variant.deck_after_deal + 1) // 2


def max_round_score(variant: Variant, *, with_takes: bool = True) -> int:
    """Return an upper bound for the score of one player in one round."""
    num_cards = (max_cards_played if with_takes else max_cards_played_without_takes)(variant)
    best_in_color = best_by_count(variant)
    best = [0] + [-(10**9)] * num_cards  # best score of exactly so many cards
    for _ in variant.colors:
        best = [
            max(
                best[total - count] + best_in_color[count]
                for count in range(min(total, len(best_in_color) - 1) + 1)
            )
            for total in range(num_cards + 1)
        ]
    return max(best)


def min_round_score(variant: Variant) -> int:
    """Return a lower bound for the score of one player in one round: the worst in each colour."""
    return variant.num_colors * min(worst_by_count(variant))


def max_turns(variant: Variant) -> int | None:
    """Return an upper bound for the turns of a round, None if there is none.

    Every turn that is not stalling draws from the deck or plays a card. The
    deck allows D of the first kind, and at most D cards lie on the table at
    the end. Before each of them at most S turns stall, and the round ends
    with a deck draw.
    """
    if variant.stall_limit is None:
        return None
    return (variant.stall_limit + 1) * 2 * variant.deck_after_deal
