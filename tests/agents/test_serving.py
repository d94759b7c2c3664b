"""Our agents behind the bot protocol keep to the clock that they are given."""

import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import perf_counter

import pytest

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.external import ExternalAgent
from lostcities.agents.registry import make_agent
from lostcities.agents.serving import serve
from lostcities.agents.simple import Discarder
from lostcities.agents.turns import choose_turn
from lostcities.arena.duplicate import deal_number
from lostcities.arena.rounds import MAX_FAULTS, play_round
from lostcities.notation import format_turn, parse_turn
from lostcities.notation.positions import format_observation
from lostcities.rules import (
    CLASSIC,
    NO_MEMORY,
    ONLINE_STALL_LIMIT,
    SEATS,
    Observation,
    Phase,
    Position,
    Seat,
    Standing,
    Turn,
    WrittenTurn,
    remember,
    seen_by,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
CLOCK = 0.6


def view() -> Observation:
    """Return what a mover sees who finds neither the card nor the draw easy to choose."""
    position, rng = Position.deal(deal_number(1, 0, GUARDED), variant=GUARDED), Random(1)
    heuristic = make_agent("heuristic")
    for _ in range(80):
        seen = position.observe(position.mover)
        position = position.after(heuristic.decide(seen, rng=rng).move)
    assert sum(map(bool, position.piles)) > 2
    return position.observe(position.mover)


def questions(seen: Observation, clock: float, num: int) -> Iterator[str]:
    """Yield a beginning and the same question again and again."""
    seat = "AB"[seen.seat]
    yield json.dumps({"type": "new", "seat": seat, "colors": 5, "rounds": 3, "seed": 7})
    for number in range(num):
        question = {
            "type": "choose",
            "id": number,
            "observation": format_observation(seen),
            "legal": [format_turn(turn) for turn in seen.legal_turns],
            "last": "",
            "clock": {"move": clock},
        }
        yield json.dumps(question)


@pytest.mark.parametrize("spec", ["search", "expert", "ismcts", "expert:playouts=99999"])
def test_card_and_draw_together_fit_into_the_clock(spec: str) -> None:
    answers = serve(make_agent(spec), questions(view(), CLOCK, 4))
    next(answers)  # whatever is loaded only once
    used = []
    for _ in range(3):
        start = perf_counter()
        next(answers)
        used.append(perf_counter() - start)
    assert min(used) > 0.5 * CLOCK, "the time is there to be used"
    # A busy machine may take its time, but not as much again, and not whenever it is asked.
    assert min(used) < 1.5 * CLOCK


class Watch:
    """Writes down what it is allowed."""

    name = "watch"

    def __init__(self) -> None:
        self.limits: dict[Phase, Limit] = {}

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        self.limits[observation.phase] = limit
        return Discarder().decide(observation, rng=rng)


@pytest.mark.parametrize("clock", [0.001, 0.05, 1.0, 60.0])
def test_the_limits_of_both_plies_leave_a_reserve(clock: float) -> None:
    """An agent that needs none of its time for the card has nearly all of it for the draw."""
    watch = Watch()
    assert len(list(serve(watch, questions(view(), clock, 1)))) == 1
    card, draw = (watch.limits[phase].seconds for phase in (Phase.CARD, Phase.DRAW))
    assert card is not None
    assert draw is not None
    assert 0.0 < card <= max(0.001, clock / 2)
    assert 0.0 < draw < max(0.002, clock)
    assert clock < 1.0 or draw > 0.8 * clock


def test_without_a_clock_there_is_no_limit() -> None:
    watch = Watch()
    lines = [json.loads(line) for line in questions(view(), 1.0, 1)]
    del lines[1]["clock"]
    assert len(list(serve(watch, map(json.dumps, lines)))) == 1
    assert set(watch.limits.values()) == {NO_LIMIT}


def test_an_engine_plays_a_whole_round_by_its_clock() -> None:
    command = shlex.join([sys.executable, "-m", "lostcities", "engine", "--agent", "search"])
    report = play_round(
        Position.deal(deal_number(1, 0, GUARDED), variant=GUARDED),
        (ExternalAgent(command), Discarder()),
        lots="engine",
        limits=(Limit(seconds=0.3), Limit()),
        is_tolerant=True,
    )
    # A busy machine may take the processor away now and then; twice the time is a fault each turn.
    assert len(report.faults) < MAX_FAULTS


class Rememberer:
    """Discards, and keeps what it is shown at each card."""

    name = "rememberer"

    def __init__(self) -> None:
        self.views: list[Observation] = []

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        if observation.phase is Phase.CARD:
            self.views.append(observation)
        return Discarder().decide(observation, rng=rng, limit=limit)


class Questioner:
    """Asks an engine for the turns of one seat."""

    def __init__(self, agent: Rememberer, seat: Seat) -> None:
        self.seat = seat
        self._rng = Random(5)
        self._lines: list[str] = []
        self._answers = serve(agent, iter(lambda: self._lines.pop(0), "end"))

    def play(
        self, number: int, standing: Standing
    ) -> tuple[Position, list[Turn], list[Observation]]:
        """Play a round against rules of thumb; return it, and what the seat saw before its turns."""
        position = Position.deal(
            deal_number(2, number, GUARDED), variant=GUARDED, standing=standing
        )
        start, turns, views = position, list[Turn](), list[Observation]()
        question = {"type": "new", "seat": "AB"[self.seat], "colors": 5, "rounds": 3, "seed": 7}
        self._lines.append(json.dumps(question))
        last = ""
        while not position.is_over:
            view = position.observe(position.mover)
            if position.mover == self.seat:
                views.append(view.with_past(seen_by(self.seat, start, turns)))
                turn = self._ask(view, last)
            else:
                other = make_agent("heuristic")
                turn = choose_turn(other, view, seed=self._rng.getrandbits(64)).turn
                drawn = position.after(turn.card_move).card_drawn_by(turn.draw)
                written = WrittenTurn(turn, drawn).as_others_saw()
                last = format_turn(turn, written.drawn)
            turns.append(turn)
            position = position.after_turn(turn)
        self._lines.append(json.dumps({"type": "end", "scores": position.scores}))
        return start, turns, views

    def _ask(self, view: Observation, last: str) -> Turn:
        question = {
            "type": "choose",
            "id": 1,
            "observation": format_observation(view),
            "legal": [format_turn(turn) for turn in view.legal_turns],
            "last": last,
        }
        self._lines.append(json.dumps(question))
        return parse_turn(json.loads(next(self._answers))["turn"]).turn


def replay_of(position: Position, turns: list[Turn]) -> Position:
    """Return the position after turns."""
    for turn in turns:
        position = position.after_turn(turn)
    return position


@pytest.mark.parametrize("seat", SEATS)
def test_an_engine_remembers_the_turns_as_the_arena_does(seat: Seat) -> None:
    """Its own draws are told by the next hand alone."""
    told = Rememberer()
    _, _, expected = Questioner(told, seat).play(0, Standing(num_rounds=3))
    shown = told.views[1:]  # the first one is the rehearsal
    assert [view.past for view in shown] == [view.past for view in expected]
    assert len(expected) > 10
    assert {view.earlier for view in shown} == {()}


@pytest.mark.parametrize("seat", SEATS)
def test_an_engine_remembers_the_rounds_of_a_match_as_the_arena_does(seat: Seat) -> None:
    told = Rememberer()
    questioner, memory, totals = Questioner(told, seat), NO_MEMORY, (0, 0)
    for number in (1, 2, 3):
        begin = len(told.views)
        standing = Standing(number, 3, starter=number % 2, totals=totals)
        start, turns, _ = questioner.play(number, standing)
        for view in told.views[max(1, begin) :]:
            assert [kept.past for kept in view.earlier] == [kept.past for kept in memory[seat]]
            assert [kept.hand for kept in view.earlier] == [kept.hand for kept in memory[seat]]
        memory = remember(memory, start, turns)
        final = replay_of(start, turns)
        totals = totals[0] + final.scores[0], totals[1] + final.scores[1]


def test_an_engine_takes_no_round_of_another_match_for_one_before() -> None:
    told = Rememberer()
    questioner = Questioner(told, 0)
    start, turns, _ = questioner.play(1, Standing(1, 3, starter=0))
    scores = replay_of(start, turns).scores
    for standing in (
        Standing(2, 3, starter=0, totals=(9, 999)),  # other totals
        Standing(3, 3, starter=0, totals=scores),  # a round is missing
        Standing(2, 3, starter=0, totals=scores),  # a third round of another one was in between
        Standing(3, 3, starter=0, totals=(9, 999)),  # a round is missing
        Standing(1, 3, starter=0),
    ):
        begin = len(told.views)
        questioner.play(2, standing)
        assert {view.earlier for view in told.views[begin:]} == {()}
