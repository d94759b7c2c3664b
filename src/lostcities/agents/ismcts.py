"""Information-set Monte Carlo tree search: looks ahead through both sides' moves.

Several trees grow from worlds of their own, and their visits are added up. The
number of trees is part of the spec and not of the machine, so a seed and a
number of playouts decide the move, whatever the number of threads.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.budget import Budget, tighter
from lostcities.agents.objective import ROUND
from lostcities.agents.spec import WEIGHTS, AgentSpec, Options
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.kernel.belief import BELIEFS, BY_ODDS
from lostcities.kernel.bridge import move_of, pack_observation
from lostcities.kernel.layout import Row
from lostcities.kernel.network import NOBODY, Weights, new_thinker
from lostcities.kernel.policy import new_work
from lostcities.kernel.streams import mix, to_word
from lostcities.kernel.tree import (
    MAX_ITERATIONS,
    NETWORK_LEAF,
    NETWORK_PRIOR,
    NO_PRIOR,
    POLICY_LEAF,
    POLICY_PRIOR,
    RANDOM_LEAF,
    Nodes,
    Tried,
    children,
    grow,
    new_tree,
)
from lostcities.rules import Move, Observation

DEFAULT_PLAYOUTS: Final = 2000
DEFAULT_TREES: Final = 4
_LEAVES: Final = {"network": NETWORK_LEAF, "policy": POLICY_LEAF, "random": RANDOM_LEAF}
_PRIORS: Final = {"network": NETWORK_PRIOR, "policy": POLICY_PRIOR, "none": NO_PRIOR}
_EXPLORE: Final = {NETWORK_LEAF: 8.0, POLICY_LEAF: 20.0, RANDOM_LEAF: 50.0}
"""Points that a standard unit of doubt is worth: about the spread of one kind of playout."""
_PLAYOUTS_A_SECOND: Final = {NETWORK_LEAF: 400_000, POLICY_LEAF: 40_000, RANDOM_LEAF: 2_000_000}
"""More than any machine does: how much room a tree gets under a limit of time alone."""
_PLAYOUTS_A_TREE: Final = 2
"""The least that a tree must be worth; with a smaller budget, fewer trees grow."""
_SLICES: Final = 25
"""How often a limit of time is looked at."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How a tree search is limited and what it is made of.

    Attributes:
        limit: Its own limit for one ply.
        threads: How many threads grow the trees; the choice is the same.
        trees: How many trees share the playouts.
        leaf: How rounds are played out, see `kernel.tree`.
        prior: Which moves come first, see `kernel.tree`.
        belief: How worlds are dealt, see `kernel.belief`.
    """

    limit: Limit = NO_LIMIT
    threads: int = 1
    trees: int = DEFAULT_TREES
    leaf: int = NETWORK_LEAF
    prior: int = NETWORK_PRIOR
    belief: int = BY_ODDS

    @property
    def asks_network(self) -> bool:
        """Whether anything is asked of the network."""
        return self.leaf == NETWORK_LEAF or self.prior == NETWORK_PRIOR


class Ismcts:
    """Grows trees of what its seat may see."""

    def __init__(
        self, options: TreeOptions, network: SavedNetwork | None, *, name: str = "ismcts"
    ) -> None:
        """Make it.

        Args:
            options: What the search is made of.
            network: What is asked as leaf or prior; None if neither is the network.
            name: The spec that makes it again.
        """
        self.name = name
        self._options = options
        self._weights = NOBODY if network is None else network.weights_for(ROUND)
        self._pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None

    @classmethod
    def of(cls, spec: AgentSpec) -> "Ismcts":
        """Make the agent of a spec.

        Raises:
            AgentSpecError: If an option is not one of its own.
            NetworkFileError: If there is no such network.
        """
        options = Options(spec)
        made = TreeOptions(
            limit=options.take_limit(),
            threads=options.take_int("threads", 1, high=256) or 1,
            trees=options.take_int("trees", DEFAULT_TREES, high=64) or 1,
            leaf=_LEAVES[options.take_word("leaf", "network", of=_LEAVES)],
            prior=_PRIORS[options.take_word("prior", "network", of=_PRIORS)],
            belief=BELIEFS[options.take_word("belief", "odds", of=BELIEFS)],
        )
        path = options.take_text(WEIGHTS, "")
        options.finish()
        network = network_from(path) if path or made.asks_network else None
        return cls(made, network, name=str(spec))

    def limit_under(self, given: Limit) -> Limit:
        """Return the tighter of its own limit and the given one."""
        return tighter(self._options.limit, given, default_playouts=DEFAULT_PLAYOUTS)

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Choose the move that was visited most."""
        budget = Budget.of(self.limit_under(limit))
        seed = rng.getrandbits(64)
        moves = observation.legal_moves
        if len(moves) == 1:
            return Decision(moves[0])
        row = pack_observation(observation)
        num_trees = _num_trees(self._options.trees, budget)
        options = replace(self._options, trees=num_trees)
        trees = [
            _Tree(row, observation.seat, self._weights, seed=seed + number, options=options)
            for number in range(num_trees)
        ]
        if self._pool is None:
            grown = [
                tree.grow(budget, until=(number + 1) / len(trees))
                for number, tree in enumerate(trees)
            ]
        else:
            waves = -(-len(trees) // self._options.threads)
            tasks = [
                self._pool.submit(
                    tree.grow, budget, until=(number // self._options.threads + 1) / waves
                )
                for number, tree in enumerate(trees)
            ]
            grown = [task.result() for task in tasks]
        return _decision(grown, observation)


def _num_trees(most: int, budget: Budget) -> int:
    """Return how many trees grow: fewer than usual if there are too few playouts for so many."""
    if budget.playouts is None:
        return most
    return max(1, min(most, budget.playouts // _PLAYOUTS_A_TREE))


class _Tree:
    def __init__(
        self, row: Row, seat: int, weights: Weights, *, seed: int, options: TreeOptions
    ) -> None:
        self._row = row
        self._seat = seat
        self._weights = weights
        self._seed = seed
        self._options = options

    def grow(self, budget: Budget, *, until: float) -> list[tuple[int, int, int]]:
        """Grow to a share of the playouts, or until a share of the time is over.

        Returns:
            For each move of the root: its action, visits, and margins added up.
        """
        options = self._options
        room = MAX_ITERATIONS
        if budget.playouts is not None:
            room = min(room, budget.playouts // options.trees)
        if budget.seconds is None:
            return self._grow_at_once(room)
        share = budget.seconds / options.trees
        room = min(room, int(_PLAYOUTS_A_SECOND[options.leaf] * share * options.threads) + 64)
        return self._grow_by_the_clock(room, budget, budget.seconds * until)

    def _grow_at_once(self, num: int) -> list[tuple[int, int, int]]:
        nodes, tried = new_tree(num)
        self._run(num, 0, nodes, tried, 0)
        return children(nodes)

    def _grow_by_the_clock(
        self, room: int, budget: Budget, end: float
    ) -> list[tuple[int, int, int]]:
        start = budget.seconds_used
        slice_of_time = (end - start) / _SLICES
        nodes, tried = new_tree(room)
        done = num_nodes = 0
        num = 8
        while done < room:
            num = min(num, room - done)
            before = budget.seconds_used
            num_nodes = self._run(num, done, nodes, tried, num_nodes)
            done += num
            now = budget.seconds_used
            rate = num / max(1e-6, now - before)
            num = int(rate * min(slice_of_time, end - now))
            if num < 1:
                break
        return children(nodes)

    def _run(self, num: int, part: int, nodes: Nodes, tried: Tried, num_nodes: int) -> int:
        options = self._options
        seed = to_word(mix(to_word(mix(to_word(self._seed)) ^ to_word(part))))
        in_all = grow(
            self._row, self._seat, num, seed, options.leaf, options.prior,
            _EXPLORE[options.leaf], nodes, tried, num_nodes, new_work(),
            new_thinker(self._weights), options.belief,
        )  # fmt: skip
        return int(in_all)


def _decision(grown: list[list[tuple[int, int, int]]], observation: Observation) -> Decision:
    visits: Counter[int] = Counter()
    sums: Counter[int] = Counter()
    for tree in grown:
        for action, num, total in tree:
            visits[action] += num
            sums[action] += total
    in_all = sum(visits.values())
    order = sorted(visits, key=lambda action: (-visits[action], -sums[action] / visits[action]))
    policy: tuple[tuple[Move, float], ...] = tuple(
        (move_of(action, observation.variant), visits[action] / in_all) for action in order
    )
    return Decision(policy[0][0], sums[order[0]] / visits[order[0]], policy)
