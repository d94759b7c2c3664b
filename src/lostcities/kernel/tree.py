"""Search in a tree of what one seat sees: information-set Monte Carlo tree search.

Each iteration deals the unseen cards anew, walks down the tree through moves
that are legal in that world, adds one node, and plays the round out from there.
Instead of playing out, a new node may be valued by the network. A node is a
sequence of moves since the root, whatever the world was; so a move competes with its siblings only in the worlds in which it could be made, and how
often that was is counted apart from how often it was chosen.

Source:
    Cowling, Powley, Whitehouse 2012, Information Set Monte Carlo Tree Search
    (single observer).
"""

from math import log
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import borrow, ctz, njit, popcount, row_of, select_bit
from lostcities.kernel.belief import deal_unseen
from lostcities.kernel.layout import (
    CARD_PHASE,
    HAND,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_LEGAL,
    OPEN,
    Row,
    U,
)
from lostcities.kernel.network import Thinker, logit_of, read_margin, think
from lostcities.kernel.playout import playout
from lostcities.kernel.policy import (
    Work,
    policy_playout,
    value_card_actions,
    value_draw_actions,
)
from lostcities.kernel.step import (
    is_over,
    legal_list,
    margin,
    mover,
    num_colors,
    open_piles,
    phase,
    step,
)
from lostcities.kernel.streams import CardTypes, Whole, Word, advance, below, mix, round_stream

Nodes: TypeAlias = npt.NDArray[np.int32]
"""`int32[N, 8]`: one row of 32 bytes for each node, half a cache line."""
Tried: TypeAlias = npt.NDArray[np.uint64]
"""`uint64[N, 2]`: for each node the plays (or draws) and the discards that have a child."""

ACTION, VISITS, AVAILABLE, SUM, CHILD, SIBLING, BIAS = range(7)
"""What a node holds: its move, how often it was chosen and could have been, the margins of the
root's seat added up, its youngest child, the sibling before it (0: none), the policy's opinion."""
NUM_FIELDS: Final = 8
MAX_ITERATIONS: Final = 2_000_000
"""Beyond, the sums of margins might leave their 32 bits."""

RANDOM_LEAF, POLICY_LEAF, NETWORK_LEAF = 0, 1, 2
"""What a new node is worth: what comes of a random playout, of one by the policy, or what the
network expects."""
NO_PRIOR, POLICY_PRIOR, NETWORK_PRIOR = 0, 1, 2
"""Which children come first: any, or the favourites of the policy or of the network, which are
also favoured later."""

_0, _1, _32 = U(0), U(1), U(32)
_TEN, _20 = U(10), U(20)
_HALF_LIFE: Final = 6
_NUM_LOGS: Final = 4096
_LOGS: Final = np.array([0.0] + [log(n) for n in range(1, _NUM_LOGS)], np.float32)
"""Natural logarithms of 0 (as 0) to 4095: small enough to stay in the fastest cache."""
_SIX_BITS: Final = 6 * log(2.0)
_MAX_DEPTH: Final = 256
_POINTS_PER_NAT: Final = 4.0
"""Points for which a factor e in what the network likes counts as an opinion."""
_MOST_BEHIND: Final = 40.0
"""No opinion is worth more points than this."""


def new_tree(num_iterations: int) -> tuple[Nodes, Tried]:
    """Return room for a tree of so many iterations: one node each, and the root."""
    size = num_iterations + 2
    return np.zeros((size, NUM_FIELDS), np.int32), np.zeros((size, 2), np.uint64)


@njit
def _log(count: Whole) -> float:
    """Return the logarithm of a count, above 4095 to within 1/64."""
    if count < _NUM_LOGS:
        return np.float64(_LOGS[count])
    more = 0.0
    while count >= _NUM_LOGS:
        count >>= 6
        more += _SIX_BITS
    return np.float64(_LOGS[count]) + more


@njit
def _legal_words(row: Row) -> tuple[Word, Word]:
    """Return the legal plays (in the draw phase the draws, bit 0 the deck) and the discards."""
    if phase(row) == CARD_PHASE:
        seat = mover(row)
        hand = row[HAND + seat]
        return hand & row[OPEN + seat], hand
    return (open_piles(row) << _1) | _1, _0


@njit
def _action(row: Row, bit: Word, is_discard: bool) -> Whole:  # noqa: FBT001 # compiled
    if phase(row) != CARD_PHASE:
        return np.int64(_20 * num_colors(row) + ctz(bit))
    return np.int64(ctz(bit) + (_TEN * num_colors(row) if is_discard else _0))


@njit
def _is_in(row: Row, action: Whole, plays: Word, discards: Word) -> bool:
    """Return whether an action is among the legal words."""
    number = U(action)
    ten = _TEN * num_colors(row)
    if number < ten:
        return (plays >> number) & _1 == _1
    if number < ten + ten:
        return (discards >> (number - ten)) & _1 == _1
    return (plays >> (number - ten - ten)) & _1 == _1


@njit
def _best_child(
    row: Row, nodes: Nodes, parent: Whole, plays: Word, discards: Word, explore: float, sign: float
) -> Whole:
    """Return the legal child with the best upper bound, counting for all that they could be had.

    Source:
        UCB1 with the availability in place of the visits of the parent; the
        policy's opinion fades as 1 / (1 + visits / 6).
    """
    best: Whole = 0
    best_bound = -1e30
    child: Whole = np.int64(nodes[parent, CHILD])
    while child != 0:
        node = row_of(nodes, child)
        if _is_in(row, np.int64(node[ACTION]), plays, discards):
            node[AVAILABLE] += np.int32(1)
            visits = np.float64(node[VISITS])
            bound = sign * np.float64(node[SUM]) / visits
            bound += explore * np.sqrt(_log(np.int64(node[AVAILABLE])) / visits)
            bound += np.float64(node[BIAS]) * _HALF_LIFE / (_HALF_LIFE + visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = np.int64(node[SIBLING])
    return best


@njit
def _may_widen(nodes: Nodes, parent: Whole, num_children: Whole, prior: Whole) -> bool:
    """Return whether a node takes another child now.

    Without a prior, every move is tried once before any is tried twice. With
    one, the number of children grows as the square root of the visits.
    """
    if prior == NO_PRIOR:
        return True
    return num_children <= 1.0 + 1.5 * np.sqrt(np.float64(nodes[parent, VISITS]))


@njit
def _choose_new(
    row: Row,
    new_plays: Word,
    new_discards: Word,
    word: Word,
    prior: Whole,
    work: Work,
    values: Work,
    thinker: Thinker,
    legal: npt.NDArray[np.int64],
) -> tuple[Whole, float]:
    """Return a legal action without a child and what the prior thinks of it, in points.

    The opinion is how far it is behind the prior's favourite, at most 40.
    """
    if prior == NO_PRIOR:
        num_plays = popcount(new_plays)
        rank = below(word >> _32, num_plays + popcount(new_discards))
        if rank < num_plays:
            return _action(row, select_bit(new_plays, rank), False), 0.0
        return _action(row, select_bit(new_discards, rank - num_plays), True), 0.0
    if prior == NETWORK_PRIOR:
        favourite = _network_opinions(row, thinker, legal, values)
    elif phase(row) == CARD_PHASE:
        favourite = value_card_actions(row, work, values)
    else:
        favourite = value_draw_actions(row, work, values)
    best: Whole = -1
    best_value = -1e30
    for is_discard in (False, True):
        bits = new_discards if is_discard else new_plays
        while bits != _0:
            action = _action(row, bits & (_0 - bits), is_discard)
            bits &= bits - _1
            if values[action] > best_value:
                best, best_value = action, values[action]
    return best, max(-_MOST_BEHIND, best_value - values[favourite])


@njit
def _network_opinions(
    row: Row, thinker: Thinker, legal: npt.NDArray[np.int64], values: Work
) -> Whole:
    """Write what the network likes, in points, for each legal action; return its favourite."""
    think(row, np.int64(mover(row)), thinker)
    colors = np.int64(num_colors(row))
    favourite = legal[0]
    for index in range(legal_list(row, legal)):
        action = legal[index]
        values[action] = _POINTS_PER_NAT * np.float64(logit_of(thinker.room, action, colors))
        if index == 0 or values[action] > values[favourite]:
            favourite = action
    return favourite


@njit
def _add_child(
    row: Row, nodes: Nodes, tried: Tried, parent: Whole, action: Whole, bias: float, new: Whole
) -> None:
    node = row_of(nodes, new)
    node[ACTION] = action
    node[AVAILABLE] = 1
    node[SIBLING] = nodes[parent, CHILD]
    node[BIAS] = np.int32(bias)
    nodes[parent, CHILD] = new
    number, ten = U(action), _TEN * num_colors(row)
    if number < ten:
        tried[parent, 0] |= _1 << number
    elif number < ten + ten:
        tried[parent, 1] |= _1 << (number - ten)
    else:
        tried[parent, 0] |= _1 << (number - ten - ten)


@njit
def _leaf_margin(
    row: Row, seat: Whole, stream: Word, leaf: Whole, work: Work, thinker: Thinker
) -> Whole:
    """Return the final margin of a seat: as the round is played out, or as the network expects."""
    if is_over(row):
        return margin(row, seat)
    if leaf == NETWORK_LEAF:
        its_seat = np.int64(mover(row))
        think(row, its_seat, thinker)
        points = np.int64(np.rint(read_margin(thinker.room)[0]))
        return points if its_seat == seat else -points
    if leaf == POLICY_LEAF:
        policy_playout(row, work)
        return margin(row, seat)
    first, second, _turns = playout(row, stream)
    return first - second if seat == 0 else second - first


@njit
def grow(
    root: Row,
    seat: Whole,
    num_iterations: Whole,
    seed: Word,
    leaf: Whole,
    prior: Whole,
    explore: float,
    nodes: Nodes,
    tried: Tried,
    num_nodes: Whole,
    work: Work,
    thinker: Thinker,
    belief: Whole,
) -> Whole:
    """Search on, and return the number of nodes.

    Args:
        root: A world of the seat to move; what it cannot see is dealt anew.
        seat: Whose knowledge is kept.
        num_iterations: How many worlds; there must be room for as many nodes.
        seed: Names the worlds. Take another one for each call.
        leaf: `RANDOM_LEAF`, `POLICY_LEAF` or `NETWORK_LEAF`.
        prior: `NO_PRIOR`, `POLICY_PRIOR` or `NETWORK_PRIOR`.
        explore: Points that one standard unit of doubt is worth.
        nodes: The tree, see `new_tree`; node 1 is the root.
        tried: The tree's other half.
        num_nodes: What the last call returned; 0 for a new tree.
        work: The policy's taste and room to work in.
        thinker: The network; only asked for as leaf or prior.
        belief: How worlds are dealt, `belief.BY_ODDS` or `belief.EVENLY`.
    """
    return _grow(
        root, seat, num_iterations, U(seed), leaf, prior, explore, nodes, tried, num_nodes,
        root.copy(), np.zeros(MAX_CARDS, np.uint8), np.zeros(MAX_CARDS, np.float64), work,
        np.zeros(MAX_ACTIONS, np.float64), np.zeros(_MAX_DEPTH, np.int64),
        thinker, np.zeros(MAX_LEGAL, np.int64), belief,
    )  # fmt: skip


@njit
def _grow(
    root: Row,
    seat: Whole,
    num_iterations: Whole,
    seed: Word,
    leaf: Whole,
    prior: Whole,
    explore: float,
    nodes: Nodes,
    tried: Tried,
    num_nodes: Whole,
    row: Row,
    cards: CardTypes,
    keys: Work,
    work: Work,
    values: Work,
    path: npt.NDArray[np.int64],
    thinker: Thinker,
    legal: npt.NDArray[np.int64],
    belief: Whole,
) -> Whole:
    """Search on, with room to work in that the caller keeps alive."""
    root, nodes, tried, row = borrow(root), borrow(nodes), borrow(tried), borrow(row)
    cards, keys, work = borrow(cards), borrow(keys), borrow(work)
    values, path = borrow(values), borrow(path)
    num_nodes = max(num_nodes, 2)  # node 0 is nobody, so that 0 may mean none
    for number in range(num_iterations):
        row[:] = root
        stream = deal_unseen(row, seat, round_stream(seed, U(number)), belief, cards, keys)
        node: Whole = 1
        depth = 0
        path[0] = 1
        while not is_over(row) and depth < _MAX_DEPTH - 1:
            plays, discards = _legal_words(row)
            new_plays, new_discards = plays & ~tried[node, 0], discards & ~tried[node, 1]
            num_new = popcount(new_plays) + popcount(new_discards)
            depth += 1
            if num_new != _0:
                num_children = np.int64(popcount(plays) + popcount(discards) - num_new)
                if num_children == 0 or _may_widen(nodes, node, num_children, prior):
                    stream = advance(stream)
                    action, bias = _choose_new(
                        row, new_plays, new_discards, mix(stream), prior, work, values,
                        thinker, legal,
                    )  # fmt: skip
                    _add_child(row, nodes, tried, node, action, bias, num_nodes)
                    path[depth] = num_nodes
                    num_nodes += 1
                    step(row, action)
                    break
            sign = 1.0 if np.int64(mover(row)) == seat else -1.0
            node = _best_child(row, nodes, node, plays, discards, explore, sign)
            path[depth] = node
            step(row, np.int64(nodes[node, ACTION]))
        result = _leaf_margin(row, seat, advance(stream), leaf, work, thinker)
        for place in range(depth + 1):
            visited = row_of(nodes, path[place])
            visited[VISITS] += np.int32(1)
            visited[SUM] += np.int32(result)
    return num_nodes


def children(nodes: Nodes) -> list[tuple[int, int, int]]:
    """Return the root's children: action, visits, and margins of the seat added up."""
    found = []
    child = int(nodes[1, CHILD])
    while child:
        node = nodes[child]
        found.append((int(node[ACTION]), int(node[VISITS]), int(node[SUM])))
        child = int(node[SIBLING])
    return found
