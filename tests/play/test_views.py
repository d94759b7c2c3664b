"""What each viewer is shown of each event, and of the table."""

from dataclasses import fields
from random import Random
from typing import Any, get_args

import pytest

from lostcities.play import (
    SPECTATOR,
    Event,
    EventView,
    OfferRematch,
    Ready,
    Secret,
    StageCard,
    Table,
    TakeBack,
    Viewer,
    view,
)
from lostcities.play.events import CardStaged, CardTakenBack, RoundStarted, TurnTaken
from lostcities.play.views import (
    CardStagedView,
    CardTakenBackView,
    MatchEndedView,
    RematchAgreedView,
    RematchOfferedView,
    RoundEndedView,
    RoundStartedView,
    SeatReadyView,
    SecretRevealedView,
    TableOpenedView,
    TurnTakenView,
)
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    TINY,
    Cards,
    Discard,
    Draw,
    Observation,
    Position,
    PublicObservation,
    Standing,
    Turn,
    Variant,
)
from play.tables import MATCH_ID, NAMES, SECRET, VIEWERS, Session, dealt, finished

YELLOW_WAGER = CLASSIC.deck[0]
TAKE = Turn(Discard(YELLOW_WAGER), Draw(CLASSIC.colors[1]))
FROM_DECK = Turn(Discard(YELLOW_WAGER))


def types_in(hint: Any) -> set[Any]:  # noqa: ANN401 # whatever a field declares
    return {hint}.union(*map(types_in, get_args(hint)))


def everything_shown(kind: type, viewer: Viewer) -> list[Event]:
    """Return all events of a match in which everything happened, of one kind."""
    session = Session(TINY)
    session.start_round(b"a", b"b")
    session.do(session.mover, StageCard(Discard(session.position.mover_hand[0])))
    session.do(session.mover, TakeBack())
    session.finish_match(Random(3))
    session.do(0, OfferRematch())
    session.do(1, OfferRematch())
    events = [event for step in session.steps for event in step.events]
    shown = session.table.events_for(viewer)
    assert shown == [v for e in events if (v := view(e, viewer, variant=TINY)) is not None]
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("kind", get_args(Event))
def test_every_kind_of_event_has_a_view_or_is_hidden_on_purpose(kind: type) -> None:
    for viewer in VIEWERS:
        (event, *_) = everything_shown(kind, viewer)
        shown = view(event, viewer, variant=TINY)
        if isinstance(event, CardStaged | CardTakenBack) and viewer != event.seat:
            assert shown is None
        else:
            assert type(shown).__name__ == f"{kind.__name__}View"


@pytest.mark.parametrize("kind", get_args(EventView))
def test_no_view_has_a_field_that_could_hold_the_truth(kind: type) -> None:
    for field in fields(kind):
        assert not types_in(field.type) & {Secret, Position, Event}, field.name


ALLOWED = {
    TableOpenedView: "match_id variant names commitment first_starter opened_on",
    SeatReadyView: "seat entropy",
    RoundStartedView: "standing hand",
    CardStagedView: "move",
    CardTakenBackView: "",
    TurnTakenView: "seat turn drawn author",
    RoundEndedView: "round_number scores",
    MatchEndedView: "totals winner resigned",
    SecretRevealedView: "secret",
    RematchOfferedView: "seat",
    RematchAgreedView: "",
}


def test_a_new_field_in_a_view_has_to_be_allowed_here() -> None:
    assert {kind: " ".join(f.name for f in fields(kind)) for kind in get_args(EventView)} == ALLOWED


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("variant", [CLASSIC, LONG, MINI])
def test_a_seat_is_shown_every_second_card_and_a_spectator_none(
    variant: Variant, starter: int
) -> None:
    event = RoundStarted(Standing(2, 3, starter, (4, -7)), variant.deck[::-1])
    of_starter: Cards = tuple(sorted(event.deal[0 : 2 * variant.hand_size : 2]))
    of_other: Cards = tuple(sorted(event.deal[1 : 2 * variant.hand_size : 2]))
    views = [view(event, viewer, variant=variant) for viewer in (starter, 1 - starter, None)]
    assert views == [
        RoundStartedView(event.standing, of_starter),
        RoundStartedView(event.standing, of_other),
        RoundStartedView(event.standing, None),
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_from_the_deck_is_shown_to_who_drew_it(seat: int) -> None:
    event = TurnTaken(seat, FROM_DECK, drawn=CLASSIC.deck[-1])
    assert view(event, seat, variant=CLASSIC) == TurnTakenView(seat, FROM_DECK, CLASSIC.deck[-1])
    for viewer in (1 - seat, SPECTATOR):
        assert view(event, viewer, variant=CLASSIC) == TurnTakenView(seat, FROM_DECK, None)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_from_a_pile_is_shown_to_all(seat: int, viewer: Viewer) -> None:
    card = CLASSIC.deck[13]
    event = TurnTaken(seat, TAKE, drawn=card)
    assert view(event, viewer, variant=CLASSIC) == TurnTakenView(seat, TAKE, card)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_opening_shows_the_commitment_instead_of_the_secret(viewer: Viewer) -> None:
    (shown,) = Session(LONG, first_starter=1, opened_on="2026-01-02").table.events_for(viewer)
    assert shown == TableOpenedView(
        MATCH_ID, LONG, NAMES, SECRET.commitment(MATCH_ID), 1, "2026-01-02"
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_entropy_of_a_seat_is_for_all_to_see(viewer: Viewer) -> None:
    session = Session()
    session.do(1, Ready(b"salt"))
    assert session.table.events_for(viewer, after=1) == [SeatReadyView(1, b"salt")]
    assert session.table.view(viewer).entropy == (b"", b"salt")


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("variant", [TINY, MINI, Variant(tabletop_memory=True, num_rounds=1)])
def test_the_version_counts_what_was_shown_and_news_is_the_rest(
    viewer: Viewer, variant: Variant
) -> None:
    session = finished(variant, seed=8)
    shown = session.table.events_for(viewer)
    assert session.table.version(viewer) == len(shown) == session.table.view(viewer).version
    for after in (0, 1, 5, len(shown)):
        assert session.table.events_for(viewer, after=after) == shown[after:]
    for after in (-1, len(shown) + 1):
        with pytest.raises(ValueError, match=f"expected a version from 0 to {len(shown)}"):
            session.table.events_for(viewer, after=after)


@pytest.mark.parametrize("viewer", [-1, 2])
def test_nobody_else_is_shown_anything(viewer: int) -> None:
    table = dealt().table
    for ask in (table.events_for, table.view, table.version, table.observation):
        with pytest.raises(ValueError, match="expected seat 0 or 1"):
            ask(viewer)


def test_a_repeated_step_is_shown_as_it_was_the_first_time() -> None:
    session = dealt()
    step = session.steps[-1]
    for viewer in VIEWERS:
        shown = session.table.events_for(viewer)
        views = session.table.views_of(step, viewer)
        assert shown[len(shown) - len(views) :] == views


def test_each_viewer_gets_the_observation_of_its_own_kind() -> None:
    session = dealt()
    for _ in range(30):
        for seat in (0, 1):
            observation = session.table.view(seat).observation
            assert isinstance(observation, Observation)
            assert observation == session.position.observe(seat)
            assert observation.hand == session.position.hands[seat]
        public = session.table.view(SPECTATOR).observation
        assert type(public) is PublicObservation
        assert public == session.position.observe_publicly()
        session.random_turn(Random(1))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_last_turn_is_shown_as_its_event_is(viewer: Viewer) -> None:
    session = dealt()
    rng = Random(12)
    for _ in range(20):
        step = session.random_turn(rng)
        (event,) = step.events
        assert session.table.view(viewer).last_turn == view(event, viewer, variant=CLASSIC)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_secret_is_shown_after_the_end_and_not_a_moment_earlier(viewer: Viewer) -> None:
    session = finished(MINI, seed=9)
    for num_steps in range(1, len(session.steps)):
        table = Table.from_steps(session.steps[:num_steps])
        assert table.view(viewer).secret is None
        assert not any(isinstance(e, SecretRevealedView) for e in table.events_for(viewer))
    assert session.table.view(viewer).secret == SECRET.reveal()
    assert session.table.events_for(viewer)[-1] == SecretRevealedView(SECRET.reveal())
