"""Nothing hidden on any wire: twin worlds, and a search through every byte that was sent.

Two servers deal cards that differ only in what a viewer cannot see. Names,
tokens and secrets are the same in both, so all that the viewer is ever sent has
to be the same, byte for byte. The other viewers' streams show that the
comparison can tell the worlds apart at all.
"""

import asyncio
import itertools
import json
import logging
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from lostcities.notation import format_turn
from lostcities.play import Secret, Viewer, decisions
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Card, Cards, Seat, Turn, Variant
from lostcities.server import hub, live_table, routes
from lostcities.server.logs import set_up_logs
from play.slots import Slots
from play.tables import Session, random_turn
from server.serving import Browser, Json, Line, Running, running, settings_for
from server.stored import forget_tables
from server.worlds import (
    ASKED_FOR,
    Evening,
    MatchPlan,
    Transcript,
    at_table,
    transcript_of,
    watching,
)

CARD = re.compile(r"(?<![A-Za-z0-9_-])-?([YBWGRP][x2-9T])(?![A-Za-z0-9_-])")
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
def fixed_world(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have all names and tokens follow from a count, and the deals from the test.

    What it returns begins a world, and takes the deals of each of its matches.
    """

    def begin(*matches: Sequence[Cards]) -> None:
        counter, secrets = itertools.count(1), itertools.count(7)
        known: dict[str, Sequence[Cards]] = {}

        def deal_of_round(*_: object, match_id: str, round_number: int, **__: object) -> Cards:
            if match_id not in known:
                known[match_id] = matches[len(known)]
            return known[match_id][round_number - 1]

        def name() -> str:
            return f"{next(counter):032x}"

        replacements: list[tuple[ModuleType, str, Any]] = [
            (hub, "new_id", name),
            (routes, "new_id", name),
            (routes, "new_match_id", name),
            (live_table, "new_match_id", name),
            (routes, "new_token", lambda: f"{next(counter):022d}"),
            (
                routes,
                "new_code",
                lambda: f"{next(counter):010d}".replace("0", "K").replace("1", "M"),
            ),
            (decisions, "deal_of_round", deal_of_round),
        ]
        for module, attribute, value in replacements:
            monkeypatch.setattr(module, attribute, value)
        monkeypatch.setattr(
            Secret, "generate", lambda: Secret(b"\x07" * 31 + bytes([next(secrets)]))
        )

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
    tmp_path: Path, fixed_world: Callable[..., None], viewer: Viewer, seed: int
) -> None:
    plan = Plan(viewer, seed, num_turns=2 + 4 * seed)

    async def play(folder: str, deal: Cards) -> tuple[list[list[str]], str]:
        fixed_world([deal])
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


MATCH = Variant(num_rounds=2, stall_limit=ONLINE_STALL_LIMIT)
NAMED_BY_COUNT = "0" * 20
"""What the names in a fixed world begin with."""
MATCH_WISH = {"rounds": 2}
WHOLE = 1000
"""More turns than a round can have."""
FRIEND = {"kind": "friend"}


def place_of(viewer: Viewer) -> int:
    return 2 if viewer is None else viewer


async def play_match(
    server: Running, plan: MatchPlan, rematch: MatchPlan, *, resigns: bool
) -> tuple[list[Transcript], list[Transcript]]:
    """Play a match and the beginning of another; return what A, B and a spectator heard of each."""
    async with at_table(server, FRIEND, **MATCH_WISH) as (browsers, table_id, code):
        async with watching(browsers, table_id, code) as watchers:
            evening = Evening(watchers)
            await play_rounds(evening, plan, resigns=resigns)
            first = [transcript_of(watcher) for watcher in watchers]
        for browser in browsers:
            await browser.post(f"/api/tables/{table_id}/rematch")
        next_id = (await browsers[0].snapshot(table_id))["rematch"]["table_id"]
        for browser in browsers:
            browser.heard.clear()
        async with watching(browsers, next_id, code) as watchers:
            evening = Evening(watchers)
            await evening.hear()
            await evening.be_ready(1)
            await evening.play(rematch.rounds[0])
            await evening.look()
            second = [transcript_of(watcher) for watcher in watchers]
    return first, second


async def play_rounds(evening: Evening, plan: MatchPlan, *, resigns: bool) -> None:
    await evening.hear()
    await evening.look()
    for number, one in enumerate(plan.rounds, start=1):
        await evening.be_ready(number)
        is_last = number == len(plan.rounds)
        await evening.play(one, is_last=is_last and not resigns)
        if not is_last or resigns:
            await evening.look()  # between two rounds as well
    if resigns:
        await evening.resign(0)
    await evening.look()


@pytest.mark.parametrize(
    ("viewer", "resigns"),
    [(0, False), (1, True), (None, False)],
    ids=["A to the end", "B until A resigns", "spectator to the end"],
)
def test_twin_matches_are_one_to_the_viewer_until_all_is_told(
    database: str,
    tmp_path: Path,
    fixed_world: Callable[..., None],
    viewer: Viewer,
    *,
    resigns: bool,
) -> None:
    """Two rounds and a rematch, on socket, stream and by request, with lines lost on the way."""
    rng = Random(f"{viewer} {resigns}")
    plan = MatchPlan(viewer, MATCH, rng, WHOLE, 24 if resigns else WHOLE)
    rematch = MatchPlan(viewer, MATCH, rng, 6, starter=1)

    async def play(world: int) -> tuple[list[Transcript], list[Transcript]]:
        fixed_world(plan.deals(world), rematch.deals(world))
        await forget_tables(database, NAMED_BY_COUNT)
        settings = settings_for(
            tmp_path, database=database, base_url="http://table.test", heartbeat_seconds=60.0
        )
        async with running(settings) as server:
            return await play_match(server, plan, rematch, resigns=resigns)

    (first, again), (second, again_too) = [asyncio.run(play(world)) for world in (0, 1)]
    they_are_one(first, second, viewer)
    they_are_one(again, again_too, viewer)
    index = place_of(viewer)
    assert first[index].after != second[index].after  # what differs is public at last


def they_are_one(first: list[Transcript], second: list[Transcript], viewer: Viewer) -> None:
    """The viewer heard the same, and a seat that knows more did not."""
    index = place_of(viewer)
    if index >= len(first):
        index = len(first) - 1  # the computer has no browser
    assert len(first[index].before) > 30
    assert first[index].before == second[index].before
    others = [place for place in range(len(first) - 1) if place != index]
    assert not others or any(first[place].before != second[place].before for place in others)


PLANNED = """
import json, pathlib, sys
plan, count = pathlib.Path({plan!r}), pathlib.Path({count!r})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        done = int(count.read_text())
        count.write_text(str(done + 1))
        turn = json.loads(plan.read_text())[done]
        print(json.dumps({{"id": message["id"], "turn": turn}}), flush=True)
"""


@pytest.mark.parametrize("viewer", [0, None])
def test_twin_computers_are_one_to_the_viewer(
    tmp_path: Path, fixed_world: Callable[..., None], viewer: Viewer
) -> None:
    """A program holds other cards, and makes the same turns."""
    plan = MatchPlan(viewer, MATCH, Random(f"computer {viewer}"), WHOLE, 20)
    turns = [
        format_turn(turn)
        for one in plan.rounds
        for number, turn in enumerate(one.turns)
        if (one.starter + number) % 2 == 1
    ]
    paths = {name: str(tmp_path / name) for name in ("plan", "count")}
    Path(paths["plan"]).write_text(json.dumps(turns))
    (tmp_path / "bot.py").write_text(PLANNED.format(**paths))
    spec = f"exec:{sys.executable} {tmp_path / 'bot.py'}"

    async def play(world: int) -> list[Transcript]:
        fixed_world(plan.deals(world))
        Path(paths["count"]).write_text("0")
        settings = settings_for(
            tmp_path / str(world),
            base_url="http://table.test",
            heartbeat_seconds=60.0,
            agents=(f"Zed={spec}",),
        )
        opponent = {"kind": "computer", "agent": spec}
        async with (
            running(settings) as server,
            at_table(server, opponent, **MATCH_WISH) as (browsers, table_id, code),
            watching(browsers, table_id, code) as watchers,
        ):
            await play_rounds(Evening(watchers, computer=1), plan, resigns=True)
            assert int(Path(paths["count"]).read_text()) == len(turns)
            return [transcript_of(watcher) for watcher in watchers]

    first, second = [asyncio.run(play(world)) for world in (0, 1)]
    they_are_one(first, second, viewer)
    index = -1 if viewer is None else viewer
    assert first[index].after != second[index].after


class Secrets:
    """Which cards each viewer has seen so far, and whether anything names another."""

    def __init__(self, browsers: list[Browser], deal: Cards, variant: Variant) -> None:
        self._browsers = browsers
        self._slots = Slots(deal, variant, 0)
        self._read = [0, 0, 0]
        self.named: list[set[str]] = [set(), set(), set()]

    def check(self) -> None:
        """Read what was sent since the last time."""
        for place, (viewer, browser) in enumerate(zip(VIEWERS, self._browsers, strict=True)):
            texts = browser.heard[self._read[place] :]
            self._read[place] = len(browser.heard)
            allowed = {str(card) for card in self._slots.seen_by(viewer)} | set(ASKED_FOR)
            named = {card for text in texts for card in CARD.findall(text.replace(EXAMPLES, ""))}
            assert named <= allowed, (viewer, named - allowed)
            self.named[place] |= named

    def turn(self, mover: Seat, turn: Turn) -> None:
        self._slots.make(mover, turn)
        self.check()

    def seen_by(self, viewer: Viewer) -> set[Card]:
        return self._slots.seen_by(viewer)


@pytest.mark.parametrize("seed", range(2))
def test_no_byte_names_a_card_that_its_reader_has_not_seen(
    tmp_path: Path, fixed_world: Callable[..., None], seed: int
) -> None:
    """H-17: whole rounds with joins and returns, and every card that is named, turn by turn."""
    plan = MatchPlan(0, MATCH, Random(seed), WHOLE)
    fixed_world(plan.deals(0))

    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            at_table(server, FRIEND, **MATCH_WISH) as (browsers, table_id, code),
            watching(browsers, table_id, code) as watchers,
        ):
            for browser in browsers:  # nothing is dealt yet
                assert not CARD.findall("".join(browser.heard))
            secrets = Secrets(browsers, plan.rounds[0].deals[0], MATCH)
            evening = Evening(watchers, look_every=12)
            await evening.hear()
            await evening.be_ready(1)
            await evening.play(plan.rounds[0], on_turn=secrets.turn)
            await evening.look()
            secrets.check()
            for viewer, watcher, named in zip(VIEWERS, watchers, secrets.named, strict=True):
                allowed = {str(card) for card in secrets.seen_by(viewer)} | set(ASKED_FOR)
                assert set(CARD.findall("".join(watcher.streamed))) <= allowed
                assert len(named) > 20
                heard = "".join((*watcher.heard, *watcher.streamed))
                assert "07" * 31 not in heard

    asyncio.run(play())


def test_logs_at_their_loudest_hold_no_card_and_no_token(
    tmp_path: Path, fixed_world: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    plan = Plan(0, 1, num_turns=6)
    fixed_world([plan.deals[0]])
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
