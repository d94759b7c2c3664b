"""What every agent is: the seam between the game and those who play it."""

from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from lostcities.rules import LostCitiesError, Move, Observation, Points, Seat, Variant, WrittenTurn


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
        spread: Standard deviation of the final margin in points; None if the
            agent does not estimate it.
    """

    move: Move
    value: float | None = None
    policy: tuple[tuple[Move, float], ...] = ()
    spread: float | None = None


class AgentFault(LostCitiesError):  # noqa: N818 # the agent is at fault, not the caller
    """An agent failed: it ended, was too slow, or answered what is no legal move."""


class Agent(Protocol):
    """Somebody who can play."""

    @property
    def name(self) -> str:
        """The spec that makes this agent again, such as 'heuristic'."""

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose one of the legal moves of this ply.

        The choice depends on the observation, the limit and the generator only,
        not on decisions made before, so that a recorded one can be made again.

        Args:
            observation: What the own seat may know; it is this seat's turn.
            rng: Advanced by this call, if the agent uses chance at all.
            limit: The budget.
        """


@runtime_checkable
class Limited(Protocol):
    """An agent that spends what it is given; one that is none of these keeps to no limit."""

    def limit_under(self, given: Limit) -> Limit:
        """Return the limit that it really keeps to where the caller allows this one."""


@runtime_checkable
class Rememberer(Protocol):
    """An agent that may go by what its seat saw before, see `Observation.past` and `earlier`."""

    @property
    def goes_by_past(self) -> bool:
        """Whether it does."""


@runtime_checkable
class GameListener(Protocol):
    """An agent that wants to know when its games begin and end, and what the other side does."""

    def begin(self, seat: Seat, variant: Variant, *, seed: int) -> None:
        """Take a seat for a game. The seed is for the agent's own lots and says nothing of deals."""

    def observe_turn(self, written: WrittenTurn) -> None:
        """Be shown a turn of the other side, with the drawn card where it is public."""

    def end(self, scores: Points | None) -> None:
        """Leave the game; scores of seat A and B, None if it was broken off."""
