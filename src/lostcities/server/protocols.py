"""What uvicorn leaves open to clients that never finish: heads, closings, pings, pieces without end."""

import asyncio
import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from lostcities.server.limits import Bucket, Rate

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as _Http
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
else:
    _Http = AutoHTTPProtocol

HEAD_SECONDS: Final = 10.0
"""How long the head of a request may take; its body has a time of its own."""
CLOSING_SECONDS: Final = 5.0
"""How long somebody may take to read a goodbye, before the line is cut."""
LONGEST_HEAD: Final = 32_768
"""Bytes; a hundred cookies of seats are a third of that."""
UNREAD_SECONDS: Final = 30.0
"""How long an answer may stay unread, while there is more of it than fits on the way."""
_PINGS: Final = Rate(5, 20)
_MOST_PIECES: Final = 64
"""Frames of one message; each is allowed to be empty."""


class HttpProtocol(_Http):
    """Requests, whose heads come in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 # what uvicorn hands over
        super().__init__(*args, **kwargs)
        self._head_timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        if not self._is_ours or not self._is_between_requests:
            self._stop_waiting()  # which would also keep all of this in memory beside a socket
            return
        self._wait_for_head()
        self._head_bytes += len(data)
        if self._head_bytes > LONGEST_HEAD:
            self._refuse(
                431, "too_long", f"expected a head of at most {LONGEST_HEAD} bytes, got more"
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        self._stop_counting()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give a reader that takes nothing some time."""
        super().pause_writing()
        self._unread_timer = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: it reads."""
        self._stop_counting()
        super().resume_writing()

    def _stop_counting(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    @property
    def _is_ours(self) -> bool:
        """Whether this has not become a socket."""
        return self.transport.get_protocol() is self

    @property
    def _is_between_requests(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first
        return cycle is None or cycle.response_complete

    def _wait_for_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        self._head_bytes = 0
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        """Hang up; say why, if somebody has begun to say something."""
        self._head_timer = None
        if not self._is_ours or not self._is_between_requests:
            return
        if self._head_bytes:
            self._refuse(
                408, "too_slow", f"expected a whole head within {HEAD_SECONDS:g} s, got a part"
            )
        else:
            self.transport.close()

    def _refuse(self, status: int, code: str, sentence: str) -> None:
        if self.transport.is_closing():
            return
        body = json.dumps({"code": code, "sentence": sentence})
        phrase = HTTPStatus(status).phrase
        self.transport.write(
            f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode()
        )
        self.transport.close()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Sockets that end when they are ended, and answer no more than is asked in earnest."""

    # Of the class, so that a socket which needs neither is no larger for them.
    _pings: Bucket | None = None
    _end_timer: asyncio.TimerHandle | None = None

    async def run_asgi(self) -> None:
        """Run the conversation; then cut the line if it is not let go."""
        await super().run_asgi()
        if not self.disconnected:
            self._end_timer = self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Have nothing more to cut."""
        if self._end_timer is not None:
            self._end_timer.cancel()
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer, if that is read; otherwise answers would pile up here."""
        if self._pings is None:
            self._pings = Bucket(_PINGS)
        if self._pings.take():
            self._fail(1008, "too many pings")
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Any) -> None:  # noqa: ANN401 # a frame, in uvicorn's words
        """Take a piece of a message, unless there are too many."""
        if len(self.frames) >= _MOST_PIECES:
            self._fail(1009, f"expected at most {_MOST_PIECES} pieces")
        else:
            super().handle_cont(event)

    def _fail(self, code: int, reason: str) -> None:
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(CLOSING_SECONDS, self.transport.abort)
