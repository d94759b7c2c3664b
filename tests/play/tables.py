"""Tables for tests: opened, asked, played at random, and followed card by card."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

from lostcities.notation import RoundRecord
from lostcities.play import (
    Action,
    Command,
    Outcome,
    Ready,
    Refused,
    Secret,
    Stage,
    Step,
    Table,
    TakeTurn,
    Viewer,
    open_table,
)
from lostcities.play.events import RoundStarted
from lostcities.play.provenance import Author, Provenance, hash_of
from lostcities.play.verification import verify_deals
from lostcities.rules import (
    CLASSIC,
    DECK,
    SEATS,
    Card,
    Cards,
    Color,
    Discard,
    Draw,
    Play,
    Position,
    Seat,
    Turn,
    Variant,
)

SECRET: Final = Secret(bytes(range(32)))
MATCH_ID: Final = "a-match-for-tests"
AUTHOR: Final = Author("level:5", "0.1.0+0123456789ab", playouts=200)
NAMES: Final = ("North", "South")
VIEWERS: Final[tuple[Viewer, ...]] = (0, 1, None)
R5: Final = Card(Color.RED, 5)
R7: Final = Card(Color.RED, 7)
RX: Final = Card(Color.RED, 0)
B4: Final = Card(Color.BLUE, 4)
B6: Final = Card(Color.BLUE, 6)
_ids = count()


class Session:
    """A table, and the steps that led to it."""

    def __init__(
        self,
        variant: Variant = CLASSIC,
        *,
        secret: Secret = SECRET,
        match_id: str = MATCH_ID,
        first_starter: Seat | None = None,
        opened_on: str = "",
    ) -> None:
        opening = open_table(
            variant=variant,
            names=NAMES,
            match_id=match_id,
            secret=secret,
            first_starter=first_starter,
            opened_on=opened_on,
        )
        self.steps = [opening]
        self.table = Table(opening)

    @property
    def position(self) -> Position:
        position = self.table.state.position
        assert position is not None
        return position

    @property
    def mover(self) -> Seat:
        return self.position.mover

    def command(
        self, seat: Seat, action: Action, *, name: str = "", seen: int | None = None
    ) -> Command:
        """Make a command; by default with a new id and the version that the seat sees."""
        version = self.table.version(seat) if seen is None else seen
        return Command(name or f"command-{next(_ids)}", seat, version, action)

    def apply(self, step: Step) -> Step:
        self.table.apply(step)
        self.steps.append(step)
        return step

    def send(self, command: Command) -> Outcome:
        """Do what a server does: decide, store, apply."""
        outcome = self.table.decide(command)
        if isinstance(outcome, Step):
            self.apply(outcome)
        return outcome

    def do(self, seat: Seat, action: Action, *, name: str = "", seen: int | None = None) -> Step:
        """Ask for something that has to be granted."""
        outcome = self.send(self.command(seat, action, name=name, seen=seen))
        assert isinstance(outcome, Step), outcome
        return outcome

    def refuse(
        self, seat: Seat, action: Action, *, name: str = "", seen: int | None = None
    ) -> Refused:
        """Ask for something that has to be refused."""
        outcome = self.send(self.command(seat, action, name=name, seen=seen))
        assert isinstance(outcome, Refused), outcome
        return outcome

    def start_round(self, *entropy: bytes) -> None:
        for seat, added in zip(SEATS, entropy or (b"", b""), strict=True):
            self.do(seat, Ready(added))

    def start_round_with(self, deal: Cards) -> None:
        """Start a round with a deal made by hand, as if the secret had given it."""
        self.do(0, Ready())
        step = self.table.decide(self.command(1, Ready()))
        assert isinstance(step, Step)
        events = tuple(
            replace(event, deal=deal) if isinstance(event, RoundStarted) else event
            for event in step.events
        )
        self.apply(Step(step.command, events))

    def turn(self, turn: Turn) -> Step:
        return self.do(self.mover, TakeTurn(turn))

    def turn_by_computer(self, turn: Turn) -> Step:
        return self.do(self.mover, TakeTurn(turn, self.origin()))

    def origin(self) -> Provenance:
        """Return where a turn comes from that a computer makes now."""
        observation = self.table.observation_after(self.mover, None)
        return Provenance(AUTHOR, self.table.decision_seed(self.mover), hash_of(observation))

    def random_turn(self, rng: Random) -> Step:
        return self.turn(random_turn(self.position, rng))

    def finish_round(self, rng: Random | None = None) -> None:
        """Play to the end of the round; without a generator nobody ever plays a card."""
        number = self.position.standing.round_number
        while self.table.state.stage is Stage.PLAYING:
            self.turn(random_turn(self.position, rng) if rng else passive_turn(self.position))
        assert self.position.standing.round_number == number

    def finish_match(self, rng: Random | None = None) -> None:
        """Play all rounds that are left."""
        if self.table.state.stage is Stage.PLAYING:
            self.finish_round(rng)
        while self.table.state.stage is not Stage.OVER:
            self.start_round()
            self.finish_round(rng)


def dealt(variant: Variant = CLASSIC, *, first_starter: Seat | None = 0) -> Session:
    """Return a table whose first round has just been dealt."""
    session = Session(variant, first_starter=first_starter)
    session.start_round()
    return session


def stacked(first: Cards, second: Cards, variant: Variant = CLASSIC) -> Session:
    """Return a table at which A starts, the seats hold these cards among others, no more is known."""
    rest = list(variant.deck)
    for card in (*first, *second):
        rest.remove(card)
    size = variant.hand_size
    hand_a = [*first, *rest[: size - len(first)]]
    del rest[: size - len(first)]
    hand_b = [*second, *rest[: size - len(second)]]
    del rest[: size - len(second)]
    session = Session(variant, first_starter=0)
    dealt_out = [card for pair in zip(hand_a, hand_b, strict=True) for card in pair]
    session.start_round_with((*dealt_out, *rest))
    return session


def finished(
    variant: Variant = CLASSIC,
    *,
    seed: int = 0,
    entropy: tuple[bytes, bytes] = (b"", b""),
    first_starter: Seat | None = None,
    opened_on: str = "",
) -> Session:
    """Return a table whose match has been played to the end, at random."""
    session = Session(variant, first_starter=first_starter, opened_on=opened_on)
    session.start_round(*entropy)
    session.finish_match(Random(seed))
    return session


def random_turn(position: Position, rng: Random) -> Turn:
    """Choose a legal turn; most draws are from the deck, so that rounds are short."""
    card_move = rng.choice(position.legal_moves)
    assert isinstance(card_move, Play | Discard)
    draw = DECK if rng.random() < 0.75 else rng.choice(position.after(card_move).legal_moves)
    assert isinstance(draw, Draw)
    return Turn(card_move, draw)


def passive_turn(position: Position) -> Turn:
    return Turn(Discard(position.mover_hand[0]))


def events_in(steps: Sequence[Step], kind: type) -> list[object]:
    """Return all events of one kind."""
    return [event for step in steps for event in step.events if isinstance(event, kind)]


def problems(records: Sequence[RoundRecord], *, commitment: str | None = None) -> list[str]:
    """Return what the verification of a match finds wrong."""
    checks = verify_deals(records, commitment=commitment)
    assert checks
    return [f"{check.what}: {check.problem}" for check in checks if check.problem is not None]
