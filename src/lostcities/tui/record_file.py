"""The record of a match in a file, written whole each time and never over anything else."""

import os
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lostcities.notation import RoundRecord, format_records, parse_records
from lostcities.rules import LostCitiesError


class RecordFileError(LostCitiesError):
    """A file that cannot take the record."""


class RecordFile:
    """A file that belongs to the record of one match."""

    def __init__(self, path: Path, match_id: str) -> None:
        self.path = path
        self._match_id = match_id

    @classmethod
    def claim(cls, path: Path, *, match_id: str) -> "RecordFile":
        """Return the file for a match: a new or empty one, or the one that holds it already.

        Raises:
            RecordFileError: If something else is there, or nothing can be written there.
        """
        record_file = cls(path.absolute(), match_id)
        record_file._check()
        try:
            with tempfile.NamedTemporaryFile(dir=record_file.path.parent):
                pass
        except OSError as error:
            raise RecordFileError(
                f"cannot write a record in {record_file.path.parent}: {error.strerror}"
            ) from None
        return record_file

    def _check(self) -> None:
        """Refuse to write over anything but an earlier state of the same record."""
        try:
            is_free = _is_free(self.path, self._match_id)
        except OSError as error:
            raise RecordFileError(
                f"cannot write a record to {str(self.path)[:80]}: {error.strerror}"
            ) from None
        if not is_free:
            raise RecordFileError(
                f"expected a new file for the record, but {self.path} exists and is not written over"
            )

    def write(self, records: Sequence[RoundRecord]) -> None:
        """Replace the record by a longer one; a kill leaves the old one or the new one.

        Raises:
            RecordFileError: If something else has come there, or the disk does not take it.
        """
        self._check()
        folder = self.path.parent
        try:
            with tempfile.NamedTemporaryFile(
                "w", dir=folder, encoding="utf-8", newline="\n", prefix=".lostcities-", delete=False
            ) as part:
                part.write(format_records(records))
                part.flush()
                os.fsync(part.fileno())
            Path(part.name).replace(self.path)
            sync_folder(folder)
        except OSError as error:
            raise RecordFileError(f"cannot write {self.path}: {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_free(path: Path, match_id: str) -> bool:
    """Return whether nothing is there, or an empty file, or the record of this match."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return True
    if not stat.S_ISREG(mode):
        return False
    try:
        text = path.read_text(encoding="utf-8")
        return not text or all(record.tag("Match") == match_id for record in parse_records(text))
    except ValueError:
        return False
