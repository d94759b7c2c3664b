"""Two tables whose deals differ in what a viewer cannot see are one and the same to it.

The truth is the stream that another viewer gets: that one has to differ, which
proves that the comparison can tell the tables apart at all.
"""

from random import Random

import pytest

from lostcities.notation import format_records
from lostcities.play import (
    Action,
    Command,
    Ready,
    Resign,
    Stage,
    StageCard,
    Step,
    TakeBack,
    TakeTurn,
    Viewer,
)
from lostcities.play.recording import match_records
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    MINI,
    SEATS,
    Card,
    Cards,
    Color,
    Discard,
    Draw,
    Play,
    Turn,
    Variant,
)
from play.slots import Slots
from play.tables import VIEWERS, Session, random_turn

VARIANTS = (
    CLASSIC,
    LONG,
    MINI,
    Variant(tabletop_memory=True),
    Variant(stall_limit=1, own_discard_block=False),
)
STAGE, TAKE_BACK = "stage", "take back"
Plan = list[Turn | str]
WISHES: tuple[Action, ...] = (
    Ready(b"x"),
    TakeBack(),
    StageCard(Play(Card(Color.RED, 7))),
    *(TakeTurn(Turn(Play(Card(color, rank)))) for color in Color for rank in (0, 2, 6, 10)),
    *(TakeTurn(Turn(Discard(Card(Color.BLUE, 5)), Draw(color))) for color in Color),
)


def shown(session: Session, viewer: Viewer) -> str:
    """Return, as text, everything that the viewer can get out of the table now."""
    table = session.table
    parts = [repr(table.view(viewer)), *map(repr, table.events_for(viewer))]
    if viewer is not None and table.view(viewer).observation is not None:
        told = table.view_to_decide(viewer)
        parts += [repr(told), *map(repr, told.past)]
        for before in told.earlier:
            parts += [repr(before), *map(repr, before.past)]
    return "\n".join([*parts, format_records(match_records(table, viewer))])


def answers(session: Session, viewer: Viewer) -> str:
    """Return, as text, what the viewer is told when it asks for all kinds of things."""
    if viewer is None:
        return ""
    seen = session.table.version(viewer)
    commands = [Command(f"wish-{i}", viewer, seen, wish) for i, wish in enumerate(WISHES)]
    outcomes = [session.table.decide(command) for command in commands]
    return "\n".join(
        f"granted: {outcome.command}" if isinstance(outcome, Step) else repr(outcome)
        for outcome in outcomes
    )


def perform(session: Session, item: Turn | str) -> None:
    mover = session.mover
    if isinstance(item, Turn):
        # What the twins saw has another hash; nobody may notice that either.
        session.do(mover, TakeTurn(item, session.origin()))
    elif item == STAGE:
        # A seat with other cards stages another card: nobody else may notice.
        session.do(mover, StageCard(Discard(session.position.mover_hand[-1])))
    else:
        session.do(mover, TakeBack())


def random_plan(session: Session, slots: Slots, rng: Random, num_turns: int) -> Plan:
    """Play some turns, and return what was done."""
    plan: Plan = []

    def go_on(item: Turn | str) -> None:
        plan.append(item)
        perform(session, item)

    for _ in range(num_turns):
        if rng.random() < 0.3:
            go_on(STAGE)
            if rng.random() < 0.5:
                go_on(TAKE_BACK)
        turn = random_turn(session.position, rng)
        slots.make(session.mover, turn)
        go_on(turn)
    return plan


def opened(variant: Variant, *, num_rounds_before: int) -> Session:
    session = Session(variant)
    for _ in range(num_rounds_before):
        session.start_round()
        session.finish_round(Random(num_rounds_before))
    return session


def some_deal(variant: Variant, rng: Random) -> Cards:
    cards = list(variant.deck)
    rng.shuffle(cards)
    return tuple(cards)


class Twins:
    """Two tables, the second with another deal that the viewer cannot tell from the first."""

    def __init__(self, viewer: Viewer, seed: int) -> None:
        self.viewer = viewer
        self.rng = Random(seed)
        variant = VARIANTS[seed % len(VARIANTS)]
        num_before = seed % 2
        self.first = opened(variant, num_rounds_before=num_before)
        deal = some_deal(variant, self.rng)
        self.first.start_round_with(deal)
        slots = Slots(deal, variant, self.first.mover)
        num_turns = self.rng.randrange(variant.deck_after_deal - 2)
        self.plan = random_plan(self.first, slots, self.rng, num_turns)
        self.deals = deal, slots.twin_deal(viewer, self.rng)
        self.first, self.second = (opened(variant, num_rounds_before=num_before) for _ in "12")

    def start(self) -> None:
        for session, deal in zip((self.first, self.second), self.deals, strict=True):
            session.start_round_with(deal)

    def perform(self, item: Turn | str) -> None:
        for session in (self.first, self.second):
            perform(session, item)

    def is_alike(self, viewer: Viewer) -> bool:
        return shown(self.first, viewer) == shown(self.second, viewer) and answers(
            self.first, viewer
        ) == answers(self.second, viewer)

    def goes_on_alike(self, turn: Turn) -> bool:
        """Return whether the turn is possible at both tables and brings the viewer the same."""
        first, second = self.first.position, self.second.position
        if second.reason_against_turn(turn):
            return False
        return turn.draw != DECK or first.mover != self.viewer or first.deck[0] == second.deck[0]


SEEDS = range(15)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_a_viewer_cannot_see_does_not_show(viewer: Viewer, seed: int) -> None:
    twins = Twins(viewer, seed)
    twins.start()
    assert twins.is_alike(viewer)
    for item in twins.plan:
        twins.perform(item)
        assert twins.is_alike(viewer)
    while twins.first.table.state.stage is Stage.PLAYING:
        turn = random_turn(twins.first.position, twins.rng)
        if not twins.goes_on_alike(turn):
            break
        twins.perform(turn)
        assert twins.is_alike(viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_comparison_can_tell_the_tables_apart(viewer: Viewer) -> None:
    num_apart = 0
    for seed in SEEDS:
        twins = Twins(viewer, seed)
        twins.start()
        for item in twins.plan:
            twins.perform(item)
        assert twins.first.table.state != twins.second.table.state
        others = [seat for seat in SEATS if seat != viewer]
        num_apart += not all(map(twins.is_alike, others))
    assert num_apart > len(SEEDS) // 2


@pytest.mark.parametrize("viewer", SEATS)
def test_the_difference_shows_when_the_viewer_draws_it(viewer: int) -> None:
    num_drawn = 0
    for seed in SEEDS:
        twins = Twins(viewer, seed)
        twins.start()
        for item in twins.plan:
            twins.perform(item)
        tops = twins.first.position.deck[0], twins.second.position.deck[0]
        if twins.first.mover == viewer and tops[0] != tops[1]:
            twins.perform(Turn(Discard(twins.first.position.mover_hand[0])))
            assert not twins.is_alike(viewer)
            num_drawn += 1
    assert num_drawn > 1


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_resignation_shows_no_hand(viewer: Viewer) -> None:
    """Only the record, made from the revealed deal, may differ then."""
    for seed in SEEDS:
        twins = Twins(viewer, seed)
        twins.start()
        for item in twins.plan:
            twins.perform(item)
        for session in (twins.first, twins.second):
            session.do(1, Resign())
        first, second = twins.first.table, twins.second.table
        assert first.events_for(viewer) == second.events_for(viewer)
        assert first.view(viewer) == second.view(viewer)
