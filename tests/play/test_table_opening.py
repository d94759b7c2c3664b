"""How a table begins: names, identifiers, and the first step."""

import pytest

from lostcities.play import (
    FairnessError,
    InvalidNameError,
    Secret,
    Stage,
    Step,
    Table,
    check_name,
    new_match_id,
    open_table,
)
from lostcities.play.events import SeatReady
from lostcities.rules import CLASSIC, LONG
from play.tables import MATCH_ID, NAMES, SECRET, VIEWERS, Session


def opening(names: tuple[str, str] = NAMES, match_id: str = MATCH_ID) -> Step:
    return open_table(variant=CLASSIC, names=names, match_id=match_id, secret=SECRET)


@pytest.mark.parametrize(
    "name", ["", "   ", "\t\n", "x" * 25, "x" * 200, "a\nb", "a\x00", "\u202e"]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_name_that_nobody_can_read_is_refused(name: str, seat: int) -> None:
    names = ("North", name) if seat else (name, "South")
    with pytest.raises(InvalidNameError, match="1 to 24 printable characters"):
        opening(names)


def test_the_message_about_a_long_name_stays_short_and_gives_its_length() -> None:
    with pytest.raises(InvalidNameError) as caught:
        check_name("y" * 5000)
    assert "5000 characters" in str(caught.value)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("name", ["x", "x" * 24, "ß 漢字", "می\u200cخواهم", 'a"b', "You"])
def test_a_readable_name_is_kept(name: str) -> None:
    assert check_name(name) == name


def test_blanks_around_a_name_are_cut() -> None:
    table = Table(opening((" North ", "South\t")))
    assert table.view(None).names == ("North", "South")


@pytest.mark.parametrize("match_id", ["", "a b", "a|b", "ä", "x" * 65, "a\n"])
def test_a_bad_match_id_is_refused(match_id: str) -> None:
    with pytest.raises(FairnessError, match="match id of 1 to 64"):
        opening(match_id=match_id)


@pytest.mark.parametrize("match_id", ["x", "A-z_0", "x" * 64])
def test_a_good_match_id_is_kept(match_id: str) -> None:
    assert Table(opening(match_id=match_id)).view(None).match_id == match_id


def test_new_match_ids_are_good_and_different() -> None:
    ids = [new_match_id() for _ in range(200)]
    assert len(set(ids)) == 200
    assert all(Table(opening(match_id=name)).view(0).match_id == name for name in ids)


def test_a_table_opens_with_an_opening_only() -> None:
    with pytest.raises(TypeError, match="SeatReady"):
        Table(Step(None, (SeatReady(0),)))


def test_an_opening_is_one_event() -> None:
    (opened,) = opening().events
    with pytest.raises(ValueError, match="unpack"):
        Table(Step(None, (opened, opened)))


def test_a_new_table_waits_for_both_seats_and_has_dealt_nothing() -> None:
    table = Session(LONG, first_starter=1, opened_on="2026-01-31").table
    for viewer in VIEWERS:
        view = table.view(viewer)
        assert view.stage is Stage.BETWEEN_ROUNDS
        assert view.version == 1
        assert view.observation is None
        assert view.secret is None
        assert view.ended is None
        assert view.last_turn is None
        assert view.staged is None
        assert view.ready == frozenset()
        assert view.entropy == (b"", b"")
        assert (view.variant, view.names) == (LONG, NAMES)
        assert (view.first_starter, view.opened_on) == (1, "2026-01-31")
        assert view.commitment == SECRET.commitment(MATCH_ID)


def test_before_the_deal_nobody_can_look_ahead() -> None:
    with pytest.raises(ValueError, match="no round has been dealt yet"):
        Session().table.observation_after(0, None)
    with pytest.raises(ValueError, match="no round has been dealt yet"):
        Session().table.view_to_decide(0)


def test_the_lot_decides_who_starts_unless_it_was_agreed() -> None:
    starters = set()
    for number in range(20):
        session = Session(secret=Secret(bytes([number]) * 32))
        session.start_round()
        starters.add(session.mover)
        for agreed in (0, 1):
            fixed = Session(secret=Secret(bytes([number]) * 32), first_starter=agreed)
            fixed.start_round()
            assert fixed.mover == agreed
            assert fixed.table.view(None).match.first_starter == agreed
    assert starters == {0, 1}
