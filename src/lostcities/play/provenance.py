"""Where a move of the computer comes from: enough to make it again and compare.

Who chose it, in which version, within which limit, is for everybody at once.
The seed of the decision and the hash of what the agent was shown would let an
opponent confirm a guess about the hand: whoever tries all hands finds the one
that has the hash, or the one with which the agent moves like this. They stay
with the dealer until the deals are revealed.
"""

import hashlib
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote

from lostcities.notation.errors import NotationError, excerpt, expected
from lostcities.notation.positions import format_observation
from lostcities.notation.records import Comment, RoundRecord, format_rules
from lostcities.rules import Observation, Seat, seat_name

SCHEME: Final = "lostcities-lots-1"
"""Names the recipe of the seeds; part of everything that is hashed."""
SEED_BITS: Final = 64
LOTS_TAG: Final = "Lots"
"""The tag of a record that names the lots of its round, where no secret decides them."""
_MARK: Final = "%computer"
"""How a comment of a record begins that says where the turn before it comes from."""
_PLAIN: Final = "!$&'()*+,-./:;<=>?@[]^_|~"
"""What is written as it is, besides letters and digits."""
_SEED: Final = re.compile(r"[0-9a-f]{16}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_PLAYOUTS: Final = re.compile(r"[1-9][0-9]{0,8}")
_SECONDS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,20})?(e-[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Author:
    """Who chose a move: what everybody may know of it at once.

    Attributes:
        agent: The spec that makes the agent again.
        version: What has to be the same for the same behaviour; "" if nobody
            can tell, as with programs of other people.
        playouts: The limit of simulated rounds for each ply; None is no such limit.
        seconds: The limit of time for each ply; None is no such limit. A move
            under such a limit cannot be made again for certain.
        stands_in_for: The spec of the agent that failed, if this one made the
            turn in its place; else "".
    """

    agent: str
    version: str = ""
    playouts: int | None = None
    seconds: float | None = None
    stands_in_for: str = ""

    @property
    def is_stand_in(self) -> bool:
        """Whether another agent should have made this move and failed."""
        return bool(self.stands_in_for)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a turn of the computer comes from; its `repr` keeps what is secret to itself.

    Attributes:
        author: Who chose it.
        seed: Of the lots for both plies of this turn, 64 bits.
        observation_hash: Of what the agent was shown at the start of the turn,
            see `hash_of`.
    """

    author: Author
    seed: int = field(repr=False)
    observation_hash: str = field(repr=False)


def hash_of(observation: Observation) -> str:
    """Return the SHA-256 of everything in an observation, in hexadecimal digits.

    It is taken over the line with its memory, a bar, and the numbers that
    differ from the printed game.
    """
    text = (
        f"{format_observation(observation, with_memory=True)}|{format_rules(observation.variant)}"
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def decision_seed(lots: str, *, round_number: int, turn_number: int, seat: Seat) -> int:
    """Return the seed for one decision of an agent, a whole turn.

    Every decision has lots of its own, so that it can be made again alone.

    Args:
        lots: Names all lots of a match; secret where people play.
        round_number: Counted from 1.
        turn_number: Within the round, counted from 1, both sides together; 0
            is for what an agent draws when it sits down.
        seat: Whose decision.
    """
    text = f"{SCHEME}|{lots}|{round_number}|{turn_number}|{seat_name(seat)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[: SEED_BITS // 8], "big")


def format_author(author: Author) -> str:
    """Write who chose a move, in words like 'agent=level:5 version=0.1.0 playouts=200'."""
    parts = [f"agent={_quote(author.agent)}"]
    if author.version:
        parts.append(f"version={_quote(author.version)}")
    if author.playouts is not None:
        parts.append(f"playouts={author.playouts}")
    if author.seconds is not None:
        parts.append(f"seconds={author.seconds!r}")
    if author.stands_in_for:
        parts.append(f"for={_quote(author.stands_in_for)}")
    return " ".join(parts)


def _quote(text: str) -> str:
    return quote(text, safe=_PLAIN, errors="replace")


def format_provenance(provenance: Provenance) -> str:
    """Write all of it: who, then 'seed=...' and 'saw=...'."""
    return (
        f"{format_author(provenance.author)} seed={provenance.seed:016x} "
        f"saw={provenance.observation_hash}"
    )


def parse_origin(text: str) -> Author | Provenance:
    """Read where a move comes from: all of it, or only what everybody may know.

    Raises:
        NotationError: If it is not well formed.
    """
    parts = _Parts(text)
    author = parts.author()
    seed = parts.take("seed", _SEED, "16 hexadecimal digits")
    seen = parts.take("saw", _HASH, "64 hexadecimal digits")
    parts.finish()
    if seed is None and seen is None:
        return author
    if seed is None or seen is None:
        raise NotationError("expected both 'seed=' and 'saw=', or neither, got one of them")
    return Provenance(author, int(seed, 16), seen)


def parse_provenance(text: str) -> Provenance:
    """Read all of where a move comes from.

    Raises:
        NotationError: If it is not well formed, or not all of it.
    """
    origin = parse_origin(text)
    if isinstance(origin, Author):
        raise NotationError("expected 'seed=' and 'saw=', got neither")
    return origin


class _Parts:
    """The parts of a text, taken out one by one; what is left at the end is a mistake."""

    def __init__(self, text: str) -> None:
        self._left: dict[str, str] = {}
        for word in text.split():
            key, equals, value = word.partition("=")
            if not equals or not value or key in self._left:
                raise expected("parts like 'agent=level:5', each once", word)
            self._left[key] = value

    def author(self) -> Author:
        """Take who chose a move."""
        agent = self._take_text("agent")
        if not agent:
            raise NotationError("expected the agent of a move like 'agent=level:5', got none")
        playouts = self.take("playouts", _PLAYOUTS, "a whole number above 0")
        seconds = self.take("seconds", _SECONDS, "a number like 0.1")
        return Author(
            agent=agent,
            version=self._take_text("version"),
            playouts=None if playouts is None else int(playouts),
            seconds=None if seconds is None else float(seconds),
            stands_in_for=self._take_text("for"),
        )

    def _take_text(self, key: str) -> str:
        value = unquote(self._left.pop(key, ""))
        if not value.isprintable():  # it may be shown on a terminal
            raise expected(f"printable characters in '{key}='", value)
        return value

    def take(self, key: str, pattern: re.Pattern[str], what: str) -> str | None:
        """Take a part that may be missing."""
        value = self._left.pop(key, None)
        if value is not None and not pattern.fullmatch(value):
            raise expected(f"{what} in '{key}='", value)
        return value

    def finish(self) -> None:
        """Refuse what nobody has taken."""
        for key in self._left:
            raise NotationError(
                "expected only agent, version, playouts, seconds, for, seed and saw, "
                f"got {excerpt(key)}"
            )


def origin_to_data(origin: Author | Provenance) -> dict[str, str | int | float | None]:
    """Return where a move comes from as programs read it; the seed as text, for it is long."""
    if isinstance(origin, Provenance):
        secret = {"seed": f"{origin.seed:016x}", "observation_hash": origin.observation_hash}
        return {**origin_to_data(origin.author), **secret}
    return {
        "agent": origin.agent,
        "version": origin.version or None,
        "playouts": origin.playouts,
        "seconds": origin.seconds,
        "stands_in_for": origin.stands_in_for or None,
    }


def comment_of(num_turns: int, origin: Author | Provenance) -> Comment:
    """Return the comment of a record that says where the turn before it comes from."""
    text = format_author(origin) if isinstance(origin, Author) else format_provenance(origin)
    return Comment(num_turns, f"{_MARK} {text}")


def origins_in(record: RoundRecord) -> dict[int, Author | Provenance]:
    """Return where the turns of a record come from, by their index, as far as it says so.

    Raises:
        NotationError: If a comment that should say so is not well formed.
    """
    origins: dict[int, Author | Provenance] = {}
    for comment in record.comments:
        mark, _, text = comment.text.partition(" ")
        if mark != _MARK:
            continue
        index = comment.num_turns - 1
        if index < 0 or index in origins:
            raise NotationError(
                f"expected {_MARK!r} once behind each turn, got one more after turn {index + 1}"
            )
        try:
            origins[index] = parse_origin(text)
        except NotationError as error:
            raise NotationError(f"after turn {index + 1}: {error.problem}") from None
    return origins
