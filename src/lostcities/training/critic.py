"""A judge of training games that sees all cards.

What a seat did is measured by how the game stands before and after it. Who judges by what
the seat may know takes every good draw for a good move; who sees the other hand and the deck
does not, and so less has to be averaged away. The judge plays nothing, and no player asks it.

Source:
    Pinto et al. 2017, Asymmetric actor critic for image-based robot learning; for hidden
    cards Li et al. 2020, Suphx, and Yang et al. 2022, PerfectDou.
"""

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from lostcities.kernel.features import COLOR_WIDTH
from lostcities.kernel.network import NUM_BINS, NUM_LAYERS, TABLE_INPUTS, parts_with
from lostcities.kernel.oracle import ORACLE_WIDTH
from lostcities.kernel.selfplay import Window
from lostcities.training import losses
from lostcities.training.lessons import Lesson, flat
from lostcities.training.model import Parts, first_weights, pooled_layers

_CHUNK: Final = 8192
_STEEPEST: Final = 1.0
"""The largest norm of a gradient."""


class Judge(nn.Module):
    """Layers like those of the network, with what the seat may not know beside its features."""

    def __init__(self, *, seed: int, units: int) -> None:
        """Begin with weights by lot.

        Args:
            seed: Of the lot.
            units: Of a layer for each color; twice as many for the table.
        """
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        shapes = parts_with(units, 2 * units, color_inputs=COLOR_WIDTH + ORACLE_WIDTH)
        shapes |= {"table_head_bias": (NUM_BINS,), "table_head": (2 * units, NUM_BINS)}
        self.weights = nn.ParameterDict(
            {
                name: nn.Parameter(first_weights(name, shape, generator))
                for name, shape in shapes.items()
                if not name.startswith("color_head")
            }
        )

    def forward(self, features: Tensor, oracle: Tensor) -> Tensor:
        """Return the spread of the margin as logarithms, `[B, NUM_BINS]`.

        Args:
            features: What seats may know and what they are told, `[B, F + 2]`.
            oracle: What they may not know, `[B, 72 C]`, of the same type.
        """
        part: Parts = {name: weight.to(features.dtype) for name, weight in self.weights.items()}
        num_colors = (features.shape[1] - TABLE_INPUTS) // COLOR_WIDTH
        known = features[:, : num_colors * COLOR_WIDTH].unflatten(1, (num_colors, COLOR_WIDTH))
        colors = torch.cat((known, oracle.unflatten(1, (num_colors, ORACLE_WIDTH))), 2)
        table = features[:, num_colors * COLOR_WIDTH :]
        _, table = pooled_layers(part, colors, table, NUM_LAYERS)
        return torch.addmm(part["table_head_bias"], table, part["table_head"]).float()


class Critic:
    """The judge, and how it learns."""

    def __init__(self, *, seed: int, units: int, rate: float) -> None:
        """Begin with a judge that knows nothing; see `Judge`."""
        self._judge = Judge(seed=seed, units=units)
        self._rate = rate
        self._optimizer = torch.optim.Adam(self._judge.parameters(), lr=rate, eps=1e-5)

    @torch.no_grad()
    def judge(self, window: Window) -> None:
        """Replace what was thought of the margin in a window, where it was written down."""
        places = np.flatnonzero(flat(window.is_recorded))
        features, oracle, bins = flat(window.features), flat(window.oracle), flat(window.bins)
        for begin in range(0, len(places), _CHUNK):
            part = places[begin : begin + _CHUNK]
            steps = self._judge(
                torch.from_numpy(features[part]).bfloat16(),
                torch.from_numpy(oracle[part]).bfloat16(),
            )
            bins[part] = torch.softmax(steps, 1).numpy()

    def learn(
        self, lesson: Lesson, minibatch: int, generator: torch.Generator, *, share: float
    ) -> float:
        """Learn from plies once, and return the mean loss.

        Args:
            lesson: The plies.
            minibatch: Plies a step.
            generator: Of their order.
            share: By what the learning rate is multiplied.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * share
        total, num_steps = 0.0, 0
        for places in torch.randperm(len(lesson), generator=generator).split(minibatch):
            part = lesson.pick(places)
            loss = losses.value_loss(self._judge(part.features, part.oracle), part.targets)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._judge.parameters(), _STEEPEST)
            self._optimizer.step()
            total, num_steps = total + loss.item(), num_steps + 1
        return total / max(1, num_steps)

    def state(self) -> dict[str, Any]:
        """Return everything that it is."""
        return {"judge": self._judge.state_dict(), "optimizer": self._optimizer.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Become what `state` told of."""
        self._judge.load_state_dict(state["judge"])
        self._optimizer.load_state_dict(state["optimizer"])
