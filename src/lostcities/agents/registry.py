"""Agents by name: the one place that turns a spec into an agent."""

from collections.abc import Callable
from dataclasses import dataclass

from lostcities.agents.base import Agent
from lostcities.agents.heuristic import Heuristic
from lostcities.agents.simple import Discarder, RandomAgent
from lostcities.rules import LostCitiesError


class UnknownAgentError(LostCitiesError, ValueError):
    """A spec that names no agent."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent that can be chosen, with a word on how it plays."""

    make: Callable[[], Agent]
    description: str


AGENTS: dict[str, Entry] = {
    "heuristic": Entry(Heuristic, "careful rules of thumb; the strongest so far"),
    "random": Entry(RandomAgent, "any legal move; loses to everybody who thinks"),
    "discarder": Entry(Discarder, "never opens an expedition; always scores 0"),
}
DEFAULT_AGENT = "heuristic"


def make_agent(spec: str) -> Agent:
    """Return the agent that the spec names.

    Raises:
        UnknownAgentError: If there is no such agent.
    """
    entry = AGENTS.get(spec)
    if entry is None:
        raise UnknownAgentError(f"expected an agent ({', '.join(AGENTS)}), got {spec[:60]!r}")
    return entry.make()
