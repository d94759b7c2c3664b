"""Play rounds with the learning-free search, against itself and the network, and keep its plies.

    python search_games.py FOLDER --seed 1 --minutes 10 --playouts 400

Each seat that searches plays by trials; a network plays by lot. One round in four has six colors.
"""

import argparse
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from lostcities.agents.base import Limit
from lostcities.agents.net import Net
from lostcities.agents.registry import make_agent
from lostcities.agents.weights import network_from
from lostcities.kernel.bridge import action_of, pack
from lostcities.kernel.layout import Row
from lostcities.rules import Position, Standing
from lostcities.training.generate import training_variant


def play(number: int, rng: Random, playouts: int) -> tuple[list[Row], list[int], list[int], int]:
    """Return the positions, seats and actions of a round's searchers, and by how much seat 0 won."""
    variant = training_variant(6 if number % 4 == 3 else 5)
    searcher = make_agent(f"search:playouts={playouts}")
    other = searcher if number % 2 else Net(network_from(""), warmth=0.5)
    agents = (searcher, other) if number // 2 % 2 else (other, searcher)
    deck = list(variant.deck)
    rng.shuffle(deck)
    standing = Standing(num_rounds=variant.num_rounds, starter=rng.randrange(2))
    position = Position.deal(deck, variant=variant, standing=standing)
    rows: list[Row] = []
    seats: list[int] = []
    actions: list[int] = []
    while not position.is_over:
        seat = position.mover
        observation = position.observe(seat)
        move = agents[seat].decide(observation, rng=rng, limit=Limit()).move
        if agents[seat] is searcher and len(observation.legal_moves) > 1:
            rows.append(pack(position))
            seats.append(int(seat))
            actions.append(action_of(move, variant))
        position = position.after(move)
    return rows, seats, actions, position.scores[0] - position.scores[1]


def main() -> None:
    """Write a file every twenty rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--playouts", type=int, default=400)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    begin, number = time.monotonic(), 0
    while time.monotonic() - begin < 60 * options.minutes:
        found: tuple[list[Any], ...] = ([], [], [], [])
        for _ in range(20):
            rng = Random(f"{options.seed}/{number}")  # experiments are repeated
            rows, seats, actions, margin = play(number, rng, options.playouts)
            number += 1
            new: list[list[Any]] = [rows, seats, actions, [margin] * len(rows)]
            for column, values in zip(found, new, strict=True):
                column.extend(values)
        path = options.folder / f"games-{options.seed}-{number:05d}.npz"
        np.savez_compressed(
            path, rows=np.array(found[0]), seats=np.array(found[1], np.int8),
            actions=np.array(found[2], np.int16), margins=np.array(found[3], np.int16),
        )  # fmt: skip
        print(path, len(found[0]), round(time.monotonic() - begin), flush=True)


if __name__ == "__main__":
    main()
