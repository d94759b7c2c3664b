"""Server-sent events: what happens at a table, for spectators and scripts."""

import asyncio
from collections.abc import AsyncIterator

from lostcities.play import Viewer
from lostcities.server.house import House
from lostcities.server.subscribers import Subscriber


async def stream_of(
    house: House, table_id: str, viewer: Viewer, last: int | None, *, address: str
) -> AsyncIterator[str]:
    """Yield what the viewer is told, until it goes or the server does."""
    subscriber = Subscriber(viewer, most=house.settings.limits.queue)
    with house.listening(address):
        async with house.hub.at(table_id) as room:
            await room.subscribe(subscriber, last=last)
            try:
                while True:
                    try:
                        async with asyncio.timeout(house.settings.heartbeat_seconds):
                            message = await subscriber.next()
                    except TimeoutError:
                        yield ": still here\n\n"
                        continue
                    if message is None:
                        return
                    version, text = message
                    yield (
                        f"data: {text}\n\n"
                        if version is None
                        else f"id: {version}\ndata: {text}\n\n"
                    )
            finally:
                room.unsubscribe(subscriber)
