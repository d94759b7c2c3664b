"""The secret shows itself on purpose only, and nothing else is a key to the deals."""

import hashlib
import re
from random import Random

import pytest

from lostcities.notation import format_records
from lostcities.play import (
    Command,
    Ready,
    Resign,
    Secret,
    Step,
    Table,
    new_match_id,
    open_table,
)
from lostcities.play.events import RoundStarted, SecretRevealed
from lostcities.play.fairness import deal_of_round
from lostcities.play.recording import match_records
from lostcities.rules import (
    CLASSIC,
    LONG,
    Cards,
    Variant,
)
from play.tables import MATCH_ID, NAMES, SECRET, VIEWERS, Session, events_in

ENTROPY = (b"salt of north", b"salt of south")


def started(session: Session) -> RoundStarted:
    """Return the last deal."""
    event = events_in(session.steps, RoundStarted)[-1]
    assert isinstance(event, RoundStarted)
    return event


@pytest.mark.parametrize("form", [repr, str, "{}".format, "{0!r}".format, "%s".__mod__, ascii])
def test_a_secret_shows_itself_on_purpose_only(form: object) -> None:
    assert callable(form)
    secret = Secret(bytes(range(32)))
    assert form(secret) == "Secret(hidden)"
    assert form([secret]) == form([Secret(bytes(32))])
    assert secret.reveal() not in str(hash(secret))


@pytest.mark.parametrize("carrier", [SecretRevealed(SECRET), Step(None, (SecretRevealed(SECRET),))])
def test_what_carries_a_secret_hides_it(carrier: object) -> None:
    for text in (repr(carrier), str(carrier), f"{carrier}"):
        assert SECRET.reveal() not in text
        assert "Secret(hidden)" in text


def test_a_bad_secret_is_not_repeated_in_the_message() -> None:
    for text in ("ab" * 31, "ab" * 33, "abc", "zz" * 32, "ab" * 31 + "\n"):
        with pytest.raises(ValueError, match="secret") as caught:
            Secret.from_hex(text)
        assert "ab" not in str(caught.value)
        assert "zz" not in str(caught.value)


def public_numbers(session: Session) -> set[bytes]:
    """Return all that a spectator could take for a key: digests, names, and hashes of them."""
    table = session.table
    text = repr(table.view(None)) + "".join(map(repr, table.events_for(None)))
    text += format_records(match_records(table, None))
    found = {bytes.fromhex(digits) for digits in re.findall(r"[0-9a-f]{64}", text)}
    words = {word.encode() for word in re.findall(r"[A-Za-z0-9_-]+", text)}
    words |= {*ENTROPY, ENTROPY[0] + ENTROPY[1], b"", *(str(n).encode() for n in range(100))}
    hashed = {hashlib.sha256(word).digest() for word in words | found}
    padded = {word[:32].ljust(32, b"\0") for word in words}
    return found | hashed | padded | {bytes(32), b"\xff" * 32}


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_nothing_public_is_a_key_to_the_deal(variant: Variant) -> None:
    session = Session(variant)
    session.start_round(*ENTROPY)
    for _ in range(10):
        session.random_turn(Random(1))
    numbers = public_numbers(session)
    assert bytes.fromhex(SECRET.commitment(MATCH_ID)) in numbers

    def deal_with(key: bytes, entropy: tuple[bytes, bytes]) -> Cards:
        return deal_of_round(
            Secret(key), match_id=MATCH_ID, round_number=1, entropy=entropy, variant=variant
        )

    for key in numbers:
        for entropy in (ENTROPY, (b"", b"")):
            assert deal_with(key, entropy) != started(session).deal
    assert deal_with(bytes(range(32)), ENTROPY) == started(session).deal


def test_with_all_that_is_public_alike_only_the_secret_makes_the_deal() -> None:
    deals = set()
    for number in range(200):
        secret = Secret(number.to_bytes(32, "big"))
        deals.add(
            deal_of_round(
                secret, match_id=MATCH_ID, round_number=1, entropy=ENTROPY, variant=CLASSIC
            )
        )
    assert len(deals) == 200


def test_of_a_thousand_tables_opened_at_once_no_two_are_alike() -> None:
    deals, ids, commitments = set(), set(), set()
    for _ in range(1000):
        opening = open_table(
            variant=CLASSIC, names=NAMES, match_id=new_match_id(), secret=Secret.generate()
        )
        table = Table(opening)
        for seat in (0, 1):
            step = table.decide(Command("ready", seat, 0, Ready()))
            assert isinstance(step, Step)
            table.apply(step)
            deals |= {event.deal for event in step.events if isinstance(event, RoundStarted)}
        ids.add(table.view(None).match_id)
        commitments.add(table.view(None).commitment)
    assert len(deals) == len(ids) == len(commitments) == 1000


def test_the_commitment_stays_the_same_until_the_secret_is_shown() -> None:
    session = Session()
    commitment = session.table.view(None).commitment
    session.start_round(*ENTROPY)
    session.random_turn(Random(1))
    session.do(0, Resign())
    for viewer in VIEWERS:
        view = session.table.view(viewer)
        assert view.commitment == commitment
        text = f"lostcities-deal-1|{MATCH_ID}|{view.secret}"
        assert hashlib.sha256(text.encode()).hexdigest() == commitment
