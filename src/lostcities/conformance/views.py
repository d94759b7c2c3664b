"""Kinds about what a seat may know.

That something is hidden is not read off a missing field: another position, in
which just that is different, must look the same to the viewer.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lostcities.conformance.fields import CaseFault, Fact, Fields, answers, as_object, in_any_order
from lostcities.conformance.runs import RUN_FACTS, Run, check_all_ok, play
from lostcities.conformance.states import names, read_state
from lostcities.rules import Observation, Position, Seat, other_seat


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of play and who looks at its end."""

    run: Run
    seat: Seat

    @property
    def position(self) -> Position:
        """The truth."""
        return self.run.final

    @property
    def observation(self) -> Observation:
        """What the viewer sees of it."""
        return self.position.observe(self.seat)


def _is_shown(view: View, twin: Position | None) -> bool:
    """Whether the viewer can tell the position from its twin; without any twin it is certain."""
    return twin is None or twin.observe(view.seat) != view.observation


def _with_other_hand(view: View) -> Position | None:
    """Exchange an unknown card of the other hand with one of the deck."""
    position, other = view.position, other_seat(view.seat)
    unknown = Counter(position.hands[other]) - Counter(position.known[other])
    for card in unknown:
        for index, drawn in enumerate(position.deck):
            if drawn != card:
                hand = list(position.hands[other])
                hand[hand.index(card)] = drawn
                hands = list(position.hands)
                hands[other] = tuple(sorted(hand))
                deck = (*position.deck[:index], card, *position.deck[index + 1 :])
                return replace(position, hands=(hands[0], hands[1]), deck=deck)
    return None


def _with_other_deck(view: View) -> Position | None:
    """Exchange the first card of the deck with a different one further down."""
    deck = view.position.deck
    for index, card in enumerate(deck):
        if card != deck[0]:
            other = (card, *deck[1:index], deck[0], *deck[index + 1 :])
            return replace(view.position, deck=other)
    return None


_Item = Callable[[View], bool]
_ITEMS: Final[dict[str, _Item]] = {
    "own_hand": lambda v: v.observation.hand == v.position.hands[v.seat],
    "own_hand_count": lambda v: _is_size(v, v.seat),
    "opponent_hand": lambda v: _is_shown(v, _with_other_hand(v)),
    "opponent_hand_count": lambda v: _is_size(v, other_seat(v.seat)),
    "opponent_deck_draws": lambda v: _is_shown(v, _with_other_hand(v)),
    "opponent_taken_cards": lambda v: (
        v.observation.other_known == v.position.known[other_seat(v.seat)]
    ),
    "deck_order": lambda v: _is_shown(v, _with_other_deck(v)),
    "next_deck_card": lambda v: _is_shown(v, _with_other_deck(v)),
    "deck_count": lambda v: v.observation.deck_size == len(v.position.deck),
    "own_expeditions": lambda v: v.observation.own_expeditions == v.position.expeditions[v.seat],
    "opponent_expeditions": lambda v: (
        v.observation.other_expeditions == v.position.expeditions[other_seat(v.seat)]
    ),
    "pile_tops": lambda v: v.observation.pile_tops == v.position.pile_tops,
    "pile_sizes": lambda v: v.observation.pile_sizes == tuple(map(len, v.position.piles)),
    "pile_contents": lambda v: v.observation.piles == v.position.piles,
    "pile_contents_in_order": lambda v: v.observation.piles == v.position.piles,
    "just_discarded": lambda v: v.observation.just_discarded == v.position.just_discarded,
    "scores": lambda v: v.observation.scores == v.position.scores,
    "scores_of_expeditions": lambda v: v.observation.scores == v.position.scores,
    "totals": lambda v: v.observation.standing.totals == v.position.standing.totals,
    "to_move": lambda v: v.observation.to_move == v.position.to_move,
    "phase": lambda v: v.observation.phase == v.position.phase,
}


def _is_size(view: View, seat: Seat) -> bool:
    return view.observation.hand_sizes[seat] == len(view.position.hands[seat])


def _sees(view: View, wanted: object) -> object:
    asked = as_object(wanted, "sees")
    if unknown := sorted(asked.keys() - _ITEMS.keys()):
        raise CaseFault(f"unknown key in sees: {', '.join(unknown)}")
    return {item: _ITEMS[item](view) for item in asked}


def _on_run(fact: Fact[Run]) -> Fact[View]:
    return lambda view, wanted: fact(view.run, wanted)


_VIEW_FACTS: Final[dict[str, Fact[View]]] = {
    **{name: _on_run(fact) for name, fact in RUN_FACTS.items()},
    "sees": _sees,
    "known_in_opponent_hand": lambda view, wanted: in_any_order(
        names(view.observation.other_known), wanted, "known cards"
    ),
    "known_in_own_hand": lambda view, wanted: in_any_order(
        names(view.observation.own_known), wanted, "known cards"
    ),
    "unseen": lambda view, _: len(view.observation.unseen),
    "unseen_cards": lambda view, wanted: in_any_order(
        names(view.observation.unseen), wanted, "unseen cards"
    ),
}


def run_view(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
    """Play the actions and look at what comes of it from one seat."""
    seat = setup.seat("viewer")
    run = play(read_state(setup), actions)
    check_all_ok(run, expected)
    return answers(_VIEW_FACTS, View(run, seat), expected)
