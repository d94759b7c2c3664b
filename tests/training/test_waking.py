"""Waking units changes nothing that a network says, and all that it can learn."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from torch import Tensor

from kernel.test_network import some_weights
from lostcities.kernel.network import COLOR_UNITS, PARTS, TABLE_UNITS, Weights, num_inputs, part_of
from lostcities.rules import CLASSIC
from lostcities.training.model import Network
from lostcities.training.waking import wake


def half_asleep() -> Weights:
    """Return weights of which every second unit of each layer is silent."""
    weights = some_weights(3)
    for name, shape in PARTS.items():
        part = part_of(weights, name)
        if not name.endswith(("head", "head_bias")):
            part[..., ::2] = 0
        if len(shape) == 2 and shape[0] in {COLOR_UNITS, TABLE_UNITS}:
            part[::2] = 0
    return weights


def gradient_of(weights: Weights, name: str) -> Tensor:
    network = Network(seed=1)
    network.load_row(weights)
    inputs = torch.rand(64, num_inputs(CLASSIC), generator=torch.Generator().manual_seed(2))
    said = network(inputs)
    (said.actions.square().sum() + said.bins.square().sum()).backward()
    gradient = network.weights[name].grad
    assert gradient is not None
    return gradient


def test_who_wakes_says_the_same() -> None:
    asleep = half_asleep()
    awake = wake(asleep, seed=4)
    assert not (awake == asleep).all()
    inputs = torch.rand(64, num_inputs(CLASSIC), generator=torch.Generator().manual_seed(1))
    said = []
    for weights in (asleep, awake):
        network = Network(seed=1)
        network.load_row(weights)
        with torch.no_grad():
            said.append(network(inputs))
    for one, other in zip(*said, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("name", ["table_1", "color_2", "color_head", "table_head"])
def test_who_sleeps_never_learns_and_who_wakes_does(name: str) -> None:
    asleep = half_asleep()
    assert not gradient_of(asleep, name)[::2].any()
    assert gradient_of(wake(asleep, seed=4), name)[::2, 1::2].any(1).float().mean() > 0.5


def test_nobody_else_is_changed_and_the_seed_decides() -> None:
    asleep = half_asleep()
    awake, again, other = (wake(asleep, seed=seed) for seed in (4, 4, 5))
    assert (awake == again).all()
    assert not (awake == other).all()
    for name in PARTS:
        one, two = part_of(asleep, name), part_of(awake, name)
        assert (one[..., 1::2] == two[..., 1::2]).all()
    heard = half_asleep()
    part_of(heard, "table_2")[0, 1] = 0.5  # somebody listens to the first unit of the table
    assert not part_of(wake(heard, seed=4), "table_1")[:, 0].any()
    assert part_of(wake(heard, seed=4), "table_1")[:, 2].all()
    full = some_weights(3)
    assert (wake(full, seed=1) == full).all()
    assert np.isfinite(awake).all()
