"""What every agent is: the seam between the game and those who play it."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from lostcities.rules import Move, Observation


@dataclass(frozen=True, slots=True)
class Limit:
    """The budget for one decision; None is no limit of that kind.

    Attributes:
        seconds: Time on the clock.
        playouts: Simulated rounds, for agents that simulate.
    """

    seconds: float | None = None
    playouts: int | None = None


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Decision:
    """What came out of thinking about one ply.

    Attributes:
        move: The chosen move, legal in the observation.
        value: Expected final margin in points, seen from the own seat; None if
            the agent does not estimate it.
        policy: Moves with their weights, best first; () if not known.
    """

    move: Move
    value: float | None = None
    policy: tuple[tuple[Move, float], ...] = ()


class Agent(Protocol):
    """Somebody who can play."""

    @property
    def name(self) -> str:
        """The spec that makes this agent again, such as 'heuristic'."""

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose one of the legal moves of this ply.

        The choice depends on the observation, the limit and the generator only.

        Args:
            observation: What the own seat may know; it is this seat's turn.
            rng: Advanced by this call, if the agent uses chance at all.
            limit: The budget.
        """
