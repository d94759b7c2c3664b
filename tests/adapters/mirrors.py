"""The rules, playing along with an environment: same choices, same end, same points."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel.bridge import action_of, move_of, unpack
from lostcities.kernel.layout import Row
from lostcities.rules import Position, Seat, Variant

SMALL_NUMBERS: Final[dict[str, dict[str, Any]]] = {
    "tiny": {"num_colors": 2, "highest_rank": 3, "wagers_per_color": 1, "hand_size": 2},
    "small": {"num_colors": 2, "highest_rank": 4, "wagers_per_color": 1, "hand_size": 2, "stall_limit": 0},
    "mini": {"num_colors": 3, "highest_rank": 4, "wagers_per_color": 1, "hand_size": 3, "stall_limit": 3},
    "unblocked": {"num_colors": 3, "highest_rank": 4, "hand_size": 3, "stall_limit": 2, "own_discard_block": False},
    "tabletop": {"num_colors": 2, "highest_rank": 5, "wagers_per_color": 2, "hand_size": 3, "tabletop_memory": True},
}  # fmt: skip
LARGE_NUMBERS: Final[dict[str, dict[str, Any]]] = {
    "classic": {},
    "long": {"num_colors": 6, "stall_limit": 4},
}
NUMBERS: Final = SMALL_NUMBERS | LARGE_NUMBERS


def num_games(name: str) -> int:
    """Return how many games of a variant a test plays: 2,000 in all."""
    return 380 if name in SMALL_NUMBERS else 50


class Mirror:
    """A position of the rules beside an environment, taken from its deal and then on its own."""

    def __init__(self, row: Row) -> None:
        self.position: Position = unpack(row)
        self.num_plies = 0

    @property
    def variant(self) -> Variant:
        return self.position.variant

    @property
    def actions(self) -> list[int]:
        return numbers_of(self.position)

    @property
    def mover(self) -> Seat | None:
        return self.position.to_move

    def step(self, action: int) -> None:
        self.position = self.position.after(move_of(action, self.variant))
        self.num_plies += 1


def numbers_of(position: Position) -> list[int]:
    """Return the legal moves of a position as numbers, ascending."""
    return sorted(action_of(move, position.variant) for move in position.legal_moves)


def marked(mask: npt.NDArray[np.int8]) -> list[int]:
    """Return the actions that a mask allows."""
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


def others(legal: Iterable[int], num_actions: int) -> list[int]:
    """Return every number that is no legal action, two on either side of the range included."""
    return [action for action in range(-2, num_actions + 2) if action not in set(legal)]
