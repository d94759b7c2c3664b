"""How much one side may ask for: buckets that fill up again, and a reason when one is empty."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_MOST_BUCKETS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a bucket fills, and how much it holds.

    Attributes:
        per_second: Tokens a second.
        burst: Tokens at most.
    """

    per_second: float
    burst: int


class Bucket:
    """Tokens: one for each message; a full bucket at first."""

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = float(rate.burst)
        self._at = clock()

    def take(self) -> float:
        """Take a token.

        Returns:
            0 if there was one, else the seconds until there will be.
        """
        now = self._clock()
        filled = self._left + (now - self._at) * self._rate.per_second
        self._left, self._at = min(float(self._rate.burst), filled), now
        if self._left < 1.0:
            return (1.0 - self._left) / self._rate.per_second
        self._left -= 1.0
        return 0.0


class Limiter:
    """A bucket for each address; those not seen for longest are forgotten first."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> int:
        """Take a token of an address.

        Returns:
            0 if there was one, else whole seconds to wait.
        """
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate)
            if len(self._buckets) > _MOST_BUCKETS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return math.ceil(bucket.take())
