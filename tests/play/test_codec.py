"""Every step can be stored on a line and read again, whatever it holds."""

import json
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.play import (
    Action,
    Command,
    Event,
    OfferRematch,
    Ready,
    Resign,
    Secret,
    Stage,
    StageCard,
    Step,
    Table,
    TakeBack,
    TakeTurn,
)
from lostcities.play.codec import CorruptLogError, step_from_json, step_to_json
from lostcities.play.events import (
    CardStaged,
    CardTakenBack,
    MatchEnded,
    RematchAgreed,
    RematchOffered,
    RoundEnded,
    RoundStarted,
    SeatReady,
    SecretRevealed,
    TableOpened,
    TurnTaken,
)
from lostcities.play.provenance import Author, Provenance
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    TINY,
    Card,
    Color,
    Discard,
    Draw,
    MatchGoal,
    Play,
    Standing,
    StarterPolicy,
    Turn,
    Variant,
)
from play.tables import AUTHOR, SECRET, Session, random_turn

PT, RX = Card(Color.PURPLE, 10), Card(Color.RED, 0)
ODD = Variant(
    num_colors=3,
    lowest_rank=3,
    highest_rank=9,
    wagers_per_color=0,
    hand_size=4,
    expedition_cost=7,
    bonus=0,
    bonus_threshold=3,
    num_rounds=9,
    starter_policy=StarterPolicy.ROUND_WINNER,
    match_goal=MatchGoal.ROUNDS,
    tabletop_memory=True,
    stall_limit=0,
    own_discard_block=False,
)
ORIGIN = Provenance(AUTHOR, 2**64 - 1, "0f" * 32)
BY_A_PROGRAM = Provenance(Author("exec:my bot ß {1}", seconds=0.1, stands_in_for="x"), 0, "00" * 32)
EVENTS: tuple[Event, ...] = (
    TableOpened("an-id", CLASSIC, ("North", "South"), SECRET),
    TableOpened("an-id", LONG, ('"\\', "漢字 ß"), Secret(b"\xff" * 32), 0, "2026-01-31"),
    TableOpened("an-id", ODD, ("You", "heuristic"), SECRET, 1),
    SeatReady(0),
    SeatReady(1, bytes(range(64))),
    RoundStarted(Standing(3, 9, 1, (-240, 17)), LONG.deck[::-1]),
    RoundStarted(Standing(), MINI.deck),
    CardStaged(1, Play(PT)),
    CardStaged(0, Discard(RX)),
    CardTakenBack(1),
    TurnTaken(0, Turn(Play(RX)), PT),
    TurnTaken(1, Turn(Discard(PT), Draw(Color.RED)), RX),
    TurnTaken(1, Turn(Discard(PT)), RX, ORIGIN),
    TurnTaken(0, Turn(Play(RX)), PT, BY_A_PROGRAM),
    RoundEnded(2, (-43, 156)),
    MatchEnded((-43, -43), None),
    MatchEnded((1, 0), 0),
    MatchEnded((0, 1), 0, 1),
    SecretRevealed(SECRET),
    RematchOffered(1),
    RematchAgreed(),
)
ACTIONS: tuple[Action, ...] = (
    Ready(),
    Ready(b"\x00\xff"),
    StageCard(Discard(PT)),
    StageCard(Play(RX)),
    TakeBack(),
    TakeTurn(Turn(Play(PT), Draw(Color.YELLOW))),
    TakeTurn(Turn(Discard(RX))),
    TakeTurn(Turn(Discard(RX)), ORIGIN),
    Resign(),
    OfferRematch(),
)


def there_and_back(step: Step) -> Step:
    line = step_to_json(step)
    assert "\n" not in line
    return step_from_json(line)


def test_every_kind_of_event_and_action_is_tried_below() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert {type(action) for action in ACTIONS} == set(get_args(Action))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_can_be_stored(event: Event) -> None:
    assert there_and_back(Step(None, (event,))) == Step(None, (event,))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_a_command_can_be_stored(action: Action) -> None:
    step = Step(Command('an id "ß"', 1, 41, action), ())
    assert there_and_back(step) == step


def test_events_keep_their_order() -> None:
    assert there_and_back(Step(None, EVENTS)).events == EVENTS


def test_the_stored_form_is_what_it_was() -> None:
    """A log that was stored by an older program has to be read for ever."""
    command = Command("c1", 0, 4, TakeTurn(Turn(Discard(RX), Draw(Color.BLUE))))
    events = (
        TurnTaken(0, command.action.turn, Card(Color.BLUE, 10)),  # type: ignore[union-attr] # made above
        RoundEnded(1, (5, -6)),
    )
    line = (
        '{"command":{"id":"c1","seat":0,"seen":4,"action":{"type":"TakeTurn","turn":"-Rx/B"}},'
        '"events":[{"type":"TurnTaken","seat":0,"turn":"-Rx/B","drawn":"BT"},'
        '{"type":"RoundEnded","round_number":1,"scores":[5,-6]}]}'
    )
    assert step_to_json(Step(command, events)) == line
    assert step_from_json(line) == Step(command, events)


def test_a_turn_of_the_computer_is_stored_with_where_it_comes_from() -> None:
    command = Command("c1", 1, 4, TakeTurn(Turn(Discard(RX)), ORIGIN))
    origin = (
        f"agent=level:5 version=0.1.0+0123456789ab playouts=200 seed={'f' * 16} saw={'0f' * 32}"
    )
    line = (
        '{"command":{"id":"c1","seat":1,"seen":4,"action":{"type":"TakeTurn","turn":"-Rx/D",'
        f'"provenance":"{origin}"}}}},"events":[]}}'
    )
    assert step_to_json(Step(command, ())) == line
    assert step_from_json(line) == Step(command, ())


@pytest.mark.parametrize("value", ["null", "1", '"agent=level:5"', '""', "[]", '"agent=x seed=0"'])
def test_half_of_where_a_turn_comes_from_is_refused(value: str) -> None:
    line = (
        '{"command":null,"events":[{"type":"TurnTaken","seat":0,"turn":"-Rx/B","drawn":"BT",'
        f'"provenance":{value}}}]}}'
    )
    with pytest.raises(CorruptLogError):
        step_from_json(line)


def test_an_opening_is_stored_with_all_numbers_of_its_game() -> None:
    line = step_to_json(Step(None, (TableOpened("m", ODD, ("A", "B"), SECRET, 1, "2026-01-31"),)))
    (event,) = json.loads(line)["events"]
    rules = event.pop("variant")
    assert event == {
        "type": "TableOpened",
        "match_id": "m",
        "names": ["A", "B"],
        "secret": SECRET.reveal(),
        "first_starter": 1,
        "opened_on": "2026-01-31",
    }
    assert rules[:2] == [3, 9]
    assert len(rules[2].split()) == 12


def test_of_equal_wagers_each_is_stored() -> None:
    event = RoundStarted(Standing(), CLASSIC.deck)
    (stored,) = there_and_back(Step(None, (event,))).events
    assert isinstance(stored, RoundStarted)
    assert stored.deal.count(RX) == 3


numbers_of_games = st.fixed_dictionaries(
    {},
    optional={
        "num_colors": st.integers(2, 6),
        "wagers_per_color": st.integers(0, 4),
        "hand_size": st.integers(1, 8),
        "expedition_cost": st.integers(0, 1000),
        "bonus": st.integers(0, 1000),
        "bonus_threshold": st.integers(1, 100),
        "num_rounds": st.integers(1, 9),
        "starter_policy": st.sampled_from(StarterPolicy),
        "match_goal": st.sampled_from(MatchGoal),
        "tabletop_memory": st.booleans(),
        "stall_limit": st.none() | st.integers(0, 200),
        "own_discard_block": st.booleans(),
    },
)


@given(numbers_of_games, st.binary(min_size=32, max_size=32), st.sampled_from((None, 0, 1)))
def test_every_game_can_be_stored(
    numbers: dict[str, Any], key: bytes, first_starter: int | None
) -> None:
    opened = TableOpened("m", Variant(**numbers), ("A", "B"), Secret(key), first_starter)
    assert there_and_back(Step(None, (opened,))).events == (opened,)


@given(
    st.sampled_from((TINY, MINI, ODD, LONG)),
    st.integers(0, 2**32),
    st.tuples(st.binary(max_size=64), st.binary(max_size=64)),
)
def test_a_match_goes_on_from_its_stored_lines(
    variant: Variant, seed: int, entropy: tuple[bytes, bytes]
) -> None:
    rng = Random(seed)
    session = Session(variant, secret=Secret(rng.randbytes(32)))
    session.start_round(*entropy)
    for _ in range(rng.randrange(60)):
        if session.table.state.stage is Stage.OVER:
            session.do(rng.randrange(2), OfferRematch())
            break
        if session.table.state.stage is Stage.BETWEEN_ROUNDS:
            session.start_round()
        if rng.random() < 0.05:
            session.do(rng.randrange(2), Resign())
            continue
        turn = random_turn(session.position, rng)
        if rng.random() < 0.3:
            session.do(session.mover, StageCard(turn.card_move))
            session.do(session.mover, TakeBack())
        session.do(session.mover, TakeTurn(turn))
    lines = [step_to_json(step) for step in session.steps]
    steps = [step_from_json(line) for line in lines]
    assert steps == session.steps
    assert Table.from_steps(steps).__dict__ == session.table.__dict__
