"""What tests of the server share: a database of each kind."""

import os
from pathlib import Path

import pytest

POSTGRES = "LOSTCITIES_TEST_POSTGRES"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    url = os.environ.get(POSTGRES)
    if not url:
        pytest.skip(f"{POSTGRES} names no PostgreSQL server")
    pytest.importorskip("asyncpg", reason="asyncpg is missing: install lostcities[postgres]")
    return url
