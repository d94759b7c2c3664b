"""Random play: both forms, and every way to split the work, play the same games."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kernel.walking import VARIANTS, start, walk
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.bridge import pack, unpack
from lostcities.kernel.layout import MAX_CARDS, card_types, new_row
from lostcities.kernel.playout import playout, playout_readable, random_action, random_rounds
from lostcities.kernel.step import is_over, legal_list, score, step
from lostcities.kernel.streams import advance, mix, round_stream, shuffle, to_word
from lostcities.rules import CLASSIC, LONG, Variant

_NAMES = [name for name in VARIANTS if name != "one-card"]  # that one needs no luck


@pytest.mark.parametrize("name", VARIANTS)
def test_all_ways_play_the_same_games(name: str) -> None:
    variant = VARIANTS[name]
    tuned = random_rounds(variant, seed=11, first=5, count=60)
    assert random_rounds(variant, seed=11, first=5, count=60, form="readable") == tuned
    assert random_rounds(variant, seed=11, first=5, count=60, threads=3) == tuned
    parts = [random_rounds(variant, seed=11, first=5 + 20 * part, count=20) for part in range(3)]
    assert sum(part.fingerprint for part in parts) % 2**64 == tuned.fingerprint
    assert sum(part.num_turns for part in parts) == tuned.num_turns


@pytest.mark.parametrize("name", VARIANTS)
def test_side_by_side_the_same_games_are_played(name: str) -> None:
    """Play a turn of each round in turn, as a batch does, and compute the fingerprint in Python."""
    variant, seed, count = VARIANTS[name], 11, 20
    rows = [new_row(variant) for _ in range(count)]
    streams = [to_word(round_stream(to_word(seed), to_word(number))) for number in range(count)]
    room, turns = np.zeros(MAX_CARDS, np.uint8), [0] * count
    for number, row in enumerate(rows):
        stream = shuffle_and_deal(row, card_types(variant), room, streams[number])
        streams[number] = to_word(stream)
    while not all(is_over(row) for row in rows):
        for number, row in enumerate(rows):
            if not is_over(row):
                streams[number] = to_word(advance(streams[number]))
                word = int(mix(streams[number]))
                step(row, int(random_action(row, to_word(word >> 32))))
                step(row, int(random_action(row, to_word(word & 0xFFFFFFFF))))
                turns[number] += 1
    results = [
        turns[number] << 32 | (int(score(row, 0)) & 0xFFFF) << 16 | int(score(row, 1)) & 0xFFFF
        for number, row in enumerate(rows)
    ]
    hashes = [
        int(mix(to_word(result ^ int(mix(to_word(number))))))
        for number, result in enumerate(results)
    ]
    assert sum(hashes) % 2**64 == random_rounds(variant, seed=seed, count=count).fingerprint


@pytest.mark.parametrize("name", _NAMES)
def test_other_seeds_are_other_games(name: str) -> None:
    fingerprints = {random_rounds(VARIANTS[name], seed=s, count=20).fingerprint for s in range(5)}
    assert len(fingerprints) == 5


@pytest.mark.parametrize("name", VARIANTS)
def test_from_any_position_both_forms_end_the_same(name: str) -> None:
    rng = random.Random(name)
    for number in range(8):
        position = start(VARIANTS[name], rng)
        for before, move in walk(position, rng, number * 7):
            position = before.after(move)
        row = pack(position)
        end = row.copy()
        turns = playout_readable(end, to_word(number))
        assert unpack(end).is_over
        final = unpack(end).checked()
        assert [*final.scores] == [int(score(end, seat)) for seat in (0, 1)]
        first, second, more = playout(row, to_word(number))
        assert [int(first), int(second), more] == [*final.scores, turns]


@pytest.mark.parametrize(
    ("variant", "means", "turns", "shortest", "longest"),
    [(CLASSIC, (-33.7, -34.3), 143.0, 82, 240), (LONG, (-35.9, -35.9), 214.8, 129, 337)],
    ids=["classic", "long"],
)
def test_random_play_scores_what_the_reference_scores(
    variant: Variant, means: tuple[float, float], turns: float, shortest: int, longest: int
) -> None:
    """Compare with 20,000 rounds of another program, `rules.md` section 15."""
    rounds = random_rounds(variant, seed=2026, count=20_000)
    assert rounds.means == pytest.approx(means, abs=0.7)  # standard error 0.2 on each side
    assert rounds.num_turns / rounds.num_rounds == pytest.approx(turns, abs=0.7)
    assert rounds.deviations == pytest.approx((20.9, 20.9), abs=1.3)
    assert rounds.fewest_turns == pytest.approx(shortest, abs=12)
    assert rounds.most_turns == pytest.approx(longest, abs=30)
    assert rounds.wins[0] / rounds.num_rounds == pytest.approx(0.497, abs=0.012)


def test_no_round_is_no_statistics() -> None:
    nothing = random_rounds(CLASSIC, seed=1, count=0)
    assert (nothing.num_rounds, nothing.fewest_turns, nothing.means) == (0, 0, (0.0, 0.0))
    with pytest.raises(ValueError, match="expected count >= 0 and threads >= 1"):
        random_rounds(CLASSIC, seed=1, count=-1)


def test_every_legal_action_is_chosen_about_equally_often() -> None:
    rng = random.Random(5)
    position = start(CLASSIC, rng)
    for before, _ in walk(position, rng, 31):
        position = before
    row = pack(position)
    actions = np.zeros(120, np.int64)
    num = legal_list(row, actions)
    chosen = Counter(
        int(random_action(row, to_word(rng.getrandbits(32)))) for _ in range(400 * num)
    )
    assert set(chosen) == set(actions[:num].tolist())
    assert max(chosen.values()) < 2 * min(chosen.values())


def test_a_shuffle_is_a_permutation_that_depends_on_the_stream() -> None:
    types = card_types(LONG)
    orders = set()
    for number in range(50):
        cards = types.copy()
        shuffle(cards, to_word(72), to_word(round_stream(to_word(9), to_word(number))))
        assert sorted(cards.tolist()) == types.tolist()
        orders.add(cards.tobytes())
    assert len(orders) == 50


def test_every_card_comes_to_every_place() -> None:
    counts = np.zeros((6, 6), np.int64)
    for number in range(6000):
        cards = np.arange(6, dtype=np.uint8)
        shuffle(cards, to_word(6), to_word(number * 2**40))
        counts[np.arange(6), cards] += 1
    assert abs(counts - 1000).max() < 150  # five standard deviations


def test_the_stream_is_splitmix64() -> None:
    assert int(mix(to_word(0x9E3779B97F4A7C15))) == 0xE220A8397B1DCDAF  # its first word for seed 0


@pytest.mark.parametrize("limit", [0, 12])
def test_the_guard_shortens_random_rounds(limit: int) -> None:
    free = random_rounds(CLASSIC, seed=3, count=400)
    guarded = random_rounds(replace(CLASSIC, stall_limit=limit), seed=3, count=400)
    assert guarded.num_turns < free.num_turns
