"""Kernels are compiled before the game: by the command, and by `make play` after a change."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lostcities
from lostcities.kernel._jit import _sources

HOUSE = Path(__file__).parents[2]


def test_the_command_says_how_long_it_took() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "warm-up"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"the kernels are ready \(\d+\.\d s\)\n", done.stdout)


def test_the_command_takes_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "warm-up", "now"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_make_play_warms_up_when_a_kernel_changed_and_not_otherwise(tmp_path: Path) -> None:
    def plan(*changed: str) -> str:
        """Return what `make play` would do where all else is in place, if a file had changed."""
        folders = [f"VENV={tmp_path}", f"CLIENT={tmp_path / 'client'}"]
        command = ["make", "--dry-run", *(f"--what-if={path}" for path in changed), "play"]
        done = subprocess.run(
            [*command, *folders], cwd=HOUSE, capture_output=True, encoding="utf-8", check=True
        )
        assert "lostcities play" in done.stdout
        return done.stdout

    for name in (".created", ".installed", "client"):
        (tmp_path / name).touch()
    assert "lostcities warm-up" in plan()
    (tmp_path / ".warm").touch()
    assert "warm-up" not in plan()
    assert "warm-up" not in plan("src/lostcities/cli/play.py")
    for source in _sources():  # what compiled code is named after
        path = source.relative_to(Path(lostcities.__file__).parent)
        assert "warm-up" in plan(f"src/lostcities/{path}"), path
