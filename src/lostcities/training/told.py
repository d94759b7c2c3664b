"""What seats are told of the other side while games are played that nobody reads.

Reading the moves of the other side takes ten times as long as playing the game. So some
hundred rounds are played and read against each kind of player, and what a seat was told
there, turn by turn, is told again in the games that are learned from. That has nothing to
do with the cards of those games, only with who sits opposite and how long.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lostcities.kernel.network import Floats, Weights, new_room
from lostcities.kernel.opposite import new_reading
from lostcities.kernel.policy import new_work
from lostcities.kernel.selfplay import (
    LEARNER,
    MOST_TURNS,
    NUM_FACTS,
    OTHER,
    RULES_OF_THUMB,
    STALLER,
    play_rounds,
)
from lostcities.kernel.streams import to_word
from lostcities.rules import Variant
from lostcities.training.duels import deals_once
from lostcities.training.generate import another_taste

_BOTS = (LEARNER, RULES_OF_THUMB, STALLER)
"""Who plays the kinds `LIKE_ITSELF`, `LIKE_THUMBS` and `LIKE_STALLER`."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Plays rounds against each kind of player and reads them.

    Attributes:
        rounds: How many of each kind.
        tastes: How much the tastes of the rules of thumb vary from round to round.
    """

    rounds: int
    tastes: float

    def paths(
        self, weights: Weights, rivals: Sequence[Weights], variant: Variant, *, seed: int
    ) -> Floats:
        """Return what was told, `float32[KINDS, R, MOST_TURNS]`; see `selfplay.Paths`.

        Args:
            weights: The network that reads and plays, by lot as when it learns.
            rivals: Each makes one more kind of player.
            variant: The game.
            seed: Of deals, lots and tastes.
        """
        kinds = [*((bot, weights) for bot in _BOTS), *((OTHER, rival) for rival in rivals)]
        told = np.zeros((len(kinds), self.rounds, MOST_TURNS), np.float32)
        for number, (bot, other) in enumerate(kinds):
            rng = np.random.default_rng((seed, number))
            rows = deals_once(variant, self.rounds, seed=int(rng.integers(1 << 31)))
            controllers = np.full((self.rounds, 2), bot, np.int8)
            controllers[0::2, 0] = controllers[1::2, 1] = LEARNER
            facts = np.zeros((self.rounds, NUM_FACTS), np.int16)
            for index in range(self.rounds):
                play_rounds(
                    index, index + 1, rows, controllers, to_word(number), weights, other,
                    1.0, facts, np.array([True, False]), told[number],
                    new_room(), new_work(another_taste(rng, self.tastes)), new_reading(new_work()),
                )  # fmt: skip
        return told
