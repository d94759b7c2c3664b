"""Who sits opposite, from what the other side did: as the network would, or by rules of thumb?

At each ply of the other side, hands are dealt that it may have held then; both players
are asked what they would do with each. The one that expected more of what was done is
the likelier one.

Moves of one hand are taken as if each came of a hand of its own, so what they say is too
much: it counts for `MOVES_ALONE` where the network is told of it.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, njit
from lostcities.kernel.belief import hand_out_earliest, waiting_time
from lostcities.kernel.layout import (
    CARD_PHASE,
    CONFIG,
    DECK,
    KNOWN,
    MAX_CARDS,
    MAX_LEGAL,
    STANDING,
    WAGERS,
    Row,
    U,
)
from lostcities.kernel.lookahead import read_odds
from lostcities.kernel.network import Thinker, Weights, new_thinker, read_policy, think
from lostcities.kernel.policy import Work, policy_action
from lostcities.kernel.step import is_over, legal_list, mover, num_colors, phase, step
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, round_stream
from lostcities.kernel.worlds import collect_hidden

NUM_HANDS: Final = 64
"""Hands that are dealt for each ply."""
_SLIP: Final = 0.06
"""Share of the plies in which either player might do anything."""
MOVES_ALONE: Final = 0.4
"""What the evidence of moves counts for where nothing else is known. Fitted in experiment 0008."""
_USUAL_TOLD: Final = -0.1
"""What a network is told of another, for each card that was drawn. Counted in experiment 0009."""
_1, _2, _3, _6, _7 = U(1), U(2), U(3), U(6), U(7)
_8, _NIBBLE, _BYTE, _SIX_BITS = U(8), U(0xF), U(0xFF), U(0x3F)


class Reading(NamedTuple):
    """What both seats have read of a round so far.

    Attributes:
        evidence: What the moves say to each seat for rules of thumb on the other side,
            `float64[2]`: the logarithm of a factor.
        odds: Where each seat believes the unseen cards, `float64[2, 60]`; see `read_odds`.
        work: The taste of the rules of thumb that are expected, and room to work in.
    """

    evidence: npt.NDArray[np.float64]
    odds: npt.NDArray[np.float64]
    work: Work


@njit
def new_reading(work: Work) -> Reading:
    """Return a reading of a round that has not begun; see `policy.new_work`."""
    return Reading(np.zeros(2, np.float64), np.ones((2, 60), np.float64), work)


@njit
def begin_round(reading: Reading) -> None:
    """Forget what was read."""
    reading.evidence[:] = 0.0
    reading.odds[:] = 1.0


@njit
def usual_told(row: Row) -> float:
    """Return what a network is usually told of another one by now, in whole rounds before as well."""
    dealt = np.int64(_2 * ((row[CONFIG] >> _3) & _SIX_BITS))
    drawn = np.int64(row[DECK] & _BYTE) - dealt
    in_whole_rounds = np.int64((row[DECK] >> _8) & _BYTE) - dealt
    drawn += in_whole_rounds * (np.int64(row[STANDING] & _NIBBLE) - 1)
    return _USUAL_TOLD * np.float64(drawn)


def both_sides(weights: Weights, row: Row, seat: Whole, told: float) -> Thinker:
    """Return the network as it plays both sides of trials.

    Args:
        weights: The network.
        row: Where the trials begin.
        seat: Whose trials they are.
        told: What this seat is told; the other one is told what is usual.
    """
    player = new_thinker(weights)
    player.told[seat] = told
    player.told[1 - seat] = usual_told(row)
    return player


@njit
def read_ply(row: Row, action: Whole, ply: Whole, player: Thinker, reading: Reading) -> None:
    """Read a ply of the side to move before it is made, on behalf of the other seat.

    Args:
        row: The position before.
        action: What is done. Nothing is read of what everybody sees to be forced.
        ply: Its number in the round; names the hands that are dealt.
        player: The network of the seat that reads.
        reading: What was read so far; `odds` are of the reader's last own ply.
    """
    seat = np.int64(_1 - U(mover(row)))
    if phase(row) != CARD_PHASE and legal_list(row, np.zeros(MAX_LEGAL, np.int64)) == 1:
        return
    stream = round_stream(U(0), U(ply))
    odds = reading.odds[seat]
    reading.evidence[seat] += _evidence_of_ply(
        row, seat, action, stream, odds, player, reading.work
    )


@njit
def evidence_of_moves(
    start: Row,
    actions: npt.NDArray[np.int64],
    first: Whole,
    before: float,
    seat: Whole,
    player: Thinker,
    work: Work,
) -> float:
    """Return what the moves say for an other side that plays by rules of thumb.

    The logarithm of a factor, as of `network.read_thumbs`: the sum over its plies, each
    taken by itself. It is the same for every start that the seat cannot tell from this one.

    Args:
        start: The begin of the round, in any world that leads through these actions.
        actions: All plies since then, of both sides, `int64[P]`.
        first: The number of the first ply that is judged.
        before: What those before it said.
        seat: Whose knowledge is kept; the other one is judged.
        player: The network.
        work: The taste of the rules of thumb, and room to work in; see `policy.new_work`.

    Returns:
        Not a number where the actions are not legal from this start.
    """
    row, actions = borrow(start).copy(), borrow(actions)
    legal, reading = np.zeros(MAX_LEGAL, np.int64), new_reading(work)
    own_view, is_new = row.copy(), False
    reading.evidence[seat] = before
    for ply in range(actions.size):
        if is_over(row):
            return np.nan
        count = legal_list(row, legal)
        if _place_of(actions[ply], legal, count) < 0:
            return np.nan
        if np.int64(mover(row)) == seat:
            own_view[:], is_new = row, True
        elif ply >= first:
            if is_new:
                player.told[seat] = MOVES_ALONE * reading.evidence[seat]
                think(own_view, seat, player)
                read_odds(player.room, np.int64(num_colors(row)), reading.odds[seat])
                is_new = False
            read_ply(row, actions[ply], ply, player, reading)
        step(row, actions[ply])
    return reading.evidence[seat]


@njit
def _place_of(action: Whole, actions: npt.NDArray[np.int64], count: Whole) -> Whole:
    """Return where an action stands among the first ones of a list, -1 if it does not."""
    for place in range(count):
        if actions[place] == action:
            return place
    return -1


@njit
def _evidence_of_ply(
    row: Row,
    seat: Whole,
    action: Whole,
    stream: Word,
    odds: npt.NDArray[np.float64],
    player: Thinker,
    work: Work,
) -> float:
    """Return what one ply of the other side says for rules of thumb."""
    world, other = row.copy(), 1 - seat
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    num_hidden = collect_hidden(world, U(other), cards)
    hidden = np.sort(cards[:num_hidden])  # in whatever order they lie in this world
    legal, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    shown = _card_shown(row, U(other), action)
    by_network = by_thumbs = by_chance = 0.0
    player.told[other] = usual_told(row)
    for _ in range(NUM_HANDS):
        world[:] = row
        cards[:num_hidden] = hidden
        stream = _draw_times(hidden, shown, stream, odds, keys)
        hand_out_earliest(world, U(other), cards, num_hidden, keys)
        think(world, other, player)
        count = read_policy(world, player.room, legal, chances, 1.0)
        by_network += np.float64(chances[_place_of(action, legal, count)])
        by_thumbs += 1.0 if policy_action(world, work) == action else 0.0
        by_chance += 1.0 / count
    by_network += _SLIP / (1.0 - _SLIP) * by_chance
    by_thumbs += _SLIP / (1.0 - _SLIP) * by_chance
    return np.log(by_thumbs) - np.log(by_network)


@njit
def _card_shown(row: Row, other: Word, action: Whole) -> Whole:
    """Return the type of the card that an action shows to have been in the hand, -1 for none."""
    ten = 10 * np.int64(num_colors(row))
    if action >= 2 * ten:
        return -1
    card_type = action % ten
    if card_type % 10 == 0:
        is_known = (row[WAGERS + other] >> U(card_type)) >> _6 & _7
    else:
        is_known = (row[KNOWN + other] >> U(card_type)) & _1
    return -1 if is_known else card_type


@njit
def _draw_times(
    cards: CardTypes,
    shown: Whole,
    stream: Word,
    odds: npt.NDArray[np.float64],
    keys: npt.NDArray[np.float64],
) -> Word:
    """Draw how long each card waits for its place in the other hand; a card that was shown is first."""
    is_missing = shown >= 0
    for index in range(cards.size):
        stream = advance(stream)
        keys[index] = waiting_time(stream, odds[cards[index]])
        if is_missing and cards[index] == shown:
            keys[index], is_missing = -1.0, False
    return stream
