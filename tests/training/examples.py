"""Small runs and networks for the tests of training."""

from pathlib import Path
from typing import Any

import numpy as np

from kernel.test_network import some_weights
from lostcities.agents.weights import load_network, save_network
from lostcities.kernel.network import OFFSETS, TOLD_WIDTH, Weights, part_of
from lostcities.training.config import RunConfig, config_from
from lostcities.training.journal import Entry, read_curves


def tiny_config(**changes: object) -> RunConfig:
    """Return a run of some seconds that uses all there is: company, past selves, an anchor."""
    self_play = {
        "decisions": 1_000_000, "games": 16, "plies": 48, "minibatch": 128, "past": 0.25,
        "rules_of_thumb": 0.125, "tastes": 0.2, "staller": 0.125, "anchor": 0.05, "six_every": 3,
        "remember_every": 2, "told": 0.8, "told_rounds": 2, "told_every": 4,
    }  # fmt: skip
    values: dict[str, Any] = {
        "seed": 3,
        "imitation": {"windows": 2, "games": 16, "plies": 40, "minibatch": 256},
        "self_play": self_play,
        "panel": {"every": 2, "pairs": 2},
    }
    for name, value in changes.items():
        values[name] = {**values.get(name, {}), **value} if isinstance(value, dict) else value
    return config_from(values, where="a test")


def write_network(path: Path, weights: Weights | None = None) -> Path:
    """Write a network into a file and return where."""
    save_network(path, some_weights() if weights is None else weights, {"made": "for a test"})
    return path


def weights_of(path: Path) -> Weights:
    """Return the weights of a file."""
    return load_network(path).weights


def never_wagers(weights: Weights) -> Weights:
    """Return weights that leave wagers alone."""
    changed = np.array(weights)
    changed[OFFSETS["color_head_bias"]] = -1e3  # the first play of a color
    return changed


def deaf(weights: Weights) -> Weights:
    """Return weights that do not hear what they are told, so that nobody reads for them."""
    changed = np.array(weights)
    for name in ("table_to_color_0", "table_0"):
        part_of(changed, name)[-TOLD_WIDTH:] = 0
    return changed


def curves_without_time(folder: Path) -> list[Entry]:
    """Return what a run wrote down, but for what no two runs have in common."""
    return [
        {name: value for name, value in entry.items() if name != "seconds"}
        for entry in read_curves(folder)
    ]
