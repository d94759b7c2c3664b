"""Whole records: the package and a second, tiny program of this test agree on what they say.

The second program knows nothing of `lostcities.rules`. It reads the text with
regular expressions, moves texts between lists, and scores as the rulebook
says. It checks no legality: that is what the first one is for.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lostcities.notation import format_position, format_records, parse_records, replay

FOLDER = Path(__file__).parents[2] / "conformance" / "golden"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads(
    (FOLDER / "expected.json").read_text("utf-8")
)


def read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@dataclass
class Other:
    """A round as the second program sees it."""

    tags: dict[str, str]
    turns: list[str]
    expeditions: list[dict[str, list[str]]] = field(default_factory=lambda: [{}, {}])
    piles: dict[str, list[str]] = field(default_factory=dict)
    takes: int = 0

    @property
    def numbers(self) -> dict[str, str]:
        return dict(word.split("=") for word in self.tags.get("Rules", "").split())

    def number(self, name: str, default: int) -> int:
        return int(self.numbers.get(name, default))

    @property
    def letters(self) -> str:
        return "YBWGRP"[: int(self.tags["Colors"])]

    def play(self) -> None:
        seat = "AB".index(self.tags["Starter"])
        for turn in self.turns:
            put, source = turn.partition("=")[0].split("/")
            card = put.lstrip("-")
            where = self.piles if put.startswith("-") else self.expeditions[seat]
            where.setdefault(card[0], []).append(card[1])
            if source != "D":
                self.piles[source].pop()
                self.takes += 1
            seat = 1 - seat

    def score(self, seat: int) -> int:
        """Add the numbers, pay for the expedition, multiply by the wagers, add the bonus."""
        total = 0
        for marks in self.expeditions[seat].values():
            points = -self.number("expedition_cost", 20)
            for mark in marks:
                points += {"x": 0, "T": 10}[mark] if mark in "xT" else int(mark)
            points *= marks.count("x") + 1
            if len(marks) >= self.number("bonus_threshold", 8):
                points += self.number("bonus", 20)
            total += points
        return total

    def table(self) -> str:
        places = (*self.expeditions, self.piles)
        return " ".join(
            "/".join("".join(place.get(letter, [])) or "-" for letter in self.letters)
            for place in places
        )


def read_other(text: str) -> list[Other]:
    rounds = []
    for part in re.split(r"(?=\[Game )", text)[1:]:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', part))
        body = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", part)
        turns = [word for word in body.split() if "/" in word]
        rounds.append(Other(tags, turns))
        rounds[-1].play()
    return rounds


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_package_agrees_with_the_sidecar(name: str) -> None:
    records = parse_records(read(name))
    assert len(records) == len(EXPECTED[name])
    for record, expected in zip(records, EXPECTED[name], strict=True):
        played = replay(record)
        line = format_position(played.final)
        assert dict(zip("AB", played.scores, strict=True)) == expected["scores"]
        assert (len(record.turns), played.num_takes) == (expected["turns"], expected["takes"])
        assert line.startswith(expected["table"] + " ")
        assert record.deal is None or line == expected["final_position"]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_second_program_agrees_with_the_sidecar(name: str) -> None:
    rounds = read_other(read(name))
    assert len(rounds) == len(EXPECTED[name])
    for other, expected in zip(rounds, EXPECTED[name], strict=True):
        assert {"A": other.score(0), "B": other.score(1)} == expected["scores"]
        assert (len(other.turns), other.takes) == (expected["turns"], expected["takes"])
        assert other.table() == expected["table"]
        assert other.tags["Result"] == f"A {other.score(0)} B {other.score(1)}"


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_golden_file_is_written_again_as_it_is(name: str) -> None:
    assert format_records(parse_records(read(name))) == read(name)


def test_every_golden_file_is_expected_and_the_other_way_round() -> None:
    assert {path.name for path in FOLDER.glob("*.lcr")} == set(EXPECTED)


def test_golden_files_cover_what_they_should() -> None:
    records = {name: parse_records(read(name)) for name in EXPECTED}
    every = [record for several in records.values() for record in several]
    assert {record.variant.num_colors for record in every} == {5, 6}
    assert any(len(several) == 3 for several in records.values())
    assert any(record.deal is None for record in every)
    assert {record.standing.starter for record in every} == {0, 1}
    assert all(record.is_over for record in every)
    match = records["match-of-three.lcr"]
    assert [record.standing.round_number for record in match] == [1, 2, 3]
    totals = [record.standing.totals for record in match]
    assert totals == [(0, 0), (16, -3), (42, 17)]
    assert replay(match[-1]).final.standing.totals == (33, 71)
