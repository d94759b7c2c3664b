"""The network in the kernel against the formulas of its docstring, and its symmetry."""

import random
from collections.abc import Mapping
from dataclasses import replace
from time import process_time

import numpy as np
import numpy.typing as npt
import pytest

from kernel.walking import reshuffle_unseen, start, walk
from lostcities.kernel._jit import IS_COMPILED
from lostcities.kernel.bridge import pack
from lostcities.kernel.features import COLOR_WIDTH, MATCH_AT, feature_names, features, num_features
from lostcities.kernel.layout import MAX_LEGAL
from lostcities.kernel.network import (
    BELIEFS,
    BIN_WIDTH,
    COLOR_HEAD,
    COLOR_OUT,
    NUM_BINS,
    NUM_LAYERS,
    NUM_WEIGHTS,
    OFFSETS,
    PARTS,
    POOL,
    TABLE_HEAD,
    TABLE_OUT,
    THUMBS,
    TOLD_WIDTH,
    Weights,
    blind_to_match,
    evaluate,
    evaluate_features,
    evaluate_told,
    listens,
    logit_of,
    new_room,
    num_inputs,
    part_of,
    read_margin,
    read_policy,
    read_thumbs,
    write_told,
)
from lostcities.kernel.step import legal_list
from lostcities.rules import CLASSIC, LONG, MINI, Position, Standing, Variant

Numbers = npt.NDArray[np.float64]


def some_weights(seed: int = 0) -> Weights:
    rng = np.random.default_rng(seed)
    row = np.zeros(NUM_WEIGHTS, np.float32)
    for name, shape in PARTS.items():
        size = int(np.prod(shape))
        row[OFFSETS[name] : OFFSETS[name] + size] = rng.normal(size=size) / np.sqrt(shape[0])
    return row


def some_positions(variant: Variant, seed: int) -> list[Position]:
    rng = random.Random(seed)
    return [position for position, _ in walk(start(variant, rng), rng, 400)]


def parts_of(weights: Weights) -> dict[str, Weights]:
    """Return the parts of a row of weights."""
    return {
        name: weights[OFFSETS[name] : OFFSETS[name] + int(np.prod(shape))].reshape(shape)
        for name, shape in PARTS.items()
    }


def by_parts(parts: Mapping[str, Weights], inputs: Weights) -> tuple[Numbers, Numbers]:
    """Return both heads, computed in double precision from the formulas."""

    def part(name: str) -> Numbers:
        return parts[name].astype(np.float64)

    num_colors = len(inputs) // COLOR_WIDTH
    colors = inputs[: num_colors * COLOR_WIDTH].reshape(num_colors, COLOR_WIDTH).astype(np.float64)
    table = inputs[num_colors * COLOR_WIDTH :]
    for layer in range(NUM_LAYERS):
        shared = part(f"color_bias_{layer}") + table @ part(f"table_to_color_{layer}")
        colors = np.maximum(colors @ part(f"color_{layer}") + shared, 0.0)
        table = np.maximum(
            part(f"table_bias_{layer}")
            + colors.sum(0) * POOL @ part(f"color_to_table_{layer}")
            + table @ part(f"table_{layer}"),
            0.0,
        )
    return (
        colors @ part("color_head") + part("color_head_bias"),
        table @ part("table_head") + part("table_head_bias"),
    )


@pytest.mark.parametrize("variant", [CLASSIC, LONG, MINI], ids=["five", "six", "three"])
def test_it_computes_what_its_formulas_say(variant: Variant) -> None:
    weights, room = some_weights(), new_room()
    colors, rng = variant.num_colors, np.random.default_rng(1)
    for position in some_positions(variant, 1)[::11]:
        row, seat = pack(position), position.mover
        told = float(rng.normal(0, 4))
        evaluate_told(row, seat, told, room, weights)
        inputs = np.zeros(num_inputs(variant), np.float32)
        features(row, seat, inputs)
        inputs[-2:] = np.tanh(told / 2), np.clip(told / 6, -1, 1)
        by_color, whole = by_parts(parts_of(weights), inputs)
        written = room[COLOR_OUT : COLOR_OUT + colors * COLOR_HEAD].reshape(colors, COLOR_HEAD)
        assert np.allclose(written, by_color, atol=2e-5)
        assert np.allclose(room[TABLE_OUT : TABLE_OUT + TABLE_HEAD], whole, atol=2e-5)


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_relabelled_colors_give_relabelled_answers_to_the_digit(variant: Variant) -> None:
    weights, room = some_weights(), new_room()
    colors = variant.num_colors
    split = colors * COLOR_WIDTH
    rng = np.random.default_rng(5)
    for position in some_positions(variant, 2)[::13]:
        inputs = np.zeros(num_inputs(variant), np.float32)
        features(pack(position), position.mover, inputs)
        write_told(inputs, colors, 1.5)
        answers = []
        order = rng.permutation(colors)
        for labels in (np.arange(colors), order):
            blocks = inputs[:split].reshape(colors, COLOR_WIDTH)[labels]
            room[: inputs.size] = np.concatenate((blocks.reshape(-1), inputs[split:]))
            evaluate_features(room, weights, colors)
            heads = room[COLOR_OUT : COLOR_OUT + colors * COLOR_HEAD].reshape(colors, COLOR_HEAD)
            answers.append((heads.copy(), room[TABLE_OUT : TABLE_OUT + TABLE_HEAD].copy()))
        assert (answers[1][0] == answers[0][0][order]).all()
        assert (answers[1][1] == answers[0][1]).all()


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_every_action_has_a_logit_of_its_own_place(variant: Variant) -> None:
    colors = variant.num_colors
    room = new_room()
    room[:] = np.arange(room.size)
    places = [int(logit_of(room, action, colors)) for action in range(21 * colors + 1)]
    assert len(set(places)) == len(places)
    for color in range(colors):
        first = COLOR_OUT + color * COLOR_HEAD
        assert places[10 * color : 10 * color + 10] == list(range(first, first + 10))
        begin = 10 * colors + 10 * color
        assert places[begin : begin + 10] == list(range(first + 10, first + 20))
        assert places[20 * colors + 1 + color] == first + 20 < first + BELIEFS
    assert places[20 * colors] == TABLE_OUT


def test_the_policy_is_spread_over_the_legal_actions() -> None:
    weights, room = some_weights(), new_room()
    for position in some_positions(CLASSIC, 3)[::17]:
        row = pack(position)
        evaluate(row, position.mover, room, weights)
        actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
        legal = np.zeros(MAX_LEGAL, np.int64)
        count = read_policy(row, room, actions, chances, 1.0)
        assert count == legal_list(row, legal)
        assert (actions[:count] == legal[:count]).all()
        logits = np.array([logit_of(room, action, 5) for action in legal[:count]], np.float64)
        expected = np.exp(logits) / np.exp(logits).sum()
        assert np.allclose(chances[:count], expected, atol=1e-6)
        read_policy(row, room, actions, chances, 1e-3)
        assert chances[:count].argmax() == expected.argmax()


def test_the_margin_is_read_as_mean_and_spread() -> None:
    room = new_room()
    room[TABLE_OUT + 1 : TABLE_OUT + TABLE_HEAD] = -50.0
    middle = TABLE_OUT + 1 + NUM_BINS // 2
    room[middle + 2] = room[middle - 1] = 3.0
    mean, spread = read_margin(room)
    assert mean == pytest.approx(BIN_WIDTH / 2)
    assert spread == pytest.approx(1.5 * BIN_WIDTH)


def test_evidence_for_rules_of_thumb_is_what_all_colors_tell() -> None:
    room = new_room()
    for color, told in enumerate((1.0, -3.0, 0.5, 4.0, 2.0, 100.0)):
        room[COLOR_OUT + color * COLOR_HEAD + THUMBS] = told
    assert read_thumbs(room, 5) == pytest.approx(4.5 * POOL)
    assert THUMBS == BELIEFS + 10 == COLOR_HEAD - 1


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_who_is_blind_to_the_match_plays_every_round_as_the_first(variant: Variant) -> None:
    weights = some_weights()
    blind = blind_to_match(weights)
    first, later = (
        Standing(round_number=number, num_rounds=3, totals=totals)
        for number, totals in ((1, (0, 0)), (3, (90, 20)))
    )
    size = num_features(variant)
    seen = new_room()
    for position in some_positions(variant, 8)[:60]:
        answers = []
        for standing, row in ((first, blind), (later, blind), (first, weights), (later, weights)):
            room = new_room()
            evaluate(pack(replace(position, standing=standing)), position.mover, room, row)
            answers.append(room[COLOR_OUT:].copy())
            seen = room
        assert (answers[0] == answers[1]).all()
        assert np.allclose(answers[0], answers[2], atol=1e-4)
        assert not np.allclose(answers[0], answers[3], atol=1e-3)
    at = variant.num_colors * COLOR_WIDTH + MATCH_AT
    assert feature_names(variant)[at : at + 2] == ("match.total_lead/100", "match.rounds_left/3")
    assert abs(seen[at]) == pytest.approx(0.7)
    assert size > at + 2


@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_what_is_told_of_the_other_side_is_heard_by_who_listens(variant: Variant) -> None:
    weights, room = some_weights(), new_room()
    deaf = weights.copy()
    for name in ("table_to_color_0", "table_0"):
        part_of(deaf, name)[-TOLD_WIDTH:] = 0
    assert listens(weights)
    assert not listens(deaf)
    position = some_positions(variant, 8)[20]
    row, seat = pack(position), position.mover
    answers = {}
    for name, asked in (("all ears", weights), ("deaf", deaf)):
        for told in (-9.0, -2.0, 0.0, 3.0):
            evaluate_told(row, seat, told, room, asked)
            answers[name, told] = room[COLOR_OUT:].tolist()
        evaluate(row, seat, room, asked)  # nothing told
        assert room[COLOR_OUT:].tolist() == answers[name, 0.0]
    assert len({tuple(answer) for answer in answers.values()}) == 4  # the deaf hears nothing
    assert num_inputs(variant) == num_features(variant) + TOLD_WIDTH


def test_what_is_told_before_does_not_stay_in_the_room() -> None:
    weights, room = some_weights(), new_room()
    six, five = some_positions(LONG, 8)[30], some_positions(CLASSIC, 8)[30]
    evaluate(pack(five), five.mover, room, weights)
    before = room[COLOR_OUT : COLOR_OUT + 5 * COLOR_HEAD].tolist()
    evaluate_told(pack(six), six.mover, 5.0, room, weights)
    evaluate(pack(five), five.mover, room, weights)
    assert room[COLOR_OUT : COLOR_OUT + 5 * COLOR_HEAD].tolist() == before


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_look_takes_microseconds() -> None:
    weights, room = some_weights(), new_room()
    rows = [(pack(position), position.mover) for position in some_positions(CLASSIC, 9)[:50]]
    spent = []
    for _ in range(9):
        begin = process_time()
        for row, seat in rows:
            evaluate(row, seat, room, weights)
        spent.append((process_time() - begin) / len(rows))
    # A core of today takes 5 to 10; a busy or an old one may take longer, never so long.
    assert min(spent) < 60e-6


def test_what_a_seat_cannot_see_changes_nothing() -> None:
    weights, room = some_weights(), new_room()
    rng = random.Random(8)
    for position in some_positions(CLASSIC, 4)[::19]:
        row, seat = pack(position), position.mover
        evaluate(row, seat, room, weights)
        before = room[COLOR_OUT:].copy()
        twin = reshuffle_unseen(position, seat, rng)
        evaluate(pack(twin), seat, room, weights)
        assert (room[COLOR_OUT:] == before).all()
