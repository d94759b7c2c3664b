"""`lostcities score`: a score sheet, term by term."""

import argparse
import json
import sys

from lostcities.cli.files import STANDARD_INPUT, read_text
from lostcities.notation import read_cards
from lostcities.notation.receipts import score_to_data
from lostcities.rules import LONG, score_expedition, sort_into_expeditions
from lostcities.tui.board import receipts
from lostcities.tui.style import Style


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "cards",
        nargs="+",
        metavar="CARDS",
        help="cards of one player in any order, such as 'Rx Rx R4 R5 Y2 Y10' or 'red 5'; "
        "x is a wager; '-' reads them from standard input",
    )
    parser.add_argument("--json", action="store_true", help="print the score as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Score the cards."""
    text = " ".join(arguments.cards)
    cards = read_cards(read_text(STANDARD_INPUT) if text == STANDARD_INPUT else text)
    # A sheet does not say how many colours were in play; six include five.
    expeditions = sort_into_expeditions(cards, LONG)
    if arguments.json:
        scores = {
            color.letter: score_expedition(column, LONG) for color, column in expeditions.items()
        }
        data = {
            "total": sum(score.score for score in scores.values()),
            "expeditions": {letter: score_to_data(score) for letter, score in scores.items()},
        }
        print(json.dumps(data))
        return 0
    columns = [expeditions.get(color, ()) for color in LONG.colors]
    print("\n".join(receipts(columns, LONG, style=Style.of(sys.stdout))))
    return 0
