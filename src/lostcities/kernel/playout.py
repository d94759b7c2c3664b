"""Rounds of uniformly random play: uniform over the distinct card moves, then over the open draws.

Two forms play the same games. The *readable* one takes whole plies through
`step`; the *tuned* one keeps the round in registers and has no branch that
depends on a random number, because a mispredicted one costs as much as a whole
ply. One random word a turn: its high half picks the card move, its low half
the draw.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, ctz, njit, popcount, select_bit
from lostcities.kernel.layout import (
    CARD_PHASE,
    CARDS,
    CLOSES,
    CONFIG,
    DECK,
    DRAW_PHASE,
    HAND,
    MAX_CARDS,
    MAX_COLORS,
    OPEN,
    PILED,
    PLAYED,
    STALL,
    TURN,
    WAGER_BITS,
    WAGERS,
    Row,
    U,
    card_types,
    new_row,
)
from lostcities.kernel.step import (
    deal,
    is_over,
    mover,
    num_colors,
    open_piles,
    phase,
    score,
    score_words,
    step,
)
from lostcities.kernel.streams import (
    CardTypes,
    Word,
    advance,
    below,
    mix,
    round_stream,
    shuffle,
    to_word,
)
from lostcities.rules import Variant

Stats: TypeAlias = npt.NDArray[np.int64]
Form: TypeAlias = Literal["tuned", "readable"]

_0, _1, _2, _3, _4, _7, _8 = U(0), U(1), U(2), U(3), U(4), U(7), U(8)
_TEN, _ELEVEN, _20 = U(10), U(11), U(20)
_S16, _S32, _S56 = U(16), U(32), U(56)
_BYTE, _LOW_HALF, _LOW_16 = U(0xFF), U(0xFFFFFFFF), U(0xFFFF)
_NIBBLE, _PILE_MASK = U(0xF), U(0x3F)
_ALL_ONES: Final = U(0xFFFFFFFFFFFFFFFF)

SLOTS: Final = np.array(
    [1 + card_type // 10 if card_type < 10 * MAX_COLORS else 0 for card_type in range(64)],
    np.uint64,
)
"""For each type `uint64[64]`, the draw that brings a card from the pile of its colour: 1 to 6."""
MARKS: Final = np.array([card_type % 10 + 1 for card_type in range(64)], np.uint64)
"""For each type `uint64[64]`, its nibble in a pile."""

NUM_ROUNDS, NUM_TURNS, SUM_0, SUM_1, SQUARES_0, SQUARES_1 = range(6)
WINS_0, WINS_1, FEWEST_TURNS, MOST_TURNS, HASH = range(6, 11)
NUM_STATS: Final = 11


# --- the readable form -------------------------------------------------------------------------


@njit
def random_card_action(row: Row, half: Word) -> Word:
    """Return a legal card action, uniformly: plays come before discards.

    Args:
        row: A position in the card phase.
        half: 32 random bits.
    """
    seat = mover(row)
    hand = row[HAND + seat]
    plays = hand & row[OPEN + seat]
    num_plays = popcount(plays)
    rank = below(half, num_plays + popcount(hand))
    if rank < num_plays:
        return ctz(select_bit(plays, rank))
    return _TEN * num_colors(row) + ctz(select_bit(hand, rank - num_plays))


@njit
def random_draw_action(row: Row, half: Word) -> Word:
    """Return a legal draw, uniformly: the deck comes before the piles.

    Args:
        row: A position in the draw phase.
        half: 32 random bits.
    """
    sources = (open_piles(row) << _1) | _1
    rank = below(half, popcount(sources))
    return _20 * num_colors(row) + ctz(select_bit(sources, rank))


@njit
def random_action(row: Row, half: Word) -> Word:
    """Return a legal action of a round that is not over, uniformly, from 32 random bits."""
    if phase(row) == CARD_PHASE:
        return random_card_action(row, half)
    return random_draw_action(row, half)


@njit
def playout_readable(row: Row, stream: Word) -> int:
    """Play a round to its end, in place, ply by ply, and return how many turns that took.

    Args:
        row: The position; afterwards the end of the round.
        stream: State of the random stream.
    """
    row = borrow(row)
    turns = 0
    state = U(stream)
    while not is_over(row):
        state = advance(state)
        word = mix(state)
        if phase(row) == CARD_PHASE:
            step(row, np.int64(random_card_action(row, word >> _S32)))
        step(row, np.int64(random_draw_action(row, word & _LOW_HALF)))
        turns += 1
    return turns


# --- the tuned form ----------------------------------------------------------------------------


@njit
def _card_half(
    half: Word,
    hand: Word,
    fitting: Word,
    played: Word,
    wagers: Word,
    sources: Word,
    stacks: Row,
) -> tuple[Word, Word, Word, Word, Word, Word]:
    """Put a random card down: hand, fitting, played, wagers, sources and the slot discarded to.

    A slot is a draw: 0 the deck, 1 to 6 the piles. *sources* has a bit for each
    draw that there is, and bit 0 always. A play pushes its card on slot 0, which
    nobody reads, so that both kinds of move are the same instructions.
    """
    plays = hand & fitting
    num_plays = popcount(plays)
    rank = below(half, num_plays + popcount(hand))
    discards = _0 - U(rank >= num_plays)  # all ones if it is a discard
    bit = select_bit(hand & (fitting | discards), rank - (num_plays & discards))
    card_type = ctz(bit)
    wager = bit & WAGER_BITS
    wagers -= wager
    bit_to_clear = bit if wagers & (wager * _7) == _0 else _0
    hand ^= bit_to_clear
    wagers += (wager << _3) & ~discards
    played |= bit & ~discards
    fitting &= ~(CLOSES[card_type] & ~discards)
    slot = SLOTS[card_type] & discards
    stacks[slot] = (stacks[slot] << _4) | MARKS[card_type]
    return hand, fitting, played, wagers, sources | (_1 << slot), slot


@njit
def _draw_half(
    half: Word,
    open_sources: Word,
    hand: Word,
    wagers: Word,
    sources: Word,
    next_card: Word,
    deck: CardTypes,
    stacks: Row,
) -> tuple[Word, Word, Word, Word, Word]:
    """Draw a random card: hand, wagers, sources, next card and the slot drawn from."""
    slot = ctz(select_bit(open_sources, below(half, popcount(open_sources))))
    stack = stacks[slot]
    left = stack >> _4
    stacks[slot] = left
    from_pile = _TEN * slot + (stack & _NIBBLE) - _ELEVEN
    from_deck = U(deck[next_card])
    card_type = from_deck if slot == _0 else from_pile
    next_card += U(slot == _0)
    sources = (sources & ~(U(left == _0) << slot)) | _1
    bit = _1 << card_type
    return hand | bit, wagers + (bit & WAGER_BITS), sources, next_card, slot


@njit
def _open_sources(sources: Word, slot: Word, stall: Word, options: Any) -> Word:  # noqa: ANN401 # None or two words
    """Return the draws that are open after a card went to *slot* (0: it was played)."""
    if options is None:
        return (sources & ~(_1 << slot)) | _1
    block, limit = options
    open_now = (sources & ~(block << slot)) | _1
    return _1 if slot != _0 and stall >= limit else open_now


@njit
def _turn(
    word: Word,
    hand: Word,
    fitting: Word,
    played: Word,
    wagers: Word,
    sources: Word,
    next_card: Word,
    stall: Word,
    deck: CardTypes,
    stacks: Row,
    options: Any,  # noqa: ANN401 # None or two words: compiled once for each
) -> tuple[Word, Word, Word, Word, Word, Word, Word]:
    """Play one whole random turn of the side to whom the first words belong."""
    hand, fitting, played, wagers, sources, put = _card_half(
        word >> _S32, hand, fitting, played, wagers, sources, stacks
    )
    open_now = _open_sources(sources, put, stall, options)
    hand, wagers, sources, next_card, taken = _draw_half(
        word & _LOW_HALF, open_now, hand, wagers, sources, next_card, deck, stacks
    )
    if options is not None:
        stall = stall + _1 if put != _0 and taken != _0 else _0
    return hand, fitting, played, wagers, sources, next_card, stall


@njit
def _play_on(
    stream: Word,
    hand: Word,
    fitting: Word,
    played: Word,
    wagers: Word,
    other_hand: Word,
    other_fitting: Word,
    other_played: Word,
    other_wagers: Word,
    sources: Word,
    next_card: Word,
    stall: Word,
    num_cards: Word,
    deck: CardTypes,
    stacks: Row,
    options: Any,  # noqa: ANN401 # None or two words: compiled once for each
) -> tuple[Word, Word, Word, Word, int]:
    """Play a round to its end from its card phase.

    The loop holds a turn of each side, so that nothing is swapped.

    Returns:
        Played cards and wagers of the side to move, the same of the other side,
        and the number of turns.
    """
    turns = 0
    while True:
        stream = advance(stream)
        hand, fitting, played, wagers, sources, next_card, stall = _turn(
            mix(stream), hand, fitting, played, wagers, sources, next_card, stall,
            deck, stacks, options,
        )  # fmt: skip
        turns += 1
        if next_card == num_cards:
            break
        stream = advance(stream)
        other_hand, other_fitting, other_played, other_wagers, sources, next_card, stall = _turn(
            mix(stream), other_hand, other_fitting, other_played, other_wagers,
            sources, next_card, stall, deck, stacks, options,
        )  # fmt: skip
        turns += 1
        if next_card == num_cards:
            break
    return played, wagers, other_played, other_wagers, turns


@njit
def _is_standard(row: Row) -> bool:
    """Return whether the own-discard block is on and the stall guard off."""
    return (row[CONFIG] >> _S56) & _1 == _1 and row[STALL] >> _S32 == _LOW_HALF


@njit
def playout(row: Row, stream: Word) -> tuple[np.int64, np.int64, int]:
    """Play a round to its end with all speed.

    Plays exactly the game of `playout_readable`, but keeps no books.

    Args:
        row: The position. Work on a copy: afterwards it means nothing.
        stream: State of the random stream.

    Returns:
        The final score of seat 0, of seat 1, and how many turns were played.
    """
    if _is_standard(row):
        return _playout(row, U(stream), None)
    return _playout(row, U(stream), ((row[CONFIG] >> _S56) & _1, row[STALL] >> _S32))


@njit
def _playout(row: Row, stream: Word, options: Any) -> tuple[np.int64, np.int64, int]:  # noqa: ANN401 # None or two words: compiled once for each
    row = borrow(row)
    turns = 0
    if phase(row) == DRAW_PHASE:
        stream = advance(stream)
        step(row, np.int64(random_draw_action(row, mix(stream) & _LOW_HALF)))
        turns = 1
    if is_over(row):
        return score(row, 0), score(row, 1), turns
    seat = mover(row)
    other = _1 - seat
    played, wagers, other_played, other_wagers, more = _play_on(
        stream,
        row[HAND + seat], row[OPEN + seat], row[PLAYED + seat], row[WAGERS + seat],
        row[HAND + other], row[OPEN + other], row[PLAYED + other], row[WAGERS + other],
        ((row[TURN] >> _8) & _PILE_MASK) << _1 | _1,
        row[DECK] & _BYTE,
        row[STALL] & _LOW_HALF,
        row[DECK] >> _8,
        row[CARDS:].view(np.uint8),
        row[PILED:],
        options,
    )  # fmt: skip
    own = score_words(played, wagers, row[CONFIG])
    others = score_words(other_played, other_wagers, row[CONFIG])
    turns += more
    if seat == _0:
        return own, others, turns
    return others, own, turns


# --- many rounds -------------------------------------------------------------------------------


@njit
def _deal_in_registers(cards: CardTypes, hand_size: Word, first: Word) -> tuple[Word, Word]:
    """Return the hand and the wagers of every second card from *first* on."""
    hand = _0
    wagers = _0
    index = first
    for _ in range(hand_size):
        bit = _1 << U(cards[index])
        hand |= bit
        wagers += bit & WAGER_BITS
        index += _2
    return hand, wagers


@njit
def _fresh_round(
    row: Row,
    stream: Word,
    cards: CardTypes,
    num_cards: Word,
    stacks: Row,
    options: Any,  # noqa: ANN401 # None or two words: compiled once for each
) -> tuple[np.int64, np.int64, int]:
    """Deal shuffled cards and play them, all in registers; seat 0 starts."""
    hand_size = (row[CONFIG] >> _3) & _PILE_MASK
    hand, wagers = _deal_in_registers(cards, hand_size, _0)
    other_hand, other_wagers = _deal_in_registers(cards, hand_size, _1)
    for slot in range(_7):
        stacks[slot] = _0
    played, wagers, other_played, other_wagers, turns = _play_on(
        stream, hand, _ALL_ONES, _0, wagers, other_hand, _ALL_ONES, _0, other_wagers,
        _1, hand_size * _2, _0, num_cards, cards, stacks, options,
    )  # fmt: skip
    first = score_words(played, wagers, row[CONFIG])
    second = score_words(other_played, other_wagers, row[CONFIG])
    return first, second, turns


@njit
def _count(stats: Stats, number: Word, first: np.int64, second: np.int64, turns: int) -> None:
    """Add a round to the statistics; the hash is a sum over rounds, so parts can be added."""
    stats[NUM_ROUNDS] += 1
    stats[NUM_TURNS] += turns
    stats[SUM_0] += first
    stats[SUM_1] += second
    stats[SQUARES_0] += first * first
    stats[SQUARES_1] += second * second
    stats[WINS_0] += np.int64(first > second)
    stats[WINS_1] += np.int64(second > first)
    stats[FEWEST_TURNS] = min(stats[FEWEST_TURNS], turns)
    stats[MOST_TURNS] = max(stats[MOST_TURNS], turns)
    result = (U(turns) << _S32) | ((U(first) & _LOW_16) << _S16) | (U(second) & _LOW_16)
    stats[HASH] += np.int64(mix(result ^ mix(number)))


@njit
def _random_rounds(
    row: Row,
    types: CardTypes,
    seed: Word,
    first: Word,
    count: int,
    is_readable: bool,  # noqa: FBT001 # a compiled function has no keyword-only arguments
    stats: Stats,
) -> None:
    """Play rounds *first* to *first + count - 1* of a seed and add them to the statistics."""
    if _is_standard(row):
        _many(row, types, seed, first, count, is_readable, stats, None)
    else:
        options = ((row[CONFIG] >> _S56) & _1, row[STALL] >> _S32)
        _many(row, types, seed, first, count, is_readable, stats, options)


@njit
def _many(
    row: Row,
    types: CardTypes,
    seed: Word,
    first: Word,
    count: int,
    is_readable: bool,  # noqa: FBT001 # a compiled function has no keyword-only arguments
    stats: Stats,
    options: Any,  # noqa: ANN401 # None or two words: compiled once for each
) -> None:
    row = borrow(row)
    num_cards = U(types.size)
    cards = np.zeros(MAX_CARDS, np.uint8)
    stacks = np.zeros(8, np.uint64)
    for offset in range(count):
        number = first + U(offset)
        cards[: types.size] = types
        stream = shuffle(cards, num_cards, round_stream(seed, number))
        if is_readable:
            deal(row, cards)
            turns = playout_readable(row, stream)
            _count(stats, number, score(row, 0), score(row, 1), turns)
        else:
            one, other, turns = _fresh_round(row, stream, cards, num_cards, stacks, options)
            _count(stats, number, one, other, turns)


@dataclass(frozen=True, slots=True)
class RandomRounds:
    """What came of rounds of uniformly random play; seat 0 started all of them.

    Attributes:
        num_rounds: How many rounds.
        num_turns: Turns of all rounds; a turn is two plies.
        fewest_turns: Turns of the shortest round; 0 if there is no round.
        most_turns: Turns of the longest round.
        means: Mean score of each seat, in points.
        deviations: Standard deviation of the score of each seat, in points.
        wins: Rounds won by each seat.
        fingerprint: Equal for equal games: depends on the number, the scores
            and the length of every round.
    """

    num_rounds: int
    num_turns: int
    fewest_turns: int
    most_turns: int
    means: tuple[float, float]
    deviations: tuple[float, float]
    wins: tuple[int, int]
    fingerprint: int


def random_rounds(
    variant: Variant,
    *,
    seed: int,
    first: int = 0,
    count: int,
    form: Form = "tuned",
    threads: int = 1,
) -> RandomRounds:
    """Play rounds of uniformly random play, shuffle and deal included.

    Round number n of a seed is the same game however the work is split.

    Args:
        variant: The numbers of the game.
        seed: Chooses the games; its lowest 64 bits count.
        first: Number of the first round.
        count: How many rounds.
        form: 'tuned' or 'readable'; both play the same games.
        threads: How many threads share the work.

    Raises:
        ValueError: If count is negative or threads is not positive.
    """
    if count < 0 or threads < 1:
        raise ValueError(f"expected count >= 0 and threads >= 1, got {count} and {threads}")
    bounds = [count * part // threads for part in range(threads + 1)]
    parts = [(first + begin, end - begin) for begin, end in pairwise(bounds)]

    def run(part: tuple[int, int]) -> Stats:
        return _run_part(variant, seed, part, form)

    if threads == 1:
        return _summary([run(parts[0])])
    with ThreadPoolExecutor(threads) as pool:
        return _summary(list(pool.map(run, parts)))


def _run_part(variant: Variant, seed: int, part: tuple[int, int], form: Form) -> Stats:
    stats = np.zeros(NUM_STATS, np.int64)
    stats[FEWEST_TURNS] = np.iinfo(np.int64).max
    begin, count = part
    _random_rounds(
        new_row(variant), card_types(variant), to_word(seed), to_word(begin), count,
        form == "readable", stats,
    )  # fmt: skip
    return stats


def _summary(parts: list[Stats]) -> RandomRounds:
    total = np.sum(parts, axis=0)
    num = int(total[NUM_ROUNDS])
    means = [int(total[index]) / max(num, 1) for index in (SUM_0, SUM_1)]
    variances = [
        int(total[index]) / max(num, 1) - mean * mean
        for index, mean in zip((SQUARES_0, SQUARES_1), means, strict=True)
    ]
    return RandomRounds(
        num_rounds=num,
        num_turns=int(total[NUM_TURNS]),
        fewest_turns=min(int(part[FEWEST_TURNS]) for part in parts) if num else 0,
        most_turns=max(int(part[MOST_TURNS]) for part in parts),
        means=(means[0], means[1]),
        deviations=(variances[0] ** 0.5, variances[1] ** 0.5),
        wins=(int(total[WINS_0]), int(total[WINS_1])),
        fingerprint=int(total[HASH]) & 0xFFFFFFFFFFFFFFFF,
    )
