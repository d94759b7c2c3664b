"""The network in torch: the same weights, the same layers, many positions at once.

`kernel.network` says what the layers are; its one row of weights is the only
form in which a network leaves this package.
"""

from typing import Final, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lostcities.kernel.features import COLOR_WIDTH
from lostcities.kernel.network import (
    BELIEFS,
    BIN_WIDTH,
    NUM_BINS,
    NUM_LAYERS,
    NUM_WEIGHTS,
    OFFSETS,
    PARTS,
    POOL,
    TABLE_INPUTS,
    THUMBS,
    TOLD_PARTS,
    TOLD_WIDTH,
    Weights,
)
from lostcities.kernel.network_batch import Opinions

_SMALL_POLICY: Final = 0.05
_SMALL_TABLE: Final = 0.1

Parts: TypeAlias = dict[str, Tensor]
"""Weights by name, see `kernel.network.PARTS`."""


class Network(nn.Module):
    """See `kernel.network`; `weights[part]` are its parts by name."""

    def __init__(self, *, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.weights = nn.ParameterDict(
            {
                name: nn.Parameter(first_weights(name, shape, generator))
                for name, shape in PARTS.items()
            }
        )
        with torch.no_grad():  # who is told nothing while it learns stays deaf
            for name in TOLD_PARTS:
                self.weights[name][-TOLD_WIDTH:] = 0.0

    def forward(self, features: Tensor) -> Opinions[Tensor]:
        """Evaluate a batch.

        Args:
            features: What seats may know and what they are told, `[B, F + 2]`, of five or six colors; its type
                is that of the products.
        """
        dtype = features.dtype
        part = {name: weight.to(dtype) for name, weight in self.weights.items()}
        num_colors = (features.shape[1] - TABLE_INPUTS) // COLOR_WIDTH
        colors = features[:, : num_colors * COLOR_WIDTH].reshape(-1, num_colors, COLOR_WIDTH)
        table = features[:, num_colors * COLOR_WIDTH :]
        colors, table = pooled_layers(part, colors, table, NUM_LAYERS)
        heads = torch.addmm(part["color_head_bias"], colors.flatten(0, 1), part["color_head"])
        heads = heads.unflatten(0, (-1, num_colors)).float()
        whole = torch.addmm(part["table_head_bias"], table, part["table_head"]).float()
        logits = torch.cat(
            (
                heads[:, :, :10].flatten(1),
                heads[:, :, 10:20].flatten(1),
                whole[:, :1],
                heads[:, :, 20],
            ),
            1,
        )
        beliefs = heads[:, :, BELIEFS : BELIEFS + 10].flatten(1)
        return Opinions(logits, whole[:, 1:], beliefs, heads[:, :, THUMBS].sum(1) * POOL)

    def to_row(self) -> Weights:
        """Return all weights in one row, `float32[NUM_WEIGHTS]`."""
        row = np.zeros(NUM_WEIGHTS, np.float32)
        for name, weight in self.weights.items():
            values = weight.detach().numpy().reshape(-1)
            row[OFFSETS[name] : OFFSETS[name] + values.size] = values
        return row

    def load_row(self, row: Weights) -> None:
        """Take all weights from one row.

        Raises:
            ValueError: If the row has another length.
        """
        if row.shape != (NUM_WEIGHTS,):
            raise ValueError(f"expected weights [{NUM_WEIGHTS}], got {list(row.shape)}")
        with torch.no_grad():
            for name, weight in self.weights.items():
                values = row[OFFSETS[name] : OFFSETS[name] + weight.numel()]
                weight.copy_(torch.from_numpy(values.copy()).view_as(weight))


def pooled_layers(
    part: Parts, colors: Tensor, table: Tensor, num_layers: int
) -> tuple[Tensor, Tensor]:
    """Return the units of the colors, `[B, C, U]`, and of the table, `[B, V]`, behind the layers.

    Args:
        part: The weights.
        colors: What goes in of each color, `[B, C, ...]`.
        table: What goes in of the table, `[B, ...]`.
        num_layers: How many layers there are.
    """
    num_colors = colors.shape[1]
    for layer in range(num_layers):
        shared = torch.addmm(part[f"color_bias_{layer}"], table, part[f"table_to_color_{layer}"])
        own = colors.flatten(0, 1) @ part[f"color_{layer}"]
        colors = torch.relu(own.unflatten(0, (-1, num_colors)) + shared.unsqueeze(1))
        table = torch.relu(
            torch.addmm(part[f"table_bias_{layer}"], table, part[f"table_{layer}"])
            + (colors.sum(1) * POOL) @ part[f"color_to_table_{layer}"]
        )
    return colors, table


def first_weights(name: str, shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Return weights of a part to begin with, by lot."""
    if len(shape) == 1:
        return torch.zeros(shape)
    weights = torch.randn(shape, generator=generator) * (1.0 / shape[0]) ** 0.5
    if name == "color_head":
        return weights * _SMALL_POLICY
    if name == "table_head":
        return weights * _SMALL_TABLE
    return weights


STEPS: Final = (torch.arange(NUM_BINS) - NUM_BINS // 2).float() * BIN_WIDTH
"""The margins that the steps stand for, in points."""


def masked_log_policy(logits: Tensor, masks: Tensor) -> Tensor:
    """Return the logarithms of the chances of the legal actions; others are far below."""
    return functional.log_softmax(logits.masked_fill(~masks, -1e9), 1)
