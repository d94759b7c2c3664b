"""Every reason for which a table refuses something, and that nothing happens then."""

from collections.abc import Callable
from random import Random

import pytest

from lostcities.play import (
    Action,
    OfferRematch,
    Ready,
    Refused,
    Resign,
    StageCard,
    TableRefusalCode,
    TakeBack,
    TakeTurn,
)
from lostcities.rules import (
    LONG,
    TINY,
    Card,
    Color,
    Discard,
    Draw,
    IllegalMoveError,
    Play,
    RefusalCode,
    Turn,
    Variant,
)
from play.tables import B4, B6, R5, R7, RX, Session, dealt, finished, passive_turn, stacked


def discard(card: Card, draw: Draw | None = None) -> Turn:
    return Turn(Discard(card), draw or Draw())


def play(card: Card, draw: Draw | None = None) -> Turn:
    return Turn(Play(card), draw or Draw())


def wrong_seat() -> tuple[Session, int, Action]:
    session = dealt(first_starter=0)
    return session, 1, TakeTurn(Turn(Discard(session.position.hands[1][0])))


def not_in_hand() -> tuple[Session, int, Action]:
    return stacked((), (R7,)), 0, TakeTurn(discard(R7))


def descending() -> tuple[Session, int, Action]:
    session = stacked((R7, R5), ())
    session.turn(play(R7))
    session.turn(passive_turn(session.position))
    return session, 0, TakeTurn(play(R5))


def late_wager() -> tuple[Session, int, Action]:
    session = stacked((R7, RX), ())
    session.turn(play(R7))
    session.turn(passive_turn(session.position))
    return session, 0, TakeTurn(play(RX))


def no_such_color() -> tuple[Session, int, Action]:
    return stacked((R7,), ()), 0, TakeTurn(discard(R7, Draw(Color.PURPLE)))


def own_discard() -> tuple[Session, int, Action]:
    return stacked((R7,), ()), 0, TakeTurn(discard(R7, Draw(Color.RED)))


def empty_pile() -> tuple[Session, int, Action]:
    return stacked((R7,), ()), 0, TakeTurn(discard(R7, Draw(Color.GREEN)))


def stalling() -> tuple[Session, int, Action]:
    variant = Variant(stall_limit=1)
    session = stacked((R7, R5, B4), (B6,), variant)
    session.turn(discard(R7))
    session.turn(discard(B6, Draw(Color.RED)))
    return session, 0, TakeTurn(discard(R5, Draw(Color.BLUE)))


def between_rounds() -> tuple[Session, int, Action]:
    session = dealt(TINY)
    turn = passive_turn(session.position)
    session.finish_round(Random(3))
    return session, 0, TakeTurn(turn)


def over(action: Action) -> Callable[[], tuple[Session, int, Action]]:
    return lambda: (finished(TINY), 0, action)


RULES: list[tuple[Callable[[], tuple[Session, int, Action]], RefusalCode | TableRefusalCode]] = [
    (wrong_seat, RefusalCode.NOT_YOUR_TURN),
    (not_in_hand, RefusalCode.CARD_NOT_IN_HAND),
    (descending, RefusalCode.NOT_ASCENDING),
    (late_wager, RefusalCode.WAGER_AFTER_NUMBER),
    (no_such_color, RefusalCode.NO_SUCH_COLOR),
    (own_discard, RefusalCode.JUST_DISCARDED),
    (empty_pile, RefusalCode.PILE_EMPTY),
    (stalling, RefusalCode.MUST_DRAW_DECK),
    (between_rounds, TableRefusalCode.NOT_PLAYING),
    (over(TakeTurn(discard(R7))), RefusalCode.MATCH_OVER),
    (over(StageCard(Play(R7))), RefusalCode.MATCH_OVER),
    (over(TakeBack()), RefusalCode.MATCH_OVER),
    (over(Ready()), RefusalCode.MATCH_OVER),
    (over(Resign()), RefusalCode.MATCH_OVER),
]


@pytest.mark.parametrize(("case", "code"), RULES)
def test_the_table_refuses_with_the_reason_and_nothing_happens(
    case: Callable[[], tuple[Session, int, Action]], code: str
) -> None:
    session, seat, action = case()
    state, version = session.table.state, session.table.version(seat)
    refused = session.refuse(seat, action)
    assert refused.refusal.code == code
    assert session.table.state == state
    assert refused.view.version == version
    sentence = refused.refusal.sentence
    assert sentence.isprintable()
    assert sentence[0].islower()
    assert not sentence.endswith(".")


@pytest.mark.parametrize("case", [not_in_hand, descending, late_wager])
def test_a_card_that_cannot_be_put_down_cannot_be_staged_either(
    case: Callable[[], tuple[Session, int, Action]],
) -> None:
    session, seat, action = case()
    assert isinstance(action, TakeTurn)
    as_turn = session.refuse(seat, action)
    as_staged = session.refuse(seat, StageCard(action.turn.card_move))
    assert as_staged.refusal == as_turn.refusal
    with pytest.raises(IllegalMoveError) as caught:
        session.table.observation_after(seat, action.turn.card_move)
    assert caught.value.refusal == as_turn.refusal


@pytest.mark.parametrize("action", [StageCard(Play(R7)), TakeBack(), TakeTurn(discard(R7))])
def test_before_the_first_deal_there_is_nothing_to_play(action: Action) -> None:
    refused = Session().refuse(0, action)
    assert refused.refusal.code == TableRefusalCode.NOT_PLAYING


@pytest.mark.parametrize("seat", [2, -1, 17])
@pytest.mark.parametrize("action", [Ready(), Resign(), TakeTurn(discard(R7))])
def test_a_seat_that_does_not_exist_is_shown_what_a_spectator_sees(
    seat: int, action: Action
) -> None:
    session = dealt()
    seen = session.table.version(None)
    outcome = session.table.decide(session.command(seat, action, seen=seen))
    assert isinstance(outcome, Refused)
    assert outcome.refusal.code == TableRefusalCode.BAD_COMMAND
    assert f"got {seat}" in outcome.refusal.sentence
    assert outcome.view == session.table.view(None)


@pytest.mark.parametrize("name", ["x" * 65, "a\nb", "\x00", "x" * 10_000])
def test_a_bad_command_id_is_refused_and_not_repeated(name: str) -> None:
    refused = Session().refuse(0, Ready(), name=name)
    assert refused.refusal.code == TableRefusalCode.BAD_COMMAND
    assert name not in refused.refusal.sentence
    assert f"{len(name)} characters" in refused.refusal.sentence


def test_an_empty_command_id_is_refused() -> None:
    session = Session()
    command = session.command(0, Ready())
    empty = type(command)("", command.seat, command.seen, command.action)
    outcome = session.table.decide(empty)
    assert isinstance(outcome, Refused)
    assert outcome.refusal.code == TableRefusalCode.BAD_COMMAND


def test_a_command_id_of_64_characters_is_good() -> None:
    Session().do(0, Ready(), name="ß" * 64)


def test_entropy_of_64_bytes_is_good_and_more_is_refused() -> None:
    session = Session()
    refused = session.refuse(0, Ready(bytes(65)))
    assert refused.refusal.code == TableRefusalCode.BAD_COMMAND
    assert "got 65" in refused.refusal.sentence
    session.do(0, Ready(bytes(64)))
    assert session.table.view(1).entropy == (bytes(64), b"")


def test_entropy_after_the_first_deal_is_too_late() -> None:
    session = dealt(TINY)
    session.finish_round(Random(3))
    refused = session.refuse(1, Ready(b"late"))
    assert refused.refusal.code == TableRefusalCode.ENTROPY_TOO_LATE
    session.do(1, Ready())


def test_nobody_can_be_ready_twice_or_while_a_round_runs() -> None:
    session = Session()
    session.do(0, Ready(b"first"))
    twice = session.refuse(0, Ready(b"second thought"))
    assert twice.refusal.code == TableRefusalCode.ALREADY_READY
    assert session.table.state.entropy == (b"first", b"")
    session.do(1, Ready())
    for seat in (0, 1):
        running = session.refuse(seat, Ready())
        assert running.refusal.code == TableRefusalCode.ROUND_RUNNING


@pytest.mark.parametrize("make", [Session, dealt])
def test_no_rematch_is_offered_while_the_match_runs(make: Callable[[], Session]) -> None:
    refused = make().refuse(0, OfferRematch())
    assert refused.refusal.code == TableRefusalCode.MATCH_RUNNING


def test_a_rematch_is_offered_once() -> None:
    session = finished(TINY)
    session.do(1, OfferRematch())
    again = session.refuse(1, OfferRematch())
    assert again.refusal.code == TableRefusalCode.ALREADY_OFFERED
    assert session.table.state.rematch_offers == {1}


def test_six_colours_have_a_purple_pile() -> None:
    session = stacked((Card(Color.PURPLE, 4),), (R7,), LONG)
    session.turn(discard(Card(Color.PURPLE, 4)))
    session.turn(discard(R7, Draw(Color.PURPLE)))
    assert Card(Color.PURPLE, 4) in session.position.hands[1]
