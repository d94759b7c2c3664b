"""The kernel answers the cases as the rules do, and is caught when it does not."""

from pathlib import Path

import numpy as np
import pytest

from lostcities.conformance import (
    Case,
    read_cases,
    read_perft_cases,
    run_case,
    run_perft_case,
    using,
)
from lostcities.kernel import step as twins

FOLDER = Path(__file__).parents[2] / "conformance"
CASES = list(read_cases((FOLDER / "rule_cases.jsonl").read_text()))
PERFT = list(read_perft_cases((FOLDER / "perft.jsonl").read_text()))
TINY = [case for case in PERFT if case.id.startswith(("tiny", "mini"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_kernel_passes_the_rule_cases(case: Case) -> None:
    with using("kernel"):
        outcome = run_case(case)
    assert outcome.passed, outcome


@pytest.mark.parametrize("case", TINY, ids=lambda case: case.id)
def test_the_kernel_counts_as_the_rules_do(case: Case) -> None:
    with using("kernel"):
        outcome = run_perft_case(case)
    assert outcome.passed, outcome


def one(identifier: str) -> Case:
    return next(case for case in CASES if case.id == identifier)


def test_a_kernel_that_scores_otherwise_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "score", lambda _row, _seat: 7)
    with using("kernel"):
        assert run_case(one("SCO-01")).problem == "the kernel scores 7, the rules 10"
        assert not run_case(one("RND-01")).passed


def test_a_kernel_that_allows_otherwise_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_is_legal(_row: object, actions: np.ndarray) -> int:
        actions[:] = 0
        return 0

    monkeypatch.setattr(twins, "legal_list", nothing_is_legal)
    with using("kernel"):
        assert "the kernel refuses" in str(run_case(one("TRN-01")).problem)


def test_there_are_two_engines() -> None:
    with pytest.raises(ValueError, match="expected an engine"), using("abacus"):
        pass
