"""The neutral cases, played on the kernel: refused exactly where the rules refuse."""

import json
from pathlib import Path

import numpy as np
import pytest

from lostcities.conformance.fields import Fields
from lostcities.conformance.states import parse_action, read_state
from lostcities.kernel.bridge import action_of, pack, unpack
from lostcities.kernel.layout import Row, num_actions
from lostcities.kernel.step import is_over, legal_mask, mover, score, step
from lostcities.rules import Move, Pass, Position

_FILE = Path(__file__).parents[2] / "conformance" / "rule_cases.jsonl"
_CASES = [
    case
    for line in _FILE.read_text(encoding="utf-8").splitlines()
    if (case := json.loads(line))["kind"] == "sequence"
]


def _allows(row: Row, position: Position, seat: int, move: Move | Pass) -> bool:
    """Return whether the kernel allows the move; the seat is judged by its own row."""
    if isinstance(move, Pass) or is_over(row) or seat != mover(row):
        return False
    try:
        action = action_of(move, position.variant)
    except ValueError:  # a colour that the game does not have
        return False
    mask = np.zeros(num_actions(position.variant), np.uint8)
    legal_mask(row, mask)
    return bool(mask[action])


@pytest.mark.parametrize("case", _CASES, ids=[case["id"] for case in _CASES])
def test_the_case_goes_on_the_kernel_as_it_goes_by_the_rules(case: dict[str, object]) -> None:
    position = read_state(Fields(case["setup"], "setup"))
    row = pack(position)
    results = []
    actions = case.get("actions", [])
    assert isinstance(actions, list)
    for text in actions:
        seat, move = parse_action(text)
        is_allowed = _allows(row, position, seat, move)
        assert is_allowed == (position.reason_against(move, seat=seat) is None)
        results.append("ok" if is_allowed else "illegal")
        if is_allowed and not isinstance(move, Pass):
            position = position.after(move)
            step(row, action_of(move, position.variant))
        assert unpack(row) == position
    assert [int(score(row, seat)) for seat in (0, 1)] == [*position.scores]
    expected = case["expected"]
    assert isinstance(expected, dict)
    if "results" in expected:
        assert results == [result.partition(":")[0] for result in expected["results"]]


def test_there_are_cases() -> None:
    assert len(_CASES) >= 60
