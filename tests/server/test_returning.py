"""H-16: two hundred players and some spectators, a server that dies, and all of them at its door again.

The server is a process of its own with the limits that it has if nobody sets
any, and everybody comes from one address: the hardest case for these limits. The
clients are as pages are: they come back after a while that grows and is different
for each, say the last number they have, ask for what the log lacks, and send again
the turn that they got no answer for.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final
from uuid import uuid4

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from browser.prepared import Preparation, shelve
from lostcities.rules import SEAT_NAMES, SEATS, Seat
from lostcities.server.entries import entry_from_text
from lostcities.server.live_table import LiveTable
from lostcities.server.store import Store
from program import Program
from server.serving import Json, first_turn
from server.stored import read_tables

NUM_TABLES: Final = 100
WATCHED: Final = 20
"""Tables that somebody looks on at."""
TURNS_OF_A_SEAT: Final = 2
PATIENCE: Final = 60.0
"""Far more than it takes; a machine may be busy with other things."""


@dataclass(eq=False)
class Line:
    """What was heard on one socket, and the last number that was known before."""

    last: int | None
    messages: list[Json] = field(default_factory=list)

    @property
    def versions(self) -> list[int]:
        return [message["version"] for message in self.messages if message["type"] == "event"]

    @property
    def greeting(self) -> Json:
        """The first view that came."""
        return next(found for message in self.messages if (found := message.get("snapshot")))


@dataclass(eq=False)
class Guest:
    """Somebody at a table: in a seat, by a cookie, or looking on."""

    url: str
    table_id: str
    seat: Seat | None = None
    cookie: str = ""
    last: int | None = None
    shown: Json = field(default_factory=dict)
    turns_left: int = 0
    pending: Json = field(default_factory=dict)
    acknowledged: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    refusals: list[object] = field(default_factory=list)
    _connection: ClientConnection | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie} if self.cookie else {}

    @property
    def is_content(self) -> bool:
        """Whether all turns are made and acknowledged."""
        return not self.turns_left and not self.pending

    async def stay(self, door: "Door") -> None:
        """Be at the table until somebody ends it; come back whenever the line is lost."""
        address = f"{self.url.replace('http:', 'ws:')}/api/tables/{self.table_id}/socket"
        tries = 0
        while True:
            num_lines = len(self.lines)
            try:
                async with connect(
                    address,
                    additional_headers=self.headers,
                    compression=None,
                    open_timeout=PATIENCE,
                ) as self._connection:
                    await self._talk(self._connection)
            except InvalidStatus as refused:
                self.refusals.append(refused.response.status_code)
            except (OSError, WebSocketException):
                pass  # nobody is there, or nobody any more
            self._connection = None
            tries = 0 if len(self.lines) > num_lines else tries + 1
            await door.wait(tries)

    async def _talk(self, connection: ClientConnection) -> None:
        line = Line(self.last)
        await connection.send(json.dumps({"type": "hello", "last": self.last}))
        async for text in connection:
            message: Json = json.loads(text)
            if message["type"] == "ping":
                await connection.send('{"type":"pong"}')
            elif message["type"] == "bye":
                self.refusals.append(message["code"])
            else:
                await self._hear(line, message)

    async def _hear(self, line: Line, message: Json) -> None:
        line.messages.append(message)
        if self.pending and message.get("id") == self.pending["id"]:
            if message["type"] == "done":
                self.acknowledged.append(message["id"])
            else:
                self.refusals.append(message)
            self.pending = {}
        if message.get("snapshot"):
            self.shown = message["snapshot"]
            self.last = self.shown["version"]
            if line not in self.lines:  # back, and up to date
                self.lines.append(line)
                await self._send_pending()
        await self.play()

    async def play(self) -> None:
        """Make a turn, if there is one to be made."""
        if self._connection and self.turns_left and not self.pending and self.shown["legal"]:
            self.turns_left -= 1
            version, turn = self.shown["version"], first_turn(self.shown)
            self.pending = {"type": "turn", "version": version, "id": uuid4().hex, "turn": turn}
            await self._send_pending()

    async def _send_pending(self) -> None:
        if self._connection and self.pending:
            with suppress(WebSocketException):  # it is sent again on the next line
                await self._connection.send(json.dumps(self.pending))


class Door:
    """How long those wait who have lost the line: as pages do, or until all may come at one moment."""

    def __init__(self, *, is_rush: bool) -> None:
        self._is_rush = is_rush
        self._rng = Random(16)
        self._is_open = asyncio.Event()

    def close(self) -> None:
        self._is_open.clear()

    def open(self) -> None:
        self._is_open.set()

    async def wait(self, tries: int) -> None:
        if self._is_rush:
            await self._is_open.wait()
        if tries or not self._is_rush:
            await asyncio.sleep(min(8.0, 0.4 * 2**tries) * self._rng.uniform(0.5, 1.0))


@dataclass
class Evening:
    """Everybody who is there, and what was seen of the server meanwhile."""

    guests: list[Guest]
    first: int = 0
    health: list[int] = field(default_factory=list)
    logs: dict[int, list[int]] = field(default_factory=dict)

    @property
    def players(self) -> list[Guest]:
        return [guest for guest in self.guests if guest.seat is not None]

    @property
    def num_acknowledged(self) -> int:
        return sum(len(guest.acknowledged) for guest in self.guests)

    async def play(self, program: Program, *, is_rush: bool) -> None:
        """Have turns made, kill the server in the middle, and wait until all turns are made."""
        door = Door(is_rush=is_rush)
        tasks = [asyncio.create_task(guest.stay(door)) for guest in self.guests]
        try:
            await until(lambda: all(guest.shown for guest in self.guests))
            self.first = self.guests[0].shown["version"]
            for guest in self.players:
                guest.turns_left = TURNS_OF_A_SEAT
            await asyncio.gather(*(guest.play() for guest in self.players))
            await until(lambda: self.num_acknowledged >= NUM_TABLES)
            await asyncio.to_thread(program.kill)
            await asyncio.to_thread(program.start)
            tasks.append(asyncio.create_task(self._keep_asking(program.url)))
            door.open()
            await until(lambda: all(len(guest.lines) > 1 for guest in self.guests))
            await self._fetch_logs(program.url)
            await until(lambda: all(guest.is_content for guest in self.players))
            last = self.first + len(SEATS) * TURNS_OF_A_SEAT
            await until(lambda: all(guest.last == last for guest in self.guests))
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends

    async def _keep_asking(self, url: str) -> None:
        """Ask again and again whether the server lives."""
        async with httpx.AsyncClient(base_url=url, timeout=10) as client:
            while True:
                self.health.append((await client.get("/healthz")).status_code)
                await asyncio.sleep(0.05)

    async def _fetch_logs(self, url: str) -> None:
        """Have everybody ask for the log of the table at once, as pages do that missed much."""
        limits = httpx.Limits(max_connections=50)
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client:

            async def fetch(place: int, guest: Guest) -> None:
                path = f"/api/tables/{guest.table_id}/events"
                while (answer := await client.get(path, headers=guest.headers)).status_code == 429:
                    assert "try again in" in answer.json()["sentence"]
                    await asyncio.sleep(int(answer.headers["retry-after"]))
                assert answer.status_code == 200, answer.text
                self.logs[place] = [event["version"] for event in answer.json()["events"]]

            async with asyncio.TaskGroup() as all_at_once:
                for place, guest in enumerate(self.guests):
                    all_at_once.create_task(fetch(place, guest))


def seat_everybody(url: str, database: str) -> list[Guest]:
    """Prepare the tables in the database, and return who sits and looks on there."""
    salt = uuid4().hex  # the database may be that of other tests too
    tables = [Preparation(f"returning {salt} {number}").dealt() for number in range(NUM_TABLES)]
    shelved = list(shelve(database, tables).values())
    players = [
        Guest(url, table.table_id, seat, "=".join(table.cookie(seat)))
        for table in shelved
        for seat in SEATS
    ]
    return [*players, *(Guest(url, table.table_id) for table in shelved[:WATCHED])]


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


async def truth_of(database: str, guests: Iterable[Guest]) -> dict[str, LiveTable]:
    """Return the tables as their logs tell them."""
    store = Store(database)
    await store.open()
    tables = {}
    for table_id in {guest.table_id for guest in guests}:
        log = await store.read_log(table_id)
        assert log is not None
        entries = (entry_from_text(kind, body) for kind, body in log.rows)
        tables[table_id] = LiveTable.from_entries(table_id, entries)
    await store.close()
    return tables


@pytest.mark.parametrize("is_rush", [False, True], ids=["as pages do", "at one moment"])
def test_two_hundred_come_back_and_play_on(database: str, tmp_path: Path, *, is_rush: bool) -> None:
    program = Program(tmp_path, database)
    evening = Evening(seat_everybody(program.url, database))
    program.start()
    try:
        asyncio.run(evening.play(program, is_rush=is_rush))
    finally:
        program.stop()
    nothing_was_lost(evening, database)
    everybody_was_received(evening)
    assert set(evening.health) == {200}


def everybody_was_received(evening: Evening) -> None:
    """Nobody was sent away, and each was brought up to date as who it is, number by number."""
    last = evening.first + len(SEATS) * TURNS_OF_A_SEAT
    for place, guest in enumerate(evening.guests):
        assert not guest.refusals, guest.refusals
        assert len(guest.lines) == 2
        first, second = guest.lines
        for line in (first, second):
            assert line.greeting["viewer"] == (
                None if guest.seat is None else SEAT_NAMES[guest.seat]
            )
            start = evening.first if line.last is None else line.last
            assert line.versions == list(range(start + 1, start + 1 + len(line.versions)))
        assert second.last == (first.versions or [evening.first])[-1]
        assert guest.last == last == (second.versions or [second.last])[-1]
        assert evening.logs[place] == list(range(1, 1 + len(evening.logs[place])))
        assert len(evening.logs[place]) >= second.last


def nothing_was_lost(evening: Evening, database: str) -> None:
    """Every turn that was acknowledged stands in the log once, and all see what the log tells."""
    stored = asyncio.run(read_tables(database, {guest.table_id for guest in evening.guests}))
    assert evening.num_acknowledged == len(evening.players) * TURNS_OF_A_SEAT
    for guest in evening.players:
        assert all(stored[guest.table_id].commands[name] == 1 for name in guest.acknowledged)
    for table in stored.values():
        assert set(table.commands.values()) == {1}
        assert table.num_entries == table.num_places
    tables = asyncio.run(truth_of(database, evening.guests))
    for guest in evening.guests:
        snapshot = tables[guest.table_id].snapshot(guest.seat).model_dump(mode="json")
        assert guest.shown == snapshot
