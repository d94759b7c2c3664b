"""Means, and how far they can be trusted."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of independent values, and how far it can be trusted.

    Attributes:
        mean: The mean.
        standard_error: Standard error of the mean; 0 for a single value.
        deviation: Standard deviation of the single values; 0 for a single value.
    """

    mean: float
    standard_error: float
    deviation: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Estimate":
        """Estimate from at least one value."""
        sample = list(values)
        deviation = stdev(sample) if len(sample) > 1 else 0.0
        return cls(fmean(sample), deviation / sqrt(len(sample)), deviation)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval that covers the true mean in this share of the cases."""
        reach = NormalDist().inv_cdf((1.0 + confidence) / 2.0) * self.standard_error
        return self.mean - reach, self.mean + reach

    def __str__(self) -> str:
        """Return the mean with its standard error: +1.23 +- 0.04."""
        return f"{self.mean:+.2f} +- {self.standard_error:.2f}"
