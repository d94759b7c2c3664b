"""Perft: counts of what can be played from a position, as a fingerprint of the rules.

With a fixed deal the game is deterministic, so the legal sequences of exactly n
plies can be counted; equal wagers count once. Two programs that agree on these
numbers agree on the rules, as far as those positions reach.
"""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from lostcities.conformance.cases import Case, Outcome, fail, judge, read_cases
from lostcities.conformance.engines import adopt
from lostcities.conformance.fields import CaseFault, Fields, as_number
from lostcities.conformance.states import variant_of, without_history
from lostcities.notation import parse_position
from lostcities.rules import LostCitiesError, Position

_MOST_PLIES = 40
_MOST_POSITIONS = 2_000_000
_KIND = "perft"
_EXPECTED = ("counts", "reachable", "finished")


def count_sequences(position: Position, num_plies: int) -> tuple[int, ...]:
    """Count the legal sequences of exactly 1, 2, ... plies.

    Sequences that lead to the same position are carried on together.

    Args:
        position: Where they begin.
        num_plies: How long the longest are.
    """
    counts = []
    ways = Counter({position: 1})
    for _ in range(num_plies):
        further: Counter[Position] = Counter()
        for reached, num in ways.items():
            for move in reached.legal_moves:
                further[reached.after(move)] += num
        ways = further
        counts.append(ways.total())
    return tuple(counts)


class Reach(NamedTuple):
    """How many positions can be reached, the first included, and how many of them are finished."""

    reachable: int
    finished: int


def count_reachable(position: Position) -> Reach:
    """Count the distinct positions that can be reached. For tiny decks only.

    Two positions are the same if they are written the same in one line: equal
    hands, expeditions, piles, deck, side to move, phase and closed pile. What
    the sides have learnt of each other's hands is not part of it, and neither
    is the number of stalling turns, which without the stall guard grows for
    ever and would leave no end to the count.

    Raises:
        CaseFault: If there are too many, or the stall guard is on.
    """
    if position.variant.stall_limit is not None:
        raise CaseFault("expected the stall guard to be off, since positions are counted")
    seen = {without_history(position)}
    left = list(seen)
    while left:
        reached = left.pop()
        further = {without_history(reached.after(move)) for move in reached.legal_moves} - seen
        seen |= further
        left.extend(further)
        if len(seen) > _MOST_POSITIONS:
            raise CaseFault(f"expected at most {_MOST_POSITIONS} positions, got more")
    return Reach(len(seen), sum(reached.is_over for reached in seen))


def read_perft_cases(text: str) -> tuple[Case, ...]:
    """Read one case a line; empty lines do not count.

    Raises:
        CaseFileError: If a line is not JSON, or there is none; it says where.
    """
    return tuple(replace(case, kind=_KIND) for case in read_cases(text))


def run_perft_case(case: Case) -> Outcome:
    """Count from the position of the case; whatever is wrong with it is its failure."""
    try:
        content = Fields(case.content, "the case")
        content.text("id")
        content.get("note", "")
        position = _read_position(content)
        expected = {name: content.take(name) for name in _EXPECTED if name in content}
        content.check_all_taken()
        return judge(case, expected, _count(position, expected))
    except LostCitiesError as error:
        return fail(case, str(error))


def _read_position(content: Fields) -> Position:
    variant = variant_of(content.mapping("variant"))
    return adopt(parse_position(content.text("position"), variant))


def _count(position: Position, expected: dict[str, object]) -> dict[str, object]:
    wanted = Fields(expected, "the case")
    counts = [as_number(count, "a count") for count in wanted.items("counts")]
    if not 1 <= len(counts) <= _MOST_PLIES:
        raise CaseFault(f"expected 1 to {_MOST_PLIES} counts, got {len(counts)}")
    got: dict[str, object] = {"counts": list(count_sequences(position, len(counts)))}
    if expected.keys() - {"counts"}:
        got |= count_reachable(position)._asdict()
    return got
