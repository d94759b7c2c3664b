"""What is played for: points, or the match, by what the mover saw of it."""

import numpy as np
import pytest

from kernel.test_network import some_weights
from lostcities.agents.objective import (
    MATCH,
    ROUND,
    by_steps,
    chances_after_round,
    chances_at_margins,
)
from lostcities.kernel.layout import read_standing
from lostcities.kernel.lookahead import POINTS
from lostcities.kernel.selfplay import Window
from lostcities.training.generate import Company, Table, training_variant
from lostcities.training.stakes import stakes_of

FIVE = training_variant(5)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(FIVE, Company().controllers(16), num_plies=1, seed=2)


@pytest.fixture(scope="module")
def window(table: Table) -> Window:
    return table.play(some_weights())


def test_for_the_round_a_point_is_a_point(window: Window) -> None:
    stakes = stakes_of(ROUND, FIVE, window)
    assert stakes.worths[stakes.standings[0, 3]].tolist() == POINTS.steps.tolist()


def test_for_the_match_it_is_what_the_standing_makes_of_it(table: Table, window: Window) -> None:
    stakes = stakes_of(MATCH, FIVE, window)
    seen = set()
    for game, row in enumerate(table.games.rows):
        standing, seat = read_standing(row), int(window.movers[0, game])
        worths = stakes.worths[stakes.standings[0, game]]
        num_left = standing.num_rounds - standing.round_number
        lead = standing.totals[seat] - standing.totals[1 - seat]
        seen.add(num_left)
        if num_left == 2:
            assert worths.tolist() == POINTS.steps.tolist()
            continue
        after = np.mean(
            [
                chances_after_round(5, num_left, FIVE.starter_policy, started=started)
                for started in (True, False)
            ],
            axis=0,
        )
        chances = by_steps(chances_at_margins(after, lead), 0)
        assert worths == pytest.approx(110 * chances + 0.05 * POINTS.steps, abs=1e-3)
        assert (np.diff(worths) > 0).all()
    assert seen == {0, 1, 2}


def test_who_is_far_ahead_in_the_last_round_plays_for_little(window: Window) -> None:
    stakes = stakes_of(MATCH, FIVE, window)
    last = stakes.worths.reshape(3, -1, POINTS.steps.size)[0]
    assert np.ptp(last[1000 + 600]) < np.ptp(POINTS.steps) / 10
    assert np.ptp(last[1000]) > 100
    middle = POINTS.steps.size // 2
    assert (
        last[1000, middle + 1] - last[1000, middle - 1] > 100
    )  # the match turns on the last point
