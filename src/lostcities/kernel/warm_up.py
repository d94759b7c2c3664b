"""Compile ahead what games and agents call, so that nobody waits in the middle of a game."""

import time
from dataclasses import replace
from typing import Final

import numpy as np

from lostcities.kernel.batch import Batch, shuffle_and_deal
from lostcities.kernel.belief import BY_ODDS
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import (
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_LEGAL,
    Row,
    card_types,
    new_row,
    num_actions,
)
from lostcities.kernel.lookahead import POINTS, Outlook, read_odds, try_by_network
from lostcities.kernel.network import (
    NOBODY,
    NUM_WEIGHTS,
    evaluate_told,
    new_room,
    new_thinker,
    read_margin,
    read_policy,
    read_thumbs,
)
from lostcities.kernel.opposite import evidence_of_moves, usual_told
from lostcities.kernel.playout import playout, playout_readable, random_action, random_rounds
from lostcities.kernel.policy import (
    new_work,
    policy_action,
    value_card_actions,
    value_draw_actions,
)
from lostcities.kernel.step import deal, is_over, legal_list, legal_mask, margin, score, step
from lostcities.kernel.streams import to_word
from lostcities.kernel.tree import POLICY_LEAF, POLICY_PRIOR, grow, new_tree
from lostcities.kernel.trials import try_actions
from lostcities.kernel.worlds import reshuffle
from lostcities.rules import CLASSIC, ONLINE_STALL_LIMIT, Variant

_GUARDED: Final = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)


def warm_up() -> float:
    """Compile every kernel that games, agents and batches call, or load it from the cache.

    What only training calls (`selfplay`, `returns`) and the loops of the research
    interfaces (`adapters.loops`) are compiled when they are first used.

    Returns:
        How long that took, in seconds: some tens the first time, a fraction of one later.
    """
    begin = time.perf_counter()
    for variant in (CLASSIC, _GUARDED):
        _play(variant)
        random_rounds(variant, seed=0, count=1)
        random_rounds(variant, seed=0, count=1, form="readable")
    batch = Batch(CLASSIC, 2)
    actions = np.zeros(2, np.int64)
    batch.random_actions(0, actions)
    batch.step(actions)
    batch.observe()
    return time.perf_counter() - begin


def _play(variant: Variant) -> None:
    """Call each kernel once with the types that everybody uses."""
    row, cards = new_row(variant), np.zeros(MAX_CARDS, np.uint8)
    deal(row, card_types(variant))
    shuffle_and_deal(row, card_types(variant), cards, to_word(0))
    legal_mask(row, np.zeros(num_actions(variant), np.uint8))
    _search(row)
    _think(row)
    actions = np.zeros(MAX_LEGAL, np.int64)
    if legal_list(row, actions) and not is_over(row):
        step(row, int(actions[0]))
    random_action(row, to_word(0))
    score(row, 0)
    margin(row, 0)
    features(row, 0, np.zeros(num_features(variant), np.float32))
    reshuffle(row, 0, to_word(0), cards)
    playout(row.copy(), to_word(0))
    playout_readable(row.copy(), to_word(0))


def _search(row: Row) -> None:
    """Call what the agents that simulate call."""
    work, values = new_work(), np.zeros(MAX_ACTIONS, np.float64)
    world, actions = row.copy(), np.array([value_card_actions(row, work, values)], np.int64)
    sums, products = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    try_actions(world, 0, actions, 0, 1, to_word(0), sums, products, work, BY_ODDS)
    nodes, tried = new_tree(2)
    grow(
        world, 0, 2, to_word(0), POLICY_LEAF, POLICY_PRIOR, 1.0, nodes, tried, 0, work,
        new_thinker(NOBODY), BY_ODDS,
    )  # fmt: skip
    step(world, int(actions[0]))
    value_draw_actions(world, work, values)
    policy_action(world, work)


def _think(row: Row) -> None:
    """Call what the agents with a network call."""
    weights, room = np.zeros(NUM_WEIGHTS, np.float32), new_room()
    evaluate_told(row, 0, 0.0, room, weights)
    actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    read_policy(row, room, actions, chances, 1.0)
    read_margin(room)
    odds = np.zeros(60, np.float64)
    read_odds(room, 5, odds)
    outlook = Outlook(new_thinker(weights), weights, POINTS, 1, 0.5, new_work(), odds)
    sums, products = np.zeros(1, np.float64), np.zeros((1, 1), np.float64)
    read_thumbs(room, 5)
    try_by_network(row, 0, actions[:1], 0, 1, to_word(0), outlook, sums, products)
    usual_told(row)
    evidence_of_moves(row, actions[:1], 0, 0.0, 0, new_thinker(weights), new_work())
