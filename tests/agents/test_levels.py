"""Levels: each has a name and a number, and is above the one below."""

from dataclasses import replace

import pytest

from lostcities.agents.levels import LEVELS
from lostcities.agents.registry import make_agent
from lostcities.agents.spec import AgentSpecError, parse_spec
from lostcities.arena.contest import play_contest
from lostcities.arena.duplicate import compare
from lostcities.arena.engines import LocalEngine
from lostcities.arena.ladder import duel_of, duels_of
from lostcities.rules import CLASSIC, ONLINE_STALL_LIMIT

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
BY_RULES = [number for number, level in enumerate(LEVELS, start=1) if not level.playouts]


def test_there_are_enough_levels_with_names_of_their_own() -> None:
    assert len(LEVELS) >= 6
    assert len({level.name for level in LEVELS}) == len(LEVELS)


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_a_level_carries_its_spec(number: int) -> None:
    assert make_agent(f"level:{number}").name == f"level:{number}"
    assert str(parse_spec(f"level:{number}")) == f"level:{number}"
    assert str(parse_spec(f"level:number={number}")) == f"level:{number}"


@pytest.mark.parametrize("text", ["level:0", "level:7", "level:x", "level:1,2"])
def test_other_levels_are_refused(text: str) -> None:
    with pytest.raises(AgentSpecError):
        make_agent(text)


@pytest.mark.parametrize(("low", "high"), list(zip(BY_RULES, BY_RULES[2:], strict=False)))
def test_two_levels_up_is_better(low: int, high: int) -> None:
    agents = make_agent(f"level:{high}"), make_agent(f"level:{low}")
    assert compare(agents, variant=GUARDED, num_pairs=40, seed=1).margin.mean > 0


def test_neighbours_meet_on_a_ladder() -> None:
    contests = list(duels_of(["a", "b", "c", "d"], num_pairs=5, num_colors=6, seed=2, reach=2))
    assert [contest.a + contest.b for contest in contests] == ["ba", "ca", "cb", "db", "dc"]
    assert all(contest.num_colors == 6 for contest in contests)


def test_a_duel_tells_who_is_better() -> None:
    (contest,) = duels_of(["discarder", "heuristic"], num_pairs=4, num_colors=5, seed=1)
    duel = duel_of(contest, play_contest(contest, LocalEngine()))
    assert (duel.a, duel.b) == ("heuristic", "discarder")
    assert duel.margin.mean > 30
