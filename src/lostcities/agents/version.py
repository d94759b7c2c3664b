"""Which behaviour this program has: what must be equal for a move to be made again."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from lostcities import __version__

_ROOMS: Final = ("agents", "kernel", "rules")
"""Everything that a decision of a built-in agent depends on."""
_DIGITS: Final = 12


@cache
def agents_version() -> str:
    """Return the version of the built-in agents: '0.1.0+' and a digest of sources and networks.

    Equal versions behave alike. Different ones may do so too: a source that
    changed in a comment only counts as another, for a fingerprint of some
    games would miss what changed elsewhere.
    """
    package = Path(__file__).parents[1]
    paths = [path for room in _ROOMS for path in (package / room).glob("*.py")]
    paths += (package / "agents" / "networks").glob("*.npz")
    return f"{__version__}+{digest_of_sources(paths, package)}"


def digest_of_sources(paths: Iterable[Path], root: Path) -> str:
    """Return a digest of texts and their names, whatever their order and line ends."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        name = path.relative_to(root).as_posix()
        digest.update(f"{name} {hashlib.sha256(text).hexdigest()}\n".encode())
    return digest.hexdigest()[:_DIGITS]
