"""Agents by name: the one place that turns a spec into an agent."""

from collections.abc import Callable
from dataclasses import dataclass

from lostcities.agents.base import Agent
from lostcities.agents.external import ExternalAgent
from lostcities.agents.heuristic import Heuristic
from lostcities.agents.simple import Discarder, RandomAgent, Staller
from lostcities.agents.spec import EXTERNAL, LEVEL, AgentSpec, AgentSpecError, Options, parse_spec


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent that can be chosen.

    Attributes:
        make: Makes it from a spec whose options it takes.
        description: A word on how it plays, with its options.
    """

    make: Callable[[AgentSpec], Agent]
    description: str


def _without_options(make: Callable[[], Agent]) -> Callable[[AgentSpec], Agent]:
    def make_agent_of(spec: AgentSpec) -> Agent:
        Options(spec).finish()
        return make()

    return make_agent_of


def _search(spec: AgentSpec) -> Agent:
    from lostcities.agents.search import Search  # noqa: PLC0415 # brings Numba along

    return Search.of(spec)


def _ismcts(spec: AgentSpec) -> Agent:
    from lostcities.agents.ismcts import Ismcts  # noqa: PLC0415 # brings Numba along

    return Ismcts.of(spec)


def _net(spec: AgentSpec) -> Agent:
    from lostcities.agents.net import Net  # noqa: PLC0415 # brings Numba along

    return Net.of(spec)


def _expert(spec: AgentSpec) -> Agent:
    from lostcities.agents.expert import Expert  # noqa: PLC0415 # brings Numba along

    return Expert.of(spec)


def _level(spec: AgentSpec) -> Agent:
    from lostcities.agents.levels import make_level  # noqa: PLC0415 # brings Numba along

    return make_level(spec)


AGENTS: dict[str, Entry] = {
    "expert": Entry(
        _expert,
        "the network, and trials of its candidates where it doubts; expert:playouts=200, "
        "seconds=0.5, threads=2, objective=match|round, belief=network|even, weights=FILE",
    ),
    "net": Entry(
        _net,
        "a network that learned from its own games; one look, no search; "
        "net:objective=match|round, weights=FILE",
    ),
    "search": Entry(
        _search,
        "tries moves in sampled worlds; search:playouts=2000, search:seconds=0.1, threads=2, "
        "belief=odds|even",
    ),
    "ismcts": Entry(
        _ismcts,
        "searches a tree of what it may see; ismcts:playouts=2000, seconds=0.1, threads=2, "
        "trees=4, leaf=network|policy|random, prior=network|policy|none, belief=odds|even, weights=FILE",
    ),
    LEVEL: Entry(
        _level, "level:1 to level:6, from a tourist's slips to a network with second thoughts"
    ),
    "heuristic": Entry(_without_options(Heuristic), "careful rules of thumb, no search"),
    "random": Entry(_without_options(RandomAgent), "any legal move; loses to everybody who thinks"),
    "discarder": Entry(_without_options(Discarder), "never opens an expedition; always scores 0"),
    "staller": Entry(
        _without_options(Staller), "always discards and takes whenever it may; wears patience down"
    ),
    EXTERNAL: Entry(
        lambda spec: ExternalAgent(spec.command),
        "exec:COMMAND, any program that speaks the bot protocol",
    ),
}
DEFAULT_AGENT = "heuristic"


@dataclass(frozen=True, slots=True)
class Rung:
    """A level of play as people choose it.

    Attributes:
        spec: Makes its agent.
        name: What it is called, as in `levels.LEVELS`.
        word: A word on its strength.
        points: Measured points a round above the lowest level, with five colors
            (experiments 0002 and 0007); None if that was not measured.
    """

    spec: str
    name: str
    word: str
    points: float | None


LADDER = (
    Rung("level:1", "Tourist", "opens and wagers on hopes, and forgets what was taken", 0.0),
    Rung("level:2", "Porter", "knows the cards, slips often", 7.7),
    Rung("level:3", "Guide", "slips now and then", 16.0),
    Rung("level:4", "Navigator", "careful, makes no slips", 21.3),
    Rung("level:5", "Archaeologist", "learned from its games, and is often careless", 34.8),
    Rung("level:6", "Explorer", "learned from its games, and tries its moves ahead", 59.1),
)
"""The levels, from the weakest to the strongest, for screens that do not load the kernel."""


def built_in_agents() -> dict[str, Entry]:
    """Return the agents that need no program of somebody else, by name."""
    return {name: entry for name, entry in AGENTS.items() if name != EXTERNAL}


def make_agent(text: str) -> Agent:
    """Return the agent that the spec names.

    Raises:
        AgentSpecError: If there is no such agent, or it has no such option.
    """
    spec = parse_spec(text)
    entry = AGENTS.get(spec.name)
    if entry is None:
        raise AgentSpecError(f"expected an agent ({', '.join(AGENTS)}), got {spec.name[:60]!r}")
    return entry.make(spec)
