"""The socket: order, repeats, tails, limits, and those who vanish."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from lostcities.server.limits import Rate
from server.serving import (
    UNLIMITED,
    Browser,
    Json,
    Running,
    finish_round,
    first_turn,
    make_turn,
    running,
    seated,
    settings_for,
)


def test_both_sides_are_told_of_a_turn_and_see_what_they_may(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            async with ann.socket(table_id) as a, ben.socket(table_id) as b:
                await a.until_snapshot(lambda shown: shown["status"] == "playing")
                await b.until_snapshot(lambda shown: shown["status"] == "playing")
                turn = first_turn(a.snapshot)
                done = await a.take_turn(turn)
                assert (done["type"], done["status"]) == ("done", "done")
                await b.until_snapshot(lambda shown: shown["last"] is not None)
                assert a.snapshot["last"]["turn"] == b.snapshot["last"]["turn"] == turn
                assert a.snapshot["last"]["drawn"] in a.snapshot["hand"]
                assert b.snapshot["last"]["drawn"] is None
                assert b.snapshot["to_move"] == "B"
                assert b.snapshot["version"] == a.snapshot["version"] == done["version"]

    asyncio.run(play())


def test_a_repeated_id_gets_the_first_answer_and_is_done_once(tmp_path: Path) -> None:
    """H-13: five in one burst, then from two connections at once, then after a restart."""

    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, ben, table_id):
            async with ann.socket(table_id) as one, ann.socket(table_id) as two:
                await one.until_snapshot(lambda shown: shown["status"] == "playing")
                await two.until_snapshot(lambda shown: shown["status"] == "playing")
                version, turn = one.snapshot["version"], first_turn(one.snapshot)
                for line in (one, one, one, one, one, two, two):
                    await line.send(type="turn", version=version, id="the-same-turn", turn=turn)
                answers = [await one.answer("the-same-turn") for _ in range(5)]
                answers += [await two.answer("the-same-turn") for _ in range(2)]
                assert [answer["type"] for answer in answers] == ["done"] * 7
                assert sorted(answer["status"] for answer in answers) == ["done"] + ["repeat"] * 6
                assert {answer["version"] for answer in answers} == {version + 1}
                other = next(legal for legal in one.snapshot["legal"] or ["-R2/D"])
                await one.send(type="turn", version=version + 1, id="the-same-turn", turn=other)
                refused = await one.answer("the-same-turn")
                assert refused["code"] == "id_reused"
            assert (await ben.snapshot(table_id))["deck"] == 43
            assert (await make_turn(ben, table_id)).status_code == 200
            body = {"version": version, "id": "the-same-turn", "turn": turn}
            answer = await ann.post(f"/api/tables/{table_id}/moves", body)
            assert answer.json() == {"status": "repeat", "version": version + 1}
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as again:
            again.http.cookies = ann.http.cookies
            answer = await again.post(f"/api/tables/{table_id}/moves", body)
            assert answer.json() == {"status": "repeat", "version": version + 1}

    asyncio.run(play())


def test_a_stale_turn_gets_the_current_view_and_the_reason(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            async with ann.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["status"] == "playing")
                turn, version = first_turn(line.snapshot), line.snapshot["version"]
                refused = await line.take_turn(turn, version=version - 1)
                assert (refused["type"], refused["code"]) == ("refused", "stale")
                assert refused["snapshot"]["version"] == version
                assert refused["snapshot"]["legal"]
                answer = await make_turn(ann, table_id, version=version - 1)
                assert (answer.status_code, answer.json()["code"]) == (409, "stale")
                assert answer.json()["snapshot"]["hand"] == line.snapshot["hand"]
                assert (await ben.snapshot(table_id))["version"] == version

    asyncio.run(play())


def test_a_second_tab_is_a_mirror(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            async with ann.socket(table_id) as one, ann.socket(table_id) as two:
                await one.until_snapshot(lambda shown: shown["status"] == "playing")
                await one.take_turn(first_turn(one.snapshot))
                await two.until_snapshot(lambda shown: shown["last"] is not None)
                assert one.snapshot == two.snapshot
                late = await two.take_turn(first_turn_of_hand(two.snapshot))
                assert late["code"] == "not_your_turn"
                assert (await ben.snapshot(table_id))["deck"] == 43

    asyncio.run(play())


def first_turn_of_hand(snapshot: Json) -> str:
    return f"-{snapshot['hand'][0]}/D"


def test_whoever_comes_back_gets_the_tail_or_the_whole(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            seen = (await ann.snapshot(table_id))["version"]
            for browser in (ann, ben, ann):
                await make_turn(browser, table_id)
            async with ann.socket(table_id, last=seen) as line:
                messages = [await line.receive() for _ in range(3)]
                assert [message["type"] for message in messages] == ["event"] * 3
                assert [message["version"] for message in messages] == [
                    seen + 1,
                    seen + 2,
                    seen + 3,
                ]
                assert [bool(message["snapshot"]) for message in messages] == [False, False, True]
                assert (await line.receive())["type"] == "presence"
            for last in (None, seen + 3, seen + 99, 0):
                async with ann.socket(table_id, last=last) as line:
                    first = await line.receive()
                    if last == 0:
                        assert (first["type"], first["version"]) == ("event", 1)
                    else:
                        assert first["type"] == "snapshot"
                        assert first["snapshot"]["version"] == seen + 3

    asyncio.run(play())


def test_a_reconnect_in_every_phase_shows_what_stands(tmp_path: Path) -> None:
    async def reconnect(browser: Browser, table_id: str, lasts: list[int]) -> Json:
        """Come back with every version that this browser ever had; all end on the same view."""
        shown = await browser.snapshot(table_id)
        lasts.append(shown["version"])
        for last in {None, *lasts}:
            async with browser.socket(table_id, last=last) as line:
                await line.until(lambda message: message["type"] == "presence")
                assert line.snapshot == shown | {"invite": line.snapshot["invite"]}
                versions = [message["version"] for message in line.events]
                assert versions == [] or versions == list(
                    range((last or 0) + 1, shown["version"] + 1)
                )
        return shown

    async def play() -> None:
        async with (
            running(settings_for(tmp_path, idle_seconds=0.0)) as server,
            Browser(server.url) as ann,
            Browser(server.url) as ben,
            Browser(server.url) as eve,
        ):
            table = await ann.open_table(rounds=2, starter="you")
            table_id, path = table["table_id"], f"/api/tables/{table['table_id']}"
            lasts: dict[Browser, list[int]] = {ann: [], ben: [], eve: []}

            async def everybody_comes_back(status: str) -> None:
                server.house.hub.forget_idle_rooms()  # the log alone must tell it all
                for browser, seen in lasts.items():
                    assert (await reconnect(browser, table_id, seen))["status"] == status

            await everybody_comes_back("waiting")
            await ann.post(f"{path}/ready")
            await everybody_comes_back("waiting")
            await ben.join(table)
            await everybody_comes_back("waiting")
            await ben.post(f"{path}/ready")
            await everybody_comes_back("playing")
            await make_turn(ann, table_id)
            await everybody_comes_back("playing")
            await finish_round({"A": ann, "B": ben}, table_id)
            await everybody_comes_back("round_over")
            await ben.post(f"{path}/ready")
            await everybody_comes_back("round_over")
            await ann.post(f"{path}/ready")
            await everybody_comes_back("playing")
            await finish_round({"A": ann, "B": ben}, table_id)
            await everybody_comes_back("match_over")
            await ben.post(f"{path}/rematch")
            await everybody_comes_back("match_over")
            await ann.post(f"{path}/rematch")
            await everybody_comes_back("match_over")

    asyncio.run(play())


def test_a_dead_connection_silences_nobody(tmp_path: Path) -> None:
    """H-16: one of four is cut at the level of the socket; the others hear the next turns."""

    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, ben, table_id):
            async with (
                ann.socket(table_id) as a,
                ben.socket(table_id) as b,
                Browser(server.url) as eve,
                eve.socket(table_id) as e,
                ben.socket(table_id) as dead,
            ):
                for line in (a, b, e, dead):
                    await line.until(lambda message: message["type"] == "presence")
                dead.connection.transport.abort()
                for line in (a, b, a):
                    await line.until_snapshot(lambda shown: shown["to_move"] == shown["viewer"])
                    await line.take_turn(first_turn(line.snapshot))
                await e.until_snapshot(lambda shown: shown["deck"] == 41)
                assert e.snapshot["hand"] is None
                await b.until_snapshot(lambda shown: shown["deck"] == 41)

    asyncio.run(play())


def test_presence_tells_who_is_there(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            async with ann.socket(table_id) as a:
                await a.until(lambda message: message["type"] == "presence")
                assert a.presence["seats"] == {"A": True, "B": False}
                async with ben.socket(table_id):
                    await a.until(lambda message: message["type"] == "presence")
                    assert a.presence["seats"] == {"A": True, "B": True}
                await a.until(lambda message: message["type"] == "presence")
                assert a.presence["seats"] == {"A": True, "B": False}

    asyncio.run(play())


def test_the_server_asks_and_drops_who_says_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, heartbeat_seconds=0.2)
        async with seated(settings) as (_, ann, _, table_id):
            async with ann.socket(table_id) as line:
                await line.until(lambda message: message["type"] == "ping")
                for _ in range(6):
                    await line.send(type="pong")
                    await line.until(lambda message: message["type"] == "ping")
                await line.send(type="ping")
                await line.until(lambda message: message["type"] == "pong")
                assert await line.until_closed() == 1013
                assert line.bye["code"] == "silent"

    asyncio.run(play())


async def open_line(server: Running) -> tuple[Browser, str]:
    browser = Browser(server.url)
    table = await browser.open_table({"kind": "local", "name": "Ben"})
    return browser, table["table_id"]


@pytest.mark.parametrize(
    ("messages", "close_code", "bye"),
    [
        (["{}"] * 12, 1008, "rubbish"),
        (["x" * 5000], 1009, "too_long"),
        (["x" * 50_000], 1009, None),
        ([json.dumps({"type": "ping"})] * 30, 1008, "too_fast"),
        ([b"bytes"], 1008, "not_text"),
    ],
)
def test_limits_close_with_a_reason(
    tmp_path: Path, messages: list[str | bytes], close_code: int, bye: str | None
) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, socket=Rate(5, 20))
        async with running(settings_for(tmp_path, limits=limits)) as server:
            browser, table_id = await open_line(server)
            async with browser, browser.socket(table_id) as line:
                for message in messages:
                    await line.connection.send(message)
                assert await line.until_closed() == close_code
                assert line.bye.get("code") == bye
                assert bye is None or line.bye["sentence"].startswith("expected")

    asyncio.run(play())


def test_a_hello_comes_first(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server:
            browser, table_id = await open_line(server)
            async with browser:
                async with browser.socket(table_id, hello=False) as line:
                    await line.send(type="ping")
                    assert await line.until_closed() == 1008
                    assert line.bye["code"] == "no_hello"
                async with browser.socket("0" * 32) as line:
                    assert await line.until_closed() == 1008
                    assert line.bye["code"] == "no_such_table"
                async with browser.socket(table_id, seat="C") as line:
                    assert await line.until_closed() == 1008
            async with Browser(server.url) as eve, eve.socket(table_id, seat="A") as line:
                assert await line.until_closed() == 1008
                assert line.bye["code"] == "not_your_seat"

    asyncio.run(play())


def test_rubbish_is_answered_and_the_talk_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server:
            browser, table_id = await open_line(server)
            async with browser, browser.socket(table_id, seat="A") as line:
                for rubbish in (
                    "",
                    "{",
                    "[]",
                    '{"type":"turn"}',
                    '{"type":"nothing"}',
                    '{"type":"turn","version":-1,"id":"a-good-id","turn":"R7/D"}',
                    '{"type":"ping","more":1}',
                ):
                    await line.connection.send(rubbish)
                    refused = await line.until(lambda message: message["type"] == "refused")
                    assert refused["code"] == "bad_message"
                await line.be_ready("ff")
                await line.until_snapshot(lambda shown: shown["status"] == "playing")

    asyncio.run(play())


def test_a_spectator_may_say_nothing_that_counts(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, _, table_id):
            async with Browser(server.url) as eve, eve.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["viewer"] is None)
                turn = first_turn(await ann.snapshot(table_id))
                for message in (
                    {"type": "turn", "version": 4, "turn": turn},
                    {"type": "ready"},
                    {"type": "resign"},
                    {"type": "rematch"},
                ):
                    name = uuid4().hex
                    await line.send(**message, id=name)
                    assert (await line.answer(name))["code"] == "no_seat"
                assert (await ann.snapshot(table_id))["deck"] == 44

    asyncio.run(play())


def test_a_reader_that_takes_nothing_is_dropped_and_the_others_go_on(tmp_path: Path) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, queue=8)
        settings = settings_for(tmp_path, limits=limits, heartbeat_seconds=1.0)
        async with seated(settings, rounds=5) as (server, ann, ben, table_id):
            async with Browser(server.url) as eve, eve.socket(table_id) as slow:
                slow.connection.transport.pause_reading()
                for _ in range(20_000):  # until all buffers on the way are full
                    await slow.send(type="hello", last=None)
                    if server.house.metrics.dropped._value.get():
                        break
                assert (await make_turn(ann, table_id)).status_code == 200
                assert (await make_turn(ben, table_id)).status_code == 200
                for _ in range(50):
                    if server.house.metrics.dropped._value.get():
                        break
                    await asyncio.sleep(0.1)
                assert server.house.metrics.dropped._value.get() == 1
                slow.connection.transport.abort()
            async with eve.socket(table_id, last=2) as again:
                await again.until_snapshot(lambda shown: shown["deck"] == 42)

    asyncio.run(play())


def test_a_restart_closes_with_1012_and_the_clients_go_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, ben, table_id):
            async with ann.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["status"] == "playing")
                stream = asyncio.create_task(ben.http.get(f"/api/tables/{table_id}/stream"))
                await asyncio.sleep(0.1)
                server.server.should_exit = True
                assert await line.until_closed() == 1012
                assert last_event((await stream).text) == {
                    "type": "bye",
                    "code": "restart",
                    "sentence": "the server restarts; come back in a moment",
                }
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as again:
            again.http.cookies = ann.http.cookies
            async with again.socket(table_id, last=line.snapshot["version"]) as back:
                await back.until_snapshot(lambda shown: shown["legal"])
                assert (await back.take_turn(first_turn(back.snapshot)))["type"] == "done"

    asyncio.run(play())


def last_event(text: str) -> Json:
    lines = [line for line in text.splitlines() if line.startswith("data: ")]
    event: Json = json.loads(lines[-1].removeprefix("data: "))
    return event


def test_a_stream_that_is_read_too_slowly_ends_with_the_reason(tmp_path: Path) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, queue=3)
        async with seated(settings_for(tmp_path, limits=limits)) as (server, ann, ben, table_id):
            for browser in (ann, ben, ann):
                assert (await make_turn(browser, table_id)).status_code == 200
            behind = {"Last-Event-ID": "1"}  # more has happened than may wait
            answer = await ben.http.get(f"/api/tables/{table_id}/stream", headers=behind)
            bye = last_event(answer.text)
            assert (bye["type"], bye["code"]) == ("bye", "slow_reader")
            assert bye["sentence"].startswith("you are too far behind")
            assert server.house.metrics.dropped._value.get() == 1
            assert not server.house.listeners

    asyncio.run(play())


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_server_gets_no_socket(tmp_path: Path, origin: str) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, _, table_id):
            url = f"{server.socket_url}/api/tables/{table_id}/socket"
            headers = {"Cookie": ann.cookies, "Origin": origin}
            with pytest.raises(InvalidStatus) as refused:
                async with connect(url, additional_headers=headers):
                    pass
            assert refused.value.response.status_code == 403
            headers["Origin"] = server.url
            async with connect(url, additional_headers=headers) as connection:
                await connection.send('{"type":"hello","last":null}')
                assert json.loads(await connection.recv())["snapshot"]["viewer"] == "A"

    asyncio.run(play())


def test_many_that_vanish_while_they_are_told_something_leave_no_trace(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (server, ann, _, table_id):
            url = f"{server.socket_url}/api/tables/{table_id}/socket"
            for _ in range(3):
                crowd = [await connect(url, max_queue=None) for _ in range(40)]
                for connection in crowd:
                    await connection.send('{"type":"hello","last":null}')
                    await connection.recv()
                for number, connection in enumerate(crowd):  # each hears of all who went before
                    if number % 2:
                        connection.transport.abort()
                    else:
                        await connection.close()
            async with ann.socket(table_id) as line:
                await line.until(lambda told: told["type"] == "presence" and not told["spectators"])

    asyncio.run(play())
    assert [record.message for record in caplog.records if record.name == "uvicorn.error"] == []
