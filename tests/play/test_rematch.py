"""Another match: offered, agreed, and started by the other seat."""

from random import Random

import pytest

from lostcities.play import OfferRematch, Resign, Secret, Stage, Table
from lostcities.play.events import RematchAgreed, RematchOffered, TableOpened
from lostcities.rules import LONG, TINY, Variant
from play.tables import NAMES, SECRET, Session, dealt, finished

OTHER_SECRET = Secret(bytes(reversed(range(32))))


def opening_of_rematch(session: Session, opened_on: str = "") -> TableOpened:
    step = session.table.rematch(match_id="another", secret=OTHER_SECRET, opened_on=opened_on)
    assert step.command is None
    (opening,) = step.events
    assert isinstance(opening, TableOpened)
    return opening


@pytest.mark.parametrize("first", [0, 1])
def test_a_rematch_is_agreed_when_the_second_seat_offers_it(first: int) -> None:
    session = finished(TINY)
    assert session.do(first, OfferRematch()).events == (RematchOffered(first),)
    assert session.table.view(None).rematch_offers == {first}
    second = session.do(1 - first, OfferRematch())
    assert second.events == (RematchOffered(1 - first), RematchAgreed())
    assert session.table.view(first).rematch_offers == {0, 1}


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_the_seat_that_did_not_start_the_match_starts_the_next(starter: int, seed: int) -> None:
    session = finished(TINY, seed=seed, first_starter=starter)
    assert opening_of_rematch(session).first_starter == 1 - starter


@pytest.mark.parametrize("number", range(6))
def test_a_starter_found_by_lot_is_swapped_too(number: int) -> None:
    session = Session(TINY, secret=Secret(bytes([number]) * 32))
    session.start_round()
    starter = session.mover
    session.finish_match(Random(number))
    table = Table(session.table.rematch(match_id="another", secret=OTHER_SECRET))
    assert table.view(0).first_starter == 1 - starter


def test_after_a_resignation_in_the_first_round_the_other_seat_starts() -> None:
    session = dealt(first_starter=1)
    session.do(0, Resign())
    assert opening_of_rematch(session).first_starter == 0


@pytest.mark.parametrize("agreed", [None, 0, 1])
def test_after_a_resignation_before_the_first_deal_the_lot_decides(agreed: int | None) -> None:
    session = Session(first_starter=agreed)
    session.do(0, Resign())
    assert opening_of_rematch(session).first_starter is None


def test_a_rematch_is_the_same_game_under_another_name_and_secret() -> None:
    variant = Variant(num_colors=6, num_rounds=2, stall_limit=5)
    session = Session(variant)
    session.do(1, Resign())
    opening = opening_of_rematch(session, opened_on="2026-02-03")
    assert opening.variant == variant
    assert opening.names == NAMES
    assert (opening.match_id, opening.opened_on) == ("another", "2026-02-03")
    assert opening.secret == OTHER_SECRET != SECRET


def test_a_rematch_can_be_played_to_the_end_and_played_again() -> None:
    session = finished(TINY, first_starter=0)
    for number in range(1, 4):
        step = session.table.rematch(
            match_id=f"match-{number}", secret=Secret(bytes([number]) * 32)
        )
        session.table, session.steps = Table(step), [step]
        session.start_round()
        assert session.mover == number % 2
        session.finish_match(Random(number))
        assert session.table.view(None).stage is Stage.OVER


def test_an_offer_is_shown_to_everybody() -> None:
    session = Session(LONG)
    session.do(0, Resign())
    versions = [session.table.version(viewer) for viewer in (0, 1, None)]
    session.do(1, OfferRematch())
    assert [session.table.version(viewer) for viewer in (0, 1, None)] == [v + 1 for v in versions]


def test_a_rematch_needs_a_match_that_is_over_and_a_secret_of_its_own() -> None:
    session = Session(TINY)
    with pytest.raises(ValueError, match="expected a match that is over"):
        session.table.rematch(match_id="next", secret=OTHER_SECRET)
    session.do(0, Resign())
    opening = session.table.state.opening
    for match_id, secret in ((opening.match_id, OTHER_SECRET), ("next", opening.secret)):
        with pytest.raises(ValueError, match="expected a new match id and a new secret"):
            session.table.rematch(match_id=match_id, secret=secret)
