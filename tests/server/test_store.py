"""The store: durable, append-only, on SQLite and on PostgreSQL alike."""

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import event

from browser.prepared import Preparation, Shelved
from lostcities.rules import SEATS, Seat
from lostcities.server.store import (
    Batch,
    ConflictError,
    KeyRow,
    LogRow,
    Store,
    StoreError,
    StoreUnavailableError,
    TableRow,
    read_url,
)
from lostcities.server.store_tables import COOKIE, RECOVERY
from server.serving import (
    OWN,
    Browser,
    first_turn,
    friends,
    make_turn,
    running,
    seated,
    settings_for,
)
from server.stored import read_tables

PROGRAM = (sys.executable, "-m", "lostcities")


def row(table: str, seq: int, move_id: str | None = None) -> LogRow:
    return LogRow(table, seq, move_id, "step", f"body {seq}")


def run(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        store = Store(database)
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(all_of_it())


def test_what_was_appended_is_read_back_in_order(database: str) -> None:
    table, series, code, key = (uuid4().hex for _ in range(4))

    async def write(store: Store) -> None:
        await store.append(
            Batch(
                log=[row(table, 0), row(table, 1, "0:a")],
                tables=[TableRow(table, series, code[:32])],
                keys=[KeyRow(key, series, 1, "cookie")],
            )
        )
        await store.append(Batch(log=[row(table, 2, "1:a")]))

    async def read(store: Store) -> None:
        stored = await store.read_log(table)
        assert stored is not None
        assert stored.rows == [("step", f"body {seq}") for seq in range(3)]
        assert stored.updated_ms > 1_700_000_000_000
        assert await store.read_log(uuid4().hex) is None
        assert await store.find_invited(code[:32]) == table
        assert await store.find_invited("nobody") is None
        assert await store.tables_of([series, "other"], most=5) == [table]
        assert await store.find_key(key) == KeyRow(key, series, 1, "cookie")
        assert await store.find_key("nobody") is None
        await store.check()

    run(database, write)
    run(database, read)


def test_of_recovery_keys_a_seat_has_the_last(database: str) -> None:
    series, rest = uuid4().hex, uuid4().hex
    a, b, c, other, cookie = (f"{name}-{rest}" for name in ("a", "b", "c", "other", "cookie"))

    def key(name: str, seat: Seat = 0, kind: str = RECOVERY) -> Batch:
        return Batch(keys=[KeyRow(name, series, seat, kind)])

    async def work(store: Store) -> None:
        await asyncio.gather(
            *(store.append(batch) for batch in (key(a), key(other, 1), key(cookie, 0, COOKIE)))
        )
        assert await store.find_key(a)
        await asyncio.gather(store.append(key(b)), store.append(key(c)))  # in one commit
        found = {name for name in (a, b, c, other, cookie) if await store.find_key(name)}
        assert found == {c, other, cookie}

    run(database, work)


def test_two_processes_leave_a_seat_one_recovery_key(database: str) -> None:
    series = uuid4().hex

    async def both() -> None:
        stores = [Store(database) for _ in range(2)]
        for store in stores:
            await store.open()
        names = [f"{series}-{number}" for number in range(20)]
        stored = await asyncio.gather(
            *(
                stores[number % 2].append(Batch(keys=[KeyRow(name, series, 0, RECOVERY)]))
                for number, name in enumerate(names)
            ),
            return_exceptions=True,
        )
        assert {type(end) for end in stored} <= {type(None), ConflictError}
        assert [bool(await stores[0].find_key(name)) for name in names].count(True) == 1
        for store in stores:
            await store.close()

    asyncio.run(both())


def test_an_older_database_keeps_the_newest_recovery_key(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    run(str(path), lambda store: store.check())
    with contextlib.closing(sqlite3.connect(path)) as older, older:
        older.execute("DROP INDEX keys_one_recovery")
        older.execute("UPDATE alembic_version SET version_num = '0001'")
        rows = [("a", 0, RECOVERY, 5), ("b", 0, RECOVERY, 9), ("c", 0, RECOVERY, 9),
                ("d", 1, RECOVERY, 1), ("e", 0, COOKIE, 1), ("f", 0, COOKIE, 2)]  # fmt: skip
        older.executemany("INSERT INTO keys VALUES (?, 'series', ?, ?, ?)", rows)

    async def look(store: Store) -> None:
        assert [name for name in "abcdef" if await store.find_key(name)] == ["c", "d", "e", "f"]

    run(str(path), look)


def test_a_place_and_a_move_are_taken_once(database: str) -> None:
    table = uuid4().hex

    async def work(store: Store) -> None:
        await store.append(Batch(log=[row(table, 0), row(table, 1, "0:move")]))
        for again in (row(table, 1, "0:other"), row(table, 2, "0:move")):
            with pytest.raises(ConflictError):
                await store.append(Batch(log=[again]))
        with pytest.raises(ConflictError):  # all of it or nothing
            await store.append(Batch(log=[row(table, 2), row(table, 1)]))
        stored = await store.read_log(table)
        assert stored is not None
        assert len(stored.rows) == 2

    run(database, work)


def test_one_bad_batch_spoils_no_other_of_the_same_commit(database: str) -> None:
    tables = [uuid4().hex for _ in range(40)]

    async def work(store: Store) -> None:
        await store.append(Batch(log=[row(tables[7], 0)]))
        results = await asyncio.gather(
            *(store.append(Batch(log=[row(table, 0)])) for table in tables), return_exceptions=True
        )
        assert [index for index, result in enumerate(results) if result is not None] == [7]
        assert isinstance(results[7], ConflictError)
        for table in tables:
            assert await store.read_log(table) is not None

    run(database, work)


def test_what_arrives_during_a_commit_shares_the_next_one(database: str) -> None:
    commits: list[int] = []

    async def work() -> None:
        store = Store(database, on_commit=lambda _, num: commits.append(num))
        await store.open()
        tables = [uuid4().hex for _ in range(300)]
        await asyncio.gather(*(store.append(Batch(log=[row(table, 0)])) for table in tables))
        await store.close()

    asyncio.run(work())
    assert sum(commits) == 300
    assert len(commits) < 10


def test_writers_of_two_processes_do_not_lock_each_other_out(database: str) -> None:
    """H-15: several writers wait for each other, and nothing is lost."""
    tables = [uuid4().hex for _ in range(20)]

    async def work() -> None:
        stores = [Store(database) for _ in range(3)]
        for store in stores:
            await store.open()

        async def fill(store: Store, table: str) -> int:
            stored = 0
            for seq in range(10):
                try:
                    await store.append(Batch(log=[row(table, seq)]))
                    stored += 1
                except ConflictError:
                    pass
            return stored

        counts = await asyncio.gather(*(fill(s, table) for table in tables for s in stores))
        assert sum(counts) == 200
        for store in stores:
            await store.close()

    asyncio.run(work())


NUM_GAMES = 200
TURNS_OF_A_GAME = 2


def test_two_hundred_games_are_played_while_lists_are_read_and_a_copy_is_made(
    tmp_path: Path,
) -> None:
    """H-15: nobody is told that the database is locked, and every copy is whole."""
    path, salt = tmp_path / "tables.db", uuid4().hex
    prepared = [Preparation(f"games {salt} {number}").dealt() for number in range(NUM_GAMES)]
    asyncio.run(fill(path, prepared))
    tables = [one.shelved for one in prepared]
    is_over = threading.Event()

    async def play() -> tuple[int, list[int]]:
        async with (
            running(settings_for(tmp_path, idle_seconds=0.2)) as server,
            httpx.AsyncClient(
                base_url=server.url,
                headers=OWN,
                timeout=60,
                limits=httpx.Limits(max_connections=20),  # so that lists come in between
            ) as client,
        ):
            copying = asyncio.create_task(asyncio.to_thread(keep_copying, path, is_over))
            reading = asyncio.create_task(keep_listing(client, tables, is_over))
            try:
                await asyncio.gather(*(play_game(client, table) for table in tables))
            finally:
                is_over.set()
                ends = await asyncio.gather(reading, copying)
            assert not server.house.store.trouble
            return ends

    num_lists, copies = asyncio.run(play())
    assert num_lists > 2
    assert len(copies) > 2
    assert copies == sorted(copies)
    stored = asyncio.run(read_tables(str(path), {table.table_id for table in tables}))
    for game in stored.values():
        turns = [name for name in game.commands if name.startswith("turn-")]
        assert len(turns) == TURNS_OF_A_GAME
        assert game.num_entries == game.num_places
    assert copies[-1] == sum(game.num_entries for game in stored.values())


async def fill(path: Path, prepared: list[Preparation]) -> None:
    store = Store(str(path))
    await store.open()
    await asyncio.gather(*(store.append(one.batch) for one in prepared))
    await store.close()


async def play_game(client: httpx.AsyncClient, table: Shelved) -> None:
    """Make some turns, each with the cookie of the seat that is to move."""
    address = f"/api/tables/{table.table_id}"
    for number in range(TURNS_OF_A_GAME):
        headers = {"Cookie": "=".join(table.cookie(SEATS[number % 2]))}
        shown = (await client.get(address, headers=headers)).json()
        body = {"version": shown["version"], "id": f"turn-{number:04}", "turn": first_turn(shown)}
        answer = await client.post(f"{address}/moves", json=body, headers=headers)
        assert answer.status_code == 200, answer.text


async def keep_listing(
    client: httpx.AsyncClient, tables: list[Shelved], is_over: threading.Event
) -> int:
    """Read lists of ten tables until it is over; return how many."""
    number = 0
    while not is_over.is_set():
        some = [tables[(number * 10 + place) % len(tables)] for place in range(10)]
        cookies = "; ".join("=".join(table.cookie(0)) for table in some)
        answer = await client.get("/api/tables", headers={"Cookie": cookies})
        assert answer.status_code == 200, answer.text
        assert len(answer.json()) == 10
        number += 1
    return number


def keep_copying(path: Path, is_over: threading.Event) -> list[int]:
    """Copy the file as an operator does, in steps and at once; return the entries in each copy."""
    counts: list[int] = []
    is_last = False
    while not is_last:
        is_last = is_over.is_set()
        copy = path.with_name(f"copy-{len(counts)}.db")
        with contextlib.closing(sqlite3.connect(path)) as source:
            if len(counts) % 2:
                source.execute("VACUUM INTO ?", (str(copy),))
            else:
                with contextlib.closing(sqlite3.connect(copy)) as target:
                    source.backup(target, pages=100, sleep=0.001)
        with contextlib.closing(sqlite3.connect(copy)) as made:
            assert made.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            counts.append(made.execute("SELECT count(*) FROM log").fetchone()[0])
        copy.unlink()
    return counts


def test_a_whole_match_is_kept_in_either_database(database: str, tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, database=database)
        async with seated(settings) as (server, ann, ben, table_id):
            for browser in (ann, ben, ann, ben):
                assert (await make_turn(browser, table_id)).status_code == 200
            before = [await browser.snapshot(table_id) for browser in (ann, ben)]
            cookies = [browser.http.cookies for browser in (ann, ben)]
        async with running(settings) as server:
            for jar, shown in zip(cookies, before, strict=True):
                async with Browser(server.url) as again:
                    again.http.cookies = jar
                    assert await again.snapshot(table_id) == shown

    asyncio.run(play())


def test_a_read_only_database_refuses_with_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, ben, table_id):
            before = await ann.snapshot(table_id)
            engine = server.house.store._engine
            assert engine is not None

            def make_read_only(connection: sqlite3.Connection, *_: object) -> None:
                connection.execute("PRAGMA query_only=ON").close()

            event.listen(engine.sync_engine, "checkout", make_read_only)
            async with ann.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["legal"])
                refused = await line.take_turn(line.snapshot["legal"][0], name="kept-for-later")
                assert (refused["type"], refused["code"]) == ("refused", "storage")
                answer = await make_turn(ann, table_id)
                assert (answer.status_code, answer.json()["code"]) == (503, "storage")
                assert answer.json()["sentence"].startswith("cannot save that just now")
                assert int(answer.headers["retry-after"]) > 0
                opened = await ben.post(
                    "/api/tables", {"opponent": {"kind": "friend"}, "name": "Ben"}
                )
                assert opened.status_code == 503
                assert (await ann.get("/readyz")).status_code == 503
                assert await ann.snapshot(table_id) == before
                event.remove(engine.sync_engine, "checkout", make_read_only)
                async with engine.connect() as connection:
                    await connection.exec_driver_sql("PRAGMA query_only=OFF")
                done = await line.take_turn(line.snapshot["legal"][0], name="kept-for-later")
                assert (done["type"], done["status"]) == ("done", "done")
                assert (await ann.get("/readyz")).status_code == 200

    asyncio.run(play())


def test_a_full_disk_refuses_with_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, ben, table_id):
            engine = server.house.store._engine
            assert engine is not None
            async with engine.connect() as connection:
                (pages,) = (await connection.exec_driver_sql("PRAGMA page_count")).one()
                await connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            sides, mover = {"A": ann, "B": ben}, "A"
            answer = await make_turn(ann, table_id)
            while answer.status_code == 200:
                mover = (await ann.snapshot(table_id))["to_move"]
                answer = await make_turn(sides[mover], table_id)
            assert answer.json()["code"] == "storage"
            assert "full" in answer.json()["sentence"]
            before = await ann.snapshot(table_id)
            async with engine.connect() as connection:
                await connection.exec_driver_sql("PRAGMA max_page_count=1000000")
            assert await ann.snapshot(table_id) == before
            assert (await make_turn(sides[mover], table_id)).status_code == 200

    asyncio.run(play())


def test_a_crash_between_store_and_tell_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit is durable, but the server does not live to say so."""

    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            shown = await ann.snapshot(table_id)
            turn = next(t for t in shown["legal"] if t.startswith("-") and t.endswith("/D"))
            body = {"version": shown["version"], "id": "told-too-late", "turn": turn}
            append = Store.append

            async def append_and_fail(store: Store, batch: Batch) -> None:
                await append(store, batch)
                raise StoreUnavailableError("the connection was lost")

            monkeypatch.setattr(Store, "append", append_and_fail)
            answer = await ann.post(f"/api/tables/{table_id}/moves", body)
            assert answer.status_code == 503
            monkeypatch.setattr(Store, "append", append)
            again = await ann.post(f"/api/tables/{table_id}/moves", body)
            assert again.json() == {"status": "repeat", "version": shown["version"] + 1}
            assert (await ben.snapshot(table_id))["last"]["turn"] == turn
            assert (await ben.snapshot(table_id))["deck"] == 43

    asyncio.run(play())


def test_another_process_that_was_first_is_caught_up_with(tmp_path: Path) -> None:
    """Two servers on one database: the key of the log settles who was first."""

    async def play() -> None:
        settings = settings_for(tmp_path)
        async with (
            running(settings) as one,
            running(settings) as two,
            friends(one) as (ann, ben, table_id),
            Browser(two.url) as ann_there,
        ):
            ann_there.http.cookies = ann.http.cookies
            await ann_there.snapshot(table_id)  # both have the table in memory
            assert (await make_turn(ann, table_id)).status_code == 200
            late = await make_turn(ann_there, table_id)
            assert (late.status_code, late.json()["code"]) == (409, "stale")
            assert late.json()["snapshot"]["to_move"] == "B"
            assert (await ann_there.snapshot(table_id))["to_move"] == "B"
            assert (await make_turn(ben, table_id)).status_code == 200

    asyncio.run(play())


def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tables.db"

    async def work(store: Store) -> None:
        await store.check()

    run(str(path), work)
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("url", ["oracle://x/y", "mysql://a@b/c", "://", "http://x"])
def test_other_databases_are_refused_in_one_line(url: str) -> None:
    with pytest.raises(StoreError, match="expected a database as a path"):
        read_url(url)


def test_a_password_is_not_shown() -> None:
    store = Store("postgresql://me:topsecret@db/lost")
    assert "topsecret" not in str(store)
    assert str(store).startswith("postgresql+asyncpg://me:")


def test_a_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is no database, whatever its name says" * 100)
    for name in ("file", "file/below"):
        done = subprocess.run(
            [*PROGRAM, "serve", "--port", "0", "--database", str(tmp_path / name)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.startswith("lostcities serve: cannot open the database")
        assert done.stderr.count("\n") == 1


def test_what_follows_by_itself_follows_once_the_disk_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The human's readiness is stored, the computer's is not: nobody is stuck, nothing spins."""

    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as both:
            table = await both.open_table({"kind": "local", "name": "Ben"})
            path = f"/api/tables/{table['table_id']}"
            append, calls = Store.append, 0

            async def append_first_only(store: Store, batch: Batch) -> None:
                nonlocal calls
                calls += 1
                if calls > 1:
                    raise StoreUnavailableError("cannot save that just now")
                await append(store, batch)

            monkeypatch.setattr(Store, "append", append_first_only)
            assert (await both.post(f"{path}/ready", {"seat": "A"})).status_code == 200
            shown = await both.snapshot(table["table_id"], seat="A")
            assert (shown["status"], shown["ready"]) == ("waiting", {"A": True, "B": False})
            await asyncio.sleep(0.1)
            assert calls <= 3
            monkeypatch.setattr(Store, "append", append)
            async with both.socket(table["table_id"], seat="A") as line:
                await line.until_snapshot(lambda shown: shown["status"] == "playing")

    asyncio.run(play())
