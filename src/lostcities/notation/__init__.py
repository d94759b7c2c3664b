"""How the game is written: cards, turns, positions in one line, records, words.

Knows the texts and what is wrong with them. Does not know tables, files or
screens. Each `parse_x` has a `format_x`, and they are inverses. Standard
library only.
"""

from lostcities.notation.cards import format_card, format_cards, parse_card, parse_cards
from lostcities.notation.errors import InvalidRecordError, NotationError, Place
from lostcities.notation.positions import (
    format_observation,
    format_position,
    parse_observation,
    parse_position,
    parse_view,
)
from lostcities.notation.record_reader import parse_records
from lostcities.notation.records import Comment, RoundRecord, format_records
from lostcities.notation.replay import Replay, replay
from lostcities.notation.turns import (
    format_card_move,
    format_draw,
    format_turn,
    parse_card_move,
    parse_draw,
    parse_turn,
)
from lostcities.notation.words import read_cards

__all__ = [
    "Comment",
    "InvalidRecordError",
    "NotationError",
    "Place",
    "Replay",
    "RoundRecord",
    "format_card",
    "format_card_move",
    "format_cards",
    "format_draw",
    "format_observation",
    "format_position",
    "format_records",
    "format_turn",
    "parse_card",
    "parse_card_move",
    "parse_cards",
    "parse_draw",
    "parse_observation",
    "parse_position",
    "parse_records",
    "parse_turn",
    "parse_view",
    "read_cards",
    "replay",
]
