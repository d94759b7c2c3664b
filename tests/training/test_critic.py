"""The judge that sees all cards: what it is told apart by, and that it learns."""

import numpy as np
import pytest
import torch

from lostcities.kernel.features import COLOR_WIDTH, GLOBAL_WIDTH
from lostcities.kernel.network import BIN_WIDTH, NUM_BINS, TOLD_WIDTH
from lostcities.kernel.oracle import ORACLE_WIDTH
from lostcities.kernel.selfplay import RULES_OF_THUMB, Window
from lostcities.training.critic import Critic, Judge
from lostcities.training.generate import Company, Table, training_variant
from lostcities.training.lessons import flat, lesson_of, look_back_on
from lostcities.training.model import Network
from lostcities.training.stakes import stakes_of

_STEPS = (np.arange(NUM_BINS) - NUM_BINS // 2) * BIN_WIDTH


def played(*, num_colors: int = 5, has_oracle: bool = True) -> Window:
    """Return a window of a network that knows nothing against rules of thumb and itself."""
    variant, company = training_variant(num_colors), Company(rules_of_thumb=0.5)
    table = Table(
        variant, company.controllers(16), num_plies=320, seed=4, has_oracle=has_oracle
    )  # fmt: skip
    assert (table.games.controllers == RULES_OF_THUMB).sum() == 8
    return table.play(Network(seed=2).to_row())


@pytest.mark.parametrize("num_colors", [5, 6])
def test_relabelled_colors_are_judged_alike(num_colors: int) -> None:
    judge, rng = Judge(seed=1, units=16), torch.Generator().manual_seed(1)
    features = torch.rand(9, COLOR_WIDTH * num_colors + GLOBAL_WIDTH + TOLD_WIDTH, generator=rng)
    oracle = torch.rand(9, ORACLE_WIDTH * num_colors, generator=rng)
    order = torch.randperm(num_colors, generator=rng)
    at = COLOR_WIDTH * num_colors
    blocks = features[:, :at].unflatten(1, (num_colors, COLOR_WIDTH))[:, order].flatten(1)
    moved = torch.cat((blocks, features[:, at:]), 1)
    unseen = oracle.unflatten(1, (num_colors, ORACLE_WIDTH))[:, order].flatten(1)
    assert torch.allclose(judge(features, oracle), judge(moved, unseen), atol=1e-5)


@pytest.mark.parametrize("num_colors", [5, 6])
def test_it_learns_what_a_round_ends_with(num_colors: int) -> None:
    critic, window = Critic(seed=3, units=16, rate=3e-3), played(num_colors=num_colors)
    stakes = stakes_of("round", training_variant(num_colors), window)
    _, targets, is_known = look_back_on(window, 1.0, stakes)
    lesson = lesson_of(window, targets[..., 0], targets, np.flatnonzero(is_known))
    generator = torch.Generator().manual_seed(5)

    def unexplained() -> float:
        critic.judge(window)
        known = flat(is_known) > 0
        return float(((flat(targets) - flat(window.bins))[known] @ _STEPS).var())

    before = unexplained()
    losses = [critic.learn(lesson, 128, generator, share=1.0) for _ in range(30)]
    assert losses[-1] < losses[0] - 0.5
    assert unexplained() < 0.7 * before


def test_it_judges_only_what_is_written_down() -> None:
    critic, window = Critic(seed=3, units=8, rate=1e-3), played()
    before = window.bins.copy()
    critic.judge(window)
    has_changed = (window.bins != before).any(-1)
    assert (has_changed == (window.is_recorded > 0)).all()
    assert window.bins.sum(-1)[has_changed] == pytest.approx(1.0, abs=1e-5)


def test_other_cards_make_another_judgement() -> None:
    critic, window = Critic(seed=3, units=8, rate=1e-3), played()
    critic.judge(window)
    before = window.bins.copy()
    window.oracle[:] = 0.0
    critic.judge(window)
    assert not (window.bins == before).all()


def test_a_share_of_nothing_learns_nothing() -> None:
    critic, window = Critic(seed=3, units=8, rate=1e-3), played()
    stakes = stakes_of("round", training_variant(5), window)
    _, targets, is_known = look_back_on(window, 1.0, stakes)
    lesson = lesson_of(window, targets[..., 0], targets, np.flatnonzero(is_known))
    critic.judge(window)
    before = window.bins.copy()
    critic.learn(lesson, 128, torch.Generator().manual_seed(5), share=0.0)
    critic.judge(window)
    assert (window.bins == before).all()


def test_where_nobody_asks_nothing_is_written() -> None:
    window = played(has_oracle=False)
    assert window.oracle.shape == (320, 16, 0)
    _, targets, is_known = look_back_on(
        window, 1.0, stakes_of("round", training_variant(5), window)
    )
    lesson = lesson_of(window, targets[..., 0], targets, np.flatnonzero(is_known))
    assert lesson.oracle.shape == (len(lesson), 0)
