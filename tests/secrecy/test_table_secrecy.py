"""Nothing that a viewer is shown, or that a log prints, holds what it may not know.

Every card in every text is looked up in a second bookkeeping (`Slots`).
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from random import Random

import pytest

from lostcities.notation import format_cards, format_records
from lostcities.play import (
    Refused,
    Secret,
    Stage,
    StageCard,
    TakeBack,
    TakeTurn,
    Viewer,
)
from lostcities.play.events import RoundStarted
from lostcities.play.recording import match_records
from lostcities.rules import (
    CLASSIC,
    COLOR_LETTERS,
    DECK,
    LONG,
    MINI,
    RANK_MARKS,
    Card,
    CardMove,
    Color,
    Discard,
    Draw,
    Play,
    Position,
    Turn,
    Variant,
)
from play.slots import Slots
from play.tables import SECRET, VIEWERS, Session, events_in, random_turn

ENTROPY = (b"salt of north", b"salt of south")
VARIANTS = (CLASSIC, LONG, MINI, Variant(num_rounds=1), Variant(tabletop_memory=True, num_rounds=2))
IN_REPR = re.compile(r"Card\(color=<Color\.([A-Z]+): \d>, rank=(\d+)\)")
IN_RECORD = re.compile(rf"[{COLOR_LETTERS}][{RANK_MARKS[0]}{RANK_MARKS[2:]}]")


def cards_in_repr(text: str) -> set[Card]:
    return {Card(Color[name], int(rank)) for name, rank in IN_REPR.findall(text)}


def cards_in_records(text: str) -> set[Card]:
    turns = "\n".join(line for line in text.splitlines() if not line.startswith("["))
    return {
        Card(Color(COLOR_LETTERS.index(word[0])), RANK_MARKS.index(word[1]))
        for word in IN_RECORD.findall(turns)
    }


def running_match(seed: int) -> Iterator[tuple[Session, Slots | None]]:
    """Play a match; yield the table and the running round after each step but the last.

    Cards are staged and taken back in between.
    """
    variant = VARIANTS[seed % len(VARIANTS)]
    rng = Random(seed)
    session = Session(variant)
    slots: Slots | None = None
    yield session, None
    while True:
        session.start_round(*((b"", b"") if session.table.state.match.rounds else ENTROPY))
        slots = Slots(started(session).deal, variant, session.mover)
        yield session, slots
        while True:
            if rng.random() < 0.2:
                card = rng.choice(session.position.mover_hand)
                session.do(session.mover, StageCard(Discard(card)))
                yield session, slots
                session.do(session.mover, TakeBack())
                yield session, slots
            turn = random_turn(session.position, rng)
            slots.make(session.mover, turn)
            session.turn(turn)
            stage = session.table.view(None).stage
            if stage is Stage.OVER:
                return
            yield session, slots
            if stage is Stage.BETWEEN_ROUNDS:
                break


def started(session: Session) -> RoundStarted:
    """Return the last deal."""
    event = events_in(session.steps, RoundStarted)[-1]
    assert isinstance(event, RoundStarted)
    return event


def new_texts(session: Session, viewer: Viewer, version: int) -> list[str]:
    table = session.table
    return [repr(table.view(viewer)), *map(repr, table.events_for(viewer, after=version))]


@pytest.mark.parametrize("seed", range(10))
def test_no_text_shown_before_the_end_holds_a_hidden_card_a_deal_or_the_secret(seed: int) -> None:
    versions: dict[Viewer, int] = dict.fromkeys(VIEWERS, 0)
    for session, slots in running_match(seed):
        for viewer in VIEWERS:
            texts = new_texts(session, viewer, versions[viewer])
            record = format_records(match_records(session.table, viewer)[-1:])
            versions[viewer] = session.table.version(viewer)
            everything = "\n".join([*texts, record])
            assert SECRET.reveal() not in everything
            assert repr(bytes(range(32))) not in everything
            assert "[Secret" not in record
            assert "[Deal" not in record
            if slots is not None:
                seen = slots.seen_by(viewer)
                assert cards_in_records(record) <= seen
                assert cards_in_repr(everything) <= seen
                assert format_cards(slots.deal) not in everything
                assert repr(slots.deal) not in everything
                own = set() if viewer is None else {slots.deal[i] for i in slots.hands[viewer]}
                assert own <= cards_in_repr(texts[0])  # the search does find what is there


@pytest.mark.parametrize("seed", range(10))
def test_no_refusal_tells_a_seat_of_a_card_that_it_cannot_see(seed: int) -> None:
    num_refusals = 0
    for session, slots in running_match(seed):
        if slots is None or len(session.steps) % 5:
            continue
        for seat in (0, 1):
            seen = slots.seen_by(seat)
            deck, draws = session.position.variant.deck, (DECK, Draw(Color.YELLOW))
            moves: list[CardMove] = [*map(Play, deck[::7]), *map(Discard, deck[::7])]
            for move, draw in product(moves, draws):
                command = session.command(seat, TakeTurn(Turn(move, draw)))
                outcome = session.table.decide(command)
                if isinstance(outcome, Refused):
                    num_refusals += 1
                    named = cards_in_records(outcome.refusal.sentence) - {move.card}
                    assert named | cards_in_repr(repr(outcome)) <= seen
    assert num_refusals > 10


@pytest.mark.parametrize("seed", range(10))
def test_no_log_line_of_a_step_holds_what_not_everybody_knows(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger("a-server")
    secret_texts = (SECRET.reveal(), repr(bytes(range(32))), repr(SECRET.reveal().encode()))
    for session, slots in running_match(seed):
        step = session.steps[-1]
        caplog.clear()
        with caplog.at_level(logging.INFO):
            logger.info("step %s, command %r, event %s", step, step.command, step.events[-1])
        lines = [repr(step), str(step), f"{step}", f"{step.command}", caplog.text]
        lines += [form % event for event in step.events for form in ("%s", "%r")]
        known = set() if slots is None else slots.seen_by(None)
        for line in lines:
            assert not any(text in line for text in secret_texts)
            assert cards_in_repr(line) <= known


def reachable(value: object) -> Iterator[object]:
    """Yield the value and everything that its fields and parts lead to."""
    yield value
    if is_dataclass(value):
        parts: Iterator[object] = (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, tuple | list | frozenset):
        parts = iter(value)
    else:
        return
    for part in parts:
        yield from reachable(part)


@pytest.mark.parametrize("seed", range(4))
def test_no_view_leads_to_a_position_a_secret_or_a_deal(seed: int) -> None:
    for session, slots in running_match(seed):
        for viewer in VIEWERS:
            events = session.table.events_for(viewer)[-2:]
            for part in reachable((session.table.view(viewer), events)):
                assert not isinstance(part, Secret | Position | bytearray)
                assert slots is None or part != slots.deal
                assert slots is None or not slots.deck or part != session.position.deck
