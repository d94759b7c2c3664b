"""How the starter's margins are spread when the shipped network plays itself.

What it prints is `src/lostcities/agents/networks/margins-4.json`, the table of `agents.objective`.
"""

import json
from dataclasses import replace

import numpy as np

from lostcities.agents.objective import ROUND
from lostcities.agents.weights import shipped_network
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, NUM_WORDS, card_types, new_row
from lostcities.kernel.network import listens, new_room
from lostcities.kernel.opposite import new_reading
from lostcities.kernel.policy import new_work
from lostcities.kernel.selfplay import FACTS, LEARNER, NUM_FACTS, play_rounds
from lostcities.kernel.streams import mix, to_word
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Variant

NUM_ROUNDS = 40_000
LOWEST, WIDTH, NUM_BINS = -320, 8, 81
SEED = 9


def margins_of(variant: Variant) -> dict[str, object]:
    """Return how often each margin of the starter was seen, in steps of `WIDTH` points."""
    weights = shipped_network().weights_for(ROUND)
    rows = np.zeros((NUM_ROUNDS, NUM_WORDS), np.uint64)
    types, cards, start = card_types(variant), np.zeros(MAX_CARDS, np.uint8), new_row(variant)
    for number, row in enumerate(rows):
        row[:] = start  # seat 0 starts
        shuffle_and_deal(row, types, cards, to_word(mix(to_word(SEED * 1_000_003 + number))))
    facts = np.zeros((NUM_ROUNDS, NUM_FACTS), np.int16)
    play_rounds(
        0, NUM_ROUNDS, rows, np.full((NUM_ROUNDS, 2), LEARNER, np.int8), to_word(SEED),
        weights, weights, 0.0, facts, np.array([listens(weights)] * 2),
        np.zeros((NUM_ROUNDS, 0), np.float32), new_room(), new_work(), new_reading(new_work()),
    )  # fmt: skip
    margins = facts[:, FACTS.index("score_0")] - facts[:, FACTS.index("score_1")]
    places = np.clip(np.round((margins - LOWEST) / WIDTH), 0, NUM_BINS - 1).astype(int)
    counts = np.bincount(places, minlength=NUM_BINS).tolist()
    return {"rounds": NUM_ROUNDS, "lowest": LOWEST, "width": WIDTH, "counts": counts}


def main() -> None:
    """Print the table for five and six colors."""
    games = [replace(game, stall_limit=ONLINE_STALL_LIMIT) for game in (CLASSIC, LONG)]
    print(json.dumps({str(game.num_colors): margins_of(game) for game in games}))


if __name__ == "__main__":
    main()
