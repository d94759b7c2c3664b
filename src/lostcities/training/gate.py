"""The gate: a network is promoted when paired deals say that it is better.

Against the network that it would replace alone, two equals that differ in what
they make of weaker play would be told apart by nothing. So the gate looks at
both: what the new network gains over the old one, and how much more it wins from
the rules of thumb.
"""

from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Final

from lostcities.agents.weights import load_network, save_network
from lostcities.kernel.network import Weights
from lostcities.kernel.selfplay import OTHER, RULES_OF_THUMB
from lostcities.training.duels import duel
from lostcities.training.generate import training_variant

_SURE: Final = 1.96
"""Standard errors on either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a new network gains over an old one in one comparison.

    Attributes:
        name: Against whom, and in which game.
        pairs: Paired deals of each duel.
        margin: Points a round.
        error: The standard error of that.
    """

    name: str
    pairs: int
    margin: float
    error: float

    def __str__(self) -> str:
        """Return a line for people."""
        return f"{self.name}: {self.margin:+.2f} +- {self.error:.2f} points a round"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate saw.

    Attributes:
        gains: One for each comparison.
    """

    gains: tuple[Gain, ...]

    @property
    def whole(self) -> Gain:
        """The mean of all gains."""
        size = len(self.gains)
        margin = sum(gain.margin for gain in self.gains) / size
        error = hypot(*(gain.error for gain in self.gains)) / size
        return Gain("together", self.gains[0].pairs, margin, error)

    @property
    def is_better(self) -> bool:
        """Whether the gain is certain on the whole, and no part of it is a certain loss."""
        has_loss = any(gain.margin + _SURE * gain.error < 0 for gain in self.gains)
        return self.whole.margin - _SURE * self.whole.error > 0 and not has_loss


def compare_networks(new: Path, old: Path, *, pairs: int, seed: int) -> Verdict:
    """Let two networks play each other and the rules of thumb, with five colors and with six.

    Args:
        new: The one that wants to be promoted.
        old: The one to beat.
        pairs: Deals of each duel, played twice.
        seed: Of the deals; take one that nothing was chosen by.

    Raises:
        NetworkFileError: If a file holds no network.
    """
    one, other = load_network(new).weights, load_network(old).weights
    return Verdict(
        tuple(
            compare(one, other, colors=colors, pairs=pairs, seed=seed)
            for compare in (_over_the_old, _from_rules_of_thumb)
            for colors in (5, 6)
        )
    )


def _over_the_old(new: Weights, old: Weights, *, colors: int, pairs: int, seed: int) -> Gain:
    """Return what the new network wins from the old one."""
    found = duel(
        new, OTHER, training_variant(colors), pairs=pairs, seed=seed, other_weights=old
    )  # fmt: skip
    return Gain(f"over the old one, {colors} colors", pairs, found.margin, found.error)


def _from_rules_of_thumb(new: Weights, old: Weights, *, colors: int, pairs: int, seed: int) -> Gain:
    """Return how much more the new network wins from the rules of thumb; the deals are the same."""
    one, other = (
        duel(weights, RULES_OF_THUMB, training_variant(colors), pairs=pairs, seed=seed)
        for weights in (new, old)
    )
    error = hypot(one.error, other.error)  # as if the deals were not the same: rather too large
    return Gain(
        f"from the rules of thumb, {colors} colors", pairs, one.margin - other.margin, error
    )


def promote(new: Path, to: Path, verdict: Verdict) -> None:
    """Write a network where it will be used, with what the gate saw on its card."""
    network = load_network(new)
    gate = {
        gain.name: {
            "pairs": gain.pairs, "margin": round(gain.margin, 2), "error": round(gain.error, 2),
        }
        for gain in verdict.gains
    }  # fmt: skip
    save_network(to, network.weights, {**network.card, "gate": gate})
