"""A second bookkeeping of where each card of a deal is."""

from random import Random

from lostcities.play import Viewer
from lostcities.rules import SEATS, Card, Cards, Discard, Seat, Turn, Variant, other_seat


class Slots:
    """Where each card of a deal is, by its place in the deal.

    A second bookkeeping in plain lists, which shares nothing with the rules:
    it tells equal wagers apart, and knows what has been shown to whom.
    """

    def __init__(self, deal: Cards, variant: Variant, starter: Seat) -> None:
        num_dealt = 2 * variant.hand_size
        self.deal = deal
        self.deck = list(range(num_dealt, len(deal)))
        self.hands = {
            starter: list(range(0, num_dealt, 2)),
            other_seat(starter): list(range(1, num_dealt, 2)),
        }
        self.piles: dict[int, list[int]] = {color: [] for color in variant.colors}
        self.shown_to_all: set[int] = set()

    def make(self, seat: Seat, turn: Turn) -> None:
        card = turn.card_move.card
        copies = [slot for slot in self.hands[seat] if self.deal[slot] == card]
        # Of equal cards the one that is known already goes first: it tells nothing new.
        slot = min(copies, key=lambda slot: slot not in self.shown_to_all)
        self.hands[seat].remove(slot)
        self.shown_to_all.add(slot)
        if isinstance(turn.card_move, Discard):
            self.piles[card.color].append(slot)
        pile = turn.draw.pile
        self.hands[seat].append(self.deck.pop(0) if pile is None else self.piles[pile].pop())

    def hidden_from(self, viewer: Viewer) -> list[int]:
        """Return the places whose cards the viewer has never been shown."""
        hands = [slot for seat in SEATS if seat != viewer for slot in self.hands[seat]]
        return sorted(set(self.deck + hands) - self.shown_to_all)

    def seen_by(self, viewer: Viewer) -> set[Card]:
        """Return the cards of which the viewer has been shown at least one copy."""
        hidden = set(self.hidden_from(viewer))
        return {card for slot, card in enumerate(self.deal) if slot not in hidden}

    def twin_deal(self, viewer: Viewer, rng: Random) -> Cards:
        """Return another deal that the viewer cannot tell from this one so far."""
        hidden = self.hidden_from(viewer)
        cards = [self.deal[slot] for slot in hidden]
        assert len(set(cards)) > 1, "nothing is left to exchange"
        while True:
            rng.shuffle(cards)
            moved = dict(zip(hidden, cards, strict=True))
            twin = tuple(moved.get(slot, card) for slot, card in enumerate(self.deal))
            if twin != self.deal:
                return twin
