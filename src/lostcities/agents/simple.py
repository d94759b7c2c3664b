"""Agents without a plan: yardsticks, and opponents for the first hour."""

from random import Random

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.rules import DECK, Discard, Observation, Phase


class RandomAgent:
    """Uniform over the distinct legal moves of each ply."""

    name = "random"

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time
    ) -> Decision:
        """Choose any legal move."""
        return Decision(rng.choice(observation.legal_moves))


class Discarder:
    """Discards its lowest card and draws from the deck: scores 0, whatever happens."""

    name = "discarder"

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,  # noqa: ARG002 # leaves nothing to chance
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time
    ) -> Decision:
        """Choose the lowest card by rank, then by colour; never open an expedition."""
        if observation.phase is Phase.DRAW:
            return Decision(DECK)
        return Decision(Discard(min(observation.hand, key=lambda card: (card.rank, card.color))))


class Staller:
    """Always discards, and takes a discard whenever it may: keeps the round from ending.

    What a player must be able to bear. Only the stall guard ends a round of two of them.
    """

    name = "staller"

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,  # noqa: ARG002 # leaves nothing to chance
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time
    ) -> Decision:
        """Discard the lowest card by rank, then by colour; take from the first open pile."""
        if observation.phase is Phase.DRAW:
            return Decision(observation.legal_moves[1 if len(observation.legal_moves) > 1 else 0])
        return Decision(Discard(min(observation.hand, key=lambda card: (card.rank, card.color))))
