"""The log on disk: append-only, one writer, many entries in one durable commit.

Whoever appends waits until the commit is durable. While one commit is under
way, everything that arrives is gathered for the next, so that the disk's time
for a commit is shared by all tables.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command as alembic
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from lostcities.rules import LostCitiesError, Seat
from lostcities.server.store_tables import FOLLOWED, KEYS, LOG, RECOVERY, TABLES

_MOST_IN_A_COMMIT: Final = 512
_SECONDS_TO_WAIT_FOR_A_LOCK: Final = 10
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


class StoreError(LostCitiesError):
    """The store cannot be used."""


class StoreUnavailableError(StoreError):
    """The store took nothing; what was to be stored has not happened."""


class ConflictError(StoreError):
    """Another process has stored something there first."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry in its place; its `repr` keeps the text to itself.

    Attributes:
        table_id: Whose log.
        seq: The place, counted from 0 without gaps.
        move_id: What makes the command unique in its table; None if no command brought it.
        kind: What the text is.
        body: The text.
    """

    table_id: str
    seq: int
    move_id: str | None
    kind: str
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A new table."""

    table_id: str
    series: str
    invite: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """The hash of a token that opens a seat."""

    key_hash: str = field(repr=False)
    series: str
    seat: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What is stored together: all of it or nothing.

    Attributes:
        log: Entries of tables.
        tables: New tables.
        keys: New keys. One of recovery takes the place of the one that its seat had.
    """

    log: Sequence[LogRow] = ()
    tables: Sequence[TableRow] = ()
    keys: Sequence[KeyRow] = ()


@dataclass(frozen=True, slots=True)
class StoredLog:
    """The log of one table."""

    rows: list[tuple[str, str]] = field(repr=False)
    updated_ms: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """What a table's last entry tells without reading the others.

    Attributes:
        table_id: Which table.
        is_followed: Whether a rematch was opened; then its match is over.
    """

    table_id: str
    is_followed: bool


@dataclass(slots=True)
class _Waiting:
    batch: Batch
    done: asyncio.Future[None]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def read_url(text: str) -> URL:
    """Return the address of a database; a bare path is a file of SQLite.

    Raises:
        StoreError: If it is none that can be used here.
    """
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(_WRONG_URL) from None
    driver = _DRIVERS.get(url.drivername.partition("+")[0])
    if driver is None:
        raise StoreError(f"{_WRONG_URL}, got one for {url.drivername[:30]!r}")
    return url.set(drivername=driver)


_WRONG_URL: Final = (
    "expected a database as a path, sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
)


class Store:
    """The database, and the one task that writes to it."""

    def __init__(
        self, database: str, *, on_commit: Callable[[float, int], None] = lambda *_: None
    ) -> None:
        """Name the database; nothing is opened yet.

        Args:
            database: A path or a URL.
            on_commit: Told the seconds and the number of entries of each commit.
        """
        self._url = read_url(database)
        self._on_commit = on_commit
        self._engine: AsyncEngine | None = None
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self.trouble = ""

    # --- from start to end --------------------------------------------------------------------

    async def open(self) -> None:
        """Open the database and bring its tables to this version.

        Raises:
            StoreError: If that cannot be done.
        """
        self._engine = self._new_engine()
        try:
            async with self._engine.connect() as connection:
                await connection.run_sync(_migrate)
                await connection.commit()
        except (SQLAlchemyError, OSError) as error:
            await self._engine.dispose()
            raise StoreError(f"cannot open the database {self}: {_reason(error)}") from None
        self._writer = asyncio.create_task(self._write(), name="store writer")

    def _new_engine(self) -> AsyncEngine:
        try:
            if self._url.get_backend_name() != "sqlite":
                return create_async_engine(self._url, pool_pre_ping=True, hide_parameters=True)
            _make_private_file(self._url.database)
            engine = create_async_engine(
                self._url,
                connect_args={"timeout": _SECONDS_TO_WAIT_FOR_A_LOCK},
                hide_parameters=True,
            )
        except ModuleNotFoundError as error:
            raise StoreError(
                f"cannot open the database {self}: the package {error.name!r} is missing; "
                "install lostcities[postgres]"
            ) from None
        event.listen(engine.sync_engine, "connect", _make_sqlite_durable)
        return engine

    async def close(self) -> None:
        """Store what is still waiting, then let go of the database."""
        if self._writer is not None:
            self._queue.put_nowait(None)
            await self._writer
            self._writer = None
        if self._engine is not None:
            await self._engine.dispose()

    def __str__(self) -> str:
        """Return the address without a password."""
        return self._url.render_as_string(hide_password=True)

    # --- writing ------------------------------------------------------------------------------

    async def append(self, batch: Batch) -> None:
        """Store a batch and return when that is durable.

        Raises:
            ConflictError: If another process was first; nothing was stored.
            StoreUnavailableError: If the database did not take it. Whether it
                is there is not known then: read the log again.
        """
        if self._writer is None or self._writer.done():
            raise StoreUnavailableError("cannot save anything: the server is shutting down")
        waiting = _Waiting(batch, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(waiting)
        await waiting.done

    async def _write(self) -> None:
        is_open = True
        while is_open:
            first = await self._queue.get()
            group = [] if first is None else [first]
            is_open = first is not None
            while len(group) < _MOST_IN_A_COMMIT and not self._queue.empty():
                waiting = self._queue.get_nowait()
                if waiting is None:
                    is_open = False
                else:
                    group.append(waiting)
            if group:
                await self._commit(group)

    async def _commit(self, group: list[_Waiting]) -> None:
        problem = await self._try_to_commit([waiting.batch for waiting in group])
        if isinstance(problem, ConflictError) and len(group) > 1:
            for waiting in group:  # one of them is to blame; the others go on
                await self._commit([waiting])
            return
        for waiting in group:
            if waiting.done.done():  # nobody waits any more
                continue
            if problem is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(problem)

    async def _try_to_commit(self, batches: Sequence[Batch]) -> StoreError | None:
        start = time.perf_counter()
        try:
            async with self._connected().begin() as connection:
                num = await _insert(connection, batches)
        except IntegrityError:
            return ConflictError("expected the next entry of a table, got one that is there")
        except (SQLAlchemyError, OSError) as error:
            self.trouble = _reason(error)
            logging.getLogger(__name__).error("the store took nothing: %s", self.trouble)  # noqa: TRY400 # a traceback shows what was to be stored
            return StoreUnavailableError(
                f"cannot save that just now ({self.trouble}); nothing has changed, try again later"
            )
        self.trouble = ""
        self._on_commit(time.perf_counter() - start, num)
        return None

    def _connected(self) -> AsyncEngine:
        if self._engine is None:
            raise StoreUnavailableError("cannot use the store: it is not open")
        return self._engine

    # --- reading ------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._connected().connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailableError(
                f"cannot read that just now ({_reason(error)}); try again later"
            ) from None

    async def read_log(self, table_id: str) -> StoredLog | None:
        """Return the entries of a table in their order, None if there is no such table."""
        query = sa.select(LOG.c.kind, LOG.c.body, LOG.c.at)
        query = query.where(LOG.c.table_id == table_id).order_by(LOG.c.seq)
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
        if not rows:
            return None
        return StoredLog([(row.kind, row.body) for row in rows], max(row.at for row in rows))

    async def find_invited(self, code: str) -> str | None:
        """Return the table that a code invites to."""
        query = sa.select(TABLES.c.table_id).where(TABLES.c.invite == code)
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def tables_of(self, series: Sequence[str], *, most: int) -> list[str]:
        """Return the tables of some series, the newest first."""
        query = sa.select(TABLES.c.table_id).where(TABLES.c.series.in_(series))
        query = query.order_by(TABLES.c.created_at.desc(), TABLES.c.table_id).limit(most)
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def last_used(self, series: Sequence[str]) -> list[StoredTable]:
        """Return the tables of some series; where something happened last comes first."""
        entries = LOG.alias("entries")
        last = sa.select(sa.func.max(entries.c.seq))
        last = last.where(entries.c.table_id == TABLES.c.table_id).correlate(TABLES)
        is_last = (LOG.c.table_id == TABLES.c.table_id) & (LOG.c.seq == last.scalar_subquery())
        query = sa.select(TABLES.c.table_id, LOG.c.kind).select_from(TABLES).join(LOG, is_last)
        query = query.where(TABLES.c.series.in_(series))
        query = query.order_by(LOG.c.at.desc(), TABLES.c.created_at.desc(), TABLES.c.table_id)
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
        return [StoredTable(row.table_id, row.kind == FOLLOWED) for row in rows]

    async def find_key(self, key_hash: str) -> KeyRow | None:
        """Return what a token opens."""
        query = sa.select(KEYS.c.series, KEYS.c.seat, KEYS.c.kind)
        query = query.where(KEYS.c.key_hash == key_hash)
        async with self._reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else KeyRow(key_hash, row.series, row.seat, row.kind)

    async def check(self) -> None:
        """Read something.

        Raises:
            StoreUnavailableError: If that cannot be done.
        """
        async with self._reading() as connection:
            await connection.execute(sa.select(sa.literal(1)))


async def _insert(connection: AsyncConnection, batches: Sequence[Batch]) -> int:
    now = _now_ms()
    tables = [
        {"table_id": row.table_id, "series": row.series, "invite": row.invite, "created_at": now}
        for batch in batches
        for row in batch.tables
    ]
    keys = [
        {
            "key_hash": row.key_hash,
            "series": row.series,
            "seat": row.seat,
            "kind": row.kind,
            "at": now,
        }
        for row in await _without_superseded(connection, batches)
    ]
    log = [
        {
            "table_id": row.table_id,
            "seq": row.seq,
            "move_id": row.move_id,
            "kind": row.kind,
            "body": row.body,
            "at": now,
        }
        for batch in batches
        for row in batch.log
    ]
    pairs: tuple[tuple[sa.Table, list[dict[str, Any]]], ...] = (
        (TABLES, tables),
        (KEYS, keys),
        (LOG, log),
    )
    for table, rows in pairs:
        if rows:
            await connection.execute(sa.insert(table), rows)
    return len(log)


async def _without_superseded(
    connection: AsyncConnection, batches: Sequence[Batch]
) -> list[KeyRow]:
    """Delete the recovery keys that others replace, and return the keys to be stored."""
    keys = [row for batch in batches for row in batch.keys]
    latest = {(row.series, row.seat): row for row in keys if row.kind == RECOVERY}
    for series, seat in latest:
        delete = sa.delete(KEYS).where(KEYS.c.series == series, KEYS.c.seat == seat)
        # Written out, for only then does a database see that its index of these is meant.
        is_recovery = KEYS.c.kind == sa.literal(RECOVERY, literal_execute=True)
        await connection.execute(delete.where(is_recovery))
    return [row for row in keys if row.kind != RECOVERY or row is latest[row.series, row.seat]]


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "lostcities.server:migrations")
    config.attributes["connection"] = connection
    alembic.upgrade(config, "head")


def _make_private_file(database: str | None) -> None:
    """Create the file readable by its owner alone: it holds the deals of running matches."""
    if not database or database == ":memory:":
        return
    path = Path(database)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(f"cannot open the database {database}: {error.strerror}") from None


def _make_sqlite_durable(connection: Any, _record: object) -> None:  # noqa: ANN401 # a driver's connection
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _reason(error: BaseException) -> str:
    """Return what went wrong, in words that repeat nothing of what was to be stored."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    text = str(error).strip().splitlines()
    return text[0][:200] if text else type(error).__name__
