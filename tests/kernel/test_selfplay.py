"""Windows of play against the rules, and looking back on them against plain Python."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kernel.test_network import some_weights
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.bridge import move_of, unpack
from lostcities.kernel.layout import MAX_CARDS, card_types
from lostcities.kernel.network import BIN_WIDTH, NUM_BINS, new_room
from lostcities.kernel.opposite import new_reading
from lostcities.kernel.policy import new_work
from lostcities.kernel.returns import Stakes, look_back, mean_margin, spread_margin
from lostcities.kernel.selfplay import (
    FACTS,
    LEARNER,
    NUM_FACTS,
    NUM_TALLIES,
    RANDOM,
    RULES_OF_THUMB,
    STALLER,
    TEACHER,
    Games,
    Window,
    no_paths,
    play_rounds,
    play_window,
    start_rows,
)
from lostcities.kernel.streams import to_word
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Card, Position, Variant, other_seat

FIVE = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
SIX = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
NUM_GAMES = 6


class HandMade:
    """Games with what a window needs, made by hand."""

    def __init__(self, variant: Variant, controllers: list[tuple[int, int]], *, plies: int) -> None:
        num = len(controllers)
        self.variant = variant
        self.window = Window.empty(variant, plies, num)
        self.starts = start_rows(variant, 8, seed=3)
        self.types = card_types(variant)
        self.rows = self.starts[np.arange(num) % 8].copy()
        streams = np.array([to_word(17 + game) for game in range(num)], np.uint64)
        cards = np.zeros(MAX_CARDS, np.uint8)
        for game, row in enumerate(self.rows):
            streams[game] = to_word(shuffle_and_deal(row, self.types, cards, streams[game]))
        self.games = Games(
            self.rows,
            streams,
            np.array(controllers, np.int8),
            np.zeros((num, NUM_TALLIES), np.int64),
        )
        self.weights = some_weights()
        self.paths = no_paths()

    def play(self, begin: int = 0, end: int | None = None) -> Window:
        play_window(
            begin, len(self.rows) if end is None else end, self.games, self.starts, self.types,
            self.weights, some_weights(1), 1.0, 0.1, self.paths, self.window, new_room(), new_work(),
        )  # fmt: skip
        return self.window


def share_in_other_hand(position: Position, card: Card) -> int:
    """Return sixths of the unseen copies that the other hand holds, -1 if none is unseen."""
    other = other_seat(position.mover)
    hidden = list(position.hands[other])
    for known in position.known[other]:
        hidden.remove(known)
    held, drawn = hidden.count(card), position.deck.count(card)
    return 6 * held // (held + drawn) if held + drawn else -1


@pytest.mark.parametrize("variant", [FIVE, SIX], ids=["five", "six"])
def test_a_window_tells_what_the_rules_tell(variant: Variant) -> None:
    seats = [(LEARNER, LEARNER), (LEARNER, RULES_OF_THUMB), (STALLER, LEARNER), (RANDOM, LEARNER)]
    games = HandMade(variant, seats, plies=400)
    positions = [unpack(row) for row in games.rows]
    window = games.play()
    num_ended = 0
    kinds = list(dict.fromkeys(variant.deck))
    for game, first in enumerate(positions):
        position = first
        for ply in range(400):
            assert window.movers[ply, game] == position.mover
            controller = seats[game][position.mover]
            assert window.is_recorded[ply, game] == (controller == LEARNER)
            move = move_of(int(window.actions[ply, game]), variant)
            assert position.is_legal(move)
            if controller == LEARNER:
                legal = {
                    move_of(int(action), variant)
                    for action in np.flatnonzero(window.masks[ply, game])
                }
                assert legal == set(position.legal_moves)
                shares = [share_in_other_hand(position, card) for card in kinds]
                assert window.hidden[ply, game].tolist() == shares
                assert window.bins[ply, game].sum() == pytest.approx(1, abs=1e-5)
                is_thumbs = RULES_OF_THUMB in seats[game]
                assert window.has_thumbs[ply, game] == is_thumbs
            position = position.after(move)
            assert window.is_last[ply, game] == position.is_over
            if position.is_over:
                num_ended += 1
                scores = position.scores
                facts = dict(zip(FACTS, window.facts[ply, game].tolist(), strict=True))
                assert (facts["score_0"], facts["score_1"]) == tuple(scores)
                assert window.margins[ply, game] == scores[0] - scores[1]
                break
    assert num_ended


def test_games_do_not_depend_on_who_else_plays() -> None:
    seats = [(LEARNER, LEARNER), (LEARNER, TEACHER), (STALLER, LEARNER)]
    together, apart = HandMade(FIVE, seats, plies=120), HandMade(FIVE, seats, plies=120)
    whole, parts = together.play(), apart.window
    for game in (2, 0, 1):
        apart.play(game, game + 1)
    assert (whole.actions == parts.actions).all()
    assert (whole.features == parts.features).all()
    assert (together.rows == apart.rows).all()


def test_the_teacher_does_what_it_means_but_for_slips() -> None:
    games = HandMade(FIVE, [(TEACHER, TEACHER)] * 4, plies=80)
    window = games.play()
    assert window.is_recorded.all()
    assert window.has_thumbs.all()
    legal = np.take_along_axis(window.masks, window.actions[..., None].astype(int), 2)
    assert legal.all()


def test_rounds_are_played_to_the_end() -> None:
    games = HandMade(FIVE, [(LEARNER, STALLER), (RULES_OF_THUMB, RANDOM)], plies=1)
    facts = np.zeros((2, NUM_FACTS), np.int16)
    play_rounds(
        0, 2, games.rows, games.games.controllers, to_word(1), games.weights, games.weights, 0.0, facts,
        np.array([True, True]), np.zeros((2, 0), np.float32), new_room(), new_work(),
        new_reading(new_work()),
    )  # fmt: skip
    for row, fact in zip(games.rows, facts, strict=True):
        position = unpack(row)
        assert position.is_over
        assert tuple(fact[:2]) == tuple(position.scores)
        assert fact[FACTS.index("wagers_0")] == sum(
            card.is_wager for cards in position.expeditions[0] for card in cards
        )


@pytest.mark.parametrize("points", [-300, -8, -3, 0, 5, 16, 300])
def test_a_margin_keeps_its_mean_when_it_is_spread(points: float) -> None:
    bins = np.zeros(NUM_BINS, np.float32)
    spread_margin(points, bins)
    limit = NUM_BINS // 2 * BIN_WIDTH
    assert bins.sum() == pytest.approx(1)
    assert mean_margin(bins) == pytest.approx(max(-limit, min(limit, points)), abs=1e-4)


def plainly(window: Window, decay: float, game: int) -> dict[int, float]:
    """Return the advantages of a game by the definition: weighed errors of what was thought."""
    found: dict[int, float] = {}
    for seat in (0, 1):
        sign = 1 - 2 * seat
        rounds: list[list[int]] = [[]]
        for ply in range(len(window.movers)):
            if window.movers[ply, game] == seat and window.is_recorded[ply, game]:
                rounds[-1].append(ply)
            if window.is_last[ply, game]:
                rounds.append([])
        ends = [float(window.margins[ply, game]) for ply in np.flatnonzero(window.is_last[:, game])]
        for number, plies in enumerate(rounds):
            thoughts = [float(mean_margin(window.bins[ply, game])) for ply in plies]
            if number < len(ends):
                thoughts.append(sign * ends[number])
            errors = [after - before for before, after in pairwise(thoughts)]
            for place in range(len(errors)):
                found[plies[place]] = sum(
                    decay**later * error for later, error in enumerate(errors[place:])
                )
    return found


def test_an_advantage_is_measured_in_what_is_at_stake_for_its_mover() -> None:
    games = HandMade(FIVE, [(LEARNER, LEARNER)], plies=200)
    window = games.play()
    shape = window.movers.shape
    steps = ((np.arange(NUM_BINS) - NUM_BINS // 2) * BIN_WIDTH).astype(np.float32)
    worths = np.stack([steps, np.sign(steps) * 9 + steps / 50])
    found = []
    for standings in (np.zeros(shape, np.int32), window.movers.astype(np.int32)):
        advantages, targets = np.zeros(shape, np.float32), np.zeros((*shape, NUM_BINS), np.float32)
        is_known = np.zeros(shape, np.int8)
        look_back(0.9, window, Stakes(worths, standings), advantages, targets, is_known)
        expected = ((targets - window.bins) * worths[standings]).sum(-1)
        assert advantages[is_known > 0] == pytest.approx(expected[is_known > 0], abs=0.01)
        found.append((advantages, targets))
    assert (found[0][1] == found[1][1]).all()  # what is foreseen does not depend on the stakes
    other = window.movers == 1
    assert (found[0][0][~other] == found[1][0][~other]).all()
    assert (found[0][0][other] != found[1][0][other]).any()


@pytest.mark.parametrize("decay", [0.0, 0.8, 1.0])
def test_looking_back_is_what_the_definition_says(decay: float) -> None:
    games = HandMade(FIVE, [(LEARNER, LEARNER), (LEARNER, STALLER)], plies=200)
    window = games.play()
    shape = window.movers.shape
    advantages, targets = np.zeros(shape, np.float32), np.zeros((*shape, NUM_BINS), np.float32)
    is_known = np.zeros(shape, np.int8)
    worths = ((np.arange(NUM_BINS) - NUM_BINS // 2) * BIN_WIDTH).astype(np.float32)
    stakes = Stakes(worths[None], np.zeros(shape, np.int32))
    look_back(decay, window, stakes, advantages, targets, is_known)
    for game in range(2):
        expected = plainly(window, decay, game)
        assert sorted(expected) == np.flatnonzero(is_known[:, game]).tolist()
        for ply, advantage in expected.items():
            assert advantages[ply, game] == pytest.approx(advantage, abs=0.02)
            assert targets[ply, game].sum() == pytest.approx(1, abs=1e-4)
            thought = mean_margin(window.bins[ply, game])
            assert mean_margin(targets[ply, game]) == pytest.approx(thought + advantage, abs=0.02)
