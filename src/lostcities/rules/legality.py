"""What the side to move may do, asked of the whole truth or of one seat's view alike.

Everything that decides whether a move is legal is known to the mover, so these
functions serve `Position` and `Observation`, and the rules are written once.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol, assert_never

from lostcities.rules.cards import Card, Cards, Color
from lostcities.rules.errors import Refusal, RefusalCode
from lostcities.rules.moves import DECK, CardMove, Discard, Draw, Move, Pass, Play, Turn
from lostcities.rules.seats import Seat, seat_name
from lostcities.rules.variant import Variant


class Phase(StrEnum):
    """What is due now."""

    CARD = "card"
    """The side to move puts a card down."""
    DRAW = "draw"
    """The side to move draws a card."""
    OVER = "over"
    """Nothing: the round has ended."""


class Situation(Protocol):
    """What has to be known to judge a move."""

    @property
    def variant(self) -> Variant:
        """The numbers of the game."""

    @property
    def phase(self) -> Phase:
        """What is due now."""

    @property
    def to_move(self) -> Seat | None:
        """The seat whose turn it is, None when the round is over."""

    @property
    def just_discarded(self) -> Color | None:
        """In the draw phase, the colour that was discarded this turn."""

    @property
    def num_stalling_turns(self) -> int:
        """Turns in a row, just now, that each discarded and took a discard."""

    @property
    def mover_hand(self) -> Cards:
        """The hand of the side to move, sorted."""

    @property
    def mover_expeditions(self) -> tuple[Cards, ...]:
        """The expeditions of the side to move, by colour."""

    @property
    def pile_tops(self) -> tuple[Card | None, ...]:
        """The top card of each discard pile, by colour."""


def reason_against(
    situation: Situation, move: Move | Pass, *, seat: Seat | None = None
) -> Refusal | None:
    """Return why the move is refused, or None if it is legal.

    Args:
        situation: The position, or the view of the side to move.
        move: What is asked for.
        seat: Who asks; None stands for the side to move.

    Source:
        rules N4 to N11; the order of the reasons is part of the contract.
    """
    if situation.phase is Phase.OVER:
        return Refusal(RefusalCode.ROUND_OVER, "cannot move: the round is over")
    if seat is not None and seat != situation.to_move:
        return Refusal(
            RefusalCode.NOT_YOUR_TURN,
            f"cannot move for {seat_name(seat)}: it is the turn of {_mover_name(situation)}",
        )
    match move:
        case Pass():
            return Refusal(
                RefusalCode.NO_PASS,
                "cannot pass: a turn is one card down, then one card drawn",
            )
        case Play() | Discard():
            return _against_card_move(situation, move)
        case Draw():
            return _against_draw(situation, move)
        case _:
            assert_never(move)


def _mover_name(situation: Situation) -> str:
    return "nobody" if situation.to_move is None else seat_name(situation.to_move)


def _against_card_move(situation: Situation, move: CardMove) -> Refusal | None:
    card = move.card
    verb = "play" if isinstance(move, Play) else "discard"
    if situation.phase is not Phase.CARD:
        return Refusal(
            RefusalCode.WRONG_PHASE,
            f"cannot {verb} {card}: a card was put down this turn, now draw one",
        )
    if card not in situation.mover_hand:
        return Refusal(RefusalCode.CARD_NOT_IN_HAND, f"cannot {verb} {card}: it is not in the hand")
    if isinstance(move, Play):
        return _against_playing(card, situation.mover_expeditions[card.color])
    return None


def _against_playing(card: Card, expedition: Cards) -> Refusal | None:
    if fits(card, expedition):
        return None
    top = expedition[-1]
    if card.is_wager:
        return Refusal(
            RefusalCode.WAGER_AFTER_NUMBER,
            f"cannot play {card}: {card.color.word} expedition already holds the number {top}, "
            "and wagers go before numbers",
        )
    return Refusal(
        RefusalCode.NOT_ASCENDING,
        f"cannot play {card}: {card.color.word} expedition is already at {top}",
    )


def fits(card: Card, expedition: Cards) -> bool:
    """Return whether the card may be played on the expedition (rules N6, N7).

    Wagers have rank 0, so they follow wagers only; a number never meets its equal.
    """
    return not expedition or card.rank >= expedition[-1].rank


def _against_draw(situation: Situation, move: Draw) -> Refusal | None:
    if situation.phase is not Phase.DRAW:
        return Refusal(RefusalCode.WRONG_PHASE, "cannot draw yet: first play or discard one card")
    pile = move.pile
    code = None if pile is None else _fault_of_pile(situation, pile)
    if pile is None or code is None:
        return None
    tops = dict(zip(situation.variant.colors, situation.pile_tops, strict=True))
    why = {
        RefusalCode.NO_SUCH_COLOR: f"this game has no {pile.word}",
        RefusalCode.JUST_DISCARDED: f"{tops.get(pile)} was discarded there this turn",
        RefusalCode.PILE_EMPTY: "it is empty",
        RefusalCode.MUST_DRAW_DECK: f"after {situation.num_stalling_turns} turns in a row that "
        "discarded and took a discard, a turn that discards draws from the deck",
    }
    return Refusal(code, f"cannot draw from the {pile.word} pile: {why[code]}")


def _fault_of_pile(situation: Situation, pile: Color) -> RefusalCode | None:
    """Return why the top of a pile may not be taken in this draw phase, None if it may.

    Source:
        rules N9, N10 and section 11.
    """
    if pile >= situation.variant.num_colors:
        return RefusalCode.NO_SUCH_COLOR
    if situation.variant.own_discard_block and pile == situation.just_discarded:
        return RefusalCode.JUST_DISCARDED
    if situation.pile_tops[pile] is None:
        return RefusalCode.PILE_EMPTY
    return RefusalCode.MUST_DRAW_DECK if is_deck_forced(situation) else None


def is_deck_forced(situation: Situation) -> bool:
    """Return whether the stall guard closes every pile for this draw.

    Source:
        rules section 11: the turn discarded, and the count stands at the limit.
    """
    limit = situation.variant.stall_limit
    return (
        limit is not None
        and situation.just_discarded is not None
        and situation.num_stalling_turns >= limit
    )


def legal_moves(situation: Situation) -> tuple[Move, ...]:
    """Return the distinct legal moves: plays, then discards; or deck, then piles.

    Equal wagers count once. The order is that of the action numbers.
    """
    match situation.phase:
        case Phase.CARD:
            return tuple(_legal_card_moves(situation))
        case Phase.DRAW:
            return tuple(_legal_draws(situation))
        case Phase.OVER:
            return ()
        case _:
            assert_never(situation.phase)


def _legal_card_moves(situation: Situation) -> Iterator[CardMove]:
    cards = tuple(dict.fromkeys(situation.mover_hand))
    expeditions = situation.mover_expeditions
    yield from (Play(card) for card in cards if fits(card, expeditions[card.color]))
    yield from map(Discard, cards)


def _legal_draws(situation: Situation) -> Iterator[Draw]:
    yield DECK
    for color in situation.variant.colors:
        if _fault_of_pile(situation, color) is None:
            yield Draw(color)


def legal_turns(situation: Situation) -> tuple[Turn, ...]:
    """Return the distinct legal whole turns of the side to move, () in the draw phase.

    The cards that a play or a discard leaves behind decide the draws, so the
    draw half is judged on the situation after the card half.
    """
    if situation.phase is not Phase.CARD:
        return ()
    return tuple(
        Turn(card_move, draw)
        for card_move in _legal_card_moves(situation)
        for draw in _legal_draws(_AfterCard(situation, card_move))
    )


def closed_piles(situation: Situation, card_move: CardMove) -> dict[Color, RefusalCode]:
    """Return the piles that may not be drawn from after a legal card move, each with the reason.

    Asked before the card is put down; the deck is never closed.
    """
    after = _AfterCard(situation, card_move)
    faults = ((color, _fault_of_pile(after, color)) for color in situation.variant.colors)
    return {color: fault for color, fault in faults if fault is not None}


class _AfterCard:
    """The draw phase that follows a card move, as far as draws depend on it."""

    def __init__(self, before: Situation, card_move: CardMove) -> None:
        discarded = card_move.card if isinstance(card_move, Discard) else None
        self.variant = before.variant
        self.phase = Phase.DRAW
        self.to_move = before.to_move
        self.just_discarded = discarded.color if discarded else None
        self.num_stalling_turns = before.num_stalling_turns
        self.mover_hand = before.mover_hand
        self.mover_expeditions = before.mover_expeditions
        self.pile_tops = tuple(
            discarded if color == self.just_discarded else top
            for color, top in zip(before.variant.colors, before.pile_tops, strict=True)
        )
