"""A second network that only judges: what the final margin will be.

One network that both plays and judges does neither as well as it could: what
helps to choose a card says little of what the card is worth. The critic has all
its units for the margin, and trials that stop early ask it.
"""

from typing import Any, Final

import numpy as np
import torch

from lostcities.kernel.network import Weights
from lostcities.kernel.selfplay import Window
from lostcities.training import losses
from lostcities.training.lessons import Lesson, flat
from lostcities.training.model import Network

_CHUNK: Final = 8192


class Critic:
    """The network that judges, and how it learns.

    Attributes:
        network: Its weights; of its heads only the steps of the margin are used.
    """

    def __init__(self, row: Weights, *, rate: float) -> None:
        self.network = Network(seed=0)
        self.network.load_row(row)
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=rate, eps=1e-5)

    @torch.no_grad()
    def judge(self, window: Window) -> None:
        """Replace what was thought of the margin in a window, where it was written down."""
        places = np.flatnonzero(flat(window.is_recorded))
        features, bins = flat(window.features), flat(window.bins)
        for begin in range(0, len(places), _CHUNK):
            part = places[begin : begin + _CHUNK]
            steps = self.network(torch.from_numpy(features[part]).bfloat16()).bins
            bins[part] = torch.softmax(steps, 1).numpy()

    def learn(self, lesson: Lesson, minibatch: int, generator: torch.Generator) -> float:
        """Learn from plies once, and return the mean loss."""
        total, num_steps = 0.0, 0
        for places in torch.randperm(len(lesson), generator=generator).split(minibatch):
            part = lesson.pick(places)
            loss = losses.value_loss(self.network(part.features).bins, part.targets)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimizer.step()
            total, num_steps = total + loss.item(), num_steps + 1
        return total / max(1, num_steps)

    def set_rate(self, rate: float) -> None:
        """Learn at another rate from now on."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def state(self) -> dict[str, Any]:
        """Return everything that it is."""
        return {"network": self.network.to_row(), "optimizer": self._optimizer.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Become what `state` told of."""
        self.network.load_row(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
