"""Positions in one line, in full or as one viewer sees them.

Eight fields: expeditions of A, of B, piles, hand A, hand B, deck, turn, match.
They carry neither the stall count nor, where a hand is written out, which of
its cards the other side knows of; an optional ninth field, the memory, does:
`2,x/-/-/-/5` is two stalling turns, and these cards of the written-out hand are
known. With it nothing of a view is left out but the numbers of its variant. A
pile of which only the top is shown (tabletop memory) has a question mark for
each card below it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lostcities.notation.cards import format_cards, parse_cards
from lostcities.notation.errors import NotationError, excerpt, expected
from lostcities.rules import (
    CLASSIC,
    COLOR_LETTERS,
    LONG,
    RANK_MARKS,
    SEAT_NAMES,
    SEATS,
    Card,
    Cards,
    Color,
    InvalidPositionError,
    Observation,
    Phase,
    Position,
    PublicObservation,
    Seat,
    Standing,
    Variant,
    other_seat,
)

_FIELDS = (
    "expeditions of A",
    "expeditions of B",
    "piles",
    "hand of A",
    "hand of B",
    "deck",
    "turn",
    "match",
)
_HIDDEN = "?"
_TURN = re.compile(rf"([AB])(\*([{COLOR_LETTERS}])?)?|#")
_MATCH = re.compile(r"([1-9])/([1-9]),([AB]),(-?[0-9]{1,5}),(-?[0-9]{1,5})")
_HAND = re.compile(r"\?([0-9]{1,2})(?::(.+))?")
_DECK = re.compile(r"([0-9]{1,3})(?::(.+))?")
_MEMORY = re.compile(r"[0-9]{1,4}(,[-/x2-9TXH10]+){0,2}")
_LONGEST_LINE = 2000


def format_position(position: Position, *, with_memory: bool = False) -> str:
    """Write a position in full; its memory on request."""
    return " ".join(
        (
            _format_columns(position.expeditions[0]),
            _format_columns(position.expeditions[1]),
            _format_columns(position.piles),
            _format_hand(position.hands[0], position.variant),
            _format_hand(position.hands[1], position.variant),
            _format_deck(position.deck),
            _format_turn(position),
            _format_standing(position.standing),
            *([_format_memory(position, SEATS)] if with_memory else ()),
        )
    )


def format_observation(view: PublicObservation, *, with_memory: bool = False) -> str:
    """Write a position as a seat or a spectator sees it; its memory on request."""
    own = (view.seat,) if isinstance(view, Observation) else ()
    hands = [
        _format_hand(view.hand, view.variant)
        if isinstance(view, Observation) and seat == view.seat
        else _format_unknown_hand(view, seat)
        for seat in SEATS
    ]
    piles = "/".join(
        (_HIDDEN * (size - len(cards)) + format_ranks(cards)) or "-"
        for cards, size in zip(view.piles, view.pile_sizes, strict=True)
    )
    return " ".join(
        (
            _format_columns(view.expeditions[0]),
            _format_columns(view.expeditions[1]),
            piles,
            *hands,
            str(view.deck_size),
            _format_turn(view),
            _format_standing(view.standing),
            *([_format_memory(view, own)] if with_memory else ()),
        )
    )


def parse_position(text: str, variant: Variant | None = None) -> Position:
    """Read a position in full.

    Args:
        text: One line of eight fields, or nine.
        variant: The numbers of the game; by default the printed game with as
            many colours as the line has slots.

    Raises:
        NotationError: If the line is not well formed, or leaves cards unknown.
        InvalidPositionError: If the cards cannot lie like this.
    """
    view = parse_view(text, variant)
    if not isinstance(view, Position):
        raise NotationError(
            "expected a full position with both hands and the deck written out, "
            "got one with unknown cards"
        )
    return view


def parse_observation(text: str, variant: Variant | None = None) -> PublicObservation:
    """Read a position as a seat sees it (an `Observation`) or as a spectator does.

    Raises:
        NotationError: If the line is not well formed, or writes everything out.
        InvalidPositionError: If the cards cannot lie like this.
    """
    view = parse_view(text, variant)
    if isinstance(view, Position):
        raise NotationError(
            "expected a position with an unknown hand like '?8', got a full position"
        )
    return view


def parse_view(text: str, variant: Variant | None = None) -> Position | PublicObservation:
    """Read a position, whoever's it is: unknown hands decide what comes back.

    Raises:
        NotationError: If the line is not well formed.
        InvalidPositionError: If the cards cannot lie like this.
    """
    line = _Line.parse(text, variant)
    if not line.unknown_hands:
        if any(line.num_hidden):
            raise NotationError(
                "expected the piles written out, since both hands are known, got hidden cards"
            )
        if len(line.deck) != line.deck_size:
            raise NotationError(
                f"expected the {line.deck_size} cards of the deck written out "
                "behind a colon, since both hands are known, got only their number"
            )
        return line.position(line.hands, line.deck, line.piles)
    return _complete(line)


def _complete(line: "_Line") -> PublicObservation:
    """Return what the line shows, checked by putting the unseen cards anywhere they fit."""
    if line.deck:
        raise NotationError(
            "expected only the number of cards in the deck, since a hand is unknown, got its cards"
        )
    unseen = Counter(line.variant.deck)
    for cards in (*line.expeditions[0], *line.expeditions[1], *line.piles, *line.hands):
        unseen.subtract(cards)
    pool = sorted((+unseen).elements())
    piles = tuple(
        (*_take(pool, hidden, color), *cards)
        for color, hidden, cards in zip(
            line.variant.colors, line.num_hidden, line.piles, strict=True
        )
    )
    hands = [(*line.hands[seat], *_take(pool, line.unknown_hands.get(seat, 0))) for seat in SEATS]
    if len(pool) != line.deck_size:
        raise InvalidPositionError(
            f"expected {len(pool)} cards in the deck, which is what the rest leaves, "
            f"got {line.deck_size}"
        )
    position = line.position((hands[0], hands[1]), tuple(pool), piles)
    if len(line.unknown_hands) == len(SEATS):
        return position.observe_publicly()
    return position.observe(other_seat(next(iter(line.unknown_hands))))


def _take(pool: list[Card], num: int, color: Color | None = None) -> Cards:
    """Take so many cards out of the pool, of one colour if it is given.

    Raises:
        InvalidPositionError: If there are not so many.
    """
    taken = [card for card in pool if color is None or card.color == color][:num]
    if len(taken) < num:
        raise InvalidPositionError(
            f"expected at most {len(taken)} unknown cards there, which is what is left, got {num}"
        )
    for card in taken:
        pool.remove(card)
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class _Line:
    """The fields, read one by one and not yet compared with each other.

    Attributes:
        num_hidden: By colour, the cards of a pile that are written as '?'.
        hands: The known cards of each hand.
        unknown_hands: For each hand that is not written out, its number of unknown cards.
        deck: The cards of the deck, () where only their number is given.
        num_stalling_turns: What the memory says of it, else 0.
        shown: For each hand that is written out, what the memory says is known of it.
    """

    variant: Variant
    expeditions: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    piles: tuple[Cards, ...]
    num_hidden: tuple[int, ...]
    hands: tuple[Cards, Cards]
    unknown_hands: dict[Seat, int]
    deck: Cards
    deck_size: int
    to_move: Seat | None
    phase: Phase
    just_discarded: Color | None
    standing: Standing
    num_stalling_turns: int
    shown: dict[Seat, Cards]

    @classmethod
    def parse(cls, text: str, variant: Variant | None) -> "_Line":
        """Read the fields."""
        fields = text[:_LONGEST_LINE].split()
        memory = fields.pop() if len(fields) == len(_FIELDS) + 1 else None
        if len(fields) != len(_FIELDS) or len(text) > _LONGEST_LINE:
            raise NotationError(
                f"expected a position of {len(_FIELDS)} fields "
                f"({', '.join(_FIELDS)}), got {excerpt(text)}"
            )
        match = _parse_standing(fields[7])
        hides_below_top = _HIDDEN in fields[2]
        variant = _variant_of(fields[0], variant, match.num_rounds, hides_below_top=hides_below_top)
        piles = fields[2].split("/")
        hands = [_parse_hand(fields[3 + seat], variant, _FIELDS[3 + seat]) for seat in SEATS]
        deck, deck_size = _parse_deck(fields[5])
        to_move, phase, just_discarded = _parse_turn(fields[6])
        unknown_hands = {
            seat: unknown for seat, (_, unknown) in enumerate(hands) if unknown is not None
        }
        written_out = [seat for seat in SEATS if seat not in unknown_hands]
        num_stalling_turns, shown = _parse_memory(memory, variant, written_out)
        return cls(
            variant=variant,
            expeditions=(
                _parse_columns(fields[0], variant, _FIELDS[0]),
                _parse_columns(fields[1], variant, _FIELDS[1]),
            ),
            piles=_parse_columns(
                "/".join(pile.lstrip(_HIDDEN) or _HIDDEN for pile in piles), variant, _FIELDS[2]
            ),
            num_hidden=tuple(len(pile) - len(pile.lstrip(_HIDDEN)) for pile in piles),
            hands=(hands[0][0], hands[1][0]),
            unknown_hands=unknown_hands,
            deck=deck,
            deck_size=deck_size,
            to_move=to_move,
            phase=phase,
            just_discarded=just_discarded,
            standing=match,
            num_stalling_turns=num_stalling_turns,
            shown=shown,
        )

    def position(
        self, hands: tuple[Cards, Cards], deck: Cards, piles: tuple[Cards, ...]
    ) -> Position:
        """Return the checked position with these hidden cards filled in."""
        known = tuple(
            self.hands[seat] if seat in self.unknown_hands else self.shown[seat] for seat in SEATS
        )
        return Position(
            variant=self.variant,
            hands=hands,
            expeditions=self.expeditions,
            piles=piles,
            deck=deck,
            to_move=self.to_move,
            phase=self.phase,
            just_discarded=self.just_discarded,
            num_stalling_turns=self.num_stalling_turns,
            known=(known[0], known[1]),
            standing=self.standing,
        ).checked()


def _variant_of(
    columns: str, variant: Variant | None, num_rounds: int, *, hides_below_top: bool
) -> Variant:
    if variant is None:
        slots = columns.count("/") + 1
        printed = {game.num_colors: game for game in (CLASSIC, LONG)}
        if slots not in printed:
            raise NotationError(f"expected 5 or 6 slots in the expeditions of A, got {slots}")
        variant = printed[slots]
    return replace(
        variant,
        num_rounds=num_rounds,
        tabletop_memory=variant.tabletop_memory or hides_below_top,
    )


def format_ranks(cards: Sequence[Card]) -> str:
    """Write the ranks of a column side by side: xx45T."""
    return "".join(RANK_MARKS[card.rank] for card in cards)


def _format_columns(columns: Sequence[Cards]) -> str:
    return "/".join(format_ranks(cards) or "-" for cards in columns)


def _parse_columns(text: str, variant: Variant, what: str) -> tuple[Cards, ...]:
    columns = text.split("/")
    if len(columns) != variant.num_colors:
        raise NotationError(
            f"expected {variant.num_colors} slots in the {what}, "
            f"got {len(columns)}: {excerpt(text)}"
        )
    return tuple(
        _parse_ranks(column, color, what)
        for color, column in zip(variant.colors, columns, strict=True)
    )


def _parse_ranks(text: str, color: Color, what: str) -> Cards:
    if text == "-":
        return ()
    marks = text.replace("10", "T").replace("X", "x").replace("H", "x")
    for mark in marks or " ":
        if mark == "-" or mark not in RANK_MARKS:
            raise expected(
                f"ranks (x 2 to 9 T) or '-' in the {color.word} slot of the {what}", text
            )
    return tuple(Card(color, RANK_MARKS.index(mark)) for mark in marks)


def _format_hand(hand: Cards, variant: Variant) -> str:
    return _format_columns(
        [tuple(card for card in hand if card.color == color) for color in variant.colors]
    )


def _format_unknown_hand(view: PublicObservation, seat: Seat) -> str:
    known = view.known[seat]
    count = f"{_HIDDEN}{view.hand_sizes[seat] - len(known)}"
    return f"{count}:{_format_hand(known, view.variant)}" if known else count


def _parse_hand(text: str, variant: Variant, what: str) -> tuple[Cards, int | None]:
    """Return the known cards, and the number of unknown ones or None if all are known."""
    found = _HAND.fullmatch(text)
    if not found:
        return tuple(sorted(sum(_parse_columns(text, variant, what), ()))), None
    known = sum(_parse_columns(found[2], variant, what), ()) if found[2] else ()
    return tuple(sorted(known)), int(found[1])


def _format_deck(deck: Cards) -> str:
    return f"{len(deck)}:{format_cards(deck)}" if deck else "0"


def _parse_deck(text: str) -> tuple[Cards, int]:
    found = _DECK.fullmatch(text)
    if not found:
        raise expected("the number of cards in the deck, like '44' or '2:B9WT'", text)
    cards = parse_cards(found[2]) if found[2] else ()
    size = int(found[1])
    if cards and len(cards) != size:
        raise NotationError(f"expected {size} cards in the deck, got {len(cards)}")
    return cards, size


def _format_turn(view: Position | PublicObservation) -> str:
    if view.to_move is None:
        return "#"
    letter = SEAT_NAMES[view.to_move]
    if view.phase is Phase.CARD:
        return letter
    return f"{letter}*{view.just_discarded.letter if view.just_discarded is not None else ''}"


def _parse_turn(text: str) -> tuple[Seat | None, Phase, Color | None]:
    found = _TURN.fullmatch(text)
    if not found:
        raise expected("a turn like 'A', 'A*', 'A*W' or '#'", text)
    if text == "#":
        return None, Phase.OVER, None
    closed = Color(COLOR_LETTERS.index(found[3])) if found[3] else None
    return SEAT_NAMES.index(found[1]), Phase.DRAW if found[2] else Phase.CARD, closed


def _format_standing(standing: Standing) -> str:
    return (
        f"{standing.round_number}/{standing.num_rounds},{SEAT_NAMES[standing.starter]},"
        f"{standing.totals[0]},{standing.totals[1]}"
    )


def _parse_standing(text: str) -> Standing:
    found = _MATCH.fullmatch(text)
    if not found:
        raise expected("a match like '1/3,A,0,0' (round/rounds,starter,total A,total B)", text)
    return Standing(
        round_number=int(found[1]),
        num_rounds=int(found[2]),
        starter=SEAT_NAMES.index(found[3]),
        totals=(int(found[4]), int(found[5])),
    )


def _format_memory(view: Position | PublicObservation, written_out: Sequence[Seat]) -> str:
    known = (_format_hand(view.known[seat], view.variant) for seat in written_out)
    return ",".join((str(view.num_stalling_turns), *known))


def _parse_memory(
    text: str | None, variant: Variant, written_out: Sequence[Seat]
) -> tuple[int, dict[Seat, Cards]]:
    """Return the stall count, and what is known of each hand that is written out."""
    if text is None:
        return 0, dict.fromkeys(written_out, ())
    if not _MEMORY.fullmatch(text):
        raise expected(f"a position of {len(_FIELDS)} fields, or a ninth like '2,x/-/-/-/5'", text)
    count, *hands = text.split(",")
    if len(hands) != len(written_out):
        raise expected(
            "a ninth field with the stall count and the known cards of each hand that is "
            f"written out, {len(written_out)} here",
            text,
        )
    known = (sum(_parse_columns(hand, variant, "memory"), ()) for hand in hands)
    cards = (tuple(sorted(some)) for some in known)
    return int(count), dict(zip(written_out, cards, strict=True))
