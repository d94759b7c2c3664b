"""Kinds about matches: totals, starters, the end, the start of a new round."""

from collections.abc import Sequence
from typing import Final

from lostcities.conformance.fields import (
    CaseFault,
    Fact,
    Fields,
    answers,
    as_list,
    as_number,
    as_object,
    as_seat,
    wrong,
)
from lostcities.conformance.runs import OK, RUN_FACTS, Run
from lostcities.conformance.scores import DRAWN
from lostcities.conformance.states import read_variant, seat_or_none
from lostcities.rules import Match, Points, Position, RoundResult, seat_name

_START = "start_round"
_MOST_ROUNDS = 20


def _by_seat(points: Points, wanted: object) -> object:
    return {name: points[as_seat(name, "a seat")] for name in as_object(wanted, "points")}


def _winner(match: Match) -> str | None:
    """Return A, B or 'draw'; None while the match goes on."""
    if not match.is_over:
        return None
    return seat_or_none(match.leader) or DRAWN


_MATCH_FACTS: Final[dict[str, Fact[Match]]] = {
    "totals": lambda match, wanted: _by_seat(match.totals, wanted),
    "rounds_won": lambda match, wanted: _by_seat(match.rounds_won, wanted),
    "winner": lambda match, _: _winner(match),
    "leader": lambda match, _: seat_or_none(match.leader) or DRAWN,
    "starters": lambda match, _: [seat_name(result.starter) for result in match.rounds],
    "next_starter": lambda match, _: None if match.is_over else seat_name(match.next_starter()),
    "match_over": lambda match, _: match.is_over,
    "is_over": lambda match, _: match.is_over,
}


def run_match(setup: Fields, expected: object) -> dict[str, object]:
    """Add up rounds, each started by whom the policy names."""
    scores = [_points(value) for value in setup.items("round_scores")]
    lots = [as_seat(seat, "lots") for seat in as_list(setup.get("lots", []), "lots")]
    match = Match(read_variant(setup), setup.seat("first_starter", "A"))
    for index, points in enumerate(scores):
        lot = lots[index] if index < len(lots) else 0
        match = match.with_round(RoundResult(match.next_starter(lot), points))
    return answers(_MATCH_FACTS, match, expected)


def _points(value: object) -> Points:
    sides = Fields(value, "points")
    points = sides.number("A"), sides.number("B")
    sides.check_all_taken()
    return points


def run_match_over(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
    """Try to start further rounds; one that may start is also played."""
    match = Match(read_variant(setup), setup.seat("first_starter", "A"))
    for _ in range(_num_rounds(setup, "rounds_played")):
        match = _with_round(match, (0, 0))
    results = []
    for action in actions:
        _check_start(action)
        refusal = match.reason_against_round()
        results.append(f"illegal:{refusal.code}" if refusal else OK)
        if refusal is None:
            match = _with_round(match, (0, 0))
    facts = _MATCH_FACTS | {"results": lambda _, __: results}
    return answers(facts, match, expected)


def run_round_reset(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
    """Start the round that follows so many finished ones."""
    variant = read_variant(setup)
    match = Match(variant, setup.seat("first_starter", "A"))
    totals = _points(setup.take("totals"))
    num_rounds = _num_rounds(setup, "after_round")
    if num_rounds == 0 and totals != (0, 0):
        raise CaseFault("expected no totals before the first round")
    for index in range(num_rounds):
        match = _with_round(match, totals if index == 0 else (0, 0))
    if list(actions) != [_START]:
        raise wrong("the actions", f"[{_START!r}]", list(actions))
    start = Position.deal(variant.deck, variant=variant, standing=match.next_standing())
    return answers(RUN_FACTS | {"results": lambda _, __: [OK]}, Run.at(start), expected)


def _with_round(match: Match, scores: Points) -> Match:
    return match.with_round(RoundResult(match.next_starter(), scores))


def _num_rounds(setup: Fields, name: str) -> int:
    number = as_number(setup.take(name), name)
    if not 0 <= number <= _MOST_ROUNDS:
        raise wrong(name, f"from 0 to {_MOST_ROUNDS}", number)
    return number


def _check_start(action: str) -> None:
    if action != _START:
        raise wrong("an action", repr(_START), action)
