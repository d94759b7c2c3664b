"""The network at machine speed: what a seat may know in, opinions out.

One set of weights serves every color, and so five colors and six: each color is
read by the same rows of numbers, its layers look at the other colors only
through what all of them have in common, and relabelling the colors relabels the
answer. Layer by layer, with h_c for the color c and G for the whole table,

    h_c' = relu(b + A h_c + B G)        G' = relu(c + P sum_c h_c' / 5 + R G)

where h_c and G are first the features. Heads: for each color ten plays, ten
discards, the draw from its pile, how likely each unseen card is in the other
hand rather than in the deck, and what speaks for an other side that plays by
rules of thumb; for the whole the draw from the deck and the final margin, as
chances of `NUM_BINS` steps.

Beside the features of the table the network may be told what the moves of the other
side say of it (`kernel.opposite`): the logarithm of a factor, 0 where nothing is known.

Rows of weights are skipped where the input is 0: half of what a layer is handed,
and most of the features. Sums run in one fixed order on every processor.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import add_product, borrow, njit
from lostcities.kernel.features import (
    COLOR_WIDTH,
    GLOBAL_WIDTH,
    MATCH_AT,
    ROUNDS_UNIT,
    features,
    num_features,
)
from lostcities.kernel.layout import MAX_COLORS, Row
from lostcities.kernel.step import legal_list, num_colors
from lostcities.kernel.streams import Whole
from lostcities.rules import Variant

NETWORK_VERSION: Final = 3
"""Raised whenever weights change their place or their meaning."""

COLOR_UNITS: Final = 64
TABLE_UNITS: Final = 128
NUM_LAYERS: Final = 3
COLOR_HEAD: Final = 32
"""Ten plays, ten discards, one draw, ten beliefs, what speaks for rules of thumb."""
TABLE_HEAD: Final = 64
"""The draw from the deck, then the steps of the margin."""
NUM_BINS: Final = TABLE_HEAD - 1
BIN_WIDTH: Final = 8.0
"""Points between the middles of two steps of the margin; the middle one is 0."""
TOLD_WIDTH: Final = 2
"""Numbers behind the features that say what is told of the other side."""
TABLE_INPUTS: Final = GLOBAL_WIDTH + TOLD_WIDTH
"""What the first layer is handed of the whole table."""
POOL: Final = 0.2
"""What the sum over the colors is multiplied by."""

Weights: TypeAlias = npt.NDArray[np.float32]
"""All weights in one row, `float32[NUM_WEIGHTS]`; see `PARTS`."""
Floats: TypeAlias = npt.NDArray[np.float32]


Parts: TypeAlias = dict[str, tuple[int, ...]]


def _layer_parts(
    layer: int,
    color_units: int,
    table_units: int,
    table_inputs: int,
    color_inputs: int = COLOR_WIDTH,
) -> Parts:
    color_in = color_inputs if layer == 0 else color_units
    table_in = table_inputs if layer == 0 else table_units
    return {
        f"color_bias_{layer}": (color_units,),
        f"color_{layer}": (color_in, color_units),
        f"table_to_color_{layer}": (table_in, color_units),
        f"table_bias_{layer}": (table_units,),
        f"color_to_table_{layer}": (color_units, table_units),
        f"table_{layer}": (table_in, table_units),
    }


def parts_with(
    color_units: int,
    table_units: int,
    table_inputs: int = TABLE_INPUTS,
    color_inputs: int = COLOR_WIDTH,
) -> Parts:
    """Return the weights of a network with so many units a layer, as `PARTS`."""
    parts: Parts = {}
    for layer in range(NUM_LAYERS):
        parts |= _layer_parts(layer, color_units, table_units, table_inputs, color_inputs)
    return parts | {
        "color_head_bias": (COLOR_HEAD,),
        "color_head": (color_units, COLOR_HEAD),
        "table_head_bias": (TABLE_HEAD,),
        "table_head": (table_units, TABLE_HEAD),
    }


PARTS: Final = parts_with(COLOR_UNITS, TABLE_UNITS)
"""The weights, in order, each with its shape; rows are inputs, columns outputs."""


def _offsets() -> dict[str, int]:
    offsets, at = {}, 0
    for name, shape in PARTS.items():
        offsets[name] = at
        at += int(np.prod(shape))
    offsets[""] = at
    return offsets


OFFSETS: Final = _offsets()
"""Where each part begins; under the empty name, where all of it ends."""
NUM_WEIGHTS: Final = OFFSETS[""]


def part_of(weights: Weights, name: str) -> Floats:
    """Return a part of the weights in its shape, as a view."""
    begin, shape = OFFSETS[name], PARTS[name]
    return weights[begin : begin + int(np.prod(shape))].reshape(shape)


_LAYERS: Final = [_layer_parts(layer, COLOR_UNITS, TABLE_UNITS, TABLE_INPUTS) for layer in range(2)]
_LAYER_SIZE: Final = OFFSETS["color_bias_2"] - OFFSETS["color_bias_1"]
_FIRST: Final = tuple(OFFSETS[name] for name in _LAYERS[0])
_SECOND: Final = tuple(OFFSETS[name] for name in _LAYERS[1])
(_COLOR_BIAS_0, _COLOR_0, _TO_COLOR_0, _TABLE_BIAS_0, _TO_TABLE_0, _TABLE_0) = _FIRST
(_COLOR_BIAS, _COLOR, _TO_COLOR, _TABLE_BIAS, _TO_TABLE, _TABLE) = _SECOND
_HEAD_BIAS, _HEAD = OFFSETS["color_head_bias"], OFFSETS["color_head"]
_LAST_BIAS, _LAST = OFFSETS["table_head_bias"], OFFSETS["table_head"]

# Where things lie in the room to work in.
_FEATURES: Final = 0
_COLORS: Final = _FEATURES + MAX_COLORS * COLOR_WIDTH + TABLE_INPUTS
_SPARE: Final = _COLORS + MAX_COLORS * COLOR_UNITS
_ALL: Final = _SPARE + COLOR_UNITS
_NEXT: Final = _ALL + TABLE_UNITS
_SHARED: Final = _NEXT + TABLE_UNITS
_SUM: Final = _SHARED + COLOR_UNITS
COLOR_OUT: Final = _SUM + COLOR_UNITS
"""Where the heads of the colors lie in the room, `COLOR_HEAD` numbers each."""
TABLE_OUT: Final = COLOR_OUT + MAX_COLORS * COLOR_HEAD
"""Where the head of the whole lies in the room, `TABLE_HEAD` numbers."""
ROOM_SIZE: Final = TABLE_OUT + TABLE_HEAD
BELIEFS: Final = 21
"""Where the beliefs begin in the head of a color."""
THUMBS: Final = 31
"""Where the head of a color tells what speaks for an other side that plays by rules of thumb."""

TOLD_PARTS: Final = ("table_to_color_0", "table_0")
"""Parts whose last `TOLD_WIDTH` rows are what is made of what is told."""
_MOST_TOLD: Final = 6.0
"""What is told beyond this is not told apart, as a logarithm."""
_F: Final = np.float32
_ZERO: Final = _F(0)


def new_room() -> Floats:
    """Return room to work in for one thread."""
    return np.zeros(ROOM_SIZE, _F)


@njit
def _copy(room: Floats, at: Whole, source: Floats, first: Whole, size: Whole) -> None:
    for index in range(size):
        room[at + index] = source[first + index]


@njit
def _relu(room: Floats, at: Whole, size: Whole) -> None:
    for index in range(size):
        room[at + index] = max(room[at + index], _ZERO)


@njit
def _sum_up(room: Floats, colors: Whole) -> None:
    """Add up the colors, each times the pool's factor.

    In double precision the sum of so few numbers is exact, so their order does
    not matter: that is what makes relabelled colors give the same answer to the digit.
    """
    for unit in range(COLOR_UNITS):
        total = 0.0
        for color in range(colors):
            total += np.float64(room[_COLORS + color * COLOR_UNITS + unit])
        room[_SUM + unit] = _F(total * POOL)


@njit
def _finish(room: Floats, weights: Weights, colors: Whole, to_table: Whole) -> None:
    """Bring the units of the colors and of the table, as summed so far, to the end of a layer."""
    _relu(room, _COLORS, colors * COLOR_UNITS)
    _sum_up(room, colors)
    add_product(room, _NEXT, weights, to_table, _SUM, COLOR_UNITS, TABLE_UNITS)
    _relu(room, _NEXT, TABLE_UNITS)
    _copy(room, _ALL, room, _NEXT, TABLE_UNITS)


@njit
def _first_layer(room: Floats, weights: Weights, colors: Whole) -> None:
    """Write the units of all colors and of the table from the features."""
    table_at = _FEATURES + colors * COLOR_WIDTH
    _copy(room, _SHARED, weights, _COLOR_BIAS_0, COLOR_UNITS)
    add_product(room, _SHARED, weights, _TO_COLOR_0, table_at, TABLE_INPUTS, COLOR_UNITS)
    _copy(room, _NEXT, weights, _TABLE_BIAS_0, TABLE_UNITS)
    add_product(room, _NEXT, weights, _TABLE_0, table_at, TABLE_INPUTS, TABLE_UNITS)
    for color in range(colors):
        at = _COLORS + color * COLOR_UNITS
        _copy(room, at, room, _SHARED, COLOR_UNITS)
        source = _FEATURES + color * COLOR_WIDTH
        add_product(room, at, weights, _COLOR_0, source, COLOR_WIDTH, COLOR_UNITS)
    _finish(room, weights, colors, _TO_TABLE_0)


@njit
def _later_layer(room: Floats, weights: Weights, colors: Whole, shift: Whole) -> None:
    """Write the units of all colors and of the table from those of the layer before."""
    _copy(room, _SHARED, weights, _COLOR_BIAS + shift, COLOR_UNITS)
    add_product(room, _SHARED, weights, _TO_COLOR + shift, _ALL, TABLE_UNITS, COLOR_UNITS)
    _copy(room, _NEXT, weights, _TABLE_BIAS + shift, TABLE_UNITS)
    add_product(room, _NEXT, weights, _TABLE + shift, _ALL, TABLE_UNITS, TABLE_UNITS)
    for color in range(colors):
        at = _COLORS + color * COLOR_UNITS
        _copy(room, _SPARE, room, at, COLOR_UNITS)
        _copy(room, at, room, _SHARED, COLOR_UNITS)
        add_product(room, at, weights, _COLOR + shift, _SPARE, COLOR_UNITS, COLOR_UNITS)
    _finish(room, weights, colors, _TO_TABLE + shift)


@njit
def evaluate_features(room: Floats, weights: Weights, colors: Whole) -> None:
    """Run the network on what lies at the begin of the room.

    Args:
        room: The features, `COLOR_WIDTH` a color and `GLOBAL_WIDTH`, and what is told of
            the other side, see `write_told`; the heads are written at `COLOR_OUT` and `TABLE_OUT`. See `new_room`.
        weights: The weights.
        colors: How many colors are in play.
    """
    room, weights = borrow(room), borrow(weights)
    _first_layer(room, weights, colors)
    for layer in range(NUM_LAYERS - 1):
        _later_layer(room, weights, colors, layer * _LAYER_SIZE)
    for color in range(colors):
        at, source = COLOR_OUT + color * COLOR_HEAD, _COLORS + color * COLOR_UNITS
        _copy(room, at, weights, _HEAD_BIAS, COLOR_HEAD)
        add_product(room, at, weights, _HEAD, source, COLOR_UNITS, COLOR_HEAD)
    _copy(room, TABLE_OUT, weights, _LAST_BIAS, TABLE_HEAD)
    add_product(room, TABLE_OUT, weights, _LAST, _ALL, TABLE_UNITS, TABLE_HEAD)


@njit
def evaluate(row: Row, seat: Whole, room: Floats, weights: Weights) -> None:
    """Run the network on what a seat may know of a row, telling nothing of the other side."""
    evaluate_told(row, seat, 0.0, room, weights)


@njit
def evaluate_told(row: Row, seat: Whole, told: float, room: Floats, weights: Weights) -> None:
    """Run the network on what a seat may know of a row.

    Args:
        row: The position.
        seat: Whose knowledge it is.
        told: What the moves say for an other side that plays by rules of thumb: the
            logarithm of a factor.
        room: Room to work in; see `evaluate_features`.
        weights: The weights.
    """
    features(row, seat, room)
    write_told(room, np.int64(num_colors(row)), told)
    evaluate_features(room, weights, np.int64(num_colors(row)))


@njit
def write_told(room: Floats, colors: Whole, told: float) -> None:
    """Write what is told of the other side behind the features: how sure it is, and its size."""
    at = _FEATURES + colors * COLOR_WIDTH + GLOBAL_WIDTH
    room[at] = _F(np.tanh(told * 0.5))
    room[at + 1] = _F(min(max(told / _MOST_TOLD, -1.0), 1.0))


def num_inputs(variant: Variant) -> int:
    """Return how many numbers the network reads: 554 with five colours, 658 with six."""
    return num_features(variant) + TOLD_WIDTH


def listens(weights: Weights) -> bool:
    """Return whether it makes a difference to the network what it is told of the other side."""
    return any(part_of(weights, name)[-TOLD_WIDTH:].any() for name in TOLD_PARTS)


def blind_to_match(weights: Weights) -> Weights:
    """Return weights that play every round as if it were the first of three.

    That is what a network does that plays for points: what it sees of the match is
    worked into the biases of the first layer.
    """
    blind = weights.copy()
    for bias, part in (("color_bias_0", "table_to_color_0"), ("table_bias_0", "table_0")):
        rows = part_of(blind, part)
        part_of(blind, bias)[:] += rows[MATCH_AT + 1] * _F(2 / ROUNDS_UNIT)
        rows[MATCH_AT : MATCH_AT + 2] = _ZERO
    return blind


class Thinker(NamedTuple):
    """The network with the room it works in; one for each thread. See `new_room`.

    Attributes:
        room: Room to work in.
        weights: The weights.
        told: What each seat is told of the other, `float64[2]`; see `evaluate_told`.
    """

    room: Floats
    weights: Weights
    told: npt.NDArray[np.float64]


NOBODY: Final[Weights] = np.zeros(0, np.float32)
"""The weights of a thinker that is never asked."""


def new_thinker(weights: Weights) -> Thinker:
    """Return the network with room to work in; it is told nothing."""
    return Thinker(new_room(), weights, np.zeros(2, np.float64))


@njit
def think(row: Row, seat: Whole, thinker: Thinker) -> None:
    """Run the network on what a seat may know of a row and is told; see `evaluate_told`."""
    evaluate_told(row, seat, thinker.told[seat], thinker.room, thinker.weights)


@njit
def logit_of(room: Floats, action: Whole, colors: Whole) -> np.float32:
    """Return what the network wrote for an action."""
    ten = 10 * colors
    if action < ten:
        return room[COLOR_OUT + action // 10 * COLOR_HEAD + action % 10]
    if action < 2 * ten:
        action -= ten
        return room[COLOR_OUT + action // 10 * COLOR_HEAD + 10 + action % 10]
    if action == 2 * ten:
        return room[TABLE_OUT]
    return room[COLOR_OUT + (action - 2 * ten - 1) * COLOR_HEAD + 20]


@njit
def read_policy(
    row: Row, room: Floats, actions: npt.NDArray[np.int64], chances: Floats, warmth: float
) -> Whole:
    """Write the legal actions with the chance that the network gives each of them.

    Args:
        row: The position.
        room: Where the network wrote its opinion.
        actions: Where the actions go, `int64[MAX_LEGAL]`, ascending.
        chances: Where their chances go, `float32[MAX_LEGAL]`; they add up to 1.
        warmth: By what the logits are divided.

    Returns:
        How many there are.
    """
    colors = np.int64(num_colors(row))
    count = legal_list(row, actions)
    highest = _F(-1e30)
    for index in range(count):
        logit = logit_of(room, actions[index], colors)
        chances[index] = logit
        highest = max(highest, logit)
    total = _ZERO
    for index in range(count):
        chance = _F(np.exp(np.float64(chances[index] - highest) / warmth))
        chances[index] = chance
        total += chance
    for index in range(count):
        chances[index] /= total
    return count


@njit
def read_margin(room: Floats) -> tuple[float, float]:
    """Return the expected final margin of the seat and its standard deviation, in points."""
    highest = _F(-1e30)
    for step in range(NUM_BINS):
        highest = max(highest, room[TABLE_OUT + 1 + step])
    total = mean = squares = 0.0
    for step in range(NUM_BINS):
        chance = np.exp(np.float64(room[TABLE_OUT + 1 + step] - highest))
        points = (step - NUM_BINS // 2) * BIN_WIDTH
        total += chance
        mean += chance * points
        squares += chance * points * points
    mean /= total
    return mean, np.sqrt(max(0.0, squares / total - mean * mean))


@njit
def read_thumbs(room: Floats, colors: Whole) -> float:
    """Return what the table says for an other side that plays by rules of thumb.

    The logarithm of a factor: by it the odds are to be multiplied that were there before.
    """
    total = 0.0
    for color in range(colors):
        total += np.float64(room[COLOR_OUT + color * COLOR_HEAD + THUMBS])
    return total * POOL


def step_chances(room: Floats) -> npt.NDArray[np.float64]:
    """Return how likely the network thinks each step of the margin is, `float64[NUM_BINS]`."""
    logits = room[TABLE_OUT + 1 : TABLE_OUT + 1 + NUM_BINS].astype(np.float64)
    chances = np.exp(logits - logits.max())
    return np.asarray(chances / chances.sum())
