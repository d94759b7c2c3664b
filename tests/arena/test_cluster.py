"""The same jobs on a local Ray cluster, one of whose workers is lost on the way."""

import json
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from lostcities.arena.contest import Contest, play_job
from lostcities.arena.engines import LocalEngine

TESTS = Path(__file__).parents[1]
needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray (extra 'cluster') is not installed"
)


@needs_ray
def test_a_cluster_that_loses_a_worker_gives_the_results_of_this_machine(tmp_path: Path) -> None:
    contest = Contest("heuristic", "random", num_pairs=18, seed=5)
    local = LocalEngine(1).run(partial(play_job, contest), contest.jobs)
    done = subprocess.run(
        [sys.executable, "-m", "arena.lossy_cluster", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "died").exists()
    assert json.loads(done.stdout.splitlines()[-1]) == {
        str(result.job): [pair.margin for pair in result.pairs] for result in local
    }


@needs_ray
def test_a_local_cluster_is_its_own_whatever_others_there_are() -> None:
    words = ["match", "random", "random", "--pairs", "2", "--cluster", "local", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", *words],
        env={**os.environ, "RAY_ADDRESS": "127.0.0.1:1"},  # where nobody answers
        capture_output=True,
        encoding="utf-8",
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pairs"] == 2


@needs_ray
def test_a_cluster_that_is_not_there_is_named() -> None:
    words = ["match", "random", "random", "--pairs", "1", "--cluster", "nowhere:1:2"]
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", *words],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "cannot use the cluster 'nowhere:1:2'" in done.stderr
