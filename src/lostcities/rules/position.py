"""The whole truth about a round, and how a move changes it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, assert_never

from lostcities.rules import legality
from lostcities.rules.cards import Card, Cards, Color
from lostcities.rules.errors import IllegalMoveError, InvalidPositionError, Refusal
from lostcities.rules.legality import Phase
from lostcities.rules.match import Points, Standing
from lostcities.rules.moves import CardMove, Discard, Draw, Move, Pass, Play, Turn
from lostcities.rules.observation import Observation, PublicObservation
from lostcities.rules.scoring import score_round
from lostcities.rules.seats import SEATS, Seat, other_seat
from lostcities.rules.validity import check_cards, check_deal, check_layout, check_standing
from lostcities.rules.variant import CLASSIC, Variant

_T = TypeVar("_T")
Hands = tuple[Cards, Cards]
Expeditions = tuple[tuple[Cards, ...], tuple[Cards, ...]]


@dataclass(frozen=True, slots=True)
class Position:
    """Everything there is to know about a round at one moment.

    Its `repr` shows what everybody may see, so that a log line gives nothing
    away; `notation.format_position` shows it all. Build one with `deal` or `checked`; the bare constructor checks nothing.

    Attributes:
        variant: The numbers of the game.
        hands: Each seat's hand, sorted.
        expeditions: Each seat's expeditions by colour, in the order played.
        piles: The discard piles by colour, bottom to top.
        deck: The deck; the first card is drawn next.
        to_move: The seat whose turn it is; None when the round is over.
        phase: What is due now.
        just_discarded: In the draw phase, the colour discarded this turn.
        num_stalling_turns: Turns in a row, just now, that each discarded and
            took a discard.
        known: For each seat, sorted, the cards of its hand that everybody
            knows of: taken from a pile and not put down since.
        standing: Where the round stands in its match.
    """

    variant: Variant
    hands: Hands = field(repr=False)
    expeditions: Expeditions
    piles: tuple[Cards, ...]
    deck: Cards = field(repr=False)
    to_move: Seat | None
    phase: Phase = Phase.CARD
    just_discarded: Color | None = None
    num_stalling_turns: int = 0
    known: Hands = ((), ())
    standing: Standing = field(default_factory=Standing)

    @classmethod
    def deal(
        cls,
        deal: Sequence[Card],
        *,
        variant: Variant = CLASSIC,
        standing: Standing | None = None,
    ) -> "Position":
        """Return the start of a round.

        Args:
            deal: All cards, top first. They go out one at a time, the starter
                first; the rest in the same order is the deck.
            variant: The numbers of the game.
            standing: Where the round stands in its match, with its starter;
                by default the first round, started by seat A.

        Raises:
            InvalidPositionError: If the cards are not exactly the variant's deck,
                or the standing is none of its matches.
        """
        check_deal(deal, variant)
        standing = standing or Standing(num_rounds=variant.num_rounds)
        check_standing(standing, variant)
        if standing.round_number == 1 and standing.totals != (0, 0):
            raise InvalidPositionError(
                f"expected totals of 0 and 0 before round 1, got {standing.totals}"
            )
        starter = standing.starter
        num_dealt = len(SEATS) * variant.hand_size
        of_starter = tuple(sorted(deal[0:num_dealt:2]))
        of_other = tuple(sorted(deal[1:num_dealt:2]))
        nothing: tuple[Cards, ...] = ((),) * variant.num_colors
        return cls(
            variant=variant,
            hands=(of_starter, of_other) if starter == 0 else (of_other, of_starter),
            expeditions=(nothing, nothing),
            piles=nothing,
            deck=tuple(deal[num_dealt:]),
            to_move=starter,
            standing=standing,
        )

    def checked(self) -> "Position":
        """Return this position with its hands sorted, or refuse it.

        Raises:
            InvalidPositionError: If it cannot be a position of its variant.
        """
        position = replace(
            self,
            hands=(tuple(sorted(self.hands[0])), tuple(sorted(self.hands[1]))),
            known=(tuple(sorted(self.known[0])), tuple(sorted(self.known[1]))),
        )
        check_layout(position)
        check_cards(position)
        return position

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self.phase is Phase.OVER

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is.

        Raises:
            ValueError: If the round is over.
        """
        if self.to_move is None:
            raise ValueError("nobody is to move: the round is over")
        return self.to_move

    @property
    def mover_hand(self) -> Cards:
        """The hand of the side to move."""
        return self.hands[self.mover]

    @property
    def mover_expeditions(self) -> tuple[Cards, ...]:
        """The expeditions of the side to move, by colour."""
        return self.expeditions[self.mover]

    @property
    def pile_tops(self) -> tuple[Card | None, ...]:
        """The top card of each discard pile, by colour."""
        return tuple(pile[-1] if pile else None for pile in self.piles)

    @property
    def scores(self) -> Points:
        """What both seats would score if the round ended now."""
        return (
            score_round(self.expeditions[0], self.variant),
            score_round(self.expeditions[1], self.variant),
        )

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The distinct legal moves of this ply, in a fixed order."""
        return legality.legal_moves(self)

    @property
    def legal_turns(self) -> tuple[Turn, ...]:
        """The distinct legal whole turns; () in the draw phase."""
        return legality.legal_turns(self)

    def reason_against(self, move: Move | Pass, *, seat: Seat | None = None) -> Refusal | None:
        """Return why the move is refused, or None. *seat* is who asks, if not the mover."""
        return legality.reason_against(self, move, seat=seat)

    def reason_against_turn(self, turn: Turn, *, seat: Seat | None = None) -> Refusal | None:
        """Return why the whole turn is refused, or None."""
        if refusal := self.reason_against(turn.card_move, seat=seat):
            return refusal
        return self._after(turn.card_move).reason_against(turn.draw)

    def is_legal(self, move: Move) -> bool:
        """Return whether the move may be made now."""
        return self.reason_against(move) is None

    def after(self, move: Move) -> "Position":
        """Return the position after a move.

        Raises:
            IllegalMoveError: If the rules refuse the move; it carries the refusal.
        """
        if refusal := self.reason_against(move):
            raise IllegalMoveError(refusal)
        return self._after(move)

    def after_turn(self, turn: Turn) -> "Position":
        """Return the position after a whole turn.

        Raises:
            IllegalMoveError: If the rules refuse either half.
        """
        return self.after(turn.card_move).after(turn.draw)

    def card_drawn_by(self, draw: Draw) -> Card:
        """Return the card that a legal draw would bring."""
        return self.deck[0] if draw.pile is None else self.piles[draw.pile][-1]

    def observe(self, seat: Seat) -> Observation:
        """Return what the seat may know now: what is public, and its own hand.

        Raises:
            ValueError: If there is no such seat.
        """
        if seat not in SEATS:
            raise ValueError(f"expected seat 0 or 1, got {seat}")
        return self.observe_publicly().with_hand(seat, self.hands[seat])

    def observe_publicly(self) -> PublicObservation:
        """Return what anybody at the table may know now: built field by field."""
        shows_all = not self.variant.tabletop_memory
        return PublicObservation(
            variant=self.variant,
            hand_sizes=(len(self.hands[0]), len(self.hands[1])),
            known=self.known,
            expeditions=self.expeditions,
            piles=self.piles if shows_all else tuple(pile[-1:] for pile in self.piles),
            pile_sizes=tuple(map(len, self.piles)),
            deck_size=len(self.deck),
            to_move=self.to_move,
            phase=self.phase,
            just_discarded=self.just_discarded,
            num_stalling_turns=self.num_stalling_turns,
            standing=self.standing,
        )

    def _after(self, move: Move) -> "Position":
        match move:
            case Play() | Discard():
                return self._after_card(move)
            case Draw():
                return self._after_draw(move)
            case _:
                assert_never(move)

    def _after_card(self, move: CardMove) -> "Position":
        seat, card = self.mover, move.card
        is_play = isinstance(move, Play)
        expeditions = self.expeditions
        if is_play:
            expeditions = _put(expeditions, seat, _add_on_top(expeditions[seat], card))
        return Position(
            variant=self.variant,
            hands=_put(self.hands, seat, _without(self.hands[seat], card)),
            expeditions=expeditions,
            piles=self.piles if is_play else _add_on_top(self.piles, card),
            deck=self.deck,
            to_move=seat,
            phase=Phase.DRAW,
            just_discarded=None if is_play else card.color,
            num_stalling_turns=self.num_stalling_turns,
            known=_put(self.known, seat, _without(self.known[seat], card)),
            standing=self.standing,
        )

    def _after_draw(self, move: Draw) -> "Position":
        seat, pile = self.mover, move.pile
        from_deck = pile is None
        card = self.card_drawn_by(move)
        deck = self.deck[1:] if from_deck else self.deck
        is_stalling = not from_deck and self.just_discarded is not None
        # Rule N11: the instant the last deck card is drawn, and at no other time.
        is_over = not deck
        return Position(
            variant=self.variant,
            hands=_put(self.hands, seat, tuple(sorted((*self.hands[seat], card)))),
            expeditions=self.expeditions,
            piles=self.piles if pile is None else _take_top(self.piles, pile),
            deck=deck,
            to_move=None if is_over else other_seat(seat),
            phase=Phase.OVER if is_over else Phase.CARD,
            just_discarded=None,
            num_stalling_turns=self.num_stalling_turns + 1 if is_stalling else 0,
            known=self.known
            if from_deck
            else _put(self.known, seat, tuple(sorted((*self.known[seat], card)))),
            standing=self.standing.with_scores(self.scores) if is_over else self.standing,
        )


def _put(pair: tuple[_T, _T], seat: Seat, value: _T) -> tuple[_T, _T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _without(cards: Cards, card: Card) -> Cards:
    """Return the cards less one copy of *card*, if there is one."""
    if card not in cards:
        return cards
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def _add_on_top(columns: tuple[Cards, ...], card: Card) -> tuple[Cards, ...]:
    color = card.color
    return (*columns[:color], (*columns[color], card), *columns[color + 1 :])


def _take_top(columns: tuple[Cards, ...], color: Color) -> tuple[Cards, ...]:
    return (*columns[:color], columns[color][:-1], *columns[color + 1 :])
