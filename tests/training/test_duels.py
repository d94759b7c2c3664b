"""Last rounds of matches: who leads starts, and both sides are given the same."""

import numpy as np
import pytest

from kernel.test_network import some_weights
from lostcities.kernel.layout import read_standing
from lostcities.kernel.network import OFFSETS, blind_to_match
from lostcities.kernel.step import deck_size, mover
from lostcities.training.duels import _last_standing, _paired_deals, duel_in_last_rounds
from lostcities.training.generate import training_variant

FIVE = training_variant(5)


def test_who_leads_before_the_last_round_starts_it() -> None:
    rng = np.random.default_rng(1)
    standings = [_last_standing(FIVE, lead, rng) for lead in (40, -40, 0, 0, 0, 0, 0, 0)]
    rows = _paired_deals(FIVE, standings, seed=1)
    assert len(rows) == 2 * len(standings)
    for standing, one, other in zip(standings, rows[::2], rows[1::2], strict=True):
        assert (one == other).all()
        assert read_standing(one) == standing
        assert standing.round_number == standing.num_rounds == 3
        assert mover(one) == standing.starter
        assert deck_size(one) == 44
    assert [standing.starter for standing in standings[:2]] == [0, 1]
    assert {standing.starter for standing in standings} == {0, 1}
    assert standings[1].totals == (0, 40)


def test_equals_share_the_matches() -> None:
    weights = some_weights()
    found = duel_in_last_rounds(weights, weights, FIVE, pairs=12, seed=3)
    assert (found.share, found.margin) == (0.5, 0.0)


def test_who_gives_points_away_loses_matches() -> None:
    weights = blind_to_match(some_weights())
    worse = weights.copy()
    worse[OFFSETS["color_head_bias"]] = 1e3  # wagers whatever it holds
    found = duel_in_last_rounds(weights, worse, FIVE, pairs=30, seed=3)
    assert found.margin > 20
    assert found.share > 0.5
    swapped = duel_in_last_rounds(worse, weights, FIVE, pairs=30, seed=3)
    assert swapped.share == pytest.approx(1 - found.share)
    assert swapped.margin == pytest.approx(-found.margin)
