"""Agents that simulate: bound by their limits, the same whatever the threads, and strong."""

import subprocess
import sys
from dataclasses import replace
from random import Random
from time import perf_counter

import pytest

from lostcities.agents.base import Limit
from lostcities.agents.registry import make_agent
from lostcities.agents.spec import AgentSpecError
from lostcities.arena.duplicate import compare
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    Discard,
    Draw,
    Phase,
    Position,
    Variant,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
LONG_GUARDED = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
KINDS = ["search", "ismcts"]


def positions(variant: Variant, seed: int) -> list[Position]:
    """Return the positions of a round between two heuristics, without the end."""
    rng = Random(seed)
    deal = list(variant.deck)
    rng.shuffle(deal)
    position, found = Position.deal(deal, variant=variant), []
    heuristic = make_agent("heuristic")
    while not position.is_over:
        found.append(position)
        observation = position.observe(position.mover)
        position = position.after(heuristic.decide(observation, rng=rng).move)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", [GUARDED, LONG_GUARDED, MINI], ids=["five", "six", "mini"])
def test_threads_do_not_change_the_decision(kind: str, variant: Variant) -> None:
    one, two = make_agent(f"{kind}:playouts=120"), make_agent(f"{kind}:playouts=120,threads=2")
    for position in positions(variant, 1)[::9]:
        observation = position.observe(position.mover)
        assert one.decide(observation, rng=Random(4)) == two.decide(observation, rng=Random(4))


@pytest.mark.parametrize(
    ("kind", "default"), [("search", "odds"), ("ismcts", "odds"), ("expert", "network")]
)
def test_worlds_are_weighed_unless_an_even_deal_is_asked_for(kind: str, default: str) -> None:
    """They go otherwise then, and only then."""
    usual, named, even = (
        make_agent(f"{kind}:playouts=200{belief}")
        for belief in ("", f",belief={default}", ",belief=even")
    )
    differing = 0
    for position in positions(GUARDED, 7)[4::9]:
        view = position.observe(position.mover)
        decisions = [agent.decide(view, rng=Random(2)) for agent in (usual, named, even)]
        assert decisions[0] == decisions[1]
        differing += decisions[0] != decisions[2]
    assert differing > 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_tells_what_was_weighed(kind: str) -> None:
    position = positions(GUARDED, 2)[20]
    observation = position.observe(position.mover)
    decision = make_agent(f"{kind}:playouts=400").decide(observation, rng=Random(1))
    moves = [move for move, _ in decision.policy]
    assert decision.move == moves[0]
    assert len(set(moves)) == len(moves)
    assert set(moves) <= set(observation.legal_moves)
    assert sum(weight for _, weight in decision.policy) == pytest.approx(1.0)
    assert decision.value is not None
    assert -300 < decision.value < 300


@pytest.mark.parametrize("kind", KINDS)
def test_a_forced_move_takes_no_time(kind: str) -> None:
    position = next(p for p in positions(GUARDED, 3) if len(p.legal_moves) == 1)
    start = perf_counter()
    decision = make_agent(f"{kind}:seconds=30").decide(
        position.observe(position.mover), rng=Random(1)
    )
    assert decision.move == DECK
    assert perf_counter() - start < 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_clock_is_kept(kind: str, threads: int) -> None:
    agent = make_agent(f"{kind}:seconds=0.05,threads={threads}")
    late = []
    for position in positions(GUARDED, 4)[::6]:
        observation = position.observe(position.mover)
        agent.decide(observation, rng=Random(1))  # compiled, and the caches are warm
        start = perf_counter()
        agent.decide(observation, rng=Random(1))
        late.append(perf_counter() - start - 0.05)
    # A busy machine may take the processor away now and then, from the median it cannot.
    assert sorted(late)[len(late) // 2] < 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_the_tighter_limit_counts(kind: str) -> None:
    position = positions(GUARDED, 5)[0]
    observation = position.observe(position.mover)
    few = make_agent(f"{kind}:playouts=40").decide(observation, rng=Random(1))
    agent = make_agent(f"{kind}:playouts=100000")
    assert agent.decide(observation, rng=Random(1), limit=Limit(playouts=40)) == few


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_card_of_a_good_expedition_is_played(kind: str) -> None:
    agent = make_agent(f"{kind}:playouts=300")
    found = 0
    for seed in range(12):
        for position in positions(GUARDED, seed):
            if position.phase is not Phase.CARD or len(position.deck) != 1:
                continue
            seat = position.mover
            moves = list(position.legal_moves)
            gains = {
                move: position.after(move).scores[seat] - position.scores[seat] for move in moves
            }
            best = max(gains.values())
            chosen = agent.decide(position.observe(seat), rng=Random(seed)).move
            assert gains[chosen] == best or isinstance(chosen, Discard) == (best <= 0)
            found += 1
    assert found >= 12


@pytest.mark.parametrize(
    ("spec", "variant"),
    [("search:playouts=40", GUARDED), ("search:playouts=40", LONG_GUARDED), ("ismcts:playouts=40", GUARDED)],
)  # fmt: skip
@pytest.mark.parametrize("opponent", ["random", "discarder", "staller"])
def test_players_without_a_plan_are_beaten(spec: str, opponent: str, variant: Variant) -> None:
    agents = make_agent(spec), make_agent(opponent)
    margin = compare(agents, variant=variant, num_pairs=2, seed=5).margin
    assert margin.mean > 40


def test_a_take_is_never_forced_on_the_searcher() -> None:
    closed = replace(CLASSIC, stall_limit=0)
    agent = make_agent("search:playouts=40")
    for position in positions(closed, 6)[1::2]:
        if position.just_discarded is not None:
            assert agent.decide(position.observe(position.mover), rng=Random(1)).move == Draw()


@pytest.mark.parametrize(
    "spec",
    [
        "search:playouts=0",
        "search:lead=2",
        "ismcts:leaf=none",
        "ismcts:prior=",
        "ismcts:trees=65",
        "search:belief=network",
        "ismcts:belief=",
        "expert:belief=odds",
    ],
)
def test_options_that_make_no_sense_are_refused(spec: str) -> None:
    with pytest.raises(AgentSpecError):
        make_agent(spec)


def test_numba_stays_away_until_it_is_needed() -> None:
    program = (
        "import sys; from lostcities.agents.registry import make_agent; make_agent('heuristic');"
        "assert not {'numba', 'numpy'} & sys.modules.keys();"
        "make_agent('search'); assert 'numba' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
