"""What a window of play teaches, and what of it is handed to the learner."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from kernel.test_network import some_weights
from lostcities.kernel.network import NUM_BINS
from lostcities.kernel.returns import mean_margin
from lostcities.kernel.selfplay import Window
from lostcities.training.generate import Company, Table, training_variant
from lostcities.training.lessons import flat, lesson_of, look_back_on
from lostcities.training.stakes import stakes_of

FIVE = training_variant(5)


@pytest.fixture(scope="module")
def window() -> Window:
    company = Company(rules_of_thumb=0.5).controllers(8)
    table = Table(training_variant(5), company, num_plies=500, seed=2)
    return table.play(some_weights())


def test_what_came_of_a_ply_is_known_of_recorded_plies_before_an_end(window: Window) -> None:
    advantages, targets, is_known = look_back_on(window, 1.0, stakes_of("round", FIVE, window))
    assert window.is_last.any()
    assert is_known.any()
    assert not (is_known > window.is_recorded).any()
    assert not advantages[is_known == 0].any()
    sums = targets.sum(-1)
    assert np.allclose(sums[is_known == 1], 1, atol=1e-4)
    game = int(np.flatnonzero(window.is_last.any(0))[0])
    end = int(np.flatnonzero(window.is_last[:, game])[0])
    ply = int(np.flatnonzero(window.is_recorded[: end + 1, game])[-1])
    seat = window.movers[ply, game]
    margin = float(window.margins[end, game]) * (1 - 2 * seat)
    assert mean_margin(targets[ply, game]) == pytest.approx(margin, abs=0.01)
    thought = float(mean_margin(window.bins[ply, game]))
    assert advantages[ply, game] == pytest.approx(margin - thought, abs=0.05)


def test_a_lesson_holds_the_chosen_plies_in_order(window: Window) -> None:
    advantages, targets, is_known = look_back_on(window, 0.9, stakes_of("round", FIVE, window))
    places = np.flatnonzero(flat(is_known))[5:25]
    lesson = lesson_of(window, advantages, targets, places)
    assert len(lesson) == 20
    plies, games = np.divmod(places, window.movers.shape[1])
    assert lesson.actions.tolist() == window.actions[plies, games].tolist()
    assert (lesson.masks.numpy() == (window.masks[plies, games] > 0)).all()
    assert lesson.advantages.numpy() == pytest.approx(advantages[plies, games])
    assert (lesson.targets.numpy() == targets[plies, games]).all()
    assert (lesson.hidden.numpy() == window.hidden[plies, games]).all()
    assert (lesson.thumbs.numpy() == window.has_thumbs[plies, games]).all()
    assert lesson.targets.shape == (20, NUM_BINS)
    exact = window.features[plies, games]
    assert np.allclose(lesson.features.float().numpy(), exact, rtol=0.01)
    assert lesson.masks.gather(1, lesson.actions.unsqueeze(1)).all()


def test_some_of_a_lesson_is_a_lesson(window: Window) -> None:
    advantages, targets, is_known = look_back_on(window, 0.9, stakes_of("round", FIVE, window))
    lesson = lesson_of(window, advantages, targets, np.flatnonzero(flat(is_known))[:10])
    part = lesson.pick(torch.tensor([7, 2]))
    assert len(part) == 2
    assert part.actions.tolist() == [lesson.actions[7].item(), lesson.actions[2].item()]
