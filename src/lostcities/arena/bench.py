"""How the program behaves, as a fingerprint, and how fast it is.

The fingerprint is a hash of whole games: equal for compiled and plain kernels,
any number of threads, any machine and Python. A change of it means that games
went otherwise, which a change of speed must not do. Speeds are CPU time of one
thread, medians of a few passes.
"""

import hashlib
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

import numpy as np

from lostcities.agents.base import Limit
from lostcities.agents.registry import make_agent
from lostcities.arena.duplicate import deal_number, play_deal
from lostcities.kernel.batch import Batch, shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, MAX_LEGAL, card_types, new_row
from lostcities.kernel.playout import random_rounds
from lostcities.kernel.step import legal_list, step
from lostcities.kernel.streams import to_word
from lostcities.kernel.warm_up import warm_up
from lostcities.notation import format_turn
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Position, Variant

_VARIANTS: Final = (CLASSIC, LONG)
_PASSES: Final = 5
_SEED: Final = 20261129
_DECIDERS: Final = (
    "search:playouts=4", "ismcts:playouts=4", "net", "expert:playouts=8,depth=2", "level:3",
    "level:5",
)  # fmt: skip
"""Who decides for the fingerprint: little enough for a kernel that is not compiled."""


def fingerprint(*, threads: int = 1) -> str:
    """Return a hash of random rounds, rounds of the heuristic, and decisions of agents of every kind.

    Args:
        threads: For the random rounds; it must not matter.
    """
    digest = hashlib.sha256()
    for variant in _VARIANTS:
        guarded = replace(variant, num_rounds=1, stall_limit=ONLINE_STALL_LIMIT)
        for game in (variant, guarded):
            rounds = random_rounds(game, seed=_SEED, count=3, threads=threads)
            digest.update(f"{rounds.num_turns} {rounds.fingerprint}\n".encode())
        heuristic = make_agent("heuristic")
        report = play_deal(_SEED, 0, (heuristic, heuristic), variant=guarded)
        turns = " ".join(format_turn(written.turn) for written in report.turns)
        digest.update(f"{turns} {report.scores}\n".encode())
        start = Position.deal(deal_number(_SEED, 1, guarded), variant=guarded)
        for spec in _DECIDERS:
            decision = make_agent(spec).decide(start.observe(0), rng=Random(_SEED))
            digest.update(f"{spec} {decision.move}\n".encode())
    return digest.hexdigest()[:16]


def measure(*, passes: int = _PASSES) -> dict[str, Any]:
    """Return the fingerprint and the speeds, by the names that programs read."""
    warm_up()
    return {
        "fingerprint": fingerprint(),
        "playout_ns_per_decision": {
            str(variant.num_colors): round(_median(passes, lambda v=variant: _playout(v)), 3)  # type: ignore[misc] # a default binds the loop variable
            for variant in _VARIANTS
        },
        "ismcts_playouts_per_second": round(_median(passes, _ismcts)),
        "batch_decisions_per_second": round(_median(passes, _batch)),
        "python_decisions_per_second": round(_median(passes, _from_python)),
        "rules_decisions_per_second": round(_median(passes, _rules)),
    }


def _median(passes: int, run: Callable[[], float]) -> float:
    run()  # whatever is slow only once
    return statistics.median(run() for _ in range(passes))


def _playout(variant: Variant, num_rounds: int = 20_000) -> float:
    """Return nanoseconds a decision of random play, with shuffle, deal, moves and score."""
    begin = time.thread_time_ns()
    rounds = random_rounds(variant, seed=_SEED, count=num_rounds)
    return (time.thread_time_ns() - begin) / (2 * rounds.num_turns)


def _ismcts(num_playouts: int = 10_000) -> float:
    """Return random playouts a second in one tree from the opening."""
    agent = make_agent(f"ismcts:playouts={num_playouts},trees=1,leaf=random,prior=none")
    deck = Random(_SEED).sample(CLASSIC.deck, k=len(CLASSIC.deck))
    observation = Position.deal(deck).observe(0)
    begin = time.thread_time_ns()
    agent.decide(observation, rng=Random(_SEED), limit=Limit())
    return num_playouts / (time.thread_time_ns() - begin) * 1e9


def _batch(num_games: int = 256, num_steps: int = 1000) -> float:
    """Return decisions a second of many games with full features and mask."""
    batch = Batch(CLASSIC, num_games, seed=_SEED)
    batch.reset()
    actions = np.zeros((num_steps, num_games), np.int64)
    for number, row in enumerate(actions):
        batch.random_actions(number, row)
        batch.step(row)
    batch.reset()
    begin = time.thread_time_ns()
    for row in actions:
        batch.step(row)
    return actions.size / (time.thread_time_ns() - begin) * 1e9


def _from_python(num_games: int = 100) -> float:
    """Return decisions a second driven from Python: a legal list and a step each."""
    rng, legal = Random(_SEED), np.zeros(MAX_LEGAL, np.int64)
    types, room = card_types(CLASSIC), np.zeros(MAX_CARDS, np.uint8)
    num_plies = 0
    begin = time.thread_time_ns()
    for game in range(num_games):
        row = new_row(CLASSIC)
        shuffle_and_deal(row, types, room, to_word(game))
        while num := legal_list(row, legal):
            step(row, legal[int(rng.random() * num)])
            num_plies += 1
    return num_plies / (time.thread_time_ns() - begin) * 1e9


def _rules(num_rounds: int = 5) -> float:
    """Return decisions a second of the readable rules."""
    rng = Random(_SEED)
    num_plies = 0
    begin = time.thread_time_ns()
    for _ in range(num_rounds):
        position = Position.deal(rng.sample(CLASSIC.deck, k=len(CLASSIC.deck)))
        while not position.is_over:
            position = position.after(rng.choice(position.legal_moves))
            num_plies += 1
    return num_plies / (time.thread_time_ns() - begin) * 1e9
