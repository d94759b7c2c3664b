"""`lostcities serve` as a process of its own, started, killed and started again on the same port."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

_SECONDS_TO_START: Final = 60.0


def free_port() -> int:
    """Return a port of the loopback interface that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Program:
    """A server with a database of its own, and the limits that it has if nobody sets any."""

    def __init__(self, folder: Path, database: str = "") -> None:
        """Choose a port; nothing is started yet.

        Args:
            folder: Where its log lies, and its database if no other is named.
            database: A path or a URL.
        """
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = database or str(folder / "tables.db")
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it lets people in."""
        command = [sys.executable, "-m", "lostcities", "serve", "--port", str(self.port)]
        command += ["--database", self.database, "--bot-delay", "0", "--log-level", "error"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=_environment())
        deadline = time.monotonic() + _SECONDS_TO_START
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the server did not start:\n{self._log.read_text()}")
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:  # noqa: S310 # our own
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End it, by default without a word."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)
            self._process = None

    def stop(self) -> None:
        """End it as its operator does."""
        self.kill(signal.SIGTERM)


def _environment() -> dict[str, str]:
    """Return our environment without settings that were meant for another server."""
    kept = ("LOSTCITIES_CHROMIUM", "LOSTCITIES_CACHE")
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LOSTCITIES_") or name in kept
    }
