"""The policy of the playouts: the heuristic's moves, at machine speed."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from lostcities.agents.registry import make_agent
from lostcities.agents.weights import shipped_network
from lostcities.kernel.belief import (
    BY_ODDS,
    EVENLY,
    NUM_PHASES,
    NUM_RELATIONS,
    ODDS,
    deal_unseen,
    relation,
    reshuffle_by_odds,
)
from lostcities.kernel.bridge import move_of, pack, unpack
from lostcities.kernel.layout import MAX_ACTIONS, MAX_CARDS, U
from lostcities.kernel.network import new_thinker
from lostcities.kernel.policy import (
    new_work,
    policy_action,
    policy_playout,
    policy_playout_from_both_ends,
    value_card_actions,
    value_draw_actions,
)
from lostcities.kernel.step import is_over
from lostcities.kernel.streams import to_word
from lostcities.kernel.tree import (
    ACTION,
    NETWORK_LEAF,
    NETWORK_PRIOR,
    NO_PRIOR,
    POLICY_LEAF,
    POLICY_PRIOR,
    RANDOM_LEAF,
    children,
    grow,
    new_tree,
)
from lostcities.kernel.trials import try_actions
from lostcities.kernel.worlds import reshuffle
from lostcities.rules import CLASSIC, LONG, MINI, ONLINE_STALL_LIMIT, TINY, Phase, Position, Variant

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
LONG_GUARDED = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
VARIANTS = {"five": GUARDED, "six": LONG_GUARDED, "mini": MINI, "tiny": TINY}


def mixed_round(variant: Variant, seed: int) -> list[Position]:
    """Return the positions of a round, three of four moves by the policy."""
    rng = Random(seed)
    deal = list(variant.deck)
    rng.shuffle(deal)
    position, found, work = Position.deal(deal, variant=variant), [], new_work()
    while not position.is_over:
        found.append(position)
        move = move_of(int(policy_action(pack(position), work)), variant)
        position = position.after(rng.choice([move, move, move, rng.choice(position.legal_moves)]))
    return found


@pytest.mark.parametrize("variant", [GUARDED, LONG_GUARDED], ids=["five", "six"])
def test_the_policy_is_the_heuristic(variant: Variant) -> None:
    heuristic, work = make_agent("heuristic"), new_work()
    same = total = 0
    for seed in range(8):
        for position in mixed_round(variant, seed):
            move = move_of(int(policy_action(pack(position), work)), variant)
            observation = position.observe(position.mover)
            same += heuristic.decide(observation, rng=Random(0)).move == move
            total += 1
    # Where values are equal but for the last bits, the two may break the tie in their own way.
    assert same / total > 0.97


@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_is_legal_and_has_a_value(name: str) -> None:
    variant, work = VARIANTS[name], new_work()
    for seed in range(4):
        for position in mixed_round(variant, seed):
            values = np.full(MAX_ACTIONS, np.nan)
            row = pack(position)
            tell = value_card_actions if position.phase is Phase.CARD else value_draw_actions
            best = int(tell(row, work, values))
            known = {move_of(int(action), variant) for action in np.flatnonzero(~np.isnan(values))}
            assert known == set(position.legal_moves)
            assert best == policy_action(row, work)
            assert values[best] >= np.nanmax(values) - 1e-5


@pytest.mark.parametrize("name", VARIANTS)
def test_playouts_end_and_keep_the_cards(name: str) -> None:
    work = new_work()
    for position in mixed_round(replace(VARIANTS[name], stall_limit=None), 5):
        row = pack(position)
        policy_playout(row, work)
        assert is_over(row)
        unpack(row).checked()
        world = pack(position)
        for move in position.legal_moves[:3]:
            trial = world.copy()
            from_moves = [
                int(action) for action in range(21 * position.variant.num_colors + 1)
                if _is_move(action, position.variant, move)
            ]  # fmt: skip
            policy_playout_from_both_ends(trial, world, position.mover, from_moves[0], work)
            assert is_over(trial)
            unpack(trial).checked()


def _is_move(action: int, variant: Variant, move: object) -> bool:
    try:
        return move_of(action, variant) == move
    except ValueError:
        return False


@pytest.mark.parametrize("tabletop_memory", [False, True], ids=["open", "tabletop"])
def test_weighed_worlds_agree_with_what_is_seen(*, tabletop_memory: bool) -> None:
    variant = replace(GUARDED, tabletop_memory=tabletop_memory)
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    for number, position in enumerate(mixed_round(variant, 7)):
        row, seat = pack(position), position.mover
        reshuffle_by_odds(row, seat, to_word(number), cards, keys)
        world = unpack(row).checked()
        assert world.observe(seat) == position.observe(seat)


def test_a_hand_rather_holds_what_it_can_use() -> None:
    assert ODDS.shape == (NUM_PHASES, NUM_RELATIONS)
    position = mixed_round(GUARDED, 9)[60]
    seat = position.mover
    other = 1 - seat
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    useful = {True: 0, False: 0}
    row = pack(position)
    for number in range(400):
        reshuffle_by_odds(row, seat, to_word(number), cards, keys)
        for card_type in range(50):
            if int(row[other]) >> card_type & 1:
                useful[int(relation(row, U(other), U(card_type))) > 1] += 1
    assert useful[True] > 4 * useful[False]


@pytest.mark.parametrize("tabletop_memory", [False, True], ids=["open", "tabletop"])
def test_unseen_cards_are_dealt_by_the_odds_or_evenly(*, tabletop_memory: bool) -> None:
    variant = replace(GUARDED, tabletop_memory=tabletop_memory)
    cards, keys = np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64)
    for number, position in enumerate(mixed_round(variant, 8)[:-6:5]):
        seat, word = position.mover, to_word(number)
        by_odds, evenly, dealt = pack(position), pack(position), pack(position)
        stream = reshuffle_by_odds(by_odds, seat, word, cards, keys)
        assert deal_unseen(dealt, seat, word, BY_ODDS, cards, keys) == stream
        assert (dealt == by_odds).all()
        dealt = pack(position)
        stream = reshuffle(evenly, seat, word, cards)
        assert deal_unseen(dealt, seat, word, EVENLY, cards, keys) == stream
        assert (dealt == evenly).all()
        assert tabletop_memory == bool((evenly == by_odds).all())


@pytest.mark.parametrize("belief", [BY_ODDS, EVENLY])
def test_any_split_of_the_worlds_adds_up_to_the_same(belief: int) -> None:
    position = mixed_round(GUARDED, 3)[30]
    row, seat, work = pack(position), position.mover, new_work()
    actions = np.array([policy_action(row, work)], np.int64)
    whole = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    parts = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    try_actions(row, seat, actions, 0, 30, to_word(5), *whole, work, belief)
    for first, count in ((0, 7), (7, 23)):
        try_actions(row, seat, actions, first, count, to_word(5), *parts, work, belief)
    assert whole[0] == parts[0]
    assert whole[1] == parts[1]


@pytest.mark.parametrize(
    ("leaf", "prior"),
    [(POLICY_LEAF, POLICY_PRIOR), (RANDOM_LEAF, NO_PRIOR), (NETWORK_LEAF, NETWORK_PRIOR),
     (NETWORK_LEAF, POLICY_PRIOR), (POLICY_LEAF, NETWORK_PRIOR)],
)  # fmt: skip
@pytest.mark.parametrize("belief", [BY_ODDS, EVENLY])
def test_a_tree_counts_every_iteration_once(leaf: int, prior: int, belief: int) -> None:
    position = mixed_round(GUARDED, 4)[10]
    nodes, tried = new_tree(300)
    work = new_work()
    size = grow(
        pack(position), position.mover, 300, to_word(1), leaf, prior, 20.0,
        nodes, tried, 0, work, new_thinker(shipped_network().weights), belief,
    )  # fmt: skip
    found = children(nodes)
    assert sum(visits for _, visits, _ in found) == 300
    assert size <= 302
    assert {move_of(action, GUARDED) for action, _, _ in found} <= set(position.legal_moves)
    assert nodes[1, ACTION] == 0
