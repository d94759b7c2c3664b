"""The fingerprint is one and the same, however the games are played."""

import json
import os
import subprocess
import sys

import pytest

from lostcities.arena.bench import fingerprint, measure
from lostcities.cli import main

PINNED = "dcb233c4c01b06ee"
"""How the program behaves, on every machine and Python. A change of play that is meant renews it:
`lostcities bench --fingerprint` prints the new one. One that is not meant is a bug, or a platform
that computes otherwise, where moves of the computer cannot be made again."""

KEYS = {
    "fingerprint",
    "playout_ns_per_decision",
    "ismcts_playouts_per_second",
    "batch_decisions_per_second",
    "python_decisions_per_second",
    "rules_decisions_per_second",
}


def test_the_program_behaves_as_it_did() -> None:
    assert fingerprint() == PINNED, "see PINNED for how to renew it, and when"


def test_the_fingerprint_does_not_depend_on_threads() -> None:
    assert fingerprint() == fingerprint(threads=2)


def test_the_fingerprint_does_not_depend_on_the_compiler() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "bench", "--fingerprint", "--json"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"fingerprint": fingerprint()}


def test_every_speed_is_there() -> None:
    data = measure(passes=1)
    assert data.keys() == KEYS
    assert data["playout_ns_per_decision"].keys() == {"5", "6"}
    assert all(value > 0 for name, value in data.items() if name.endswith("second"))


def test_the_command_prints_the_fingerprint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--fingerprint"]) == 0
    assert fingerprint() in capsys.readouterr().out
