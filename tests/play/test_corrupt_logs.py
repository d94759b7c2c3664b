"""A stored line that is damaged is refused, with one kind of error and without its secret."""

import json
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.play import OfferRematch, StageCard, Step, TakeBack
from lostcities.play.codec import CorruptLogError, step_from_json, step_to_json
from lostcities.play.events import TurnTaken
from lostcities.rules import TINY, Discard
from play.tables import SECRET, Session, random_turn

Path = tuple[str | int, ...]
NULLABLE = ("first_starter", "winner", "resigned", "command")
TEXTS = ("id", "match_id", "opened_on")


def lines_of_a_match() -> list[str]:
    """Return one line of each form, from a match in which everything happened."""
    session = Session(TINY, opened_on="2026-01-31")
    session.start_round(b"a", b"b")
    session.do(session.mover, StageCard(Discard(session.position.mover_hand[0])))
    session.do(session.mover, TakeBack())
    session.turn_by_computer(random_turn(session.position, Random(3)))
    session.finish_match(Random(3))
    session.do(0, OfferRematch())
    session.do(1, OfferRematch())
    by_form = {_form_of(step): step for step in session.steps}
    return [step_to_json(step) for step in by_form.values()]


def _form_of(step: Step) -> tuple[object, ...]:
    has_origin = [isinstance(event, TurnTaken) and event.provenance for event in step.events]
    return (*map(type, step.events), *map(bool, has_origin))


LINES = lines_of_a_match()
OPENING = LINES[0]


def paths_in(data: Any) -> Iterator[Path]:  # noqa: ANN401 # any JSON
    yield ()
    parts: Any = data.items() if isinstance(data, dict) else ()
    parts = enumerate(data) if isinstance(data, list) else parts
    for key, part in parts:
        for path in paths_in(part):
            yield (key, *path)


def at(data: Any, path: Path) -> Any:  # noqa: ANN401 # any JSON
    for key in path:
        data = data[key]
    return data


def changed(data: Any, path: Path, value: object) -> Any:  # noqa: ANN401 # any JSON
    if not path:
        return value
    data = deepcopy(data)
    at(data, path[:-1])[path[-1]] = value
    return data


def is_refused(line: str) -> bool:
    """Return whether the line is refused; any other error than the one promised is raised."""
    try:
        step = step_from_json(line)
    except CorruptLogError as error:
        told = "".join(traceback.format_exception(error))
    else:
        assert isinstance(step, Step)
        return False
    assert SECRET.reveal()[:16] not in told
    return True


def accepted(change: Callable[[Path, Any], list[object]]) -> list[tuple[Path, object]]:
    """Make changes to every part of every line, and return those that were not refused."""
    found: list[tuple[Path, object]] = []
    for line in LINES:
        data = json.loads(line)
        for path in paths_in(data):
            for value in change(path, at(data, path)):
                if not is_refused(json.dumps(changed(data, path, value))):
                    found.append((path, value))  # noqa: PERF401 # reads better
    return found


def is_text(path: Path) -> bool:
    return path[-1:] in [(name,) for name in TEXTS] or path[-2:-1] == ("names",)


def test_the_lines_cover_all_that_is_stored() -> None:
    kinds = {event["type"] for line in LINES for event in json.loads(line)["events"]}
    assert len(kinds) == 11
    assert not any(map(is_refused, LINES))


def test_a_line_that_was_cut_short_anywhere_is_refused() -> None:
    for line in LINES:
        assert all(is_refused(line[:length]) for length in range(len(line)))


def test_a_line_that_lost_a_character_is_refused_or_a_step() -> None:
    for line in LINES:
        for place in range(len(line)):
            is_refused(line[:place] + line[place + 1 :])


def test_two_steps_on_one_line_are_refused() -> None:
    assert is_refused(OPENING + OPENING)
    assert is_refused(f"{OPENING} {OPENING}")


@pytest.mark.parametrize(
    "line", ["", " ", "null", "0", "[]", "{}", '"x"', "not json", "\x00", "\ud800", "1" * 5000]
)
def test_what_is_no_step_at_all_is_refused(line: str) -> None:
    assert is_refused(line)


def test_the_message_gives_the_length_and_not_the_line() -> None:
    with pytest.raises(CorruptLogError) as caught:
        step_from_json(OPENING[:-1])
    assert f"{len(OPENING) - 1} characters" in str(caught.value)
    assert SECRET.reveal()[:8] not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "secret", [SECRET.reveal()[:-1], SECRET.reveal() + "0", SECRET.reveal()[:-1] + "g"]
)
def test_a_damaged_secret_is_not_repeated(secret: str) -> None:
    assert is_refused(OPENING.replace(SECRET.reveal(), secret))


def test_a_missing_field_is_refused() -> None:
    for line in LINES:
        data = json.loads(line)
        for path in paths_in(data):
            # Without it, a turn is a person's; steps that disagree about it are refused by the table.
            if path and isinstance(path[-1], str) and path[-1] != "provenance":
                shorter = deepcopy(data)
                del at(shorter, path[:-1])[path[-1]]
                assert is_refused(json.dumps(shorter)), path


def test_an_unknown_field_is_refused() -> None:
    def change(_: Path, part: object) -> list[object]:
        return [{**part, "more": 1}] if isinstance(part, dict) else []

    assert accepted(change) == []


@pytest.mark.parametrize("kind", ["", "Nothing", "Step", "object", "Secret", "takeTurn", None, 7])
def test_an_unknown_type_is_refused(kind: object) -> None:
    def change(path: Path, _: object) -> list[object]:
        return [kind] if path[-1:] == ("type",) else []

    assert accepted(change) == []


def test_an_action_is_no_event_and_an_event_no_action() -> None:
    resign, event = {"type": "Resign"}, {"type": "RematchAgreed"}
    command = {"id": "c", "seat": 0, "seen": 0, "action": event}
    assert is_refused(json.dumps({"command": None, "events": [resign]}))
    assert is_refused(json.dumps({"command": command, "events": [event]}))
    command["action"] = resign
    assert not is_refused(json.dumps({"command": command, "events": [event]}))


def test_null_is_refused_wherever_it_has_no_meaning() -> None:
    def change(path: Path, part: object) -> list[object]:
        return [] if part is None or path[-1:] in [(n,) for n in NULLABLE] else [None]

    assert accepted(change) == []


@pytest.mark.parametrize("value", [[], {}, [[]], ["a", "b"], {"type": "Resign"}])
def test_a_list_or_an_object_is_refused_in_the_place_of_a_value(value: object) -> None:
    def change(_: Path, part: object) -> list[object]:
        return [] if isinstance(part, list | dict) else [value]

    assert accepted(change) == []


@pytest.mark.parametrize("value", ["", "x", "12", 0, 1.5, True])
def test_a_value_is_refused_in_the_place_of_a_list_or_an_object(value: object) -> None:
    def change(_: Path, part: object) -> list[object]:
        return [value] if isinstance(part, list | dict) else []

    assert accepted(change) == []


@pytest.mark.parametrize("value", [True, 1.5, "1", "x", ""])
def test_what_is_no_whole_number_is_refused_in_the_place_of_one(value: object) -> None:
    def change(_: Path, part: object) -> list[object]:
        return [value] if isinstance(part, int) else []

    assert accepted(change) == []


@pytest.mark.parametrize("value", [0, 7, 1.5, True])
def test_a_number_is_refused_in_the_place_of_a_text(value: object) -> None:
    def change(_: Path, part: object) -> list[object]:
        return [value] if isinstance(part, str) else []

    assert accepted(change) == []


@pytest.mark.parametrize("value", ["", "x", "R1", "R7/", "0", "-", "[]", "\x00", "ä"])
def test_another_text_is_refused_where_cards_turns_and_digits_stand(value: str) -> None:
    def change(path: Path, part: object) -> list[object]:
        is_free = is_text(path) or (value == "" and path[-1:] in [("entropy",), ("deal",)])
        is_rules = value == "" and path[-2:] == ("variant", 2)
        return [value] if isinstance(part, str) and not is_free and not is_rules else []

    assert accepted(change) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), 1e308])
def test_what_is_no_finite_number_is_refused_everywhere(value: float) -> None:
    def change(_: Path, __: object) -> list[object]:
        return [value]

    assert accepted(change) == []


@pytest.mark.parametrize(
    "number",
    [10**30, -(10**30), 10**4000, 2, -1, 7],
    ids=lambda n: f"{n:.0e}" if n < 10**40 else "huge",
)
def test_a_number_out_of_range_is_refused_or_read_but_no_crash(number: int) -> None:
    for line in LINES:
        data = json.loads(line)
        for path in paths_in(data):
            is_refused(json.dumps(changed(data, path, number)))


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"command":null,"events":[', '{"command":['])
def test_a_line_that_is_nested_too_deeply_is_refused(opening: str) -> None:
    assert is_refused(opening + "[" * 100_000)
    assert is_refused(opening * 50_000)


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.sampled_from(LINES), st.data())
def test_garbage_anywhere_is_refused_or_a_step_but_no_crash(line: str, data: st.DataObject) -> None:
    stored = json.loads(line)
    path = data.draw(st.sampled_from(list(paths_in(stored))))
    is_refused(json.dumps(changed(stored, path, data.draw(garbage))))


@given(st.text(max_size=40))
def test_any_text_is_refused(text: str) -> None:
    assert is_refused(text)
