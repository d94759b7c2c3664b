"""Every number of the game. No other file knows a 20, an 8 or a 5."""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from lostcities.rules.cards import WAGER, Card, Cards, Color
from lostcities.rules.seats import SEATS


class StarterPolicy(StrEnum):
    """Who starts a later round of the match.

    Where a policy looks at points and they are level, the player who did not
    start the round before starts.
    """

    LEADER = "leader"
    """The higher total so far. The rule of the game."""
    ROUND_WINNER = "round_winner"
    """The higher score in the round just played."""
    TRAILER = "trailer"
    """The lower total so far."""
    ALTERNATE = "alternate"
    """The player who did not start the round before."""
    FIXED = "fixed"
    """Always the player who started the first round."""
    RANDOM = "random"
    """By lot, each time."""


class MatchGoal(StrEnum):
    """What decides a match."""

    POINTS = "points"
    """The higher sum of the round scores. The rule of the game."""
    ROUNDS = "rounds"
    """The higher number of rounds won, a house rule."""


@dataclass(frozen=True)
class Variant:
    """The numbers of a game; the defaults are those of the printed game.

    Attributes:
        num_colors: The first so many of the colours Y B W G R P are used.
        lowest_rank: The smallest number card of a colour.
        highest_rank: The largest number card of a colour.
        wagers_per_color: Identical wagers in each colour.
        hand_size: Cards in a hand at the start of a turn.
        expedition_cost: Points that an opened expedition costs.
        bonus: Points for a long expedition, never multiplied.
        bonus_threshold: Cards, wagers included, that make an expedition long.
        num_rounds: Rounds in a match, 1 to 9.
        starter_policy: Who starts a later round.
        match_goal: What decides a match.
        tabletop_memory: Whether only the top of a discard pile is shown, as on
            a table; otherwise all of a pile is, because all of it was public.
        stall_limit: After so many turns in a row that each discarded and took
            a discard, a turn that discards must draw from the deck. None: the
            guard is off.
        own_discard_block: Whether the card just discarded may not be taken
            back in the same turn.

    Raises:
        ValueError: If a number is out of its range or the deck would be too small.

    Source:
        The printed rules; the options are house rules and practice online.
    """

    num_colors: int = 5
    lowest_rank: int = 2
    highest_rank: int = 10
    wagers_per_color: int = 3
    hand_size: int = 8
    expedition_cost: int = 20
    bonus: int = 20
    bonus_threshold: int = 8
    num_rounds: int = 3
    starter_policy: StarterPolicy = StarterPolicy.LEADER
    match_goal: MatchGoal = MatchGoal.POINTS
    tabletop_memory: bool = False
    stall_limit: int | None = None
    own_discard_block: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers that make no game."""
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is None and name == "stall_limit":
                continue
            if not low <= value <= high:
                raise ValueError(f"expected {name} from {low} to {high}, got {value}")
        if self.lowest_rank > self.highest_rank:
            raise ValueError(
                f"expected lowest_rank to be at most highest_rank {self.highest_rank}, "
                f"got {self.lowest_rank}"
            )
        StarterPolicy(self.starter_policy)
        MatchGoal(self.match_goal)
        if self.deck_after_deal < 1:
            raise ValueError(
                f"expected more than {len(SEATS) * self.hand_size} cards for two hands of "
                f"{self.hand_size}, got a deck of {len(self.deck)}"
            )

    @cached_property
    def colors(self) -> tuple[Color, ...]:
        """The colours in play, in canonical order."""
        return tuple(Color)[: self.num_colors]

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the number cards, ascending."""
        return tuple(range(self.lowest_rank, self.highest_rank + 1))

    @cached_property
    def cards_of_a_color(self) -> tuple[int, ...]:
        """The ranks of all cards of one colour, wagers first."""
        return (WAGER,) * self.wagers_per_color + self.ranks

    @cached_property
    def deck(self) -> Cards:
        """All cards, sorted."""
        return tuple(Card(color, rank) for color in self.colors for rank in self.cards_of_a_color)

    @cached_property
    def deck_after_deal(self) -> int:
        """The number of cards that the deck holds when the first turn begins."""
        return len(self.deck) - len(SEATS) * self.hand_size

    @property
    def is_standard(self) -> bool:
        """Whether this is the printed game with five or six colours.

        The number of rounds, the stall guard and what is shown of a pile are
        agreed at the table and make no other game.
        """
        return self._game in (CLASSIC, LONG)

    @property
    def name(self) -> str:
        """'classic', 'long', or 'non-standard'."""
        return {CLASSIC: "classic", LONG: "long"}.get(self._game, "non-standard")

    @property
    def _game(self) -> "Variant":
        return replace(self, num_rounds=3, stall_limit=None, tabletop_memory=False)

    def copies_of(self, card: Card) -> int:
        """Return how many such cards the deck holds: 0 for a card that does not exist."""
        return self.cards_of_a_color.count(card.rank) if card.color < self.num_colors else 0

    def differences(self) -> dict[str, object]:
        """Return the numbers that differ from the defaults, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


_RANGES: Final = {
    "num_colors": (2, len(Color)),
    "lowest_rank": (2, 10),
    "highest_rank": (2, 10),
    "wagers_per_color": (0, 4),
    "hand_size": (1, 40),
    "expedition_cost": (0, 1000),
    "bonus": (0, 1000),
    "bonus_threshold": (1, 100),
    "num_rounds": (1, 9),
    "stall_limit": (0, 9999),
}

CLASSIC: Final = Variant()
"""Five colours, sixty cards."""
LONG: Final = Variant(num_colors=6)
"""Six colours, seventy-two cards, as in the editions since 2018."""
TINY: Final = Variant(num_colors=2, highest_rank=3, wagers_per_color=1, hand_size=2)
"""Six cards: small enough to walk every game. For tests and teaching."""
SMALL: Final = Variant(num_colors=2, highest_rank=4, wagers_per_color=1, hand_size=2)
"""Eight cards."""
MINI: Final = Variant(num_colors=3, highest_rank=4, wagers_per_color=1, hand_size=3)
"""Twelve cards."""
ONLINE_STALL_LIMIT: Final = 12
"""The stall limit of tables, arenas and research interfaces, where a round has to end."""
