"""What an agent that simulates may spend on one ply."""

from dataclasses import dataclass
from time import perf_counter

from lostcities.agents.base import Limit


@dataclass(frozen=True, slots=True)
class Budget:
    """Playouts, time, or both; at least one of them is given.

    Attributes:
        playouts: Simulated rounds in all; None is no limit.
        seconds: Time in all; None is no limit.
        start: The clock's reading when the time began to run.
    """

    playouts: int | None
    seconds: float | None
    start: float

    @classmethod
    def of(cls, limit: Limit) -> "Budget":
        """Return the budget of a limit; time runs from now."""
        return cls(limit.playouts, limit.seconds, perf_counter())

    @property
    def seconds_used(self) -> float:
        """The time since the start."""
        return perf_counter() - self.start


def tighter(own: Limit, given: Limit, *, default_playouts: int) -> Limit:
    """Return the tighter of an agent's own limits and those of the call.

    Args:
        own: What the agent was made with.
        given: What the caller allows.
        default_playouts: The limit if neither of them sets one.
    """
    playouts = min(filter(None, (own.playouts, given.playouts)), default=None)
    seconds = min(filter(None, (own.seconds, given.seconds)), default=None)
    if playouts is None and seconds is None:
        playouts = default_playouts
    return Limit(playouts=playouts, seconds=seconds)
