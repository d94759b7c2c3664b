from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the matches of each test in a folder of its own."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LOSTCITIES_HOME", str(folder))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder
