"""Running matches on disk: every step is on the disk before it is shown.

One file a match: a first line that says what it is, then a step on each line.
A match that was killed in the middle of a line loses that step and nothing
else. The file holds the deals, so only its owner may read it.
"""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from io import FileIO
from pathlib import Path
from typing import Final

from lostcities.play import Step, Table
from lostcities.play.codec import CorruptLogError, step_from_json, step_to_json
from lostcities.rules import SEATS, LostCitiesError, Seat
from lostcities.tui.record_file import sync_folder

FORMAT: Final = 1
_SUFFIX: Final = ".match"


class JournalError(LostCitiesError):
    """A file of a match that cannot be read or written."""


class MatchInUseError(JournalError):
    """A match that another terminal is playing."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a match needs to go on, beside its steps.

    Attributes:
        agent: The spec of the computer's agent.
        human: The seat of the person.
        record: Where the person wants the record, an absolute path.
        format: The number of this file format.
    """

    agent: str
    human: Seat
    record: str | None = None
    format: int = FORMAT


def home() -> Path:
    """Return the folder for matches: LOSTCITIES_HOME, or the system's place for such data."""
    if own := os.environ.get("LOSTCITIES_HOME"):
        return Path(own).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "lostcities"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "lostcities"


_RECORD_LINE: Final = '{"record": '
"""How a line begins that is no step but tells where the record is kept."""


class Journal:
    """The file of one running match, open for this process alone."""

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path = path
        self._file = file

    @classmethod
    def create(cls, folder: Path, name: str, header: Header, opening: Step) -> "Journal":
        """Begin the file of a new match, with the step that opened its table.

        Raises:
            JournalError: If it cannot be written.
        """
        path = folder / f"{name}{_SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise JournalError(f"cannot save the match in {folder}: {error.strerror}") from None
        journal = cls(path, os.fdopen(descriptor, "r+b", buffering=0))
        _lock(journal._file, path)
        journal._write(f"{json.dumps(asdict(header))}\n{step_to_json(opening)}")
        sync_folder(folder)
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple["Journal", Header, Table]:
        """Open the file of a running match, and return the match as far as it came.

        Raises:
            MatchInUseError: If another terminal is playing it.
            JournalError: If the file cannot be read or holds no match.
        """
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise JournalError(f"cannot open the match {path}: {error.strerror}") from None
        try:
            _lock(file, path)
            header, steps, length = _read(file.read(), path)
            table = Table.from_steps(steps)
        except JournalError:
            file.close()
            raise
        except LostCitiesError as error:
            file.close()
            raise JournalError(f"the match {path} cannot go on: {error}") from None
        file.truncate(length)  # what a kill left of a line
        file.seek(length)
        return cls(path, file), header, table

    def set_record(self, path: Path) -> None:
        """Remember where the record is kept from now on.

        Raises:
            JournalError: If the disk does not take it.
        """
        self._write(json.dumps({"record": str(path)}))

    def append(self, step: Step) -> None:
        """Make a step durable.

        Raises:
            JournalError: If the disk does not take it.
        """
        self._write(step_to_json(step))

    def _write(self, line: str) -> None:
        start = self._file.tell()
        try:
            # Unbuffered: a line that the disk refused must not come back with the next one.
            left = line.encode() + b"\n"
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(start)
                self._file.seek(start)
            raise JournalError(f"cannot save the match in {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Leave the match; it can be resumed."""
        self._file.close()

    def remove(self) -> None:
        """Forget the match, which is over and recorded elsewhere."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def unfinished(folder: Path) -> Iterator[Path]:
    """Yield the files of running matches, the one played last first."""
    with contextlib.suppress(OSError):
        paths = sorted(
            folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        yield from paths


def _read(data: bytes, path: Path) -> tuple[Header, list[Step], int]:
    """Return header, steps, and the length of the whole lines."""
    length = data.rfind(b"\n") + 1
    try:
        first, *lines = data[:length].decode().split("\n")[:-1] or [""]
        header = _header(json.loads(first))
        steps = []
        for line in lines:
            if line.startswith(_RECORD_LINE):
                header = replace(header, record=str(json.loads(line)["record"]))
            else:
                steps.append(step_from_json(line))
    except (ValueError, LookupError, TypeError, CorruptLogError) as error:
        raise JournalError(f"the file {path} holds no match that can go on: {error}") from None
    if not steps:
        raise JournalError(f"the file {path} holds no match that can go on: it has no steps")
    return header, steps, length


def _header(data: object) -> Header:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"expected a first line with format {FORMAT}")
    agent, human, record = data.get("agent"), data.get("human"), data.get("record")
    is_well_formed = (
        isinstance(agent, str)
        and type(human) is int
        and human in SEATS
        and isinstance(record, str | None)
    )
    if not is_well_formed:
        raise ValueError("expected an agent, a seat and perhaps a record in the first line")
    return Header(**data)


def _lock(file: FileIO, path: Path) -> None:
    """Keep other terminals out; the system lets go even when this process is killed."""
    try:
        import fcntl  # noqa: PLC0415 # not on every system
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise MatchInUseError(f"the match {path} is being played in another terminal") from None
