"""The two places at a table."""

from typing import Final, TypeAlias

Seat: TypeAlias = int
"""0 or 1. People see A or B."""

SEATS: Final[tuple[Seat, Seat]] = (0, 1)
SEAT_NAMES: Final = "AB"


def other_seat(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return 1 - seat


def seat_name(seat: Seat) -> str:
    """Return the name that people see: A or B."""
    return SEAT_NAMES[seat]
