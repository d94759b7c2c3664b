import json

import pytest

from lostcities.cli import main


def score(capsys: pytest.CaptureFixture[str], *cards: str) -> int:
    assert main(["score", "--json", *cards]) == 0
    total = json.loads(capsys.readouterr().out)["total"]
    assert isinstance(total, int)
    return total


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        # Worked examples of other people's programs and articles, recomputed by hand.
        ("Rx Rx R4 R5 R6 R7 R8 RT", 80),
        ("Rx Rx R6 R8 R10", 12),
        ("Rx R3 R5 R7 R8 R10", 26),
        ("R4 R8", -8),
        ("Rx R5 R7 R9", 2),
        ("Rx Rx R2 R4 R6 R8 R10", 30),
        ("R2 R3 R4 R5 R6 R7 R8 R9", 44),
        ("R2 R8 R10", 0),
        ("Rx R3 R8 R10", 2),
        ("R10 G10 B10 W10", -40),
        ("Rx Rx R2 R3 R5 R7 R8 G7 G8 G9 G10 B3 B4 B5 B6 B7", 34),
        ("Rx G10 Bx W10", -100),
        ("Rx Rx Rx R5 R6 R7 R8 R9", 80),
        ("Rx Rx Rx R6 R7 R8 R9 R10", 100),
        ("Rx Rx Rx R2 R3 R4 R5 R6 R7 R8 R9 R10", 156),
        ("Rx Rx R3 R4 R5 R6 R7 R8", 59),
        ("Rx Rx R8 R9 R10", 21),
        ("Rx Rx Rx R8 R9 R10", 28),
        ("Rx Rx R2 R3 R4", -33),
        ("Rx Rx Rx R2 R3 R4 R5 R6", 20),
        ("Rx", -40),
        ("Rx Rx", -60),
        ("Rx Rx Rx", -80),
        ("", 0),
    ],
)
def test_sheets_of_other_people_score_what_they_should(
    capsys: pytest.CaptureFixture[str], cards: str, points: int
) -> None:
    assert score(capsys, cards) == points


def test_order_and_spelling_do_not_matter(capsys: pytest.CaptureFixture[str]) -> None:
    spellings = [
        ["RT R8 R7 R6 R5 R4 Rx Rx"],
        ["Rx", "Rx", "R4", "R5", "R6", "R7", "R8", "R10"],
        ["rx,rx,r4,r5,r6,r7,r8,r10"],
        ["red wager, red wager, red 4, red 5, red 6, red 7, red 8, red ten"],
        ["RxRxR4R5R6R7R8RT"],
        ["RH RX R4 R5 R6 R7 R8 R10"],
    ]
    assert {score(capsys, *words) for words in spellings} == {80}


def test_the_json_has_every_term(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", "Rx Rx R4 R5 R6 R7 R8 RT"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "total": 80,
        "expeditions": {
            "R": {
                "cards": 8,
                "wagers": 2,
                "sum": 40,
                "cost": -20,
                "multiplier": 3,
                "bonus": 20,
                "score": 80,
            }
        },
    }


def test_the_receipt_shows_the_arithmetic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "Rx Rx R4 R5 R6 R7 R8 RT P9"]) == 0
    out = capsys.readouterr().out
    assert "(40 - 20) x 3 + 20 = 80" in out
    assert "9 - 20 = -11" in out
    assert out.endswith("total 69\n")


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("R5 R5", "expected at most 1 R5, which is what the deck holds, got 2"),
        ("Rx Rx Rx Rx", "expected at most 3 Rx, which is what the deck holds, got 4"),
        ("R1", "'R1' at column 1: no such card exists"),
        ("R4 R11", "'R11' at column 4: no such card exists"),
        ("red 1", "'red 1'"),
        ("R0", "'R0'"),
        ("K4", "'K4'"),
        ("5", "'5'"),
        ("R", "after the color, got nothing"),
        ("R5\x00", "got "),
        ("Ｒ5", "got "),
        ("x" * 100_000, "got 'xxxxxxxxxxxxxxxxxxxxxxxx...'"),
    ],
)
def test_impossible_sheets_are_refused_by_name(
    capsys: pytest.CaptureFixture[str], cards: str, named: str
) -> None:
    assert main(["score", cards]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert named in captured.err
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("lostcities score: expected ")
