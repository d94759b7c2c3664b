"""Jobs on the machines of a Ray cluster. The only file that knows Ray (extra `cluster`)."""

import logging
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, TypeVar

from lostcities.rules import LostCitiesError

Job = TypeVar("Job")
Result = TypeVar("Result")
_JOBS_PER_CPU: Final = 3
"""Jobs in flight for each processor: enough that none waits, few enough to stop early."""


class ClusterError(LostCitiesError):
    """A cluster that cannot be used."""


class RayEngine:
    """Workers of a Ray cluster; what a lost worker was doing is done again by another."""

    def __init__(self, address: str) -> None:
        """Connect to a cluster.

        Args:
            address: Such as `ray://head:10001` or `auto`; `local` starts one of
                its own here, even where RAY_ADDRESS or a running one could be joined.

        Raises:
            ClusterError: If Ray is not installed or the cluster does not answer.
        """
        try:
            import ray  # noqa: PLC0415 # an extra, and slow to load
        except ImportError:
            raise ClusterError(
                "expected Ray for --cluster, and it is not installed: pip install 'lostcities[cluster]'"
            ) from None
        self._ray: Any = ray
        try:
            if not ray.is_initialized():
                ray.init(
                    address=address,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterError(
                f"cannot use the cluster {address!r}: {' '.join(str(error).split())[:200]}"
            ) from None

    def run(
        self, task: Callable[[Job], Result], jobs: Iterable[Job]
    ) -> Generator[Result, None, None]:
        """Yield the results of all jobs, in the order in which they are done.

        A job depends on its number alone, so doing it again elsewhere gives
        the same result.
        """
        remote = self._ray.remote(max_retries=-1, num_cpus=1)(_call)
        task_at_workers = self._ray.put(task)
        num_cpus = int(self._ray.cluster_resources().get("CPU", 1))
        left = iter(jobs)
        running: list[Any] = []
        try:
            while True:
                for job in left:
                    running.append(remote.remote(task_at_workers, job))
                    if len(running) >= _JOBS_PER_CPU * num_cpus:
                        break
                if not running:
                    return
                done, running = self._ray.wait(running, num_returns=1)
                yield from self._ray.get(done)
        finally:
            for reference in running:
                self._ray.cancel(reference, force=True)

    def close(self) -> None:
        """Leave the cluster; a local one ends."""
        self._ray.shutdown()


def _call(task: Callable[[Job], Result], job: Job) -> Result:
    return task(job)
