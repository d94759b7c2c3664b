"""Worlds: full positions that agree with everything a seat has seen."""

from collections.abc import Iterable
from random import Random

from lostcities.rules import Card, Cards, Color, Observation, Position, other_seat


def sample_world(observation: Observation, *, rng: Random) -> Position:
    """Deal the unseen cards at random, in agreement with what the seat knows.

    Cards that the other side took from a discard pile stay in its hand; all
    other unseen cards are equally likely anywhere. With tabletop memory, the
    covered cards of a pile are drawn from the unseen cards of its colour.

    Args:
        observation: What the seat may know.
        rng: Advanced by this call.

    Returns:
        A position whose observation for this seat is *observation*.

    Source:
        Cowling, Powley, Whitehouse 2012, Information Set Monte Carlo Tree Search.
    """
    unseen = list(observation.unseen)
    rng.shuffle(unseen)
    return world_of(observation, unseen)


def world_of(observation: Observation, unseen: Iterable[Card]) -> Position:
    """Return the world in which the unseen cards lie in this order.

    They go under the piles where those have covered cards, then into the
    other hand, then into the deck, the first of them drawn next.
    """
    pool = list(unseen)
    piles = tuple(
        (*_take_of_color(pool, color, size - len(shown)), *shown)
        for color, shown, size in zip(
            observation.variant.colors, observation.piles, observation.pile_sizes, strict=True
        )
    )
    other = other_seat(observation.seat)
    known = observation.known[other]
    num_unknown = observation.hand_sizes[other] - len(known)
    other_hand = tuple(sorted((*known, *pool[:num_unknown])))
    hands = (observation.hand, other_hand) if other else (other_hand, observation.hand)
    return Position(
        variant=observation.variant,
        hands=hands,
        expeditions=observation.expeditions,
        piles=piles,
        deck=tuple(pool[num_unknown:]),
        to_move=observation.to_move,
        phase=observation.phase,
        just_discarded=observation.just_discarded,
        num_stalling_turns=observation.num_stalling_turns,
        known=observation.known,
        standing=observation.standing,
    )


def _take_of_color(pool: list[Card], color: Color, num: int) -> Cards:
    taken = [card for card in pool if card.color == color][:num]
    for card in taken:
        pool.remove(card)
    return tuple(taken)
