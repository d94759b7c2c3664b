"""The script of the server's page plays its game, and prints what the page says."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from program import Program

_PAGE = Path(__file__).parents[2] / "docs/server.md"


def _block(kind: str) -> str:
    (block,) = re.findall(
        rf"^```{kind}\n(.*?)^```$", _PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return str(block)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    server = Program(tmp_path)
    server.start()
    yield server
    server.stop()


def test_the_scripted_game_is_played_as_it_is_printed(program: Program, tmp_path: Path) -> None:
    script = tmp_path / "game.py"
    script.write_text(_block("python"), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-I", str(script)],  # nothing of ours: Python alone
        env={**os.environ, "LOSTCITIES_SERVER": program.url, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert not ended.stderr
    printed, told = ended.stdout.splitlines(), _block("text").splitlines()
    assert len(printed) == len(told)
    for line, pattern in zip(printed, told, strict=True):
        assert re.fullmatch(".+".join(map(re.escape, pattern.split("…"))), line), line
