"""Starting a server: for others on a port, or for oneself with a browser."""

import contextlib
import gc
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from lostcities.rules import LostCitiesError
from lostcities.server.app import create_app
from lostcities.server.house import House
from lostcities.server.logs import logger, set_up_logs
from lostcities.server.protocols import HttpProtocol, SocketProtocol
from lostcities.server.settings import Settings
from lostcities.server.store import StoreError

if sys.platform != "win32":
    import resource

_GRACE = 5
_USUAL_PORT = 27_182
_BACKLOG = 2048
_MANY_FILES = 10_240
_WS_FRAME_BYTES = 16_384
"""Longer than any message that is answered with a reason; what is longer still is cut off."""
_RARE_COLLECTIONS = (100_000, 50, 1000)
"""With thousands of sockets, Python's collector otherwise stops everything now and then."""


class PortError(LostCitiesError):
    """An address on which nothing can be opened."""


class _Server(uvicorn.Server):
    """Says when it is open, and sends everybody away before it goes."""

    def __init__(self, config: uvicorn.Config, house: House, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self._house = house
        self._on_open = on_open

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()
            gc.set_threshold(*_RARE_COLLECTIONS)
            self._on_open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._house.hub.say_goodbye()
        await super().shutdown(sockets)


def serve(settings: Settings, *, on_open: Callable[[str], None] = lambda _: None) -> bool:
    """Serve until somebody ends it.

    Args:
        settings: How.
        on_open: Told the address once people may come.

    Returns:
        Whether it ever opened.

    Raises:
        PortError: If the port is taken.
        StoreError: If the database cannot be opened.
        SettingsError: If a setting makes no sense.
    """
    set_up_logs(settings.log_format, settings.log_level)
    _allow_many_sockets()
    app = create_app(settings)
    listener = _listen(settings.host, settings.port)
    url = settings.base_url or _url_of(listener, settings.host)
    config = uvicorn_config(app, settings)
    log = logger("server")

    def opened() -> None:
        log.info("open", url=url, database=str(app.state.house.store))
        on_open(url)

    server = _Server(config, app.state.house, opened)
    try:
        server.run([listener])
    except KeyboardInterrupt:
        pass
    except SystemExit:
        if app.state.house.failure:
            raise StoreError(app.state.house.failure) from None
        raise
    finally:
        listener.close()
    return bool(server.started)


def _allow_many_sockets() -> None:
    """Take as many open files as this process may have: systems begin with a thousand or fewer."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = max(soft, _MANY_FILES) if hard == resource.RLIM_INFINITY else hard
        with contextlib.suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def uvicorn_config(app: FastAPI, settings: Settings, *, grace: int = _GRACE) -> uvicorn.Config:
    """Return how uvicorn is to serve.

    Args:
        app: The application.
        settings: How it is served.
        grace: Seconds that answers under way are given when the server goes.
    """
    return uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=_WS_FRAME_BYTES,
        ws_per_message_deflate=False,
        proxy_headers=settings.proxy_headers,
        forwarded_allow_ips=settings.trusted_proxies,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=grace,
        lifespan="on",
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, for only then does asyncio send small packets at once, and not 40 ms later.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PortError(f"cannot listen on {host} port {port}: {reason.lower()}") from None
    listener.set_inheritable(False)
    return listener


def _url_of(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)  # noqa: S104 # what was asked for
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def play_in_browser(
    folder: Path, *, opens_browser: bool, say: Callable[[str], None], port: int = 0
) -> bool:
    """Serve one person on this machine, and open the browser on the first screen.

    Args:
        folder: Where the tables are kept.
        opens_browser: Whether to open a browser; the address is said in any case.
        say: Tells the person something.
        port: The port; 0 takes the usual one, or a free one if somebody has it.
    """
    settings = Settings(
        host="127.0.0.1",
        port=port or _usual_port(),
        database=str(folder / "tables.db"),
        log_level="warning",
        bot_processes=max(1, min(2, (os.cpu_count() or 2) - 1)),
    )
    settings = replace(settings, log_format="console")

    def opened(url: str) -> None:
        say(f"Lost Cities (unofficial) is open at {url}")
        say("Leave with Ctrl+C; every turn is saved, and 'lostcities play' goes on from there.")
        if opens_browser and _has_screen():
            threading.Thread(target=_open_browser, args=(url,), daemon=True).start()

    return serve(settings, on_open=opened)


def _usual_port() -> int:
    """Return the same port each time if it is free: browsers keep settings by address."""
    try:
        _listen("127.0.0.1", _USUAL_PORT).close()
    except PortError:
        return 0
    return _USUAL_PORT


def _has_screen() -> bool:
    """Return whether there is a screen for a browser; one in the terminal is not meant."""
    is_told = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or bool(is_told or os.environ.get("BROWSER"))


def _open_browser(url: str) -> None:
    time.sleep(0.1)  # the first request must find somebody there
    webbrowser.open(url)
