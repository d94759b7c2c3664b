"""Results of a contest in a file: a line for each job, written as it is done.

The first line says what is played. A contest that was interrupted goes on from
such a file; a line that was cut by a kill is played again.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from lostcities.agents.version import agents_version
from lostcities.arena.contest import Contest, JobResult
from lostcities.arena.duplicate import Pair
from lostcities.arena.rounds import Fault, RoundReport
from lostcities.rules import LostCitiesError

FORMAT: Final = 2
"""Since 2 every decision has lots of its own."""


class ResultsError(LostCitiesError):
    """A file of results that cannot be read or written, or belongs to another contest."""


class ResultsFile:
    """The results of one contest, growing."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path

    @classmethod
    def open(cls, path: Path, contest: Contest) -> tuple["ResultsFile", list[JobResult]]:
        """Open the file of a contest, new or begun, and return what it holds.

        More pairs of the same contest may be played than the file was begun with.

        Raises:
            ResultsError: If the file cannot be used for this contest.
        """
        try:
            file = path.open("a+b")
        except OSError as error:
            raise ResultsError(f"cannot write results to {path}: {error.strerror}") from None
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        results = cls(file, path)
        if not whole:
            file.truncate(0)
            results._append(_header(contest))
            return results, []
        try:
            done = _parse(whole, contest, path)
        except ResultsError:
            file.close()
            raise
        file.truncate(len(whole))
        return results, done

    def add(self, result: JobResult) -> None:
        """Write a result; it is on the disk when this returns.

        Raises:
            ResultsError: If the disk does not take it.
        """
        self._append(result_to_data(result))

    def _append(self, data: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ResultsError(f"cannot write results to {self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            self._file.close()


def _header(contest: Contest) -> dict[str, Any]:
    """Return what all results of a file have in common; behaviours are not mixed in one contest."""
    return {"format": FORMAT, "version": agents_version(), **asdict(contest)}


def _parse(data: bytes, contest: Contest, path: Path) -> list[JobResult]:
    try:
        first, *lines = [json.loads(line) for line in data.decode().splitlines()]
        _check_header(first, contest, path)
        done = [result_from_data(line) for line in lines]
    except (ValueError, LookupError, TypeError) as error:
        raise ResultsError(
            f"expected results of a contest in {path}, got something else ({error})"
        ) from None
    # A match that was shorter, because the contest ended there, is played again.
    lengths = {job: len(contest.deals_of(job)) for job in contest.jobs}
    return [result for result in done if lengths.get(result.job) == len(result.pairs)]


def _check_header(first: dict[str, Any], contest: Contest, path: Path) -> None:
    for name, value in _header(contest).items():
        if name != "num_pairs" and first[name] != value:
            raise ResultsError(
                f"expected results with {name} {value!r} in {path}, got {first[name]!r}"
            )


def result_to_data(result: JobResult) -> dict[str, Any]:
    """Return a result as it is saved."""
    return {
        "job": result.job,
        "pairs": [[_report_to_data(report) for report in pair.rounds] for pair in result.pairs],
        "records": list(result.records),
    }


def result_from_data(data: dict[str, Any]) -> JobResult:
    """Return a saved result.

    Raises:
        ValueError, LookupError, TypeError: If it is none.
    """
    return JobResult(
        job=int(data["job"]),
        pairs=tuple(_pair_from_data(pair) for pair in data["pairs"]),
        records=tuple(map(str, data["records"])),
    )


def _pair_from_data(data: list[Any]) -> Pair:
    first, swapped = map(_report_from_data, data)
    return Pair(first, swapped)


_FIELDS: Final = (
    "scores", "num_turns", "num_takes", "num_forced_draws", "num_wagers", "num_expeditions",
    "num_decisions", "seconds",
)  # fmt: skip


def _report_to_data(report: RoundReport) -> dict[str, Any]:
    data = {name: getattr(report, name) for name in _FIELDS}
    data["seconds"] = [round(seconds, 6) for seconds in report.seconds]
    data["luck"] = round(report.luck, 6)
    data["faults"] = [[fault.seat, fault.turn, fault.problem] for fault in report.faults]
    return data


def _report_from_data(data: dict[str, Any]) -> RoundReport:
    values: dict[str, Any] = {
        name: tuple(data[name]) if isinstance(data[name], list) else data[name] for name in _FIELDS
    }
    return RoundReport(
        **values, luck=float(data["luck"]), faults=tuple(_faults_from(data["faults"]))
    )


def _faults_from(data: Iterable[list[Any]]) -> Iterator[Fault]:
    for seat, turn, problem in data:
        yield Fault(int(seat), int(turn), str(problem))
