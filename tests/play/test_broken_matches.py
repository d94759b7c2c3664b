"""Steps that do not follow from each other make no table."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from lostcities.play import Event, Step, Table
from lostcities.play.events import (
    MatchEnded,
    RoundEnded,
    RoundStarted,
    SeatReady,
    TableOpened,
    TurnTaken,
)
from lostcities.play.table import InvalidStepsError
from lostcities.rules import CLASSIC, MINI, Cards, Color, Draw, LostCitiesError, Turn
from play.tables import SECRET, finished

Steps = list[Step]


def good_steps() -> Steps:
    return finished(MINI, seed=6).steps


def index_of(steps: Steps, kind: type, *, skip: int = 0) -> int:
    """Return where the first step with such an event stands, or a later one."""
    places = [i for i, step in enumerate(steps) if any(isinstance(e, kind) for e in step.events)]
    return places[skip]


def without(steps: Steps, index: int) -> Steps:
    return steps[:index] + steps[index + 1 :]


def with_event(steps: Steps, old: Event, new: Event) -> Steps:
    return [
        Step(step.command, tuple(new if event is old else event for event in step.events))
        for step in steps
    ]


def with_deal(steps: Steps, deal: Cards) -> Steps:
    event = steps[index_of(steps, RoundStarted)].events[-1]
    assert isinstance(event, RoundStarted)
    return with_event(steps, event, replace(event, deal=deal))


def with_illegal_turn(steps: Steps) -> Steps:
    """Have the first turn take from a pile on which nothing lies."""
    event = steps[index_of(steps, TurnTaken)].events[0]
    assert isinstance(event, TurnTaken)
    turn = Turn(event.turn.card_move, Draw(Color.BLUE))
    return with_event(steps, event, replace(event, turn=turn))


BREAKS: dict[str, Callable[[Steps], Steps]] = {
    "no steps": lambda _: [],
    "no opening": lambda steps: steps[1:],
    "an empty step first": lambda steps: [Step(None, ()), *steps],
    "two openings in one step": lambda steps: [Step(None, 2 * steps[0].events), *steps[1:]],
    "no deal": lambda steps: without(steps, index_of(steps, RoundStarted)),
    "a turn is missing": lambda steps: without(steps, index_of(steps, TurnTaken, skip=2)),
    "a turn is there twice": lambda steps: [*steps[:4], steps[3], *steps[4:]],
    "a round ends before it began": lambda steps: [steps[0], Step(None, (RoundEnded(1, (0, 0)),))],
    "a round too many": lambda steps: [*steps, Step(None, (RoundEnded(4, (0, 0)),))],
    "the deal of another deck": lambda steps: with_deal(steps, CLASSIC.deck),
    "a deal of no cards": lambda steps: with_deal(steps, ()),
    "an illegal turn": with_illegal_turn,
}


def test_the_unbroken_match_is_a_table() -> None:
    steps = good_steps()
    assert Table.from_steps(steps).state.ended is not None
    assert isinstance(steps[3].events[0], TurnTaken)
    assert isinstance(steps[0].events[0], TableOpened)
    assert {type(e) for step in steps for e in step.events} >= {SeatReady, MatchEnded, RoundEnded}


@pytest.mark.parametrize("name", BREAKS)
def test_broken_steps_are_refused_without_telling_the_secret(name: str) -> None:
    steps = BREAKS[name](good_steps())
    with pytest.raises(InvalidStepsError, match="steps of one match in their order") as caught:
        Table.from_steps(steps)
    assert isinstance(caught.value, LostCitiesError)
    assert SECRET.reveal() not in str(caught.value)


def test_no_turn_can_be_missing_from_the_middle_of_a_round() -> None:
    steps = good_steps()
    for index, (step, after) in enumerate(pairwise(steps)):
        if isinstance(step.events[0], TurnTaken) and isinstance(after.events[0], TurnTaken):
            with pytest.raises(InvalidStepsError):
                Table.from_steps(without(steps, index))
