"""The tables that somebody is at: decide, store, apply, tell; one thing at a time for each.

A room is a table in memory. It is made of the table's log when somebody comes,
and forgotten when nobody has been there for a while. Nothing is applied or told
before it is durable, so forgetting a room loses nothing.
"""

import asyncio
import contextlib
import math
import re
import secrets
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from lostcities.play import Command, Refused, Repeated, Step, TakeTurn, Viewer
from lostcities.rules import SEATS, LostCitiesError, Refusal, Seat
from lostcities.server import schema
from lostcities.server.bot_worker import BotRequest
from lostcities.server.bots import BotPool
from lostcities.server.entries import (
    Entry,
    Followed,
    Stepped,
    entry_from_text,
    entry_to_text,
)
from lostcities.server.live_table import LiveTable
from lostcities.server.logs import logger
from lostcities.server.metrics import Metrics
from lostcities.server.settings import Settings
from lostcities.server.store import (
    Batch,
    ConflictError,
    KeyRow,
    LogRow,
    Store,
    StoreError,
    StoreUnavailableError,
    TableRow,
)
from lostcities.server.subscribers import Loss, Subscriber

_MOST_TRIES: Final = 4
_LONGEST_TAIL: Final = 50
"""Events sent one by one to somebody who comes back; a snapshot is shorter then."""
_PRESENCE_SECONDS: Final = 0.5
_ID: Final = re.compile(r"[0-9a-f]{32}")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 15.0
_log = logger("tables")


class NoSuchTableError(LostCitiesError):
    """Nobody has opened this table."""


class SeatTakenError(LostCitiesError):
    """Somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command brought.

    Attributes:
        status: Whether it was carried out, now or earlier, or not at all.
        version: The seat's version after it, or now if it was refused.
        refusal: The reason against it.
        snapshot: How the table stands now, if the command was refused.
    """

    status: str
    version: int
    refusal: Refusal | None = None
    snapshot: schema.Snapshot | None = field(default=None, repr=False)


class Room:
    """A table in memory, and those who listen at it."""

    def __init__(self, hub: "Hub", table_id: str) -> None:
        self.table_id = table_id
        self.num_users = 0
        self.last_used = time.monotonic()
        self.updated_ms = 0
        self._hub = hub
        self._lock = asyncio.Lock()
        self._live: LiveTable | None = None
        self._subscribers: set[Subscriber] = set()
        self._thinking: asyncio.Task[None] | None = None
        self._agreeing: asyncio.Task[None] | None = None
        self._presence_timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if this room were forgotten."""
        is_in_use = self.num_users or self._subscribers or self._lock.locked()
        is_at_work = _is_running(self._thinking) or _is_running(self._agreeing)
        return not is_in_use and not is_at_work

    # --- what stands here -------------------------------------------------------------------

    async def live(self) -> LiveTable:
        """Return the table as it stands.

        Raises:
            NoSuchTableError: If there is none.
            StoreUnavailableError: If it cannot be read now.
        """
        if self._live is not None:
            return self._live
        async with self._lock:
            return await self._load()

    async def _load(self) -> LiveTable:
        """Return the table; if it was away, what was to follow by itself follows now."""
        if self._live is None:
            await self._read()
            await self._follow_up()
        return await self._read()

    async def _read(self) -> LiveTable:
        if self._live is not None:
            return self._live
        stored = await self._hub.store.read_log(self.table_id)
        if stored is None:
            raise NoSuchTableError("expected the address of a table, got one that there is not")
        entries = (entry_from_text(kind, body) for kind, body in stored.rows)
        self._live = LiveTable.from_entries(self.table_id, entries)
        self.updated_ms = stored.updated_ms
        self._resync()
        return self._live

    # --- commands ---------------------------------------------------------------------------

    async def act(self, command: Command) -> Answer:
        """Carry out a command of a seat; return when it is durable and all have been told.

        Raises:
            StoreUnavailableError: If it could not be stored; nothing has changed.
        """
        # A caller that goes away must not leave a step stored and not applied.
        return await asyncio.shield(asyncio.create_task(self._act_alone(command)))

    async def _act_alone(self, command: Command) -> Answer:
        start = time.perf_counter()
        async with self._lock:
            await self._load()
            answer = await self._act(command)
            await self._follow_up()
        metrics = self._hub.metrics
        metrics.commands.labels(answer.status).inc()
        metrics.command_seconds.observe(time.perf_counter() - start)
        return answer

    async def _act(self, command: Command) -> Answer:
        for _ in range(_MOST_TRIES):
            live = await self._read()
            outcome = self._decide(live, command)
            if isinstance(outcome, Answer):
                return outcome
            try:
                await self._carry_out(live, command, outcome)
            except ConflictError:
                continue  # another process was first; decide again on what it has stored
            return Answer("done", live.version(command.seat))
        raise StoreUnavailableError("cannot save that just now: others are faster; try again")

    def _decide(self, live: LiveTable, command: Command) -> list[Entry] | Answer:
        """Return what is to be stored, or the answer if that is nothing."""
        seat = command.seat
        first = live.answered_version(seat, command.id)
        if live.has_free_seat:
            early = live.decide_early(command)
            if isinstance(early, Refusal):
                return self._refused(live, seat, early)
            return Answer("repeat", 0) if early is None else [early]
        outcome = live.decide(command)
        match outcome:
            case Repeated():
                return Answer("repeat", live.version(seat) if first is None else first)
            case Refused():
                return self._refused(live, seat, outcome.refusal)
            case Step():
                return [Stepped(outcome)]

    def _refused(self, live: LiveTable, seat: Seat, refusal: Refusal) -> Answer:
        return Answer(
            "refused", live.version(seat), refusal, live.snapshot(seat, invite=self._invite(live))
        )

    async def _carry_out(
        self, live: LiveTable, command: Command | None, entries: list[Entry]
    ) -> None:
        """Store, apply, tell.

        Raises:
            StoreError: If it was not stored. The table is read again then.
        """
        batch, entries = self._hub.batch(live, command, entries)
        try:
            await self._hub.store.append(batch)
        except StoreError:
            self._live = None
            raise
        before = {viewer: live.version(viewer) for viewer in (*SEATS, None)}
        for entry in entries:
            live.apply(entry)
        self.updated_ms = time.time_ns() // 1_000_000
        self._tell(live, before)

    async def join(self, name: str, keys: Sequence[KeyRow]) -> None:
        """Give the free seat to somebody.

        Raises:
            SeatTakenError: If it is not free any more.
            StoreUnavailableError: If that could not be stored.
        """
        await asyncio.shield(asyncio.create_task(self._join(name, keys)))

    async def _join(self, name: str, keys: Sequence[KeyRow]) -> None:
        async with self._lock:
            for _ in range(_MOST_TRIES):
                live = await self._load()
                if not live.has_free_seat:
                    raise SeatTakenError("cannot join: somebody else has taken the seat")
                entries = live.join(name)
                rows = _rows(live, entries)
                try:
                    await self._hub.store.append(Batch(log=rows, keys=keys))
                except StoreError as error:
                    self._live = None
                    if isinstance(error, ConflictError):
                        continue
                    raise
                before: dict[Viewer, int] = dict.fromkeys((*SEATS, None), 0)
                for entry in entries:
                    live.apply(entry)
                self._tell(live, before)
                await self._follow_up()
                return
        raise StoreUnavailableError("cannot save that just now: others are faster; try again")

    async def _follow_up(self) -> None:
        """Have the seats that agree by themselves do so, and the computer think."""
        if not await self._agree() and not _is_running(self._agreeing):
            self._agreeing = self._hub.spawn(self._agree_later())
        is_bots_turn = self._live is not None and self._live.bot_to_move is not None
        if is_bots_turn and not _is_running(self._thinking):
            self._thinking = self._hub.spawn(self._think())

    async def _agree(self) -> bool:
        """Return whether all that follows by itself is stored; what led to it is, in any case."""
        try:
            while command := (await self._read()).automatic_command():
                if (await self._act(command)).status != "done":
                    break
        except StoreUnavailableError:
            return False
        return True

    async def _agree_later(self) -> None:
        pause, is_done = _FIRST_PAUSE, False
        while not is_done:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            async with self._lock:
                is_done = await self._agree()
                if is_done:
                    await self._follow_up()

    # --- the computer -------------------------------------------------------------------------

    async def _think(self) -> None:
        """Make the computer's turns until it is not its turn any more."""
        pause = _FIRST_PAUSE
        while True:
            try:
                if not await self._make_computers_turn():
                    return
                pause = _FIRST_PAUSE
            except Exception as error:  # noqa: BLE001 # whatever it is, the table must not stay like this
                _log.warning("the computer's turn has to wait", kind=type(error).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def _make_computers_turn(self) -> bool:
        async with self._lock:
            live = await self._load()
            seat = live.bot_to_move
            if seat is None:
                self._thinking = None
                return False
            version, request = live.version(seat), self._request(live, seat)
        start = time.monotonic()
        chosen = await self._hub.bots.choose(request)
        await self._wait_for_the_time(start)
        answer = await self.act(
            Command(f"bot:{version}", seat, version, TakeTurn(chosen.turn, chosen.provenance))
        )
        if answer.status == "refused" and answer.version == version:
            chosen = await self._hub.bots.stand_in(request)
            await self.act(
                Command(
                    f"bot:{version}:stand-in",
                    seat,
                    version,
                    TakeTurn(chosen.turn, chosen.provenance),
                )
            )
        return True

    async def _wait_for_the_time(self, start: float) -> None:
        """Wait for a whole number of delays, so that the time tells little of the thinking."""
        delay = self._hub.settings.bot_delay
        thought = time.monotonic() - start
        whole = max(1, math.ceil(thought / delay)) * delay if delay > 0 else thought
        await asyncio.sleep(whole - thought)
        self._hub.metrics.bot_seconds.observe(whole)

    def _request(self, live: LiveTable, seat: Seat) -> BotRequest:
        observation = live.bot_observation()
        round_number = observation.standing.round_number
        return BotRequest(
            spec=live.created.agent,
            observation=observation,
            seed=live.table.decision_seed(seat),
            seconds=self._hub.settings.bot_seconds,
            game=f"{self.table_id}-{round_number}",
        )

    # --- telling ------------------------------------------------------------------------------

    def _invite(self, live: LiveTable) -> schema.Invite | None:
        return self._hub.invite(live) if live.has_free_seat else None

    def snapshot(self, live: LiveTable, viewer: Viewer) -> schema.Snapshot:
        """Return how the table stands for a viewer."""
        return live.snapshot(viewer, invite=self._invite(live))

    def _tell(self, live: LiveTable, before: dict[Viewer, int]) -> None:
        """Send what has happened since these versions to all who listen."""
        messages: dict[Viewer, list[tuple[int | None, str]]] = {}
        for subscriber in self._subscribers:
            viewer = subscriber.viewer
            if viewer not in messages:
                messages[viewer] = self._messages_since(live, viewer, before[viewer])
            for version, text in messages[viewer]:
                subscriber.offer(text, version)

    def _messages_since(
        self, live: LiveTable, viewer: Viewer, version: int
    ) -> list[tuple[int | None, str]]:
        events = live.events(viewer, after=version)
        snapshot = self.snapshot(live, viewer)
        if not events:
            return [(snapshot.version, schema.SnapshotMessage(snapshot=snapshot).model_dump_json())]
        last = events[-1]
        return [
            (
                numbered.version,
                schema.EventMessage(
                    version=numbered.version,
                    event=numbered.event,
                    snapshot=snapshot if numbered is last else None,
                ).model_dump_json(),
            )
            for numbered in events
        ]

    def _resync(self) -> None:
        """Send snapshots: what was told before may not be all that has happened."""
        if self._live is not None:
            for subscriber in self._subscribers:
                snapshot = self.snapshot(self._live, subscriber.viewer)
                text = schema.SnapshotMessage(snapshot=snapshot).model_dump_json()
                subscriber.offer(text, snapshot.version)

    async def subscribe(self, subscriber: Subscriber, *, last: int | None) -> None:
        """Let somebody listen, and bring it up to date.

        Args:
            subscriber: Who.
            last: The last version that it has; None if it has nothing.
        """
        async with self._lock:
            live = await self._load()
            viewer = subscriber.viewer
            now = live.version(viewer)
            if last is None or not 0 < now - last <= _LONGEST_TAIL:
                snapshot = self.snapshot(live, viewer)
                text = schema.SnapshotMessage(snapshot=snapshot).model_dump_json()
                subscriber.offer(text, now)
            else:
                for version, text in self._messages_since(live, viewer, last):
                    subscriber.offer(text, version)
            self._subscribers.add(subscriber)
            self._presence_changed(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Let somebody go."""
        if subscriber in self._subscribers:
            self._subscribers.discard(subscriber)
            self.last_used = time.monotonic()
            self._presence_changed(subscriber)

    def _presence_changed(self, subscriber: Subscriber) -> None:
        """Tell of a player at once; of spectators now and then, for there may be a thousand."""
        if subscriber.viewer is not None:
            self._tell_presence(self._subscribers)
            return
        if subscriber in self._subscribers:
            self._tell_presence({subscriber})
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(_PRESENCE_SECONDS, self._tell_of_spectators)

    def _tell_of_spectators(self) -> None:
        self._presence_timer = None
        self._tell_presence(self._subscribers)

    def _tell_presence(self, readers: Iterable[Subscriber]) -> None:
        viewers = [subscriber.viewer for subscriber in self._subscribers]
        message = schema.PresenceMessage(
            seats=schema.Flags(A=0 in viewers, B=1 in viewers), spectators=viewers.count(None)
        )
        text = message.model_dump_json()
        for subscriber in readers:
            subscriber.offer_presence(text)

    def say_goodbye(self) -> None:
        """Send all who listen away, because the server goes."""
        for subscriber in self._subscribers:
            subscriber.lose(Loss.RESTART)

    async def stop(self) -> None:
        """Stop thinking; the turn is made when somebody comes back."""
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.gather(self._thinking, return_exceptions=True)
            self._thinking = None


class Hub:
    """All rooms of this server."""

    def __init__(self, store: Store, bots: BotPool, metrics: Metrics, settings: Settings) -> None:
        self.store = store
        self.bots = bots
        self.metrics = metrics
        self.settings = settings
        self._rooms: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to forget rooms that nobody is in."""
        self._sweeper = asyncio.create_task(self._sweep(), name="rooms sweeper")

    async def close(self) -> None:
        """Stop everything; all that matters is in the store."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        self.say_goodbye()
        for room in self._rooms.values():
            await room.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def say_goodbye(self) -> None:
        """Send everybody away, because the server goes."""
        for room in self._rooms.values():
            room.say_goodbye()

    @contextlib.asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[Room]:
        """Come to a table; it stays in memory while somebody is there.

        Raises:
            NoSuchTableError: If that can be no table; others are only found out by `live`.
        """
        if not _ID.fullmatch(table_id):  # nothing else is asked of a database
            raise NoSuchTableError("expected the address of a table, got one that there is not")
        room = self._rooms.get(table_id)
        if room is None:
            room = self._rooms[table_id] = Room(self, table_id)
            self.metrics.tables.set(len(self._rooms))
        room.num_users += 1
        try:
            yield room
        except NoSuchTableError:
            if room.num_users == 1:
                self._rooms.pop(table_id, None)
            raise
        finally:
            room.num_users -= 1
            room.last_used = time.monotonic()

    async def open_table(
        self, live: LiveTable, entries: Sequence[Entry], keys: Sequence[KeyRow]
    ) -> None:
        """Store a new table with the keys of its seats.

        Raises:
            StoreError: If it could not be stored.
        """
        rows = [
            LogRow(live.table_id, seq, None, *entry_to_text(entry))
            for seq, entry in enumerate((live.created, *entries))
        ]
        row = TableRow(live.table_id, live.created.series, live.created.invite or None)
        await self.store.append(Batch(log=rows, tables=[row], keys=keys))

    def batch(
        self, live: LiveTable, command: Command | None, entries: list[Entry]
    ) -> tuple[Batch, list[Entry]]:
        """Return what is to be stored for a command: with a rematch, another table as well."""
        tables: list[TableRow] = []
        others: list[LogRow] = []
        for entry in tuple(entries):
            if isinstance(entry, Stepped):
                table_id = new_id()
                first = live.rematch_of(entry.step, date=today())
                if first:
                    entries = [*entries, Followed(table_id)]
                    tables = [TableRow(table_id, live.created.series)]
                    others = [
                        LogRow(table_id, seq, None, *entry_to_text(new))
                        for seq, new in enumerate(first)
                    ]
        move_id = None if command is None else f"{command.seat}:{command.id}"
        return Batch(log=[*_rows(live, entries, move_id), *others], tables=tables), entries

    def invite(self, live: LiveTable) -> schema.Invite | None:
        """Return how to join a table, None if that is not possible."""
        code = live.created.invite
        return (
            schema.Invite(code=code, url=f"{self.settings.base_url}/join/{code}") if code else None
        )

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Have something done in the background."""
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task ended badly", kind=type(error).__name__)

    async def _sweep(self) -> None:
        pause = min(30.0, max(0.05, self.settings.idle_seconds / 4))
        while True:
            await asyncio.sleep(pause)
            self.forget_idle_rooms()

    def forget_idle_rooms(self) -> None:
        """Forget the rooms that nobody has been in for a while."""
        limit = time.monotonic() - self.settings.idle_seconds
        idle = [room for room in self._rooms.values() if room.is_idle and room.last_used < limit]
        for room in idle:
            del self._rooms[room.table_id]
        self.metrics.tables.set(len(self._rooms))

    @property
    def num_rooms(self) -> int:
        """The number of tables in memory."""
        return len(self._rooms)


def _is_running(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def new_id() -> str:
    """Return a new identifier of 128 bits."""
    return secrets.token_hex(16)


def today() -> str:
    """Return the date in ISO form."""
    return datetime.now(UTC).date().isoformat()


def _rows(live: LiveTable, entries: Sequence[Entry], move_id: str | None = None) -> list[LogRow]:
    """Return entries in the places that follow; the first of them is the command's."""
    return [
        LogRow(
            live.table_id,
            live.num_entries + index,
            None if index else move_id,
            *entry_to_text(entry),
        )
        for index, entry in enumerate(entries)
    ]
