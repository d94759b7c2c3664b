"""The socket of a table: a hello, then commands one way and what happens the other way."""

import asyncio
import contextlib
import secrets
import time
from typing import Final, NoReturn, assert_never

from fastapi import WebSocket
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from lostcities.play import (
    Action,
    Command,
    OfferRematch,
    Ready,
    Resign,
    TableRefusalCode,
    Viewer,
)
from lostcities.server import schema
from lostcities.server.errors import ApiError, first_problem, where
from lostcities.server.house import House
from lostcities.server.hub import Answer, NoSuchTableError, Room
from lostcities.server.limits import Bucket
from lostcities.server.logs import logger
from lostcities.server.routes import action_of_turn, viewer_of
from lostcities.server.store import StoreUnavailableError
from lostcities.server.subscribers import Loss, Subscriber

_HELLO_SECONDS: Final = 10.0
_CLOSING_SECONDS: Final = 1.0
_SILENT_HEARTBEATS: Final = 3
_MOST_RUBBISH: Final = 10
"""Messages that are none, before a socket is closed."""
_NOT_ALLOWED, _TOO_LONG, _RESTART, _LATER, _FAILED = 1008, 1009, 1012, 1013, 1011
_CLOSE_CODES: Final = {Loss.SLOW: _LATER, Loss.RESTART: _RESTART}
_log = logger("socket")
_PING: Final = schema.PingMessage().model_dump_json()
_CLIENT_MESSAGE: Final[TypeAdapter[schema.ClientMessage]] = TypeAdapter(schema.ClientMessage)


class _Goodbye(Exception):  # noqa: N818 # the way out of a conversation
    """The server closes the socket, with a reason."""

    def __init__(self, close_code: int, code: str, sentence: str) -> None:
        super().__init__(code)
        self.close_code = close_code
        self.bye = schema.ByeMessage(code=code, sentence=sentence)


async def serve_socket(socket: WebSocket, house: House, table_id: str, seat: str | None) -> None:
    """Talk with one client until one side goes."""
    await socket.accept()
    try:
        async with house.hub.at(table_id) as room:
            await _Conversation(socket, house, room).hold(seat)
    except _Goodbye as goodbye:
        await _say_goodbye(socket, goodbye)
    except ApiError as error:
        problem = error.problem
        await _say_goodbye(socket, _Goodbye(_NOT_ALLOWED, problem.code, problem.sentence))
    except NoSuchTableError as error:
        await _say_goodbye(socket, _Goodbye(_NOT_ALLOWED, "no_such_table", str(error)))
    except StoreUnavailableError as error:
        await _say_goodbye(socket, _Goodbye(_LATER, "storage", str(error)))
    except WebSocketDisconnect:
        pass
    except Exception as error:  # noqa: BLE001 # whatever it is, it is said to nobody but by its kind
        _log.error("a socket failed", kind=type(error).__name__, where=where(error))
        sentence = "something is wrong with this table"
        await _say_goodbye(socket, _Goodbye(_FAILED, "internal", sentence))


async def _say_goodbye(socket: WebSocket, goodbye: _Goodbye) -> None:
    """Say why and close; a reader that takes nothing more is left alone."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(_CLOSING_SECONDS):
            await socket.send_text(goodbye.bye.model_dump_json())
            await socket.close(goodbye.close_code, goodbye.bye.code)


class _Conversation:
    """One socket at one table."""

    def __init__(self, socket: WebSocket, house: House, room: Room) -> None:
        self._socket = socket
        self._house = house
        self._room = room
        self._bucket = Bucket(house.settings.limits.socket)
        self._last_heard = time.monotonic()
        self._num_rubbish = 0

    async def hold(self, seat: str | None) -> None:
        """Greet, then read and write until one of both ends."""
        if seat not in (None, "A", "B", "none"):
            raise _Goodbye(_NOT_ALLOWED, "bad_request", "expected seat A, B or none, got another")
        live = await self._room.live()
        cookies = self._socket.headers.get("cookie", "")
        viewer = await viewer_of(self._house, live, cookies, seat)  # type: ignore[arg-type] # checked above
        last = await self._wait_for_hello()
        subscriber = Subscriber(viewer, most=self._house.settings.limits.queue)
        await self._room.subscribe(subscriber, last=last)
        try:
            await self._talk(subscriber)
        finally:
            self._room.unsubscribe(subscriber)

    async def _wait_for_hello(self) -> int | None:
        try:
            async with asyncio.timeout(_HELLO_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise _Goodbye(
                _NOT_ALLOWED,
                "no_hello",
                f"expected a hello within {_HELLO_SECONDS:.0f} s, got none",
            ) from None
        if not isinstance(message, schema.HelloMessage):
            raise _Goodbye(_NOT_ALLOWED, "no_hello", "expected a hello first, got something else")
        return message.last

    async def _talk(self, subscriber: Subscriber) -> None:
        """Read here and write in a task of its own, until one of both ends."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._write(subscriber))
                await self._read(subscriber)
        except BaseExceptionGroup as ends:
            raise ends.exceptions[0] from None  # if both ended at once, one reason is enough

    # --- writing ------------------------------------------------------------------------------

    async def _write(self, subscriber: Subscriber) -> None:
        while True:
            # Nothing is kept in a name here: it would stay until the next message, on every socket.
            await self._send(await self._next_text(subscriber))

    async def _next_text(self, subscriber: Subscriber) -> str:
        """Wait for a message; ask whether somebody is there if none comes for long."""
        heartbeat = self._house.settings.heartbeat_seconds
        try:
            async with asyncio.timeout(heartbeat):
                message = await subscriber.next()
        except TimeoutError:
            if time.monotonic() - self._last_heard > _SILENT_HEARTBEATS * heartbeat:
                raise _Goodbye(
                    _LATER, "silent", "nothing was heard from you; come back when you can"
                ) from None
            return _PING
        if message is None:
            self._raise_loss(subscriber.loss or Loss.RESTART)
        return message[1]

    async def _send(self, text: str) -> None:
        """Send a message; whoever takes none for too long is dropped."""
        try:
            async with asyncio.timeout(self._house.settings.heartbeat_seconds):
                await self._socket.send_text(text)
        except TimeoutError:
            self._raise_loss(Loss.SLOW)

    def _raise_loss(self, loss: Loss) -> NoReturn:
        if loss is Loss.SLOW:
            self._house.metrics.dropped.inc()
        raise _Goodbye(_CLOSE_CODES[loss], loss.value, loss.sentence)

    # --- reading ------------------------------------------------------------------------------

    async def _receive(self) -> schema.ClientMessage | None:
        """Return the next message, None if it was none; that has been answered then.

        Raises:
            _Goodbye: If a limit is passed.
        """
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1005))
        self._last_heard = time.monotonic()
        rate = self._house.settings.limits.socket
        if self._bucket.take():
            raise _Goodbye(
                _NOT_ALLOWED,
                "too_fast",
                f"expected at most {rate.per_second:g} messages a second, got more",
            )
        text = received.get("text")
        if text is None:
            raise _Goodbye(_NOT_ALLOWED, "not_text", "expected text, got bytes")
        if len(text.encode("utf-8", "surrogatepass")) > schema.LONGEST_MESSAGE:
            raise _Goodbye(
                _TOO_LONG, "too_long", f"expected at most {schema.LONGEST_MESSAGE} bytes, got more"
            )
        try:
            return _CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            await self._answer_rubbish(first_problem(error))
            return None

    async def _answer_rubbish(self, sentence: str) -> None:
        self._num_rubbish += 1
        if self._num_rubbish > _MOST_RUBBISH:
            raise _Goodbye(
                _NOT_ALLOWED, "rubbish", f"expected messages, got {self._num_rubbish} that are none"
            )
        refused = schema.RefusedMessage(
            id=None, code="bad_message", sentence=sentence, version=0, snapshot=None
        )
        await self._socket.send_text(refused.model_dump_json())

    async def _read(self, subscriber: Subscriber) -> None:
        while True:
            message = await self._receive()
            match message:
                case None | schema.PongMessage():
                    pass
                case schema.PingMessage():
                    subscriber.offer(schema.PongMessage().model_dump_json())
                case schema.HelloMessage():
                    await self._resync(subscriber)
                case schema.TurnMessage():
                    await self._take_turn(subscriber, message)
                case schema.ReadyMessage():
                    entropy = bytes.fromhex(message.entropy)
                    await self._act(subscriber, message.id, Ready(entropy))
                case schema.ResignMessage():
                    await self._act(subscriber, message.id, Resign())
                case schema.RematchMessage():
                    await self._act(subscriber, message.id, OfferRematch())
                case _:
                    assert_never(message)

    async def _resync(self, subscriber: Subscriber) -> None:
        live = await self._room.live()
        snapshot = self._room.snapshot(live, subscriber.viewer)
        text = schema.SnapshotMessage(snapshot=snapshot).model_dump_json()
        subscriber.offer(text, snapshot.version)

    async def _take_turn(self, subscriber: Subscriber, message: schema.TurnMessage) -> None:
        try:
            action = action_of_turn(message.turn)
        except ApiError as error:
            live = await self._room.live()
            refused = schema.RefusedMessage(
                id=message.id,
                code=error.problem.code,
                sentence=error.problem.sentence,
                version=live.version(subscriber.viewer),
                snapshot=None,
            )
            subscriber.offer(refused.model_dump_json())
            return
        await self._act(subscriber, message.id, action, seen=message.version)

    async def _act(
        self,
        subscriber: Subscriber,
        command_id: str | None,
        action: Action,
        *,
        seen: int | None = None,
    ) -> None:
        viewer: Viewer = subscriber.viewer
        live = await self._room.live()
        version = live.version(viewer)
        if viewer is None:
            subscriber.offer(
                _refused(command_id, "no_seat", "cannot do that: you have no seat here", version)
            )
            return
        name = command_id or secrets.token_hex(8)
        command = Command(name, viewer, version if seen is None else seen, action)
        try:
            answer = await self._room.act(command)
        except StoreUnavailableError as error:
            subscriber.offer(_refused(command_id, "storage", str(error), version))
            return
        subscriber.offer(_answer_text(command_id, answer))


def _refused(command_id: str | None, code: str, sentence: str, version: int) -> str:
    return schema.RefusedMessage(
        id=command_id, code=code, sentence=sentence, version=version, snapshot=None
    ).model_dump_json()


def _answer_text(command_id: str | None, answer: Answer) -> str:
    if answer.refusal is None:
        return schema.DoneMessage(
            id=command_id,
            status="repeat" if answer.status == "repeat" else "done",
            version=answer.version,
        ).model_dump_json()
    is_stale = answer.refusal.code is TableRefusalCode.STALE
    return schema.RefusedMessage(
        id=command_id,
        code=answer.refusal.code.value,
        sentence=answer.refusal.sentence,
        version=answer.version,
        snapshot=answer.snapshot if is_stale else None,
    ).model_dump_json()
