"""Which kinds of cases there are, and running one case."""

from collections.abc import Callable, Sequence
from typing import Final

from lostcities.conformance.cases import Case, Outcome, fail, judge
from lostcities.conformance.deals import run_config, run_deal, run_deck, run_deck_reject
from lostcities.conformance.fields import CaseFault, Fact, Fields, answers, as_list, as_texts
from lostcities.conformance.matches import run_match, run_match_over, run_round_reset
from lostcities.conformance.plays import run_full_round, run_sequence, run_turn_count
from lostcities.conformance.scores import (
    run_bound,
    run_bound_deck_only,
    run_config_piles,
    run_score_by_count,
    run_score_expedition,
    run_score_extremes,
    run_score_round,
)
from lostcities.conformance.views import run_view
from lostcities.conformance.written import (
    run_notation_position,
    run_notation_record,
    run_notation_reject,
    run_notation_turn,
)
from lostcities.rules import LostCitiesError

_Runner = Callable[[Fields, object, Sequence[str]], dict[str, object]]


def _without_actions(run: Callable[[Fields, object], dict[str, object]]) -> _Runner:
    def runner(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
        if actions:
            raise CaseFault(f"expected no actions for this kind, got {len(actions)}")
        return run(setup, expected)

    return runner


def _run_info(_setup: Fields, expected: object) -> dict[str, object]:
    """Pass on a remark: nothing is to be run, but it must be marked as a remark."""
    facts: dict[str, Fact[None]] = {"note": lambda _, wanted: wanted or True}
    return answers(facts, None, expected)


KINDS: Final[dict[str, _Runner]] = {
    "sequence": run_sequence,
    "full_round": run_full_round,
    "match_over": run_match_over,
    "round_reset": run_round_reset,
    "view": run_view,
    "view_known_cards": run_view,
    "view_unseen_count": run_view,
} | {
    kind: _without_actions(run)
    for kind, run in {
        "score_expedition": run_score_expedition,
        "score_round": run_score_round,
        "score_extremes": run_score_extremes,
        "score_by_count": run_score_by_count,
        "match": run_match,
        "deck": run_deck,
        "deck_absent": run_deck,
        "deck_reject": run_deck_reject,
        "deal": run_deal,
        "deal_order": run_deal,
        "config": run_config,
        "config_piles": run_config_piles,
        "turn_count": run_turn_count,
        "bound": run_bound,
        "bound_deck_only": run_bound_deck_only,
        "notation_turn": run_notation_turn,
        "notation_reject": run_notation_reject,
        "notation_position": run_notation_position,
        "notation_record": run_notation_record,
        "info": _run_info,
    }.items()
}
"""How each kind of case is run."""


def run_case(case: Case) -> Outcome:
    """Run one case on the reference rules; whatever is wrong with it is its failure."""
    try:
        content = Fields(case.content, "the case")
        expected = dict(content.mapping("expected"))
        return judge(case, expected, _run(content, expected))
    except LostCitiesError as error:
        return fail(case, str(error))


def _run(content: Fields, expected: dict[str, object]) -> dict[str, object]:
    content.text("id")
    kind = content.text("kind")
    if kind not in KINDS:
        raise CaseFault(f"unknown kind of case: {kind!r}")
    if not expected:
        raise CaseFault("expected something to be expected, got an empty object")
    setup = Fields(content.take("setup"), "setup")
    actions = as_texts(as_list(content.get("actions", []), "actions"), "actions")
    got = KINDS[kind](setup, expected, actions)
    setup.check_all_taken()
    return got
