"""Reading what people name on a command line: a file, or '-' for standard input."""

import sys
from pathlib import Path
from typing import Final

from lostcities.rules import LostCitiesError

STANDARD_INPUT: Final = "-"
_MOST_BYTES: Final = 64 * 2**20
"""More than any file of ours; devices and pipes may never end."""


class InputError(LostCitiesError):
    """A file that cannot be read, or whose content is not what was asked for."""


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for '-'.

    Args:
        path: The file. UTF-8, with or without a byte-order mark.

    Raises:
        InputError: In one line that names the file.
    """
    name = "standard input" if path == STANDARD_INPUT else path
    try:
        data = _read(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {name!r}: {_reason(error)}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"cannot read {name!r}: expected UTF-8 text, got byte 0x{data[error.start]:02x} "
            f"at offset {error.start}"
        ) from None


def _read(path: str) -> bytes:
    if path == STANDARD_INPUT:
        data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"expected at most {_MOST_BYTES // 2**20} MB from {path!r}, got more")
    return data


def check_writable(path: Path) -> None:
    """Find out ahead whether a file can be written; what it holds stays as it is.

    Raises:
        InputError: In one line that names the file.
    """
    try:
        if path.is_fifo():  # its reader would take the first closing for the end
            return
        is_new = not path.exists()
        path.open("ab").close()
        if is_new:
            path.unlink()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {str(path)!r}: {_reason(error)}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text to a file.

    Raises:
        InputError: In one line that names the file.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {str(path)!r}: {_reason(error)}") from None


def _reason(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError():
            return "no such file"
        case IsADirectoryError():
            return "expected a file, got a directory"
        case PermissionError():
            return "no permission"
        case OSError(strerror=str(reason)):
            return reason.lower()
        case _:  # a path with a null byte is a ValueError
            return str(error)
