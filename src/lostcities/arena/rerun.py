"""Making recorded moves of the computer again, from the record alone.

A record of a finished match says of each of these moves which agent made it, in
which version, within which limit, from which seed and from what it was shown.
So anybody can ask the same agent the same question. Programs of other people
are never started, nor are files with their networks opened: a record that
somebody sends must not decide what is run or read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from lostcities.agents.base import Agent, Limit, Rememberer
from lostcities.agents.registry import make_agent
from lostcities.agents.spec import EXTERNAL, WEIGHTS, AgentSpecError, parse_spec
from lostcities.agents.turns import author_of, choose_turn
from lostcities.agents.version import agents_version
from lostcities.notation import Replay, RoundRecord, format_turn, replay
from lostcities.play.fairness import Secret, lots_of_match, parse_entropy
from lostcities.play.provenance import (
    LOTS_TAG,
    Author,
    Provenance,
    decision_seed,
    hash_of,
    origins_in,
)
from lostcities.rules import NO_MEMORY, SEAT_NAMES, SEATS, Memory, Observation, Seat, Turn

MOST_PLAYOUTS: Final = 1_000_000
"""More than anybody plays with; a record must not keep a verifier busy for days."""


class Verdict(StrEnum):
    """What came of making a move again."""

    SAME = "same"
    DIFFERENT = "different"
    OTHER_OBSERVATION = "observation hash differs"
    OTHER_SEED = "seed differs"
    NOT_STATED = "not stated"
    NOT_RERUNNABLE = "not re-runnable"

    @property
    def is_problem(self) -> bool:
        """Whether the record says what is not so."""
        return self not in (Verdict.SAME, Verdict.NOT_RERUNNABLE)


@dataclass(frozen=True, slots=True)
class Rerun:
    """A move of the computer, made again or not.

    Attributes:
        round_number: The round.
        turn_number: The turn, counted from 1, both sides together.
        seat: Who made it.
        turn: What the record says was chosen, as text.
        author: Who chose it, as the record says; None if it does not say.
        verdict: What came of it.
        reason: Why, in words; "" if it is the same.
    """

    round_number: int
    turn_number: int
    seat: Seat
    turn: str
    author: Author | None
    verdict: Verdict
    reason: str = ""

    @property
    def is_of_other_version(self) -> bool:
        """Whether the move was made by agents that may behave otherwise than these."""
        return self.author is not None and self.author.version not in ("", agents_version())


def rerun(
    record: RoundRecord,
    *,
    earlier: Sequence[RoundRecord] = (),
    seat: Seat | None = None,
    turn_number: int | None = None,
) -> Iterator[Rerun]:
    """Make the computer's moves of a round again, one after the other.

    Args:
        record: The round.
        earlier: The rounds of the match before it, which the computer remembers: all, or none
            if they are not known.
        seat: Only the moves of this seat.
        turn_number: Only this turn.

    Raises:
        NotationError: If the record says in an ill-formed way where a move comes from.
        FairnessError: If its secret or entropy are not of their form.
    """
    part, origins, lots = replay(record), origins_in(record), lots_of_record(record)
    memory = _memory_of(earlier)
    by_computer = {part.positions[index].mover for index in origins}
    for index in range(len(record.turns)):
        mover = part.positions[index].mover
        is_wanted = seat in (None, mover) and turn_number in (None, index + 1)
        if is_wanted and mover in by_computer:
            origin = origins.get(index)
            verdict, reason = _judge(part, index, origin, lots, memory)
            yield Rerun(
                round_number=record.standing.round_number,
                turn_number=index + 1,
                seat=mover,
                turn=format_turn(record.turns[index].turn),
                author=origin.author if isinstance(origin, Provenance) else origin,
                verdict=verdict,
                reason=reason,
            )


def rounds_before(record: RoundRecord, records: Iterable[RoundRecord]) -> list[RoundRecord]:
    """Return the rounds of the same match before a record, in order; none unless all are there.

    They are whole, with their deals, and what they scored adds up to what the record begins with.
    """
    match_id, number = record.tag("Match"), record.standing.round_number
    found = {
        other.standing.round_number: other
        for other in records
        if match_id is not None
        and other.tag("Match") == match_id
        and (other.names, other.variant) == (record.names, record.variant)
        and other.is_over
        and other.deal is not None
    }
    rounds = [found[each] for each in range(1, number) if each in found]
    scores = [replay(each).scores for each in rounds]
    totals = tuple(sum(score[seat] for score in scores) for seat in SEATS)
    is_whole = len(rounds) == number - 1 and totals == record.standing.totals
    return rounds if is_whole else []


def lots_of_record(record: RoundRecord) -> str | None:
    """Return the name of the lots of a round; None if the record does not tell.

    Raises:
        FairnessError: If secret, match or entropy are not of their form.
    """
    secret, match_id = record.tag("Secret"), record.tag("Match")
    if secret is None or match_id is None:
        return record.tag(LOTS_TAG)
    a, b = (parse_entropy(record.tag(f"Entropy{name}") or "") for name in SEAT_NAMES)
    return lots_of_match(Secret.from_hex(secret), match_id=match_id, entropy=(a, b))


def _memory_of(records: Sequence[RoundRecord]) -> Memory:
    """Return what the seats remember of rounds."""
    memory = NO_MEMORY
    for record in records:
        memory = replay(record).remembered(memory)
    return memory


def _judge(
    part: Replay,
    index: int,
    origin: Author | Provenance | None,
    lots: str | None,
    memory: Memory,
) -> tuple[Verdict, str]:
    if origin is None:
        return Verdict.NOT_STATED, "the record says of other turns of this seat who chose them"
    if isinstance(origin, Author):
        reason = "the record was written while the match went on, without seed and hash"
        return Verdict.NOT_RERUNNABLE, reason
    if not part.has_known_hands:
        reason = "the record has no deal, so what the agent saw is not known"
        return Verdict.NOT_RERUNNABLE, reason
    observation = part.view_before(index, memory=memory)
    if reason := _against_hash(origin, observation):
        return Verdict.OTHER_OBSERVATION, reason
    if lots is not None and (reason := _against_seed(origin, observation, index, lots)):
        return Verdict.OTHER_SEED, reason
    if reason := _against_rerun(origin.author):
        return Verdict.NOT_RERUNNABLE, reason
    return _judge_turn(part, index, origin, observation)


def _judge_turn(
    part: Replay, index: int, origin: Provenance, observation: Observation
) -> tuple[Verdict, str]:
    """Return whether the agent chooses the turn again."""
    if reason := _against_limit(origin.author):
        return Verdict.DIFFERENT, reason
    if not (reason := _against_turn(part.record.turns[index].turn, origin, observation)):
        return Verdict.SAME, ""
    agent, num_before = _agent(origin.author.agent), observation.standing.round_number - 1
    if (
        isinstance(agent, Rememberer)
        and agent.goes_by_past
        and num_before > len(observation.earlier)
    ):
        reason += ", but what it remembered of the rounds before is not in the record"
        return Verdict.NOT_RERUNNABLE, reason
    return Verdict.DIFFERENT, reason


def _against_hash(origin: Provenance, observation: Observation) -> str:
    """Return how the hash differs from that of what the record leads to, or ""."""
    computed, given = hash_of(observation), origin.observation_hash
    if computed == given:
        return ""
    return f"expected {computed}, which is what the record's turns lead to, got {given}"


def _against_seed(origin: Provenance, observation: Observation, index: int, lots: str) -> str:
    """Return how the seed differs from that which the lots of the match give, or ""."""
    drawn = decision_seed(
        lots,
        round_number=observation.standing.round_number,
        turn_number=index + 1,
        seat=observation.seat,
    )
    if drawn == origin.seed:
        return ""
    given = f"{origin.seed:016x}"
    return f"expected {drawn:016x}, which is what the lots of the match give, got {given}"


def _against_rerun(author: Author) -> str:
    """Return why moves of this author cannot be made again for certain, or ""."""
    try:
        spec = parse_spec(author.agent)
        if spec.name == EXTERNAL:
            return "it was made by a program of somebody else, which is not started"
        if WEIGHTS in spec.options:
            return "it was made by a network of somebody else, whose file is not opened"
        _agent(author.agent)
    except AgentSpecError as error:
        return f"there is no such agent here: {error}"
    if author.seconds is not None:
        return "it was limited by time, and no clock runs twice alike"
    if (author.playouts or 0) > MOST_PLAYOUTS:
        return f"expected at most {MOST_PLAYOUTS} playouts, got {author.playouts}"
    return ""


def _against_limit(stated: Author) -> str:
    """Return how the limit differs from that which the agent keeps to, or ""."""
    kept = author_of(_agent(stated.agent), Limit(playouts=stated.playouts))
    if (kept.playouts, kept.seconds) == (stated.playouts, stated.seconds):
        return ""
    return (
        f"expected the limit that {kept.agent} keeps to, {_limit_of(kept)}, got {_limit_of(stated)}"
    )


def _against_turn(turn: Turn, origin: Provenance, observation: Observation) -> str:
    """Return how the turn differs from that which the agent chooses, or ""."""
    agent, limit = _agent(origin.author.agent), Limit(playouts=origin.author.playouts)
    again = choose_turn(agent, observation, seed=origin.seed, limit=limit).turn
    return "" if again == turn else f"{agent.name} chooses {format_turn(again)} here"


def _limit_of(author: Author) -> str:
    if author.seconds is not None:
        return f"{author.seconds:g} seconds"
    return "none" if author.playouts is None else f"{author.playouts} playouts"


@lru_cache(maxsize=64)
def _agent(spec: str) -> Agent:
    return make_agent(spec)
