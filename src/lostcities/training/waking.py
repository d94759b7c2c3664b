"""Silent units learn to listen: how a narrower network is learned on with as a wider one.

A unit without any weight is never heard and never changes. With weights on what it
listens to, it still changes nothing that the network says, as nobody listens to it yet, but
from then on learning can use it.

Source:
    Chen, Goodfellow, Shlens 2016, Net2Net: accelerating learning via knowledge transfer.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel.network import NUM_LAYERS, Weights, part_of

_LISTENS: Final = (
    ("color_bias_{}", ("color_{}", "table_to_color_{}")),
    ("table_bias_{}", ("color_to_table_{}", "table_{}")),
)
"""The bias of each kind of unit in a layer, and what else goes into it."""


def wake(weights: Weights, *, seed: int) -> Weights:
    """Return weights that say the same, in which no unit is silent.

    Args:
        weights: See `kernel.network`; not changed.
        seed: Of what the silent units listen to.
    """
    awake, rng = weights.copy(), np.random.default_rng(seed)
    for layer in range(NUM_LAYERS):
        for bias, inputs in _LISTENS:
            parts = [part_of(awake, name.format(layer)) for name in inputs]
            silent = _silent(part_of(awake, bias.format(layer)), parts)
            for part in parts:
                drawn = rng.standard_normal((len(part), int(silent.sum())))
                part[:, silent] = drawn / np.sqrt(len(part))
    return awake


def _silent(bias: Weights, inputs: list[Weights]) -> npt.NDArray[np.bool_]:
    is_silent: npt.NDArray[np.bool_] = bias == 0
    for part in inputs:
        is_silent = is_silent & ~part.any(0)
    return is_silent
