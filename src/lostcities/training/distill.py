"""The stage before self-play: learn what trials would rather have done, and forget nothing beside it.

Labels say what moves gained where the network hesitated. The student is to make them with
the teacher's chances times exp(gain / temperature). In every step labels stand beside as
many plies of the teacher's own games, where the student is to do what the teacher does;
so what trials did not look at stays as it was, and a student that begins from nothing
learns the whole policy. Labels serve later teachers, too: only their chances differ.

Source:
    Anthony, Tian, Barber 2017, Thinking fast and slow with deep learning and tree
    search; the targets: Sokota et al. 2024, The update-equivalence framework for
    decision-time planning.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from lostcities.agents.objective import ROUND
from lostcities.kernel.features import features
from lostcities.kernel.network import Weights, num_inputs, write_told
from lostcities.training import losses
from lostcities.training.config import Distillation
from lostcities.training.generate import Company, Table, another_taste, training_variant
from lostcities.training.label_files import Labels, read_labels
from lostcities.training.lessons import Lesson, has_choice, lesson_of, look_back_on
from lostcities.training.model import Network, masked_log_policy
from lostcities.training.stakes import stakes_of

_DECAY: Final = 0.96
_SIX_EVERY: Final = 4
"""One window in so many has six colors."""
_FALL: Final = 0.05
"""What is left of the rate at the end."""
Report: TypeAlias = dict[str, float]


class LabelledPlies(NamedTuple):
    """Labels of one number of colors as tensors, `K` of them.

    Attributes:
        features: What the movers knew, `[K, F]`.
        actions: Candidates, -1 where there is none, `int64[K, MOST_CANDIDATES]`.
        gains: What they are worth over the first one, in points, of the same shape.
    """

    features: Tensor
    actions: Tensor
    gains: Tensor


class Distillery:
    """Teaches a student, window by window.

    Attributes:
        student: Changed.
    """

    def __init__(
        self,
        student: Network,
        teacher: Weights,
        folders: Iterable[Path],
        stage: Distillation,
        *,
        seed: int,
    ) -> None:
        """Read the labels.

        Args:
            student: Who learns.
            teacher: The network whose chances the gains of the labels better.
            folders: Where labels lie.
            stage: How it is done.
            seed: Of games and of the order of learning.

        Raises:
            LabelsError: If there are none, or a file is none.
        """
        found = read_labels(folders)
        self._labels = {colors: _plies_of(found[colors], colors) for colors in found}
        self.student = student
        self._stage = stage
        self._teacher = teacher
        self._master = Network(seed=0)
        self._master.load_row(teacher)
        self._rng = np.random.default_rng(seed)
        self._generator = torch.Generator().manual_seed(seed)
        self._optimizer = torch.optim.Adam(student.parameters(), lr=stage.rate, eps=1e-5)
        company = Company(rules_of_thumb=stage.rules_of_thumb).controllers(stage.games)
        self._tables = {
            colors: Table(
                training_variant(colors), company, num_plies=stage.plies, seed=seed * 10 + colors
            )
            for colors in (5, 6)
        }

    def run(self) -> Iterator[Report]:
        """Learn all there is to learn; yield each window's mean losses."""
        stage = self._stage
        for number in range(stage.windows):
            for group in self._optimizer.param_groups:
                group["lr"] = stage.rate * _FALL ** (number / stage.windows)
            yield self._learn_window(6 if number % _SIX_EVERY == _SIX_EVERY - 1 else 5)

    def _learn_window(self, colors: int) -> Report:
        lesson, size = self._lesson(colors), self._stage.minibatch
        reports = []
        for places in torch.randperm(len(lesson), generator=self._generator).split(size):
            if len(places) < max(1, min(size, len(lesson)) // 2):
                continue  # a rest too small to be a step of its own
            reports.append(self._step(lesson.pick(places), self._some_labels(colors, size)))
        names = reports[0] if reports else ()
        return {name: fmean(report[name] for report in reports) for name in names}

    def _some_labels(self, colors: int, size: int) -> LabelledPlies | None:
        """Return labels by lot, None if there are none with so many colors."""
        if (labels := self._labels.get(colors)) is None:
            return None
        drawn = torch.randint(len(labels.actions), (size,), generator=self._generator)
        return LabelledPlies(*(part[drawn] for part in labels))

    def _lesson(self, colors: int) -> Lesson:
        """Return plies of the teacher's own games."""
        taste = another_taste(self._rng, self._stage.tastes)
        window = self._tables[colors].play(self._teacher, taste=taste)
        stakes = stakes_of(ROUND, training_variant(colors), window)
        advantages, targets, is_known = look_back_on(window, _DECAY, stakes)
        return lesson_of(window, advantages, targets, np.flatnonzero(has_choice(window, is_known)))

    def _step(self, lesson: Lesson, labels: LabelledPlies | None) -> Report:
        with torch.no_grad():
            usual = masked_log_policy(self._master(lesson.features).actions, lesson.masks)
        logits, bins, beliefs, thumbs = self.student(lesson.features)
        log_policy = masked_log_policy(logits, lesson.masks)
        same = losses.divergence(usual, log_policy)
        value = losses.value_loss(bins, lesson.targets)
        belief = losses.belief_loss(beliefs, lesson.hidden)
        against = losses.thumbs_loss(thumbs, lesson.thumbs)
        better = torch.zeros(()) if labels is None else self._loss_on(labels)
        loss = same + self._stage.labels * better
        loss = loss + losses.VALUE * value + losses.BELIEF * belief + losses.THUMBS * against
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self._optimizer.step()
        return {
            "divergence": same.item(), "label_loss": better.item(),
            "value_loss": value.item(), "belief_loss": belief.item(),
            "thumbs_loss": against.item(),
        }  # fmt: skip

    def _loss_on(self, labels: LabelledPlies) -> Tensor:
        with torch.no_grad():
            asked = self._master(labels.features).actions
            gains = labels.gains / self._stage.temperature
            targets = losses.better_policy(asked, labels.actions, gains)
        return losses.label_loss(self.student(labels.features).actions, labels.actions, targets)


def _plies_of(labels: Labels, colors: int) -> LabelledPlies:
    found = np.zeros((len(labels.rows), num_inputs(training_variant(colors))), np.float32)
    told = labels.told.tolist()
    for row, seat, heard, out in zip(labels.rows, labels.seats.tolist(), told, found, strict=True):
        features(row, seat, out)
        write_told(out, colors, heard)
    return LabelledPlies(
        torch.from_numpy(found).bfloat16(),
        torch.from_numpy(labels.actions.astype(np.int64)),
        torch.from_numpy(labels.gains),
    )
