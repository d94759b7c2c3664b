"""A seed decides everything, reaches the game, keeps the options, and touches nothing global."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is missing: install lostcities[research]")
pytest.importorskip("gymnasium", reason="Gymnasium is missing: install lostcities[research]")

from adapters.mirrors import marked
from lostcities.adapters.gymnasium import LostCitiesEnv, LostCitiesVectorEnv
from lostcities.adapters.pettingzoo import raw_env
from lostcities.rules import Variant

Trace = Callable[..., list[bytes]]


def trace_cycle(game: Any, seed: int | None) -> list[bytes]:
    """Play a match with actions that depend on what is seen only, and return all that was seen."""
    game.reset(seed=seed)
    seen = []
    for agent in game.agent_iter():
        observation, reward, termination, _, info = game.last()
        seen.append(agent.encode() + digest(observation) + repr((reward, info)).encode())
        game.step(None if termination else choose(observation["action_mask"], len(seen)))
    return seen


def trace_learner(env: Any, seed: int | None) -> list[bytes]:
    observation, info = env.reset(seed=seed)
    seen, is_over, reward = [], False, 0.0
    while not is_over:
        seen.append(digest(observation) + repr((reward, info)).encode())
        action = choose(observation["action_mask"], len(seen))
        observation, reward, is_over, _, info = env.step(action)
    return [*seen, repr((reward, info)).encode()]


def trace_many(envs: Any, seed: int | None) -> list[bytes]:
    observation, infos = envs.reset(seed=seed)
    seen = []
    for ply in range(200):
        seen.append(digest(observation) + infos["scores"].tobytes())
        actions = [choose(mask, ply) for mask in observation["action_mask"]]
        observation, _, _, _, infos = envs.step(np.array(actions))
    return seen


def digest(observation: dict[str, Any]) -> bytes:
    return sha256(b"".join(array.tobytes() for array in observation.values())).digest()


def choose(mask: Any, number: int) -> int:
    legal = marked(mask)
    return legal[number * 7919 % len(legal)]


MAKERS: dict[str, tuple[Callable[..., Any], Trace]] = {
    "cycle": (raw_env, trace_cycle),
    "learner": (LostCitiesEnv, trace_learner),
    "many": (lambda **options: LostCitiesVectorEnv(3, **options), trace_many),
    "self-play": (lambda **options: LostCitiesVectorEnv(3, opponent=None, **options), trace_many),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_seed_says_everything(name: str) -> None:
    make, trace = MAKERS[name]
    env = make()
    first = trace(env, 7)
    assert trace(env, 7) == first
    assert trace(make(), 7) == first
    assert trace(env, 8) != first


@pytest.mark.parametrize("name", MAKERS)
def test_without_a_seed_it_goes_on(name: str) -> None:
    make, trace = MAKERS[name]
    one, two = make(), make()
    seen = [trace(one, 7), trace(one, None), trace(one, None)]
    assert len({b"".join(part) for part in seen}) == 3
    assert [trace(two, 7), trace(two, None), trace(two, None)] == seen


@pytest.mark.parametrize("name", MAKERS)
def test_the_first_reset_without_a_seed_takes_chance(name: str) -> None:
    make, trace = MAKERS[name]
    assert trace(make(), None) != trace(make(), None)


@pytest.mark.parametrize("name", MAKERS)
def test_a_second_environment_does_not_disturb(name: str) -> None:
    make, trace = MAKERS[name]
    alone = trace(make(), 7)
    one, two = make(), make()
    one.reset(seed=7)
    two.reset(seed=9)
    trace(two, None)
    two.reset(seed=7)
    assert trace(one, 7) == alone


def test_two_cycles_in_turns_play_as_alone() -> None:
    alone = [trace_cycle(raw_env(), seed) for seed in (7, 9)]
    games = [raw_env(), raw_env()]
    for game, seed in zip(games, (7, 9), strict=True):
        game.reset(seed=seed)
    seen: list[list[bytes]] = [[], []]
    while any(game.agents for game in games):
        for game, trace in zip(games, seen, strict=True):
            if game.agents:
                observation, reward, termination, _, info = game.last()
                agent = game.agent_selection.encode()
                trace.append(agent + digest(observation) + repr((reward, info)).encode())
                game.step(None if termination else choose(observation["action_mask"], len(trace)))
    assert seen == alone


@pytest.mark.parametrize("name", MAKERS)
def test_options_survive_a_seeded_reset(name: str) -> None:
    make, trace = MAKERS[name]
    options: dict[str, Any] = {"num_colors": 6, "payoff": "score", "stall_limit": 5, "hand_size": 6}
    env = make(**options)
    trace(env, 7)
    trace(env, None)
    assert env.variant == Variant(num_colors=6, num_rounds=1, stall_limit=5, hand_size=6)
    assert trace(env, 7) == trace(make(**options), 7)


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_global_is_touched(name: str) -> None:
    make, trace = MAKERS[name]
    before = random.getstate(), repr(np.random.get_state())  # what is looked at
    trace(make(), 7)
    trace(make(), None)
    assert (random.getstate(), repr(np.random.get_state())) == before


@pytest.mark.parametrize("seed", [0, 2**63, 2**100])
def test_seeds_of_any_size(seed: int) -> None:
    assert trace_cycle(raw_env(), seed) == trace_cycle(raw_env(), seed)


def test_a_list_gives_each_game_its_own_seed() -> None:
    envs = LostCitiesVectorEnv(3, opponent=None)
    single = LostCitiesVectorEnv(1, opponent=None)
    together, _ = envs.reset(seed=[4, 5, 6])
    for game, seed in enumerate((4, 5, 6)):
        alone, _ = single.reset(seed=[seed])
        assert np.array_equal(alone["observation"][0], together["observation"][game])
    with pytest.raises(ValueError, match="expected 3 seeds, got 2"):
        envs.reset(seed=[4, 5])


_SCRIPT = """
from hashlib import sha256
from adapters.test_seeds import MAKERS
for name, (make, trace) in MAKERS.items():
    print(name, sha256(b"".join(trace(make(), 7))).hexdigest())
"""


def test_two_processes_see_the_same() -> None:
    outputs = []
    for hash_seed in ("1", "2"):
        environment = os.environ | {
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env=environment, capture_output=True, text=True, check=True, timeout=120,
        )  # fmt: skip
        outputs.append(done.stdout)
    here = [
        f"{name} {sha256(b''.join(trace(make(), 7))).hexdigest()}"
        for name, (make, trace) in MAKERS.items()
    ]
    assert outputs[0].split("\n")[:-1] == outputs[1].split("\n")[:-1] == here
