"""A sequential test between two margins: plays on until the answer is clear enough."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import log
from statistics import fmean, pvariance
from typing import Final

_MIN_PAIRS: Final = 30
"""Pairs before the first verdict: the variance has to be known well enough."""


class Verdict(StrEnum):
    """What a test says so far."""

    LOW = "low"
    """The margin is the lower one."""
    HIGH = "high"
    """The margin is the higher one."""
    UNDECIDED = "undecided"
    """More pairs are needed."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalised sequential probability ratio test on the margins of pairs.

    Attributes:
        low: The margin of the first hypothesis, in points a round.
        high: The margin of the second, above the first.
        alpha: How often HIGH may be said although *low* is true.
        beta: How often LOW may be said although *high* is true.

    Source:
        Wald 1945; with the sample variance in place of the true one, as is
        usual for playing programs. `tests/arena` measures the error rates.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse hypotheses that cannot be told apart."""
        if not self.low < self.high:
            raise ValueError(f"expected low below high, got {self.low} and {self.high}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                f"expected alpha and beta between 0 and 0.5, got {self.alpha} and {self.beta}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, margins: Iterable[float]) -> float:
        """Return how much better *high* explains the margins than *low*."""
        sample = list(margins)
        if len(sample) < _MIN_PAIRS:
            return 0.0
        variance = pvariance(sample)
        if variance == 0.0:
            return 0.0
        middle = (self.low + self.high) / 2
        return len(sample) * (self.high - self.low) * (fmean(sample) - middle) / variance

    def verdict(self, margins: Iterable[float]) -> Verdict:
        """Return what the margins say."""
        ratio = self.log_likelihood_ratio(margins)
        lower, upper = self.bounds
        if ratio <= lower:
            return Verdict.LOW
        return Verdict.HIGH if ratio >= upper else Verdict.UNDECIDED
