"""The same jobs on a local Ray cluster, one of whose workers is lost on the way."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lostcities.arena.contest import Contest, JobResult, play_job
from lostcities.arena.engines import LocalEngine

pytest.importorskip("ray", reason="Ray (extra 'cluster') is not installed")

from lostcities.arena.cluster import RayEngine

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves sockets and logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

CONTEST = Contest("heuristic", "random", num_pairs=18, seed=5)


@pytest.fixture(scope="module")
def engine() -> Iterator[RayEngine]:
    """A cluster on this machine."""
    engine = RayEngine("local")
    yield engine
    engine.close()


def play_job_but_die_once(folder: Path, contest: Contest, job: int) -> JobResult:
    """Play a job; the first worker to get job 3 ends in the middle of it."""
    mark = folder / "died"
    if job == 3 and not mark.exists():
        mark.touch()
        os._exit(1)
    return play_job(contest, job)


def margins(results: list[JobResult]) -> dict[int, list[float]]:
    return {result.job: [pair.margin for pair in result.pairs] for result in results}


def test_a_cluster_that_loses_a_worker_gives_the_results_of_this_machine(
    engine: RayEngine, tmp_path: Path
) -> None:
    local = list(LocalEngine(1).run(partial(play_job, CONTEST), CONTEST.jobs))
    task = partial(play_job_but_die_once, tmp_path, CONTEST)
    cluster = list(engine.run(task, CONTEST.jobs))
    assert (tmp_path / "died").exists()
    assert margins(cluster) == margins(local)


def test_an_early_end_leaves_the_cluster_usable(engine: RayEngine) -> None:
    running = engine.run(partial(play_job, CONTEST), CONTEST.jobs)
    next(running)
    running.close()
    assert len(list(engine.run(partial(play_job, CONTEST), range(2)))) == 2


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
