"""The stage between: learn what trials would rather have done, and forget nothing beside it.

Labels say what to do where the network hesitated. In every step they stand beside as many
plies of the network's own games, where the student is to do what the network does; so
what trials did not look at stays as it was, and a student that begins from nothing
learns the whole policy.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lostcities.agents.objective import ROUND
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import Rows
from lostcities.kernel.network import Weights
from lostcities.training import losses
from lostcities.training.config import Distillation
from lostcities.training.generate import Company, Table, another_taste, training_variant
from lostcities.training.labels import Labels, read_labels
from lostcities.training.lessons import Lesson, flat, lesson_of, look_back_on
from lostcities.training.model import Network, masked_log_policy
from lostcities.training.stakes import stakes_of

_DECAY: Final = 0.96
_VALUE: Final = 0.5
"""Weight of the value loss."""
_BELIEF: Final = 0.2
"""Weight of the belief loss."""
_SIX_EVERY: Final = 4
"""One window in so many has six colors."""
_FALL: Final = 0.05
"""What is left of the rate at the end."""
Report = dict[str, float]


class LabelledPlies(NamedTuple):
    """Labels of one number of colors as tensors, `K` of them.

    Attributes:
        features: What the movers knew, `[K, F]`.
        actions: Candidates, -1 where there is none, `int64[K, MOST_CANDIDATES]`.
        targets: How likely they should be, of the same shape.
    """

    features: Tensor
    actions: Tensor
    targets: Tensor


def distil(
    student: Network,
    teacher: Weights,
    folders: Iterable[Path],
    stage: Distillation,
    *,
    seed: int,
    tell: Callable[[int, Report], None],
) -> None:
    """Teach a student what stands in labels, and otherwise to do as the teacher does.

    Args:
        student: Changed.
        teacher: The network that the labels are about.
        folders: Where labels lie.
        stage: How it is done.
        seed: Of games and of the order of learning.
        tell: Called with every window's number and mean losses.

    Raises:
        LabelsError: If there are none, or a file is none.
    """
    labels = read_labels(folders)
    lessons = {colors: _plies_of(labels[colors], colors) for colors in labels}
    master = Network(seed=0)
    master.load_row(teacher)
    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(student.parameters(), lr=stage.rate, eps=1e-5)
    company = Company(rules_of_thumb=stage.rules_of_thumb).controllers(stage.games)
    tables = {
        colors: Table(
            training_variant(colors), company, num_plies=stage.plies, seed=seed * 10 + colors
        )
        for colors in (5, 6)
    }
    for number in range(stage.windows):
        for group in optimizer.param_groups:
            group["lr"] = stage.rate * _FALL ** (number / stage.windows)
        colors = 6 if 6 in lessons and number % _SIX_EVERY == _SIX_EVERY - 1 else 5
        window = tables[colors].play(teacher, taste=another_taste(rng, stage.tastes))
        stakes = stakes_of(ROUND, training_variant(colors), window)
        advantages, targets, is_known = look_back_on(window, _DECAY, stakes)
        useful = (flat(is_known) > 0) & (flat(window.masks).sum(1) > 1)
        lesson = lesson_of(window, advantages, targets, np.flatnonzero(useful))
        reports = []
        for places in torch.randperm(len(lesson), generator=generator).split(stage.minibatch):
            ours = lessons[colors]
            drawn = torch.randint(len(ours.actions), (stage.minibatch,), generator=generator)
            some = LabelledPlies(*(part[drawn] for part in ours))
            reports.append(_step(student, master, optimizer, lesson.pick(places), some, stage))
        tell(number, {name: _mean(reports, name) for name in reports[0]})


def _step(
    student: Network,
    master: Network,
    optimizer: torch.optim.Optimizer,
    lesson: Lesson,
    labelled: LabelledPlies,
    stage: Distillation,
) -> Report:
    with torch.no_grad():
        usual = masked_log_policy(master(lesson.features)[0], lesson.masks)
    logits, bins, beliefs = student(lesson.features)
    log_policy = masked_log_policy(logits, lesson.masks)
    same = (usual.exp() * (usual - log_policy)).sum(1).mean()
    value = losses.value_loss(bins, lesson.targets)
    belief = losses.belief_loss(beliefs, lesson.hidden)
    logits, _, _ = student(labelled.features)
    better = losses.label_loss(logits, labelled.actions, labelled.targets)
    loss = same + stage.labels * better + _VALUE * value + _BELIEF * belief
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
    optimizer.step()
    return {
        "divergence": same.item(), "label_loss": better.item(),
        "value_loss": value.item(), "belief_loss": belief.item(),
    }  # fmt: skip


def _mean(reports: list[Report], name: str) -> float:
    return sum(report[name] for report in reports) / len(reports)


def _plies_of(labels: Labels, colors: int) -> LabelledPlies:
    return LabelledPlies(
        torch.from_numpy(_features_of(labels.rows, labels.seats, colors)).bfloat16(),
        torch.from_numpy(labels.actions.astype(np.int64)),
        torch.from_numpy(labels.targets),
    )


def _features_of(rows: Rows, seats: "np.ndarray[tuple[int], np.dtype[np.int8]]", colors: int):  # type: ignore[no-untyped-def]
    found = np.zeros((len(rows), num_features(training_variant(colors))), np.float32)
    for row, seat, out in zip(rows, seats.tolist(), found, strict=True):
        features(row, seat, out)
    return found
