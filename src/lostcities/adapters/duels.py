"""Many rounds at once, each with one seat that is asked and one that plays at random."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.adapters.loops import begin_range, step_range
from lostcities.kernel.batch import Batch
from lostcities.kernel.streams import mix, to_word
from lostcities.rules import Variant

_ANSWERS: Final = 0x3C79AC492BA7B653


class Duels(Batch):
    """A batch that asks for the moves of chosen seats only; a uniformly random player has the others.

    Each game depends on its own seed only, whatever the number of games or threads
    is. Where both sides are asked, the games are those of `Batch`.

    Attributes:
        seats: Whose moves are asked for in each game, `int64[N]`: 0, 1 or `loops.BOTH`.
        final: What the asked seat saw at the end of each round that the last step
            ended, `float32[N, F]`; where both are asked, the seat that made the
            move. Rows of other games are of no meaning.
    """

    def __init__(
        self, variant: Variant, seats: npt.NDArray[np.int64], *, seeds: Sequence[int], threads: int = 1
    ) -> None:  # fmt: skip
        """Deal all games their first round.

        Args:
            variant: The numbers of the game; see `matches.make_variant` for what
                they have to fulfil.
            seats: See above.
            seeds: The games' own seeds.
            threads: How many threads share the work; the games are the same.

        Raises:
            ValueError: If there is not a seed and a seat for each game.
        """
        self.seats = seats
        self._streams = np.zeros(len(seats), np.uint64)
        super().__init__(variant, len(seats), seeds=seeds, threads=threads)
        self.final = np.zeros_like(self.features)

    def reseed(self, seeds: Sequence[int]) -> None:
        """Choose the deals to come, and the random moves; `next_rounds` starts them.

        Raises:
            ValueError: If there is not a seed for each game.
        """
        if len(seeds) != self.num_games:
            raise ValueError(f"expected {self.num_games} seeds, got {len(seeds)}")
        self._seeds[:] = [to_word(seed) for seed in seeds]
        self._streams[:] = [to_word(mix(to_word(seed ^ _ANSWERS))) for seed in seeds]
        self._rounds[:] = 0

    def reset(self) -> None:
        """Deal all games their first round again, and observe."""
        self.reseed(self._seeds.tolist())
        self.next_rounds()

    def next_rounds(self) -> None:
        """Deal all games their next round, whether the running one is over or not, and observe."""
        self.finished[:] = False
        self.scores[:] = 0
        self._run(
            begin_range, self.rows, self._start, self._types, self._seeds, self._rounds,
            self.seats, self._streams, self.features, self.masks, self.movers,
        )  # fmt: skip

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Make one move of the asked seat in every game, play on until it is asked again, observe.

        Args:
            actions: One for each game, `int64[N]`.

        Raises:
            ValueError: If the array is another, or an action is not legal; nothing
                has changed then.
        """
        self.check(actions)
        self._run(
            step_range, self.rows, self._start, self._types, self._seeds, self._rounds,
            self.seats, self._streams, self.features, self.masks, self.movers,
            actions, self.finished, self.scores, self.final,
        )  # fmt: skip

    def check(self, actions: npt.NDArray[np.int64]) -> None:
        """Refuse actions that `masks` does not allow.

        Raises:
            ValueError: If there is one, or the array is not `int64[N]`.
        """
        if actions.shape != self.movers.shape or actions.dtype != np.int64:
            raise ValueError(
                f"expected actions int64[{self.num_games}], got "
                f"{actions.dtype}{list(actions.shape)}"
            )
        num_actions = self.masks.shape[1]
        is_known = (actions >= 0) & (actions < num_actions)
        is_legal = is_known & (self.masks[np.arange(self.num_games), actions * is_known] == 1)
        if not is_legal.all():
            game = int(np.argmin(is_legal))
            raise ValueError(
                f"expected legal actions, got {actions[game]} in game {game}, "
                f"where {np.flatnonzero(self.masks[game]).tolist()} are"
            )
