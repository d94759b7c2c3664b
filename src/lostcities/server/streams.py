"""Server-sent events: what happens at a table, for spectators and scripts."""

import asyncio
from collections.abc import AsyncIterator

from lostcities.play import Viewer
from lostcities.server import schema
from lostcities.server.house import House
from lostcities.server.store import StoreUnavailableError
from lostcities.server.subscribers import Loss, Subscriber

_STILL_HERE = ": still here\n\n"


async def stream_of(
    house: House, table_id: str, viewer: Viewer, last: int | None, *, address: str
) -> AsyncIterator[str]:
    """Yield what the viewer is told, until it goes or the server does; then why."""
    subscriber = Subscriber(viewer, most=house.settings.limits.queue)
    with house.listening(address):
        async with house.hub.at(table_id) as room:
            try:
                await room.subscribe(subscriber, last=last)
                while (
                    text := await _next(subscriber, house.settings.heartbeat_seconds)
                ) is not None:
                    yield text
            except StoreUnavailableError as error:
                yield _bye("storage", str(error))
                return
            finally:
                room.unsubscribe(subscriber)
        loss = subscriber.loss or Loss.RESTART
        if loss is Loss.SLOW:
            house.metrics.dropped.inc()
        yield _bye(loss.value, loss.sentence)


async def _next(subscriber: Subscriber, heartbeat: float) -> str | None:
    """Return the next event, or a sign of life if none comes for long; None after the last."""
    try:
        async with asyncio.timeout(heartbeat):
            message = await subscriber.next()
    except TimeoutError:
        return _STILL_HERE
    if message is None:
        return None
    version, text = message
    return _event(text) if version is None else f"id: {version}\n{_event(text)}"


def _bye(code: str, sentence: str) -> str:
    return _event(schema.ByeMessage(code=code, sentence=sentence).model_dump_json())


def _event(text: str) -> str:
    return f"data: {text}\n\n"
