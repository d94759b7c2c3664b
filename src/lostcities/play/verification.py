"""Checking the deals of a finished match from its record alone."""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lostcities.notation.errors import InvalidRecordError
from lostcities.notation.records import RoundRecord
from lostcities.notation.replay import replay
from lostcities.play.fairness import (
    Entropy,
    FairnessError,
    Secret,
    check_commitment,
    check_match_id,
    deal_of_round,
    lot_of_round,
    parse_entropy,
)
from lostcities.rules import SEAT_NAMES, Match, RoundResult, Seat, Standing, seat_name

_PROOF_TAGS: Final = (
    "Match",
    "Commitment",
    "Secret",
    "FirstStarter",
    *(f"Entropy{name}" for name in SEAT_NAMES),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked.

    Attributes:
        what: What it was, in words.
        problem: What is wrong; None if all is well.
    """

    what: str
    problem: str | None = None


def verify_deals(
    records: Sequence[RoundRecord], *, commitment: str | None = None
) -> tuple[Check, ...]:
    """Check the commitment and every deal of a match.

    Args:
        records: The rounds of one match.
        commitment: What was published before the first deal. A record brings
            its own, but only this one proves that it was not made up later.
    """
    if not records:
        return (Check("records", "expected the rounds of a match, got none"),)
    checks = [_verify_unity(records)]
    for record in records:
        checks.extend(_verify_round(record, commitment))
    if all(check.problem is None for check in checks):
        checks.extend(_verify_course(records))
    return tuple(checks)


def _verify_unity(records: Sequence[RoundRecord]) -> Check:
    """Check that one proof covers all rounds: a dealer that may change it can choose deals."""
    what = "all rounds: one match, one commitment, one secret"
    for name in _PROOF_TAGS:
        if len({record.tag(name) for record in records}) > 1:
            return Check(what, f"expected the same {name} in every round, got several")
    if len({(record.variant, record.names) for record in records}) > 1:
        return Check(what, "expected the same game and names in every round, got several")
    return Check(what)


def _verify_course(records: Sequence[RoundRecord]) -> Iterator[Check]:
    """Check that the rounds follow each other; who starts decides which hand each side gets."""
    first = records[0]
    agreed = first.tag("FirstStarter")
    if agreed is not None:
        yield Check("round 1: starter agreed by the players before the deal")
    starter = _lot(first) if agreed is None else first.standing.starter
    if agreed is not None and agreed != f"{seat_name(starter)} agreed":
        yield Check(
            "round 1: starter", f"expected the starter {agreed!r}, got {seat_name(starter)}"
        )
    match = Match(first.variant, starter)
    for number, record in enumerate(records, start=1):
        expected = match.next_standing(_lot(record))
        what = f"round {number}: number, starter and totals"
        if record.standing != expected:
            problem = f"expected {_in_words(expected)}, got {_in_words(record.standing)}"
            yield Check(what, problem)
            return
        yield Check(what)
        if not record.is_over or match.is_over:
            return
        try:
            scores = replay(record).scores
        except InvalidRecordError as error:
            yield Check(f"round {number}: turns", str(error))
            return
        match = match.with_round(RoundResult(expected.starter, scores))


def _in_words(standing: Standing) -> str:
    return (
        f"round {standing.round_number} started by {seat_name(standing.starter)} at "
        f"{standing.totals[0]} to {standing.totals[1]}"
    )


def _lot(record: RoundRecord) -> Seat:
    return lot_of_round(
        Secret.from_hex(record.tag("Secret") or ""),
        match_id=record.tag("Match") or "",
        round_number=record.standing.round_number,
        entropy=_entropy(record),
    )


def _verify_round(record: RoundRecord, commitment: str | None) -> Iterator[Check]:
    what = f"round {record.standing.round_number}"
    missing = [name for name in ("Match", "Commitment", "Secret") if record.tag(name) is None]
    if record.deal is None:
        missing.append("Deal")
    if missing:
        yield Check(
            f"{what}: proof",
            f"expected the tag {', '.join(missing)}, without which the deal cannot be verified",
        )
        return
    try:
        yield from _verify_proof(record, what, commitment)
    except FairnessError as error:
        yield Check(f"{what}: proof", str(error))


def _verify_proof(record: RoundRecord, what: str, published: str | None) -> Iterator[Check]:
    match_id = check_match_id(record.tag("Match") or "")
    secret = Secret.from_hex(record.tag("Secret") or "")
    claimed = check_commitment(record.tag("Commitment") or "")
    entropy = _entropy(record)
    computed = secret.commitment(match_id)
    yield Check(f"{what}: commitment", _difference(computed, claimed, "the record's commitment"))
    if published is not None:
        published = check_commitment(published)
        yield Check(
            f"{what}: commitment published before the deal",
            _difference(computed, published, "the published commitment"),
        )
    number = record.standing.round_number
    deal = deal_of_round(
        secret, match_id=match_id, round_number=number, entropy=entropy, variant=record.variant
    )
    yield Check(
        f"{what}: deal",
        None
        if deal == record.deal
        else "expected the deal that secret and entropy give, got other cards or another order",
    )


def _entropy(record: RoundRecord) -> Entropy:
    a, b = (parse_entropy(record.tag(f"Entropy{name}") or "") for name in SEAT_NAMES)
    return a, b


def _difference(computed: str, given: str, what: str) -> str | None:
    if hmac.compare_digest(computed, given):
        return None
    return f"expected {what} to be {computed}, got {given}"
