"""The network alone: one look at what the seat knows, and the move it likes best."""

from random import Random

import numpy as np

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.objective import OBJECTIVES, ROUND
from lostcities.agents.opposite import MoveReader, told_of
from lostcities.agents.spec import WEIGHTS, AgentSpec, Options
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.kernel.bridge import move_of, pack_observation
from lostcities.kernel.layout import MAX_LEGAL
from lostcities.kernel.network import (
    evaluate_told,
    listens,
    new_room,
    read_margin,
    read_policy,
)
from lostcities.rules import Observation


class Net:
    """Plays what the network likes best, or by lot if it is warm."""

    def __init__(
        self,
        network: SavedNetwork,
        *,
        warmth: float = 0.0,
        objective: str = ROUND,
        name: str = "net",
    ) -> None:
        self.name = name
        self._weights = network.weights_for(objective)
        self._warmth = warmth
        self._reader = MoveReader(self._weights) if listens(self._weights) else None

    @property
    def goes_by_past(self) -> bool:
        """Whether it reads the moves of the other side."""
        return self._reader is not None

    @classmethod
    def of(cls, spec: AgentSpec) -> "Net":
        """Make the agent of a spec.

        Raises:
            AgentSpecError: If an option is not one of its own.
            NetworkFileError: If there is no such network.
        """
        options = Options(spec)
        network = network_from(options.take_text(WEIGHTS, ""))
        objective = options.take_word("objective", ROUND, of=OBJECTIVES)
        options.finish()
        return cls(network, objective=objective, name=str(spec))

    def decide(
        self,
        observation: Observation,
        *,
        rng: Random,
        limit: Limit = NO_LIMIT,  # noqa: ARG002 # needs no time to speak of
    ) -> Decision:
        """Choose by one evaluation, told what the moves say of the other side."""
        row, room = pack_observation(observation), new_room()
        actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
        told = told_of(self._reader.evidence(observation)) if self._reader else 0.0
        evaluate_told(row, observation.seat, told, room, self._weights)
        count = read_policy(row, room, actions, chances, 1.0)
        margin, spread = read_margin(room)
        order = np.argsort(-chances[:count], kind="stable")
        chosen = order[0]
        if self._warmth > 0.0:
            chosen = _by_lot(chances[:count] ** (1.0 / self._warmth), rng)
            order = np.concatenate(([chosen], order[order != chosen]))
        policy = tuple(
            (move_of(int(actions[place]), observation.variant), float(chances[place]))
            for place in order
        )
        return Decision(policy[0][0], margin, policy, spread)


def _by_lot(weights: "np.ndarray[tuple[int], np.dtype[np.float32]]", rng: Random) -> int:
    return rng.choices(range(len(weights)), [float(weight) for weight in weights])[0]
