"""The record of a match: no hidden card while it runs, everything after its end."""

from collections.abc import Callable
from random import Random

import pytest

from lostcities.notation import RoundRecord, format_records, parse_records, replay
from lostcities.play import Ready, Resign, Stage, StageCard, Viewer
from lostcities.play.events import RoundStarted, TurnTaken
from lostcities.play.recording import match_records
from lostcities.play.verification import verify_deals
from lostcities.rules import CLASSIC, LONG, MINI, TINY, Discard, Play, Variant
from play.tables import (
    MATCH_ID,
    NAMES,
    SECRET,
    VIEWERS,
    Session,
    dealt,
    events_in,
    finished,
    random_turn,
)

VARIANTS = (
    CLASSIC,
    LONG,
    MINI,
    TINY,
    Variant(num_rounds=1, tabletop_memory=True, stall_limit=3),
    Variant(num_colors=3, hand_size=5, num_rounds=2, own_discard_block=False),
)


def is_proper(records: tuple[RoundRecord, ...]) -> bool:
    """Return whether the records are the same again after they were written and read."""
    return parse_records(format_records(records)) == records


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_record_of_a_running_match_holds_no_hidden_card(
    variant: Variant, viewer: Viewer
) -> None:
    rng = Random(21)
    session = Session(variant)
    num_checked = 0
    while session.table.state.stage is not Stage.OVER:
        session.start_round()
        while session.table.state.stage is Stage.PLAYING:
            records = match_records(session.table, viewer)
            num_checked += 1
            taken = [e for e in events_in(session.steps, TurnTaken) if isinstance(e, TurnTaken)]
            written = [turn for record in records for turn in record.turns]
            assert [turn.turn for turn in written] == [event.turn for event in taken]
            for turn, event in zip(written, taken, strict=True):
                is_own_draw = event.seat == viewer and event.turn.draw.pile is None
                assert turn.drawn == (event.drawn if is_own_draw else None)
            assert all(record.deal is None for record in records)
            assert all(record.tag("Secret") is None for record in records)
            assert not records[-1].is_over
            assert records[-1].result is None
            if num_checked % 7 == 0:
                assert is_proper(records)
            session.random_turn(rng)
    assert num_checked > 3


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_record_of_a_finished_match_holds_every_deal_and_verifies(
    variant: Variant, viewer: Viewer
) -> None:
    session = finished(variant, seed=4, entropy=(b"\x01", b""), opened_on="2026-03-04")
    records = match_records(session.table, viewer)
    deals = [
        event.deal
        for event in events_in(session.steps, RoundStarted)
        if isinstance(event, RoundStarted)
    ]
    assert [record.deal for record in records] == deals
    assert [record.result for record in records] == [
        result.scores for result in session.table.state.match.rounds
    ]
    for record in records:
        assert record.is_over
        assert record.variant == variant
        assert record.names == NAMES
        assert record.tags == (
            ("Date", "2026-03-04"),
            ("Match", MATCH_ID),
            ("Commitment", SECRET.commitment(MATCH_ID)),
            ("EntropyA", "01"),
            ("Secret", SECRET.reveal()),
        )
        assert all(turn.drawn is None for turn in record.turns)
        assert replay(record).scores == record.result
    assert is_proper(records)
    assert all(check.problem is None for check in verify_deals(records))


def test_every_viewer_has_the_same_record_after_the_end() -> None:
    table = finished(MINI, seed=4).table
    assert match_records(table, 0) == match_records(table, 1) == match_records(table, None)


def test_the_totals_before_a_round_are_those_of_the_rounds_before() -> None:
    records = match_records(finished(Variant(num_rounds=3), seed=5).table, None)
    totals = (0, 0)
    for number, record in enumerate(records, 1):
        assert (record.standing.round_number, record.standing.num_rounds) == (number, 3)
        assert record.standing.totals == totals
        assert record.result is not None
        totals = (totals[0] + record.result[0], totals[1] + record.result[1])


def test_before_the_first_deal_there_is_nothing_to_record() -> None:
    session = Session()
    assert match_records(session.table, 0) == ()
    session.do(1, Resign())
    assert match_records(session.table, 0) == ()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resigned_round_says_who_resigned_and_verifies(seat: int) -> None:
    session = dealt(first_starter=None)
    for _ in range(7):
        session.random_turn(Random(8))
    session.do(seat, Resign())
    for viewer in VIEWERS:
        (record,) = match_records(session.table, viewer)
        assert record.tag("Termination") == f"{'AB'[seat]} resigned"
        assert record.tag("Secret") == SECRET.reveal()
        assert record.deal is not None
        assert not record.is_over
        assert record.result is None
        assert is_proper((record,))
        assert replay(record).final.hands == session.position.hands
        assert all(check.problem is None for check in verify_deals((record,)))


def test_only_the_broken_off_round_of_a_resigned_match_says_so() -> None:
    session = dealt(TINY)
    session.finish_round(Random(2))
    session.start_round()
    session.do(1, Resign())
    first, second = match_records(session.table, 0)
    assert first.tag("Termination") is None
    assert first.is_over
    assert second.tag("Termination") == "B resigned"
    assert second.turns == ()
    assert is_proper((first, second))


@pytest.mark.parametrize("starter", [0, 1])
def test_an_agreed_starter_is_recorded_and_the_lot_left_out(starter: int) -> None:
    records = match_records(finished(TINY, seed=1, first_starter=starter).table, 0)
    assert all(r.tag("FirstStarter") == f"{'AB'[starter]} agreed" for r in records)
    assert records[0].standing.starter == starter
    checks = verify_deals(records)
    assert all(check.problem is None for check in checks)
    assert any("starter agreed" in check.what for check in checks)


def test_a_starter_by_lot_is_not_recorded_as_agreed_and_is_verified() -> None:
    records = match_records(finished(TINY, seed=1).table, 0)
    assert all(record.tag("FirstStarter") is None for record in records)
    assert [check.what for check in verify_deals(records) if "1: number" in check.what] == [
        "round 1: number, starter and totals"
    ]


def test_no_date_is_recorded_where_nobody_told_it() -> None:
    assert match_records(dealt().table, 0)[0].tag("Date") is None


def staged_play(session: Session) -> None:
    session.do(0, StageCard(Play(session.position.hands[0][0])))


def staged_discard(session: Session) -> None:
    session.do(0, StageCard(Discard(session.position.hands[0][0])))


@pytest.mark.parametrize("stage", [staged_play, staged_discard])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_staged_card_is_in_no_record(stage: Callable[[Session], None], viewer: Viewer) -> None:
    session = dealt()
    before = match_records(session.table, viewer)
    stage(session)
    assert match_records(session.table, viewer) == before


def test_between_rounds_the_deals_stay_hidden() -> None:
    session = dealt(MINI)
    rng = Random(3)
    while session.table.state.stage is Stage.PLAYING:
        session.turn(random_turn(session.position, rng))
    session.do(0, Ready())
    for viewer in VIEWERS:
        (record,) = match_records(session.table, viewer)
        assert record.is_over
        assert record.result == session.position.scores
        assert record.deal is None
        assert is_proper((record,))
