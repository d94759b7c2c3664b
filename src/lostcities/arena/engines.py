"""Where jobs are done: in this process, in several, or on a cluster (`cluster.py`)."""

import multiprocessing
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class Engine(Protocol):
    """Does jobs."""

    def run(
        self, task: Callable[[Job], Result], jobs: Iterable[Job]
    ) -> Generator[Result, None, None]:
        """Yield the results of all jobs, in the order in which they are done.

        Args:
            task: A function of the job alone; it and the jobs can be pickled.
            jobs: What to do.
        """


class LocalEngine:
    """Processes of this machine."""

    def __init__(self, num_processes: int = 1) -> None:
        """Use so many processes; with one, everything is done in this process."""
        if num_processes < 1:
            raise ValueError(f"expected at least 1 process, got {num_processes}")
        self._num_processes = num_processes

    def run(
        self, task: Callable[[Job], Result], jobs: Iterable[Job]
    ) -> Generator[Result, None, None]:
        """Yield the results of all jobs, in the order in which they are done."""
        if self._num_processes == 1:
            yield from map(task, jobs)
        else:
            yield from self._run_in_processes(task, jobs)

    def _run_in_processes(
        self, task: Callable[[Job], Result], jobs: Iterable[Job]
    ) -> Generator[Result, None, None]:
        # Fresh processes: agents may run threads, which a fork would not copy.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(self._num_processes, mp_context=context)
        left = iter(jobs)
        running: set[Future[Result]] = set()
        try:
            while True:
                # Few jobs wait in line, so that an early end does not have to do them all.
                for job in left:
                    running.add(executor.submit(task, job))
                    if len(running) >= 2 * self._num_processes:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
