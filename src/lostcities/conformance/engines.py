"""Which implementation answers a case: the reference rules, or the kernel held against them.

The kernel has no sentences and no views, only the game itself: what is legal,
what follows, when it is over and what it scores. A `KernelPosition` takes these
from the kernel; everything else about a case stays as it is. Where kernel and
rules disagree on whether a move is legal, the case fails and says so.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields
from typing import Final

from lostcities.conformance.fields import CaseFault
from lostcities.rules import (
    Cards,
    Move,
    Pass,
    Points,
    Position,
    Refusal,
    Seat,
    Variant,
    score_round,
)

RULES, KERNEL = "rules", "kernel"
ENGINES: Final = (RULES, KERNEL)
_chosen: ContextVar[str] = ContextVar("engine", default=RULES)


@contextmanager
def using(engine: str) -> Iterator[None]:
    """Have the cases inside answered by an engine.

    Raises:
        ValueError: If there is no such engine.
    """
    if engine not in ENGINES:
        raise ValueError(f"expected an engine ({', '.join(ENGINES)}), got {engine!r}")
    token = _chosen.set(engine)
    try:
        yield
    finally:
        _chosen.reset(token)


def adopt(position: Position) -> Position:
    """Return the position as the chosen engine plays it."""
    return KernelPosition.of(position) if _chosen.get() == KERNEL else position


def deal(deck: Sequence[object], position: Position) -> Position:
    """Return the start of a round as the chosen engine deals it; *position* is that of the rules."""
    if _chosen.get() != KERNEL:
        return position
    from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

    return KernelPosition.of(referee.deal(deck, position))  # type: ignore[arg-type] # cards


def score(expeditions: tuple[Cards, ...], variant: Variant) -> int:
    """Return the points of one side as the chosen engine counts them."""
    if _chosen.get() != KERNEL:
        return score_round(expeditions, variant)
    from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

    return referee.score(expeditions, variant)


class KernelPosition(Position):
    """A position whose moves are judged and made by the kernel."""

    __slots__ = ()

    @classmethod
    def of(cls, position: Position) -> "KernelPosition":
        """Return the same position, played by the kernel."""
        return cls(**{field.name: getattr(position, field.name) for field in fields(Position)})

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves of the kernel."""
        from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

        return referee.legal_moves(self)

    @property
    def is_over(self) -> bool:
        """Whether the kernel says that the round has ended."""
        from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

        return referee.is_over(self)

    @property
    def scores(self) -> Points:
        """The points of the kernel."""
        from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

        return referee.scores(self)

    def reason_against(self, move: Move | Pass, *, seat: Seat | None = None) -> Refusal | None:
        """Return the reason of the rules, which the kernel has to agree with.

        Raises:
            CaseFault: If the one allows what the other refuses.
        """
        refusal = Position.reason_against(self, move, seat=seat)
        if isinstance(move, Pass) or (seat is not None and seat != self.to_move):
            return refusal
        if (refusal is None) != (move in self.legal_moves):
            verdict = "refuses" if refusal is None else "allows"
            raise CaseFault(f"the kernel {verdict} {move}, the rules do not")
        return refusal

    def _after(self, move: Move) -> Position:
        from lostcities.kernel import referee  # noqa: PLC0415 # loads the compiler

        return KernelPosition.of(referee.after(self, move))
