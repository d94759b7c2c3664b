"""How a score is written, term by term."""

import pytest

from lostcities.notation import parse_cards
from lostcities.notation.receipts import format_parts, format_receipt, score_to_data
from lostcities.rules import Variant, score_expedition


@pytest.mark.parametrize(
    ("cards", "receipt"),
    [
        ("", "0"),
        ("RxRxR4R5R6R7R8RT", "(40 - 20) x 3 + 20 = 80"),
        ("RxR4R6R7", "(17 - 20) x 2 = -6"),
        ("R2R3R7R8RT", "30 - 20 = 10"),
        ("R2R3R4R5R6R7R8R9", "44 - 20 + 20 = 44"),
        ("Wx", "(0 - 20) x 2 = -40"),
    ],
)
def test_receipt(cards: str, receipt: str) -> None:
    score = score_expedition(parse_cards(cards))
    assert format_receipt(score) == receipt
    assert format_parts(score) == receipt.rpartition(" = ")[0]


def test_data() -> None:
    data = score_to_data(score_expedition(parse_cards("RxRxR4R5R6R7R8RT")))
    assert data == {
        "cards": 8,
        "wagers": 2,
        "sum": 40,
        "cost": -20,
        "multiplier": 3,
        "bonus": 20,
        "score": 80,
    }


def test_other_cost() -> None:
    score = score_expedition(parse_cards("R4"), Variant(expedition_cost=15))
    assert format_receipt(score) == "4 - 15 = -11"
