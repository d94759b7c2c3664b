"""Windows of play, to learn from: many games side by side, a number of plies each.

Who sits where is told by a controller for each seat of each game: the network
that learns, another network, or one of the bots that do not learn. What the
learner needs is written down ply by ply. Games go on from window to window;
where a round ends, the next one is dealt, with a standing of its own.
Every game has its own stream, so any split over threads plays the same games.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import ctz, njit, popcount, row_of
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.features import features
from lostcities.kernel.layout import (
    DECK,
    HAND,
    KNOWN,
    MAX_CARDS,
    MAX_LEGAL,
    NUM_WORDS,
    PLAYED,
    STALL,
    STANDING,
    TURN,
    WAGER_BITS,
    WAGERS,
    Row,
    Rows,
    U,
    new_row,
    num_actions,
)
from lostcities.kernel.lookahead import read_odds
from lostcities.kernel.network import (
    NUM_BINS,
    TABLE_OUT,
    Floats,
    Thinker,
    Weights,
    evaluate_told,
    num_inputs,
    read_policy,
    write_told,
)
from lostcities.kernel.opposite import MOVES_ALONE, Reading, begin_round, read_ply
from lostcities.kernel.oracle import ORACLE_WIDTH, oracle_features
from lostcities.kernel.policy import Work, policy_action
from lostcities.kernel.step import (
    deck_card,
    is_over,
    legal_list,
    legal_mask,
    mover,
    num_colors,
    phase,
    score,
    step,
)
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, below, mix
from lostcities.rules import Standing, Variant

LEARNER: Final = 0
"""The network that learns; its plies are written down."""
OTHER: Final = 1
"""Another network, such as a past self."""
RULES_OF_THUMB: Final = 2
"""The policy of the heuristic."""
STALLER: Final = 3
"""Always discards its lowest card, and takes whenever it may."""
TEACHER: Final = 4
"""The policy of the heuristic; its plies are written down."""
RANDOM: Final = 5
"""Any legal action."""

(PLIES, TAKES, FORCED, PATH) = range(4)
NUM_TALLIES: Final = 4
NUM_FACTS: Final = 12
FACTS: Final = (
    "score_0", "score_1", "plies", "takes", "forced", "wagers_0", "wagers_1",
    "expeditions_0", "expeditions_1", "bonuses_0", "bonuses_1", "below_20",
)  # fmt: skip
"""What is written down of a finished round; `below_20` counts lost expeditions of both seats."""

Bytes: TypeAlias = npt.NDArray[np.int8]

_0, _1, _3, _6, _7, _8 = U(0), U(1), U(3), U(6), U(7), U(8)
_TEN, _32 = U(10), U(32)
_BYTE: Final = U(0xFF)
_LOW: Final = U(0xFFFFFFFF)
_NIBBLE: Final = U(0xF)
_RANKS: Final = U(0x1FF)
_PER_WORD: Final = 1.0 / 4294967296.0
_SIXTHS: Final = 6
_MOST_TURNS_OF_STANDING: Final = 48


class Games(NamedTuple):
    """Games side by side, `N` of them; a tuple, so that a kernel is handed it whole.

    Attributes:
        rows: The positions, `uint64[N, 32]`; they move on.
        streams: One state for each game, `uint64[N]`; advanced.
        controllers: Who sits where, `int8[N, 2]`.
        tallies: What is counted of the running rounds, and a number by which what the seats
            are told is drawn, `int64[N, NUM_TALLIES]`.
    """

    rows: Rows
    streams: Row
    controllers: Bytes
    tallies: npt.NDArray[np.int64]


class Paths(NamedTuple):
    """What seats are told of the other side while games are played that nobody reads.

    To read moves takes longer than to play them. So what seats were told in rounds that were
    read, turn by turn, is told again in other rounds against the same kind of player.

    Attributes:
        told: `float32[KINDS, R, TURNS]`: against each kind of player, in each of so many rounds,
            what a seat was told behind so many turns of the other side; nothing is told if `R` is 0.
        other: The kind of the player that `OTHER` is.
        share: How often a seat is told anything.
    """

    told: Floats
    other: Whole
    share: float


LIKE_ITSELF, LIKE_THUMBS, LIKE_STALLER = 0, 1, 2
"""Kinds of players that `Paths` begin with; those of rivals stand behind."""
MOST_TURNS: Final = 64
"""Turns of a seat for which a path is kept; later ones are told what the last of them was."""


def no_paths() -> Paths:
    """Return paths by which nobody is told anything."""
    return Paths(np.zeros((3, 0, MOST_TURNS), np.float32), 0, 0.0)


class Window(NamedTuple):
    """What was written down, `T` plies of `N` games; entries of plies that nobody learns from are void.

    Attributes:
        features: What the mover might know and was told, `float32[T, N, F + 2]`.
        masks: Its legal actions, `uint8[T, N, A]`.
        actions: What it did, `int16[T, N]`.
        movers: Its seat, `int8[T, N]`.
        is_recorded: Whether the mover was one to learn from, `int8[T, N]`.
        chances: How likely the chosen action was, `float32[T, N]`.
        sharpness: How likely the likeliest action was, `float32[T, N]`.
        bins: What the network thought of the final margin, `float32[T, N, NUM_BINS]`.
        hidden: For each kind of card (`10 C`), how many sixths of its unseen copies
            the other hand held, -1 where no copy is unseen; `int8[T, N, 10 C]`.
        oracle: What the mover could not know, see `kernel.oracle`, `float32[T, N, 72 C]`;
            `float32[T, N, 0]` where nobody asks.
        is_last: Whether the round ended with this ply, `int8[T, N]`.
        has_thumbs: Whether the other side played by rules of thumb, `int8[T, N]`.
        margins: By how much seat 0 won a round that ended, `float32[T, N]`.
        facts: What is known of a round that ended, see `FACTS`, `int16[T, N, NUM_FACTS]`.
    """

    features: Floats
    masks: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int16]
    movers: Bytes
    is_recorded: Bytes
    chances: Floats
    sharpness: Floats
    bins: Floats
    hidden: Bytes
    oracle: Floats
    is_last: Bytes
    has_thumbs: Bytes
    margins: Floats
    facts: npt.NDArray[np.int16]

    @classmethod
    def empty(
        cls, variant: Variant, num_plies: int, num_games: int, *, has_oracle: bool = False
    ) -> "Window":
        """Make room for a window."""
        shape = (num_plies, num_games)
        return cls(
            features=np.zeros((*shape, num_inputs(variant)), np.float32),
            masks=np.zeros((*shape, num_actions(variant)), np.uint8),
            actions=np.zeros(shape, np.int16),
            movers=np.zeros(shape, np.int8),
            is_recorded=np.zeros(shape, np.int8),
            chances=np.ones(shape, np.float32),
            sharpness=np.ones(shape, np.float32),
            bins=np.zeros((*shape, NUM_BINS), np.float32),
            hidden=np.zeros((*shape, 10 * variant.num_colors), np.int8),
            oracle=np.zeros((*shape, ORACLE_WIDTH * variant.num_colors * has_oracle), np.float32),
            is_last=np.zeros(shape, np.int8),
            has_thumbs=np.zeros(shape, np.int8),
            margins=np.zeros(shape, np.float32),
            facts=np.zeros((*shape, NUM_FACTS), np.int16),
        )


@njit
def hidden_shares(row: Row, seat: Whole, out: Bytes) -> None:
    """Write, for each kind of card, how many sixths of its unseen copies the other hand holds.

    Args:
        row: The position.
        seat: Whose view it is.
        out: Where it goes, `int8[10 C]`; -1 where no copy is unseen.
    """
    other = U(1 - seat)
    size = np.int64(_TEN * num_colors(row))
    for kind in range(size):
        out[kind] = -1
    for index in range(row[DECK] & _BYTE, row[DECK] >> _8):
        out[deck_card(row, U(index))] = 0
    hidden = row[HAND + other] & ~(row[KNOWN + other] & ~WAGER_BITS)
    while hidden != _0:
        place = ctz(hidden)
        hidden &= hidden - _1
        if place % _TEN != _0:
            out[place] = _SIXTHS
            continue
        field = row[WAGERS + other] >> place
        held = np.int64(field & _7) - np.int64((field >> _6) & _7)
        if held > 0:
            copies = held
            for index in range(row[DECK] & _BYTE, row[DECK] >> _8):
                copies += deck_card(row, U(index)) == place
            out[place] = _SIXTHS * held // copies


@njit
def lowest_discard(row: Row) -> Whole:
    """Return the discard of the lowest card of the hand, by rank and then by color."""
    hand = row[HAND + mover(row)]
    best, lowest = np.int64(-1), np.int64(99)
    while hand != _0:
        kind = np.int64(ctz(hand))
        hand &= hand - _1
        if kind % 10 < lowest:
            lowest, best = kind % 10, kind
    return best + np.int64(_TEN * num_colors(row))


@njit
def stalling_action(row: Row, actions: npt.NDArray[np.int64]) -> Whole:
    """Return what a player does who wants no end: the lowest discard, the first open pile."""
    if phase(row) == _0:
        return lowest_discard(row)
    return actions[1] if legal_list(row, actions) > 1 else actions[0]


@njit
def is_take_refused(row: Row) -> bool:
    """Return whether the stall guard leaves only the deck although another pile has a card."""
    turn = row[TURN]
    closed = (turn >> _3) & _7
    stall = row[STALL]
    piles = (turn >> _8) & U(0x3F)
    if closed == _7 or (stall & _LOW) < (stall >> _32):
        return False
    return (piles & ~(_1 << closed)) != _0


@njit
def _write_facts(row: Row, tallies: npt.NDArray[np.int64], facts: npt.NDArray[np.int16]) -> None:
    facts[0] = score(row, 0)
    facts[1] = score(row, 1)
    facts[2] = tallies[PLIES]
    facts[3] = tallies[TAKES]
    facts[4] = tallies[FORCED]
    facts[11] = 0
    for seat in range(2):
        wagers = expeditions = bonuses = np.int64(0)
        for index in range(num_colors(row)):
            shift = _TEN * U(index)
            ranks = (row[PLAYED + U(seat)] >> (shift + _1)) & _RANKS
            its_wagers = np.int64((row[WAGERS + U(seat)] >> (shift + _3)) & _7)
            cards = np.int64(popcount(ranks)) + its_wagers
            wagers += its_wagers
            expeditions += cards > 0
            bonuses += cards >= 8
            total = np.int64(0)
            for rank in range(9):
                total += (rank + 2) * np.int64((ranks >> U(rank)) & _1)
            facts[11] += cards > 0 and total < 20
        facts[5 + seat] = wagers
        facts[7 + seat] = expeditions
        facts[9 + seat] = bonuses


@njit
def _choose(chances: Floats, count: Whole, half: float) -> Whole:
    """Return the place of a choice by chances; *half* is a number from 0 to below 1."""
    for index in range(count - 1):
        half -= chances[index]
        if half < 0.0:
            return index
    return count - 1


@njit
def _bot_action(
    row: Row, controller: Whole, word: Word, actions: npt.NDArray[np.int64], work: Work
) -> Whole:
    """Return what a bot does that needs no network."""
    if controller == RANDOM:
        count = legal_list(row, actions)
        return actions[below(word >> _32, U(count))]
    if controller == STALLER:
        return stalling_action(row, actions)
    return policy_action(row, work)


@njit
def play_rounds(
    begin: Whole,
    end: Whole,
    rows: Rows,
    controllers: Bytes,
    seed: Word,
    weights: Weights,
    other_weights: Weights,
    warmth: float,
    facts: npt.NDArray[np.int16],
    reads: npt.NDArray[np.bool_],
    told: Floats,
    room: Floats,
    work: Work,
    reading: Reading,
) -> None:
    """Play rounds *begin* to *end* out, in place, and write down what is known of them.

    Args:
        begin: The first.
        end: The one behind the last.
        rows: The positions, `uint64[N, 32]`; afterwards the ends.
        controllers: Who sits where, `int8[N, 2]`.
        seed: Of what is left to chance.
        weights: The network of `LEARNER`.
        other_weights: That of `OTHER`.
        warmth: By what the logits of networks are divided; 0 plays the likeliest.
        facts: See `FACTS`, `int16[N, NUM_FACTS]`.
        reads: Whether `LEARNER` and `OTHER` read the moves of the other side, `bool[2]`.
        told: What `LEARNER` was told behind so many turns of the other side, `float32[N, TURNS]`;
            if it sits in both seats, what the first was in even rounds and the second in odd ones.
        room: Room to work in; see `network.new_room`.
        work: See `policy.new_work`.
        reading: See `opposite.new_reading`.
    """
    actions = np.zeros(MAX_LEGAL, np.int64)
    chances = np.zeros(MAX_LEGAL, np.float32)
    tallies = np.zeros(NUM_TALLIES, np.int64)
    is_read, nothing = reads.any(), np.zeros(2, np.float64)
    players = (Thinker(room, weights, nothing), Thinker(room, other_weights, nothing.copy()))
    for game in range(begin, end):
        row = row_of(rows, game)
        tallies[:] = 0
        begin_round(reading)
        seat_told = game % 2 if controllers[game, game % 2] == LEARNER else 1 - game % 2
        stream = mix(seed + U(game))
        while not is_over(row):
            stream = advance(stream)
            word = mix(stream)
            seat = np.int64(mover(row))
            controller = controllers[game, seat]
            if controller in (LEARNER, OTHER):
                its_weights = weights if controller == LEARNER else other_weights
                now = MOVES_ALONE * reading.evidence[seat]
                if seat == seat_told and phase(row) == _0:
                    _write_path(told, game, _turns_seen(tallies), now)
                evaluate_told(row, seat, now, room, its_weights)
                if is_read:
                    read_odds(room, np.int64(num_colors(row)), reading.odds[seat])
                count = read_policy(row, room, actions, chances, max(warmth, 1e-3))
                if warmth > 0.0:
                    place = _choose(chances, count, np.float64(word >> _32) * _PER_WORD)
                else:
                    place = np.int64(chances[:count].argmax())
                action = actions[place]
            else:
                action = _bot_action(row, controller, word, actions, work)
            reader = controllers[game, 1 - seat]
            if reader == LEARNER and reads[0]:
                read_ply(row, action, tallies[PLIES], players[0], reading)
            elif reader == OTHER and reads[1]:
                read_ply(row, action, tallies[PLIES], players[1], reading)
            _count(row, action, tallies)
            step(row, action)
        _write_facts(row, tallies, facts[game])


@njit
def _turns_seen(tallies: npt.NDArray[np.int64]) -> Whole:
    """Return how many turns of the other side the seat to move has seen."""
    return (tallies[PLIES] // 2 + 1) // 2


@njit
def _write_path(told: Floats, game: Whole, turn: Whole, now: float) -> None:
    """Write what is told from a turn on."""
    for index in range(turn, told.shape[1]):
        told[game, index] = np.float32(now)


@njit
def told_by(
    paths: Paths, other: Whole, tallies: npt.NDArray[np.int64], seat: Whole, number: Whole
) -> float:
    """Return what a seat is told in a window.

    In later rounds of a match it remembers what as many whole rounds told it.

    Args:
        paths: By which it is told.
        other: The controller of the other side.
        tallies: Of the running round.
        seat: The seat.
        number: Of the running round in its match, from 1 on.
    """
    told, kind, share = paths
    word = mix(U(tallies[PATH]) + U(seat))
    if told.shape[1] == 0 or np.float64(word & _LOW) * _PER_WORD >= share:
        return 0.0
    if other == LEARNER:
        kind = LIKE_ITSELF
    elif other == STALLER:
        kind = LIKE_STALLER
    elif other != OTHER:
        kind = LIKE_THUMBS
    turn = min(_turns_seen(tallies), told.shape[2] - 1)
    heard = np.float64(told[kind, below(word >> _32, U(told.shape[1])), turn])
    for earlier in range(1, number):
        word = mix(word + U(earlier))
        heard += told[kind, below(word >> _32, U(told.shape[1])), told.shape[2] - 1]
    return heard


@njit
def _count(row: Row, action: Whole, tallies: npt.NDArray[np.int64]) -> None:
    """Count a ply, and whether it takes a discard or has to leave it."""
    tallies[PLIES] += 1
    if phase(row) == _1:
        tallies[TAKES] += action != np.int64(_TEN * U(2) * num_colors(row))
        tallies[FORCED] += is_take_refused(row)


@njit
def _write_unseen(row: Row, seat: Whole, hidden: Bytes, oracle: Floats) -> None:
    """Write what the mover could not know."""
    hidden_shares(row, seat, hidden)
    if oracle.size > 0:
        oracle_features(row, seat, oracle)


@njit
def play_window(
    begin: Whole,
    end: Whole,
    games: Games,
    starts: Rows,
    types: CardTypes,
    weights: Weights,
    other_weights: Weights,
    warmth: float,
    slip: float,
    paths: Paths,
    window: Window,
    room: Floats,
    work: Work,
) -> None:
    """Play games *begin* to *end* for a window.

    Args:
        begin: The first.
        end: The one behind the last.
        games: All games; those of the part are played on.
        starts: Rows to deal from, `uint64[K, 32]`: one of them for each round.
        types: The sorted deck.
        weights: The learner's.
        other_weights: Those of `OTHER`.
        warmth: By what the logits of networks are divided.
        slip: How often a teacher does anything instead; what it meant is written down.
        paths: What seats are told of the other side.
        window: Where it is written down.
        room: Room to work in; see `network.new_room`.
        work: See `policy.new_work`.
    """
    rows, streams, controllers, tallies = games  # once: in the loop it would cost
    (
        features_out, masks, actions_out, movers, is_recorded, chances_out, sharpness, bins,
        hidden, oracle, is_last, has_thumbs, margins, facts,
    ) = window  # fmt: skip
    cards = np.zeros(MAX_CARDS, np.uint8)
    actions = np.zeros(MAX_LEGAL, np.int64)
    chances = np.zeros(MAX_LEGAL, np.float32)
    for game in range(begin, end):
        row = row_of(rows, game)
        stream = streams[game]
        for ply in range(movers.shape[0]):
            stream = advance(stream)
            word = mix(stream)
            chance = np.float64(word >> _32) * _PER_WORD
            seat = np.int64(mover(row))
            controller = controllers[game, seat]
            movers[ply, game] = seat
            is_recorded[ply, game] = is_noted = controller in (LEARNER, TEACHER)
            if is_noted:
                legal_mask(row, masks[ply, game])
                _write_unseen(row, seat, hidden[ply, game], oracle[ply, game])
                has_thumbs[ply, game] = controllers[game, 1 - seat] in (RULES_OF_THUMB, TEACHER)
            number = np.int64(row[STANDING] & _NIBBLE)
            told = told_by(paths, controllers[game, 1 - seat], tallies[game], seat, number)
            if controller in (LEARNER, OTHER):
                its_weights = weights if controller == LEARNER else other_weights
                evaluate_told(row, seat, told, room, its_weights)
                count = read_policy(row, room, actions, chances, warmth)
                place = _choose(chances, count, chance)
                action = actions[place]
                chances_out[ply, game] = chances[place]
                sharpness[ply, game] = chances[:count].max()
                if is_noted:
                    at = features_out[ply, game].size
                    features_out[ply, game] = room[:at]
                    _write_bins(room, bins[ply, game])
            else:
                action = _bot_action(row, controller, word, actions, work)
                if is_noted:
                    features(row, seat, features_out[ply, game])
                    write_told(features_out[ply, game], np.int64(num_colors(row)), told)
            actions_out[ply, game] = action
            if controller == TEACHER and np.float64(word & _LOW) * _PER_WORD < slip:
                count = legal_list(row, actions)
                action = actions[below(word >> _32, U(count))]
            _count(row, action, tallies[game])
            step(row, action)
            is_last[ply, game] = is_over(row)
            if is_last[ply, game]:
                margins[ply, game] = score(row, 0) - score(row, 1)
                _write_facts(row, tallies[game], facts[ply, game])
                stream = _next_round(row, tallies[game], starts, types, cards, stream)
        streams[game] = stream


@njit
def _next_round(
    row: Row,
    tallies: npt.NDArray[np.int64],
    starts: Rows,
    types: CardTypes,
    cards: CardTypes,
    stream: Word,
) -> Word:
    """Deal a game its next round, in place, and return the stream's new state."""
    stream = advance(stream)
    tallies[:] = 0
    tallies[PATH] = np.int64(mix(stream + _1))
    row[:] = starts[below(mix(stream) >> _32, U(starts.shape[0]))]
    return shuffle_and_deal(row, types, cards, stream)


@njit
def _write_bins(room: Floats, out: Floats) -> None:
    highest = np.float32(-1e30)
    for index in range(NUM_BINS):
        highest = max(highest, room[TABLE_OUT + 1 + index])
    total = np.float32(0)
    for index in range(NUM_BINS):
        out[index] = np.float32(np.exp(room[TABLE_OUT + 1 + index] - highest))
        total += out[index]
    for index in range(NUM_BINS):
        out[index] /= total


def start_rows(variant: Variant, num: int, *, seed: int) -> Rows:
    """Return rows to deal from, each somewhere in a match: any starter and lead.

    Half of them are first rounds, where nothing but the points counts.
    """
    rng = np.random.default_rng(seed)
    rows = np.zeros((num, NUM_WORDS), np.uint64)
    for row in rows:
        number = max(1, int(rng.integers(4)))
        spread = 40.0 * (number - 1) ** 0.5
        totals = [round(rng.normal(35.0 * (number - 1), spread / 2**0.5)) for _ in range(2)]
        standing = Standing(
            round_number=number, num_rounds=3, starter=int(rng.integers(2)),
            totals=(totals[0], totals[1]),
        )  # fmt: skip
        row[:] = new_row(variant, standing)
    return rows
