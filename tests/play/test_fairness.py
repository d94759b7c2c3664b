"""The recipe of fair deals: published vectors, a second program, and its exact edges."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import format_cards
from lostcities.play import FairnessError, Secret
from lostcities.play.fairness import (
    MAX_ENTROPY_BYTES,
    SCHEME,
    below,
    check_commitment,
    check_match_id,
    deal_of_round,
    lot_of_round,
    parse_entropy,
    shuffle,
)
from lostcities.rules import CLASSIC, LONG, MINI, SEAT_NAMES, TINY, Variant
from play import second_dealer

FILE = Path(__file__).parents[2] / "conformance" / "fairness.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
WORDS = 2**32

secrets = st.binary(min_size=32, max_size=32).map(Secret)
entropies = st.binary(max_size=MAX_ENTROPY_BYTES)
match_ids = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
rounds = st.integers(1, 9)
variants = st.sampled_from((CLASSIC, LONG, MINI, TINY, Variant(num_colors=3, wagers_per_color=0)))


def test_the_vectors_cover_both_decks_with_and_without_entropy_and_two_rounds() -> None:
    assert {(v["colors"], v["entropy"] != ["", ""]) for v in VECTORS} == {
        (colors, has_entropy) for colors in (5, 6) for has_entropy in (False, True)
    }
    assert {vector["round"] for vector in VECTORS} == {1, 3}
    assert {vector["lot"] for vector in VECTORS} == {"A", "B"}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["match"])
def test_the_dealer_agrees_with_the_published_vectors(vector: dict[str, Any]) -> None:
    secret = Secret.from_hex(vector["secret"])
    a, b = map(parse_entropy, vector["entropy"])
    place = {"match_id": vector["match"], "round_number": vector["round"], "entropy": (a, b)}
    variant = Variant(num_colors=vector["colors"])
    assert vector["scheme"] == SCHEME
    assert secret.commitment(vector["match"]) == vector["commitment"]
    assert SEAT_NAMES[lot_of_round(secret, **place)] == vector["lot"]
    assert format_cards(deal_of_round(secret, **place, variant=variant)) == vector["deal"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["match"])
def test_the_second_program_agrees_with_the_published_vectors(vector: dict[str, Any]) -> None:
    a, b = vector["entropy"]
    place = vector["secret"], vector["match"], (a, b), vector["round"]
    deck = second_dealer.sorted_deck(vector["colors"])
    assert vector["scheme"] == second_dealer.SCHEME
    assert second_dealer.commitment(*place[:2]) == vector["commitment"]
    assert second_dealer.lot(*place) == vector["lot"]
    assert second_dealer.deal(*place, deck) == vector["deal"]


@given(secrets, match_ids, st.tuples(entropies, entropies), rounds, variants)
def test_both_programs_agree_on_anything(
    secret: Secret, match_id: str, entropy: tuple[bytes, bytes], number: int, variant: Variant
) -> None:
    place = {"match_id": match_id, "round_number": number, "entropy": entropy}
    key, in_hex = secret.reveal(), (entropy[0].hex(), entropy[1].hex())
    deck = [format_cards([card]) for card in variant.deck]
    deal = deal_of_round(secret, **place, variant=variant)  # type: ignore[arg-type] # a mixed bag
    lot = lot_of_round(secret, **place)  # type: ignore[arg-type] # a mixed bag
    assert secret.commitment(match_id) == second_dealer.commitment(key, match_id)
    assert format_cards(deal) == second_dealer.deal(key, match_id, in_hex, number, deck)
    assert SEAT_NAMES[lot] == second_dealer.lot(key, match_id, in_hex, number)


@given(secrets, st.text("ab|", max_size=5))
def test_both_programs_draw_the_same_numbers(secret: Secret, context: str) -> None:
    numbers = second_dealer.Numbers(secret.reveal(), context)
    assert list(islice(secret.stream(context), 20)) == [numbers.take() for _ in range(20)]


def test_every_part_of_the_recipe_changes_the_deal() -> None:
    def deal(
        *,
        key: bytes = bytes(32),
        match: str = "m",
        number: int = 1,
        a: bytes = b"",
        b: bytes = b"",
    ) -> str:
        cards = deal_of_round(
            Secret(key), match_id=match, round_number=number, entropy=(a, b), variant=CLASSIC
        )
        return format_cards(cards)

    deals = [
        deal(),
        deal(key=bytes(31) + b"\x01"),
        deal(match="n"),
        deal(number=2),
        deal(a=b"x"),
        deal(b=b"x"),
        deal(a=b"x", b=b"x"),
        deal(a=b"xx"),
    ]
    assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("variant", [CLASSIC, LONG, MINI, TINY])
def test_a_deal_is_the_deck_in_another_order(variant: Variant) -> None:
    for number in range(1, 10):
        deal = deal_of_round(
            Secret(bytes(32)),
            match_id="m",
            round_number=number,
            entropy=(b"", b""),
            variant=variant,
        )
        assert tuple(sorted(deal)) == variant.deck


def words_then_stop(*words: int) -> Iterator[int]:
    yield from words
    pytest.fail("took more words than it needed")


@pytest.mark.parametrize("limit", range(1, 73))
def test_words_that_would_bias_a_number_are_skipped_and_no_others(limit: int) -> None:
    num_usable = WORDS // limit * limit
    assert below(limit, words_then_stop(num_usable - 1)) == limit - 1
    assert below(limit, words_then_stop(0)) == 0
    for word in {num_usable, WORDS - 1} - {num_usable - 1}:
        if num_usable <= word < WORDS:
            assert below(limit, words_then_stop(word, word, 5 * limit)) == 0


@pytest.mark.parametrize("limit", [2, 3, 5, 60, 72])
def test_each_number_has_as_many_words_as_any_other(limit: int) -> None:
    """The words of one whole block of remainders, at both ends of the usable range."""
    last_block = (WORDS // limit - 1) * limit
    for start in (0, last_block):
        numbers = [below(limit, iter([start + offset])) for offset in range(limit)]
        assert numbers == list(range(limit))


def test_a_shuffle_swaps_from_the_last_place_down() -> None:
    cards = CLASSIC.deck[3:8]
    a, b, c, d, e = cards
    assert shuffle(cards, words_then_stop(0, 0, 0, 0)) == (b, c, d, e, a)
    assert shuffle(cards, words_then_stop(4, 3, 2, 1)) == cards
    assert shuffle(cards, words_then_stop(WORDS - 1, 2, 3, 1, 0)) == (e, a, b, d, c)


def test_every_order_of_four_cards_comes_from_equally_many_words() -> None:
    cards = CLASSIC.deck[3:7]
    orders = [shuffle(cards, iter([i, j, k])) for i in range(4) for j in range(3) for k in range(2)]
    assert len(set(orders)) == 24


def test_one_card_needs_no_words() -> None:
    assert shuffle(CLASSIC.deck[:1], words_then_stop()) == CLASSIC.deck[:1]


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_secret_has_32_bytes(size: int) -> None:
    with pytest.raises(FairnessError, match=f"got {size}"):
        Secret(bytes(size))


def test_secrets_are_equal_by_their_bytes_and_differ_from_everything_else() -> None:
    secret = Secret(bytes(32))
    assert secret == Secret.from_hex("00" * 32)
    assert hash(secret) == hash(Secret(bytes(32)))
    assert secret != Secret(bytes(31) + b"\x01")
    assert secret != bytes(32)
    assert secret != secret.reveal()
    assert len({secret, Secret(bytes(32)), Secret.generate()}) == 2


def test_a_secret_in_capitals_is_the_same_secret() -> None:
    assert Secret.from_hex("AB" * 32) == Secret.from_hex("ab" * 32)
    assert check_commitment("AB" * 32) == "ab" * 32


@pytest.mark.parametrize("text", ["", "a b", "a|b", "ä", "x" * 65, "a\n"])
def test_a_match_id_that_could_be_mistaken_is_refused_before_anything_is_hashed(text: str) -> None:
    with pytest.raises(FairnessError):
        check_match_id(text)
    with pytest.raises(FairnessError):
        Secret(bytes(32)).commitment(text)
    with pytest.raises(FairnessError):
        lot_of_round(Secret(bytes(32)), match_id=text, round_number=1, entropy=(b"", b""))


@pytest.mark.parametrize("text", ["0", "0g", " 00", "00 ", "00\n", "0x00", "٠٠", "zz"])
def test_what_is_not_hexadecimal_is_refused(text: str) -> None:
    for read in (parse_entropy, check_commitment, Secret.from_hex):
        with pytest.raises(FairnessError):
            read(text)


@given(entropies)
def test_entropy_is_written_in_hexadecimal_digits(entropy: bytes) -> None:
    assert parse_entropy(entropy.hex()) == parse_entropy(entropy.hex().upper()) == entropy


def test_more_entropy_than_64_bytes_is_refused() -> None:
    with pytest.raises(FairnessError, match="got 65"):
        parse_entropy("00" * 65)


@pytest.mark.parametrize("num_digits", [0, 62, 66, 128])
def test_a_commitment_has_64_digits(num_digits: int) -> None:
    with pytest.raises(FairnessError, match=f"{num_digits} characters"):
        check_commitment("a" * num_digits)
