"""How well does a network tell from the table whether the other side plays by rules of thumb?

Prints what `expert` makes of it when it thinks both equally likely before: the mean chance
against the network and against the heuristic, by how many cards are left in the deck.
"""

import argparse
from itertools import pairwise

import numpy as np

from lostcities.agents.expert import told_chance
from lostcities.agents.objective import ROUND
from lostcities.agents.weights import network_from
from lostcities.kernel.features import COLOR_WIDTH, GLOBAL_BLOCKS
from lostcities.kernel.network import evaluate_features, new_room, read_thumbs
from lostcities.training.generate import Company, Table, training_variant

NUM_GAMES, NUM_PLIES, NUM_WINDOWS = 256, 64, 4
BOUNDS = (0, 5, 15, 25, 60)
DECK_UNIT = 30
_NAMES = [name for name, block in GLOBAL_BLOCKS.items() for _ in block]
DECK_AT = _NAMES.index("deck")


def told_by(path: str, colors: int) -> tuple[list[float], list[bool], list[int]]:
    """Return the chances, whether the other side did play by rules of thumb, and deck sizes."""
    weights, room = network_from(path).weights_for(ROUND), new_room()
    controllers = Company(rules_of_thumb=0.5).controllers(NUM_GAMES)
    table = Table(training_variant(colors), controllers, num_plies=NUM_PLIES, seed=3)
    chances, truths, decks = [], [], []
    for number in range(NUM_WINDOWS):
        window = table.play(weights, warmth=0.1)
        if number == 0:
            continue  # all rounds begin together
        for ply, game in np.argwhere(window.is_recorded)[::12]:
            inputs = window.features[ply, game]
            room[: inputs.size] = inputs
            evaluate_features(room, weights, colors)
            chances.append(told_chance(0.5, read_thumbs(room, colors)))
            truths.append(bool(window.has_thumbs[ply, game]))
            decks.append(round(float(inputs[colors * COLOR_WIDTH + DECK_AT]) * DECK_UNIT))
    return chances, truths, decks


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("network", nargs="?", default="shipped")
    path = parser.parse_args().network
    for colors in (5, 6):
        chances, truths, decks = map(np.array, told_by(path, colors))
        for has_thumbs in (False, True):
            cells = [
                f"{chances[(truths == has_thumbs) & (decks >= low) & (decks < high)].mean():.2f}"
                for low, high in pairwise(BOUNDS)
            ]
            opponent = "heuristic" if has_thumbs else "network"
            mean = chances[truths == has_thumbs].mean()
            print(f"{colors} colors, {opponent}: {mean:.2f}; by deck from {BOUNDS}: {cells}")


if __name__ == "__main__":
    main()
