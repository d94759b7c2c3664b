"""The only crossing between positions and rows, moves and actions.

Both directions cost some microseconds per card: cross once, then stay inside.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, assert_never

import numpy as np

from lostcities.kernel.layout import (
    CARDS,
    CLOSES,
    DECK,
    HAND,
    KNOWN,
    MAX_COLORS,
    NO_COLOR,
    NUM_KINDS,
    OPEN,
    PILED,
    PILES,
    PLAYED,
    STALL,
    TURN,
    WAGERS,
    Row,
    new_row,
    read_standing,
    read_variant,
    stall_word,
)
from lostcities.kernel.streams import CardTypes
from lostcities.rules import (
    DECK as FROM_DECK,
)
from lostcities.rules import (
    SEATS,
    WAGER,
    Card,
    Cards,
    Color,
    Discard,
    Draw,
    Move,
    Observation,
    Phase,
    Play,
    Position,
    Variant,
    other_seat,
)

_PHASES: Final = (Phase.CARD, Phase.DRAW, Phase.OVER)
_HAND_FIELD, _PLAYED_FIELD, _KNOWN_FIELD = 0, 3, 6


# --- cards and moves ---------------------------------------------------------------------------


def type_of(card: Card) -> int:
    """Return the type of a card: 10 * color + kind."""
    return NUM_KINDS * card.color + (0 if card.is_wager else card.rank - 1)


def card_of(card_type: int) -> Card:
    """Return the card of a type."""
    color, kind = divmod(card_type, NUM_KINDS)
    return Card(Color(color), WAGER if kind == 0 else kind + 1)


def types_of(cards: Sequence[Card]) -> CardTypes:
    """Return cards as card types `uint8[cards]`, in the same order."""
    return np.array([type_of(card) for card in cards], np.uint8)


def action_of(move: Move, variant: Variant) -> int:
    """Return the number of a move.

    Raises:
        ValueError: If the variant has no such card or pile.
    """
    ten = NUM_KINDS * variant.num_colors
    match move:
        case Play(card) | Discard(card):
            if not variant.copies_of(card):
                raise ValueError(f"expected a card of this game, got {card}")
            return type_of(card) + (ten if isinstance(move, Discard) else 0)
        case Draw(pile):
            if pile is not None and pile >= variant.num_colors:
                raise ValueError(f"expected a pile of this game, got {pile.word}")
            return 2 * ten + (0 if pile is None else 1 + pile)
        case _:
            assert_never(move)


def move_of(action: int, variant: Variant) -> Move:
    """Return the move of a number.

    Raises:
        ValueError: If the variant has no such action, or no such card.
    """
    ten = NUM_KINDS * variant.num_colors
    if not 0 <= action <= 2 * ten + variant.num_colors:
        raise ValueError(
            f"expected an action from 0 to {2 * ten + variant.num_colors}, got {action}"
        )
    if action >= 2 * ten:
        return FROM_DECK if action == 2 * ten else Draw(Color(action - 2 * ten - 1))
    card = card_of(action % ten)
    if not variant.copies_of(card):
        raise ValueError(f"expected an action with a card of this game, got {action} for {card}")
    return Play(card) if action < ten else Discard(card)


# --- positions ---------------------------------------------------------------------------------


def pack(position: Position) -> Row:
    """Return the row of a position.

    Args:
        position: Checked, or made by the rules.

    Raises:
        ValueError: If a number does not fit into its field of the row.
    """
    variant = position.variant
    row = new_row(variant, position.standing)
    for seat in SEATS:
        _pack_seat(row, position, seat)
    for color, pile in enumerate(position.piles):
        for card in pile:
            row[PILES + color] = int(row[PILES + color]) << 4 | (type_of(card) % NUM_KINDS + 1)
    row[PILED] = _set_of([card for pile in position.piles for card in pile if not card.is_wager])
    num_cards = len(variant.deck)
    next_card = num_cards - len(position.deck)
    row[DECK] = num_cards << 8 | next_card
    row[CARDS:].view(np.uint8)[next_card:num_cards] = types_of(position.deck)
    row[STALL] = stall_word(position.num_stalling_turns, variant.stall_limit)
    row[TURN] = _turn_word(position)
    return row


def _pack_seat(row: Row, position: Position, seat: int) -> None:
    played = [card for expedition in position.expeditions[seat] for card in expedition]
    row[HAND + seat] = _set_of(position.hands[seat])
    row[KNOWN + seat] = _set_of(position.known[seat])
    row[PLAYED + seat] = _set_of(played)
    fitting = (1 << NUM_KINDS * position.variant.num_colors) - 1
    for card in played:
        fitting &= ~int(CLOSES[type_of(card)])
    row[OPEN + seat] = fitting
    row[WAGERS + seat] = (
        _wager_counts(position.hands[seat]) << _HAND_FIELD
        | _wager_counts(played) << _PLAYED_FIELD
        | _wager_counts(position.known[seat]) << _KNOWN_FIELD
    )


def _set_of(cards: Sequence[Card]) -> int:
    return sum(1 << card_type for card_type in {type_of(card) for card in cards})


def _wager_counts(cards: Sequence[Card]) -> int:
    return sum(1 << NUM_KINDS * card.color for card in cards if card.is_wager)


def _turn_word(position: Position) -> int:
    closed = int(NO_COLOR) if position.just_discarded is None else int(position.just_discarded)
    piles = sum(1 << color for color, pile in enumerate(position.piles) if pile)
    return (position.to_move or 0) | _PHASES.index(position.phase) << 1 | closed << 3 | piles << 8


def unpack(row: Row) -> Position:
    """Return the position of a row.

    Raises:
        ValueError: If the words cannot be a row.
    """
    variant = read_variant(row)
    turn = int(row[TURN])
    phase = _PHASES[turn >> 1 & 3]
    closed = turn >> 3 & 7
    return Position(
        variant=variant,
        hands=(_cards(row, HAND, _HAND_FIELD, 0), _cards(row, HAND, _HAND_FIELD, 1)),
        expeditions=(_expeditions(row, 0, variant), _expeditions(row, 1, variant)),
        piles=tuple(_pile(int(row[PILES + int(color)]), color) for color in variant.colors),
        deck=_deck(row),
        to_move=None if phase is Phase.OVER else turn & 1,
        phase=phase,
        just_discarded=None if closed == NO_COLOR else Color(closed),
        num_stalling_turns=int(row[STALL]) & 0xFFFFFFFF,
        known=(_cards(row, KNOWN, _KNOWN_FIELD, 0), _cards(row, KNOWN, _KNOWN_FIELD, 1)),
        standing=read_standing(row),
    )


def _cards(row: Row, word: np.uint64, field: int, seat: int) -> Cards:
    """Return a set of types with its count of wagers as sorted cards."""
    types, counts = int(row[word + seat]), int(row[WAGERS + seat]) >> field
    cards: list[Card] = []
    for card_type in range(NUM_KINDS * MAX_COLORS):
        if types >> card_type & 1:
            is_wager = card_type % NUM_KINDS == 0
            cards += [card_of(card_type)] * ((counts >> card_type & 7) if is_wager else 1)
    return tuple(cards)


def _expeditions(row: Row, seat: int, variant: Variant) -> tuple[Cards, ...]:
    played = _cards(row, PLAYED, _PLAYED_FIELD, seat)
    return tuple(tuple(card for card in played if card.color == color) for color in variant.colors)


def _pile(nibbles: int, color: Color) -> Cards:
    cards: list[Card] = []
    while nibbles:
        cards.append(card_of(NUM_KINDS * color + (nibbles & 15) - 1))
        nibbles >>= 4
    return tuple(reversed(cards))


def _deck(row: Row) -> Cards:
    word = int(row[DECK])
    types = row[CARDS:].view(np.uint8)[word & 0xFF : word >> 8]
    return tuple(card_of(int(card_type)) for card_type in types)


# --- worlds ------------------------------------------------------------------------------------


def pack_world(
    observation: Observation,
    other_hand: Sequence[Card],
    deck: Sequence[Card],
    *,
    buried: Sequence[Cards] | None = None,
) -> Row:
    """Return the row of a world: what a seat sees, and what it cannot see as it might be.

    Args:
        observation: What the seat may know.
        other_hand: The other seat's whole hand, its known cards included.
        deck: The deck; the first card is drawn next.
        buried: With tabletop memory, the cards of each pile below its top,
            bottom to top, by colour; not needed otherwise.

    Raises:
        InvalidPositionError: If these cards cannot lie like this.
        ValueError: If the sizes are not those that the seat sees.
    """
    if len(deck) != observation.deck_size:
        raise ValueError(f"expected {observation.deck_size} cards in the deck, got {len(deck)}")
    other = tuple(other_hand)
    own = observation.hand
    position = Position(
        variant=observation.variant,
        hands=(own, other) if observation.seat == 0 else (other, own),
        expeditions=observation.expeditions,
        piles=_whole_piles(observation, buried),
        deck=tuple(deck),
        to_move=observation.to_move,
        phase=observation.phase,
        just_discarded=observation.just_discarded,
        num_stalling_turns=observation.num_stalling_turns,
        known=observation.known,
        standing=observation.standing,
    )
    return pack(position.checked())


def _whole_piles(observation: Observation, buried: Sequence[Cards] | None) -> tuple[Cards, ...]:
    hidden = [
        size - len(shown)
        for size, shown in zip(observation.pile_sizes, observation.piles, strict=True)
    ]
    given = [tuple(cards) for cards in buried or ((),) * len(hidden)]
    if list(map(len, given)) != hidden:
        raise ValueError(f"expected {hidden} buried cards by colour, got {list(map(len, given))}")
    return tuple(below + shown for below, shown in zip(given, observation.piles, strict=True))


def pack_observation(observation: Observation) -> Row:
    """Return one world that fits what a seat sees, its unseen cards in a fixed order.

    Meant for `worlds.reshuffle`, which turns it into a random one at machine speed.
    """
    seat = observation.seat
    unseen = list(observation.unseen)
    buried = _bury(observation, unseen)
    known = observation.other_known
    num_hidden = observation.hand_sizes[other_seat(seat)] - len(known)
    other_hand = (*known, *unseen[:num_hidden])
    return pack_world(observation, other_hand, unseen[num_hidden:], buried=buried)


def _bury(observation: Observation, unseen: list[Card]) -> list[Cards]:
    """Take from *unseen* cards of the right colours for the hidden parts of the piles."""
    buried: list[Cards] = []
    for color, size in zip(observation.variant.colors, observation.pile_sizes, strict=True):
        num_hidden = size - len(observation.piles[color])
        cards = tuple(card for card in unseen if card.color == color)[:num_hidden]
        left = Counter(unseen) - Counter(cards)
        unseen[:] = sorted(left.elements())
        buried.append(cards)
    return buried
