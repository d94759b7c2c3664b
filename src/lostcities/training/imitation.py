"""The first stage: do as the rules of thumb do, who know wagers.

Self-play from nothing ends where no wager is ever played: early on every
expedition loses, a wager multiplies the loss, and what is never tried is never
learned again.
"""

from typing import Final

import numpy as np
import torch

from lostcities.agents.objective import ROUND
from lostcities.training import losses
from lostcities.training.config import Imitation
from lostcities.training.generate import teacher_table, training_variant
from lostcities.training.lessons import Lesson, has_choice, lesson_of, look_back_on
from lostcities.training.model import Network, masked_log_policy
from lostcities.training.stakes import stakes_of

_SIX_EVERY: Final = 3
"""One window in so many has six colors."""


def imitate(network: Network, stage: Imitation, *, seed: int) -> dict[str, float]:
    """Teach a network to do as the rules of thumb do.

    Returns:
        The last losses, and the share of plies in which it agrees with the teacher.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=stage.rate, eps=1e-5)
    generator = torch.Generator().manual_seed(seed)
    tables = {
        colors: teacher_table(
            training_variant(colors), stage.games, num_plies=stage.plies, seed=seed + colors
        )
        for colors in (5, 6)
    }
    nothing = network.to_row()
    report: dict[str, float] = {}
    for number in range(stage.windows):
        for group in optimizer.param_groups:
            group["lr"] = stage.rate * 0.1 ** (number / stage.windows)
        colors = 6 if number % _SIX_EVERY == _SIX_EVERY - 1 else 5
        window = tables[colors].play(nothing)
        # The teacher thinks nothing of the margin: targets are what came out, and where a round
        # went on behind the window there is none, so that the value learns nothing there.
        _, targets, is_known = look_back_on(
            window, 1.0, stakes_of(ROUND, training_variant(colors), window)
        )
        useful = has_choice(window, is_known)
        lesson = lesson_of(window, targets[..., 0], targets, np.flatnonzero(useful))
        for _ in range(stage.passes):
            order = torch.randperm(len(lesson), generator=generator)
            for places in order.split(stage.minibatch):
                report = _imitation_step(network, optimizer, lesson.pick(places), stage)
    return report


def _imitation_step(
    network: Network, optimizer: torch.optim.Optimizer, lesson: Lesson, stage: Imitation
) -> dict[str, float]:
    logits, bins, beliefs, _ = network(lesson.features)
    log_policy = masked_log_policy(logits, lesson.masks)
    chosen = log_policy.gather(1, lesson.actions.unsqueeze(1)).squeeze(1)
    evenly = (log_policy * lesson.masks).sum(1) / lesson.masks.sum(1)
    policy = -((1 - stage.smoothing) * chosen + stage.smoothing * evenly).mean()
    value = losses.value_loss(bins, lesson.targets)
    belief = losses.belief_loss(beliefs, lesson.hidden)
    loss = policy + losses.VALUE * value + losses.BELIEF * belief
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    agrees = (log_policy.argmax(1) == lesson.actions).float().mean()
    return {
        "policy_loss": policy.item(), "value_loss": value.item(),
        "belief_loss": belief.item(), "agreement": agrees.item(),
    }  # fmt: skip
