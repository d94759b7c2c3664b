"""What does a network win that is told the same of the other side at every turn?

What is told is worked into the biases of the first layer, so that nothing is read. Printed are its
margins against the rules of thumb and against another network, with five colors and with six.
"""

import argparse
from pathlib import Path

from lostcities.agents.weights import load_network
from lostcities.kernel.features import GLOBAL_WIDTH
from lostcities.kernel.network import TOLD_WIDTH, Weights, new_room, part_of, write_told
from lostcities.kernel.selfplay import OTHER, RULES_OF_THUMB
from lostcities.training.duels import duel
from lostcities.training.generate import training_variant


def told_at_every_turn(weights: Weights, told: float) -> Weights:
    """Return weights that play as these do when they are told something."""
    room, baked = new_room(), weights.copy()
    write_told(room, 0, told)  # behind no colors
    heard = room[GLOBAL_WIDTH : GLOBAL_WIDTH + TOLD_WIDTH]
    for bias, part in (("color_bias_0", "table_to_color_0"), ("table_bias_0", "table_0")):
        rows = part_of(baked, part)
        part_of(baked, bias)[:] += heard @ rows[-TOLD_WIDTH:]
        rows[-TOLD_WIDTH:] = 0
    return baked


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("network", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=900)
    asked = parser.parse_args()
    weights, other = (load_network(path).weights for path in (asked.network, asked.other))
    for told in (-4.0, -2.0, 0.0, 2.0, 4.0):
        baked, found = told_at_every_turn(weights, told), []
        for colors in (5, 6):
            variant = training_variant(colors)
            for name, bot in (("rules of thumb", RULES_OF_THUMB), ("other", OTHER)):
                result = duel(
                    baked, bot, variant, pairs=asked.pairs, seed=asked.seed, other_weights=other
                )
                found.append(f"{name} {result.margin:+.1f} +- {result.error:.1f}")
        print(f"told {told:+.0f}: five colors {', '.join(found[:2])}; six {', '.join(found[2:])}")


if __name__ == "__main__":
    main()
