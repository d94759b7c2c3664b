"""The gate lets through what is better, and nothing else."""

from pathlib import Path

import pytest

from kernel.test_network import some_weights
from lostcities.agents.weights import load_network
from lostcities.training.gate import Gain, Verdict, compare_networks, promote
from training.examples import weights_of, write_network


def verdict(*margins: float) -> Verdict:
    return Verdict(tuple(Gain("a game", 100, margin, error=1.0) for margin in margins))


def test_the_gain_must_be_certain_and_no_loss_beside_it() -> None:
    assert verdict(3.0, 3.0).is_better
    assert verdict(1.5, 1.5).is_better  # errors of two duels together are smaller
    assert not verdict(1.3, 1.3).is_better
    assert not verdict(3.0, -1.0).is_better
    assert verdict(9.0, -1.0).is_better
    assert not verdict(9.0, -2.0).is_better
    assert not verdict(0.0, 0.0).is_better
    assert verdict(0.0, 0.0, 2.0, 3.0).is_better  # equals, but one wins more from others
    assert not verdict(-2.0, 0.0, 9.0, 9.0).is_better


def test_a_network_is_not_better_than_itself(tmp_path: Path) -> None:
    path = write_network(tmp_path / "one.npz")
    found = compare_networks(path, path, pairs=10, seed=1)
    assert [gain.name for gain in found.gains] == [
        "over the old one, 5 colors", "over the old one, 6 colors",
        "from the rules of thumb, 5 colors", "from the rules of thumb, 6 colors",
    ]  # fmt: skip
    assert [gain.margin for gain in found.gains] == [0.0] * 4
    assert not found.is_better


def test_other_weights_of_the_same_kind_are_not_better(tmp_path: Path) -> None:
    paths = [write_network(tmp_path / f"{seed}.npz", some_weights(seed)) for seed in (1, 2)]
    found = [compare_networks(*pair, pairs=10, seed=1) for pair in (paths, paths[::-1])]
    margins = [[gain.margin for gain in one.gains] for one in found]
    assert margins[0] == [-margin for margin in margins[1]]
    assert not (found[0].is_better and found[1].is_better)


def test_who_learned_is_promoted_over_who_did_not(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")
    from lostcities.training.config import Imitation  # noqa: PLC0415
    from lostcities.training.imitation import imitate  # noqa: PLC0415
    from lostcities.training.model import Network  # noqa: PLC0415

    network = Network(seed=1)
    start = write_network(tmp_path / "start.npz", network.to_row())
    report = imitate(network, Imitation(windows=8, games=32, plies=120, minibatch=512), seed=1)
    assert report["agreement"] > 0.5
    clone = write_network(tmp_path / "clone.npz", network.to_row())
    found = compare_networks(clone, start, pairs=30, seed=1)
    assert found.is_better
    promote(clone, tmp_path / "best", found)
    assert (weights_of(tmp_path / "best") == network.to_row()).all()
    card = load_network(tmp_path / "best").card
    assert card["made"] == "for a test"
    assert list(card["gate"]) == [gain.name for gain in found.gains]
    for gain in found.gains:
        told = card["gate"][gain.name]
        assert told["pairs"] == 30
        assert told["margin"] == pytest.approx(gain.margin, abs=0.01)
    assert not compare_networks(start, clone, pairs=30, seed=2).is_better
