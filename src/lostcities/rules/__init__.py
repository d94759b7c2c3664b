"""What the game is: the law, as immutable values.

Knows cards, positions, moves, scores, matches and what each seat may know.
Does not know how the game is written, who sits at the table, or how anything
is stored, sent or drawn. Standard library only.
"""

from lostcities.rules.cards import COLOR_LETTERS, RANK_MARKS, WAGER, Card, Cards, Color
from lostcities.rules.errors import (
    IllegalMoveError,
    InvalidPositionError,
    LostCitiesError,
    Refusal,
    RefusalCode,
)
from lostcities.rules.legality import Phase
from lostcities.rules.match import Match, Points, RoundResult, Standing
from lostcities.rules.memory import NO_MEMORY, Memory, remember, seen_by
from lostcities.rules.moves import (
    DECK,
    CardMove,
    Discard,
    Draw,
    Move,
    Pass,
    Play,
    Turn,
    WrittenTurn,
)
from lostcities.rules.observation import Observation, PublicObservation
from lostcities.rules.position import Position
from lostcities.rules.scoring import (
    ExpeditionScore,
    score_expedition,
    score_round,
    sort_into_expeditions,
)
from lostcities.rules.seats import SEAT_NAMES, SEATS, Seat, other_seat, seat_name
from lostcities.rules.variant import (
    CLASSIC,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    SMALL,
    TINY,
    MatchGoal,
    StarterPolicy,
    Variant,
)

__all__ = [
    "CLASSIC",
    "COLOR_LETTERS",
    "DECK",
    "LONG",
    "MINI",
    "NO_MEMORY",
    "ONLINE_STALL_LIMIT",
    "RANK_MARKS",
    "SEATS",
    "SEAT_NAMES",
    "SMALL",
    "TINY",
    "WAGER",
    "Card",
    "CardMove",
    "Cards",
    "Color",
    "Discard",
    "Draw",
    "ExpeditionScore",
    "IllegalMoveError",
    "InvalidPositionError",
    "LostCitiesError",
    "Match",
    "MatchGoal",
    "Memory",
    "Move",
    "Observation",
    "Pass",
    "Phase",
    "Play",
    "Points",
    "Position",
    "PublicObservation",
    "Refusal",
    "RefusalCode",
    "RoundResult",
    "Seat",
    "Standing",
    "StarterPolicy",
    "Turn",
    "Variant",
    "WrittenTurn",
    "other_seat",
    "remember",
    "score_expedition",
    "score_round",
    "seat_name",
    "seen_by",
    "sort_into_expeditions",
]
