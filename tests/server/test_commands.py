"""`lostcities serve` and `lostcities play` as processes."""

import os
import re
import resource
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

PROGRAM = (sys.executable, "-m", "lostcities")


def start(folder: Path, *words: str, **variables: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "LOSTCITIES_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        [*PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, **variables},
        cwd=folder,
    )


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 # our own server
        text: str = answer.read().decode()
        return text


def test_play_says_its_address_and_keeps_the_tables_at_home(tmp_path: Path) -> None:
    process = start(tmp_path, "play", "--no-browser")
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    assert "every turn is saved" in process.stdout.readline()
    assert '"status":"ok"' in get(f"{found[0]}/readyz")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert err == ""
    assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0


def test_serve_takes_options_and_the_environment(tmp_path: Path) -> None:
    process = start(
        tmp_path,
        "serve",
        "--port",
        "0",
        "--agent",
        "Steady=heuristic",
        LOSTCITIES_DATABASE="sqlite:///other.db",
        LOSTCITIES_LOG_FORMAT="json",
        LOSTCITIES_PORT="1",
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    assert '"database": "sqlite+aiosqlite:///other.db"' in line
    assert '"Steady"' in get(f"{found[0]}/api/agents")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert err == ""
    assert (tmp_path / "other.db").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc of Linux")
def test_a_server_takes_as_many_sockets_as_it_may(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        process = start(tmp_path, "serve", "--port", "0")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert process.stderr is not None
    process.stderr.readline()
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    (line,) = (line for line in limits.splitlines() if line.startswith("Max open files"))
    assert int(line.split()[3]) == hard


@pytest.mark.parametrize(
    ("words", "variables", "problem"),
    [
        (["--port", "x"], {}, "expected a port from 0 to 65535 for --port, got 'x'"),
        ([], {"LOSTCITIES_PORT": "-1"}, "for LOSTCITIES_PORT, got '-1'"),
        ([], {"LOSTCITIES_LOG_FORMAT": "xml"}, "expected console or json"),
        (["--base-url", "table.example"], {}, "expected an address like https://"),
        (["--bot-processes", "0"], {}, "expected a whole number from 1 to 1000"),
        (["--bot-seconds", "soon"], {}, "expected seconds from 0 to 86400"),
        (["--agent", "search:depth=3"], {}, "cannot offer the agent"),
        (["--host", "203.0.113.1"], {}, "cannot listen on 203.0.113.1 port 8080"),
    ],
)
def test_settings_that_make_no_sense_are_one_line(
    tmp_path: Path, words: list[str], variables: dict[str, str], problem: str
) -> None:
    process = start(tmp_path, "serve", *words, **variables)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert out == ""
    assert err.count("\n") == 1
    assert problem in err
