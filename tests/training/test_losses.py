"""What a network is pulled towards: terms whose least value is known."""

import pytest

torch = pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")

from lostcities.training.losses import thumbs_loss


def best_evidence(truth: list[float]) -> float:
    """Return the one answer for all plies that costs least."""
    steps = torch.linspace(-4, 4, 801)
    costs = [thumbs_loss(step.expand(len(truth)), torch.tensor(truth)).item() for step in steps]
    return float(steps[costs.index(min(costs))])


@pytest.mark.parametrize("share", [1, 3, 7])
def test_who_cannot_tell_says_nothing_in_any_company(share: int) -> None:
    assert best_evidence([1.0] * share + [0.0] * (10 - share)) == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize("truth", [[0.0, 0.0], [1.0, 1.0]])
def test_a_company_of_one_kind_teaches_nothing(truth: list[float]) -> None:
    evidence = torch.tensor([0.5, -2.0], requires_grad=True)
    loss = thumbs_loss(evidence, torch.tensor(truth))
    loss.backward()
    assert loss.item() == 0.0
    assert evidence.grad is not None
    assert not evidence.grad.any()
