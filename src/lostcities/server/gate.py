"""What every request goes through, as plain ASGI: counted, limited, checked, and answered safely."""

import asyncio
import json
import re
import time
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lostcities.server.house import House
from lostcities.server.logs import logger
from lostcities.server.schema import LONGEST_MESSAGE, ByeMessage

_READING: Final = ("GET", "HEAD", "OPTIONS")
_OWN_HEADER: Final = "lostcities"
_SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Nothing from third parties; no address of ours, which may be an invite, told to others."""
_THIS_MACHINE: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?")
_UNLIMITED: Final = ("/healthz", "/readyz", "/metrics")
_WORK: Final = ("/api", "/docs", "/openapi.json")
"""What is more than a file of the client."""
_TOO_LONG: Final = f"expected at most {LONGEST_MESSAGE} bytes, got more"
_BODY_SECONDS: Final = 10.0
_TRY_LATER: Final = 1013
_TOO_SLOW: Final = f"expected the whole message within {_BODY_SECONDS:g} s, got a part of it"
_log = logger("http")


class Gate:
    """Lets in what may come in."""

    def __init__(self, app: ASGIApp, house: House, sockets: ASGIApp) -> None:
        self._app = app
        self._sockets = sockets
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._let_in_socket(scope, receive, send)
        else:
            await self._let_in_request(scope, receive, send)

    # --- sockets ------------------------------------------------------------------------------

    async def _let_in_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        house, address = self._house, address_of(scope)
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is not None and not is_own_origin(origin, scope, house.settings.base_url):
            await _reject_socket(
                send, 403, "foreign_origin", "expected a page of this server, got one of another"
            )
            return
        if house.has_too_many_listeners(address):
            most = house.settings.limits.sockets_per_address
            sentence = f"expected at most {most} sockets from one address, got more"
            bye = ByeMessage(code="too_many_sockets", sentence=sentence)
            await _turn_away_socket(receive, send, bye)
            return
        with house.listening(address):
            await self._sockets(scope, receive, send)

    # --- requests -----------------------------------------------------------------------------

    async def _let_in_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = time.perf_counter()
        answer = _Answer(send, is_https=scope["scheme"] == "https")
        refusal = self._reason_against(scope)
        if refusal is not None:
            await answer.refuse(*refusal)
        else:
            await self._app(scope, _bounded(receive), answer.send)
        self._count(scope, answer.status, time.perf_counter() - start)

    def _reason_against(self, scope: Scope) -> tuple[int, str, str, int] | None:
        """Return status, code, sentence, and seconds to wait."""
        house = self._house
        if wait := self._seconds_to_wait(scope):
            return 429, "too_many_requests", f"too many requests: try again in {wait} s", wait
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > LONGEST_MESSAGE:
            return 413, "too_long", _TOO_LONG, 0
        if scope["method"] in _READING:
            return None
        origin = headers.get("origin")
        if origin is None:
            is_own = headers.get("x-requested-with") == _OWN_HEADER
        else:
            is_own = is_own_origin(origin, scope, house.settings.base_url)
        if is_own:
            return None
        return (
            403,
            "foreign_origin",
            (
                "expected a page of this server, or the header 'X-Requested-With: lostcities', "
                "got neither"
            ),
            0,
        )

    def _seconds_to_wait(self, scope: Scope) -> int:
        """Take a token, unless the request is free: files have their own, for a page needs several."""
        path = scope["path"]
        if path in _UNLIMITED:
            return 0
        limiter = self._house.requests if path.startswith(_WORK) else self._house.pages
        return limiter.take(address_of(scope))

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._house.metrics.requests.labels(method, route, status).inc()
        _log.debug(
            "request", method=method, route=route, status=status, ms=round(seconds * 1000, 1)
        )


_METHODS: Final = (*_READING, "POST", "PUT", "PATCH", "DELETE")


def _bounded(receive: Receive) -> Receive:
    """Return the way to a body that ends where nobody has more to say, and in time."""
    size, is_whole = 0, False
    end = asyncio.get_running_loop().time() + _BODY_SECONDS

    async def receive_bounded() -> Message:
        nonlocal size, is_whole
        if is_whole:  # what comes now is that somebody went, and may come whenever it likes
            return await receive()
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, _TOO_SLOW) from None
        size += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if size > LONGEST_MESSAGE:
            raise HTTPException(413, _TOO_LONG)
        return message

    return receive_bounded


class _Answer:
    """What is sent back, with the headers that keep browsers safe."""

    def __init__(self, send: Send, *, is_https: bool) -> None:
        self.status = 0
        self._send = send
        self._is_https = is_https

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if self._is_https:
                headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    async def refuse(self, status: int, code: str, sentence: str, wait: int) -> None:
        if self.status:
            return
        headers = [(b"retry-after", str(wait).encode())] if wait else []
        await self.send(_start(status, headers))
        await self.send({"type": "http.response.body", "body": _problem(code, sentence)})


def _start(status: int, more: Iterable[tuple[bytes, bytes]] = ()) -> Message:
    headers = [(b"content-type", b"application/json"), *more]
    return {"type": "http.response.start", "status": status, "headers": headers}


def _problem(code: str, sentence: str) -> bytes:
    return json.dumps({"code": code, "sentence": sentence}).encode()


async def _reject_socket(send: Send, status: int, code: str, sentence: str) -> None:
    start = _start(status)
    await send({**start, "type": "websocket.http.response.start"})
    body = _problem(code, sentence)
    await send({"type": "websocket.http.response.body", "body": body})


async def _turn_away_socket(receive: Receive, send: Send, bye: ByeMessage) -> None:
    """Say why and hang up: of a handshake that is refused, a page is told nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": bye.model_dump_json()})
    await send({"type": "websocket.close", "code": _TRY_LATER, "reason": bye.code})


def address_of(scope: Scope) -> str:
    """Return the address that a limit counts for: of IPv6 the network, of which each side has many."""
    host = str((scope.get("client") or ("unknown",))[0])
    return _network_of(host) if ":" in host else host


@lru_cache(10_000)
def _network_of(host: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError:  # a proxy may say anything
        return host
    return str(address.ipv4_mapped or IPv6Network((int(address), 64), strict=False))


def is_own_origin(origin: str, scope: Scope, base_url: str) -> bool:
    """Return whether a page of this server sent the request."""
    if base_url and origin == _origin_of(base_url):
        return True
    host = Headers(scope=scope).get("host", "")
    if base_url and not _THIS_MACHINE.fullmatch(host):
        return False  # whoever named the server said under which name it is reached
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    return origin == f"{scheme}://{host}"


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
