"""From the neutral words of a case to values of the rules: variants, states, actions."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Final

from lostcities.conformance.engines import adopt
from lostcities.conformance.fields import (
    CaseFault,
    Fields,
    as_list,
    as_number,
    as_object,
    as_seat,
    as_text,
    as_texts,
    wrong,
)
from lostcities.notation import format_position, parse_card, parse_draw, parse_position
from lostcities.rules import (
    COLOR_LETTERS,
    Card,
    Cards,
    Color,
    Discard,
    Move,
    Pass,
    Phase,
    Play,
    Position,
    Seat,
    Standing,
    Variant,
    seat_name,
)

PHASES: Final = {"play": Phase.CARD, "draw": Phase.DRAW, "over": Phase.OVER}
"""The words of the case bank; its 'play' is our card phase."""
_ALIASES: Final = {"num_colors": "n_colors", "num_rounds": "rounds_in_match"}
_ACTION: Final = re.compile(r"([AB]):(?:(play|discard|draw) (\S+)|pass)")


def read_variant(setup: Fields, **numbers: object) -> Variant:
    """Return the variant that a setup describes.

    Args:
        setup: Any number of the variant may stand there under its name;
            `n_colors` and `rounds_in_match` are the names of the case bank.
        numbers: What is known from elsewhere.

    Raises:
        CaseFault: If a number is of the wrong type or out of its range.
    """
    for field in fields(Variant):
        for name in (field.name, _ALIASES.get(field.name, field.name)):
            if name in setup and field.name not in numbers:
                numbers[field.name] = setup.take(name)
    return variant_of(numbers)


def variant_of(numbers: Mapping[str, object]) -> Variant:
    """Return the variant with these numbers.

    Raises:
        CaseFault: If a number is unknown, of the wrong type or out of its range.
    """
    defaults = {field.name: field.default for field in fields(Variant)}
    if unknown := sorted(numbers.keys() - defaults.keys()):
        raise CaseFault(f"unknown number of the game: {', '.join(unknown)}")
    read = {name: _number_of(name, defaults[name], value) for name, value in numbers.items()}
    try:
        return replace(Variant(), **read)  # type: ignore[arg-type] # checked against the defaults
    except ValueError as error:
        raise CaseFault(str(error)) from None


def _number_of(name: str, default: object, value: object) -> object:
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise wrong(name, "true or false", value)
        return value
    if isinstance(default, StrEnum):
        choices = type(default)
        if value not in list(choices):
            raise wrong(name, f"one of {', '.join(choices)}", value)
        return choices(as_text(value, name))
    if default is None and value is None:  # no stall limit
        return None
    return as_number(value, name)


def read_cards(value: object, what: str) -> Cards:
    """Return the cards of a list of texts."""
    return tuple(parse_card(text) for text in as_texts(value, what))


def read_columns(value: object, what: str) -> dict[Color, Cards]:
    """Return the cards of an object that has a list for each colour letter."""
    return {
        read_color(letter): read_cards(cards, f"{what} {letter}")
        for letter, cards in as_object(value, what).items()
    }


def read_color(value: object) -> Color:
    """Return the colour of a letter."""
    if value not in tuple(COLOR_LETTERS):
        raise wrong("a colour", f"one of {', '.join(COLOR_LETTERS)}", value)
    return Color(COLOR_LETTERS.index(as_text(value, "a colour")))


def read_state(setup: Fields) -> Position:
    """Return the checked position of `setup.state`, with the options that stand beside it.

    Raises:
        CaseFault: If a field is missing, unknown or of the wrong type.
        InvalidPositionError: If the cards cannot lie like this.
    """
    state = Fields(setup.take("state"), "state")
    letters = state.text("colors")
    variant = read_variant(setup, num_colors=len(letters))
    if letters != COLOR_LETTERS[: len(letters)]:
        raise wrong("colors", f"the first letters of {COLOR_LETTERS}", letters)
    position = Position(
        variant=variant,
        hands=_sides(state.take("hands"), "hands"),
        expeditions=_expeditions(state.take("expeditions"), variant),
        piles=_columns(state.take("discards"), "discards", variant),
        deck=read_cards(state.take("deck"), "deck"),
        to_move=None if (mover := state.take("to_move")) is None else as_seat(mover, "to_move"),
        phase=_phase(state.take("phase")),
        just_discarded=None
        if (letter := state.get("just_discarded", None)) is None
        else read_color(letter),
        num_stalling_turns=as_number(state.get("stalling_turns", 0), "stalling_turns"),
        known=_sides(state.get("known", {"A": [], "B": []}), "known"),
        standing=Standing(num_rounds=variant.num_rounds),
    ).checked()
    state.check_all_taken()
    return adopt(_with_match(position, setup.text("match")) if "match" in setup else position)


def _phase(value: object) -> Phase:
    if value not in tuple(PHASES):
        raise wrong("phase", f"one of {', '.join(PHASES)}", value)
    return PHASES[as_text(value, "phase")]


def _with_match(position: Position, match: str) -> Position:
    """Return the position in a match written as in a one-line position: 2/3,B,16,-40."""
    *others, _ = format_position(position).split()
    read = parse_position(" ".join([*others, match]), position.variant)
    return replace(position, variant=read.variant, standing=read.standing)


def _sides(value: object, what: str) -> tuple[Cards, Cards]:
    sides = Fields(value, what)
    both = read_cards(sides.take("A"), what), read_cards(sides.take("B"), what)
    sides.check_all_taken()
    return both


def _expeditions(value: object, variant: Variant) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    sides = Fields(value, "expeditions")
    both = (
        _columns(sides.take("A"), "expeditions of A", variant),
        _columns(sides.take("B"), "expeditions of B", variant),
    )
    sides.check_all_taken()
    return both


def _columns(value: object, what: str, variant: Variant) -> tuple[Cards, ...]:
    columns = read_columns(value, what)
    if absent := columns.keys() - set(variant.colors):
        raise CaseFault(f"{what} hold {min(absent).word} cards, and this game has none")
    return tuple(columns.get(color, ()) for color in variant.colors)


def parse_action(text: str) -> tuple[Seat, Move | Pass]:
    """Read an action of the case bank: 'A:play R5', 'A:draw deck', 'A:draw R', 'A:pass'.

    Raises:
        CaseFault: If it is none.
    """
    found = _ACTION.fullmatch(text)
    if not found:
        raise wrong("an action", "like 'A:play R5', 'B:draw deck' or 'A:pass'", text)
    seat = as_seat(found[1], "the seat of an action")
    match found[2]:
        case "play":
            return seat, Play(parse_card(found[3]))
        case "discard":
            return seat, Discard(parse_card(found[3]))
        case "draw":
            return seat, parse_draw("D" if found[3] == "deck" else found[3])
        case _:
            return seat, Pass()


def format_action(move: Move) -> str:
    """Write a move as the case bank does, without its seat."""
    match move:
        case Play(card):
            return f"play {card}"
        case Discard(card):
            return f"discard {card}"
        case _:
            return "draw deck" if move.pile is None else f"draw {move.pile.letter}"


def names(cards: Iterable[Card]) -> list[str]:
    """Write cards as a list of texts."""
    return [str(card) for card in cards]


def seat_or_none(seat: Seat | None) -> str | None:
    """Write a seat; nobody is null."""
    return None if seat is None else seat_name(seat)


def without_history(position: Position) -> Position:
    """Return where the cards lie and who is to move, and nothing of how it came to that."""
    return replace(position, num_stalling_turns=0, known=((), ()))


def read_numbers_of_colors(setup: Fields) -> tuple[list[Variant], bool]:
    """Return a variant for each number in `n_colors`, and whether that was a list."""
    value = setup.take("n_colors")
    is_list = isinstance(value, list)
    numbers = as_list(value, "n_colors") if is_list else [value]
    if not numbers:
        raise CaseFault("expected at least one number in n_colors, got none")
    return [read_variant(setup, num_colors=number) for number in numbers], is_list
