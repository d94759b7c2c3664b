"""Those who listen at a table: a bounded queue each, so that nobody waits for a slow one."""

import asyncio
from collections import deque
from enum import StrEnum
from typing import Final

from lostcities.play import Viewer


class Loss(StrEnum):
    """Why a reader is sent away."""

    SLOW = "slow_reader"
    RESTART = "restart"

    @property
    def sentence(self) -> str:
        """What the reader is told."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    Loss.SLOW: "you are too far behind; come back for the current view",
    Loss.RESTART: "the server restarts; come back in a moment",
}


class Subscriber:
    """A reader of what happens at a table, as one viewer."""

    def __init__(self, viewer: Viewer, *, most: int) -> None:
        self.viewer = viewer
        self.loss: Loss | None = None
        self._most = most
        self._presence = ""
        self._messages: deque[tuple[int | None, str]] = deque()
        self._news = asyncio.Event()

    def offer(self, text: str, version: int | None = None) -> None:
        """Hand over a message without waiting; a reader that is too far behind is lost."""
        if self.loss is not None:
            return
        if len(self._messages) >= self._most:
            self.lose(Loss.SLOW)
            return
        self._messages.append((version, text))
        self._news.set()

    def offer_presence(self, text: str) -> None:
        """Say who is there, unless that has been said already."""
        if text != self._presence:
            self._presence = text
            self.offer(text)

    def lose(self, loss: Loss) -> None:
        """Have this reader come to its end."""
        self.loss = self.loss or loss
        self._messages.clear()
        self._news.set()

    async def next(self) -> tuple[int | None, str] | None:
        """Wait for a message and the version after it; None once this reader is lost."""
        while not self._messages:
            if self.loss is not None:
                return None
            self._news.clear()
            await self._news.wait()
        return self._messages.popleft()
