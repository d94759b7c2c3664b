"""What whoever runs a server can set, by options or by variables of the environment."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lostcities.rules import LostCitiesError
from lostcities.server.limits import Rate

STATIC: Final = Path(__file__).parent / "static"
"""Where the built browser client lies."""


_MOST_PROCESSES: Final = 2
"""For the levels, if nobody says otherwise: while one thinks, another table need not wait."""
_SOCKET: Final = Rate(20, 40)
_REQUESTS: Final = Rate(50, 200)
_PAGES: Final = Rate(500, 5000)
_OPENINGS: Final = Rate(0.5, 30)
_GUESSES: Final = Rate(0.5, 30)


class SettingsError(LostCitiesError, ValueError):
    """A setting that makes no sense."""


def _num_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one side may ask for.

    Attributes:
        socket: Messages on one socket.
        requests: Requests of one address, but for files of the client.
        pages: Files of the client that one address takes: some for each of many who reload at once.
        openings: Tables that one address opens.
        guesses: Invites, recovery tokens and joins that one address tries.
        sockets_per_address: Sockets of one address at a time.
        queue: Messages that wait for one reader before it is dropped.
    """

    socket: Rate = _SOCKET
    requests: Rate = _REQUESTS
    pages: Rate = _PAGES
    openings: Rate = _OPENINGS
    guesses: Rate = _GUESSES
    sockets_per_address: int = 500
    queue: int = 64


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs.

    Attributes:
        host: The address to listen on.
        port: The port; 0 takes a free one.
        database: A path or a URL.
        base_url: How people reach the server, "" to take it from each request.
        proxy_headers: Whether to believe a proxy about the address of clients.
        trusted_proxies: The proxies that are believed.
        log_format: json or console.
        log_level: From debug to error.
        agents: Specs of agents offered besides the levels, as NAME=SPEC or SPEC.
        bot_processes: Processes in which the levels think; each further agent has one of its own.
        bot_seconds: What a turn may wait for a process, and then what the agent may take, before
            another one makes it.
        bot_delay: Seconds; a computer's turn comes after a whole number of them.
        bots_warm: Whether agents are loaded ahead of the first turn.
        idle_seconds: How long a table that nobody watches stays in memory.
        heartbeat_seconds: How often a silent socket is asked whether it is there.
        limits: How much one side may ask for.
        static: The folder of the built client.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = "lostcities.db"
    base_url: str = ""
    proxy_headers: bool = False
    trusted_proxies: str = "127.0.0.1"
    log_format: str = "console"
    log_level: str = "info"
    agents: tuple[str, ...] = ()
    bot_processes: int = min(_MOST_PROCESSES, _num_cores())
    bot_seconds: float = 20.0
    bot_delay: float = 0.6
    bots_warm: bool = True
    idle_seconds: float = 300.0
    heartbeat_seconds: float = 20.0
    limits: Limits = field(default_factory=Limits)
    static: Path = STATIC
