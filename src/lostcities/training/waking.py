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

_COLOR, _TABLE = "color", "table"
_LISTENS: Final = {
    _COLOR: ("color_{}", "table_to_color_{}"),
    _TABLE: ("color_to_table_{}", "table_{}"),
}
"""What goes into the units of a layer beside their bias."""


def wake(weights: Weights, *, seed: int) -> Weights:
    """Return weights that say the same, in which no unit is silent.

    Args:
        weights: See `kernel.network`; not changed.
        seed: Of what the silent units listen to.
    """
    awake, rng = weights.copy(), np.random.default_rng(seed)
    for layer in range(NUM_LAYERS):
        for kind, inputs in _LISTENS.items():
            silent = _silent(weights, kind, layer)
            for name in inputs:
                part = part_of(awake, name.format(layer))
                drawn = rng.standard_normal((len(part), int(silent.sum())))
                part[:, silent] = drawn / np.sqrt(len(part))
    return awake


def _silent(weights: Weights, kind: str, layer: int) -> npt.NDArray[np.bool_]:
    """Return which units of a layer neither listen to anything nor are listened to."""
    is_silent: npt.NDArray[np.bool_] = part_of(weights, f"{kind}_bias_{layer}") == 0
    for name in _LISTENS[kind]:
        is_silent = is_silent & ~part_of(weights, name.format(layer)).any(0)
    for name in _listeners(kind, layer):
        is_silent = is_silent & ~part_of(weights, name).any(1)
    return is_silent


def _listeners(kind: str, layer: int) -> tuple[str, ...]:
    """Return the parts of which the units of a layer are the rows."""
    is_last = layer == NUM_LAYERS - 1
    if kind == _COLOR:
        return f"color_to_table_{layer}", "color_head" if is_last else f"color_{layer + 1}"
    return ("table_head",) if is_last else (f"table_{layer + 1}", f"table_to_color_{layer + 1}")
