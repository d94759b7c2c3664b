"""How fast a turn reaches the other side of the table while many tables are being played at.

    python benchmarks/server_load.py --sockets 100 1000 2000 --moves 500 --seconds 20
    python benchmarks/server_load.py --restart 10000

Starts `lostcities serve` on a loopback port with a database of its own, seats two
players with a socket each at every table, and has turns made at even intervals,
whether or not the earlier ones have been answered. Turns are taken from the views
that the server sends. What is told:

- from the moment a turn is sent until the other player's socket has brought it, and until its
  sender has been told that it is durable;
- how late the turns were sent: if that is not small, this client was too slow and not the server;
- memory of the server for each socket: alone, with half of its table, and after the turns;
- what a durable write of the size that SQLite writes takes in the same folder.

The limits of the server stay as they are. They count by address, so the players
come from many addresses of the loopback network, which Linux has without being asked.
"""

import argparse
import asyncio
import dataclasses
import json
import os
import platform
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
from sqlalchemy.engine import make_url
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from lostcities.play import Command, Ready, Secret, Step, TakeTurn, new_match_id, open_table
from lostcities.rules import CLASSIC, Observation, Seat
from lostcities.server.entries import Created, Entry, Stepped, entry_to_text, without_guest
from lostcities.server.live_table import LiveTable
from lostcities.server.store import Batch, LogRow, Store, TableRow

Json = dict[str, Any]
_HEADERS: Final = {"X-Requested-With": "lostcities"}
_TABLES_OF_AN_ADDRESS: Final = 12
"""Well within what one address may open, guess and hold."""
_AT_A_TIME: Final = 24
_DRAWS_FROM_THE_DECK: Final = 0.75
_PAGE: Final = 4096
_GAMES_IN_A_BATCH: Final = 200
_TURNS_OF_AN_OPEN_GAME: Final = 16
_LOOKS: Final = 100


# --- the server -----------------------------------------------------------------------------------


class Server:
    """`lostcities serve` as a process of its own."""

    def __init__(self, database: str, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "lostcities", "serve", "--port", str(port)]
        self._command += ["--database", database, "--log-level", "warning"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start it and return the seconds until it says that it is ready."""
        begin = time.perf_counter()
        self._process = subprocess.Popen(self._command)
        while time.perf_counter() - begin < 120:
            if self._process.poll() is not None:
                sys.exit(f"the server ended with {self._process.returncode}")
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz").status_code == 200:
                    return time.perf_counter() - begin
            time.sleep(0.01)
        sys.exit("the server was not ready within two minutes")

    def end(self, how: int = signal.SIGTERM) -> None:
        """End it and wait until it is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(30)

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None  # noqa: S101 # asked of a server that was started
        return self._process.pid

    @property
    def memory(self) -> int:
        """Bytes that it has in memory, without the processes of the computer players."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
        return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(database: str, port: int) -> Iterator[Server]:
    """Run a server for as long as it is needed."""
    server = Server(database, port)
    try:
        server.start()
        yield server
    finally:
        server.end()


# --- the disk -------------------------------------------------------------------------------------


def disk_milliseconds(folder: Path, count: int = 200) -> list[float]:
    """Return what durable writes take, as SQLite makes them: a page of its log, then the disk."""
    path = folder / "probe"
    times = []
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            begin = time.perf_counter()
            file.write(os.urandom(_PAGE))
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1000)
    path.unlink()
    return times


def sqlite_milliseconds(folder: Path, count: int = 100) -> list[float]:
    """Return what single commits of SQLite take with the settings of the server."""
    path = folder / "probe.db"
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("pragma journal_mode=wal")
    database.execute("pragma synchronous=full")
    database.execute("create table log (body text)")
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        database.execute("insert into log values (?)", ("x" * 300,))
        times.append((time.perf_counter() - begin) * 1000)
    database.close()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    return times


# --- the players ----------------------------------------------------------------------------------


@dataclasses.dataclass
class Tally:
    """What was seen while turns were being made; times in seconds."""

    heard: list[float] = dataclasses.field(default_factory=list)
    answered: list[float] = dataclasses.field(default_factory=list)
    late: list[float] = dataclasses.field(default_factory=list)
    num_refused: int = 0
    num_lost_sockets: int = 0
    num_skipped: int = 0


class Player:
    """One seat with one socket, as a browser would hold it."""

    def __init__(self, table: "LoadTable", cookie: str, address: str) -> None:
        self.table = table
        self.shown: Json = {}
        self.task: asyncio.Task[None] | None = None
        self._cookie = cookie
        self._address = address
        self._socket: ClientConnection | None = None
        self._agreed = -1

    @property
    def may_move(self) -> bool:
        """Whether it is this player's turn."""
        return bool(self.shown.get("legal"))

    async def send(self, **message: object) -> None:
        """Say something to the server."""
        if self._socket is not None:
            await self._socket.send(json.dumps(message))

    async def connect(self, url: str) -> None:
        """Open the socket and wait for the view of the table."""
        address = f"{url.replace('http:', 'ws:')}/api/tables/{self.table.table_id}/socket"
        self._socket = await connect(
            address,
            additional_headers={"Cookie": self._cookie},
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=None,
            local_addr=(self._address, 0),
        )
        await self.send(type="hello", last=None)
        await self._hear(await self._socket.recv())
        self.task = asyncio.create_task(self._listen(self._socket))

    async def _listen(self, socket: ClientConnection) -> None:
        with suppress(WebSocketException):
            async for text in socket:
                await self._hear(text)
        if not self.table.is_leaving:
            self.table.tally.num_lost_sockets += 1

    async def _hear(self, text: str | bytes) -> None:
        now = time.perf_counter()
        message: Json = json.loads(text)
        match message["type"]:
            case "event":
                if message["event"]["kind"] == "turn":
                    self.table.note_turn(self, now)
            case "done" | "refused":
                self.table.note_answer(message, now)
            case "ping":
                await self.send(type="pong")
            case "bye":
                print(f"the server says goodbye: {message['sentence']}", file=sys.stderr)
        if message.get("snapshot"):
            self.shown = message["snapshot"]
            await self._agree()

    async def _agree(self) -> None:
        """Be ready for what comes next."""
        status, me = self.shown["status"], self.shown["viewer"]
        is_pause = status in ("waiting", "round_over") and None not in self.shown["names"].values()
        if is_pause and not self.shown["ready"][me] and self._agreed < self.shown["round"]:
            self._agreed = self.shown["round"]
            await self.send(type="ready", id=uuid4().hex)

    async def leave(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()
        if self.task is not None:
            await self.task


class LoadTable:
    """A table with two players; one turn at a time is under way."""

    def __init__(self, table_id: str, cookies: tuple[str, str], address: str, tally: Tally) -> None:
        self.table_id = table_id
        self.tally = tally
        self.players = [Player(self, cookie, address) for cookie in cookies]
        self.is_leaving = False
        self._rng = random.Random(table_id)
        self._mover: Player | None = None
        self._sent = 0.0
        self._waits_for: set[str] = set()

    @property
    def mover(self) -> Player | None:
        """Who may move now, None while a turn is under way or nobody may."""
        if self._waits_for:
            return None
        return next((player for player in self.players if player.may_move), None)

    async def make_turn(self, mover: Player) -> None:
        """Send a legal turn; most draw from the deck, as people do."""
        legal: list[str] = mover.shown["legal"]
        if self._rng.random() < _DRAWS_FROM_THE_DECK:
            legal = [turn for turn in legal if turn.endswith("/D")]
        self._mover, self._waits_for = mover, {"answer", "other"}
        self._sent = time.perf_counter()
        turn, version = self._rng.choice(legal), mover.shown["version"]
        await mover.send(type="turn", version=version, id=uuid4().hex, turn=turn)

    def note_turn(self, player: Player, now: float) -> None:
        """Note that a turn came to a player."""
        if player is not self._mover and "other" in self._waits_for:
            self._waits_for.discard("other")
            self.tally.heard.append(now - self._sent)

    def note_answer(self, message: Json, now: float) -> None:
        """Note what became of a turn."""
        if message["type"] == "refused":
            self.tally.num_refused += 1
            self._waits_for.clear()
        elif "answer" in self._waits_for:
            self._waits_for.discard("answer")
            self.tally.answered.append(now - self._sent)

    async def leave(self) -> None:
        """Send both players away."""
        self.is_leaving = True
        for player in self.players:
            await player.leave()


async def open_table_at(url: str, number: int, tally: Tally) -> LoadTable:
    """Open a table, seat two, and have the first round dealt."""
    place = number // _TABLES_OF_AN_ADDRESS
    address = f"127.{1 + place // 200}.{place % 200}.2"
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(
        transport=transport, base_url=url, headers=_HEADERS, timeout=60
    ) as client:
        wish = {"opponent": {"kind": "friend"}, "name": f"Host {number}", "rounds": 5}
        opened = (await client.post("/api/tables", json=wish)).raise_for_status()
        table = opened.json()
        host = _cookie_of(opened)
        client.cookies.clear()
        wish = {"code": table["invite"]["code"], "name": f"Guest {number}"}
        path = f"/api/tables/{table['table_id']}"
        joined = (await client.post(f"{path}/join", json=wish)).raise_for_status()
        cookies = (host, _cookie_of(joined))
        for cookie in cookies:
            client.cookies.clear()
            ready = await client.post(f"{path}/ready", json={}, headers={"Cookie": cookie})
            ready.raise_for_status()
    return LoadTable(table["table_id"], cookies, address, tally)


def _cookie_of(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


async def _gather(work: Sequence[Any]) -> list[Any]:
    """Await all of it, a few at a time."""
    gate = asyncio.Semaphore(_AT_A_TIME)

    async def one(each: Any) -> Any:  # noqa: ANN401 # whatever it brings
        async with gate:
            return await each

    return await asyncio.gather(*map(one, work))


async def play(tables: list[LoadTable], moves_per_second: float, seconds: float) -> float:
    """Make turns at even intervals; return the seconds until the last was answered."""
    tally, start = tables[0].tally, time.perf_counter()
    place = 0
    for number in range(int(moves_per_second * seconds)):
        due = start + number / moves_per_second
        if (pause := due - time.perf_counter()) > 0:
            await asyncio.sleep(pause)
        elif number % 50 == 0:
            await asyncio.sleep(0)  # who is behind must still hear
        for _ in tables:
            place = (place + 1) % len(tables)
            if (mover := tables[place].mover) is not None:
                tally.late.append(time.perf_counter() - due)
                await tables[place].make_turn(mover)
                break
        else:
            tally.num_skipped += 1
    for _ in range(200):
        if len(tally.answered) + tally.num_refused >= len(tally.late) <= len(tally.heard):
            break
        await asyncio.sleep(0.05)
    return time.perf_counter() - start


# --- a run ----------------------------------------------------------------------------------------


def figures(values: Sequence[float], scale: float = 1000.0) -> Json:
    """Return p50, p95, p99 and the most, in milliseconds."""
    if not values:
        return {"num": 0}
    ordered = sorted(values)

    def at(part: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))] * scale, 2)

    return {
        "num": len(values),
        "p50": at(0.5),
        "p95": at(0.95),
        "p99": at(0.99),
        "max": round(ordered[-1] * scale, 2),
    }


async def run_load(asked: argparse.Namespace, num_sockets: int, folder: Path) -> Json:
    """Measure one number of sockets, with a server and a database of its own."""
    disk = disk_milliseconds(folder)
    commits = sqlite_milliseconds(folder)
    database = asked.database or str(folder / f"load-{num_sockets}.db")
    with served(database, asked.port) as server:
        await asyncio.sleep(1.0)  # the processes of the computer players have come up by then
        empty = server.memory
        tally = Tally()
        tables: list[LoadTable] = await _gather(
            [open_table_at(server.url, number, tally) for number in range(num_sockets // 2)]
        )
        opened = server.memory
        begin = time.perf_counter()
        await _gather([p.connect(server.url) for table in tables for p in table.players])
        connecting = time.perf_counter() - begin
        connected = server.memory
        cpu, own = server.cpu_seconds, time.process_time()
        took = await play(tables, asked.moves, asked.seconds)
        cpu, own = server.cpu_seconds - cpu, time.process_time() - own
        played = server.memory
        if asked.verbose:
            print(httpx.get(f"{server.url}/metrics").text, file=sys.stderr)
        await _gather([table.leave() for table in tables])
    return {
        "sockets": num_sockets,
        "offered_per_second": asked.moves,
        "made_per_second": round(len(tally.heard) / took, 1),
        "other_player_ms": figures(tally.heard),
        "acknowledged_ms": figures(tally.answered),
        "sent_late_ms": figures(tally.late),
        "refused": tally.num_refused,
        "lost_sockets": tally.num_lost_sockets,
        "not_sent_for_want_of_a_table": tally.num_skipped,
        "connecting_s": round(connecting, 2),
        "server_mb": round(empty / 1e6, 1),
        "kb_per_socket": round((connected - opened) / num_sockets / 1000, 1),
        "kb_per_socket_with_half_a_table": round((connected - empty) / num_sockets / 1000, 1),
        "kb_per_socket_after_the_turns": round((played - empty) / num_sockets / 1000, 1),
        "server_cpu": round(cpu / took, 2),
        "client_cpu": round(own / took, 2),
        "disk_write_ms": figures([*disk, *disk_milliseconds(folder)], 1.0),
        "sqlite_commit_ms": figures([*commits, *sqlite_milliseconds(folder)], 1.0),
    }


# --- restarts -------------------------------------------------------------------------------------


def open_game() -> list[Entry]:
    """Return the log of a game of friends that is under way."""
    opening = open_table(
        variant=CLASSIC,
        names=("Host", "Host"),
        match_id=new_match_id(),
        secret=Secret.generate(),
    )
    created = Created("", "friend", 0, "", "", "", "", without_guest(opening))
    live = LiveTable("", created)
    entries: list[Entry] = [created]
    for entry in live.join("Guest"):
        live.apply(entry)
        entries.append(entry)
    rng = random.Random(7)
    actions: list[tuple[Seat, Ready | TakeTurn]] = [(0, Ready()), (1, Ready())]
    for number in range(_TURNS_OF_AN_OPEN_GAME + 2):
        seat, action = actions[number] if number < 2 else _turn(live, rng)
        step = live.decide(Command(f"command-{number}", seat, live.version(seat), action))
        if not isinstance(step, Step):
            raise TypeError("expected a legal turn")
        live.apply(Stepped(step))
        entries.append(Stepped(step))
    return entries


def _turn(live: LiveTable, rng: random.Random) -> tuple[Seat, TakeTurn]:
    position = live.table.state.position
    seat = None if position is None else position.to_move
    if seat is None:
        raise TypeError("expected a round that goes on")
    observation = live.table.observation_after(seat, None)
    if not isinstance(observation, Observation):
        raise TypeError("expected a seat")
    return seat, TakeTurn(rng.choice(observation.legal_turns))


async def fill(database: str, num_games: int) -> list[str]:
    """Store open games; return the names of some of their tables."""
    store = Store(database)
    await store.open()
    texts = [entry_to_text(entry) for entry in open_game()]
    names = [uuid4().hex for _ in range(num_games)]
    for first in range(0, num_games, _GAMES_IN_A_BATCH):
        some = names[first : first + _GAMES_IN_A_BATCH]
        log = [
            LogRow(name, seq, f"0:command-{seq}" if seq else None, kind, text)
            for name in some
            for seq, (kind, text) in enumerate(texts)
        ]
        await store.append(Batch(log=log, tables=[TableRow(name, name) for name in some]))
    await store.close()
    return names[:: max(1, num_games // _LOOKS)]


def run_restarts(asked: argparse.Namespace, folder: Path) -> Json:
    """Measure how soon a server with many open games is back after it was killed."""
    database = asked.database or str(folder / "restart.db")
    names = asyncio.run(fill(database, asked.restart))
    server, ready, looks = Server(database, asked.port), [], list[float]()
    try:
        for _ in range(3):
            ready.append(server.start())
            with httpx.Client(base_url=server.url) as client:
                looks += [_look(client, name) for name in names]
            server.end(signal.SIGKILL)
    finally:
        server.end(signal.SIGKILL)
    return {
        "open_games": asked.restart,
        "ready_s": [round(seconds, 2) for seconds in ready],
        "first_look_at_a_table_ms": figures(looks),
    }


def _look(client: httpx.Client, name: str) -> float:
    begin = time.perf_counter()
    client.get(f"/api/tables/{name}").raise_for_status()
    return time.perf_counter() - begin


# --- the command ----------------------------------------------------------------------------------


def _raise_file_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _tell(found: Json) -> None:
    for name, value in found.items():
        if isinstance(value, dict):
            value = "  ".join(f"{key} {number:,}" for key, number in value.items())  # noqa: PLW2901
        print(f"  {name.replace('_', ' '):36} {value}")
    print()


def _without_password(database: str) -> str:
    return make_url(database).drivername if "://" in database else "sqlite"


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sockets", type=int, nargs="+", default=[100, 1000, 2000], metavar="N")
    parser.add_argument("--moves", type=float, default=500.0, help="turns a second, all tables")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--database", default="", help="a URL of PostgreSQL in place of a new file")
    parser.add_argument("--folder", type=Path, help="where the files of SQLite are made")
    parser.add_argument("--port", type=int, default=28_182)
    parser.add_argument("--restart", type=int, default=0, metavar="N", help="open games to restart")
    parser.add_argument("--json", action="store_true", help="tell it all as JSON")
    parser.add_argument("--verbose", action="store_true", help="show the server's own counters")
    asked = parser.parse_args()
    _raise_file_limit()
    about: Json = {
        "machine": f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        "database": _without_password(asked.database),
    }
    runs: list[Json] = []
    if not asked.json:
        _tell(about)
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        if asked.restart:
            runs.append(run_restarts(asked, Path(folder)))
        for num in () if asked.restart else asked.sockets:
            runs.append(asyncio.run(run_load(asked, num, Path(folder))))
            if not asked.json:
                _tell(runs[-1])
    if asked.json:
        print(json.dumps({**about, "runs": runs}, indent=1))
    elif asked.restart:
        _tell(runs[-1])


if __name__ == "__main__":
    main()
