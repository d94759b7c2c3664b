"""Compiled code is never older than its sources, and lies where it belongs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lostcities
from lostcities.kernel import _jit

_PACKAGE = Path(lostcities.__file__).parent
_CALLER = '''"""A kernel in one file that calls a kernel in another."""

from lostcities.kernel._jit import njit
from lostcities.kernel.callee import points


@njit
def doubled(number):
    """Return twice the points."""
    return 2 * points(number)
'''
_CALLEE = '''"""The callee."""

from lostcities.kernel._jit import njit

FACTOR = {factor}


@njit
def points(number):
    """Return the points."""
    return FACTOR * number
'''
_PROGRAM = """
from {module} import doubled
from lostcities.kernel._jit import CACHE_FOLDER
print(doubled(5), CACHE_FOLDER, sum(doubled.stats.cache_hits.values()))
"""

needs_compiler = pytest.mark.skipif(not _jit.IS_COMPILED, reason="nothing is compiled")


def _copy_package(to: Path) -> Path:
    """Copy as much of the package as a kernel needs, and add two kernels of our own."""
    package = to / "lostcities"
    for room in ("kernel", "rules"):
        shutil.copytree(
            _PACKAGE / room, package / room, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(_PACKAGE / "__init__.py", package / "__init__.py")
    return package


def _run(folder: Path, module: str) -> tuple[int, str, int]:
    """Run the caller in a process of its own: result, cache folder and number of cache hits."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(module=module)],
        env={**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    result, cache, hits = done.stdout.split()
    return int(result), cache, int(hits)


@needs_compiler
@pytest.mark.parametrize("room", ["kernel", "agents"])
def test_an_edited_callee_is_noticed(tmp_path: Path, room: str) -> None:
    """The caller may live in any room: it is the callee's file that changes."""
    package = _copy_package(tmp_path)
    (package / room).mkdir(exist_ok=True)
    (package / room / "__init__.py").touch()
    (package / room / "caller.py").write_text(_CALLER)
    callee = package / "kernel" / "callee.py"
    module = f"lostcities.{room}.caller"

    callee.write_text(_CALLEE.format(factor=3))
    result, cache, hits = _run(tmp_path, module)
    assert (result, hits) == (30, 0)
    assert Path(cache).is_relative_to(tmp_path / "cache" / "lostcities" / "kernels")
    assert _run(tmp_path, module) == (30, cache, 1), "unchanged sources are not compiled again"

    stamp = callee.stat()
    callee.write_text(_CALLEE.format(factor=4))  # as long as before
    os.utime(callee, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # and as old
    shutil.rmtree(
        callee.parent / "__pycache__", ignore_errors=True
    )  # Python itself would be fooled
    result, other_cache, hits = _run(tmp_path, module)
    assert (result, hits) == (40, 0)
    assert other_cache != cache


def test_without_a_writable_home_the_cache_is_temporary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "file"
    nowhere.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(nowhere))
    monkeypatch.setenv("HOME", str(nowhere))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    chosen = _jit._choose_cache_folder()
    assert chosen.is_relative_to(tmp_path / "tmp")
    assert chosen.name == _jit._digest()


def test_if_nothing_is_writable_every_process_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jit, "_is_private_and_writable", lambda _: False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first, second = _jit._choose_cache_folder(), _jit._choose_cache_folder()
    assert first != second
    assert first.is_dir()


def test_a_relative_cache_home_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _jit._choose_cache_folder().is_relative_to(tmp_path)


def test_what_others_could_have_written_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _jit._is_private_and_writable(tmp_path / "mine")
    monkeypatch.setattr("os.getuid", lambda: -1)
    assert not _jit._is_private_and_writable(tmp_path / "mine")


def test_what_nobody_has_used_for_a_month_is_forgotten(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "kernel.nbi").touch()
    os.utime(old, (0, 0))
    _jit._forget_old(tmp_path)
    assert not old.exists()
    assert list(new.iterdir())


@needs_compiler
def test_kernels_of_other_people_are_left_alone() -> None:
    assert _jit._Locator.from_function(_copy_package, __file__) is None
    assert _jit._Locator.from_function(_copy_package, str(_PACKAGE / "kernel" / "x.py"))
