"""The network in torch is the one in the kernel."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from kernel.test_network import some_positions, some_weights
from lostcities.kernel.bridge import pack
from lostcities.kernel.features import features
from lostcities.kernel.layout import num_actions
from lostcities.kernel.network import (
    BELIEFS,
    COLOR_HEAD,
    COLOR_OUT,
    NUM_BINS,
    NUM_WEIGHTS,
    TABLE_OUT,
    evaluate_told,
    logit_of,
    new_room,
    num_inputs,
    read_thumbs,
    write_told,
)
from lostcities.rules import CLASSIC, LONG, Variant
from lostcities.training.model import Network, masked_log_policy


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_it_computes_what_the_kernel_computes(variant: Variant) -> None:
    weights, room = some_weights(4), new_room()
    network = Network(seed=1)
    network.load_row(weights)
    colors = variant.num_colors
    positions = some_positions(variant, 11)[::7]
    inputs = np.zeros((len(positions), num_inputs(variant)), np.float32)
    heard = np.random.default_rng(3).normal(0, 3, len(positions)).tolist()
    for position, told, out in zip(positions, heard, inputs, strict=True):
        features(pack(position), position.mover, out)
        write_told(out, variant.num_colors, told)
    with torch.no_grad():
        logits, bins, beliefs, thumbs = (part.numpy() for part in network(torch.from_numpy(inputs)))
    assert logits.shape == (len(positions), num_actions(variant))
    for number, position in enumerate(positions):
        evaluate_told(pack(position), position.mover, heard[number], room, weights)
        expected = [logit_of(room, action, colors) for action in range(num_actions(variant))]
        assert np.allclose(logits[number], expected, atol=3e-5)
        steps = room[TABLE_OUT + 1 : TABLE_OUT + 1 + NUM_BINS]
        assert np.allclose(bins[number], steps, atol=3e-5)
        heads = room[COLOR_OUT : COLOR_OUT + colors * COLOR_HEAD].reshape(colors, COLOR_HEAD)
        known = heads[:, BELIEFS : BELIEFS + 10].reshape(-1)
        assert np.allclose(beliefs[number], known, atol=3e-5)
        assert thumbs[number] == pytest.approx(read_thumbs(room, colors), abs=3e-5)


def test_weights_go_in_and_out_unchanged() -> None:
    network, row = Network(seed=1), some_weights(2)
    assert not (network.to_row() == row).all()
    network.load_row(row)
    assert (network.to_row() == row).all()
    row[:] = 0
    assert network.to_row().any()


def test_a_seed_makes_the_same_network() -> None:
    assert (Network(seed=5).to_row() == Network(seed=5).to_row()).all()
    assert not (Network(seed=5).to_row() == Network(seed=6).to_row()).all()


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=rf"expected weights \[{NUM_WEIGHTS}\], got \[7\]"):
        Network(seed=1).load_row(np.zeros(7, np.float32))


def test_what_is_not_legal_has_no_chance() -> None:
    masks = torch.tensor([[True, False, True]])
    chances = masked_log_policy(torch.tensor([[1.0, 9.0, 1.0]]), masks).exp()
    assert chances[0].tolist() == pytest.approx([0.5, 0.0, 0.5])
