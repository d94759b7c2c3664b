"""A sequential test between two margins: plays on until the answer is clear enough."""

from collections.abc import Iterable
from dataclasses import dataclass, field
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
        if not sample:
            return 0.0
        return self._ratio(len(sample), fmean(sample), pvariance(sample))

    def verdict(self, margins: Iterable[float]) -> Verdict:
        """Return what the margins say."""
        return self._verdict(self.log_likelihood_ratio(margins))

    def verdict_of(self, num_pairs: int, mean: float, variance: float) -> Verdict:
        """Return what margins say of which only their number, mean and variance are known."""
        return self._verdict(self._ratio(num_pairs, mean, variance))

    def _ratio(self, num_pairs: int, mean: float, variance: float) -> float:
        if num_pairs < _MIN_PAIRS or variance == 0.0:
            return 0.0
        return num_pairs * (self.high - self.low) * (mean - (self.low + self.high) / 2) / variance

    def _verdict(self, ratio: float) -> Verdict:
        lower, upper = self.bounds
        if ratio <= lower:
            return Verdict.LOW
        return Verdict.HIGH if ratio >= upper else Verdict.UNDECIDED


@dataclass(slots=True)
class Sample:
    """The margins of matches in the order of their numbers, and the verdict of a test on them.

    Matches may be done in any order. One that stands behind a gap waits: a test
    that looked at whatever is done first would favour short games. Once there is
    a verdict the sample does not grow, so that it does not depend on who played
    how many matches beyond it.

    Attributes:
        sprt: The test; without one the sample only grows.
        num_matches: Matches in the sample: those with smaller numbers than this.
        num_pairs: Their pairs.
        mean: Their mean margin; 0 without any.
        verdict: What the test says, looking after each match.
    """

    sprt: Sprt | None = None
    num_matches: int = field(default=0, init=False)
    num_pairs: int = field(default=0, init=False)
    mean: float = field(default=0.0, init=False)
    verdict: Verdict = field(default=Verdict.UNDECIDED, init=False)
    _squares: float = field(default=0.0, init=False)
    _waiting: dict[int, tuple[float, ...]] = field(default_factory=dict, init=False)

    @property
    def is_decided(self) -> bool:
        """Whether there is a verdict, so that nothing more has to be played."""
        return self.verdict is not Verdict.UNDECIDED

    def add(self, number: int, margins: Iterable[float]) -> None:
        """Add the margins of a match, and look at whatever has no gap before it any more."""
        self._waiting[number] = tuple(margins)
        while not self.is_decided and self.num_matches in self._waiting:
            for margin in self._waiting.pop(self.num_matches):
                self._take(margin)
            self.num_matches += 1
            if self.sprt is not None:
                variance = self._squares / max(1, self.num_pairs)
                self.verdict = self.sprt.verdict_of(self.num_pairs, self.mean, variance)

    def _take(self, margin: float) -> None:
        """Add one margin to the mean and to the squares of the distances from it (Welford)."""
        self.num_pairs += 1
        distance = margin - self.mean
        self.mean += distance / self.num_pairs
        self._squares += distance * (margin - self.mean)
