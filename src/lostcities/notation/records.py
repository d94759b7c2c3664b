"""Records of rounds: tags, numbered pairs of turns, '#' at the end.

A match is a sequence of records. With a Deal tag every draw is determined;
without one, draws are written where they are known. Beyond the tags of the
printed format there are three optional ones: Totals (points before this round,
where the earlier rounds are not in the file), Rules (numbers that differ from
the printed game) and whatever else somebody adds, which is kept.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Final

from lostcities.notation.cards import format_cards
from lostcities.notation.errors import InvalidRecordError, Place
from lostcities.notation.printable import is_printable
from lostcities.notation.turns import format_turn
from lostcities.rules import SEAT_NAMES, Cards, Points, Standing, Variant, WrittenTurn

GAME: Final = "Lost Cities"
RULES_OF_TAG: Final = tuple(
    field.name for field in fields(Variant) if field.name not in ("num_colors", "num_rounds")
)
"""The numbers that a Rules tag may give; the others have tags of their own."""
_PAIRS_PER_LINE: Final = 4
_LONG_LINE: Final = 100
"""Characters after which a comment ends its line."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark in a record.

    Attributes:
        num_turns: How many turns stand before it.
        text: The words, on one line.
    """

    num_turns: int
    text: str


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round as it is written down.

    Attributes:
        variant: The numbers of the game.
        standing: Round number, rounds, starter, and the totals before this round.
        names: Who sat in A and in B.
        turns: The turns, starter first.
        is_over: Whether the record says that the round ended ('#').
        deal: All cards in the order dealt; None where it is not known.
        result: The scores that the record gives; None where it gives none.
        comments: Remarks, in the order of the turns.
        tags: Further tags, as pairs of name and value.
        places: Where each turn stands in the text; () if it was not read from one.
    """

    variant: Variant
    standing: Standing
    names: tuple[str, str] = ("A", "B")
    turns: tuple[WrittenTurn, ...] = ()
    is_over: bool = False
    deal: Cards | None = None
    result: Points | None = None
    comments: tuple[Comment, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = field(default=(), compare=False, repr=False)

    def tag(self, name: str) -> str | None:
        """Return the value of a further tag, None if it is not there."""
        return dict(self.tags).get(name)

    def with_tags(self, **values: str) -> "RoundRecord":
        """Return the record with more further tags."""
        return replace(self, tags=(*self.tags, *values.items()))

    def place_of_turn(self, index: int) -> Place | None:
        """Return where a turn stands; its number is that of its pair in the record."""
        return self.places[index] if index < len(self.places) else None


def format_records(records: Iterable[RoundRecord]) -> str:
    """Write records, with an empty line between them.

    Raises:
        InvalidRecordError: If a value cannot be written on one line.
    """
    return "\n".join(map(format_record, records))


def format_record(record: RoundRecord) -> str:
    """Write one record.

    Raises:
        InvalidRecordError: If a value cannot be written on one line.
    """
    tags = "".join(f"[{name} {_quote(value)}]\n" for name, value in _all_tags(record))
    return f"{tags}\n{_format_turns(record)}"


_TAG_NAME: Final = re.compile("[A-Za-z][A-Za-z0-9_]*")
_OWN_TAGS: Final = frozenset(
    ("Game", "Colors", "Rules", "Round", "Totals", *SEAT_NAMES, "Starter", "Deal", "Result")
)


def _all_tags(record: RoundRecord) -> Iterable[tuple[str, str]]:
    standing = record.standing
    yield "Game", GAME
    yield "Colors", str(record.variant.num_colors)
    if rules := format_rules(record.variant):
        yield "Rules", rules
    yield "Round", f"{standing.round_number}/{standing.num_rounds}"
    if standing.totals != (0, 0):
        yield "Totals", f"A {standing.totals[0]} B {standing.totals[1]}"
    yield from zip(SEAT_NAMES, record.names, strict=True)
    yield "Starter", SEAT_NAMES[standing.starter]
    if record.deal is not None:
        yield "Deal", format_cards(record.deal)
    if record.result is not None:
        yield "Result", f"A {record.result[0]} B {record.result[1]}"
    names = [name for name, _ in record.tags]
    for name in names:
        if not _TAG_NAME.fullmatch(name) or name in _OWN_TAGS or names.count(name) > 1:
            raise InvalidRecordError(
                f"expected further tags with names of their own in letters and digits, got {name!r}"
            )
    yield from record.tags


def format_rules(variant: Variant) -> str:
    """Write the numbers that differ from the printed game: 'hand_size=6 stall_limit=12'."""
    return " ".join(
        f"{name}={str(value).lower()}"
        for name, value in variant.differences().items()
        if name in RULES_OF_TAG
    )


def _quote(value: str) -> str:
    if not is_printable(value):
        raise InvalidRecordError(f"expected a value on one line, got {value[:40]!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _check_comment(comment: Comment, num_turns: int) -> None:
    text = comment.text
    if "}" in text or not text.isprintable() or text != " ".join(text.split()):
        raise InvalidRecordError(
            f"expected a comment on one line with single blanks and without '}}', got {text[:40]!r}"
        )
    if not 0 <= comment.num_turns <= num_turns:
        raise InvalidRecordError(
            f"expected a comment after at most {num_turns} turns, got {comment.num_turns}"
        )


def _format_turns(record: RoundRecord) -> str:
    remarks: dict[int, list[str]] = {}
    for comment in record.comments:
        _check_comment(comment, len(record.turns))
        remarks.setdefault(comment.num_turns, []).append(f"{{{comment.text}}}")
    words = list(remarks.get(0, ()))
    lines: list[str] = []
    for index, written in enumerate(record.turns):
        if index % 2 == 0:
            if index and index % (2 * _PAIRS_PER_LINE) == 0:
                lines.append(" ".join(words))
                words = []
            words.append(f"{index // 2 + 1}.")
        words.append(format_turn(written.turn, written.drawn))
        words.extend(remarks.get(index + 1, ()))
        if index + 1 in remarks and sum(map(len, words)) > _LONG_LINE:
            lines.append(" ".join(words))
            words = []
    if record.is_over:
        words.append("#")
    lines.append(" ".join(words))
    return "".join(f"{line}\n" for line in lines if line)
