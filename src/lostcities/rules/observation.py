"""What may be known: by anybody at the table, and by one seat.

This file knows nothing of `Position`; there is no field here that could hold a
card that the viewer may not see.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from lostcities.rules import legality
from lostcities.rules.cards import Card, Cards, Color
from lostcities.rules.errors import Refusal, RefusalCode
from lostcities.rules.legality import Phase
from lostcities.rules.match import Points, Standing
from lostcities.rules.moves import CardMove, Move, Pass, Turn, WrittenTurn
from lostcities.rules.scoring import ExpeditionScore, score_expedition
from lostcities.rules.seats import Seat, other_seat
from lostcities.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class PublicObservation:
    """What a spectator may know now.

    Attributes:
        variant: The numbers of the game.
        hand_sizes: Cards in each seat's hand.
        known: For each seat, sorted, the cards of its hand that everybody
            knows of: taken from a pile and not put down since.
        expeditions: Each seat's expeditions by colour, in the order played.
        piles: The cards that are shown of each discard pile, bottom to top:
            all of them, or only the top with tabletop memory.
        pile_sizes: Cards in each discard pile.
        deck_size: Cards in the deck.
        to_move: The seat whose turn it is; None when the round is over.
        phase: What is due now.
        just_discarded: In the draw phase, the colour discarded this turn.
        num_stalling_turns: Turns in a row, just now, that each discarded and
            took a discard.
        standing: Where the round stands in its match.
    """

    variant: Variant
    hand_sizes: tuple[int, int]
    known: tuple[Cards, Cards]
    expeditions: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    piles: tuple[Cards, ...]
    pile_sizes: tuple[int, ...]
    deck_size: int
    to_move: Seat | None
    phase: Phase
    just_discarded: Color | None
    num_stalling_turns: int
    standing: Standing

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self.phase is Phase.OVER

    @property
    def pile_tops(self) -> tuple[Card | None, ...]:
        """The top card of each discard pile, by colour."""
        return tuple(pile[-1] if pile else None for pile in self.piles)

    @property
    def expedition_scores(self) -> tuple[tuple[ExpeditionScore, ...], ...]:
        """For each seat and colour, the terms of the score if the round ended now."""
        return tuple(
            tuple(score_expedition(cards, self.variant) for cards in expeditions)
            for expeditions in self.expeditions
        )

    @property
    def scores(self) -> Points:
        """What both seats would score if the round ended now."""
        a, b = self.expedition_scores
        return sum(part.score for part in a), sum(part.score for part in b)

    def turns_left(self, seat: Seat) -> int:
        """Return the seat's turns to come, the running one included, if nobody takes a discard."""
        is_next = seat == self.to_move
        return (self.deck_size + is_next) // 2

    def with_hand(self, seat: Seat, hand: Cards) -> "Observation":
        """Return the view of a seat that also sees its own hand."""
        facts = {field.name: getattr(self, field.name) for field in fields(PublicObservation)}
        return Observation(**facts, seat=seat, hand=hand)

    def _visible_cards(self) -> Counter[Card]:
        """Count the cards whose place everybody knows."""
        visible: Counter[Card] = Counter()
        for columns in (*self.expeditions, self.piles, self.known):
            for cards in columns:
                visible.update(cards)
        return visible


@dataclass(frozen=True, slots=True)
class Observation(PublicObservation):
    """What one seat may know now: what is public, and its own hand.

    Attributes:
        seat: Whose view this is.
        hand: The own hand, sorted.
        past: The turns of this round that are over, oldest first, as this seat saw them:
            all of them, the starter's first, or as many as whoever runs the game has kept.
            The rules ask for none of them, so they count for nothing when views are compared.
        earlier: What this seat last saw of the rounds of the match that are over, oldest first,
            with their turns; see `rules.memory`. As far as whoever runs the game has kept them, too.
    """

    seat: Seat
    hand: Cards
    past: tuple[WrittenTurn, ...] = field(default=(), compare=False, repr=False)
    earlier: tuple["Observation", ...] = field(default=(), compare=False, repr=False)

    def with_past(self, past: Iterable[WrittenTurn]) -> "Observation":
        """Return the view of a seat that also remembers the turns of the round."""
        return replace(self, past=tuple(past))

    def with_earlier(self, earlier: Iterable["Observation"]) -> "Observation":
        """Return the view of a seat that also remembers the rounds before."""
        return replace(self, earlier=tuple(earlier))

    @property
    def own_expeditions(self) -> tuple[Cards, ...]:
        """The own expeditions, by colour."""
        return self.expeditions[self.seat]

    @property
    def other_expeditions(self) -> tuple[Cards, ...]:
        """The other side's expeditions, by colour."""
        return self.expeditions[other_seat(self.seat)]

    @property
    def own_known(self) -> Cards:
        """The cards of the own hand that the other side knows of."""
        return self.known[self.seat]

    @property
    def other_known(self) -> Cards:
        """The cards that are known to be in the other hand."""
        return self.known[other_seat(self.seat)]

    @property
    def is_own_turn(self) -> bool:
        """Whether this seat is to move."""
        return self.to_move == self.seat

    @property
    def mover_hand(self) -> Cards:
        """The hand of the side to move.

        Raises:
            ValueError: If that is not this seat.
        """
        self._check_own_turn()
        return self.hand

    @property
    def mover_expeditions(self) -> tuple[Cards, ...]:
        """The expeditions of the side to move, by colour.

        Raises:
            ValueError: If that is not this seat.
        """
        self._check_own_turn()
        return self.own_expeditions

    def _check_own_turn(self) -> None:
        if not self.is_own_turn:
            raise ValueError("expected the view of the side to move, got that of the other side")

    @property
    def unseen(self) -> Cards:
        """The cards whose place this seat does not know, sorted.

        They are in the deck, in the other hand or, with tabletop memory, deep
        in a discard pile.
        """
        visible = self._visible_cards()
        visible.subtract(self.own_known)  # they are in the hand too, which comes next
        visible.update(self.hand)
        return tuple(sorted((Counter(self.variant.deck) - visible).elements()))

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The distinct legal moves of this ply in a fixed order; () when it is not this turn."""
        return legality.legal_moves(self) if self.is_own_turn else ()

    @property
    def legal_turns(self) -> tuple[Turn, ...]:
        """The distinct legal whole turns; () in the draw phase and when it is not this turn."""
        return legality.legal_turns(self) if self.is_own_turn else ()

    def reason_against(self, move: Move | Pass) -> Refusal | None:
        """Return why this seat may not make the move now, or None."""
        return legality.reason_against(self, move, seat=self.seat)

    def closed_piles_after(self, card_move: CardMove) -> dict[Color, RefusalCode]:
        """Return the piles that are closed for the draw after a legal card move of this seat."""
        return legality.closed_piles(self, card_move)
