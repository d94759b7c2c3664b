"""Whether cards can lie like this at all."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lostcities.rules.cards import Card, Cards, format_list
from lostcities.rules.errors import InvalidPositionError
from lostcities.rules.legality import Phase, fits
from lostcities.rules.match import Standing
from lostcities.rules.seats import SEATS, seat_name
from lostcities.rules.variant import Variant

if TYPE_CHECKING:  # the check and the class need each other
    from lostcities.rules.position import Position


def check_deal(deal: Sequence[Card], variant: Variant) -> None:
    """Refuse a deal that is not exactly the variant's deck, in any order.

    Raises:
        InvalidPositionError: With the missing and the extra cards.
    """
    _check_inventory(deal, variant, "deal")


def check_cards(position: "Position") -> None:
    """Refuse a position that does not hold every card of the deck once.

    Raises:
        InvalidPositionError: With the missing and the extra cards.
    """
    columns = (*position.hands, *position.expeditions[0], *position.expeditions[1], *position.piles)
    cards = [card for column in columns for card in column]
    _check_inventory([*cards, *position.deck], position.variant, "position")


def _check_inventory(cards: Sequence[Card], variant: Variant, where: str) -> None:
    there, wanted = Counter(cards), Counter(variant.deck)
    if there == wanted:
        return
    extra, missing = sorted((there - wanted).elements()), sorted((wanted - there).elements())
    faults = [
        f"{name}: {format_list(some[:5])}{' ...' if len(some) > 5 else ''}"
        for name, some in (("extra", extra), ("missing", missing))
        if some
    ]
    raise InvalidPositionError(
        f"{len(cards)} cards in {where}, variant '{variant.name}' has {len(variant.deck)}; "
        + "; ".join(faults)
    )


def check_layout(position: "Position") -> None:
    """Refuse columns, hands or a phase that no game of the variant can have.

    Raises:
        InvalidPositionError: With the first fault found.
    """
    for seat in SEATS:
        _check_columns(position.expeditions[seat], position.variant, "expedition")
        for cards in position.expeditions[seat]:
            _check_ascending(cards)
    _check_columns(position.piles, position.variant, "pile")
    _check_phase(position)
    if position.num_stalling_turns < 0:
        raise InvalidPositionError(
            f"expected 0 or more stalling turns, got {position.num_stalling_turns}"
        )
    check_standing(position.standing, position.variant)
    for seat in SEATS:
        _check_hand(position, seat)


def _check_columns(columns: Sequence[Cards], variant: Variant, what: str) -> None:
    if len(columns) != variant.num_colors:
        raise InvalidPositionError(
            f"expected {variant.num_colors} {what}s, one for each colour, got {len(columns)}"
        )
    for color, cards in zip(variant.colors, columns, strict=True):
        for card in cards:
            if card.color != color:
                raise InvalidPositionError(f"{card} lies in the {color.word} {what}")


def _check_ascending(cards: Cards) -> None:
    for index, card in enumerate(cards):
        is_repeated = index > 0 and card == cards[index - 1] and not card.is_wager
        if is_repeated or not fits(card, cards[:index]):
            raise InvalidPositionError(
                f"{card} cannot follow {cards[index - 1]} in an expedition, which only rises"
            )


def _check_phase(position: "Position") -> None:
    is_over = position.phase is Phase.OVER
    if is_over != (not position.deck):
        raise InvalidPositionError(
            f"{len(position.deck)} cards in the deck, but the round is "
            + ("over" if is_over else "not over")
        )
    if is_over != (position.to_move is None):
        raise InvalidPositionError("somebody is to move exactly while the round is not over")
    discarded = position.just_discarded
    if discarded is None:
        return
    if position.phase is not Phase.DRAW:
        raise InvalidPositionError("a pile is closed, but no draw is due")
    if discarded >= position.variant.num_colors or not position.piles[discarded]:
        raise InvalidPositionError(
            f"the {discarded.word} pile is closed by a discard, but no card lies there"
        )


def check_standing(standing: Standing, variant: Variant) -> None:
    """Refuse a standing that no match of the variant can have.

    Raises:
        InvalidPositionError: With what is wrong.
    """
    if standing.num_rounds != variant.num_rounds:
        raise InvalidPositionError(
            f"expected a match of {variant.num_rounds} rounds, got one of {standing.num_rounds}"
        )
    if not 1 <= standing.round_number <= standing.num_rounds:
        raise InvalidPositionError(
            f"expected a round from 1 to {standing.num_rounds}, got {standing.round_number}"
        )
    if standing.starter not in SEATS:
        raise InvalidPositionError(f"expected seat 0 or 1 to start, got {standing.starter}")


def _check_hand(position: "Position", seat: int) -> None:
    hand, known = position.hands[seat], position.known[seat]
    is_drawing = position.phase is Phase.DRAW and seat == position.to_move
    size = position.variant.hand_size - is_drawing
    if len(hand) != size:
        raise InvalidPositionError(
            f"expected {size} cards in hand {seat_name(seat)}, got {len(hand)}"
        )
    if not _is_part(known, hand):
        raise InvalidPositionError(
            f"known cards of {seat_name(seat)} are not all in the hand: {format_list(known)}"
        )


def _is_part(some: Iterable[Card], cards: Iterable[Card]) -> bool:
    return Counter(some) <= Counter(cards)
