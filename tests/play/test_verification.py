"""A finished match can be verified from its record, and whatever was changed is found."""

from random import Random

import pytest

from lostcities.notation import RoundRecord, format_records, parse_records
from lostcities.play import Resign, Secret, Table
from lostcities.play.recording import match_records
from lostcities.play.verification import verify_deals
from lostcities.rules import LONG, MINI, TINY, StarterPolicy, Variant
from play.tables import MATCH_ID, SECRET, VIEWERS, Session, finished, problems

Records = tuple[RoundRecord, ...]
OTHER = Secret(b"\x07" * 32)
ENTROPY = (b"north", b"south")


def good(variant: Variant = MINI) -> Records:
    return match_records(finished(variant, seed=3, entropy=ENTROPY).table, None)


@pytest.mark.parametrize(
    "variant", [TINY, MINI, LONG, Variant(num_rounds=1), Variant(num_rounds=9)]
)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_honest_match_is_verified_by_whoever_has_its_record(
    variant: Variant, viewer: int | None
) -> None:
    records = match_records(finished(variant, seed=3, entropy=ENTROPY).table, viewer)
    read = parse_records(format_records(records))
    assert problems(read) == []
    assert problems(read, commitment=SECRET.commitment(MATCH_ID)) == []


def test_what_was_checked_is_said_for_each_round() -> None:
    names = [check.what for check in verify_deals(good(), commitment=SECRET.commitment(MATCH_ID))]
    assert names == [
        "all rounds: one match, one commitment, one secret",
        "round 1: commitment",
        "round 1: commitment published before the deal",
        "round 1: deal",
        "round 2: commitment",
        "round 2: commitment published before the deal",
        "round 2: deal",
        "round 3: commitment",
        "round 3: commitment published before the deal",
        "round 3: deal",
        "round 1: number, starter and totals",
        "round 2: number, starter and totals",
        "round 3: number, starter and totals",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_an_honest_match_by_lot_in_each_round_is_verified(seed: int) -> None:
    variant = Variant(
        num_colors=2,
        highest_rank=3,
        wagers_per_color=1,
        hand_size=2,
        num_rounds=9,
        starter_policy=StarterPolicy.RANDOM,
    )
    records = match_records(finished(variant, seed=seed).table, None)
    names = [check.what for check in verify_deals(records)]
    assert sum(name.endswith("number, starter and totals") for name in names) == 9
    assert problems(records) == []


@pytest.mark.parametrize("starter", [0, 1])
def test_an_agreed_starter_is_no_matter_of_the_lot(starter: int) -> None:
    for seed in range(4):
        records = match_records(finished(TINY, seed=seed, first_starter=starter).table, None)
        assert problems(records) == []
        assert any("starter agreed" in check.what for check in verify_deals(records))


@pytest.mark.parametrize("starter", [0, 1])
def test_an_agreed_starter_is_none_even_where_later_rounds_go_by_lot(starter: int) -> None:
    variant = Variant(num_colors=2, hand_size=2, starter_policy=StarterPolicy.RANDOM)
    records = match_records(finished(variant, first_starter=starter).table, None)
    assert problems(records) == []


@pytest.mark.parametrize("agreed", [0, 1])
def test_a_rematch_is_verified_like_any_match(agreed: int) -> None:
    first = finished(TINY, first_starter=agreed)
    step = first.table.rematch(match_id="another", secret=OTHER)
    session = Session(TINY)
    session.table, session.steps = Table(step), [step]
    session.start_round(*ENTROPY)
    session.finish_match(Random(1))
    records = match_records(session.table, 0)
    assert problems(records, commitment=OTHER.commitment("another")) == []


def test_a_resigned_match_is_verified_with_its_last_deal() -> None:
    session = Session()
    session.start_round(*ENTROPY)
    session.random_turn(Random(1))
    session.do(0, Resign())
    assert problems(match_records(session.table, 1)) == []
