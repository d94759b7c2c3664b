"""What seats are told is what an agent would read, and tells the kinds of players apart."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agents.test_opposite import dealt, views_against
from kernel.test_network import some_weights
from lostcities.agents.opposite import MoveReader, told_of
from lostcities.agents.weights import shipped_network
from lostcities.kernel.bridge import pack, unpack
from lostcities.kernel.features import COLOR_WIDTH, MATCH_AT, ROUNDS_UNIT
from lostcities.kernel.network import blind_to_match, new_room
from lostcities.kernel.opposite import new_reading
from lostcities.kernel.policy import new_work
from lostcities.kernel.selfplay import (
    LEARNER,
    LIKE_ITSELF,
    LIKE_STALLER,
    LIKE_THUMBS,
    MOST_TURNS,
    NUM_FACTS,
    NUM_TALLIES,
    OTHER,
    PATH,
    PLIES,
    RULES_OF_THUMB,
    STALLER,
    TEACHER,
    Paths,
    no_paths,
    play_rounds,
    told_by,
)
from lostcities.kernel.streams import to_word
from lostcities.rules import Observation, Phase, Standing
from lostcities.training.generate import Company, Table, training_variant
from lostcities.training.told import Reader
from training.examples import write_network

FIVE = training_variant(5)
FIRST = Standing(num_rounds=3)


def seen_by_an_agent(paths: list[Path], seed: int, *, seat: int) -> list[Observation]:
    """Return what the first network is shown before each of its cards against the second."""
    own, other = (f"net:weights={path}" for path in paths)
    views = views_against(other, FIVE, seed, own=own, seat=seat)
    return [view for view in views if view.phase is Phase.CARD]


@pytest.mark.parametrize(("seed", "seat"), [(1, 0), (2, 1), (3, 0)])
def test_a_round_is_read_as_an_agent_reads_it(tmp_path: Path, seed: int, seat: int) -> None:
    networks = [blind_to_match(some_weights(number)) for number in (0, 1)]  # as agents play them
    weights, other = networks
    paths = [write_network(tmp_path / f"{number}.npz", networks[number]) for number in (0, 1)]
    views = seen_by_an_agent(paths, seed, seat=seat)
    players = np.full((2, 2), OTHER, np.int8)
    players[seat, seat] = LEARNER
    rows = np.stack([pack(dealt(FIVE, seed, FIRST))] * 2)
    told = np.zeros((2, MOST_TURNS), np.float32)
    play_rounds(
        seat, seat + 1, rows, players, to_word(3), weights, other, 0.0,
        np.zeros((2, NUM_FACTS), np.int16), np.array([True, True]), told, new_room(), new_work(),
        new_reading(new_work()),
    )  # fmt: skip
    reader = MoveReader(weights)
    assert len(views) > 10
    for view in views:
        num_seen = (len(view.past) + 1) // 2
        expected = told_of(reader.evidence(view))
        assert told[seat, num_seen] == pytest.approx(expected, abs=1e-5)
    assert unpack(rows[seat]).is_over
    assert np.abs(told[seat]).max() > 0.5


def test_who_does_not_read_is_told_nothing() -> None:
    rows = np.stack([pack(dealt(FIVE, 1))] * 2)
    told = np.ones((2, MOST_TURNS), np.float32)
    play_rounds(
        0, 2, rows, np.full((2, 2), LEARNER, np.int8), to_word(3), some_weights(), some_weights(1),
        1.0, np.zeros((2, NUM_FACTS), np.int16), np.array([False, True]), told, new_room(),
        new_work(), new_reading(new_work()),
    )  # fmt: skip
    assert not told[:, 1:].any()  # who does not start begins behind a turn


def test_paths_tell_rules_of_thumb_from_the_network() -> None:
    weights = shipped_network().weights
    told = Reader(24, 0.2).paths(weights, [weights, some_weights()], FIVE, seed=3)
    assert told.shape == (5, 24, MOST_TURNS)
    assert not told[:, :, 0].any()  # nothing was seen yet
    late = told[:, :, 14].mean(1)
    assert late[LIKE_ITSELF] < -0.8
    assert late[LIKE_THUMBS] > late[LIKE_ITSELF] + 1.5
    rival, stranger = late[LIKE_STALLER + 1 :]
    assert rival == pytest.approx(late[LIKE_ITSELF], abs=1.0)
    assert stranger > rival + 0.5
    again = Reader(24, 0.2).paths(weights, [weights, some_weights()], FIVE, seed=3)
    assert (again == told).all()


# --- in windows --------------------------------------------------------------------------------


def some_paths(share: float = 1.0) -> Paths:
    """Return paths that say which kind and round they are of, and behind how many turns."""
    kinds, rounds, turns = np.ogrid[0:5, 0:9, 0:MOST_TURNS]
    told = 1000.0 + 1000 * kinds + 100 * rounds + turns
    return Paths(told.astype(np.float32), 4, share)


def tallies_at(plies: int, path: int = 5) -> npt.NDArray[np.int64]:
    tallies = np.zeros(NUM_TALLIES, np.int64)
    tallies[PLIES], tallies[PATH] = plies, path
    return tallies


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (LEARNER, LIKE_ITSELF), (OTHER, 4), (RULES_OF_THUMB, LIKE_THUMBS), (TEACHER, LIKE_THUMBS),
        (STALLER, LIKE_STALLER),
    ],
)  # fmt: skip
def test_a_seat_is_told_of_the_kind_that_sits_opposite(other: int, kind: int) -> None:
    told = told_by(some_paths(), other, tallies_at(0), 0, 1)
    assert told // 1000 - 1 == kind


@pytest.mark.parametrize(
    ("plies", "seen"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (6, 2), (8, 2), (400, 63)]
)
def test_a_seat_is_told_what_so_many_turns_told(plies: int, seen: int) -> None:
    """Two plies a turn: whoever starts has seen none before its first, the other one."""
    assert told_by(some_paths(), LEARNER, tallies_at(plies), 0, 1) % 100 == seen


def test_a_round_keeps_to_its_path_and_its_seats_have_their_own() -> None:
    def path_of(tallies: npt.NDArray[np.int64], seat: int) -> float:
        return told_by(some_paths(), LEARNER, tallies, seat, 1) % 1000 // 100

    for path in range(50):
        found = {path_of(tallies_at(plies, path), 0) for plies in range(0, 40, 4)}
        assert len(found) == 1
    seats = [[path_of(tallies_at(0, path), seat) for path in range(400)] for seat in (0, 1)]
    assert set(seats[0]) == set(seats[1]) == set(range(9))
    assert np.mean(np.array(seats[0]) == np.array(seats[1])) < 0.3


def test_in_later_rounds_a_seat_remembers_whole_rounds_against_the_same_player() -> None:
    """Each round says 1 at its end and 0 before; so many rounds are over."""
    told = np.zeros((3, 9, MOST_TURNS), np.float32)
    told[LIKE_THUMBS, :, -1] = 1.0
    paths = Paths(told, 0, 1.0)
    for number in (1, 2, 3):
        heard = told_by(paths, RULES_OF_THUMB, tallies_at(10), 1, number)
        assert heard == number - 1
        assert told_by(paths, LEARNER, tallies_at(10), 1, number) == 0.0
    told[LIKE_THUMBS, :, -1] = np.arange(9)
    sums = {told_by(paths, RULES_OF_THUMB, tallies_at(10, path), 0, 3) for path in range(300)}
    assert sums == set(map(float, range(17)))  # two rounds, each by a lot of its own


def test_a_share_of_the_seats_is_told_nothing() -> None:
    silent = [
        told_by(some_paths(0.75), LEARNER, tallies_at(8, path), 0, 1) == 0 for path in range(2000)
    ]
    assert np.mean(silent) == pytest.approx(0.25, abs=0.04)
    assert told_by(no_paths(), LEARNER, tallies_at(8), 0, 1) == 0.0


def test_what_was_told_is_written_down_with_what_was_seen() -> None:
    controllers = Company(rules_of_thumb=0.5).controllers(8)
    paths = replace_told(some_paths(), np.array([-2.0, 2.0, 0, 0, 0]))
    window = Table(FIVE, controllers, num_plies=60, seed=2).play(some_weights(), paths=paths)
    recorded = window.is_recorded > 0
    heard = window.features[recorded][:, -1]
    rounds_left = window.features[recorded][:, COLOR_WIDTH * FIVE.num_colors + MATCH_AT + 1]
    number = 3 - np.rint(ROUNDS_UNIT * rounds_left)
    each = np.where(window.has_thumbs[recorded], 2 / 6, -2 / 6)
    assert set(number) == {1, 2, 3}
    assert heard == pytest.approx(number * each, abs=1e-6)


def replace_told(paths: Paths, by_kind: npt.NDArray[np.float64]) -> Paths:
    """Return paths that say the same behind any number of turns."""
    told = np.zeros_like(paths.told) + by_kind[:, None, None].astype(np.float32)
    return paths._replace(told=told)
