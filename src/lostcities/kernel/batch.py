"""Many games at once, each at its next decision, for learning and for research.

Every game has its own seed: game g of a batch plays the same deals whatever the
number of games or threads is.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit, row_of
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import (
    MAX_CARDS,
    NUM_WORDS,
    Row,
    Rows,
    U,
    card_types,
    new_row,
    num_actions,
)
from lostcities.kernel.playout import random_action
from lostcities.kernel.step import deal, is_over, legal_mask, mover, score, step
from lostcities.kernel.streams import CardTypes, Word, mix, round_stream, shuffle, to_word
from lostcities.rules import Variant

_S32: Final = U(32)
_1: Final = U(1)
_ACTION_STREAM: Final = U(0x5851F42D4C957F2D)


@njit
def shuffle_and_deal(row: Row, types: CardTypes, cards: CardTypes, stream: Word) -> Word:
    """Start a round from a shuffled deck, and return the stream's new state.

    Args:
        row: A row of the variant; its numbers of the game and its standing stay.
        types: The sorted deck, `uint8[cards]`, see `layout.card_types`.
        cards: Room to work in, `uint8[80]`.
        stream: State of the stream.
    """
    cards[: types.size] = types
    state = shuffle(cards, U(types.size), U(stream))
    deal(row, cards)
    return state


@njit
def deal_game(
    rows: Rows, start: Row, types: CardTypes, cards: CardTypes, seeds: Row, rounds: Row, game: int
) -> None:
    """Deal a game its next round."""
    row = row_of(rows, game)
    row[:] = start
    shuffle_and_deal(row, types, cards, round_stream(seeds[game], rounds[game]))
    rounds[game] += _1


@njit
def _reset_range(
    begin: int,
    end: int,
    rows: Rows,
    start: Row,
    types: CardTypes,
    seeds: Row,
    rounds: Row,
) -> None:
    cards = np.zeros(MAX_CARDS, np.uint8)
    for game in range(begin, end):
        deal_game(rows, start, types, cards, seeds, rounds, game)


@njit
def _observe_range(
    begin: int,
    end: int,
    rows: Rows,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    movers: npt.NDArray[np.int64],
) -> None:
    for game in range(begin, end):
        observe_game(rows, observations, masks, movers, game)


@njit
def observe_game(
    rows: Rows,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    movers: npt.NDArray[np.int64],
    game: int,
) -> None:
    """Write what the mover of a game sees, its legal actions, and who it is."""
    row = row_of(rows, game)
    seat = np.int64(mover(row))
    movers[game] = seat
    features(row, seat, row_of(observations, game))
    legal_mask(row, row_of(masks, game))


@njit
def _step_range(
    begin: int,
    end: int,
    rows: Rows,
    start: Row,
    types: CardTypes,
    seeds: Row,
    rounds: Row,
    actions: npt.NDArray[np.int64],
    finished: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int64],
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    movers: npt.NDArray[np.int64],
) -> None:
    """Step, deal anew where a round ended, and observe, game by game while its row is at hand."""
    cards = np.zeros(MAX_CARDS, np.uint8)
    for game in range(begin, end):
        row = row_of(rows, game)
        step(row, actions[game])
        finished[game] = is_over(row)
        scores[game, 0] = 0
        scores[game, 1] = 0
        if finished[game]:
            scores[game, 0] = score(row, 0)
            scores[game, 1] = score(row, 1)
            deal_game(rows, start, types, cards, seeds, rounds, game)
        observe_game(rows, observations, masks, movers, game)


@njit
def _choose_range(
    begin: int, end: int, rows: Rows, seed: Word, actions: npt.NDArray[np.int64]
) -> None:
    for game in range(begin, end):
        half = mix(seed + U(game) * _ACTION_STREAM) >> _S32
        actions[game] = np.int64(random_action(row_of(rows, game), half))


class Batch:
    """Games side by side. The arrays are made once and written anew by each call.

    Attributes:
        variant: The numbers of the game.
        rows: The positions, `uint64[N, 32]`.
        features: What the side to move of each game may know, `float32[N, F]`.
        masks: Its legal actions as 1, all others as 0, `uint8[N, A]`.
        movers: Which seat is to move, `int64[N]`.
        finished: Whether the last step ended the round of a game, `bool[N]`.
        scores: The scores of the rounds that the last step ended, in points, seat
            by seat, `int64[N, 2]`; 0 where none ended.
    """

    def __init__(
        self,
        variant: Variant,
        num_games: int,
        *,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        threads: int = 1,
    ) -> None:
        """Deal all games their first round.

        Args:
            variant: The numbers of the game.
            num_games: How many games. Positive.
            seed: Chooses the deals; each game's own seed is made from it.
            seeds: The games' own seeds, if they are chosen one by one.
            threads: How many threads share the work; the games are the same.

        Raises:
            ValueError: If a number is not positive, or there is not a seed for each game.
        """
        if num_games < 1 or threads < 1:
            raise ValueError(f"expected games and threads >= 1, got {num_games} and {threads}")
        if seeds is not None and len(seeds) != num_games:
            raise ValueError(f"expected {num_games} seeds, got {len(seeds)}")
        self.variant = variant
        self.rows = np.zeros((num_games, NUM_WORDS), np.uint64)
        self.features = np.zeros((num_games, num_features(variant)), np.float32)
        self.masks = np.zeros((num_games, num_actions(variant)), np.uint8)
        self.movers = np.zeros(num_games, np.int64)
        self.finished = np.zeros(num_games, np.bool_)
        self.scores = np.zeros((num_games, 2), np.int64)
        chosen = seeds or [int(game_seed(seed, game)) for game in range(num_games)]
        self._seeds = np.array([to_word(number) for number in chosen], np.uint64)
        self._rounds = np.zeros(num_games, np.uint64)
        self._start = new_row(variant)
        self._types = card_types(variant)
        bounds = [num_games * part // threads for part in range(threads + 1)]
        self._parts = [part for part in pairwise(bounds) if part[0] < part[1]]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self.reset()

    @property
    def num_games(self) -> int:
        """How many games there are."""
        return len(self.rows)

    def reset(self) -> None:
        """Deal all games their first round again, and observe."""
        self._rounds[:] = 0
        self.finished[:] = False
        self.scores[:] = 0
        self._run(_reset_range, self.rows, self._start, self._types, self._seeds, self._rounds)
        self.observe()

    def observe(self) -> None:
        """Write features, masks and movers anew, after the rows were changed by hand."""
        self._run(_observe_range, self.rows, self.features, self.masks, self.movers)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Make one legal action in every game, and observe.

        A game whose round ends is dealt its next round at once: `finished` and
        `scores` tell of the round that ended, everything else of the new one.

        Args:
            actions: One for each game, `int64[N]`, unchecked: an action that its
                mask does not allow leaves nonsense behind.

        Raises:
            ValueError: If the shape or the type of the array is another.
        """
        if actions.shape != self.movers.shape or actions.dtype != np.int64:
            raise ValueError(
                f"expected actions int64[{self.num_games}], got "
                f"{actions.dtype}{list(actions.shape)}"
            )
        self._run(
            _step_range, self.rows, self._start, self._types, self._seeds, self._rounds,
            actions, self.finished, self.scores, self.features, self.masks, self.movers,
        )  # fmt: skip

    def random_actions(self, seed: int, out: npt.NDArray[np.int64]) -> None:
        """Write a uniformly random legal action for each game.

        Args:
            seed: Chooses the actions; take another one for each step.
            out: Where they go, `int64[N]`.
        """
        self._run(_choose_range, self.rows, to_word(mix(to_word(seed))), out)

    def _run(self, kernel: Callable[..., None], *arrays: Any) -> None:  # noqa: ANN401 # each kernel has its own
        """Run a kernel over all games, on this thread or shared out."""
        if self._pool is None:
            kernel(0, self.num_games, *arrays)
            return
        tasks = [self._pool.submit(kernel, begin, end, *arrays) for begin, end in self._parts]
        for task in tasks:
            task.result()


def game_seed(seed: int, game: int) -> np.uint64:
    """Return the own seed of a game: far from those of the other games."""
    word: np.uint64 = to_word(mix(to_word(mix(to_word(seed))) ^ to_word(game)))
    return word
