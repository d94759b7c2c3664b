"""Playing a record again by the rules.

A record without a deal is completed first: the cards that nobody wrote down
are put wherever they may have been, so that the same rules judge every record.
"""

from collections import Counter
from dataclasses import dataclass, replace

from lostcities.notation.errors import InvalidRecordError
from lostcities.notation.records import RoundRecord
from lostcities.notation.turns import format_turn
from lostcities.rules import (
    NO_MEMORY,
    SEATS,
    Card,
    Cards,
    Discard,
    InvalidPositionError,
    Memory,
    Observation,
    Points,
    Position,
    Seat,
    Turn,
    other_seat,
    remember,
    seat_name,
    seen_by,
)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record as the rules see it.

    Attributes:
        record: What was replayed.
        positions: The start, and the position after each turn.
        has_known_hands: Whether the record gave the deal; otherwise hands and
            deck hold made-up cards wherever the record is silent.
    """

    record: RoundRecord
    positions: tuple[Position, ...]
    has_known_hands: bool

    @property
    def final(self) -> Position:
        """The position after the last turn."""
        return self.positions[-1]

    @property
    def scores(self) -> Points:
        """The scores of the last position, as if the round ended there."""
        return self.final.scores

    def view_before(self, index: int, *, memory: Memory = NO_MEMORY) -> Observation:
        """Return what the side to move knew before a turn, with the turns that it had seen.

        Where the record gave no deal, hand and draws are made up.

        Args:
            index: Counts the turns from 0.
            memory: What the seats remember of the rounds before.
        """
        seat = self.positions[index].mover
        past = seen_by(seat, self.positions[0], self._turns[:index])
        return self.positions[index].observe(seat).with_past(past).with_earlier(memory[seat])

    def remembered(self, memory: Memory = NO_MEMORY) -> Memory:
        """Return what the seats remember behind this round; *memory* is of the rounds before."""
        return remember(memory, self.positions[0], self._turns)

    @property
    def _turns(self) -> list[Turn]:
        return [written.turn for written in self.record.turns]

    @property
    def num_takes(self) -> int:
        """How many turns drew from a discard pile."""
        return sum(written.turn.draw.pile is not None for written in self.record.turns)


def replay(record: RoundRecord) -> Replay:
    """Play the record again.

    Raises:
        InvalidRecordError: If a turn is illegal, a drawn card was another one, or
            the end or the result is not that of the turns.
    """
    if record.deal is None:
        return _replay_without_deal(record)
    return _replay_dealt(record, record.deal)


def _replay_without_deal(record: RoundRecord) -> Replay:
    completion = _Completion(record)
    fault = completion.run()
    if fault is not None:
        # The turns before it may be wrong in a plainer way, and come first.
        index, problem = fault
        before = replace(record, turns=record.turns[:index], is_over=False, result=None)
        _replay_dealt(before, completion.deal(), checks_end=False)
        raise _fault(record, index, problem)
    return _replay_dealt(record, completion.deal())


def _replay_dealt(record: RoundRecord, deal: Cards, *, checks_end: bool = True) -> Replay:
    try:
        start = Position.deal(deal, variant=record.variant, standing=record.standing)
    except InvalidPositionError as error:
        raise InvalidRecordError(str(error)) from None
    positions = [start]
    for index in range(len(record.turns)):
        positions.append(_after(record, index, positions[-1]))
    if checks_end:
        _check_end(record, positions[-1])
    return Replay(record, tuple(positions), has_known_hands=record.deal is not None)


def _after(record: RoundRecord, index: int, position: Position) -> Position:
    written = record.turns[index]
    if refusal := position.reason_against_turn(written.turn):
        raise _fault(record, index, refusal.sentence)
    staged = position.after(written.turn.card_move)
    drawn = staged.card_drawn_by(written.turn.draw)
    if written.drawn not in (None, drawn):
        raise _fault(record, index, f"expected {drawn} to be drawn, got {written.drawn}")
    return staged.after(written.turn.draw)


def _fault(record: RoundRecord, index: int, problem: str) -> InvalidRecordError:
    mover = (record.standing.starter + index) % len(SEATS)
    written = record.turns[index]
    what = f"{seat_name(mover)} {format_turn(written.turn, written.drawn)}: {problem}"
    place = record.place_of_turn(index)
    return InvalidRecordError(what if place else f"turn {index // 2 + 1}: {what}", place)


def _check_end(record: RoundRecord, final: Position) -> None:
    left = "1 card is" if len(final.deck) == 1 else f"{len(final.deck)} cards are"
    if record.is_over and not final.is_over:
        raise InvalidRecordError(
            f"expected the round to go on, since {left} left in the deck, got '#'"
        )
    if final.is_over and not record.is_over:
        raise InvalidRecordError(
            "expected '#' after the turn that drew the last card of the deck, "
            "got the end of the record"
        )
    if record.result is None:
        return
    if not final.is_over:
        raise InvalidRecordError(
            f"expected no result, since {left} left in the deck "
            f"(is the record cut short after {len(record.turns)} turns?), "
            f"got {_format_points(record.result)}"
        )
    if record.result != final.scores:
        raise InvalidRecordError(
            f"expected the result {_format_points(final.scores)}, which is what the turns score, "
            f"got {_format_points(record.result)}"
        )


def _format_points(points: Points) -> str:
    return f"A {points[0]} B {points[1]}"


class _Completion:
    """Fills in a deal from what the turns give away.

    Every card slot of the deal is either known or open. A card that is put
    down without having been seen before must have been in an open slot of
    that seat: of its first hand, or of an unwritten deck draw. Any such slot
    is as good as any other, since the slots differ in nothing that is
    written; the oldest is taken.
    """

    def __init__(self, record: RoundRecord) -> None:
        self.record = record
        variant = record.variant
        self.slots: list[Card | None] = [None] * len(variant.deck)
        self.unused = Counter(variant.deck)
        self.next_in_deck = len(SEATS) * variant.hand_size
        starter = record.standing.starter
        self.open_slots: dict[Seat, list[int]] = {
            starter: list(range(0, self.next_in_deck, 2)),
            other_seat(starter): list(range(1, self.next_in_deck, 2)),
        }
        self.seen_in_hand: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
        self.piles: dict[int, list[Card]] = {color: [] for color in variant.colors}

    def run(self) -> tuple[int, str] | None:
        """Go through the turns; return the first that no deal explains, and why."""
        for index, written in enumerate(self.record.turns):
            seat = (self.record.standing.starter + index) % len(SEATS)
            card_move = written.turn.card_move
            problem = self._put_down(seat, card_move.card)
            if problem is None:
                if isinstance(card_move, Discard):
                    self.piles[card_move.card.color].append(card_move.card)
                problem = self._draw(seat, written.turn.draw.pile, written.drawn)
            if problem is not None:
                return index, problem
        return None

    def deal(self) -> Cards:
        """Return a whole deal that agrees with the turns gone through."""
        rest = iter(sorted(self.unused.elements()))
        return tuple(next(rest) if card is None else card for card in self.slots)

    def _put_down(self, seat: Seat, card: Card) -> str | None:
        if card.color >= self.record.variant.num_colors:
            return f"{card} does not exist in this game"
        if card in self.seen_in_hand[seat]:
            self.seen_in_hand[seat].remove(card)
            return None
        if not self.open_slots[seat]:
            return f"{card} cannot be in the hand: all its cards are known"
        return self._fill(self.open_slots[seat].pop(0), card)

    def _draw(self, seat: Seat, pile: int | None, drawn: Card | None) -> str | None:
        if pile is not None:
            # An impossible take is left for the rules to refuse.
            if self.piles.get(pile):
                self.seen_in_hand[seat].append(self.piles[pile].pop())
            return None
        if self.next_in_deck >= len(self.slots):
            return None
        slot = self.next_in_deck
        self.next_in_deck += 1
        if drawn is None:
            self.open_slots[seat].append(slot)
            return None
        self.seen_in_hand[seat].append(drawn)
        return self._fill(slot, drawn)

    def _fill(self, slot: int, card: Card) -> str | None:
        if not self.unused[card]:
            return f"{card} cannot be there: all copies are accounted for"
        self.unused[card] -= 1
        self.slots[slot] = card
        return None
