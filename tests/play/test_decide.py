"""Deciding changes nothing, and whatever arrives twice happens once."""

from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest

from lostcities.play import (
    Action,
    Command,
    OfferRematch,
    Ready,
    Refused,
    Repeated,
    Resign,
    StageCard,
    Step,
    Table,
    TableRefusalCode,
    TakeBack,
    TakeTurn,
)
from lostcities.rules import TINY, Card, Color, Discard, Draw, Play, RefusalCode, Turn
from play.tables import VIEWERS, Session, dealt, finished, passive_turn, random_turn

ACTIONS: tuple[Action, ...] = (
    Ready(),
    Ready(b"more"),
    StageCard(Play(Card(Color.RED, 7))),
    TakeBack(),
    TakeTurn(Turn(Discard(Card(Color.YELLOW, 0)), Draw(Color.BLUE))),
    Resign(),
    OfferRematch(),
)


def with_a_staged_card() -> Session:
    session = dealt()
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    return session


def with_one_ready() -> Session:
    session = Session()
    session.do(1, Ready(b"b"))
    return session


def between_rounds() -> Session:
    session = dealt(TINY)
    session.finish_round(Random(1))
    return session


STAGES: list[Callable[[], Session]] = [
    Session,
    with_one_ready,
    dealt,
    with_a_staged_card,
    between_rounds,
    lambda: finished(TINY),
]


def snapshot(table: Table) -> object:
    """Copy everything that a table consists of."""
    return deepcopy(table.__dict__)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seat", [0, 1, 2, -1])
def test_deciding_changes_nothing(stage: Callable[[], Session], seat: int) -> None:
    table = stage().table
    before = snapshot(table)
    shown = [repr(table.view(viewer)) for viewer in VIEWERS]
    turns = [] if table.state.position is None else list(table.state.position.legal_turns)
    for action in (*ACTIONS, *map(TakeTurn, turns[:6])):
        for seen in (0, table.version(None), table.version(0), table.version(1)):
            table.decide(Command("an-id", seat, seen, action))
    assert table.__dict__ == before
    assert [repr(table.view(viewer)) for viewer in VIEWERS] == shown


def test_deciding_twice_without_applying_gives_the_same_step_twice() -> None:
    session = dealt()
    command = session.command(0, TakeTurn(passive_turn(session.position)))
    first, second = session.table.decide(command), session.table.decide(command)
    assert isinstance(first, Step)
    assert first == second


@pytest.mark.parametrize("stage", STAGES)
def test_a_refusal_brings_the_view_that_the_seat_has_now(stage: Callable[[], Session]) -> None:
    session = stage()
    for seat in (0, 1):
        outcome = session.refuse(seat, TakeTurn(Turn(Discard(Card(Color.PURPLE, 2)))), seen=0)
        assert outcome.view == session.table.view(seat)


def a_turn() -> tuple[Session, int, Action]:
    session = dealt()
    return session, 0, TakeTurn(passive_turn(session.position))


def a_staged_card() -> tuple[Session, int, Action]:
    session = dealt()
    return session, 0, StageCard(Play(session.position.hands[0][-1]))


def a_take_back() -> tuple[Session, int, Action]:
    return with_a_staged_card(), 0, TakeBack()


def a_first_ready() -> tuple[Session, int, Action]:
    return Session(), 0, Ready(b"salt")


def a_second_ready() -> tuple[Session, int, Action]:
    return with_one_ready(), 0, Ready()


def a_resignation() -> tuple[Session, int, Action]:
    return dealt(), 1, Resign()


def a_first_offer() -> tuple[Session, int, Action]:
    return finished(TINY), 0, OfferRematch()


def a_second_offer() -> tuple[Session, int, Action]:
    session = finished(TINY)
    session.do(1, OfferRematch())
    return session, 0, OfferRematch()


CASES = [
    (a_turn, TableRefusalCode.STALE),
    (a_staged_card, TableRefusalCode.STALE),
    (a_take_back, TableRefusalCode.STALE),
    (a_first_ready, TableRefusalCode.ALREADY_READY),
    (a_second_ready, TableRefusalCode.ROUND_RUNNING),
    (a_resignation, RefusalCode.MATCH_OVER),
    (a_first_offer, TableRefusalCode.ALREADY_OFFERED),
    (a_second_offer, TableRefusalCode.ALREADY_OFFERED),
]
Case = Callable[[], tuple[Session, int, Action]]


@pytest.mark.parametrize(("case", "code"), CASES)
def test_of_ten_equal_wishes_from_two_tabs_one_comes_true(case: Case, code: str) -> None:
    session, seat, action = case()
    one_tab = session.command(seat, action)
    other_tab = session.command(seat, action)
    first = session.send(one_tab)
    assert isinstance(first, Step)
    after_first = snapshot(session.table)
    for _ in range(4):
        assert session.send(one_tab) == Repeated(first)
        refused = session.send(other_tab)
        assert isinstance(refused, Refused)
        assert refused.refusal.code == code
        assert refused.view == session.table.view(seat)
    assert session.table.__dict__ == after_first


def test_five_equal_turns_draw_one_card() -> None:
    session = dealt()
    before = session.position
    version = session.table.version(0)
    command = session.command(0, TakeTurn(passive_turn(before)))
    outcomes = [session.send(command) for _ in range(5)]
    assert [type(outcome) for outcome in outcomes] == [Step, *[Repeated] * 4]
    assert session.position.deck == before.deck[1:]
    assert session.table.version(0) == version + 1


def test_the_first_answer_is_given_for_ever_even_after_a_restart() -> None:
    session = dealt(TINY)
    command = session.command(0, TakeTurn(passive_turn(session.position)))
    first = session.send(command)
    assert isinstance(first, Step)
    session.finish_match(Random(5))
    assert session.table.decide(command) == Repeated(first)
    assert Table.from_steps(session.steps).decide(command) == Repeated(first)


def test_a_repeat_counts_whatever_version_it_has_seen() -> None:
    session = dealt()
    action = TakeTurn(passive_turn(session.position))
    first = session.do(0, action, name="once")
    again = session.send(session.command(0, action, name="once", seen=0))
    assert again == Repeated(first)


@pytest.mark.parametrize(("case", "code"), CASES)
def test_an_id_names_one_command_only(case: Case, code: str) -> None:
    session, seat, action = case()
    session.do(seat, action, name="mine")
    for other in ACTIONS:
        outcome = session.table.decide(session.command(seat, other, name="mine"))
        if other == action:
            assert isinstance(outcome, Repeated), code
        else:
            assert isinstance(outcome, Refused)
            assert outcome.refusal.code == TableRefusalCode.ID_REUSED
            assert "'mine'" in outcome.refusal.sentence
            assert outcome.view == session.table.view(seat)


def test_another_card_under_the_same_id_is_another_command() -> None:
    session = dealt()
    low, *_, high = session.position.hands[0]
    session.do(0, StageCard(Discard(low)), name="mine")
    outcome = session.refuse(0, StageCard(Discard(high)), name="mine")
    assert outcome.refusal.code == TableRefusalCode.ID_REUSED
    assert session.table.state.staged == Discard(low)


def test_both_seats_may_use_the_same_id() -> None:
    session = Session()
    session.do(0, Ready(), name="1")
    session.do(1, Ready(), name="1")
    assert session.table.state.position is not None


def test_the_id_of_a_refused_command_may_be_used_again() -> None:
    session = dealt()
    session.refuse(0, TakeBack(), name="mine")
    session.do(0, TakeTurn(passive_turn(session.position)), name="mine")


def test_a_stale_turn_is_refused_with_both_versions_and_the_current_view() -> None:
    session = dealt(first_starter=1)
    seen = session.table.version(0)
    session.random_turn(Random(2))
    turn = random_turn(session.position, Random(3))
    refused = session.refuse(0, TakeTurn(turn), seen=seen)
    assert refused.refusal.code == TableRefusalCode.STALE
    assert f"version {seen + 1}" in refused.refusal.sentence
    assert f"has seen {seen}:" in refused.refusal.sentence
    assert refused.view.version == seen + 1
    session.do(0, TakeTurn(turn))


@pytest.mark.parametrize("ahead", [1, 2, 10**9])
def test_a_turn_that_has_seen_the_future_is_refused_too(ahead: int) -> None:
    session = dealt()
    version = session.table.version(0)
    turn = TakeTurn(passive_turn(session.position))
    refused = session.refuse(0, turn, seen=version + ahead)
    assert refused.refusal.code == TableRefusalCode.STALE
