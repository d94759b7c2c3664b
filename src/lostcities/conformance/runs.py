"""A stretch of play, and every fact about it that a case may ask for."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from lostcities.conformance.fields import (
    CaseFault,
    Fact,
    answers,
    as_object,
    as_seat,
    as_texts,
    in_any_order,
)
from lostcities.conformance.scores import SHEET_FACTS, Sheet
from lostcities.conformance.states import (
    PHASES,
    format_action,
    names,
    parse_action,
    read_color,
    seat_or_none,
    without_history,
)
from lostcities.notation import format_position, format_turn
from lostcities.rules import Color, Draw, Move, Pass, Position, Seat, seat_name

OK: Final = "ok"
_WORDS: Final = {phase: word for word, phase in PHASES.items()}


@dataclass(frozen=True, slots=True)
class Run:
    """What was played.

    Attributes:
        start: Before the first action.
        final: After the last one.
        results: For each action 'ok' or 'illegal:code'.
        drawers: Who made each whole turn.
        num_takes: How many of these took from a pile.
    """

    start: Position
    final: Position
    results: tuple[str, ...] = ()
    drawers: tuple[Seat, ...] = ()
    num_takes: int = 0

    @classmethod
    def at(cls, position: Position) -> "Run":
        """Return a run in which nothing was played."""
        return cls(start=position, final=position)


def play(position: Position, actions: Iterable[str]) -> Run:
    """Try each action in turn; one that is refused changes nothing."""
    run = Run.at(position)
    for action in actions:
        seat, move = parse_action(action)
        refusal = run.final.reason_against(move, seat=seat)
        result = f"illegal:{refusal.code}" if refusal else OK
        run = replace(run, results=(*run.results, result))
        if refusal is None and not isinstance(move, Pass):
            run = _advance(run, seat, move)
    return run


def _advance(run: Run, seat: Seat, move: Move) -> Run:
    is_draw = isinstance(move, Draw)
    is_take = isinstance(move, Draw) and move.pile is not None
    return replace(
        run,
        final=run.final.after(move),
        drawers=(*run.drawers, seat) if is_draw else run.drawers,
        num_takes=run.num_takes + is_take,
    )


def check_all_ok(run: Run, expected: object) -> None:
    """Refuse a run with a refused action that the case says nothing about.

    Raises:
        CaseFault: With the first such action.
    """
    asked = as_object(expected, "expected")
    if "results" in asked or "all_ok" in asked:
        return
    for number, result in enumerate(run.results, start=1):
        if result != OK:
            raise CaseFault(f"action {number} was refused and no results are expected: {result}")


_BySeat = Callable[[Run, Seat, object], object]
_ByColor = Callable[[Run, Color, object], object]


def by_seat(fact: _BySeat) -> Fact[Run]:
    """Make a fact that is asked for as an object with A, B or both."""
    return lambda run, wanted: {
        name: fact(run, as_seat(name, "a seat"), part)
        for name, part in as_object(wanted, "what is expected of a seat").items()
    }


def _by_color(fact: _ByColor) -> Fact[Run]:
    return lambda run, wanted: {
        letter: fact(run, _color_in_play(run, letter), part)
        for letter, part in as_object(wanted, "what is expected of a colour").items()
    }


def _color_in_play(run: Run, letter: str) -> Color:
    color = read_color(letter)
    if color not in run.final.variant.colors:
        raise CaseFault(f"expected a colour of this game, got {color.word}")
    return color


def _cards_or_all(run: Run, columns: tuple[tuple[object, ...], ...], wanted: object) -> object:
    """Return the columns asked for; an empty object asks whether there is any."""
    letters = as_object(wanted, "columns") or [
        color.letter for color in run.final.variant.colors if columns[color]
    ]
    return {
        letter: [str(card) for card in columns[_color_in_play(run, letter)]] for letter in letters
    }


def _hand_has(run: Run, seat: Seat, wanted: object) -> object:
    asked = as_texts(wanted, "hand_has")
    hand = names(run.final.hands[seat])
    return asked if Counter(asked) <= Counter(hand) else hand


def _hand_lacks(run: Run, seat: Seat, wanted: object) -> object:
    asked = as_texts(wanted, "hand_lacks")
    hand = names(run.final.hands[seat])
    return hand if set(asked) & set(hand) else asked


def _legal(run: Run) -> list[str]:
    return [format_action(move) for move in run.final.legal_moves]


def _legal_turns(run: Run) -> list[str]:
    return [format_turn(turn) for turn in run.final.legal_turns]


def _legal_has(run: Run, wanted: object) -> object:
    asked, legal = as_texts(wanted, "legal_has"), _legal(run)
    return asked if set(asked) <= set(legal) else legal


def _legal_lacks(run: Run, wanted: object) -> object:
    asked, legal = as_texts(wanted, "legal_lacks"), _legal(run)
    return legal if set(asked) & set(legal) else asked


def _is_same_as_start(run: Run) -> bool:
    """Whether the same cards lie in the same places with the same side to move.

    How long the sides have been stalling, and what they have learnt of each
    other's hands, is not part of it.
    """
    return without_history(run.final) == without_history(run.start)


def _top(run: Run, color: Color) -> str | None:
    top = run.final.pile_tops[color]
    return None if top is None else str(top)


def _on_sheet(fact: Fact[Sheet]) -> Fact[Run]:
    return lambda run, wanted: fact(Sheet(run.final.variant, run.final.expeditions), wanted)


_TABLE_FACTS: Final[dict[str, Fact[Run]]] = {
    "hand": by_seat(lambda run, seat, w: in_any_order(names(run.final.hands[seat]), w, "hand")),
    "hand_has": by_seat(_hand_has),
    "hand_lacks": by_seat(_hand_lacks),
    "hand_size": by_seat(lambda run, seat, _: len(run.final.hands[seat])),
    "known": by_seat(lambda run, seat, w: in_any_order(names(run.final.known[seat]), w, "known")),
    "expedition": by_seat(lambda run, seat, w: _cards_or_all(run, run.final.expeditions[seat], w)),
    "expeditions_empty": lambda run, _: not any(map(any, run.final.expeditions)),
    "pile": lambda run, wanted: _cards_or_all(run, run.final.piles, wanted),
    "pile_top": _by_color(lambda run, color, _: _top(run, color)),
    "pile_size": _by_color(lambda run, color, _: len(run.final.piles[color])),
    "piles_empty": lambda run, _: not any(run.final.piles),
    "pile_count": lambda run, _: len(run.final.piles),
    "deck": lambda run, _: names(run.final.deck),
    "deck_count": lambda run, _: len(run.final.deck),
    "deck_count_delta": lambda run, _: len(run.final.deck) - len(run.start.deck),
    "next_deck_card": lambda run, _: str(run.final.deck[0]) if run.final.deck else None,
}
_COURSE_FACTS: Final[dict[str, Fact[Run]]] = {
    "to_move": lambda run, _: seat_or_none(run.final.to_move),
    "phase": lambda run, _: _WORDS[run.final.phase],
    "just_discarded": lambda run, _: (
        None if run.final.just_discarded is None else run.final.just_discarded.letter
    ),
    "round_over": lambda run, _: run.final.is_over,
    "stalling_turns": lambda run, _: run.final.num_stalling_turns,
    "legal": lambda run, wanted: in_any_order(_legal(run), wanted, "legal"),
    "legal_has": _legal_has,
    "legal_lacks": _legal_lacks,
    "legal_count": lambda run, _: len(run.final.legal_moves),
    "legal_turns": lambda run, wanted: in_any_order(_legal_turns(run), wanted, "legal_turns"),
    "legal_turn_count": lambda run, _: len(run.final.legal_turns),
    "same_as_start": lambda run, _: _is_same_as_start(run),
    "position": lambda run, _: format_position(run.final),
    "round": lambda run, _: run.final.standing.round_number,
    "starter": lambda run, _: seat_name(run.final.standing.starter),
    "totals": by_seat(lambda run, seat, _: run.final.standing.totals[seat]),
}
_SIBLINGS: Final = {
    "hands": "hand",
    "expeditions": "expedition",
    "piles": "pile",
    "discards": "pile",
    "pile_tops": "pile_top",
    "pile_sizes": "pile_size",
    "deck_size": "deck_count",
    "next_card": "next_deck_card",
    "blocked": "just_discarded",
    "is_over": "round_over",
    "known_in_hand": "known",
}
"""Other names for the same facts, which other case banks use."""

_PLAIN_FACTS: Final = {
    **_TABLE_FACTS,
    **_COURSE_FACTS,
    **{name: _on_sheet(fact) for name, fact in SHEET_FACTS.items()},
}
POSITION_FACTS: Final[dict[str, Fact[Run]]] = _PLAIN_FACTS | {
    name: _PLAIN_FACTS[known_as] for name, known_as in _SIBLINGS.items()
}
"""What `after` may ask for."""

RUN_FACTS: Final[dict[str, Fact[Run]]] = POSITION_FACTS | {
    "results": lambda run, _: list(run.results),
    "all_ok": lambda run, _: all(result == OK for result in run.results),
    "after": lambda run, wanted: answers(POSITION_FACTS, run, wanted),
    "turns": lambda run, _: len(run.drawers),
    "takes": lambda run, _: run.num_takes,
    "turns_of": by_seat(lambda run, seat, _: run.drawers.count(seat)),
    "last_drawer": lambda run, _: seat_or_none(run.drawers[-1] if run.drawers else None),
}
"""What may be asked of a stretch of play."""
