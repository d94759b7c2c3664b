"""The network in NumPy against the one in the kernel."""

import numpy as np
import pytest

from kernel.test_network import some_positions, some_weights
from lostcities.kernel.bridge import pack
from lostcities.kernel.features import features
from lostcities.kernel.layout import num_actions
from lostcities.kernel.network import (
    BELIEFS,
    COLOR_HEAD,
    COLOR_OUT,
    NUM_BINS,
    TABLE_OUT,
    evaluate_told,
    logit_of,
    new_room,
    num_inputs,
    read_thumbs,
    write_told,
)
from lostcities.kernel.network_batch import evaluate_batch
from lostcities.rules import CLASSIC, LONG, MINI, Variant


@pytest.mark.parametrize("variant", [CLASSIC, LONG, MINI], ids=["five", "six", "three"])
def test_many_at_once_are_what_they_are_one_by_one(variant: Variant) -> None:
    weights, room, colors = some_weights(9), new_room(), variant.num_colors
    positions = some_positions(variant, 21)[::5]
    inputs = np.zeros((len(positions), num_inputs(variant)), np.float32)
    heard = np.random.default_rng(3).normal(0, 3, len(positions)).tolist()
    for position, told, out in zip(positions, heard, inputs, strict=True):
        features(pack(position), position.mover, out)
        write_told(out, variant.num_colors, told)
    logits, bins, beliefs, thumbs = evaluate_batch(weights, inputs)
    assert logits.shape == (len(positions), num_actions(variant))
    assert bins.shape == (len(positions), NUM_BINS)
    assert beliefs.shape == (len(positions), 10 * colors)
    assert thumbs.shape == (len(positions),)
    assert logits.dtype == bins.dtype == beliefs.dtype == np.float32
    for number, position in enumerate(positions):
        evaluate_told(pack(position), position.mover, heard[number], room, weights)
        expected = [logit_of(room, action, colors) for action in range(num_actions(variant))]
        assert np.allclose(logits[number], expected, atol=3e-5)
        assert np.allclose(bins[number], room[TABLE_OUT + 1 :][:NUM_BINS], atol=3e-5)
        heads = room[COLOR_OUT : COLOR_OUT + colors * COLOR_HEAD].reshape(colors, COLOR_HEAD)
        known = heads[:, BELIEFS : BELIEFS + 10].reshape(-1)
        assert np.allclose(beliefs[number], known, atol=3e-5)
        assert thumbs[number] == pytest.approx(read_thumbs(room, colors), abs=3e-5)


def test_no_positions_have_no_opinions() -> None:
    inputs = np.zeros((0, num_inputs(CLASSIC)), np.float32)
    assert [len(part) for part in evaluate_batch(some_weights(), inputs)] == [0, 0, 0, 0]


@pytest.mark.parametrize("width", [31, 32, 553])
def test_inputs_of_another_width_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match=rf"expected inputs \[B, .*\], got \[3, {width}\]"):
        evaluate_batch(some_weights(), np.zeros((3, width), np.float32))
