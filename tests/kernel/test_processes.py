"""The kernel in processes of its own: without a compiler, and not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lostcities.kernel._jit import CACHE_FOLDER, IS_COMPILED
from lostcities.kernel.playout import random_rounds
from lostcities.rules import LONG

_TESTS = Path(__file__).parents[1]
_SMALL_SET = (
    "(test_laws and (tiny or small or unblocked or tabletop-mini))"
    " or (test_laws and (classic or long) and not to_the_end)"
    " or (test_trees and tiny) or test_bits or (test_playouts and (tiny or mini))"
    " or (test_bridge and mini) or test_the_number_is_what_its_name_says"
)


@pytest.mark.skipif(not IS_COMPILED, reason="these tests are running in that process")
def test_plain_python_passes_the_same_tests() -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"),
            *("-o", "addopts=--import-mode=importlib", "-k", _SMALL_SET, str(_TESTS / "kernel")),
        ],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=_TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.split(" passed")[0].split()[-1]) > 60


@pytest.mark.skipif(not IS_COMPILED, reason="these tests are running in that process")
def test_plain_python_passes_the_rule_cases() -> None:
    cases = sorted((_TESTS.parent / "conformance").glob("*cases.jsonl"))
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "conformance", "--engine", "kernel", *map(str, cases)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    num_cases = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in cases)
    assert done.stdout.splitlines()[-1] == f"{num_cases} passed, 0 failed"
    assert num_cases >= 170


@pytest.mark.parametrize(
    "module", ["lostcities", "lostcities.rules", "lostcities.notation", "lostcities.cli"]
)
def test_who_does_not_ask_for_the_kernel_does_not_wait_for_it(module: str) -> None:
    program = f"import sys, {module}; print(sorted({{'numpy', 'numba'}} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


_PLAY = """
from lostcities.kernel import _jit
from lostcities.kernel.playout import random_rounds
from lostcities.rules import LONG
print(_jit.HAS_PDEP, random_rounds(LONG, seed=4, count=500).fingerprint, _jit.CACHE_FOLDER)
"""


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_processor_without_the_instruction_plays_the_same_games() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PLAY],
        env={**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    has_pdep, fingerprint, folder = done.stdout.split()
    assert has_pdep == "False"
    assert int(fingerprint) == random_rounds(LONG, seed=4, count=500).fingerprint
    assert folder != str(CACHE_FOLDER), "code for another processor lies elsewhere"


_SESSION = """
import gc
from random import Random
import numpy as np
from numba.core.dispatcher import Dispatcher
from lostcities.agents.opposite import retrace
from lostcities.agents.registry import make_agent
from lostcities.kernel import batch, features, layout, playout, step, streams, worlds
from lostcities.kernel.warm_up import warm_up
from lostcities.rules import CLASSIC, LONG, Position, Turn, WrittenTurn

SPECS = (
    "search:playouts=40", "search:playouts=40,belief=even", "heuristic", "net",
    "expert:playouts=40", "expert:playouts=40,objective=match,belief=even",
    "ismcts:playouts=20", "ismcts:playouts=20,leaf=random,prior=none,belief=even",
    "ismcts:playouts=20,leaf=policy,prior=policy,threads=2",
    *(f"level:{number}" for number in range(1, 7)),
)

def num_versions():
    return sum(len(each.overloads) for each in gc.get_objects() if isinstance(each, Dispatcher))

assert warm_up() > 0
before = num_versions()
games = batch.Batch(LONG, 3, seed=1)
actions = np.zeros(3, np.int64)
for turn in range(50):
    games.random_actions(turn, actions)
    games.step(actions)
playout.random_rounds(LONG, seed=1, count=3)
playout.random_rounds(LONG, seed=1, count=3, form="readable")
row = games.rows[1].copy()
legal = np.zeros(layout.MAX_LEGAL, np.int64)
step.step(row, legal[step.legal_list(row, legal) - 1])
step.step(row, int(legal[step.legal_list(row, legal) - 1]))
worlds.reshuffle(row, 1, streams.to_word(3), np.zeros(80, np.uint8))
playout.playout(row.copy(), streams.to_word(3))
assert num_versions() == before > 15
print("warm")

for variant in (CLASSIC, LONG):
    rng = Random(1)
    position = Position.deal(rng.sample(variant.deck, k=len(variant.deck)), variant=variant)
    past = []
    for number in range(8):  # so that there are piles to draw from
        turn = Turn(rng.choice(position.legal_moves[8:]))
        past.append(WrittenTurn(turn, position.deck[0] if number % 2 == 0 else None))
        position = position.after_turn(turn)
    after_card = position.after(position.legal_moves[-1])
    for spec in SPECS:
        agent = make_agent(spec)
        for each in (position, after_card):
            assert len(each.legal_moves) > 1
            view = each.observe(each.mover).with_past(past)
            assert retrace(view) is not None
            agent.decide(view, rng=Random(2))
            assert num_versions() == before, spec
print("decided")
"""


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_after_warming_up_nothing_is_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SESSION], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["warm", "decided"], done.stderr
