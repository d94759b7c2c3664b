"""Learning from labels: what they say is done afterwards, and everything else as before."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from lostcities.kernel.layout import MAX_LEGAL
from lostcities.kernel.network import evaluate, new_room, read_policy
from lostcities.training.config import Distillation
from lostcities.training.distill import Distillery
from lostcities.training.labels import Labelling, Labels, label_job, write_labels
from lostcities.training.losses import better_policy, label_loss
from lostcities.training.model import Network
from lostcities.training.run import NETWORK, STUDENT, Run, begin_run
from training.examples import tiny_config, weights_of, write_network

STAGE = Distillation(windows=12, games=16, plies=48, minibatch=128, rate=2e-3)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("start") / "start.npz", Network(seed=1).to_row())


@pytest.fixture(scope="module")
def labels(start: Path) -> Labels:
    """Return labels that want the second candidate, whatever the trials found."""
    task = Labelling(network=str(start), rounds=4, worlds=2, depth=1, six_every=0)
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
    (tmp_path / "labels").mkdir()
    write_labels(tmp_path / "labels" / "labels-000000.npz", labels)
    student = Network(seed=1)
    told = list(Distillery(student, weights_of(start), [tmp_path / "labels"], STAGE, seed=1).run())
    before, after = (chance_of_second(row, labels) for row in (weights_of(start), student.to_row()))
    assert after > before + 0.05
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
    write_labels(tmp_path / "labels-000000.npz", labels)
    master = 3 * weights_of(start)  # a teacher with an opinion
    stage = replace(STAGE, labels=0.0)
    told = list(Distillery(Network(seed=2), master, [tmp_path], stage, seed=1).run())
    assert told[-1]["divergence"] < told[0]["divergence"] / 2
