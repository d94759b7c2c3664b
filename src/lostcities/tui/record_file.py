"""The record of a match in a file, written whole each time and never over anything else."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lostcities.notation import RoundRecord, format_records, parse_records
from lostcities.rules import LostCitiesError


class RecordFileError(LostCitiesError):
    """A file that cannot take the record."""


class RecordFile:
    """A file that belongs to the record of one match."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def claim(cls, path: Path, *, match_id: str) -> "RecordFile":
        """Return the file for a match: a new one, or the one that holds it already.

        Raises:
            RecordFileError: If something else is there, or nothing can be written there.
        """
        path = path.absolute()
        if path.exists() and not _holds(path, match_id):
            raise RecordFileError(
                f"expected a new file for the record, but {path} exists and is not written over"
            )
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise RecordFileError(
                f"cannot write a record in {path.parent}: {error.strerror}"
            ) from None
        return cls(path)

    def write(self, records: Sequence[RoundRecord]) -> None:
        """Replace the record by a longer one; a kill leaves the old one or the new one.

        Raises:
            RecordFileError: If the disk does not take it.
        """
        text = format_records(records)
        partial = self.path.with_name(f".{self.path.name}.part")
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self.path)
        except OSError as error:
            raise RecordFileError(f"cannot write {self.path}: {error.strerror}") from None


def _holds(path: Path, match_id: str) -> bool:
    try:
        if not path.is_file():
            return False
        records = parse_records(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return all(record.tag("Match") == match_id for record in records)
