"""The parts of a running server, and how they are put together and taken apart."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lostcities.agents.registry import LADDER, make_agent
from lostcities.agents.spec import EXTERNAL, AgentSpecError, parse_spec
from lostcities.server.access import Access
from lostcities.server.bots import BotPool
from lostcities.server.hub import Hub
from lostcities.server.limits import Limiter
from lostcities.server.metrics import Metrics
from lostcities.server.schema import AgentInfo
from lostcities.server.settings import Settings, SettingsError
from lostcities.server.static_files import StaticFiles
from lostcities.server.store import Store


class House:
    """Everything that a request may need."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.agents = offered_agents(settings.agents)
        self.store = Store(settings.database, on_commit=self.metrics.committed_in)
        self.bots = BotPool(
            settings.bot_processes, seconds=settings.bot_seconds, metrics=self.metrics
        )
        self.hub = Hub(self.store, self.bots, self.metrics, settings)
        self.access = Access(self.store)
        self.requests = Limiter(settings.limits.requests)
        self.pages = Limiter(settings.limits.pages)
        self.openings = Limiter(settings.limits.openings)
        self.guesses = Limiter(settings.limits.guesses)
        self.listeners: dict[str, int] = {}
        self.static = StaticFiles(settings.static)
        self.is_ready = False
        self.failure = ""

    def has_too_many_listeners(self, address: str) -> bool:
        """Return whether an address may open no more sockets and streams."""
        return self.listeners.get(address, 0) >= self.settings.limits.sockets_per_address

    @contextmanager
    def listening(self, address: str) -> Iterator[None]:
        """Count a socket or a stream of an address while it is open."""
        self.listeners[address] = self.listeners.get(address, 0) + 1
        self.metrics.sockets.inc()
        try:
            yield
        finally:
            self.metrics.sockets.dec()
            self.listeners[address] -= 1
            if not self.listeners[address]:
                del self.listeners[address]

    async def open(self) -> None:
        """Open the store and let people in.

        Raises:
            StoreError: If the store cannot be opened.
        """
        await self.store.open()
        warm = [spec for spec in self.agents if parse_spec(spec).name != EXTERNAL]
        self.bots.open(warm if self.settings.bots_warm else ())
        self.hub.open()
        self.is_ready = True

    async def close(self) -> None:
        """Let nobody in any more, and store what is still waiting."""
        self.is_ready = False
        await self.hub.close()
        await self.bots.close()
        await self.store.close()


def offered_agents(more: Iterable[str]) -> dict[str, AgentInfo]:
    """Return the agents that people can choose here, by spec.

    Args:
        more: Further ones as SPEC or NAME=SPEC, chosen by whoever runs the server.

    Raises:
        SettingsError: If one of them is none.
    """
    offered = {
        rung.spec: AgentInfo(
            spec=rung.spec,
            name=rung.name,
            level=number,
            word=rung.word,
            points=rung.points,
            colors=[5, 6],
        )
        for number, rung in enumerate(LADDER, start=1)
    }
    for text in more:
        name, spec = _split(text)
        try:
            make_agent(spec)  # some bring the kernel along; nobody else's start waits for it
        except AgentSpecError as error:
            raise SettingsError(f"cannot offer the agent {text[:60]!r}: {error}") from None
        offered[spec] = AgentInfo(
            spec=spec,
            name=name,
            level=None,
            word="offered by whoever runs this server",
            points=None,
            colors=[5, 6],
        )
    return offered


def _split(text: str) -> tuple[str, str]:
    """Return name and spec of NAME=SPEC; a spec has an equals sign behind its colon only."""
    name, equals, spec = text.partition("=")
    if not equals or ":" in name:
        return text.strip()[:24], text.strip()
    return name.strip()[:24], spec.strip()
