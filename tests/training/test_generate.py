"""Games to learn from: who sits where, the same on any number of threads, what they looked like."""

import numpy as np
import pytest

from kernel.test_network import some_weights
from lostcities.kernel.policy import HEURISTIC_TASTE, Taste
from lostcities.kernel.selfplay import FACTS, LEARNER, OTHER, RULES_OF_THUMB, STALLER
from lostcities.training.generate import (
    Company,
    Table,
    another_taste,
    habits,
    training_variant,
)


def test_company_has_its_shares_and_both_seats() -> None:
    seats = Company(networks=0.25, rules_of_thumb=0.125, staller=0.125).controllers(64)
    for controller, count in ((OTHER, 16), (RULES_OF_THUMB, 8), (STALLER, 8)):
        assert (seats == controller).sum(0).tolist() == [count // 2, count // 2]
    assert ((seats == LEARNER).sum(1) >= 1).all()
    assert (seats == LEARNER).all(1).sum() == 32


@pytest.mark.parametrize("colors", [5, 6])
def test_threads_play_the_same_games(colors: int) -> None:
    tables = [
        Table(
            training_variant(colors), Company(networks=0.5).controllers(7), num_plies=60, seed=4,
            threads=threads,
        )
        for threads in (1, 3)
    ]  # fmt: skip
    for _ in range(2):
        one, three = (table.play(some_weights(), some_weights(1)) for table in tables)
        assert (one.actions == three.actions).all()
        assert (one.features == three.features).all()
    assert (tables[0].games.rows == tables[1].games.rows).all()


def test_games_go_on_where_the_last_window_ended() -> None:
    variant, company = training_variant(5), Company().controllers(3)
    long, short = (Table(variant, company, num_plies=plies, seed=1) for plies in (80, 40))
    whole = long.play(some_weights())
    parts = [np.array(short.play(some_weights()).actions) for _ in range(2)]
    assert (np.concatenate(parts) == whole.actions).all()


def test_rules_of_thumb_play_by_the_taste_that_they_are_given() -> None:
    """The same deals and the same network: only who minds other things plays another way."""

    def actions(taste: Taste) -> list[int]:
        company = Company(rules_of_thumb=1.0).controllers(4)
        table = Table(training_variant(5), company, num_plies=60, seed=2)
        played: list[int] = table.play(some_weights(), taste=taste).actions.ravel().tolist()
        return played

    usual = actions(HEURISTIC_TASTE)
    assert actions(another_taste(np.random.default_rng(1), 0.0)) == usual
    assert actions(another_taste(np.random.default_rng(1), 0.5)) != usual


def test_other_tastes_mind_the_same_things_more_or_less() -> None:
    rng = np.random.default_rng(3)
    usual = np.array(HEURISTIC_TASTE)
    factors = np.log(np.array([another_taste(rng, 0.3) for _ in range(400)]) / usual)
    assert abs(factors.mean(0)).max() < 0.06
    assert factors.std(0) == pytest.approx(np.full(len(usual), 0.3), abs=0.05)


def test_habits_are_a_side_and_round() -> None:
    table = Table(training_variant(5), Company().controllers(6), num_plies=400, seed=1)
    window = table.play(some_weights())
    facts = window.facts[window.is_last > 0].astype(float)
    found = habits(window)
    assert found["rounds"] == len(facts) > 0
    ends = [FACTS.index("wagers_0"), FACTS.index("wagers_1")]
    assert found["wagers"] == pytest.approx(facts[:, ends].mean())
    assert found["score"] == pytest.approx(facts[:, :2].mean())
    window.is_last[:] = 0
    assert habits(window) == {}
