"""A progress line on stderr, at a terminal only."""

import sys
from time import monotonic

_WIDTH = 24
_SECONDS_BETWEEN = 0.2


class Progress:
    """How far a long task has come."""

    def __init__(self, total: int, *, done: int = 0) -> None:
        self._total = total
        self._first = self._done = done
        self._start = monotonic()
        self._shown_at = 0.0
        self._is_shown = sys.stderr.isatty()

    def advance(self, amount: int, note: str = "") -> None:
        """Say that more has been done."""
        self._done += amount
        now = monotonic()
        if not self._is_shown or (
            now - self._shown_at < _SECONDS_BETWEEN and self._done < self._total
        ):
            return
        self._shown_at = now
        full = _WIDTH * self._done // max(1, self._total)
        bar = "#" * full + "." * (_WIDTH - full)
        print(
            f"\r[{bar}] {self._done}/{self._total} {note}{self._left(now)}\x1b[K",
            end="",
            file=sys.stderr,
            flush=True,
        )

    def _left(self, now: float) -> str:
        new = self._done - self._first
        if new <= 0 or self._done >= self._total:
            return ""
        return f", about {(now - self._start) * (self._total - self._done) / new:.0f} s left"

    def clear(self) -> None:
        """Make room for a line of output; the next advance shows the progress again."""
        if self._is_shown:
            self._shown_at = 0.0
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def finish(self) -> None:
        """Leave the line."""
        if self._is_shown:
            print(file=sys.stderr)
