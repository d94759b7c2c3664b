"""The server is killed at random moments under load: no acknowledged turn is lost or doubled.

Each table has two clients as browsers are: they remember the turn they have
not got an answer for, come back with the last version they have, and send it
again under the same id.
"""

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import uuid4

from websockets.exceptions import WebSocketException

from program import Program
from server.serving import Browser, Json, Line, first_turn
from server.stored import read_tables

NUM_TABLES = int(os.environ.get("LOSTCITIES_KILL_TABLES", "6"))
LEAST_KILLS = 5
SECONDS = float(os.environ.get("LOSTCITIES_KILL_SECONDS", "12"))


@dataclass
class Side:
    """A client in one seat, with what it has been told for certain."""

    browser: Browser
    table_id: str
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    pending: Json = field(default_factory=dict)
    last: int | None = None
    versions: list[int] = field(default_factory=list)
    shown: Json = field(default_factory=dict)

    async def play_until(self, over: asyncio.Event) -> None:
        while not over.is_set():
            try:
                async with self.browser.socket(self.table_id, last=self.last) as line:
                    await self._talk(line, over)
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _talk(self, line: Line, over: asyncio.Event) -> None:
        if self.pending:
            await line.send(**self.pending)
        while not over.is_set():
            try:
                async with asyncio.timeout(0.5):
                    message = await line.receive()
            except TimeoutError:
                continue
            self._hear(message)
            if line.snapshot:
                self.shown = line.snapshot
                self.last = line.snapshot["version"]
            if self.shown and await self._answer(line):
                return

    async def _answer(self, line: Line) -> bool:
        """Do what is to be done; return whether the match goes on at another table."""
        viewer, status = self.shown["viewer"], self.shown["status"]
        if self.shown["legal"] and not self.pending:
            self.pending = {
                "type": "turn",
                "version": self.shown["version"],
                "id": uuid4().hex,
                "turn": first_turn(self.shown),
            }
            await line.send(**self.pending)
        elif status in ("waiting", "round_over") and not self.shown["ready"][viewer]:
            await line.send(type="ready")
        elif status == "match_over":
            if self.shown["rematch"]["table_id"]:
                self._go_on_at(self.shown["rematch"]["table_id"])
                return True
            if self.shown["rematch"]["offered_by"] != viewer:
                await line.send(type="rematch")
        return False

    def _go_on_at(self, table_id: str) -> None:
        self.table_id, self.last = table_id, None
        self.shown, self.pending, self.versions = {}, {}, []

    def _hear(self, message: Json) -> None:
        if message["type"] == "event":
            self.versions.append(message["version"])
        if message.get("id") and message.get("id") == self.pending.get("id"):
            if message["type"] == "done":
                self.acknowledged.append((self.table_id, message["id"]))
            else:
                assert message["code"] in ("stale", "not_your_turn"), message
            self.pending = {}


async def seat_two(url: str) -> list[Side]:
    ann, ben = Browser(url), Browser(url)
    table = await ann.open_table(rounds=5)
    await ben.join(table)
    for browser in (ann, ben):
        await browser.post(f"/api/tables/{table['table_id']}/ready")
    return [Side(browser, table["table_id"]) for browser in (ann, ben)]


def test_no_acknowledged_turn_is_lost_or_doubled(database: str, tmp_path: Path) -> None:
    async def play() -> list[Side]:
        program = Program(tmp_path, database)
        try:
            await asyncio.to_thread(program.start)
            return await play_with(program)
        finally:
            await asyncio.to_thread(program.stop)

    async def play_with(program: Program) -> list[Side]:
        rng, over = Random(5), asyncio.Event()
        sides = [
            s for pair in [await seat_two(program.url) for _ in range(NUM_TABLES)] for s in pair
        ]
        players = [asyncio.create_task(side.play_until(over)) for side in sides]
        loop = asyncio.get_running_loop()
        end, num_kills = loop.time() + SECONDS, 0
        try:
            while loop.time() < end or num_kills < LEAST_KILLS:
                num_done = sum(len(side.acknowledged) for side in sides)
                await asyncio.sleep(rng.uniform(0.3, 1.2))
                while sum(len(side.acknowledged) for side in sides) == num_done:
                    await asyncio.sleep(0.05)  # a busy machine: there has to be something to lose
                await asyncio.to_thread(program.kill)
                num_kills += 1
                await asyncio.to_thread(program.start)
            await asyncio.sleep(1.0)
        finally:
            over.set()
            await asyncio.gather(*players)
        for side in sides:  # all end on the server's position
            async with side.browser.socket(side.table_id, last=side.last) as line:
                await line.until(lambda message: message["type"] == "presence")
                while (stands := await side.browser.snapshot(side.table_id)) != line.snapshot:
                    assert stands["version"] > line.snapshot["version"]
                    await line.receive()  # a turn was still on its way when its client left
            await side.browser.http.aclose()
        print(f"killed {num_kills} times, ", end="")
        return sides

    sides = asyncio.run(play())
    acknowledged = [done for side in sides for done in side.acknowledged]
    print(f"{len(acknowledged)} turns acknowledged")
    assert len(acknowledged) > 10 * NUM_TABLES
    stored = asyncio.run(read_tables(database, {table_id for table_id, _ in acknowledged}))
    assert all(stored[table_id].commands[name] == 1 for table_id, name in acknowledged)
    for table in stored.values():  # no command twice, no place left out
        assert set(table.commands.values()) == {1}
        assert table.num_entries == table.num_places
    for side in sides:  # what was told was told in order, and came again only after a return
        assert all(
            later <= earlier + 1
            for earlier, later in zip(side.versions, side.versions[1:], strict=False)
        )
