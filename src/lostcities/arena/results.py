"""Results of a contest in a file: a line for each job, written as it is done.

The first line says what is played. A contest that was interrupted goes on from
such a file; a line that was cut by a kill is played again.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from lostcities.agents.version import agents_version
from lostcities.arena.contest import Contest, JobResult
from lostcities.arena.duplicate import Pair
from lostcities.arena.rounds import Fault, RoundReport
from lostcities.rules import LostCitiesError

Row = TypeVar("Row")
FORMAT: Final = 2
"""Since 2 every decision has lots of its own."""


class ResultsError(LostCitiesError):
    """A file of results that cannot be read or written, or belongs to another contest."""


class _Lines:
    """A header that says what is played, and a line for each job, growing."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path

    @classmethod
    def open(
        cls, path: Path, header: dict[str, Any], read: Callable[[dict[str, Any]], Row]
    ) -> tuple["_Lines", list[Row]]:
        """Open a file, new or begun, and return what it holds.

        Args:
            path: The file.
            header: What all its lines have in common, but for the number of pairs.
            read: Makes of a line what it tells.

        Raises:
            ResultsError: If the file cannot be used for this.
        """
        try:
            file = path.open("a+b")
        except OSError as error:
            raise ResultsError(f"cannot write results to {path}: {error.strerror}") from None
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = cls(file, path)
        if not whole:
            file.truncate(0)
            lines.append(header)
            return lines, []
        try:
            rows = _parse(whole, header, read, path)
        except ResultsError:
            file.close()
            raise
        file.truncate(len(whole))
        return lines, rows

    def append(self, data: dict[str, Any]) -> None:
        """Write a line; it is on the disk when this returns.

        Raises:
            ResultsError: If the disk does not take it.
        """
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


class ResultsFile:
    """The results of one contest, growing."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines

    @classmethod
    def open(cls, path: Path, contest: Contest) -> tuple["ResultsFile", list[JobResult]]:
        """Open the file of a contest, new or begun, and return what it holds.

        More pairs of the same contest may be played than the file was begun with.

        Raises:
            ResultsError: If the file cannot be used for this contest.
        """
        lines, done = _Lines.open(path, _header(contest), result_from_data)
        return cls(lines), [result for result in done if _is_whole(result, contest)]

    def add(self, result: JobResult) -> None:
        """Write a result; it is on the disk when this returns.

        Raises:
            ResultsError: If the disk does not take it.
        """
        self._lines.append(result_to_data(result))

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


class LadderFile:
    """The results of the contests of a ladder, growing."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines

    @classmethod
    def open(
        cls, path: Path, contests: Sequence[Contest]
    ) -> tuple["LadderFile", dict[Contest, list[JobResult]]]:
        """Open the file of a ladder, new or begun, and return what it holds of each contest.

        More pairs of the same contests may be played than the file was begun with.

        Raises:
            ResultsError: If the file cannot be used for these contests.
        """
        lines, rows = _Lines.open(path, _header_of_ladder(contests), _row_of_ladder)
        return cls(lines), {
            contest: [
                result
                for a, b, result in rows
                if (a, b) == (contest.a, contest.b) and _is_whole(result, contest)
            ]
            for contest in contests
        }

    def add(self, contest: Contest, result: JobResult) -> None:
        """Write a result; it is on the disk when this returns.

        Raises:
            ResultsError: If the disk does not take it.
        """
        self._lines.append({"a": contest.a, "b": contest.b, **result_to_data(result)})

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def _is_whole(result: JobResult, contest: Contest) -> bool:
    """Return whether nothing is missing; a match that was shorter is played again.

    It was shorter because the contest ended there.
    """
    return result.job in contest.jobs and len(result.pairs) == len(contest.deals_of(result.job))


def _header(contest: Contest) -> dict[str, Any]:
    """Return what all results of a file have in common; behaviours are not mixed in one contest."""
    return {"format": FORMAT, "version": agents_version(), **asdict(contest)}


def _header_of_ladder(contests: Sequence[Contest]) -> dict[str, Any]:
    header = _header(contests[0])
    del header["a"], header["b"]
    agents = dict.fromkeys(spec for contest in contests for spec in (contest.b, contest.a))
    return {**header, "ladder": list(agents)}


def _row_of_ladder(data: dict[str, Any]) -> tuple[str, str, JobResult]:
    return str(data["a"]), str(data["b"]), result_from_data(data)


def _parse(
    data: bytes, header: dict[str, Any], read: Callable[[dict[str, Any]], Row], path: Path
) -> list[Row]:
    try:
        first, *lines = [json.loads(line) for line in data.decode().splitlines()]
        _check_header(first, header, path)
        return [read(line) for line in lines]
    except (ValueError, LookupError, TypeError) as error:
        raise ResultsError(
            f"expected results of a contest in {path}, got something else ({error})"
        ) from None


def _check_header(first: dict[str, Any], header: dict[str, Any], path: Path) -> None:
    for name, value in header.items():
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
