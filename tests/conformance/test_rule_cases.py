"""Every neutral case runs on the rules; a wrong expectation is noticed, and so is a strange one."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lostcities.conformance import KINDS, Case, CaseFileError, read_cases, run_case

FOLDER = Path(__file__).parents[2] / "conformance"
CASES = [
    case
    for path in sorted(FOLDER.glob("*cases.jsonl"))
    for case in read_cases(path.read_text("utf-8"))
]
SEVEN_IDS = ("SET-03", "TRN-01", "SCO-02", "MAT-01", "VIS-01", "BND-01", "NOT-11")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    outcome = run_case(case)
    assert outcome.passed, outcome


def test_every_kind_of_the_format_is_there_and_has_a_case() -> None:
    assert {case.kind for case in CASES} == set(KINDS)
    assert len(CASES) >= 170
    assert len({case.id for case in CASES}) == len(CASES)


def content_of(case_id: str) -> dict[str, Any]:
    [case] = [case for case in CASES if case.id == case_id]
    copy: dict[str, Any] = json.loads(json.dumps(case.content))
    return copy


def run(content: object) -> tuple[bool, str | None]:
    [case] = read_cases(json.dumps(content))
    outcome = run_case(case)
    return outcome.passed, outcome.problem


def spoil(value: object) -> list[object]:
    """Return values of the same shape that differ in one place each."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str():
            return [value[:-1] + ("A" if value[-1:] != "A" else "B")]
        case None:
            return ["R"]
        case list():
            changed = [
                [*value[:index], other, *value[index + 1 :]]
                for index, item in enumerate(value)
                for other in spoil(item)
            ]
            return [*changed, value[:-1]] if value else [["R5"]]
        case dict():
            return [{**value, key: other} for key, item in value.items() for other in spoil(item)]
        case _:
            raise AssertionError(value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_wrong_expectations_fail(case: Case) -> None:
    """Each number, name and list of each expectation is changed on its own."""
    content = content_of(case.id)
    wrong_ones = spoil(content["expected"])
    assert wrong_ones
    for wrong in Random(1).sample(wrong_ones, min(len(wrong_ones), 40)):
        if is_part_of_asked(content["expected"], wrong):
            continue
        passed, _ = run({**content, "expected": wrong})
        assert not passed, wrong


def is_part_of_asked(asked: dict[str, Any], wrong: object) -> bool:
    """Whether the change only asks for less: a shorter list of cards that a hand has."""
    assert isinstance(wrong, dict)
    inner, changed = asked.get("after", {}), wrong.get("after", {})
    shorter = [
        key
        for key in ("hand_has", "hand_lacks")
        for seat in inner.get(key, {})
        if len(changed[key][seat]) < len(inner[key][seat])
    ]
    fewer_absent = "absent_colors" in asked and wrong["absent_colors"] == []
    return bool(shorter) or fewer_absent


@pytest.mark.parametrize("case_id", SEVEN_IDS)
def test_unknown_key_in_expected_fails(case_id: str) -> None:
    content = content_of(case_id)
    content["expected"]["number_of_moons"] = 2
    assert run(content) == (False, "unknown key in expected: number_of_moons")


def test_unknown_key_in_after_sees_and_parsed_fails() -> None:
    for case_id, inner in (("TRN-01", "after"), ("VIS-01", "sees"), ("NOT-01", "parsed")):
        content = content_of(case_id)
        content["expected"][inner]["moons"] = 2
        passed, problem = run(content)
        assert not passed
        assert problem is not None
        assert "unknown key in" in problem
        assert "moons" in problem


def test_unknown_key_in_setup_or_state_fails() -> None:
    content = content_of("TRN-01")
    content["setup"]["weather"] = "fine"
    assert run(content) == (False, "unknown field in setup: weather")
    content = content_of("TRN-01")
    content["setup"]["state"]["weather"] = "fine"
    assert run(content) == (False, "unknown field in state: weather")


def test_unknown_kind_fails() -> None:
    content = content_of("SCO-02")
    content["kind"] = "score_house"
    assert run(content) == (False, "unknown kind of case: 'score_house'")


@pytest.mark.parametrize("field", ["id", "kind", "setup", "expected"])
def test_missing_field_fails(field: str) -> None:
    content = content_of("SCO-02")
    del content[field]
    passed, problem = run(content)
    assert not passed
    assert problem is not None
    assert f"'{field}'" in problem


@pytest.mark.parametrize("content", [5, "text", None, [1], {}, True])
def test_line_that_is_no_case_fails(content: object) -> None:
    passed, problem = run(content)
    assert not passed
    assert problem


def test_refused_action_needs_a_result() -> None:
    content = content_of("DRW-02")
    del content["expected"]["results"]
    passed, problem = run(content)
    assert not passed
    assert problem == "action 2 was refused and no results are expected: illegal:just_discarded"


def test_empty_expectation_fails() -> None:
    assert run({**content_of("SCO-02"), "expected": {}})[0] is False
    assert run({**content_of("INF-01"), "expected": {}})[0] is False


def test_actions_where_none_belong_fail() -> None:
    content = {**content_of("SCO-02"), "actions": ["A:pass"]}
    assert run(content) == (False, "expected no actions for this kind, got 1")


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "A",
    "R5",
    [],
    {},
    ["R5"],
    [None],
    {"A": 1},
)


def spoilt_anywhere(content: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Replace or remove something somewhere in a case."""
    copy: dict[str, Any] = json.loads(json.dumps(content))
    place: Any = copy
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return copy
        key = rng.choice(keys)
        if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.8:
            place = place[key]
            continue
        if isinstance(place, dict) and rng.random() < 0.3:
            del place[key]
        else:
            place[key] = rng.choice(JUNK)
        return copy


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_malformed_case_is_a_failure_and_no_traceback(kind: str) -> None:
    rng = Random(kind)
    contents = [content_of(case.id) for case in CASES if case.kind == kind]
    for _ in range(150):
        _, problem = run(spoilt_anywhere(rng.choice(contents), rng))
        assert problem is None or "\n" not in problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "X"}\nnonsense', "line 2: expected JSON, got 'nonsense'"),
        ('\n\n{"id": ', "line 3: expected JSON"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1, "a": 2}', "a key stands twice"),
        ("[" * 100_000, "line 1: expected JSON"),
        ("", "expected one case a line, got an empty text"),
        ("\n  \n", "expected one case a line, got an empty text"),
    ],
)
def test_text_that_is_not_json_is_bad_input(text: str, message: str) -> None:
    with pytest.raises(CaseFileError) as caught:
        read_cases(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_case_without_id_is_called_by_its_line() -> None:
    [case] = read_cases('\n{"kind": "info"}\r\n')
    assert (case.id, case.kind, case.line) == ("line 2", "info", 2)


def expect(case_id: str, *, setup: dict[str, Any] | None = None, **expected: object) -> None:
    content = content_of(case_id)
    content["setup"] |= setup or {}
    content["expected"] = expected
    passed, problem = run(content)
    [case] = read_cases(json.dumps(content))
    assert passed, (problem, run_case(case))


def test_siblings_of_the_seen_expectations_of_a_position() -> None:
    """Keys that no case of the bank uses, but that a further bank may."""
    after = {
        "hand_lacks": {"A": ["R4"]},
        "pile_size": {"Y": 1, "B": 0},
        "pile_sizes": {"Y": 1},
        "piles": {"Y": ["Yx"]},
        "known": {"A": ["Y5"], "B": []},
        "deck_size": 40,
        "stalling_turns": 0,
        "starter": "A",
        "round": 1,
        "totals": {"A": 0, "B": 0},
        "legal_has": ["discard Yx"],
        "legal_lacks": ["draw deck"],
        "expeditions_empty": False,
        "expedition": {"B": {}},
        "piles_empty": False,
        "margin": -16,
        "per_color": {"A": {"R": -16}},
        "per_color_B": {"R": 0},
        "same_as_start": False,
    }
    expect("DRW-01", after=after, all_ok=True, turns=1, takes=1)
    expect("DRW-01", all_ok=True, turns_of={"A": 1, "B": 0}, last_drawer="A")


def test_expected_turns_are_compared_as_a_set() -> None:
    turns = [f"-{card}/D" for card in ("Y2", "Y3", "Y4")]
    rest = [f"-{card}/D" for card in ("B2", "B3", "W2", "W3", "W4")]
    expect("LIV-01", after={"legal_turns": [*rest, *turns], "legal_has": ["discard Y2"]})
    with pytest.raises(AssertionError):
        expect("LIV-01", after={"legal_turns": rest})


def test_siblings_of_the_other_kinds() -> None:
    expect("SET-01", sum_per_color=54, colors="YBWGR", absent_colors=["P"])
    expect("SET-06", setup={"players": [2, 4]}, accepted=[2])
    expect("SCO-02", cards=8, wagers=2, sum=40, cost=-20, multiplier=3, bonus=20, score=80)
    expect("RND-01", per_color={"A": {"R": 65}, "B": {"R": 0}}, margin=18)
    expect("MAT-01", rounds_won={"A": 1, "B": 2}, leader="B", match_over=True, next_starter=None)
    expect("MAT-15", setup={"rounds_played": 2}, results=["ok"], winner="draw")
    expect("MAT-16", results=["ok"], round=2, to_move="A", phase="play", hand_size={"A": 8})
    expect("BND-03", setup={"n_colors": 5}, max=580, cap=43, min=-400, max_turns=None)
    expect("BND-03", setup={"n_colors": [5], "stall_limit": 12}, max_turns=[1144])
    expect("BND-04", setup={"n_colors": 6}, max=376, min=-480, plays=28)
    expect("END-13", setup={"takes": 7}, turns=51, last_drawer="A", round_over=True)
    expect("NOT-02", text="-W9/D=G6")
    expect("NOT-11", records=1, names={"A": "Ada", "B": "Ben"}, result={"A": 60, "B": 17})
    expect("NOT-11", last_drawer="B", winner="A", totals={"A": 60, "B": 17}, round_over=True)
    expect("VIS-02", known_in_own_hand=[], deck_count=43, results=["ok"] * 4, unseen=50)


def test_config_of_any_number_of_the_game() -> None:
    content = content_of("SET-06")
    for name, values, accepted in (
        ("hand_size", [0, 8, 41], [8]),
        ("n_colors", [1, 5, 6, 7], [5, 6]),
        ("rounds_in_match", [0, 1, 9, 10, "3"], [1, 9]),
        ("starter_policy", ["leader", "oldest"], ["leader"]),
        ("stall_limit", [-1, 0, None], [0, None]),
        ("own_discard_block", [True, 1], [True]),
    ):
        passed, problem = run(
            {**content, "setup": {name: values}, "expected": {"accepted": accepted}}
        )
        assert passed, (name, problem)
    assert run({**content, "setup": {}})[0] is False


def test_decks_with_a_card_exchanged() -> None:
    decks = [{"add": "Y5", "remove": "Y5"}, {"add": "Y5", "remove": ["Y6"]}, {"remove": "Y1"}]
    expect("SET-12", setup={"decks": decks}, accepted=[decks[0]])
    content = content_of("SET-12")
    content["setup"]["decks"] = [{"remove": "P5"}]
    assert run(content) == (False, "expected cards of the deck in remove, got P5")


def test_tabletop_memory_hides_covered_cards() -> None:
    for hides, is_seen in ((True, False), (False, True)):
        expect(
            "VIS-01",
            setup={"tabletop_memory": hides},
            sees={"pile_contents_in_order": is_seen, "pile_tops": True, "pile_sizes": True},
        )


def test_what_is_deducible_is_seen() -> None:
    """With one unknown place left there is nothing to tell apart: the viewer can work it out."""
    content = content_of("END-01")
    content |= {"kind": "view", "actions": ["A:play R5", "A:draw deck"]}
    content["setup"]["viewer"] = "A"
    content["expected"] = {"sees": {"opponent_hand": True, "deck_order": True, "own_hand": True}}
    passed, problem = run(content)
    assert passed, problem


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("MAT-16", {"after_round": 0}, "expected no totals before the first round"),
    ("END-13", {"takes": 2001}, "expected takes from 0 to 2000, got 2001"),
    ("END-13", {"takes": 9, "stall_limit": 0}, "expected a round with 9 takes, got 0 at most"),
    ("SCO-02", {"expedition": ["R5", "Y5"]}, "expected cards of one colour, got R5, Y5"),
    (
        "RND-04",
        {"expeditions": {"A": {"R": ["Y5"]}}},
        "expected the cards of expeditions of A under",
    ),
    ("RND-04", {"expeditions": {"C": {}}}, "unknown field in expeditions: C"),
    ("BND-03", {"n_colors": []}, "expected at least one number in n_colors, got none"),
    ("MAT-01", {"round_scores": [{"A": 1}]}, "expected a field 'B' in points, got none"),
    ("MAT-01", {"first_starter": "C"}, "expected first_starter to be 'A' or 'B', got 'C'"),
    ("MAT-15", {"rounds_played": 21}, "expected rounds_played to be from 0 to 20, got 21"),
    ("MAT-15", {"rounds_played": 4}, "cannot start a round: all 3 rounds have been played"),
    ("NOT-08", {"match": "2/3"}, "expected a match like '1/3,A,0,0'"),
    ("NOT-01", {"text": "R4"}, "expected a turn like 'R4/D', '-W9/D=G6' or 'B7/Y', got 'R4'"),
]


@pytest.mark.parametrize(("case_id", "change", "message"), FAULTS)
def test_fault_in_the_setup(case_id: str, change: dict[str, Any], message: str) -> None:
    content = content_of(case_id)
    content["setup"] |= change
    passed, problem = run(content)
    assert not passed
    assert problem is not None
    assert problem.startswith(message)


STATE_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "card"}, "expected phase to be one of play, draw, over, got 'card'"),
    ({"discards": {"P": ["P5"]}}, "discards hold purple cards, and this game has none"),
    ({"discards": {"Q": []}}, "expected a colour to be one of Y, B, W, G, R, P, got 'Q'"),
    ({"colors": "YBWRG"}, "expected colors to be the first letters of YBWGRP, got 'YBWRG'"),
    ({"to_move": "C"}, "expected to_move to be 'A' or 'B', got 'C'"),
    ({"deck": ["W4"]}, "19 cards in position, variant 'classic' has 60; missing: "),
    ({"known": {"A": ["PT"], "B": []}}, "known cards of A are not all in the hand: PT"),
]


@pytest.mark.parametrize(("change", "message"), STATE_FAULTS)
def test_fault_in_the_state(change: dict[str, Any], message: str) -> None:
    content = content_of("TRN-01")
    content["setup"]["state"] |= change
    passed, problem = run(content)
    assert not passed
    assert problem is not None
    assert problem.startswith(message)


@pytest.mark.parametrize(
    "action", ["A:play", "C:pass", "A:draw", "A:pass now", "A:swap R5", "play R5"]
)
def test_strange_actions_are_faults(action: str) -> None:
    passed, problem = run({**content_of("TRN-01"), "actions": [action]})
    assert not passed
    assert problem == (
        f"expected an action to be like 'A:play R5', 'B:draw deck' or 'A:pass', got {action!r}"
    )


def test_colors_that_the_game_does_not_have_are_faults() -> None:
    content = content_of("TRN-01")
    content["expected"]["after"] = {"pile_top": {"P": None}}
    assert run(content) == (False, "expected a colour of this game, got purple")


def test_match_that_goes_on_has_no_winner() -> None:
    scores = [{"A": 1, "B": 0}]
    expect("MAT-01", setup={"round_scores": scores}, winner=None, leader="A", next_starter="A")
    expect("MAT-01", setup={"round_scores": scores, "lots": ["B"]}, is_over=False)


def test_accepted_texts_are_named() -> None:
    expect("NOT-07", setup={"texts": ["R4/D", "R4"]}, accepted=["R4/D"])


def test_positions_can_be_given_as_text_and_seen_by_a_seat() -> None:
    content = content_of("NOT-08")
    text = content["expected"]["text"]
    content["setup"] = {"text": text}
    content["expected"] = {"text": text, "deck_count": 2, "to_move": "A", "starter": "B"}
    assert run(content)[0]
    content["setup"]["viewer"] = "A"
    seen = text.replace("x4/23/23/23/-", "?8").replace("2:B9WT", "2")
    content["expected"] = {"text": seen}
    assert run(content)[0]
