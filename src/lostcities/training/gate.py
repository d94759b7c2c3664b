"""The gate: a network is promoted when paired deals say that it is better."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lostcities.agents.weights import load_network, save_network
from lostcities.kernel.selfplay import OTHER
from lostcities.training.duels import Duel, duel
from lostcities.training.generate import training_variant

_SURE: Final = 1.96


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate saw.

    Attributes:
        five: The duel with five colors.
        six: The duel with six.
        is_better: Whether the lower end of the interval is above 0 for both together, and
            neither of the two shows a loss.
    """

    five: Duel
    six: Duel
    is_better: bool


def compare_networks(new: Path, old: Path, *, pairs: int, seed: int) -> Verdict:
    """Let two networks play each other, with five colors and with six.

    Args:
        new: The one that wants to be promoted.
        old: The one to beat.
        pairs: Deals of each number of colors, played twice.
        seed: Of the deals; take one that nothing was chosen by.

    Raises:
        NetworkFileError: If a file holds no network.
    """
    one, other = load_network(new).weights, load_network(old).weights
    five, six = (
        duel(one, OTHER, training_variant(colors), pairs=pairs, seed=seed, other_weights=other)
        for colors in (5, 6)
    )
    error = (five.error**2 + six.error**2) ** 0.5 / 2
    lower = (five.margin + six.margin) / 2 - _SURE * error
    has_loss = any(part.margin + _SURE * part.error < 0 for part in (five, six))
    return Verdict(five, six, lower > 0 and not has_loss)


def promote(new: Path, to: Path, verdict: Verdict) -> None:
    """Write a network where it will be used, with what the gate saw on its card."""
    network = load_network(new)
    gate = {
        f"{colors} colors": {
            "pairs": part.pairs, "margin": round(part.margin, 2), "error": round(part.error, 2),
        }
        for colors, part in ((5, verdict.five), (6, verdict.six))
    }  # fmt: skip
    save_network(to, network.weights, {**network.card, "gate": gate})
