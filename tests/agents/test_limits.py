"""A limit of playouts that is stated is kept, however small it is."""

from collections.abc import Callable, Sized
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from agents.test_search import positions
from lostcities.agents import expert, ismcts, search
from lostcities.agents.base import Limit
from lostcities.agents.registry import make_agent
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Observation, Variant

VARIANTS: Final = [replace(game, stall_limit=ONLINE_STALL_LIMIT) for game in (CLASSIC, LONG)]
AGENTS: Final = [
    "search",
    "search:threads=3",
    "expert",
    "expert:depth=2,threads=3",
    "level:6",
    "ismcts",
    "ismcts:threads=2,leaf=policy,prior=policy",
    "ismcts:leaf=random,prior=none",
    "ismcts:leaf=random,prior=policy,trees=64",
    "ismcts:leaf=random,trees=1",
]


def views(variant: Variant) -> list[Observation]:
    """Return views early and late in a round, with cards and with draws to choose from."""
    found = [position.observe(position.mover) for position in positions(variant, 8)]
    some = [view for view in found if len(view.legal_moves) > 1]
    return [some[0], some[7], some[-9], max(some, key=lambda view: len(view.legal_moves))]


@pytest.fixture
def num_played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of playouts of each call of a kernel that plays out."""
    played: list[int] = []

    def counted(kernel: Callable[..., Any], num: Callable[..., int]) -> Callable[..., Any]:
        def count_and_call(*arguments: object) -> object:
            played.append(num(*arguments))
            return kernel(*arguments)

        return count_and_call

    def num_trials(
        _root: object, _seat: int, actions: Sized, _first: int, count: int, *_: object
    ) -> int:
        return len(actions) * count

    for module, name, num in (
        (search, "try_actions", num_trials),
        (expert, "try_by_network", num_trials),
        (ismcts, "grow", lambda _root, _seat, num, *_: int(num)),
    ):
        monkeypatch.setattr(module, name, counted(getattr(module, name), num))
    return played


@pytest.mark.parametrize("variant", VARIANTS, ids=["five", "six"])
@pytest.mark.parametrize("spec", AGENTS)
def test_no_more_is_played_out_than_the_limit_allows(
    spec: str, variant: Variant, num_played: list[int]
) -> None:
    agent, some = make_agent(spec), views(variant)
    for limit in range(1, 41):
        for view in some:
            num_played.clear()
            decision = agent.decide(view, rng=Random(limit), limit=Limit(playouts=limit))
            assert sum(num_played) <= limit
            assert decision.move in view.legal_moves
            assert sum(share for _, share in decision.policy) == pytest.approx(1.0)


@pytest.mark.parametrize("spec", AGENTS)
def test_a_limit_of_playouts_is_kept_beside_one_of_time(spec: str, num_played: list[int]) -> None:
    agent, some = make_agent(spec), views(VARIANTS[0])
    for limit in (1, 2, 7, 19):
        for view in some:
            num_played.clear()
            agent.decide(view, rng=Random(limit), limit=Limit(playouts=limit, seconds=0.5))
            assert sum(num_played) <= limit


@pytest.mark.parametrize(("spec", "prior"), [("expert", "net"), ("search", "heuristic")])
def test_who_may_try_one_move_only_takes_what_came_first(spec: str, prior: str) -> None:
    agent, adviser = make_agent(f"{spec}:playouts=1"), make_agent(prior)
    agreed = [
        agent.decide(view, rng=Random(1)).move == adviser.decide(view, rng=Random(1)).move
        for variant in VARIANTS
        for view in views(variant)
    ]
    assert all(agreed)


@pytest.mark.parametrize("spec", ["search:playouts=60", "expert:playouts=60", "ismcts:playouts=60"])
def test_nearly_all_of_a_limit_is_used(spec: str, num_played: list[int]) -> None:
    """Where the moves are close; what is decided early needs less."""
    used = []
    for view in views(VARIANTS[0]):
        num_played.clear()
        make_agent(spec).decide(view, rng=Random(1))
        used.append(sum(num_played))
    assert max(used) > 45
