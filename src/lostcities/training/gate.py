"""The gate: a network is promoted when paired deals say that it is better."""

from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Final

from lostcities.agents.weights import load_network, save_network
from lostcities.kernel.selfplay import OTHER
from lostcities.training.duels import Duel, duel
from lostcities.training.generate import training_variant

_SURE: Final = 1.96
"""Standard errors on either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate saw.

    Attributes:
        five: The duel with five colors.
        six: The duel with six.
    """

    five: Duel
    six: Duel

    @property
    def margin(self) -> float:
        """The mean of both margins, in points."""
        return (self.five.margin + self.six.margin) / 2

    @property
    def error(self) -> float:
        """The standard error of that."""
        return hypot(self.five.error, self.six.error) / 2

    @property
    def is_better(self) -> bool:
        """Whether the gain of both together is certain, and neither of the two shows a loss."""
        parts = (self.five, self.six)
        has_loss = any(part.margin + _SURE * part.error < 0 for part in parts)
        return self.margin - _SURE * self.error > 0 and not has_loss


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
    return Verdict(five, six)


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
