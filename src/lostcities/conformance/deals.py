"""Kinds about the deck, the deal and what a game may be made of."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from lostcities.conformance.engines import deal
from lostcities.conformance.fields import (
    CaseFault,
    Fact,
    Fields,
    answers,
    as_list,
    as_texts,
    wrong,
)
from lostcities.conformance.runs import RUN_FACTS, Run
from lostcities.conformance.states import (
    read_cards,
    read_color,
    read_variant,
    variant_of,
)
from lostcities.notation import NotationError, parse_card
from lostcities.rules import InvalidPositionError, Position, Standing, Variant

_NUMBER_OF: Final = {"n_colors": "num_colors", "rounds_in_match": "num_rounds"}


def _one_or_all(numbers: list[int]) -> object:
    """Return the number that is always the same, or all of them."""
    return numbers[0] if len(set(numbers)) == 1 else numbers


def _per_color(variant: Variant) -> list[int]:
    counts = Counter(card.color for card in variant.deck)
    return [counts[color] for color in variant.colors]


def _wagers(variant: Variant) -> list[int]:
    counts = Counter(card.color for card in variant.deck if card.is_wager)
    return [counts[color] for color in variant.colors]


def _number_sums(variant: Variant) -> list[int]:
    return [sum(card.rank for card in variant.deck if card.color == c) for c in variant.colors]


def _absent(variant: Variant, wanted: object) -> object:
    there = {card.color for card in variant.deck}
    return [
        letter for letter in as_texts(wanted, "absent_colors") if read_color(letter) not in there
    ]


_DECK_FACTS: Final[dict[str, Fact[Variant]]] = {
    "size": lambda variant, _: len(variant.deck),
    "per_color": lambda variant, _: _one_or_all(_per_color(variant)),
    "number_cards": lambda variant, _: sum(not card.is_wager for card in variant.deck),
    "wagers": lambda variant, _: sum(_wagers(variant)),
    "wagers_per_color": lambda variant, _: _one_or_all(_wagers(variant)),
    "ranks": lambda variant, _: sorted({c.rank for c in variant.deck if not c.is_wager}),
    "copies_of_each_number": lambda variant, _: _one_or_all(
        list(Counter(card for card in variant.deck if not card.is_wager).values())
    ),
    "sum_per_color": lambda variant, _: _one_or_all(_number_sums(variant)),
    "colors": lambda variant, _: "".join(c.letter for c in sorted({c.color for c in variant.deck})),
    "absent_colors": _absent,
}


def run_deck(setup: Fields, expected: object) -> dict[str, object]:
    """Take stock of a deck."""
    return answers(_DECK_FACTS, read_variant(setup), expected)


def run_deck_reject(setup: Fields, expected: object) -> dict[str, object]:
    """Try to deal decks with cards too many or too few."""
    variant = read_variant(setup)
    decks = setup.items("decks")
    accepted = [deck for deck in decks if _is_dealt(Fields(deck, "decks"), variant)]
    return answers({"accepted": lambda _, __: accepted}, None, expected)


def _is_dealt(deck: Fields, variant: Variant) -> bool:
    added, removed = (_texts(deck, name) for name in ("add", "remove"))
    deck.check_all_taken()
    try:
        cards = list(variant.deck)
        for text in removed:
            cards.remove(parse_card(text))
        Position.deal([*cards, *map(parse_card, added)], variant=variant)
    except (NotationError, InvalidPositionError):
        return False
    except ValueError:
        raise CaseFault(f"expected cards of the deck in remove, got {', '.join(removed)}") from None
    return True


def _texts(deck: Fields, name: str) -> list[str]:
    value = deck.get(name, [])
    return as_texts([value] if isinstance(value, str) else value, name)


def run_deal(setup: Fields, expected: object) -> dict[str, object]:
    """Deal the deck, or the cards in the order that is given."""
    return answers(RUN_FACTS, Run.at(read_deal(setup)), expected)


def read_deal(setup: Fields) -> Position:
    """Return the start of a round: of `order` or `deal_order` if given, else of the sorted deck.

    Raises:
        CaseFault: If a field is missing or of the wrong type.
        InvalidPositionError: If the cards are not a deck.
    """
    orders = [name for name in ("order", "deal_order") if name in setup]
    order = read_cards(setup.take(orders[0]), orders[0]) if orders else None
    if order is None or "n_colors" in setup:
        variant = read_variant(setup)
    else:
        variant = read_variant(setup, num_colors=len({card.color for card in order}))
    standing = Standing(num_rounds=variant.num_rounds, starter=setup.seat("starter", "A"))
    cards = order or variant.deck
    return deal(cards, Position.deal(cards, variant=variant, standing=standing))


def run_config(setup: Fields, expected: object) -> dict[str, object]:
    """Try values for one number of the game."""
    accepted = _accepted_players(setup) if "players" in setup else _accepted_numbers(setup)
    return answers({"accepted": lambda _, __: accepted}, None, expected)


def _accepted_players(setup: Fields) -> list[object]:
    hands = Position.deal(Variant().deck).hands
    return [number for number in setup.items("players") if number == len(hands)]


def _accepted_numbers(setup: Fields) -> list[object]:
    values = {name: setup.take(name) for name in (*_NUMBER_OF, *_numbers()) if name in setup}
    if len(values) != 1:
        raise wrong("the setup", "one number of the game with a list of values", sorted(values))
    [(name, value)] = values.items()
    number = _NUMBER_OF.get(name, name)
    return [one for one in as_list(value, name) if _is_variant({number: one})]


def _numbers() -> list[str]:
    return list(Variant.__dataclass_fields__)


def _is_variant(numbers: Mapping[str, object]) -> bool:
    try:
        variant_of(numbers)
    except CaseFault:
        return False
    return True
