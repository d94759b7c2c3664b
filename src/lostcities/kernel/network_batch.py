"""The network for many positions at once, in plain NumPy: what `network` computes one by one.

A second reading of the same formulas, within rounding of the first: products of
matrices sum in the order that suits the processor. For tools that look at many
positions and have neither the compiler nor torch; play uses `network`.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np

from lostcities.kernel.features import COLOR_WIDTH
from lostcities.kernel.network import (
    BELIEFS,
    NUM_LAYERS,
    POOL,
    TABLE_INPUTS,
    THUMBS,
    Floats,
    Weights,
    part_of,
)

_Array = TypeVar("_Array")


class Opinions(NamedTuple, Generic[_Array]):
    """What the network has to say of many positions, all as logits, as arrays of any library.

    Attributes:
        actions: `[B, A]`.
        bins: Of the steps of the margin, `[B, NUM_BINS]`.
        beliefs: That an unseen card is in the other hand, `[B, 10 C]`.
        thumbs: That the other side plays by rules of thumb, beyond how usual that is, `[B]`.
    """

    actions: _Array
    bins: _Array
    beliefs: _Array
    thumbs: _Array


def evaluate_batch(weights: Weights, inputs: Floats) -> Opinions[Floats]:
    """Run the network on many positions.

    Args:
        weights: See `network`.
        inputs: What the seats may know and what they are told, `float32[B, F + 2]`, see
            `network.write_told`; its width tells how many colors there are.

    Raises:
        ValueError: If no number of colors has inputs of this width.
    """
    num_colors, rest = divmod(inputs.shape[1] - TABLE_INPUTS, COLOR_WIDTH)
    if num_colors < 1 or rest:
        raise ValueError(
            f"expected inputs [B, {COLOR_WIDTH} C + {TABLE_INPUTS}], got {list(inputs.shape)}"
        )
    split = num_colors * COLOR_WIDTH
    colors: Floats = inputs[:, :split].reshape(-1, num_colors, COLOR_WIDTH)
    table: Floats = inputs[:, split:]
    for layer in range(NUM_LAYERS):
        colors, table = _layer(weights, layer, colors, table)
    heads = colors @ part_of(weights, "color_head") + part_of(weights, "color_head_bias")
    whole = table @ part_of(weights, "table_head") + part_of(weights, "table_head_bias")
    shape = len(inputs), 10 * num_colors
    plays, discards, draws = heads[..., :10], heads[..., 10:20], heads[..., 20]
    logits = np.concatenate(
        (plays.reshape(shape), discards.reshape(shape), whole[:, :1], draws), axis=1
    )
    beliefs = heads[..., BELIEFS : BELIEFS + 10]
    thumbs = heads[..., THUMBS].sum(1) * np.float32(POOL)
    return Opinions(logits, whole[:, 1:], beliefs.reshape(shape), thumbs)


def _layer(weights: Weights, layer: int, colors: Floats, table: Floats) -> tuple[Floats, Floats]:
    """Return the units of the colors `[B, C, U]` and of the table behind a layer."""
    shared = table @ part_of(weights, f"table_to_color_{layer}")
    shared += part_of(weights, f"color_bias_{layer}")
    units = np.maximum(colors @ part_of(weights, f"color_{layer}") + shared[:, None], 0)
    pooled = units.sum(1) * np.float32(POOL)
    whole = table @ part_of(weights, f"table_{layer}") + part_of(weights, f"table_bias_{layer}")
    whole += pooled @ part_of(weights, f"color_to_table_{layer}")
    return units, np.maximum(whole, 0)
