"""Counts of legal sequences: known ones, and an independent program that counts the same."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lostcities.conformance import (
    Case,
    CaseFault,
    count_reachable,
    count_sequences,
    read_perft_cases,
    run_perft_case,
)
from lostcities.conformance.states import variant_of
from lostcities.notation import parse_position
from lostcities.rules import CLASSIC, LONG, TINY, Cards, Color, Position, Variant
from strategies import deal, play_on

FILE = Path(__file__).parents[2] / "conformance" / "perft.jsonl"
CASES = read_perft_cases(FILE.read_text("utf-8"))
PROVISIONAL = {
    "tiny-sorted": [4, 4, 16, 22, 24, 30, 24, 30, 24],
    "small-sorted": [4, 4, 16, 22, 88, 134, 497, 825, 2186],
    "mini-sorted": [6, 6, 36, 51, 306, 516, 2865],
    "classic-sorted": [6, 6, 48, 70, 560, 955, 8516],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    outcome = run_perft_case(case)
    assert outcome.passed, outcome


def content_of(case_id: str) -> dict[str, Any]:
    [content] = [case.content for case in CASES if case.id == case_id]
    copy: dict[str, Any] = json.loads(json.dumps(content))
    return copy


def test_file_holds_the_numbers_of_the_design() -> None:
    assert {name: content_of(name)["counts"] for name in PROVISIONAL} == PROVISIONAL
    tiny = content_of("tiny-sorted")
    assert (tiny["reachable"], tiny["finished"]) == (230, 100)


def test_other_counts_are_marked_as_our_own() -> None:
    for case in CASES:
        assert case.id in PROVISIONAL or "our own count" in content_of(case.id)["note"]


@pytest.mark.parametrize(
    "change",
    [
        {"counts": [4, 4, 16, 23]},
        {"counts": [True]},
        {"counts": []},
        {"counts": "4"},
        {"counts": [4] * 41},
        {"reachable": 231},
        {"finished": 99},
        {"position": "-/- -/-"},
        {"variant": {"num_colors": 9}},
        {"variant": {"moons": 1}},
        {"variant": 5},
        {"speed": 1},
        {"id": 7},
    ],
)
def test_wrong_case_fails(change: dict[str, Any]) -> None:
    [case] = read_perft_cases(json.dumps(content_of("tiny-sorted") | change))
    outcome = run_perft_case(case)
    assert not outcome.passed
    assert outcome.problem or outcome.expected != outcome.got


def test_count_of_positions_needs_the_guard_off() -> None:
    start = deal(Variant(stall_limit=1), Random(1))
    with pytest.raises(CaseFault, match="stall guard"):
        count_reachable(start)


def test_count_of_positions_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lostcities.conformance.perft._MOST_POSITIONS", 100)
    with pytest.raises(CaseFault, match="expected at most 100 positions, got more"):
        count_reachable(deal(TINY, Random(1)))


class OtherGame:
    """The game once more, written differently on purpose: cards are texts, ranks are letters."""

    order = "x23456789T"

    def __init__(self, position: Position) -> None:
        self.hands = [[str(card) for card in hand] for hand in position.hands]
        self.tops = [
            {color.letter: str(column[-1]) for color, column in zip_colors(position, columns)}
            for columns in position.expeditions
        ]
        self.piles = {
            color.letter: [str(card) for card in column]
            for color, column in zip_colors(position, position.piles)
        }
        self.deck = [str(card) for card in position.deck]
        self.seat = position.mover

    def count(self, num_plies: int) -> int:
        """Count turns: both halves at once, undone by hand."""
        if num_plies == 0:
            return 1
        if not self.deck:
            return 0
        return sum(self.count_card(card, num_plies) for card in sorted(set(self.hands[self.seat])))

    def count_card(self, card: str, num_plies: int) -> int:
        hand, tops, color = self.hands[self.seat], self.tops[self.seat], card[0]
        hand.remove(card)
        total = 0
        top = tops.get(color)
        if top is None or self.order.index(card[1]) >= self.order.index(top[1]):
            tops[color] = card
            total += self.count_draws(num_plies - 1, closed="")
            if top is None:
                del tops[color]
            else:
                tops[color] = top
        pile = self.piles.setdefault(color, [])
        pile.append(card)
        total += self.count_draws(num_plies - 1, closed=color)
        assert pile.pop() == card
        hand.append(card)
        return total

    def count_draws(self, num_plies: int, *, closed: str) -> int:
        if num_plies == 0:
            return 1
        sources = [self.deck, *(p for color, p in self.piles.items() if p and color != closed)]
        return sum(self.count_draw(source, num_plies) for source in sources)

    def count_draw(self, source: list[str], num_plies: int) -> int:
        at = 0 if source is self.deck else len(source) - 1
        card = source.pop(at)
        self.hands[self.seat].append(card)
        self.seat = 1 - self.seat
        total = self.count(num_plies - 1)
        self.seat = 1 - self.seat
        self.hands[self.seat].remove(card)
        source.insert(at, card)
        return total


def zip_colors(position: Position, columns: tuple[Cards, ...]) -> list[tuple[Color, Cards]]:
    return [
        (color, column)
        for color, column in zip(position.variant.colors, columns, strict=True)
        if column
    ]


@pytest.mark.parametrize("variant", [TINY, CLASSIC, LONG])
def test_another_program_counts_the_same(variant: Variant) -> None:
    rng = Random(7)
    for num_turns in (0, 1, 2, 10, 30, 60):
        position = play_on(deal(variant, rng), rng, 2 * num_turns)
        if position.is_over:
            continue
        num_plies = 8 if variant is TINY else 4
        counts = count_sequences(position, num_plies)
        other = OtherGame(position)
        assert counts == tuple(other.count(plies) for plies in range(1, num_plies + 1))


@pytest.mark.parametrize("case_id", [*PROVISIONAL, "long-sorted", "classic-dealt", "long-dealt"])
def test_another_program_counts_the_same_from_the_file(case_id: str) -> None:
    content = content_of(case_id)
    [case] = read_perft_cases(json.dumps(content))
    assert run_perft_case(case).passed
    other = OtherGame(parse_position(content["position"], variant_of(content["variant"])))
    counts = [other.count(plies) for plies in range(1, len(content["counts"]) + 1)]
    assert counts == content["counts"]
