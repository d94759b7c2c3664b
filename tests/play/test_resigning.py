"""Giving up a match: in every stage, and what stands afterwards."""

from collections.abc import Callable
from random import Random

import pytest

from lostcities.play import (
    Ready,
    Resign,
    Stage,
    StageCard,
    TakeBack,
)
from lostcities.play.events import (
    MatchEnded,
    RoundEnded,
    SecretRevealed,
)
from lostcities.play.views import MatchEndedView
from lostcities.rules import (
    CLASSIC,
    TINY,
    Discard,
    Play,
    RefusalCode,
)
from play.tables import (
    SECRET,
    VIEWERS,
    Session,
    dealt,
    events_in,
)


def scores_of(session: Session) -> list[tuple[int, int]]:
    ended = events_in(session.steps, RoundEnded)
    return [event.scores for event in ended if isinstance(event, RoundEnded)]


def sums(scores: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(a for a, _ in scores), sum(b for _, b in scores)


def before_anything() -> Session:
    return Session()


def with_one_ready() -> Session:
    session = Session()
    session.do(0, Ready())
    return session


def with_a_staged_card() -> Session:
    session = dealt()
    session.do(0, StageCard(Play(session.position.hands[0][0])))
    return session


def after_a_round() -> Session:
    session = dealt(TINY)
    session.finish_round(Random(6))
    return session


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "stage", [before_anything, with_one_ready, dealt, with_a_staged_card, after_a_round]
)
def test_a_seat_can_resign_in_every_stage(stage: Callable[[], Session], seat: int) -> None:
    session = stage()
    played = sums(scores_of(session))
    step = session.do(seat, Resign())
    assert step.events == (MatchEnded(played, 1 - seat, seat), SecretRevealed(SECRET))
    for viewer in VIEWERS:
        view = session.table.view(viewer)
        assert view.stage is Stage.OVER
        assert view.ended == MatchEndedView(played, 1 - seat, seat)
        assert view.staged is None
        assert view.secret == SECRET.reveal()
        assert len(view.match.rounds) == len(scores_of(session))
    card = Discard(CLASSIC.deck[0])
    for action in (Ready(), Resign(), StageCard(card), TakeBack()):
        for asking in (0, 1):
            refused = session.refuse(asking, action)
            assert refused.refusal.code == RefusalCode.MATCH_OVER


def test_a_resigned_round_adds_no_points() -> None:
    session = after_a_round()
    totals = sums(scores_of(session))
    session.start_round()
    session.random_turn(Random(1))
    session.do(1, Resign())
    ended = session.table.view(0).ended
    assert ended is not None
    assert ended.totals == totals
