"""Learning from labels: what they say is done afterwards, and everything else as before."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from lostcities.kernel.layout import MAX_LEGAL
from lostcities.kernel.network import evaluate, new_room, read_policy
from lostcities.training.config import Distillation
from lostcities.training.curves import draw_curves
from lostcities.training.distill import Distillery
from lostcities.training.label_files import (
    LABELLING,
    LABELS_VERSION,
    Labels,
    LabelsError,
    write_labels,
)
from lostcities.training.labels import Labelling, label_job
from lostcities.training.losses import better_policy, label_loss
from lostcities.training.model import Network
from lostcities.training.run import NETWORK, STUDENT, Run, begin_run, open_run
from training.examples import curves_without_time, deaf, tiny_config, weights_of, write_network


def write_folder(folder: Path, *labels: Labels) -> None:
    """Write labels as `train label` does."""
    folder.mkdir()
    (folder / LABELLING).write_text(f'{{"version": {LABELS_VERSION}}}')
    for number, some in enumerate(labels):
        write_labels(folder / f"labels-{number:06d}.npz", some)


STAGE = Distillation(windows=12, games=16, plies=48, minibatch=128, rate=2e-3)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("start") / "start.npz", Network(seed=1).to_row())


@pytest.fixture(scope="module")
def labels(start: Path) -> Labels:
    """Return labels that want the second candidate, whatever the trials found."""
    return wanting_the_second(start, six_every=0)


def wanting_the_second(start: Path, *, six_every: int) -> Labels:
    task = Labelling(network=str(start), rounds=4, worlds=2, depth=1, six_every=six_every)
    found = label_job(task, 0)
    gains = np.zeros_like(found.gains)
    gains[:, 1] = 9.0
    return found._replace(gains=gains)


def chance_of_second(row: "np.ndarray[tuple[int], np.dtype[np.float32]]", labels: Labels) -> float:
    """Return how likely a network makes the second candidates, on the average."""
    actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    room, total = new_room(), 0.0
    for place in range(len(labels.rows)):
        evaluate(labels.rows[place], labels.seats[place], room, row)
        count = read_policy(labels.rows[place], room, actions, chances, 1.0)
        total += float(chances[:count][actions[:count] == labels.actions[place, 1]][0])
    return total / len(labels.rows)


def test_the_loss_is_of_the_candidates_alone() -> None:
    logits = torch.tensor([[0.0, 1.0, 50.0, 2.0]])
    actions = torch.tensor([[3, 1, -1]])
    same = torch.softmax(torch.tensor([[2.0, 1.0]]), 1)
    targets = torch.cat((same, torch.zeros(1, 1)), 1)
    assert label_loss(logits, actions, targets).item() == pytest.approx(0, abs=1e-6)
    flipped = torch.tensor([[same[0, 1].item(), same[0, 0].item(), 0.0]])
    assert label_loss(logits, actions, flipped).item() == pytest.approx(
        (same[0, 0] - same[0, 1]).item(), abs=1e-6
    )


def test_what_turned_out_well_becomes_likelier_by_its_gain() -> None:
    logits = torch.tensor([[0.3, 1.0, 50.0, 2.0]])
    actions, gains = torch.tensor([[3, 0, -1]]), torch.tensor([[0.0, 1.5, 0.0]])
    better = better_policy(logits, actions, gains)
    assert better.sum().item() == pytest.approx(1)
    assert better[0, 2] == 0
    assert (better[0, 1] / better[0, 0]).log().item() == pytest.approx(0.3 + 1.5 - 2.0)


def test_a_student_does_what_labels_say_and_a_run_goes_on_from_there(
    start: Path, labels: Labels, tmp_path: Path
) -> None:
    write_folder(tmp_path / "labels", labels)
    student = Network(seed=1)
    told = list(Distillery(student, weights_of(start), [tmp_path / "labels"], STAGE, seed=1).run())
    before, after = (chance_of_second(row, labels) for row in (weights_of(start), student.to_row()))
    assert after > before + 0.02
    assert told[-1]["label_loss"] < told[0]["label_loss"] - 0.2
    config = tiny_config(
        start=str(start), labels=[str(tmp_path / "labels")],
        distillation={"windows": 2, "games": 8, "plies": 40, "minibatch": 64},
    )  # fmt: skip
    begin_run(tmp_path / "run", config)
    Run(tmp_path / "run", config).train(iterations=1)
    learned = weights_of(tmp_path / "run" / STUDENT)
    assert not (learned == weights_of(start)).all()
    assert not (learned == weights_of(tmp_path / "run" / NETWORK)).all()  # self-play came behind


def test_a_fresh_student_learns_what_the_teacher_does(
    start: Path, labels: Labels, tmp_path: Path
) -> None:
    """Without any weight on labels a student ends nearer to the teacher than it began."""
    write_folder(tmp_path / "labels", labels)
    master = 3 * weights_of(start)  # a teacher with an opinion
    stage = replace(STAGE, labels=0.0)
    told = list(Distillery(Network(seed=2), master, [tmp_path / "labels"], stage, seed=1).run())
    assert told[-1]["divergence"] < told[0]["divergence"] / 2


def test_six_colors_are_learned_beside_five(start: Path, labels: Labels, tmp_path: Path) -> None:
    six = wanting_the_second(start, six_every=1)
    write_folder(tmp_path / "both", labels, six)
    student = Network(seed=1)
    list(Distillery(student, weights_of(start), [tmp_path / "both"], STAGE, seed=1).run())
    before, after = (chance_of_second(row, six) for row in (weights_of(start), student.to_row()))
    assert after > before
    # Without labels of six colors their windows are played and learned from all the same.
    write_folder(tmp_path / "five", labels)
    told = list(Distillery(student, weights_of(start), [tmp_path / "five"], STAGE, seed=1).run())
    assert [report["label_loss"] > 0 for report in told[:4]] == [True, True, True, False]
    assert told[3]["divergence"] > 0


def test_a_window_too_small_to_learn_from_is_no_mistake(
    start: Path, labels: Labels, tmp_path: Path
) -> None:
    write_folder(tmp_path / "labels", labels)
    stage = replace(STAGE, windows=1, games=1, plies=1)
    folders = [tmp_path / "labels"]
    assert list(Distillery(Network(seed=1), weights_of(start), folders, stage, seed=1).run()) == [
        {}
    ]


def test_a_run_is_gone_on_with_behind_its_labels(
    start: Path, labels: Labels, tmp_path: Path
) -> None:
    """What was learned from labels is not learned again, and labels made later change nothing."""
    labels = labels._replace(told=np.zeros_like(labels.told))
    write_folder(tmp_path / "labels", labels)
    deaf_start = write_network(
        tmp_path / "deaf.npz", deaf(weights_of(start))
    )  # last rounds are many
    config = tiny_config(
        start=str(deaf_start), labels=[str(tmp_path / "labels")], checkpoint_seconds=1000.0,
        distillation={"windows": 2, "games": 8, "plies": 40, "minibatch": 64},
        self_play={"objective": "match", "told": 0.0},
    )  # fmt: skip
    folders = [tmp_path / "whole", tmp_path / "parts"]
    for folder in folders:
        begin_run(folder, config)
    Run(folders[0], config).train(iterations=3)
    Run(folders[1], config).train(iterations=0)
    write_labels(tmp_path / "labels" / "labels-000009.npz", labels)
    for iterations in (1, 2):
        Run(folders[1], open_run(folders[1])).train(iterations=iterations)
    assert (weights_of(folders[0] / NETWORK) == weights_of(folders[1] / NETWORK)).all()
    assert curves_without_time(folders[0]) == curves_without_time(folders[1])
    panels = [entry for entry in curves_without_time(folders[0]) if entry["kind"] == "panel"]
    assert 0 <= panels[-1]["results"]["match"]["share"] <= 1
    assert draw_curves(folders[0]).exists()


def test_labels_that_are_not_there_are_missed_at_once(start: Path, tmp_path: Path) -> None:
    config = tiny_config(start=str(start), labels=[str(tmp_path / "none")])
    with pytest.raises(LabelsError, match=r"expected labels in .*none, got none"):
        begin_run(tmp_path / "run", config)
    assert not (tmp_path / "run").exists()


def test_a_run_may_end_with_its_labels(start: Path, labels: Labels, tmp_path: Path) -> None:
    write_folder(tmp_path / "labels", labels)
    config = tiny_config(
        start=str(start), labels=[str(tmp_path / "labels")], self_play={"decisions": 0},
        distillation={"windows": 1, "games": 8, "plies": 40, "minibatch": 64},
    )  # fmt: skip
    begin_run(tmp_path / "run", config)
    Run(tmp_path / "run", config).train()
    learned, student = (weights_of(tmp_path / "run" / name) for name in (NETWORK, STUDENT))
    assert (learned == student).all()
