"""Checking the deals of a finished match from its record alone."""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lostcities.notation.records import RoundRecord
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
from lostcities.rules import SEAT_NAMES, StarterPolicy, seat_name

_PROOF_TAGS: Final = ("Match", "Commitment", "Secret", *(f"Entropy{name}" for name in SEAT_NAMES))


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
    checks: list[Check] = []
    if len(records) > 1:
        checks.append(_verify_unity(records))
    for record in records:
        checks.extend(_verify_round(record, commitment))
    return tuple(checks)


def _verify_unity(records: Sequence[RoundRecord]) -> Check:
    """Check that one proof covers all rounds: a dealer that may change it can choose deals."""
    what = "all rounds: one match, one commitment, one secret"
    for name in _PROOF_TAGS:
        if len({record.tag(name) for record in records}) > 1:
            return Check(what, f"expected the same {name} in every round, got several")
    return Check(what)


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
    if _is_by_lot(record):
        lot = lot_of_round(secret, match_id=match_id, round_number=number, entropy=entropy)
        yield Check(
            f"{what}: starter by lot",
            None
            if lot == record.standing.starter
            else f"expected {seat_name(lot)} to start, got {seat_name(record.standing.starter)}",
        )


def _is_by_lot(record: RoundRecord) -> bool:
    if record.standing.round_number == 1:
        return record.tag("FirstStarter") is None
    return record.variant.starter_policy is StarterPolicy.RANDOM


def _entropy(record: RoundRecord) -> Entropy:
    a, b = (parse_entropy(record.tag(f"Entropy{name}") or "") for name in SEAT_NAMES)
    return a, b


def _difference(computed: str, given: str, what: str) -> str | None:
    if hmac.compare_digest(computed, given):
        return None
    return f"expected {what} to be {computed}, got {given}"
