"""A real server for tests, on a loopback port, and clients that talk to it as browsers do."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from lostcities.server.app import create_app
from lostcities.server.house import House
from lostcities.server.limits import Rate
from lostcities.server.running import _listen, _Server, uvicorn_config
from lostcities.server.settings import Limits, Settings

OWN = {"X-Requested-With": "lostcities"}
UNLIMITED = Limits(
    socket=Rate(10_000, 10_000),
    requests=Rate(10_000, 10_000),
    pages=Rate(10_000, 10_000),
    openings=Rate(10_000, 10_000),
    guesses=Rate(10_000, 10_000),
    sockets_per_address=10_000,
)
Json = dict[str, Any]


def settings_for(folder: Path, **changes: Any) -> Settings:  # noqa: ANN401 # any setting
    """Return the settings of a quick server with its own database."""
    quick = Settings(
        port=0,
        database=str(folder / "tables.db"),
        bot_delay=0.0,
        bots_warm=False,
        limits=UNLIMITED,
        heartbeat_seconds=5.0,
    )
    return replace(quick, **changes)


@dataclass
class Running:
    """A server that runs."""

    url: str
    house: House
    server: uvicorn.Server

    @property
    def socket_url(self) -> str:
        return self.url.replace("http:", "ws:")


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Running]:
    """Run a server in this loop, with the same parts and options as the program's."""
    listener = _listen("127.0.0.1", settings.port)
    app = create_app(settings)
    config = uvicorn_config(app, settings, grace=3)
    opened = asyncio.Event()
    server = _Server(config, app.state.house, opened.set)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined] # pytest keeps its own
    task = asyncio.create_task(server._serve([listener]))
    await asyncio.wait({task, asyncio.ensure_future(opened.wait())}, return_when="FIRST_COMPLETED")
    if task.done():
        task.result()
    try:
        port = listener.getsockname()[1]
        yield Running(f"http://127.0.0.1:{port}", app.state.house, server)
    finally:
        server.should_exit = True
        await asyncio.wait_for(task, 10)
        listener.close()


class Browser:
    """A browser: cookies, requests, and sockets."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, headers=OWN, timeout=30)
        self.heard: list[str] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    async def get(self, path: str, **params: object) -> httpx.Response:
        query = {name: str(value) for name, value in params.items()}
        answer = await self.http.get(path, params=query)
        self.heard.append(answer.text)
        return answer

    async def post(self, path: str, body: Json | None = None) -> httpx.Response:
        answer = await self.http.post(path, json=body or {})
        self.heard.append(answer.text)
        return answer

    async def open_table(self, opponent: Json | None = None, **wish: object) -> Json:
        body = {"opponent": opponent or {"kind": "friend"}, "name": "Ann", **wish}
        answer = await self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        opened: Json = answer.json()
        return opened

    async def join(self, table: Json, name: str = "Ben") -> httpx.Response:
        code = table["invite"]["code"]
        return await self.post(
            f"/api/tables/{table['table_id']}/join", {"code": code, "name": name}
        )

    async def snapshot(self, table_id: str, **params: object) -> Json:
        answer = await self.get(f"/api/tables/{table_id}", **params)
        assert answer.status_code == 200, answer.text
        shown: Json = answer.json()
        return shown

    @asynccontextmanager
    async def socket(
        self, table_id: str, *, seat: str = "", last: int | None = None, hello: bool = True
    ) -> AsyncIterator["Line"]:
        """Open a socket at a table, and say hello."""
        query = f"?seat={seat}" if seat else ""
        url = f"{self.url.replace('http:', 'ws:')}/api/tables/{table_id}/socket{query}"
        headers = {"Cookie": self.cookies} if self.cookies else {}
        async with connect(url, additional_headers=headers, max_size=None) as connection:
            line = Line(connection, self.heard)
            if hello:
                with suppress(ConnectionClosed):  # what it said before can still be read
                    await line.send(type="hello", last=last)
            yield line


class Line:
    """One side of a socket; it remembers the newest view."""

    def __init__(self, connection: ClientConnection, heard: list[str]) -> None:
        self.connection = connection
        self.heard = heard
        self.snapshot: Json = {}
        self.bye: Json = {}
        self.events: list[Json] = []
        self.presence: Json = {}

    async def send(self, **message: object) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> Json:
        text = await asyncio.wait_for(self.connection.recv(decode=True), 20)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Json = json.loads(text)
        if message["type"] == "event":
            self.events.append(message)
        if message.get("snapshot"):
            self.snapshot = message["snapshot"]
        if message["type"] == "bye":
            self.bye = message
        if message["type"] == "presence":
            self.presence = message
        return message

    async def until(self, is_it: Callable[[Json], bool]) -> Json:
        """Read until such a message comes."""
        while True:
            message = await self.receive()
            if is_it(message):
                return message

    async def answer(self, command_id: str) -> Json:
        return await self.until(lambda message: message.get("id") == command_id)

    async def until_snapshot(self, is_it: Callable[[Json], bool]) -> Json:
        """Read until the newest view is such a one."""
        while not self.snapshot or not is_it(self.snapshot):
            await self.receive()
        return self.snapshot

    async def until_closed(self) -> int:
        """Read until the server closes, and return the code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    async def take_turn(self, turn: str, *, version: int | None = None, name: str = "") -> Json:
        name = name or uuid4().hex
        seen = self.snapshot["version"] if version is None else version
        await self.send(type="turn", version=seen, id=name, turn=turn)
        return await self.answer(name)

    async def be_ready(self, entropy: str = "") -> None:
        await self.send(type="ready", id="i-am-ready", entropy=entropy)


def first_turn(snapshot: Json) -> str:
    """Return the duller of legal turns: discard the first card, draw from the deck."""
    legal: list[str] = snapshot["legal"]
    return next(turn for turn in legal if turn.startswith("-") and turn.endswith("/D"))


@asynccontextmanager
async def friends(
    server: Running,
    **wish: Any,  # noqa: ANN401 # any wish
) -> AsyncIterator[tuple[Browser, Browser, str]]:
    """Seat two browsers at a table whose first round has been dealt."""
    async with Browser(server.url) as ann, Browser(server.url) as ben:
        table = await ann.open_table(**{"starter": "you", **wish})
        assert (await ben.join(table)).status_code == 200
        for browser in (ann, ben):
            answer = await browser.post(
                f"/api/tables/{table['table_id']}/ready", {"entropy": "ab" * 16}
            )
            assert answer.status_code == 200, answer.text
        yield ann, ben, table["table_id"]


@asynccontextmanager
async def seated(
    settings: Settings,
    **wish: Any,  # noqa: ANN401 # any wish
) -> AsyncIterator[tuple[Running, Browser, Browser, str]]:
    """Run a server, and seat two browsers at a table there."""
    async with running(settings) as server, friends(server, **wish) as (ann, ben, table_id):
        yield server, ann, ben, table_id


async def make_turn(browser: Browser, table_id: str, **more: object) -> httpx.Response:
    """Make a dull turn by request."""
    shown = await browser.snapshot(table_id)
    wish = {"version": shown["version"], "id": uuid4().hex, "turn": first_turn(shown), **more}
    return await browser.post(f"/api/tables/{table_id}/moves", wish)


async def finish_round(browsers: dict[str, Browser], table_id: str) -> Json:
    """Make dull turns until the round is over."""
    browser = browsers["A"]
    while (shown := await browser.snapshot(table_id))["status"] == "playing":
        answer = await make_turn(browsers[shown["to_move"]], table_id)
        assert answer.status_code == 200, answer.text
    return shown
