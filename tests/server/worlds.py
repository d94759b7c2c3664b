"""Matches planned turn by turn, twin deals for them, and people who watch on every way there is."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Self

from lostcities.notation import format_turn
from lostcities.play import Stage, Viewer
from lostcities.rules import Cards, Seat, Turn, Variant
from play.slots import Slots
from play.tables import Session, random_turn
from server.serving import Browser, Json, Line, Running

ASKED_FOR = ("R7", "B5", "Yx", "WT", "P2")
REVEALED = '"kind":"secret_revealed"'
_PRESENCE = '"type":"presence"'
"""Comes when it comes; who is there is the same in both worlds."""
_TAIL, _WHOLE = 3, 8
"""After which turns people come back: with the last number that they have, and with nothing."""
OnTurn = Callable[[Seat, Turn], None]
_VERSION = re.compile(r"id: (\d+)")


@dataclass(frozen=True)
class Round:
    """A deal, a second one that the viewer cannot tell from it, and the turns."""

    deals: tuple[Cards, Cards]
    starter: Seat
    turns: tuple[Turn, ...]


class MatchPlan:
    """A match for a viewer: its rounds, played at random."""

    def __init__(
        self, viewer: Viewer, variant: Variant, rng: Random, *num_turns: int, starter: Seat = 0
    ) -> None:
        """Plan rounds of so many turns each, or until they end; A is to move then."""
        self.variant = variant
        session = Session(variant, first_starter=starter)
        self.rounds = [self._round(session, viewer, rng, number) for number in num_turns]

    def _round(self, session: Session, viewer: Viewer, rng: Random, num_turns: int) -> Round:
        cards = list(self.variant.deck)
        rng.shuffle(cards)
        session.start_round_with(tuple(cards))
        first = session.position.standing.starter
        slots = Slots(tuple(cards), self.variant, first)
        turns: list[Turn] = []
        while session.table.state.stage is Stage.PLAYING and (
            len(turns) < num_turns or session.mover != 0
        ):
            turn = random_turn(session.position, rng)
            slots.make(session.mover, turn)
            session.turn(turn)
            turns.append(turn)
        return Round((tuple(cards), slots.twin_deal(viewer, rng)), first, tuple(turns))

    def deals(self, world: int) -> list[Cards]:
        """Return the deals of one of the two worlds."""
        return [one.deals[world] for one in self.rounds]


class Watcher:
    """Somebody who listens on a socket and on a stream, and asks for everything."""

    def __init__(self, browser: Browser, table_id: str, code: str) -> None:
        self.browser = browser
        self.table_id = table_id
        self.line: Line
        self.streamed: list[str] = []
        self._code = code
        self._streamed_version = 0
        self._stack = AsyncExitStack()
        self._stream: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.come()
        self._stream = asyncio.create_task(self._read_stream())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.go()
        if self._stream is not None:
            self._stream.cancel()
            await asyncio.gather(self._stream, return_exceptions=True)

    async def come(self, last: int | None = None) -> None:
        """Open a socket, with the last version that is known."""
        self.line = await self._stack.enter_async_context(
            self.browser.socket(self.table_id, last=last)
        )

    async def go(self) -> None:
        """Close the socket."""
        await self._stack.aclose()

    async def _read_stream(self) -> None:
        path = f"/api/tables/{self.table_id}/stream"
        async with self.browser.http.stream("GET", path, timeout=None) as answer:
            async for text in answer.aiter_lines():
                if found := _VERSION.fullmatch(text):
                    self._streamed_version = int(found[1])
                if text.startswith(("id: ", "data: ")) and _PRESENCE not in text:
                    self.streamed.append(text)

    async def hear(self, version: int) -> None:
        """Wait until both ways have told of a version."""
        while self.line.snapshot.get("version", -1) < version:
            await self.line.receive()
        async with asyncio.timeout(20):
            while self._streamed_version < version or not self.streamed[-1].startswith("data"):
                await asyncio.sleep(0.001)

    async def look(self) -> None:
        """Ask for all that can be asked for, and for what is not granted."""
        path = f"/api/tables/{self.table_id}"
        for what in ("", "/events", "/events?after=2", "/record", "/verify", "/replay"):
            answer = await self.browser.get(f"{path}{what}")
            self.browser.heard.append(f"{what} {answer.status_code} {len(answer.content)}")
        for what in ("/api/tables", f"/api/invites/{self._code}", "/api/agents"):
            await self.browser.get(what)
        own = {"seat": self.line.snapshot["viewer"]} if self.line.snapshot["viewer"] else {}
        assert (await self.browser.post(f"{path}/recovery", own)).status_code in (200, 403)
        other = {"seat": "B" if self.line.snapshot["viewer"] == "A" else "A"}
        assert (await self.browser.post(f"{path}/resign", other)).status_code == 403
        if self.line.snapshot["status"] == "playing":
            await self._ask_for_what_is_refused(path)

    async def _ask_for_what_is_refused(self, path: str) -> None:
        """Ask for cards of another hand, by an old version, at a wrong moment."""
        own, version = self.line.snapshot["hand"] or [], self.line.snapshot["version"]
        strange = [card for card in ASKED_FOR if card not in own]
        turns = [(f"{card}/D", version) for card in strange] + [(f"-{ASKED_FOR[0]}/Y", 0), ("?", 0)]
        for turn, seen in turns:
            body = {"id": "a-wish-to-refuse", "turn": turn, "version": seen}
            assert (await self.browser.post(f"{path}/moves", body)).status_code in (403, 409, 422)
        for what in ("/ready", "/rematch"):
            await self.browser.post(f"{path}{what}", {"id": "a-wish-to-refuse"})

    @property
    def heard(self) -> list[str]:
        """All that was heard, but for the times of day and who is there."""
        return [_without_times(text) for text in self.browser.heard if _PRESENCE not in text]


def _without_times(text: str) -> str:
    return re.sub(r'"updated":"[^"]*"', "", text)


@dataclass
class Transcript:
    """What was heard before the difference became public, and afterwards."""

    before: list[str]
    after: list[str]


def transcript_of(watcher: Watcher) -> Transcript:
    """Cut what was heard on all ways where the secret was told."""
    parts = [_cut(watcher.heard), _cut(watcher.streamed)]
    return Transcript(
        [text for before, _ in parts for text in before],
        [text for _, after in parts for text in after],
    )


def _cut(texts: list[str]) -> tuple[list[str], list[str]]:
    place = next((n for n, text in enumerate(texts) if REVEALED in text), len(texts))
    return texts[:place], texts[place:]


class Evening:
    """A table with everybody who is at it, and the way through a plan."""

    def __init__(
        self, watchers: list[Watcher], *, computer: Seat | None = None, look_every: int = 29
    ) -> None:
        """Seat them.

        Args:
            watchers: Seat A, seat B unless the computer has it, and a spectator.
            computer: The seat whose turns come by themselves.
            look_every: After how many turns everybody asks for everything.
        """
        self.watchers = watchers
        self._computer = computer
        self._look_every = look_every

        self.version = 1

    async def be_ready(self, round_number: int) -> None:
        """Start a round."""
        for watcher in self.watchers[: 1 if self._computer else 2]:
            await watcher.line.send(type="ready", id=f"i-am-ready-{round_number}", entropy="")
            await watcher.line.answer(f"i-am-ready-{round_number}")
        self.version += 3  # twice ready, and the round has started
        await self.hear()

    async def hear(self) -> None:
        """Have everybody hear of all that has happened."""
        for watcher in self.watchers:
            await watcher.hear(self.version)

    async def look(self) -> None:
        """Have everybody ask for everything."""
        for watcher in self.watchers:
            await watcher.look()

    async def play(
        self, one: Round, *, is_last: bool = False, on_turn: OnTurn = lambda *_: None
    ) -> None:
        """Make the turns of a round; now and then look, leave and come back."""
        for number, turn in enumerate(one.turns):
            mover: Seat = (one.starter + number) % 2
            await self._turn_and_return(mover, turn, number)
            on_turn(mover, turn)
            is_end = is_last and number == len(one.turns) - 1
            if not is_end and self._is_time_to_look(mover, number % self._look_every):
                await self.look()
        version: int = self.watchers[0].line.snapshot["version"]
        self.version = version
        await self.hear()

    def _is_time_to_look(self, mover: Seat, place: int) -> bool:
        """Look now and then; at a computer's table when it is A's turn, so that nothing happens meanwhile."""
        return place == 0 if self._computer is None else place < 2 and mover == self._computer

    async def _turn_and_return(self, mover: Seat, turn: Turn, number: int) -> None:
        """Make a turn; in some of them all but the mover lose the line and come back."""
        place = number % self._look_every
        known = self.version if place == _TAIL else None
        leaves = place in (_TAIL, _WHOLE) and self._computer is None
        others = [one for seat, one in enumerate(self.watchers) if seat != mover and leaves]
        if place == _WHOLE and mover == 0 and self._computer is not None:
            others = self.watchers  # nothing happens meanwhile: it is A's turn
            await self._leave_and_come_back(others)
        for watcher in others if leaves else ():
            await watcher.go()
        await self._turn(mover, turn, number)
        for watcher in others if leaves else ():
            await watcher.come(known)
        self.version += 1
        await self.hear()

    async def _leave_and_come_back(self, watchers: list[Watcher]) -> None:
        for watcher in watchers:
            await watcher.go()
            await watcher.come()
            await watcher.hear(self.version)

    async def _turn(self, mover: Seat, turn: Turn, number: int) -> None:
        """Make a turn, by socket or by request; the computer's comes by itself."""
        if mover == self._computer:
            return
        watcher = self.watchers[mover]
        wish = {"version": self.version, "turn": format_turn(turn)}
        name = f"planned-{self.version}"
        if number % 3 < 2:
            await watcher.line.send(type="turn", id=name, **wish)
            done = await watcher.line.answer(name)
            assert done["type"] == "done", done
        else:
            path = f"/api/tables/{watcher.table_id}/moves"
            answer = await watcher.browser.post(path, {"id": name, **wish})
            assert answer.status_code == 200, answer.text

    async def resign(self, seat: Seat) -> None:
        """End the match; what is heard then is cut where the secret is told."""
        line = self.watchers[seat].line
        await line.send(type="resign", id="that-is-enough")
        await line.answer("that-is-enough")
        self.version += 2  # the match has ended, the secret is told
        await self.hear()


@asynccontextmanager
async def at_table(
    server: Running, opponent: Json, **wish: object
) -> AsyncIterator[tuple[list[Browser], str, str]]:
    """Open a table; return the browsers of its seats and of a spectator, its address, its code."""
    async with AsyncExitStack() as stack:
        ann, ben, eve = [await stack.enter_async_context(Browser(server.url)) for _ in range(3)]
        table = await ann.open_table(opponent, starter="you", **wish)
        code = "NONE"
        browsers = [ann, eve]
        if table["invite"]:
            code = table["invite"]["code"]
            browsers.insert(1, ben)
            for browser in browsers:
                await browser.get(f"/api/invites/{code}")
            await ben.join(table)
        yield browsers, table["table_id"], code


@asynccontextmanager
async def watching(
    browsers: list[Browser], table_id: str, code: str
) -> AsyncIterator[list[Watcher]]:
    """Have browsers watch a table."""
    async with AsyncExitStack() as stack:
        watchers = []
        for browser in browsers:
            watcher = Watcher(browser, table_id, code)
            watchers.append(await stack.enter_async_context(watcher))
        yield watchers
