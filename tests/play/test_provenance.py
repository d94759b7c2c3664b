"""Where a move of the computer comes from: its text, its hash, its seed, its place in a match."""

import hashlib
import hmac
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.notation import (
    Comment,
    NotationError,
    RoundRecord,
    format_observation,
    format_records,
    parse_records,
)
from lostcities.play import Resign, Stage, Table, TakeTurn
from lostcities.play.events import TurnTaken
from lostcities.play.fairness import lots_of_match
from lostcities.play.provenance import (
    Author,
    Provenance,
    comment_of,
    decision_seed,
    format_author,
    format_provenance,
    hash_of,
    origin_to_data,
    origins_in,
    parse_origin,
    parse_provenance,
)
from lostcities.play.recording import match_records
from lostcities.play.table import InvalidStepsError
from lostcities.play.views import TurnTakenView
from lostcities.rules import (
    CLASSIC,
    MINI,
    SEATS,
    TINY,
    Card,
    Color,
    Discard,
    Position,
    Seat,
    Standing,
    Turn,
    WrittenTurn,
)
from play.tables import AUTHOR, MATCH_ID, SECRET, VIEWERS, Session, dealt, events_in, random_turn
from strategies import deal, one_line_texts, play_on, positions, reshuffle_unseen, seats, seeds

ORIGIN = Provenance(AUTHOR, 0xFEED, "0f" * 32)
TEXT = (
    f"agent=level:5 version=0.1.0+0123456789ab playouts=200 seed=000000000000feed saw={'0f' * 32}"
)

specs = one_line_texts.filter(bool)
authors = st.builds(
    Author,
    agent=specs,
    version=one_line_texts,
    playouts=st.none() | st.integers(1, 999_999_999),
    seconds=st.none() | st.floats(1e-9, 1e6),
    stands_in_for=one_line_texts,
)
origins = st.builds(
    Provenance,
    author=authors,
    seed=st.integers(0, 2**64 - 1),
    observation_hash=st.binary(min_size=32, max_size=32).map(bytes.hex),
)


@given(origins)
def test_the_text_says_everything(origin: Provenance) -> None:
    text = format_provenance(origin)
    assert parse_provenance(text) == parse_origin(text) == origin
    assert parse_origin(format_author(origin.author)) == origin.author
    assert text.isascii()
    assert "}" not in text
    assert text == " ".join(text.split())


def test_the_text_is_what_it_was() -> None:
    assert format_provenance(ORIGIN) == TEXT
    author = Author("exec:python3 'my bot.py' {ü}", seconds=0.25, stands_in_for="search:threads=2")
    assert format_author(author) == (
        "agent=exec:python3%20'my%20bot.py'%20%7B%C3%BC%7D seconds=0.25 for=search:threads=2"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the agent of a move like 'agent=level:5', got none"),
        ("version=1", "expected the agent of a move"),
        ("agent", "expected parts like 'agent=level:5', each once, got 'agent'"),
        ("agent=", "expected parts like 'agent=level:5', each once, got 'agent='"),
        ("agent=x agent=y", "expected parts like 'agent=level:5', each once, got 'agent=y'"),
        ("agent=%1b[31m", "expected printable characters in 'agent=', got '\\x1b[31m'"),
        ("agent=x version=%0a", "expected printable characters in 'version='"),
        ("agent=x for=%7F", "expected printable characters in 'for='"),
        ("agent=x playouts=0", "expected a whole number above 0 in 'playouts=', got '0'"),
        ("agent=x playouts=1e3", "expected a whole number above 0 in 'playouts='"),
        ("agent=x playouts=1234567890", "expected a whole number above 0 in 'playouts='"),
        ("agent=x seconds=inf", "expected a number like 0.1 in 'seconds=', got 'inf'"),
        ("agent=x seconds=-1", "expected a number like 0.1 in 'seconds=', got '-1'"),
        (f"agent=x seed=00 saw={'0' * 64}", "expected 16 hexadecimal digits in 'seed=', got '00'"),
        (f"agent=x seed={'0' * 16} saw=00", "expected 64 hexadecimal digits in 'saw=', got '00'"),
        (f"agent=x seed={'0' * 16}", "expected both 'seed=' and 'saw=', or neither"),
        (f"agent=x saw={'0' * 64}", "expected both 'seed=' and 'saw=', or neither"),
        ("agent=x mood=good", "expected only agent, version, playouts, seconds, for, seed and saw, got 'mood'"),
    ],
)  # fmt: skip
def test_a_text_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_origin(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_all_of_it_is_not_half_of_it() -> None:
    with pytest.raises(NotationError, match="expected 'seed=' and 'saw=', got neither"):
        parse_provenance("agent=level:5")


def test_seed_and_hash_are_kept_out_of_what_a_log_line_prints() -> None:
    for text in (
        repr(ORIGIN),
        str(ORIGIN),
        f"{TakeTurn(random_turn(dealt().position, Random(1)), ORIGIN)}",
    ):
        assert "level:5" in text
        assert "0f0f" not in text
        assert str(0xFEED) not in text


def test_programs_read_the_seed_as_text() -> None:
    assert origin_to_data(ORIGIN) == {
        "agent": "level:5",
        "version": "0.1.0+0123456789ab",
        "playouts": 200,
        "seconds": None,
        "stands_in_for": None,
        "seed": "000000000000feed",
        "observation_hash": "0f" * 32,
    }
    stand_in = Author("discarder", stands_in_for="exec:x")
    assert stand_in.is_stand_in
    assert not AUTHOR.is_stand_in
    assert origin_to_data(stand_in)["stands_in_for"] == "exec:x"
    assert origin_to_data(stand_in)["version"] is None


# --- the hash -------------------------------------------------------------------------------------


def test_the_hash_is_that_of_a_line_that_anybody_can_write() -> None:
    position = deal(replace(CLASSIC, stall_limit=12), Random(1), starter=1)
    view = position.observe(1)
    line = f"{format_observation(view)} 0,-/-/-/-/-|stall_limit=12"
    assert hash_of(view) == hashlib.sha256(line.encode()).hexdigest()


@given(positions(), seats, seeds)
def test_what_a_seat_cannot_see_is_not_in_the_hash(
    position: Position, seat: Seat, seed: int
) -> None:
    twin = reshuffle_unseen(position, seat, Random(seed))
    assert hash_of(twin.observe(seat)) == hash_of(position.observe(seat))


def test_everything_that_a_seat_sees_is_in_the_hash() -> None:
    """What it has seen before is in the turns of the record, and not in the hash."""
    position = play_on(deal(CLASSIC, Random(5)), Random(5), 41)
    view = position.observe(position.mover)
    card = Card(Color.YELLOW, 0)
    others: dict[str, Any] = {
        "variant": replace(CLASSIC, bonus=10),
        "hand_sizes": tuple(size + 1 for size in view.hand_sizes),
        "known": ((card,), (card, card)),
        "expeditions": view.expeditions[::-1],
        "piles": view.piles[::-1],
        "pile_sizes": tuple(size + 1 for size in view.pile_sizes),
        "deck_size": view.deck_size + 1,
        "to_move": None,
        "phase": None,
        "just_discarded": Color.RED if view.just_discarded is None else None,
        "num_stalling_turns": view.num_stalling_turns + 1,
        "standing": Standing(2, 3, 1, (5, 5)),
        "seat": 1 - view.seat,
        "hand": (*view.hand[1:], card),
    }
    assert others.keys() | {"past", "earlier"} == {field.name for field in fields(view)}
    assert hash_of(view.with_past([WrittenTurn(Turn(Discard(card)), card)])) == hash_of(view)
    assert hash_of(view.with_earlier([view])) == hash_of(view)
    # Phase and turn are written together.
    del others["phase"]
    hashes = {hash_of(view)}
    for name, value in others.items():
        hashes.add(hash_of(replace(view, **{name: value})))
    staged = position.after(position.legal_moves[0]).observe(position.mover)
    hashes.add(hash_of(replace(staged, hand=view.hand, hand_sizes=view.hand_sizes)))
    assert len(hashes) == len(others) + 2


# --- the seeds ------------------------------------------------------------------------------------


def test_every_decision_has_a_seed_of_its_own_from_a_written_recipe() -> None:
    seed = decision_seed("my lots", round_number=2, turn_number=7, seat=1)
    digest = hashlib.sha256(b"lostcities-lots-1|my lots|2|7|B").digest()
    assert seed == int.from_bytes(digest[:8], "big")
    all_seeds = {
        decision_seed(lots, round_number=number, turn_number=turn, seat=seat)
        for lots in ("a", "b")
        for number in (1, 2, 3)
        for turn in range(20)
        for seat in SEATS
    }
    assert len(all_seeds) == 2 * 3 * 20 * 2


def test_the_lots_of_a_match_follow_from_its_secret_and_the_entropy_of_both_seats() -> None:
    lots = lots_of_match(SECRET, match_id=MATCH_ID, entropy=(b"\x01", b""))
    message = f"lostcities-deal-1|{MATCH_ID}|A:01|B:|lots|0|0".encode()
    assert lots == hmac.digest(bytes(range(32)), message, "sha256").hex()
    assert lots != lots_of_match(SECRET, match_id=MATCH_ID, entropy=(b"", b""))


def test_a_table_gives_a_seed_for_each_turn_to_come() -> None:
    session = Session(TINY, first_starter=0)
    with pytest.raises(ValueError, match="no round has been dealt yet"):
        session.table.decision_seed(0)
    session.start_round()
    lots = lots_of_match(SECRET, match_id=MATCH_ID, entropy=(b"", b""))
    for turn_number in (1, 2):
        expected = decision_seed(lots, round_number=1, turn_number=turn_number, seat=1)
        assert session.table.decision_seed(1) == expected
        session.random_turn(Random(1))
    session.finish_round(Random(2))
    session.start_round()
    assert session.table.decision_seed(0) == decision_seed(
        lots, round_number=2, turn_number=1, seat=0
    )


# --- in a match -----------------------------------------------------------------------------------


def half_by_computer(session: Session, rng: Random, *, seat: int = 1) -> None:
    """Play to the end of the round; one seat is a computer's."""
    while session.table.state.stage is Stage.PLAYING:
        turn = random_turn(session.position, rng)
        play = session.turn_by_computer if session.mover == seat else session.turn
        play(turn)


def test_the_origin_of_a_turn_goes_into_the_event_and_survives_the_log() -> None:
    session = dealt(TINY)
    origin = session.origin()
    step = session.turn_by_computer(random_turn(session.position, Random(1)))
    (event,) = (event for event in step.events if isinstance(event, TurnTaken))
    assert event.provenance == origin
    assert Table.from_steps(session.steps).origins == session.table.origins == ((origin,),)


def test_a_log_in_which_command_and_event_disagree_about_it_is_refused() -> None:
    session = dealt(TINY)
    step = session.turn_by_computer(random_turn(session.position, Random(1)))
    changed = [
        replace(event, provenance=None) if isinstance(event, TurnTaken) else event
        for event in step.events
    ]
    with pytest.raises(InvalidStepsError):
        Table.from_steps([*session.steps[:-1], replace(step, events=tuple(changed))])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_who_chose_a_turn_is_for_everybody_at_once(viewer: int | None) -> None:
    session = dealt(TINY)
    session.turn(random_turn(session.position, Random(1)))
    session.turn_by_computer(random_turn(session.position, Random(2)))
    shown = [e for e in session.table.events_for(viewer) if isinstance(e, TurnTakenView)]
    assert [event.author for event in shown] == [None, AUTHOR]
    (record,) = match_records(session.table, viewer)
    assert origins_in(record) == {1: AUTHOR}
    assert parse_records(format_records([record])) == (record,)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_record_of_a_finished_match_says_all_of_it(viewer: int | None) -> None:
    session = Session(MINI)
    while session.table.state.stage is not Stage.OVER:
        session.start_round()
        half_by_computer(session, Random(3))
    records = match_records(session.table, viewer)
    told = [
        [origins_in(record).get(index) for index in range(len(record.turns))] for record in records
    ]
    assert told == [list(origins) for origins in session.table.origins]
    taken = [e for e in events_in(session.steps, TurnTaken) if isinstance(e, TurnTaken)]
    assert [origin for origins in told for origin in origins] == [e.provenance for e in taken]
    assert parse_records(format_records(records)) == records


def test_a_match_that_was_given_up_tells_it_as_well() -> None:
    session = dealt(TINY)
    session.turn_by_computer(random_turn(session.position, Random(1)))
    session.do(1, Resign())
    (record,) = match_records(session.table, 0)
    assert isinstance(origins_in(record)[0], Provenance)


def record_with(*comments: Comment) -> RoundRecord:
    session = dealt(CLASSIC)
    session.turn(random_turn(session.position, Random(1)))
    (record,) = match_records(session.table, 0)
    return replace(record, comments=comments)


def test_other_comments_are_left_alone() -> None:
    record = record_with(
        Comment(0, "computer"), Comment(1, "%computers rule"), comment_of(1, AUTHOR)
    )
    assert origins_in(record) == {0: AUTHOR}
    assert origins_in(record_with()) == {}


@pytest.mark.parametrize(
    ("comments", "message"),
    [
        ([comment_of(0, AUTHOR)], "expected '%computer' once behind each turn, got one more after turn 0"),
        ([comment_of(1, AUTHOR)] * 2, "expected '%computer' once behind each turn, got one more after turn 1"),
        ([Comment(1, "%computer")], "after turn 1: expected the agent of a move"),
        ([Comment(1, "%computer agent=x y")], "after turn 1: expected parts like 'agent=level:5', each once, got 'y'"),
    ],
)  # fmt: skip
def test_a_record_that_says_it_badly_is_refused(comments: list[Comment], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        origins_in(record_with(*comments))
    assert str(caught.value).startswith(message)


def test_a_record_that_says_it_badly_can_still_be_read() -> None:
    record = record_with(Comment(1, "%computer who knows"))
    assert parse_records(format_records([record])) == (record,)


def test_each_turn_of_the_computer_ends_its_line() -> None:
    session = dealt(TINY)
    half_by_computer(session, Random(1))
    session.finish_match(Random(2))
    first = format_records(match_records(session.table, None)).split("\n\n")[1]
    lines = first.splitlines()
    assert sum(line.endswith("}") for line in lines) == first.count("%computer")
