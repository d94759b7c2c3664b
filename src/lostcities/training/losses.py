"""What a network is pulled towards, term by term."""

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from lostcities.training.lessons import Lesson

VALUE: Final = 0.5
"""Weight of the value loss where a teacher is followed."""
BELIEF: Final = 0.2
"""Weight of the belief loss where a teacher is followed."""
THUMBS: Final = 0.5
"""Weight of the loss on whom one plays against where a teacher is followed."""


def value_loss(bins: Tensor, targets: Tensor) -> Tensor:
    """Return the cross-entropy of the spread of the margin."""
    return -(targets * functional.log_softmax(bins, 1)).sum(1).mean()


def belief_loss(beliefs: Tensor, hidden: Tensor) -> Tensor:
    """Return the cross-entropy of where the unseen cards are, a card."""
    is_unseen = hidden >= 0
    shares = hidden.clamp(min=0).float() / 6.0
    losses = functional.binary_cross_entropy_with_logits(beliefs, shares, reduction="none")
    return (losses * is_unseen).sum() / is_unseen.sum().clamp(min=1)


def thumbs_loss(evidence: Tensor, truth: Tensor) -> Tensor:
    """Return the cross-entropy of whether the other side plays by rules of thumb.

    Args:
        evidence: What the table says, as a logarithm of odds beyond how many such plies there
            are, so that it means the same in any company, `[B]`.
        truth: 1 where it does, else 0, `[B]`; where all are alike, nothing is learned from it.
    """
    usual = truth.mean().logit()
    if not torch.isfinite(usual):
        return evidence.sum() * 0.0
    return functional.binary_cross_entropy_with_logits(evidence + usual, truth)


def label_loss(logits: Tensor, actions: Tensor, targets: Tensor) -> Tensor:
    """Return by how much the chances of labelled candidates differ from what they should be, in nats.

    Of the candidates alone; the chances of all others are left as they are.

    Args:
        logits: Of all actions, `[B, A]`.
        actions: The candidates, -1 for none, `int64[B, K]`.
        targets: How likely each should be, `[B, K]`.
    """
    log_policy = functional.log_softmax(_of_candidates(logits, actions), 1)
    return (targets * (targets.clamp(min=1e-9).log() - log_policy)).sum(1).mean()


def better_policy(logits: Tensor, actions: Tensor, gains: Tensor) -> Tensor:
    """Return how likely candidates should be that gained something, `[B, K]`.

    Args:
        logits: What was thought before, of all actions, `[B, A]`.
        actions: The candidates, -1 for none, `int64[B, K]`.
        gains: Logarithms of what their chances are multiplied by, `[B, K]`.
    """
    return functional.softmax(_of_candidates(logits, actions) + gains, 1)


def _of_candidates(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.gather(1, actions.clamp(min=0)).masked_fill(actions < 0, -1e9)


def clipped_policy_loss(log_policy: Tensor, lesson: Lesson, clip: float) -> Tensor:
    """Return PPO's loss: push what turned out well, no further than *clip* from what was.

    Source:
        Schulman et al. 2017, Proximal policy optimization.
    """
    chosen = log_policy.gather(1, lesson.actions.unsqueeze(1)).squeeze(1)
    ratio = (chosen - lesson.log_chances).exp()
    limited = ratio.clamp(1.0 - clip, 1.0 + clip)
    return -torch.minimum(ratio * lesson.advantages, limited * lesson.advantages).mean()


def entropy_of(log_policy: Tensor) -> Tensor:
    """Return the mean entropy of the policies, in nats."""
    return -(log_policy.exp() * log_policy).sum(1).mean()


def divergence(of: Tensor, from_: Tensor) -> Tensor:
    """Return the mean divergence of policies from others, given as logarithms, in nats."""
    return (of.exp() * (of - from_)).sum(1).mean()


def distance_from(anchor: Tensor, log_policy: Tensor) -> Tensor:
    """Return the mean divergence of the policies from those of an anchor, in nats.

    Source:
        Sokota et al. 2023, A unified approach to reinforcement learning, quantal
        response equilibria, and two-player zero-sum games: self-play settles where
        the policy is pulled towards a slowly moving one.
    """
    return divergence(log_policy, anchor)
