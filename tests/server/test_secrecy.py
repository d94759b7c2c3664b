"""Nothing hidden on any wire: twin worlds, and a search through every byte that was sent.

Two servers deal cards that differ only in what a viewer cannot see. Names,
tokens and secrets are the same in both, so all that the viewer is ever sent has
to be the same, byte for byte. The other viewers' streams show that the
comparison can tell the worlds apart at all.
"""

import asyncio
import itertools
import logging
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from lostcities.notation import format_turn
from lostcities.play import Secret, Viewer, decisions
from lostcities.rules import CLASSIC, LONG, Cards, Turn, Variant
from lostcities.server import hub, routes
from lostcities.server.logs import set_up_logs
from play.slots import Slots
from play.tables import Session, random_turn
from server.serving import Browser, Json, Line, Running, running, settings_for

CARD = re.compile(r"(?<![A-Za-z0-9_-])-?([YBWGRP][x2-9T])(?![A-Za-z0-9_-])")
ASKED_FOR = ("R7", "B5", "Yx", "WT", "P2")
EXAMPLES = "expected a turn like 'R4/D', '-W9/D=G6' or 'B7/Y'"
"""What a turn that is none is answered with."""
VIEWERS: tuple[Viewer, ...] = (0, 1, None)
TABLETOP = {"tabletop_memory": True, "own_discard_block": False}


def variant_of(seed: int) -> tuple[Variant, Json]:
    """Return a variant and the wish that brings it."""
    kinds: list[tuple[Variant, Json]] = [
        (CLASSIC, {"preset": "classic"}),
        (LONG, {"preset": "long"}),
        (Variant(tabletop_memory=True, own_discard_block=False), {"house_rules": TABLETOP}),
    ]
    return kinds[seed % len(kinds)]


class Plan:
    """A deal, some turns, and a second deal that the viewer cannot tell from the first."""

    def __init__(self, viewer: Viewer, seed: int, num_turns: int) -> None:
        rng = Random(seed)
        self.variant, self.wish = variant_of(seed)
        cards = list(self.variant.deck)
        rng.shuffle(cards)
        session = Session(self.variant, first_starter=0)
        session.start_round_with(tuple(cards))
        self.slots = Slots(tuple(cards), self.variant, 0)
        self.turns: list[Turn] = []
        for _ in range(num_turns):
            turn = random_turn(session.position, rng)
            self.slots.make(session.mover, turn)
            session.turn(turn)
            self.turns.append(turn)
        self.deals = tuple(cards), self.slots.twin_deal(viewer, rng)


@pytest.fixture
def fixed_world(monkeypatch: pytest.MonkeyPatch) -> Callable[[Cards], None]:
    """Have all names and tokens follow from a count, and the deals from the test."""

    def begin(deal: Cards) -> None:
        counter = itertools.count(1)

        def name() -> str:
            return f"{next(counter):032x}"

        replacements: list[tuple[ModuleType, str, Any]] = [
            (hub, "new_id", name),
            (routes, "new_id", name),
            (routes, "new_match_id", name),
            (routes, "new_token", lambda: f"{next(counter):022d}"),
            (
                routes,
                "new_code",
                lambda: f"{next(counter):010d}".replace("0", "K").replace("1", "M"),
            ),
            (decisions, "deal_of_round", lambda *_, **__: deal),
        ]
        for module, attribute, value in replacements:
            monkeypatch.setattr(module, attribute, value)
        monkeypatch.setattr(Secret, "generate", lambda: Secret(b"\x07" * 32))

    return begin


class Watcher:
    """Somebody who asks for everything, on every way there is."""

    def __init__(self, browser: Browser, line: Line, table_id: str) -> None:
        self.browser = browser
        self.line = line
        self.table_id = table_id
        self.version = 0

    async def look(self, version_at_least: int = 0) -> None:
        """Wait for the news on the socket, then ask for all that can be asked for."""
        while self.line.snapshot.get("version", -1) < version_at_least:
            await self.line.receive()
        path = f"/api/tables/{self.table_id}"
        for what in ("", "/events", "/record", "/verify", "/replay"):
            answer = await self.browser.get(f"{path}{what}")
            self.browser.heard.append(f"{what} {answer.status_code} {len(answer.content)}")
        await self.browser.get("/api/tables")
        await self.browser.get(f"{path}/events", after=3)
        # Nothing of this is granted: cards of another hand, an old version, a wrong moment.
        own, version = self.line.snapshot["hand"] or [], self.line.snapshot["version"]
        strange = [card for card in ASKED_FOR if card not in own]
        turns = [(f"{card}/D", version) for card in strange] + [(f"-{ASKED_FOR[0]}/Y", 0), ("?", 0)]
        for turn, seen in turns:
            body = {"id": "a-wish-to-refuse", "turn": turn, "version": seen}
            answer = await self.browser.post(f"{path}/moves", body)
            assert answer.status_code in (403, 409, 422)
        for what in ("/ready", "/rematch"):
            await self.browser.post(f"{path}{what}", {"id": "a-wish-to-refuse"})

    @property
    def stream(self) -> list[str]:
        """All that was heard, but for the times of day."""
        return [re.sub(r'"updated":"[^"]*"', "", text) for text in self.browser.heard]


async def play_world(server: Running, plan: Plan) -> tuple[list[list[str]], str]:
    """Play the plan, with everybody watching; return the streams of A, B and a spectator."""
    async with (
        Browser(server.url) as ann,
        Browser(server.url) as ben,
        Browser(server.url) as eve,
    ):
        table = await ann.open_table(starter="you", **plan.wish)
        table_id = table["table_id"]
        await ben.join(table)
        async with (
            ann.socket(table_id) as a,
            ben.socket(table_id) as b,
            eve.socket(table_id) as e,
        ):
            pairs = ((ann, a), (ben, b), (eve, e))
            for _, line in pairs:
                await line.until(lambda message: message["type"] == "presence")
            for _, line in pairs:  # each has heard that all are there
                while line.presence["spectators"] < 1:
                    await line.receive()
            watchers = [Watcher(browser, line, table_id) for browser, line in pairs]
            for line in (a, b):
                await line.be_ready("0c" * 16)
            await look_in_turn(watchers, 4)
            for number, turn in enumerate(plan.turns):
                mover = (a, b)[number % 2]
                await mover.send(
                    type="turn", version=4 + number, id=f"planned-{number}", turn=format_turn(turn)
                )
                done = await mover.answer(f"planned-{number}")
                assert done["type"] == "done", done
                await look_in_turn(watchers, 5 + number)
        stream = await asyncio.wait_for(server_sent(eve, table_id), 10)
        return [watcher.stream for watcher in watchers], stream


async def look_in_turn(watchers: list[Watcher], version: int) -> None:
    for watcher in watchers:
        await watcher.look(version)


async def server_sent(browser: Browser, table_id: str) -> str:
    """Return the first events of the stream for scripts."""
    lines: list[str] = []
    async with browser.http.stream(
        "GET", f"/api/tables/{table_id}/stream", headers={"Last-Event-ID": "1"}
    ) as answer:
        async for line in answer.aiter_lines():
            lines.append(line)
            if '"type":"presence"' in line:
                return "\n".join(lines)
    raise AssertionError("the stream ended early")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_twin_worlds_are_one_to_the_viewer(
    tmp_path: Path, fixed_world: Callable[[Cards], None], viewer: Viewer, seed: int
) -> None:
    plan = Plan(viewer, seed, num_turns=2 + 4 * seed)

    async def play(folder: str, deal: Cards) -> tuple[list[list[str]], str]:
        fixed_world(deal)
        async with running(settings_for(tmp_path / folder, base_url="http://table.test")) as server:
            return await play_world(server, plan)

    (first, seen), (second, seen_too) = [
        asyncio.run(play(folder, deal))
        for folder, deal in zip(("first", "second"), plan.deals, strict=True)
    ]
    index = {0: 0, 1: 1, None: 2}[viewer]
    assert first[index] == second[index]
    if viewer is None:
        assert seen == seen_too
    others = [place for place in (0, 1) if place != index]
    assert any(first[place] != second[place] for place in others)


@pytest.mark.parametrize("seed", range(2))
def test_no_byte_names_a_card_that_its_reader_has_not_seen(
    tmp_path: Path, fixed_world: Callable[[Cards], None], seed: int
) -> None:
    """H-17: whole rounds, and every card that is named in anything that was sent."""
    plan = Plan(0, seed, num_turns=24)
    fixed_world(plan.deals[0])

    async def play() -> None:
        async with running(settings_for(tmp_path)) as server:
            streams, _ = await play_world(server, plan)
            for viewer, stream in zip(VIEWERS, streams, strict=True):
                allowed = {str(card) for card in plan.slots.seen_by(viewer)}
                texts = [text.replace(EXAMPLES, "") for text in stream]
                named = {card for text in texts for card in CARD.findall(text)}
                assert named - allowed <= set(ASKED_FOR), viewer  # what it has named itself
                assert len(named & allowed) > 10
                assert "07" * 32 not in "".join(stream)

    asyncio.run(play())


def test_logs_at_their_loudest_hold_no_card_and_no_token(
    tmp_path: Path, fixed_world: Callable[[Cards], None], capfd: pytest.CaptureFixture[str]
) -> None:
    plan = Plan(0, 1, num_turns=6)
    fixed_world(plan.deals[0])
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    set_up_logs("json", "debug")

    async def play() -> None:
        async with running(settings_for(tmp_path, agents=("heuristic",))) as server:
            await play_world(server, plan)
            logging.getLogger("asyncio").error(
                "a task failed with %r", ValueError("cannot play R5")
            )
            try:
                raise ValueError("cannot play R5")  # noqa: TRY301 # as an agent would
            except ValueError:
                logging.getLogger("elsewhere").exception("cannot go on with %s", "R5")

    try:
        asyncio.run(play())
    finally:
        root.handlers[:], root.level = handlers, level
    text = capfd.readouterr().err
    assert '"route": "/api/tables/{table_id}/moves"' in text
    assert "a task or a handler failed" in text
    assert not CARD.findall(text)
    assert "0" * 20 not in text
    assert "07" * 16 not in text


def test_two_matches_never_get_the_same_secret(tmp_path: Path) -> None:
    """H-18: tables opened in one moment have different secrets and ids."""

    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            tables = await asyncio.gather(
                *(ann.open_table({"kind": "local", "name": "Ben"}) for _ in range(60))
            )
            shown = [await ann.snapshot(table["table_id"], seat="A") for table in tables]
            assert len({snapshot["commitment"] for snapshot in shown}) == 60
            assert len({snapshot["table_id"] for snapshot in shown}) == 60

    asyncio.run(play())
