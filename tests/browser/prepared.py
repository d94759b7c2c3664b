"""Tables that stand ready in a database: every card is known, so every picture and every word is the same.

They are made as the server makes them, command by command, with a secret that
is written here; the server then finds them in its log as it finds all others.
"""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from browser.sensible import sensible_turn
from lostcities.play import (
    Action,
    Command,
    OfferRematch,
    Ready,
    Secret,
    Stage,
    Step,
    TakeTurn,
    open_table,
)
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, SEATS, Position, Seat, Turn, Variant
from lostcities.server.entries import (
    Created,
    Entry,
    OpponentKind,
    Stepped,
    entry_to_text,
    without_guest,
)
from lostcities.server.live_table import LiveTable
from lostcities.server.seats import SeatKey, cookie_name, hash_of_token
from lostcities.server.store import Batch, KeyRow, LogRow, Store, TableRow
from lostcities.server.store_tables import COOKIE, RECOVERY

Policy = Callable[[Position], Turn]
ANN: Final[Seat] = 0
BEN: Final[Seat] = 1
QUICK: Final = replace(CLASSIC, num_rounds=1)
MIDDLE: Final = "w"
"""Deals in which much lies on the table after half a round."""


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _token(text: str) -> str:
    return base64.urlsafe_b64encode(_digest(text)[:16]).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Shelved:
    """A table in the database, and what opens its seats."""

    table_id: str
    invite: str
    tokens: dict[Seat, str]
    recovery: str

    def cookie(self, seat: Seat) -> tuple[str, str]:
        """Return name and value of the cookie of a seat."""
        return cookie_name(SeatKey(self.table_id, seat)), self.tokens[seat]


@dataclass
class Preparation:
    """A table that is being made ready."""

    name: str
    kind: OpponentKind = "friend"
    variant: Variant = CLASSIC
    names: tuple[str, str] = ("Ann", "Ben")
    agent: str = ""
    salt: str = ""
    starter: Seat = ANN
    live: LiveTable = field(init=False)
    rows: list[LogRow] = field(init=False, default_factory=list)
    table_id: str = field(init=False)

    def __post_init__(self) -> None:
        self.table_id = _digest(f"table {self.name}").hex()[:32]
        opening = open_table(
            variant=replace(self.variant, stall_limit=ONLINE_STALL_LIMIT),
            names=self.names,
            match_id=_digest(f"match {self.name}").hex()[:32],
            secret=Secret(_digest(f"secret {self.salt or self.name}")),
            first_starter=self.starter,
            opened_on="2026-05-01",
        )
        is_friend = self.kind == "friend"
        created = Created(
            series=self.table_id,
            kind=self.kind,
            host=ANN,
            agent=self.agent,
            agent_name=self.names[BEN] if self.agent else "",
            invite=_code(self.name) if is_friend else "",
            previous="",
            draft=without_guest(opening) if is_friend else opening,
        )
        self.live = LiveTable(self.table_id, created)
        self._store(created)
        if not is_friend:
            self._add(Stepped(opening))

    def _store(self, entry: Entry, move_id: str | None = None) -> None:
        self.rows.append(LogRow(self.table_id, len(self.rows), move_id, *entry_to_text(entry)))

    def _add(self, entry: Entry, move_id: str | None = None) -> None:
        self.live.apply(entry)
        self._store(entry, move_id)

    def joined(self) -> "Preparation":
        """Let Ben sit down."""
        for entry in self.live.join(self.names[BEN]):
            self._add(entry)
        return self

    def dealt(self) -> "Preparation":
        """Let both be ready for the next round."""
        if self.live.has_free_seat:
            self.joined()
        is_first = not self.live.table.deals
        for seat in SEATS:
            entropy = _digest(f"entropy {self.name} {seat}")[:16] if is_first else b""
            self._do(seat, Ready(entropy))
        return self

    def _do(self, seat: Seat, action: Action) -> None:
        table = self.live.table
        name = f"{type(action).__name__}-{len(self.rows)}"
        step = self.live.decide(Command(name, seat, table.version(seat), action))
        assert isinstance(step, Step), step
        self._add(Stepped(step), f"{seat}:{name}")

    @property
    def position(self) -> Position:
        position = self.live.table.state.position
        assert position is not None
        return position

    def played(self, turns: int, policy: Policy = sensible_turn) -> "Preparation":
        """Make turns."""
        for _ in range(turns):
            self._do(self.position.mover, TakeTurn(policy(self.position)))
        return self

    def played_until(self, deck: int, mover: Seat | None = None) -> "Preparation":
        """Make turns until so few cards are left, and that seat is to move."""
        while len(self.position.deck) > deck or mover not in (None, self.position.mover):
            self.played(1)
        return self

    def round_finished(self) -> "Preparation":
        """Make turns to the end of the round."""
        while self.live.table.state.stage is Stage.PLAYING:
            self.played(1)
        return self

    def finished(self) -> "Preparation":
        """Make turns to the end of the match."""
        while not self.live.is_over:
            if self.live.table.state.stage is not Stage.PLAYING:
                self.dealt()
            self.round_finished()
        return self

    def rematch_offered(self, seat: Seat) -> "Preparation":
        self._do(seat, OfferRematch())
        return self

    @property
    def shelved(self) -> Shelved:
        tokens = {seat: _token(f"seat {self.name} {seat}") for seat in SEATS}
        return Shelved(
            self.table_id, self.live.created.invite, tokens, _token(f"recovery {self.name}")
        )

    @property
    def batch(self) -> Batch:
        shelved = self.shelved
        keys = [
            KeyRow(hash_of_token(token), self.table_id, seat, COOKIE)
            for seat, token in shelved.tokens.items()
        ]
        keys.append(KeyRow(hash_of_token(shelved.recovery), self.table_id, ANN, RECOVERY))
        table = TableRow(self.table_id, self.table_id, shelved.invite or None)
        return Batch(log=self.rows, tables=[table], keys=keys)


def _code(name: str) -> str:
    letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
    return "".join(letters[byte % len(letters)] for byte in _digest(f"invite {name}")[:10])


def preparations() -> list[Preparation]:
    """Return the tables of the gallery."""
    long_match = {"variant": LONG, "names": ("Ann", "Guide"), "kind": "computer"}
    return [
        Preparation("waiting"),
        Preparation("taken").joined(),
        Preparation("start").dealt(),
        Preparation("middle", salt=MIDDLE).dealt().played_until(24, ANN),
        Preparation("theirs", salt=MIDDLE).dealt().played_until(25, BEN),
        Preparation("late", salt=MIDDLE).dealt().played_until(3, ANN),
        Preparation("six", agent="level:3", **long_match).dealt().played_until(14, ANN),  # type: ignore[arg-type] # options by name
        Preparation("receipt", salt=MIDDLE).dealt().round_finished(),
        Preparation("second", salt=MIDDLE).dealt().round_finished().dealt().played_until(30, ANN),
        Preparation("end", salt=MIDDLE).dealt().finished(),
        Preparation("offer", salt=MIDDLE, variant=QUICK).dealt().finished().rematch_offered(BEN),
        Preparation("local", kind="local", names=("Ann", "Cleo")).dealt().played(4),
        Preparation("names", names=("Алёна Дмитриевна Петрова", "محمد عبد الرحمن الشريف"))
        .dealt()
        .played(9),
    ]


def reading_preparations() -> list[Preparation]:
    """Return the tables of the tests of reading and of sizes, which play on."""
    names = ("spoken", "typed", "shift", "motion", "large")
    equal = next(made for made in map(_salted, range(99)) if _has_equals(made))
    passed = Preparation("passed", kind="local", names=("Ann", "Cleo")).dealt().played(9)
    closing = (
        Preparation("nearly over", salt=MIDDLE).dealt().played_until(1),
        Preparation("ending", salt=MIDDLE, variant=QUICK).dealt().played_until(1),
        Preparation("leaving").dealt().played(8),
    )
    ways = (Preparation(name).dealt().played(8) for name in ("dragged", "held", "by key"))
    plays = Preparation("plays", salt=MIDDLE).dealt().played_until(20, ANN)
    plain = (Preparation(name).dealt().played(8) for name in names)
    return [*plain, equal, passed, *closing, *ways, plays]


def _salted(number: int) -> Preparation:
    return Preparation("equal", salt=f"equal {number}").dealt()


def _has_equals(made: Preparation) -> bool:
    hand = made.position.hands[ANN]
    return len(set(hand)) < len(hand)


def spare_preparations() -> list[Preparation]:
    """Return a table in each phase, for tests that play on."""
    quick = {"variant": QUICK, "salt": MIDDLE}
    return [
        Preparation("waiting"),
        Preparation("invited"),
        *(
            Preparation(name).dealt().played(8)
            for name in ("choosing", "chosen", "staged", "drawn")
        ),
        *(
            Preparation(name).dealt().played(8)
            for name in ("burst", "tabs", "twins", "late", "stale")
        ),
        *(Preparation(name).dealt().played(8) for name in ("silence", "front", "presence")),
        *(Preparation(name).dealt().played(9) for name in ("theirs", "watched")),
        *(Preparation(name, salt=MIDDLE).dealt().round_finished() for name in ("round", "next")),
        *(Preparation(name, **quick).dealt().finished() for name in ("end", "again")),  # type: ignore[arg-type] # options by name
        Preparation("resigning").dealt(),
    ]


def shelve(database: Path | str, made: list[Preparation]) -> dict[str, Shelved]:
    """Write the tables into a new database."""
    asyncio.run(_write(database, made))
    return {one.name: one.shelved for one in made}


async def _write(database: Path | str, made: list[Preparation]) -> None:
    store = Store(str(database))
    await store.open()
    try:
        for one in made:
            await store.append(one.batch)
            await asyncio.sleep(0.003)  # so that none is as new as another
    finally:
        await store.close()
