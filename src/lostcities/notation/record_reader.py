"""Reading records: from tokens to `RoundRecord`, one at a time.

Layout is free; everything else is held to the format, so that nothing is ever
cut short in silence.
"""

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from lostcities.notation.cards import parse_cards
from lostcities.notation.errors import InvalidRecordError, NotationError, Place, excerpt, expected
from lostcities.notation.records import GAME, RULES_OF_TAG, Comment, RoundRecord
from lostcities.notation.replay import Replay, replay
from lostcities.notation.tokens import Kind, Token, tokenize
from lostcities.notation.turns import parse_turn
from lostcities.rules import (
    SEAT_NAMES,
    Cards,
    InvalidPositionError,
    Points,
    Standing,
    Variant,
    WrittenTurn,
)
from lostcities.rules.validity import check_deal

_parse_turn = lru_cache(maxsize=4096)(parse_turn)  # a game knows few different turns
_LONGEST_DEAL: Final = 2000
"""Characters; ample for the largest deck with blanks between the cards."""
_ROUND: Final = re.compile(r"([1-9])/([1-9])")
_POINTS: Final = re.compile(r"A (-?[0-9]{1,5}) B (-?[0-9]{1,5})")


def parse_records(text: str) -> tuple[RoundRecord, ...]:
    """Read all records of a text, each replayed by the rules.

    Raises:
        NotationError: If the text is not well formed; it says where.
        InvalidRecordError: If a record tells what cannot have happened; it says where.
    """
    replays: list[Replay] = []
    for draft in _split(text):
        record = draft.finish()
        if replays:
            record = _continue_match(
                replays[-1], record, draft.first_place, has_totals=draft.has_totals
            )
        replays.append(_replay(record, draft.first_place))
    if not replays:
        raise NotationError(
            'expected a record that begins with a tag like [Colors "5"], got an empty text'
        )
    return tuple(part.record for part in replays)


def _replay(record: RoundRecord, place: Place) -> Replay:
    """Replay a record; what it says without a place is about the record as a whole."""
    try:
        return replay(record)
    except InvalidRecordError as error:
        if error.place is not None:
            raise
        raise InvalidRecordError(error.problem, place) from None


def _continue_match(
    before: Replay,
    record: RoundRecord,
    place: Place,
    *,
    has_totals: bool,
) -> RoundRecord:
    """Fill in, or check, the totals of a round that follows another one of its match."""
    earlier, standing = before.record.standing, record.standing
    follows = (
        before.record.is_over
        and before.record.names == record.names
        and before.record.variant == record.variant
        and before.record.tag("Match") == record.tag("Match")
        and earlier.round_number + 1 == standing.round_number
    )
    if not follows:
        return record
    totals = before.final.standing.totals
    if has_totals and standing.totals != totals:
        raise InvalidRecordError(
            f"expected totals A {totals[0]} B {totals[1]} after round {earlier.round_number}, "
            f"got A {standing.totals[0]} B {standing.totals[1]}",
            place,
        )
    return replace(record, standing=replace(standing, totals=totals))


def _split(text: str) -> list["_Draft"]:
    """Collect the tokens of each record; a tag behind turns, or [Game ...], begins a new one."""
    drafts: list[_Draft] = []
    for token in tokenize(text):
        begins = not drafts or (
            token.kind is Kind.TAG
            and (drafts[-1].has_left_tags or (token.text == "Game" and drafts[-1].tags))
        )
        if begins:
            drafts.append(_Draft(token.place))
        drafts[-1].add(token)
    return drafts


@dataclass(slots=True)
class _Draft:
    """A record while it is being read."""

    first_place: Place
    tags: dict[str, Token] = field(default_factory=dict)
    turns: list[WrittenTurn] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    is_numbered: bool = False
    is_over: bool = False

    @property
    def has_left_tags(self) -> bool:
        """Whether the turns have begun."""
        return self.is_numbered or self.is_over or bool(self.turns)

    @property
    def has_totals(self) -> bool:
        """Whether the record itself says with which totals the round began."""
        return "Totals" in self.tags

    def add(self, token: Token) -> None:
        """Take the next token."""
        if token.kind is Kind.COMMENT:
            self.comments.append(Comment(len(self.turns), token.text))
        elif token.kind is Kind.TAG:
            self._add_tag(token)
        elif self.is_over:
            raise NotationError(
                f"expected nothing or a new record after '#', got {excerpt(token.text)}",
                token.place,
            )
        elif token.kind is Kind.NUMBER:
            self._add_number(token)
        elif token.kind is Kind.TURN:
            self._add_turn(token)
        else:
            self._add_end(token)

    def _add_tag(self, token: Token) -> None:
        if token.text in self.tags:
            raise NotationError(f"expected each tag once, got a second {token.text}", token.place)
        self.tags[token.text] = token

    @property
    def _pair(self) -> int:
        return len(self.turns) // 2 + 1

    def _add_number(self, token: Token) -> None:
        is_due = len(self.turns) % 2 == 0 and not self.is_numbered
        if not is_due or int(token.text) != self._pair:
            what = f"'{self._pair}.'" if is_due else "a turn"
            raise expected(what, f"{token.text}.", self._at(token))
        self.is_numbered = True

    def _add_turn(self, token: Token) -> None:
        place = self._at(token)
        if len(self.turns) % 2 == 0 and not self.is_numbered:
            raise expected(f"'{self._pair}.'", token.text, place)
        try:
            self.turns.append(_parse_turn(token.text))
        except NotationError as error:
            raise NotationError(error.problem, place) from None
        self.places.append(place)
        self.is_numbered = False

    def _add_end(self, token: Token) -> None:
        if self.is_numbered:
            raise expected("a turn", token.text, self._at(token))
        self.is_over = True

    def _at(self, token: Token) -> Place:
        return token.place._replace(turn=self._pair)

    def finish(self) -> RoundRecord:
        """Return the record.

        Raises:
            NotationError: If a tag is missing or not well formed.
        """
        if self.is_numbered:
            raise NotationError(
                f"expected a turn after '{self._pair}.', got the end of the record",
                self.places[-1] if self.places else self.first_place,
            )
        tags = _Tags(self.tags, self.first_place)
        tags.check_game()
        number, num_rounds = tags.round()
        variant = tags.variant(num_rounds)
        standing = Standing(number, num_rounds, tags.starter(), tags.totals(number))
        record = RoundRecord(
            variant=variant,
            standing=standing,
            names=(tags.name("A"), tags.name("B")),
            turns=tuple(self.turns),
            is_over=self.is_over,
            deal=tags.deal(variant),
            result=tags.points("Result"),
            comments=tuple(self.comments),
            places=tuple(self.places),
        )
        return replace(record, tags=tags.rest())


class _Tags:
    """The tags of a record, taken out one by one; what is left at the end is kept as it is."""

    def __init__(self, tags: dict[str, Token], first_place: Place) -> None:
        self._left = dict(tags)
        self._first_place = first_place

    def _take(self, name: str) -> Token | None:
        return self._left.pop(name, None)

    def _require(self, name: str, example: str) -> Token:
        token = self._take(name)
        if token is None:
            raise NotationError(
                f'expected a tag like [{name} "{example}"], and this record has none',
                self._first_place,
            )
        return token

    def check_game(self) -> None:
        """Refuse the record of another game."""
        token = self._take("Game")
        if token is not None and token.value != GAME:
            raise expected(f"the game {GAME!r}", token.value, token.place)

    def round(self) -> tuple[int, int]:
        """Return the number of the round and of all rounds; a single round needs no tag."""
        token = self._take("Round")
        if token is None:
            return 1, 1
        found = _ROUND.fullmatch(token.value)
        if not found or found[1] > found[2]:
            raise expected("a round like '1/3', of at most 9", token.value, token.place)
        return int(found[1]), int(found[2])

    def variant(self, num_rounds: int) -> Variant:
        """Return the variant that the tags Colors and Rules describe."""
        token = self._require("Colors", "5")
        if token.value not in tuple("23456"):
            raise expected("5 or 6 colors", token.value, token.place)
        rules = self._take("Rules")
        numbers = parse_rules(rules.value, rules.place) if rules else {}
        try:
            return replace(
                Variant(),
                num_colors=int(token.value),
                num_rounds=num_rounds,
                **numbers,  # type: ignore[arg-type] # each value was parsed by its field's type
            )
        except ValueError as error:
            raise NotationError(str(error), (rules or token).place) from None

    def starter(self) -> int:
        """Return the seat that starts."""
        token = self._require("Starter", "A")
        if token.value not in tuple(SEAT_NAMES):
            raise expected("the starter 'A' or 'B'", token.value, token.place)
        return SEAT_NAMES.index(token.value)

    def name(self, seat_letter: str) -> str:
        """Return who sat there; by default the letter of the seat."""
        token = self._take(seat_letter)
        return token.value if token else seat_letter

    def points(self, name: str) -> Points | None:
        """Return the points of both seats, None without such a tag."""
        token = self._take(name)
        if token is None:
            return None
        found = _POINTS.fullmatch(token.value)
        if not found:
            raise expected("points like 'A 60 B -17'", token.value, token.place)
        return int(found[1]), int(found[2])

    def totals(self, round_number: int) -> Points:
        """Return the points before this round; none have been made before the first."""
        token = self._left.get("Totals")
        totals = self.points("Totals") or (0, 0)
        if token is not None and round_number == 1 and totals != (0, 0):
            raise expected("totals 'A 0 B 0' in round 1", token.value, token.place)
        return totals

    def deal(self, variant: Variant) -> Cards | None:
        """Return the deal, None without such a tag."""
        token = self._take("Deal")
        if token is None:
            return None
        if len(token.value) > _LONGEST_DEAL:
            raise NotationError(
                f"expected a deal of {len(variant.deck)} cards, got a text of "
                f"{len(token.value)} characters",
                token.place,
            )
        try:
            cards = parse_cards(token.value)
            check_deal(cards, variant)
        except NotationError as error:
            raise NotationError(f"in the deal: {error.problem}", token.place) from None
        except InvalidPositionError as error:
            raise InvalidRecordError(str(error), token.place) from None
        return cards

    def rest(self) -> tuple[tuple[str, str], ...]:
        """Return the tags that nobody has taken, in their order."""
        return tuple((token.text, token.value) for token in self._left.values())


def parse_rules(text: str, place: Place | None = None) -> dict[str, object]:
    """Read numbers that differ from the printed game: 'hand_size=6 stall_limit=12'.

    Raises:
        NotationError: If a name is unknown or a value is not of its kind.
    """
    numbers: dict[str, object] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in RULES_OF_TAG or name in numbers:
            raise expected(
                f"a rule like 'hand_size=8' ({', '.join(RULES_OF_TAG)}), each once", word, place
            )
        numbers[name] = _parse_rule(name, value, place)
    return numbers


def _parse_rule(name: str, value: str, place: Place | None) -> object:
    default = getattr(Variant(), name)
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise expected(f"true or false for {name}", value, place)
        return value == "true"
    if isinstance(default, StrEnum):
        choices = list(type(default))
        if value not in choices:
            raise expected(f"{' or '.join(choices)} for {name}", value, place)
        return type(default)(value)
    if not re.fullmatch(r"[0-9]{1,4}", value):
        raise expected(f"a number for {name}", value, place)
    return int(value)
