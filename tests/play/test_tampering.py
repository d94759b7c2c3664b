"""Whatever was changed in the record of a match is found, and said in a sentence."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from lostcities.notation import RoundRecord
from lostcities.play import Secret
from lostcities.play.recording import match_records
from lostcities.play.verification import Check, verify_deals
from lostcities.rules import MINI, TINY, Variant
from play.tables import MATCH_ID, SECRET, Session, finished, problems

Records = tuple[RoundRecord, ...]
OTHER = Secret(b"\x07" * 32)
ENTROPY = (b"north", b"south")


def good(variant: Variant = MINI) -> Records:
    return match_records(finished(variant, seed=3, entropy=ENTROPY).table, None)


def with_tag(record: RoundRecord, name: str, value: str | None) -> RoundRecord:
    """Change a tag, or leave it out."""
    tags = [(n, value if n == name else v) for n, v in record.tags]
    assert any(n == name for n, _ in tags)
    return replace(record, tags=tuple((n, v) for n, v in tags if v is not None))


def everywhere(records: Records, name: str, value: str | None) -> Records:
    return tuple(with_tag(record, name, value) for record in records)


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize(("one", "two"), [(0, 1), (0, -1), (5, 8)])
def test_two_cards_exchanged_in_a_deal_are_found(number: int, one: int, two: int) -> None:
    records = list(good())
    deal = list(records[number].deal or ())
    assert deal[one] != deal[two]
    deal[one], deal[two] = deal[two], deal[one]
    records[number] = replace(records[number], deal=tuple(deal))
    (found,) = problems(tuple(records))
    assert found == (
        f"round {number + 1}: deal: expected the deal that secret and entropy give, "
        "got other cards or another order"
    )


def test_another_secret_does_not_fit_the_commitment() -> None:
    found = problems(everywhere(good(), "Secret", OTHER.reveal()))
    for number in (1, 2, 3):
        wrong = [text for text in found if text.startswith(f"round {number}: commitment:")]
        assert len(wrong) == 1
        assert f"to be {OTHER.commitment(MATCH_ID)}" in wrong[0]
        assert f"got {SECRET.commitment(MATCH_ID)}" in wrong[0]
        assert any(text.startswith(f"round {number}: deal:") for text in found)


def test_another_commitment_does_not_fit_the_secret() -> None:
    found = problems(everywhere(good(), "Commitment", OTHER.commitment(MATCH_ID)))
    assert [text.partition(": expected")[0] for text in found] == [
        f"round {number}: commitment" for number in (1, 2, 3)
    ]


def test_a_secret_and_commitment_made_up_later_do_not_fit_what_was_published() -> None:
    """The dealer changed its mind: its record fits itself, but not what it had published."""
    forged = Session(MINI, secret=OTHER)
    forged.start_round(*ENTROPY)
    forged.finish_match(Random(3))
    records = match_records(forged.table, None)
    assert problems(records) == []
    found = problems(records, commitment=SECRET.commitment(MATCH_ID))
    assert [text.partition(": expected")[0] for text in found] == [
        f"round {number}: commitment published before the deal" for number in (1, 2, 3)
    ]
    assert all("the published commitment" in text for text in found)


@pytest.mark.parametrize("name", ["EntropyA", "EntropyB"])
@pytest.mark.parametrize("value", ["00", None])
def test_other_entropy_gives_other_deals(name: str, value: str | None) -> None:
    found = problems(everywhere(good(), name, value))
    for number in (1, 2, 3):
        assert any(text.startswith(f"round {number}: deal: expected the deal") for text in found)


def test_entropy_of_the_other_seat_gives_other_deals() -> None:
    records = everywhere(good(), "EntropyA", ENTROPY[1].hex())
    assert len(problems(everywhere(records, "EntropyB", ENTROPY[0].hex()))) >= 3


def test_another_match_has_another_commitment_and_other_deals() -> None:
    found = problems(everywhere(good(), "Match", "another-match"))
    assert {text.partition(": expected")[0] for text in found} >= {
        f"round {number}: {what}" for number in (1, 2, 3) for what in ("commitment", "deal")
    }


def test_a_secret_for_each_round_is_found_though_each_round_fits_its_own() -> None:
    """A dealer that may choose a secret for each round can choose its deals."""
    records = list(good())
    forged = Session(MINI, secret=OTHER)
    forged.start_round(*ENTROPY)
    forged.finish_match(Random(3))
    records[1] = match_records(forged.table, None)[1]
    (found,) = problems(tuple(records))
    assert found == (
        "all rounds: one match, one commitment, one secret: "
        "expected the same Commitment in every round, got several"
    )


@pytest.mark.parametrize("name", ["Match", "Commitment", "Secret", "EntropyA", "EntropyB"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_tag_that_differs_in_one_round_is_found(name: str, number: int) -> None:
    records = list(good())
    value = "ab" * 32
    records[number] = with_tag(records[number], name, value)
    assert f"expected the same {name} in every round, got several" in problems(tuple(records))[0]


@pytest.mark.parametrize("name", ["Match", "Commitment", "Secret"])
def test_a_missing_tag_is_named(name: str) -> None:
    assert problems(everywhere(good(), name, None)) == [
        f"round {number}: proof: expected the tag {name}, without which the deal cannot be verified"
        for number in (1, 2, 3)
    ]


def test_a_record_without_any_proof_is_not_verified() -> None:
    bare = replace(good()[0], tags=(), deal=None)
    (found,) = problems((bare,))
    assert found == (
        "round 1: proof: expected the tag Match, Commitment, Secret, Deal, "
        "without which the deal cannot be verified"
    )


def test_a_record_of_a_running_match_is_not_verified() -> None:
    session = Session()
    session.start_round()
    (found,) = problems(match_records(session.table, 0))
    assert "expected the tag Secret, Deal" in found


@pytest.mark.parametrize("name", ["Match", "Commitment", "Secret", "EntropyA", "EntropyB"])
@pytest.mark.parametrize("value", ["not hex", "ä" * 64, "0 ", "ab" * 65, " " + "a" * 64])
def test_a_tag_that_is_not_of_its_form_is_a_problem_and_no_crash(name: str, value: str) -> None:
    found = problems(everywhere(good(), name, value))
    assert [text.partition(": expected")[0] for text in found] == [
        f"round {number}: proof" for number in (1, 2, 3)
    ]


@pytest.mark.parametrize("published", ["", "not hex", "ä" * 64, "ab" * 33])
def test_a_published_commitment_that_is_none_is_a_problem(published: str) -> None:
    found = problems(good(), commitment=published)
    assert len(found) == 3
    assert all("a commitment of 64 hexadecimal digits" in text for text in found)


def test_a_commitment_in_capitals_is_the_same_commitment() -> None:
    assert problems(good(), commitment=SECRET.commitment(MATCH_ID).upper()) == []


def test_another_starter_than_the_lot_gave_is_found() -> None:
    first, *rest = good()
    starter = first.standing.starter
    changed = replace(first, standing=replace(first.standing, starter=1 - starter))
    (found,) = problems((changed, *rest))
    assert found == (
        f"round 1: number, starter and totals: expected round 1 started by {'AB'[starter]} "
        f"at 0 to 0, got round 1 started by {'AB'[1 - starter]} at 0 to 0"
    )


def test_another_starter_of_a_later_round_is_found() -> None:
    first, second, third = good()
    changed = replace(
        second, standing=replace(second.standing, starter=1 - second.standing.starter)
    )
    (found,) = problems((first, changed, third))
    assert found.startswith("round 2: number, starter and totals: expected round 2 started by ")


def test_other_totals_and_missing_rounds_are_found() -> None:
    first, second, third = good()
    changed = replace(second, standing=replace(second.standing, totals=(500, 7)))
    (found,) = problems((first, changed, third))
    assert found.endswith(" at 500 to 7")
    assert "expected round 2" in problems((first, third))[0]
    assert "expected round 1" in problems((third,))[0]


def test_rounds_of_other_games_or_players_are_found() -> None:
    first, second, _ = good()
    (found,) = problems((first, replace(second, names=("North", "East"))))
    assert "expected the same game and names in every round" in found


def test_an_agreement_on_another_starter_is_found() -> None:
    records = match_records(finished(TINY, first_starter=0).table, None)
    changed = everywhere(records, "FirstStarter", "B agreed")
    assert "round 1: starter: expected the starter 'B agreed', got A" in problems(changed)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: replace(record, standing=replace(record.standing, round_number=2)),
        lambda record: replace(record, variant=replace(record.variant, highest_rank=5)),
    ],
)
def test_the_round_and_the_deck_belong_to_the_proof(
    change: Callable[[RoundRecord], RoundRecord],
) -> None:
    found = problems((change(good()[0]),))
    assert any("deal: expected the deal" in text for text in found)


def test_turns_that_cannot_have_been_are_found() -> None:
    first, *rest = good()
    cut = replace(first, turns=first.turns[:-1], result=None)
    (found,) = problems((cut, *rest))
    assert found.startswith("round 1: turns: expected the round to go on")


def test_a_check_says_what_and_what_is_wrong() -> None:
    assert Check("something").problem is None
    assert verify_deals(())[0].problem == "expected the rounds of a match, got none"
