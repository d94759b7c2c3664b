"""Kinds about points: one expedition, one side, all sets of a colour, bounds."""

from dataclasses import dataclass
from typing import Final

from lostcities.conformance.fields import CaseFault, Fact, Fields, answers, as_object, as_seat
from lostcities.conformance.states import (
    names,
    read_cards,
    read_color,
    read_columns,
    read_numbers_of_colors,
    read_variant,
)
from lostcities.rules import (
    LONG,
    Cards,
    ExpeditionScore,
    Position,
    Variant,
    score_expedition,
    score_round,
    seat_name,
    sort_into_expeditions,
)
from lostcities.rules import bounds as limits
from lostcities.rules.match import leader

DRAWN: Final = "draw"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The expeditions of both sides, to be scored."""

    variant: Variant
    expeditions: tuple[tuple[Cards, ...], tuple[Cards, ...]]

    @property
    def scores(self) -> tuple[int, int]:
        """The points of A and of B."""
        a, b = self.expeditions
        return score_round(a, self.variant), score_round(b, self.variant)


def winner_name(points: tuple[int, int]) -> str:
    """Return A, B or 'draw'."""
    seat = leader(points)
    return DRAWN if seat is None else seat_name(seat)


def _scores(sheet: Sheet, wanted: object) -> object:
    return {name: sheet.scores[as_seat(name, "a seat")] for name in as_object(wanted, "scores")}


def _per_color(sheet: Sheet, seat: int, wanted: object) -> object:
    columns = dict(zip(sheet.variant.colors, sheet.expeditions[seat], strict=True))
    return {
        letter: score_expedition(columns.get(read_color(letter), ()), sheet.variant).score
        for letter in as_object(wanted, "points by colour")
    }


SHEET_FACTS: Final[dict[str, Fact[Sheet]]] = {
    "scores": _scores,
    "winner": lambda sheet, _: winner_name(sheet.scores),
    "margin": lambda sheet, _: sheet.scores[0] - sheet.scores[1],
    "per_color_A": lambda sheet, wanted: _per_color(sheet, 0, wanted),
    "per_color_B": lambda sheet, wanted: _per_color(sheet, 1, wanted),
    "per_color": lambda sheet, wanted: {
        name: _per_color(sheet, as_seat(name, "a seat"), part)
        for name, part in as_object(wanted, "per_color").items()
    },
}
_TERM_FACTS: Final[dict[str, Fact[ExpeditionScore]]] = {
    "score": lambda terms, _: terms.score,
    "cards": lambda terms, _: terms.num_cards,
    "wagers": lambda terms, _: terms.num_wagers,
    "sum": lambda terms, _: terms.number_sum,
    "cost": lambda terms, _: terms.cost,
    "multiplier": lambda terms, _: terms.multiplier,
    "bonus": lambda terms, _: terms.bonus,
}


def run_score_expedition(setup: Fields, expected: object) -> dict[str, object]:
    """Score one expedition."""
    variant = read_variant(
        setup, **({} if "n_colors" in setup else {"num_colors": LONG.num_colors})
    )
    cards = read_cards(setup.take("expedition"), "expedition")
    if len(sort_into_expeditions(cards, variant)) > 1:
        raise CaseFault(f"expected cards of one colour, got {', '.join(names(cards))}")
    return answers(_TERM_FACTS, score_expedition(cards, variant), expected)


def run_score_round(setup: Fields, expected: object) -> dict[str, object]:
    """Score the expeditions of both sides."""
    variant = read_variant(setup)
    sides = Fields(setup.take("expeditions"), "expeditions")
    a, b = (_side(sides.get(name, {}), f"expeditions of {name}", variant) for name in "AB")
    sides.check_all_taken()
    sort_into_expeditions([card for column in (*a, *b) for card in column], variant)
    return answers(SHEET_FACTS, Sheet(variant, (a, b)), expected)


def _side(value: object, what: str, variant: Variant) -> tuple[Cards, ...]:
    columns = read_columns(value, what)
    sorted_cards = sort_into_expeditions(
        [card for cards in columns.values() for card in cards], variant
    )
    if any(sorted_cards.get(color, ()) != tuple(sorted(cards)) for color, cards in columns.items()):
        raise CaseFault(f"expected the cards of {what} under their own colours")
    return tuple(columns.get(color, ()) for color in variant.colors)


_EXTREME_FACTS: Final[dict[str, Fact[list[int]]]] = {
    "sets": lambda scores, _: len(scores),
    "min": lambda scores, _: min(scores),
    "max": lambda scores, _: max(scores),
    "distinct_values": lambda scores, _: len(set(scores)),
    "zero_sets": lambda scores, _: scores.count(0),
}
_COUNT_FACTS: Final[dict[str, Fact[Variant]]] = {
    "max": lambda variant, _: _by_count(limits.best_by_count(variant)),
    "min": lambda variant, _: _by_count(limits.worst_by_count(variant)),
}


def _by_count(scores: tuple[int, ...]) -> dict[str, int]:
    return {str(count): score for count, score in enumerate(scores) if count}


def run_score_extremes(setup: Fields, expected: object) -> dict[str, object]:
    """Score every set of cards of one colour."""
    return answers(_EXTREME_FACTS, limits.expedition_scores(read_variant(setup)), expected)


def run_score_by_count(setup: Fields, expected: object) -> dict[str, object]:
    """Find the best and the worst expedition of each number of cards."""
    return answers(_COUNT_FACTS, read_variant(setup), expected)


_BOUND_FACTS: Final[dict[str, Fact[Variant]]] = {
    "max": lambda variant, _: limits.max_round_score(variant),
    "min": lambda variant, _: limits.min_round_score(variant),
    "cap": lambda variant, _: limits.max_cards_played(variant),
    "max_turns": lambda variant, _: limits.max_turns(variant),
}
_DECK_ONLY_FACTS: Final[dict[str, Fact[Variant]]] = {
    "max": lambda variant, _: limits.max_round_score(variant, with_takes=False),
    "min": lambda variant, _: limits.min_round_score(variant),
    "plays": lambda variant, _: limits.max_cards_played_without_takes(variant),
}
_PILE_FACTS: Final[dict[str, Fact[Variant]]] = {
    "pile_counts": lambda variant, _: len(Position.deal(variant.deck, variant=variant).piles),
}


def run_bound(setup: Fields, expected: object) -> dict[str, object]:
    """Compute bounds of a round by number of colours."""
    return _for_each_variant(_BOUND_FACTS, setup, expected)


def run_bound_deck_only(setup: Fields, expected: object) -> dict[str, object]:
    """Compute bounds of a round without takes by number of colours."""
    return _for_each_variant(_DECK_ONLY_FACTS, setup, expected)


def run_config_piles(setup: Fields, expected: object) -> dict[str, object]:
    """Count the discard piles by number of colours."""
    return _for_each_variant(_PILE_FACTS, setup, expected)


def _for_each_variant(
    facts: dict[str, Fact[Variant]], setup: Fields, expected: object
) -> dict[str, object]:
    variants, is_list = read_numbers_of_colors(setup)
    each = [answers(facts, variant, expected) for variant in variants]
    if not is_list:
        return each[0]
    return {name: [one[name] for one in each] for name in as_object(expected, "expected")}
