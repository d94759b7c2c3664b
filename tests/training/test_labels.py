"""Labels: made job by job, the same anywhere, and only where the network hesitates."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernel.test_network import some_weights
from lostcities.arena.engines import LocalEngine
from lostcities.kernel.layout import MAX_LEGAL, new_row
from lostcities.kernel.network import evaluate_told, new_room, read_policy
from lostcities.kernel.step import deck_size, is_over, legal_list, mover, num_colors
from lostcities.rules import CLASSIC
from lostcities.training.label_files import Labels, LabelsError, read_labels, write_labels
from lostcities.training.labels import Labelling, label, label_job
from training.examples import write_network


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Labelling:
    path = write_network(tmp_path_factory.mktemp("network") / "one.npz", some_weights())
    return Labelling(network=str(path), rounds=1, worlds=8, depth=2, six_every=2, seed=4)


def columns(labels: Labels) -> list[bytes]:
    return [column.tobytes() for column in labels]


def test_a_job_is_the_same_whenever_it_is_done(task: Labelling) -> None:
    first = label_job(task, 0)
    assert columns(first) == columns(label_job(task, 0))
    assert columns(first) != columns(label_job(task, 2))
    assert columns(first) != columns(label_job(replace(task, seed=5), 0))


@pytest.mark.parametrize("job", [0, 1])
def test_labels_are_about_legal_moves_of_who_is_to_move(task: Labelling, job: int) -> None:
    labels = label_job(task, job)
    assert len(labels.rows) > 10
    actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    room = new_room()
    assert len(set(labels.told.tolist())) > 3  # the network listens
    for row, seat, candidates, priors, gains, told in zip(*labels, strict=True):
        assert not is_over(row)
        assert num_colors(row) == (6 if job else 5)
        assert mover(row) == seat
        there = candidates >= 0
        assert there.sum() > 1
        legal = actions[: legal_list(row, actions)]
        assert set(candidates[there].tolist()) <= set(legal.tolist())
        assert priors.sum() == pytest.approx(1, abs=1e-5)
        assert not priors[~there].any()
        assert gains[0] == 0
        # What is liked best stands first, and priors are the network's own chances.
        evaluate_told(row, seat, float(told), room, some_weights())
        read_policy(row, room, actions, chances, 1.0)
        own = {int(a): float(c) for a, c in zip(actions[: len(legal)], chances, strict=False)}
        assert own[int(candidates[0])] == pytest.approx(max(own.values()))
        shares = np.array([own[int(action)] for action in candidates[there]])
        assert priors[there] == pytest.approx(shares / shares.sum(), abs=1e-4)


def test_only_the_end_of_the_round_is_labelled_if_told_so(task: Labelling) -> None:
    sizes = [deck_size(row) for row in label_job(replace(task, deck=6), 0).rows]
    assert sizes
    assert max(sizes) <= 6 < max(deck_size(row) for row in label_job(task, 0).rows)


def test_who_trusts_trials_less_finds_less_to_gain(task: Labelling) -> None:
    wary, trusting = (np.abs(label_job(replace(task, trust=t), 0).gains).mean() for t in (0.1, 10))
    assert wary < trusting


def test_a_folder_from_before_there_was_trust_goes_on(task: Labelling, tmp_path: Path) -> None:
    folder, before = tmp_path / "labels", replace(task, trust=1.0)
    list(label(folder, before, range(1), LocalEngine()))
    assert "trust" not in json.loads((folder / "labelling.json").read_text())
    assert [job for job, _ in label(folder, before, range(2), LocalEngine())] == [1]
    with pytest.raises(LabelsError, match=r"expected a new folder or the same labelling as in "):
        list(label(folder, task, range(2), LocalEngine()))


def test_a_folder_keeps_what_is_done_and_refuses_other_labels(
    task: Labelling, tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    done = list(label(folder, task, range(2), LocalEngine()))
    assert [job for job, _ in done] == [0, 1]
    assert [job for job, _ in label(folder, task, range(3), LocalEngine())] == [2]
    found = read_labels([folder])
    assert sorted(found) == [5, 6]
    assert len(found[6].rows) == done[1][1]
    again = label_job(task, 0)
    for column, expected in zip(found[5], again, strict=True):
        assert (np.asarray(column)[: done[0][1]] == np.asarray(expected)).all()
    with pytest.raises(LabelsError, match=r"expected a new folder or the same labelling as in "):
        list(label(folder, replace(task, worlds=9), range(1), LocalEngine()))
    other = write_network(tmp_path / "other.npz", some_weights(1))
    with pytest.raises(LabelsError, match=r"expected a new folder or the same labelling as in "):
        list(label(folder, replace(task, network=str(other)), range(1), LocalEngine()))
    (folder / "labelling.json").write_text("{")
    with pytest.raises(LabelsError, match=r"expected how labels were made in .*, got: "):
        list(label(folder, task, range(1), LocalEngine()))
    (folder / "labelling.json").write_text('{"version": 0}')
    with pytest.raises(LabelsError, match=r"expected labels of version 1 in .*, got others"):
        read_labels([folder])


def test_a_network_that_was_written_over_is_missed(task: Labelling, tmp_path: Path) -> None:
    path = write_network(tmp_path / "one.npz", some_weights(7))
    with pytest.raises(LabelsError, match=r"expected the network 123456789abc in .*, got "):
        label_job(replace(task, network=str(path), digest="123456789abc"), 0)


def test_labels_from_before_networks_listened_were_told_nothing(tmp_path: Path) -> None:
    labels = _some_labels(3)
    write_labels(tmp_path / "labels-000000.npz", labels)
    (tmp_path / "labelling.json").write_text('{"version": 1}')
    assert read_labels([tmp_path])[5].told.tolist() == [0.5, 0.5, 0.5]
    old = {name: part for name, part in labels._asdict().items() if name != "told"}
    np.savez_compressed(tmp_path / "labels-000000.npz", **old)
    found = read_labels([tmp_path])[5]
    assert found.told.tolist() == [0.0, 0.0, 0.0]
    assert columns(found)[:-1] == columns(labels)[:-1]


def _some_labels(num: int) -> Labels:
    """Return labels of positions with five colors."""
    rows = np.stack([new_row(CLASSIC)] * num)
    candidates = np.zeros((num, 2), np.float32)
    return Labels(
        rows, np.zeros(num, np.int8), candidates.astype(np.int16), candidates, candidates,
        np.full(num, 0.5, np.float32),
    )  # fmt: skip


def test_labels_that_are_none_are_named(task: Labelling, tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match=r"expected labels in .*, got none"):
        read_labels([tmp_path])
    (tmp_path / "labelling.json").write_text('{"version": 1}')
    path = tmp_path / "labels-000000.npz"
    path.write_bytes(b"no labels")
    with pytest.raises(LabelsError, match=r"expected labels in .*labels-000000\.npz, got: "):
        read_labels([tmp_path])
    write_labels(path, label_job(replace(task, rounds=0), 0))
    with pytest.raises(LabelsError, match=r"expected labels of at least one position, got none"):
        read_labels([tmp_path])
