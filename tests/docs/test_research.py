"""The tutorial runs, block by block, as it is printed."""

import re
from pathlib import Path
from typing import Any

import pytest

_TUTORIAL = Path(__file__).parents[2] / "docs/research.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_tutorial_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for peer in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(peer, reason=f"{peer} is missing: install lostcities[research]")
    text = _TUTORIAL.read_text(encoding="utf-8")
    blocks = list(_BLOCK.finditer(text))
    assert len(blocks) == text.count("```python")
    session: dict[str, Any] = {"__name__": "tutorial"}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        code = compile("\n" * line + block[1], str(_TUTORIAL), "exec")
        exec(code, session)  # noqa: S102 # our own page
    assert "points a round, 95 % interval" in capsys.readouterr().out
