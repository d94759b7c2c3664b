"""Games to learn from: self-play and play against others, window by window."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, card_types
from lostcities.kernel.network import Weights, new_room
from lostcities.kernel.policy import HEURISTIC_TASTE, Taste, new_work
from lostcities.kernel.selfplay import (
    FACTS,
    LEARNER,
    NUM_TALLIES,
    OTHER,
    PATH,
    RULES_OF_THUMB,
    STALLER,
    TEACHER,
    Games,
    Paths,
    Window,
    no_paths,
    play_window,
    start_rows,
)
from lostcities.kernel.streams import mix, to_word
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Variant

NUM_STARTS: Final = 1024
_TEACHER_SLIPS: Final = 0.05


def training_variant(num_colors: int) -> Variant:
    """Return the game that is trained on: five or six colors, with the stall guard."""
    return replace(LONG if num_colors == 6 else CLASSIC, stall_limit=ONLINE_STALL_LIMIT)


@dataclass(frozen=True, slots=True)
class Company:
    """Which share of the games is played against whom; the rest is self-play.

    Attributes:
        networks: Against another network, such as a past self.
        rules_of_thumb: Against the heuristic's policy.
        staller: Against a bot that wants no end.
    """

    networks: float = 0.0
    rules_of_thumb: float = 0.0
    staller: float = 0.0

    def controllers(self, num_games: int) -> npt.NDArray[np.int8]:
        """Return who sits where, `int8[N, 2]`; the learner changes seats from game to game."""
        seats = np.full((num_games, 2), LEARNER, np.int8)
        bounds = np.round(
            np.cumsum([0.0, self.networks, self.rules_of_thumb, self.staller]) * num_games
        ).astype(int)
        others = (OTHER, RULES_OF_THUMB, STALLER)
        for controller, (begin, end) in zip(others, pairwise(bounds), strict=True):
            games = np.arange(begin, end)
            seats[games, games % 2] = controller
        return seats


def another_taste(rng: np.random.Generator, variety: float) -> Taste:
    """Return a taste like the heuristic's, in which everything is minded more or less.

    Args:
        rng: What is left to chance.
        variety: Standard deviation of the logarithm of each number's factor; 0 changes nothing.
    """
    factors = np.exp(variety * rng.standard_normal(len(HEURISTIC_TASTE)))
    return tuple(
        float(number * factor) for number, factor in zip(HEURISTIC_TASTE, factors, strict=True)
    )


class Table:
    """Games side by side that go on from window to window.

    Attributes:
        games: As they stand.
        window: What the last call wrote down.
    """

    def __init__(
        self,
        variant: Variant,
        controllers: npt.NDArray[np.int8],
        *,
        num_plies: int,
        seed: int,
        threads: int = 1,
        has_oracle: bool = False,
    ) -> None:
        """Deal every game its first round.

        Args:
            variant: The game.
            controllers: Who sits where, `int8[N, 2]`.
            num_plies: How many plies of each game make a window.
            seed: Of deals and lots.
            threads: How many share the games; the games are the same.
            has_oracle: Whether windows hold what the mover could not know.
        """
        num_games = len(controllers)
        self.window = Window.empty(variant, num_plies, num_games, has_oracle=has_oracle)
        self._starts = start_rows(variant, NUM_STARTS, seed=seed)
        self._types = card_types(variant)
        first = int(mix(to_word(seed)))
        streams = [to_word(mix(to_word(first + game))) for game in range(num_games)]
        self.games = Games(
            rows=self._starts[np.arange(num_games) % NUM_STARTS].copy(),
            streams=np.array(streams, np.uint64),
            controllers=controllers,
            tallies=np.zeros((num_games, NUM_TALLIES), np.int64),
        )
        self.games.tallies[:, PATH] = np.arange(num_games) << 20
        self._deal()
        bounds = [num_games * part // threads for part in range(threads + 1)]
        self._parts = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads)

    def _deal(self) -> None:
        rows, streams, cards = self.games.rows, self.games.streams, np.zeros(MAX_CARDS, np.uint8)
        for game, row in enumerate(rows):
            streams[game] = to_word(shuffle_and_deal(row, self._types, cards, streams[game]))

    def play(
        self,
        weights: Weights,
        other_weights: Weights | None = None,
        *,
        warmth: float = 1.0,
        taste: Taste = HEURISTIC_TASTE,
        paths: Paths | None = None,
    ) -> Window:
        """Play on for a window, and return it; it is written over by the next call.

        Args:
            weights: The learner's.
            other_weights: The other network's; None for the same.
            warmth: By what the logits of networks are divided.
            taste: Of the rules of thumb.
            paths: What seats are told of the other side; None for nothing.
        """
        whats_told = paths or no_paths()
        other = weights if other_weights is None else other_weights

        def play_part(begin: int, end: int) -> None:
            play_window(
                begin, end, self.games, self._starts, self._types, weights, other, warmth,
                _TEACHER_SLIPS, whats_told, self.window, new_room(), new_work(taste),
            )  # fmt: skip

        for job in [self._pool.submit(play_part, *part) for part in self._parts]:
            job.result()
        return self.window


def teacher_table(variant: Variant, num_games: int, *, num_plies: int, seed: int) -> Table:
    """Return games of the heuristic's policy with itself, to imitate."""
    controllers = np.full((num_games, 2), TEACHER, np.int8)
    return Table(variant, controllers, num_plies=num_plies, seed=seed)


def habits(window: Window) -> dict[str, float]:
    """Return what the rounds looked like that ended in a window, a side and round.

    Rounds against others count too; nothing is returned if no round ended.
    """
    facts = window.facts[window.is_last > 0].astype(float)
    if not len(facts):
        return {}
    mean = dict(zip(FACTS, facts.mean(0), strict=True))
    return {
        "rounds": float(len(facts)),
        "score": (mean["score_0"] + mean["score_1"]) / 2,
        "turns": mean["plies"] / 2,
        "takes": mean["takes"] / 2,
        "forced_share": float((facts[:, FACTS.index("forced")] > 0).mean()),
        "wagers": (mean["wagers_0"] + mean["wagers_1"]) / 2,
        "expeditions": (mean["expeditions_0"] + mean["expeditions_1"]) / 2,
        "bonuses": (mean["bonuses_0"] + mean["bonuses_1"]) / 2,
        "below_20": mean["below_20"] / 2,
    }
