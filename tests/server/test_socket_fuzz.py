"""Hostile clients on the socket: whatever they send, they are told why it counts for nothing, briefly.

After each of them the other player makes a turn and hears of it, and the server has
no error in its log.
"""

import asyncio
import base64
import json
import os
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter
from websockets.exceptions import ConnectionClosed

from lostcities.server import protocols, schema
from lostcities.server.limits import Rate
from server.serving import (
    UNLIMITED,
    Browser,
    Json,
    Line,
    Running,
    first_turn,
    friends,
    running,
    settings_for,
)

SERVER_MESSAGE: TypeAdapter[schema.ServerMessage] = TypeAdapter(schema.ServerMessage)
LONGEST_REFUSAL = 600
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 0x1, 0x2, 0x0, 0x8, 0x9, 0xA


@pytest.fixture(autouse=True)
def no_error_is_logged(caplog: pytest.LogCaptureFixture) -> Any:  # noqa: ANN401 # a fixture
    yield
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


@asynccontextmanager
async def table_under_attack(
    folder: Path,
    **changes: Any,  # noqa: ANN401 # any setting
) -> AsyncIterator[tuple[Running, Browser, str]]:
    """Seat two; the body plays a hostile owner of seat A or a stranger. Then both go on playing."""
    async with running(settings_for(folder, **changes)) as server:
        async with friends(server) as (ann, ben, table_id):
            async with ben.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["status"] == "playing")
                listening = asyncio.create_task(listen(line))
                yield server, ann, table_id
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
                async with ann.socket(table_id) as own:
                    await own.until_snapshot(lambda shown: shown["legal"])
                    assert (await own.take_turn(first_turn(own.snapshot)))["type"] == "done"
                await line.until_snapshot(lambda shown: shown["legal"])
                assert (await line.take_turn(first_turn(line.snapshot)))["type"] == "done"
                assert not line.bye


async def listen(line: Line) -> None:
    """Hear everything, and say that somebody is here."""
    while True:
        if (await line.receive())["type"] == "ping":
            await line.send(type="pong")


# --- messages -------------------------------------------------------------------------------------

GOOD: tuple[Json, ...] = (
    {"type": "hello", "last": 3},
    {"type": "turn", "version": 4, "id": "0123456789", "turn": "R7/D"},
    {"type": "ready", "id": "0123456789", "entropy": "00"},
    {"type": "resign", "id": "0123456789"},
    {"type": "rematch", "id": "0123456789"},
    {"type": "ping"},
    {"type": "pong"},
)
ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    0.5,
    10**30,
    1e300,
    "",
    "x" * 500,
    "\x00",
    "\ud800",
    "\u202eR7/D",
    "R７/D",  # a digit of full width
    "-R7/D=G6",
    "<script>alert(1)</script>",
    "' or 1=1 --",
    [],
    {},
    [[[]]],
    {"a": {"b": {}}},
)
WHOLE = (
    "",
    " ",
    "null",
    "NaN",
    '"hello"',
    "[" * 2000,
    '{"a":' * 700,
    '{"type":"hello"} {"type":"hello"}',
    '{"type":"turn","version":4,"id":"0123456789","turn":"\\ud800"}',
    '{"\\ud800":1}',
    '{"type":"\\ud800"}',
    "\ufeff{}",
    "\x00",
    "🂡" * 900,
    '{"type":"ping"' + " " * 4000,
)


def mutated(rng: Random) -> str:
    """Return a message of which one part is not as it should be."""
    message = dict(rng.choice(GOOD))
    key = rng.choice(list(message))
    match rng.randrange(4):
        case 0:
            del message[key]
        case 1:
            message["more"] = rng.choice(ODD)
        case _:
            message[key] = rng.choice(ODD)
    is_escaped = rng.random() < 0.5 or "\ud800" in message.values()
    return json.dumps(message, ensure_ascii=is_escaped)


async def all_answers(line: Line) -> list[str]:
    """Return everything that the server says before it answers a ping."""
    first = len(line.heard)
    await line.send(type="ping")
    await line.until(lambda message: message["type"] == "pong")
    return line.heard[first:]


def check_answers(answers: list[str]) -> None:
    for text in answers:
        message = SERVER_MESSAGE.validate_json(text)
        if isinstance(message, schema.RefusedMessage):
            assert message.code
            assert message.sentence.startswith(("expected", "cannot", "you"))
            assert message.snapshot is not None or len(text) < LONGEST_REFUSAL, text


@pytest.mark.parametrize("seed", range(3))
def test_messages_that_are_nearly_right_are_refused_in_a_sentence(
    tmp_path: Path, seed: int
) -> None:
    async def play() -> None:
        rng = Random(seed)
        async with (
            table_under_attack(tmp_path) as (server, ann, table_id),
            Browser(server.url) as eve,
        ):
            for browser in (eve, eve, ann):
                async with browser.socket(table_id) as line:
                    for _ in range(8):  # ten that are none, and the line is closed
                        text = mutated(rng)
                        if browser is ann and json.loads(text).get("type") == "resign":
                            continue  # that would be right, and end the match
                        await line.connection.send(text)
                        check_answers(await all_answers(line))

    asyncio.run(play())


@pytest.mark.parametrize("text", WHOLE, ids=lambda text: repr(text[:18]))
def test_what_is_no_message_is_refused_and_the_talk_goes_on(tmp_path: Path, text: str) -> None:
    async def play() -> None:
        async with table_under_attack(tmp_path) as (_, ann, table_id):
            async with ann.socket(table_id) as line:
                await line.until(lambda message: message["type"] == "presence")
                await line.connection.send(text)
                refused = await line.until(lambda message: message["type"] != "presence")
                assert (refused["type"], refused["code"]) == ("refused", "bad_message")
                assert len(refused["sentence"]) < LONGEST_REFUSAL
                check_answers(await all_answers(line))

    asyncio.run(play())


def test_commands_at_the_wrong_time_or_for_the_wrong_seat_change_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with table_under_attack(tmp_path) as (server, ann, table_id):
            before = await ann.snapshot(table_id)
            turn, version = first_turn(before), before["version"]
            async with ann.socket(table_id) as line:
                for message, code in (
                    ({"type": "ready"}, "round_running"),
                    ({"type": "rematch"}, "match_running"),
                    ({"type": "turn", "version": version - 1, "turn": turn}, "stale"),
                    ({"type": "turn", "version": version + 1, "turn": turn}, "stale"),
                    ({"type": "turn", "version": version, "turn": "R7/D=G6"}, "bad_turn"),
                ):
                    await line.send(**message, id=f"wrong-{code}-0000")
                    refused = await line.answer(f"wrong-{code}-0000")
                    assert (refused["type"], refused["code"]) == ("refused", code)
            async with ann.socket(table_id, seat="B") as line:  # a seat of somebody else
                assert await line.until_closed() == 1008
                assert line.bye["code"] == "not_your_seat"
            async with Browser(server.url) as eve:  # cookies of another table
                other = await eve.open_table()
                name, value = eve.cookies.split("=")
                eve.http.cookies.set(name.replace(other["table_id"], table_id), value)
                async with eve.socket(table_id) as line:
                    shown = await line.until_snapshot(lambda _: True)
                    assert (shown["viewer"], shown["hand"]) == (None, None)
                async with eve.socket(table_id, seat="A") as line:
                    assert await line.until_closed() == 1008
            assert await ann.snapshot(table_id) == before

    asyncio.run(play())


def test_an_id_names_one_turn_of_one_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            friends(server) as (ann, ben, table_id),
            ann.socket(table_id) as a,
            ben.socket(table_id) as b,
        ):
            for line in (a, b):
                await line.until_snapshot(lambda shown: shown["status"] == "playing")
            turns, version = a.snapshot["legal"], a.snapshot["version"]
            assert (await a.take_turn(turns[0], name="the-only-one"))["status"] == "done"
            for turn in (turns[1], turns[-1]):  # the same id, another turn, then and now
                for seen in (version, version + 1):
                    again = await a.take_turn(turn, version=seen, name="the-only-one")
                    assert again["code"] == "id_reused"
            assert (await a.take_turn(turns[0], version=0, name="the-only-one"))["version"] == (
                version + 1
            )
            # The same id in the other seat is another command.
            await b.until_snapshot(lambda shown: shown["legal"])
            done = await b.take_turn(first_turn(b.snapshot), name="the-only-one")
            assert (done["type"], done["status"]) == ("done", "done")
            assert (await ann.snapshot(table_id))["deck"] == 42

    asyncio.run(play())


# --- frames ---------------------------------------------------------------------------------------


def frame(opcode: int, body: bytes = b"", *, first: int = 0x80, is_masked: bool = True) -> bytes:
    """Return a frame of a client; *first* holds the bits for the end and the reserved ones."""
    size = len(body)
    if size < 126:
        head = struct.pack(">BB", first | opcode, 0x80 * is_masked | size)
    else:
        head = struct.pack(">BBH", first | opcode, 0x80 * is_masked | 126, size)
    return head + (b"\0\0\0\0" if is_masked else b"") + body


HELLO = frame(TEXT, b'{"type":"hello","last":null}')
FRAMES: dict[str, bytes] = {
    "reserved bits": frame(TEXT, b"{}", first=0xF0),
    "reserved opcode": frame(0x3, b"{}"),
    "not masked": frame(TEXT, b"{}", is_masked=False),
    "a length of 2^63": b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0",
    "a length of 2^40": b"\x81\xff" + struct.pack(">Q", 2**40) + b"\0\0\0\0",
    "a control frame in pieces": frame(PING, first=0),
    "a long control frame": frame(PING, b"x" * 200),
    "not utf-8": frame(TEXT, b"\xff\xfe\xfd"),
    "half a character": frame(TEXT, b"\xe2\x82", first=0) + frame(CONTINUED, b"("),
    "a piece of nothing": frame(CONTINUED, b"{}"),
    "a message within a message": frame(TEXT, b"{", first=0) + frame(TEXT, b"}"),
    "too long in pieces": frame(TEXT, b"x" * 9000, first=0) + frame(CONTINUED, b"x" * 9000),
    "pieces without end": frame(TEXT, first=0) + frame(CONTINUED, first=0) * 5000,
    "a close without sense": frame(CLOSE, b"\x03"),
    "a close of a forbidden kind": frame(CLOSE, struct.pack(">H", 1005)),
    "a close, then more": frame(CLOSE, struct.pack(">H", 1000)) + HELLO * 50,
    "pings without end": frame(PING, b"x" * 100) * 5000,
    "bytes": frame(BINARY, b"\0" * 100),
    "another protocol": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 20,
    "noise": Random(1).randbytes(4000),
    "half a frame, then nothing": b"\x81\xfe\x01",
}


@asynccontextmanager
async def raw_line(
    server: Running, table_id: str, cookies: str = ""
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a socket without a library that would forbid anything."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /api/tables/{table_id}/socket HTTP/1.1\r\nHost: {host}:{port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        f"Sec-WebSocket-Version: 13\r\nCookie: {cookies}\r\n\r\n".encode()
    )
    try:
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        yield reader, writer
    finally:
        writer.transport.abort()


async def until_end(reader: asyncio.StreamReader, seconds: float) -> bytes:
    """Return what comes until the other side hangs up.

    Raises:
        TimeoutError: If it does not.
    """
    heard = bytearray()
    async with asyncio.timeout(seconds):
        with suppress(ConnectionError):
            while part := await reader.read(65_536):
                heard += part
    return bytes(heard)


@pytest.mark.parametrize("name", FRAMES)
def test_frames_that_break_the_protocol_end_the_line_and_nothing_else(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "CLOSING_SECONDS", 0.5)

    async def play() -> None:
        changes = {"heartbeat_seconds": 0.4}  # so that silence ends a line soon as well
        async with table_under_attack(tmp_path, **changes) as (server, ann, table_id):
            async with raw_line(server, table_id, ann.cookies) as (reader, writer):
                writer.write(HELLO)
                await reader.readexactly(2)  # it is heard
                with suppress(ConnectionError):
                    writer.write(FRAMES[name])
                    await writer.drain()
                heard = await until_end(reader, 10)
                assert b"Traceback" not in heard

    asyncio.run(quiet_others(play))


async def quiet_others(play: Callable[[], Awaitable[None]]) -> None:
    await asyncio.wait_for(play(), 60)


def open_sockets(server: Running) -> list[object]:
    connections = server.server.server_state.connections
    return [each for each in connections if isinstance(each, protocols.SocketProtocol)]


def test_a_line_that_is_not_read_is_cut_after_the_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "CLOSING_SECONDS", 0.5)

    async def play() -> None:
        limits = replace(UNLIMITED, queue=4)
        changes: Json = {"limits": limits, "heartbeat_seconds": 0.5}
        async with table_under_attack(tmp_path, **changes) as (server, _, table_id):
            async with raw_line(server, table_id) as (_, writer):
                hellos = HELLO * 50
                with suppress(ConnectionError, TimeoutError):
                    async with asyncio.timeout(10):
                        while not writer.transport.is_closing():
                            writer.write(hellos)
                            await writer.drain()
                            await asyncio.sleep(0)
                for _ in range(100):
                    if len(open_sockets(server)) == 1:  # Ben's
                        break
                    await asyncio.sleep(0.1)
                assert len(open_sockets(server)) == 1

    asyncio.run(play())


def test_a_flood_is_ended_with_a_reason_and_delays_nobody(tmp_path: Path) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, socket=Rate(20, 40))
        async with table_under_attack(tmp_path, limits=limits) as (server, _, table_id):

            async def flood(message: Json) -> tuple[int, str]:
                async with Browser(server.url) as eve, eve.socket(table_id) as line:
                    with suppress(ConnectionClosed):
                        for _ in range(200):
                            await line.send(**message)
                    return await line.until_closed(), line.bye["code"]

            ends = await asyncio.gather(*(flood(GOOD[number % 7]) for number in range(21)))
            assert set(ends) == {(1008, "too_fast")}

    asyncio.run(play())


def test_a_crowd_that_comes_and_goes_drives_nobody_away(tmp_path: Path) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, queue=8)
        async with table_under_attack(tmp_path, limits=limits) as (server, _, table_id):
            for _ in range(3):
                lines = [raw_line(server, table_id) for _ in range(60)]
                for line in lines:
                    _, writer = await line.__aenter__()
                    writer.write(HELLO)
                for line in lines:
                    await line.__aexit__(None, None, None)

    asyncio.run(play())
