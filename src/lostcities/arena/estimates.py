"""Means, and how far they can be trusted."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from statistics import NormalDist, fmean, stdev


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of independent values, and how far it can be trusted.

    Attributes:
        mean: The mean.
        standard_error: Standard error of the mean; infinite, which is unknown,
            for a single value.
        deviation: Standard deviation of the single values; infinite for a single value.
    """

    mean: float
    standard_error: float
    deviation: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Estimate":
        """Estimate from at least one value."""
        sample = list(values)
        deviation = stdev(sample) if len(sample) > 1 else inf
        return cls(fmean(sample), deviation / sqrt(len(sample)), deviation)

    @property
    def known_error(self) -> float | None:
        """The standard error; None if it is unknown."""
        return self.standard_error if isfinite(self.standard_error) else None

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval that covers the true mean in this share of the cases."""
        reach = NormalDist().inv_cdf((1.0 + confidence) / 2.0) * self.standard_error
        return self.mean - reach, self.mean + reach

    def __str__(self) -> str:
        """Return the mean with its standard error: +1.23 +- 0.04, or +1.23 +- unknown."""
        error = "unknown" if self.known_error is None else f"{self.known_error:.2f}"
        return f"{self.mean:+.2f} +- {error}"
