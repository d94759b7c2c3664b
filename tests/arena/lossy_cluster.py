"""A contest on a local Ray cluster, one of whose workers is lost on the way.

A program of its own, because Ray leaves sockets and processes to the end of the process.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path

from lostcities.arena.cluster import RayEngine
from lostcities.arena.contest import Contest, JobResult, play_job

CONTEST = Contest("heuristic", "random", num_pairs=18, seed=5)


def play_job_but_die_once(folder: Path, contest: Contest, job: int) -> JobResult:
    """Play a job; the first worker to get job 3 ends in the middle of it."""
    mark = folder / "died"
    if job == 3 and not mark.exists():
        mark.touch()
        os._exit(1)
    return play_job(contest, job)


def margins(results: list[JobResult]) -> dict[str, list[float]]:
    """Return the margins of each job."""
    return {str(result.job): [pair.margin for pair in result.pairs] for result in results}


def main(folder: Path) -> None:
    """Stop a contest early, then play a whole one, and print its margins."""
    engine = RayEngine("local")
    stopped = engine.run(partial(play_job, CONTEST), CONTEST.jobs)
    next(stopped)
    stopped.close()
    task = partial(play_job_but_die_once, folder, CONTEST)
    print(json.dumps(margins(list(engine.run(task, CONTEST.jobs)))))
    engine.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
