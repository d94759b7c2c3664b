"""Joining and opening happen once, however often they are asked for: an answer may be lost on its way."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from lostcities.server.store import Batch, Store, StoreUnavailableError, read_url
from lostcities.server.store_tables import KEYS
from server.serving import Browser, Json, running, settings_for


def new_key() -> str:
    return secrets.token_hex(16)


async def press_join(browser: Browser, table: Json, key: str, name: str = "Ben") -> httpx.Response:
    body = {"code": table["invite"]["code"], "name": name, "id": key}
    return await browser.post(f"/api/tables/{table['table_id']}/join", body)


@asynccontextmanager
async def cold(url: str) -> AsyncIterator[Browser]:
    """Return a browser without any cookie, as one is whose answer was lost."""
    async with Browser(url) as browser:
        yield browser


async def can_play(browser: Browser, table_id: str, seat: str) -> bool:
    return bool((await browser.snapshot(table_id))["viewer"] == seat)


def test_a_join_whose_answer_was_lost_brings_the_same_seat_again(
    database: str, tmp_path: Path
) -> None:
    async def play() -> None:
        settings, key = settings_for(tmp_path, database=database), new_key()
        async with running(settings) as server, Browser(server.url) as ann:
            table = await ann.open_table(starter="you")
            table_id = table["table_id"]
            async with cold(server.url) as lost:
                first = await press_join(lost, table, key)
                assert first.status_code == 200
            async with cold(server.url) as again:
                answer = await press_join(again, table, key, "Benjamin")
                assert answer.status_code == 200, answer.text
                assert {**answer.json(), "recovery": 0} == {**first.json(), "recovery": 0}
                assert await can_play(again, table_id, "B")
                assert (await ann.snapshot(table_id))["names"]["B"] == "Ben"
                third = await press_join(again, table, key)  # the cookie came, the rest did not
                assert third.status_code == 200
                for browser in (ann, again):
                    await browser.post(f"/api/tables/{table_id}/ready")
                assert (await ann.snapshot(table_id))["status"] == "playing"
        async with running(settings) as server, cold(server.url) as later:
            answer = await press_join(later, table, key)
            assert answer.status_code == 200, answer.text
            assert await can_play(later, table_id, "B")
            token = answer.json()["recovery"]["url"].partition("#")[2]
            assert (await later.post("/api/recover", {"token": token})).json()["seat"] == "B"
            earlier = first.json()["recovery"]["url"].partition("#")[2]
            assert (await later.post("/api/recover", {"token": earlier})).status_code == 404

    asyncio.run(play())


def test_nobody_else_gets_the_seat_by_joining_again(database: str, tmp_path: Path) -> None:
    async def play() -> None:
        settings, key = settings_for(tmp_path, database=database), new_key()
        async with running(settings) as server, Browser(server.url) as ann:
            table, other = await ann.open_table(), await ann.open_table()
            for wish in (table, other):  # an id is for a table; another table knows nothing of it
                async with cold(server.url) as ben:
                    assert (await press_join(ben, wish, key)).status_code == 200
                    own = await press_join(ben, wish, new_key())
                    assert (own.status_code, own.json()["code"]) == (409, "own_table")
            async with cold(server.url) as eve:
                refused = [await press_join(eve, table, new_key()), await eve.join(table)]
                wrong = {"code": "WRONG", "name": "Eve", "id": key}
                refused.append(await eve.post(f"/api/tables/{table['table_id']}/join", wrong))
                codes = [answer.json()["code"] for answer in refused]
                assert codes == ["seat_taken", "seat_taken", "wrong_code"]
                for short in ("", "x" * 21, "x" * 65, "y" * 21 + " "):
                    assert (await press_join(eve, table, short)).status_code == 422
                token = {"token": key}  # it is no recovery link
                assert (await eve.post("/api/recover", token)).status_code == 404
                eve.http.cookies.set(f"lc_{table['table_id']}_B", key[:22])
                assert (await eve.snapshot(table["table_id"]))["viewer"] is None
        assert key not in str(await stored_keys(database))

    asyncio.run(play())


async def stored_keys(database: str) -> list[object]:
    engine = create_async_engine(read_url(database))
    async with engine.connect() as connection:
        rows = list((await connection.execute(sa.select(KEYS))).all())
    await engine.dispose()
    return [tuple(row) for row in rows]


def test_of_many_presses_in_parallel_one_browser_has_the_seat(
    database: str, tmp_path: Path
) -> None:
    """Two servers on one database, three browsers that press at once and again."""

    async def play() -> None:
        settings = settings_for(tmp_path, database=database)
        async with (
            running(settings) as one,
            running(settings) as two,
            Browser(one.url) as ann,
        ):
            table = await ann.open_table()
            keys = [new_key() for _ in range(3)]
            for server in (one, two):  # both have it in memory with a free seat
                async with cold(server.url) as anybody:
                    await anybody.snapshot(table["table_id"])

            async def press(number: int) -> tuple[int, str, bool]:
                async with cold((one, two)[number % 2].url) as browser:
                    answer = await press_join(browser, table, keys[number % 3], f"G{number % 3}")
                    while answer.status_code == 503:
                        answer = await press_join(browser, table, keys[number % 3])
                    sits = await can_play(browser, table["table_id"], "B")
                    return number % 3, answer.json().get("code", "seated"), sits

            ends = await asyncio.gather(*(press(number) for number in range(12)))
            seated = {guest for guest, code, _ in ends if code == "seated"}
            assert len(seated) == 1
            for guest, code, sits in ends:
                assert (code, sits) == (
                    ("seated", True) if guest in seated else ("seat_taken", False)
                )

    asyncio.run(play())


def test_a_join_that_was_stored_and_not_answered_is_made_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            table, key = await ann.open_table(), new_key()
            append = Store.append

            async def append_and_fail(store: Store, batch: Batch) -> None:
                await append(store, batch)
                raise StoreUnavailableError("the connection was lost")

            monkeypatch.setattr(Store, "append", append_and_fail)
            async with cold(server.url) as ben:
                assert (await press_join(ben, table, key)).status_code == 503
                monkeypatch.setattr(Store, "append", append)
                assert (await press_join(ben, table, key)).status_code == 200
                assert await can_play(ben, table["table_id"], "B")

    asyncio.run(play())


def test_a_table_is_opened_once(database: str, tmp_path: Path) -> None:
    async def play() -> None:
        settings, key = settings_for(tmp_path, database=database), new_key()
        async with running(settings) as server, Browser(server.url) as ann:
            wish = {"kind": "local", "name": "Ben"}
            first = await ann.open_table(wish, id=key)
            assert len({(await ann.open_table(wish))["table_id"] for _ in range(2)}) == 2
            async with cold(server.url) as again:
                second = await again.open_table(wish, id=key)
                assert {**second, "recovery": 0} == {**first, "recovery": 0}
                assert [link["seat"] for link in second["recovery"]] == ["A", "B"]
                for seat in "AB":
                    assert (await again.snapshot(first["table_id"], seat=seat))["viewer"] == seat
                token = second["recovery"][0]["url"].partition("#")[2]
                assert (await ann.post("/api/recover", {"token": token})).json()["seat"] == "A"
        async with running(settings) as server, cold(server.url) as later:
            third = await later.open_table(wish, id=key)
            assert third["table_id"] == first["table_id"]
            friend = {"kind": "friend"}
            key = new_key()
            opened = await asyncio.gather(*(later.open_table(friend, id=key) for _ in range(6)))
            assert len({table["table_id"] for table in opened}) == 1
            assert len({table["invite"]["code"] for table in opened}) == 1

    asyncio.run(play())


def test_old_clients_join_and_open_without_an_id(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            Browser(server.url) as ann,
            Browser(server.url) as ben,
        ):
            table = await ann.open_table()
            assert (await ben.join(table)).status_code == 200
            assert await can_play(ben, table["table_id"], "B")

    asyncio.run(play())
