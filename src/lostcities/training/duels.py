"""Network against network, or against a bot that does not learn: paired deals at machine speed."""

from dataclasses import dataclass

import numpy as np

from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, NUM_WORDS, Rows, card_types, new_row
from lostcities.kernel.network import Weights, new_room
from lostcities.kernel.policy import new_work
from lostcities.kernel.selfplay import FACTS, LEARNER, NUM_FACTS, play_rounds
from lostcities.kernel.streams import mix, to_word
from lostcities.rules import Variant


@dataclass(frozen=True, slots=True)
class Duel:
    """What came out of paired deals, from the learner's side.

    Attributes:
        pairs: How many deals, each played twice with changed seats.
        margin: Points a round by which the learner was ahead.
        error: The standard error of that, over pairs.
        win_rate: Share of rounds won, drawn ones half.
        score: The learner's own points a round.
        forced_share: Share of rounds with a draw forced by the stall guard.
        turns: Turns a round, both sides counted.
        wagers: The learner's wagers a round.
    """

    pairs: int
    margin: float
    error: float
    win_rate: float
    score: float
    forced_share: float
    turns: float
    wagers: float


def duel(
    weights: Weights,
    opponent: int,
    variant: Variant,
    *,
    pairs: int,
    seed: int,
    other_weights: Weights | None = None,
    warmth: float = 0.0,
) -> Duel:
    """Play paired deals; networks choose what they think likeliest.

    Args:
        weights: The learner's.
        opponent: A controller of `kernel.selfplay`.
        variant: The game.
        pairs: How many deals.
        seed: Of the deals.
        other_weights: For the opponent `OTHER`.
        warmth: By what logits are divided before a choice by lot; 0 leaves nothing to lots.
    """
    rows = _paired_deals(variant, pairs, seed)
    controllers = np.full((2 * pairs, 2), opponent, np.int8)
    controllers[0::2, 0] = controllers[1::2, 1] = LEARNER
    facts = np.zeros((2 * pairs, NUM_FACTS), np.int16)
    other = weights if other_weights is None else other_weights
    play_rounds(
        0, 2 * pairs, rows, controllers, to_word(seed), weights, other, warmth, facts,
        new_room(), new_work(),
    )  # fmt: skip
    seats = np.arange(2 * pairs) % 2
    every = np.arange(2 * pairs)
    own = facts[every, seats].astype(float)
    margins = own - facts[every, 1 - seats]
    means = margins.reshape(pairs, 2).mean(1)
    return Duel(
        pairs=pairs,
        margin=float(means.mean()),
        error=float(means.std(ddof=1) / pairs**0.5) if pairs > 1 else float("inf"),
        win_rate=float(((margins > 0) + 0.5 * (margins == 0)).mean()),
        score=float(own.mean()),
        forced_share=float((facts[:, FACTS.index("forced")] > 0).mean()),
        turns=float(facts[:, FACTS.index("plies")].mean() / 2),
        wagers=float(facts[every, FACTS.index("wagers_0") + seats].mean()),
    )


def _paired_deals(variant: Variant, pairs: int, seed: int) -> Rows:
    """Return rows to play from, each deal twice in a row."""
    rows = np.zeros((2 * pairs, NUM_WORDS), np.uint64)
    types, cards = card_types(variant), np.zeros(MAX_CARDS, np.uint8)
    start = new_row(variant)
    for pair in range(pairs):
        for row in rows[2 * pair : 2 * pair + 2]:
            row[:] = start
            shuffle_and_deal(row, types, cards, to_word(mix(to_word(seed * 1_000_003 + pair))))
    return rows
