"""Network against network, or against a bot that does not learn: paired deals at machine speed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.agents.objective import margins_of
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import (
    MAX_CARDS,
    NUM_WORDS,
    Rows,
    card_types,
    new_row,
)
from lostcities.kernel.network import Weights, listens, new_room
from lostcities.kernel.opposite import new_reading
from lostcities.kernel.policy import new_work
from lostcities.kernel.selfplay import FACTS, LEARNER, NUM_FACTS, OTHER, play_rounds
from lostcities.kernel.streams import mix, to_word
from lostcities.rules import Standing, Variant

Facts: TypeAlias = npt.NDArray[np.int16]


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
    rows = _paired_deals(variant, [Standing(num_rounds=variant.num_rounds)] * pairs, seed)
    other = weights if other_weights is None else other_weights
    facts = _played(rows, opponent, weights, other, seed=seed, warmth=warmth)
    seats, every = np.arange(2 * pairs) % 2, np.arange(2 * pairs)
    margins = _margins(facts, seats)
    means = margins.reshape(pairs, 2).mean(1)
    return Duel(
        pairs=pairs,
        margin=float(means.mean()),
        error=float(means.std(ddof=1) / pairs**0.5) if pairs > 1 else float("inf"),
        win_rate=float(((margins > 0) + 0.5 * (margins == 0)).mean()),
        score=float(facts[every, seats].mean()),
        forced_share=float((facts[:, FACTS.index("forced")] > 0).mean()),
        turns=float(facts[:, FACTS.index("plies")].mean() / 2),
        wagers=float(facts[every, FACTS.index("wagers_0") + seats].mean()),
    )


@dataclass(frozen=True, slots=True)
class LastRounds:
    """What came out of last rounds of matches, from the learner's side.

    Attributes:
        pairs: How many, each played twice with changed sides.
        share: Share of the matches won, drawn ones half.
        error: The standard error of that, over pairs.
        margin: Points a round by which the learner was ahead.
    """

    pairs: int
    share: float
    error: float
    margin: float


def duel_in_last_rounds(
    weights: Weights, other_weights: Weights, variant: Variant, *, pairs: int, seed: int
) -> LastRounds:
    """Let two networks take each other's place in the last rounds of matches.

    Leads are such as two rounds of equals leave behind, and whoever leads starts. Each
    deal is played twice, and lead, cards and the first move change sides with the players.

    Args:
        weights: The learner's.
        other_weights: The other one's.
        variant: The game.
        pairs: How many deals.
        seed: Of deals and leads.
    """
    rng = np.random.default_rng(seed)
    known = margins_of(variant.num_colors)
    drawn = rng.choice(known.points, (pairs, 2), p=known.chances) * rng.choice((-1, 1), (pairs, 2))
    width = int(known.points[1] - known.points[0])  # margins are known in steps
    leads = drawn.sum(1) + rng.integers(1 - width // 2, width // 2 + 1, pairs)
    standings = [_last_standing(variant, lead, rng) for lead in leads.tolist()]
    rows = _paired_deals(variant, standings, seed)
    facts = _played(rows, OTHER, weights, other_weights, seed=seed, warmth=0.0)
    seats = np.arange(2 * pairs) % 2
    margins = _margins(facts, seats)
    ahead = margins + np.repeat(leads, 2) * (1 - 2 * seats)
    shares = ((ahead > 0) + 0.5 * (ahead == 0)).reshape(pairs, 2).mean(1)
    return LastRounds(
        pairs=pairs,
        share=float(shares.mean()),
        error=float(shares.std(ddof=1) / pairs**0.5) if pairs > 1 else float("inf"),
        margin=float(margins.mean()),
    )


def _played(
    rows: Rows,
    opponent: int,
    weights: Weights,
    other_weights: Weights,
    *,
    seed: int,
    warmth: float,
) -> Facts:
    """Play rounds out, the learner in one seat and then in the other, and return what is known."""
    controllers = np.full((len(rows), 2), opponent, np.int8)
    controllers[0::2, 0] = controllers[1::2, 1] = LEARNER
    facts = np.zeros((len(rows), NUM_FACTS), np.int16)
    reads = np.array([listens(weights), listens(other_weights)])
    play_rounds(
        0, len(rows), rows, controllers, to_word(seed), weights, other_weights, warmth, facts,
        reads, np.zeros((len(rows), 0), np.float32), new_room(), new_work(),
        new_reading(new_work()),
    )  # fmt: skip
    return facts


def _margins(facts: Facts, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return by how much each of the seats was ahead."""
    every = np.arange(len(facts))
    return facts[every, seats].astype(np.int64) - facts[every, 1 - seats]


def _last_standing(variant: Variant, lead: int, rng: np.random.Generator) -> Standing:
    """Return the standing before the last round with a lead of seat 0."""
    starter = int(lead < 0) if lead else int(rng.integers(2))
    return Standing(
        round_number=variant.num_rounds, num_rounds=variant.num_rounds,
        starter=starter, totals=(max(lead, 0), max(-lead, 0)),
    )  # fmt: skip


def deals_once(variant: Variant, num: int, *, seed: int) -> Rows:
    """Return rows of first rounds to play from, each deal once."""
    rows = _paired_deals(variant, [Standing(num_rounds=variant.num_rounds)] * num, seed)
    return rows[::2].copy()


def _paired_deals(variant: Variant, standings: Sequence[Standing], seed: int) -> Rows:
    """Return rows to play from, each deal and standing twice in a row."""
    rows = np.zeros((2 * len(standings), NUM_WORDS), np.uint64)
    types, cards = card_types(variant), np.zeros(MAX_CARDS, np.uint8)
    for pair, standing in enumerate(standings):
        start = new_row(variant, standing)
        for row in rows[2 * pair : 2 * pair + 2]:
            row[:] = start
            shuffle_and_deal(row, types, cards, to_word(mix(to_word(seed * 1_000_003 + pair))))
    return rows
