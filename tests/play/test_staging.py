"""A card put down for the time being: the own seat sees it, nobody else notices."""

from random import Random

import pytest

from lostcities.play import (
    EventView,
    StageCard,
    Table,
    TableRefusalCode,
    TableView,
    TakeBack,
    TakeTurn,
    Viewer,
)
from lostcities.play.views import CardStagedView, CardTakenBackView
from lostcities.rules import (
    TINY,
    Color,
    Discard,
    Observation,
    Phase,
    Play,
    RefusalCode,
    Turn,
)
from play.tables import R7, RX, VIEWERS, Session, dealt, finished, passive_turn, stacked

Shown = tuple[int, TableView, list[EventView]]


def shown(table: Table, viewer: Viewer) -> Shown:
    return table.version(viewer), table.view(viewer), table.events_for(viewer)


def shown_to_others(session: Session) -> list[Shown]:
    return [shown(session.table, viewer) for viewer in VIEWERS if viewer != session.mover]


def own_observation(session: Session, seat: int) -> Observation:
    observation = session.table.view(seat).observation
    assert isinstance(observation, Observation)
    return observation


@pytest.mark.parametrize("starter", [0, 1])
def test_nobody_else_notices_that_a_card_is_staged_moved_or_taken_back(starter: int) -> None:
    session = dealt(first_starter=starter)
    before = shown_to_others(session)
    hand = session.position.hands[starter]
    for action in (StageCard(Discard(hand[0])), StageCard(Play(hand[1])), TakeBack()):
        session.do(starter, action)
        assert shown_to_others(session) == before


@pytest.mark.parametrize("starter", [0, 1])
def test_the_own_seat_sees_its_card_lie_there_and_its_version_rises(starter: int) -> None:
    session = dealt(first_starter=starter)
    version, hand = session.table.version(starter), session.position.hands[starter]
    session.do(starter, StageCard(Play(hand[0])))
    assert session.table.version(starter) == version + 1
    assert session.table.view(starter).staged == Play(hand[0])
    observation = own_observation(session, starter)
    assert observation.phase is Phase.DRAW
    assert sorted((*observation.hand, hand[0])) == list(hand)
    assert observation.own_expeditions[hand[0].color] == (hand[0],)
    assert session.table.events_for(starter, after=version) == [CardStagedView(Play(hand[0]))]


def test_a_staged_card_changes_nothing_in_the_truth() -> None:
    session = dealt()
    before = session.position
    session.do(0, StageCard(Play(before.hands[0][0])))
    assert session.position == before


def test_a_card_taken_back_is_in_the_hand_again() -> None:
    session = dealt()
    before = own_observation(session, 0)
    session.do(0, StageCard(Discard(before.hand[3])))
    version = session.table.version(0)
    session.do(0, TakeBack())
    assert own_observation(session, 0) == before
    assert session.table.view(0).staged is None
    assert session.table.events_for(0, after=version) == [CardTakenBackView()]


def test_another_card_takes_the_place_of_a_staged_one() -> None:
    session = dealt()
    hand = session.position.hands[0]
    session.do(0, StageCard(Discard(hand[0])))
    session.do(0, StageCard(Play(hand[7])))
    assert session.table.view(0).staged == Play(hand[7])
    assert own_observation(session, 0).hand == hand[:7]


def test_a_turn_with_another_card_leaves_the_staged_one_in_the_hand() -> None:
    session = dealt()
    hand = session.position.hands[0]
    session.do(0, StageCard(Play(hand[0])))
    session.do(0, TakeTurn(Turn(Discard(hand[7]))))
    assert session.table.state.staged is None
    assert session.position.expeditions[0][hand[0].color] == ()
    assert session.position.piles[hand[7].color] == (hand[7],)
    assert set(hand[:7]) <= set(session.position.hands[0])


def test_a_turn_with_the_staged_card_needs_no_take_back() -> None:
    session = dealt()
    card = session.position.hands[0][0]
    session.do(0, StageCard(Play(card)))
    session.do(0, TakeTurn(Turn(Play(card))))
    assert session.position.expeditions[0][card.color] == (card,)
    assert session.table.view(0).staged is None


def test_a_turn_that_has_not_seen_the_own_staged_card_is_stale() -> None:
    session = dealt()
    seen = session.table.version(0)
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    refused = session.refuse(0, TakeTurn(passive_turn(session.position)), seen=seen)
    assert refused.refusal.code == TableRefusalCode.STALE
    assert refused.view.staged == Discard(session.position.hands[0][0])


def test_what_a_seat_stages_makes_nothing_stale_for_the_other() -> None:
    session = dealt()
    seen = session.table.version(1)
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    session.do(0, TakeBack())
    session.turn(passive_turn(session.position))
    assert session.table.version(1) == seen + 1


def test_only_a_staged_card_can_be_taken_back() -> None:
    session = dealt()
    nothing = session.refuse(0, TakeBack())
    assert nothing.refusal.code == TableRefusalCode.NOTHING_STAGED
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    session.do(0, TakeBack())
    again = session.refuse(0, TakeBack())
    assert again.refusal.code == TableRefusalCode.NOTHING_STAGED


def test_a_turn_stands_once_its_card_is_drawn() -> None:
    session = dealt()
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    session.turn(passive_turn(session.position))
    for seat in (0, 1):
        refused = session.refuse(seat, TakeBack())
        assert refused.refusal.code == TableRefusalCode.NOTHING_STAGED


def test_the_other_seat_cannot_take_a_staged_card_back_and_learns_nothing_from_trying() -> None:
    session = dealt()
    without = session.refuse(1, TakeBack())
    session.do(0, StageCard(Discard(session.position.hands[0][0])))
    staged = session.refuse(1, TakeBack())
    assert staged == without
    assert session.table.state.staged is not None


def test_the_other_seat_cannot_stage() -> None:
    session = dealt()
    refused = session.refuse(1, StageCard(Discard(session.position.hands[1][0])))
    assert refused.refusal.code == RefusalCode.NOT_YOUR_TURN


def test_of_three_equal_wagers_exactly_one_is_put_down() -> None:
    session = stacked((RX, RX, RX), (R7,))
    session.do(0, StageCard(Play(RX)))
    observation = own_observation(session, 0)
    assert observation.hand.count(RX) == 2
    assert observation.own_expeditions[Color.RED] == (RX,)
    session.do(0, TakeBack())
    assert own_observation(session, 0).hand.count(RX) == 3
    session.do(0, TakeTurn(Turn(Play(RX))))
    assert session.position.hands[0].count(RX) == 2
    assert session.position.expeditions[0][Color.RED] == (RX,)


def test_the_hand_has_eight_cards_again_after_a_restart() -> None:
    session = stacked((RX, RX, RX), (R7,))
    session.do(0, StageCard(Play(RX)))
    opening, *later = session.steps
    table = Table(opening)
    for step in later:
        table.apply(step)
    assert table.view(0) == session.table.view(0)
    assert table.state.position == session.position


def test_nothing_is_staged_when_the_next_round_begins_or_the_match_is_over() -> None:
    session = dealt(TINY)
    session.finish_round(Random(4))
    session.start_round()
    assert session.table.state.staged is None
    assert finished(TINY).table.state.staged is None
