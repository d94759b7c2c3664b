"""Records: reading undoes writing, faults say where they are, missing deals are completed."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import END, HEAD, RECORD
from lostcities.notation import (
    Comment,
    InvalidRecordError,
    NotationError,
    Place,
    RoundRecord,
    format_position,
    format_records,
    parse_records,
    parse_turn,
    replay,
)
from lostcities.notation.record_reader import parse_rules
from lostcities.notation.records import format_rules
from lostcities.rules import (
    CLASSIC,
    LONG,
    LostCitiesError,
    MatchGoal,
    Position,
    Standing,
    StarterPolicy,
    Variant,
    WrittenTurn,
)
from strategies import random_turns, records, shuffled


def one(text: str) -> RoundRecord:
    [record] = parse_records(text)
    return record


def test_example() -> None:
    record = one(RECORD)
    played = replay(record)
    assert (played.scores, len(record.turns), played.num_takes) == ((60, 17), 46, 2)
    assert format_position(played.final) == END
    assert played.has_known_hands
    assert len(played.positions) == 47
    assert record.names == ("Ada", "Ben")
    assert record.result == (60, 17)
    assert format_records([record]) == RECORD


@given(records())
def test_record(record: RoundRecord) -> None:
    text = format_records([record])
    again = one(text)
    assert again == record
    assert format_records([again]) == text
    assert replay(again).positions == replay(record).positions


@settings(max_examples=30)
@given(records(knows_deal=st.sampled_from([True])))
def test_before_each_turn_the_mover_knows_what_it_saw_of_those_before(record: RoundRecord) -> None:
    played = replay(record)
    for index, position in enumerate(played.positions[:-1]):
        view = played.view_before(index)
        assert view == position.observe(position.mover)
        assert [written.turn for written in view.past] == [
            written.turn for written in record.turns[:index]
        ]
        for number, written in enumerate(view.past):
            before, after = played.positions[number : number + 2]
            is_from_deck = written.turn.draw.pile is None
            if is_from_deck and before.mover != view.seat:
                assert written.drawn is None
            elif is_from_deck:
                assert written.drawn == before.deck[0]
            else:
                assert written.drawn in after.known[before.mover]


@settings(max_examples=30)
@given(st.lists(records(), min_size=2, max_size=4))
def test_several_records(several: list[RoundRecord]) -> None:
    """Names differ, so that none is taken for the next round of the one before it."""
    apart = [replace(r, names=(f"A{index}", "B")) for index, r in enumerate(several)]
    assert list(parse_records(format_records(apart))) == apart


@settings(max_examples=40)
@given(records(knows_deal=st.sampled_from([True])))
def test_records_without_their_deal_complete(record: RoundRecord) -> None:
    """Where nothing is written down, any deal that agrees with the turns will do."""
    blind = replace(record, deal=None)
    played, known = replay(blind), replay(record)
    assert not played.has_known_hands
    assert played.scores == known.scores
    assert played.final.expeditions == known.final.expeditions
    assert played.final.piles == known.final.piles
    assert len(played.final.deck) == len(known.final.deck)
    assert played.final.known == known.final.known
    silent = tuple(replace(written, drawn=None) for written in record.turns)
    assert replay(replace(blind, turns=silent)).scores == known.scores
    assert replay(blind).positions[0].checked() == replay(blind).positions[0]


def test_match_of_three_rounds_carries_its_totals() -> None:
    rng, played, totals = Random(3), [], (0, 0)
    for number in (1, 2, 3):
        standing = Standing(number, 3, number % 2, totals)
        deal = shuffled(CLASSIC, rng)
        start = Position.deal(deal, standing=standing)
        turns, end = random_turns(start, rng, 1000)
        played.append(
            RoundRecord(CLASSIC, standing, ("Ada", "Ben"), turns, is_over=True, deal=deal)
        )
        totals = end.standing.totals
    text = format_records(played)
    assert list(parse_records(text)) == played
    without = "".join(line for line in text.splitlines(keepends=True) if "[Totals" not in line)
    assert list(parse_records(without)) == played
    wrong = text.replace(f'[Totals "A {played[1].standing.totals[0]} ', '[Totals "A 9999 ')
    with pytest.raises(
        InvalidRecordError,
        match=r"^line \d+, column 1: expected totals A .* after round 1, got A 9999",
    ):
        parse_records(wrong)


def test_round_that_does_not_follow_keeps_its_totals() -> None:
    second = RECORD.replace('"1/3"', '"3/3"')
    assert [record.standing.totals for record in parse_records(RECORD + second)] == [(0, 0), (0, 0)]
    other = RECORD.replace('"1/3"', '"2/3"').replace("Ada", "Eve")
    assert parse_records(RECORD + other)[1].standing.totals == (0, 0)
    following = RECORD.replace('"1/3"', '"2/3"')
    assert parse_records(RECORD + following)[1].standing.totals == (60, 17)
    broken_off = RECORD.partition("23.")[0].replace('[Result "A 60 B 17"]\n', "")
    assert parse_records(broken_off + following)[1].standing.totals == (0, 0)
    longer = following.replace('"2/3"', '"2/5"')
    assert parse_records(RECORD + longer)[1].standing.totals == (0, 0)
    guarded = following.replace('[Colors "5"]', '[Colors "5"]\n[Rules "stall_limit=12"]')
    assert parse_records(RECORD + guarded)[1].standing.totals == (0, 0)


def test_single_round_needs_few_tags() -> None:
    record = one('[Colors "6"]\n[Starter "B"]\n1. -Px/D=P5')
    assert record.variant == Variant(num_colors=6, num_rounds=1)
    assert record.standing == Standing(1, 1, 1, (0, 0))
    assert record.names == ("A", "B")
    assert not record.is_over
    assert replay(record).positions[1].to_move == 0


def test_further_tags_are_kept() -> None:
    record = one('[Colors "5"][Starter "A"][Site "a \\"quoted\\" \\\\ place"][Date "2024"]')
    assert record.tags == (("Site", 'a "quoted" \\ place'), ("Date", "2024"))
    assert record.tag("Date") == "2024"
    assert record.tag("Round") is None
    assert record.with_tags(Event="x").tag("Event") == "x"
    assert one(format_records([record])) == record


def test_comments_stand_where_they_were() -> None:
    text = '[Colors "5"][Starter "A"]{start}1. {a\n  b}-Yx/D{c}-Bx/D {d}{e}'
    assert one(text).comments == (
        Comment(0, "start"),
        Comment(0, "a b"),
        Comment(1, "c"),
        Comment(2, "d"),
        Comment(2, "e"),
    )
    assert one(format_records([one(text)])) == one(text)


def test_places_of_turns() -> None:
    record = one(RECORD)
    assert record.place_of_turn(0) == Place(10, 4, 1)
    assert record.place_of_turn(1) == Place(10, 9, 1)
    assert record.place_of_turn(45) == Place(15, 42, 23)
    assert record.place_of_turn(46) is None
    assert str(Place(1, 2)) == "line 1, column 2"
    assert str(Place(1, 2, 3)) == "line 1, column 2, turn 3"


RULES = [
    (Variant(), ""),
    (Variant(num_colors=6, num_rounds=5), ""),
    (Variant(hand_size=6, stall_limit=12), "hand_size=6 stall_limit=12"),
    (Variant(starter_policy=StarterPolicy.ROUND_WINNER), "starter_policy=round_winner"),
    (Variant(match_goal=MatchGoal.ROUNDS), "match_goal=rounds"),
    (Variant(tabletop_memory=True, own_discard_block=False), "tabletop_memory=true own_discard_block=false"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "text"), RULES)
def test_rules_tag(variant: Variant, text: str) -> None:
    assert format_rules(variant) == text
    numbers = parse_rules(text)
    others = {"num_colors": variant.num_colors, "num_rounds": variant.num_rounds}
    assert Variant(**numbers, **others) == variant  # type: ignore[arg-type]


NOT_WELL_FORMED = [
    ("", 'expected a record that begins with a tag like [Colors "5"], got an empty text'),
    ("  \n\t", 'expected a record that begins with a tag like [Colors "5"], got an empty text'),
    ('[Starter "A"]', 'line 1, column 1: expected a tag like [Colors "5"], and this record has none'),
    ('\n {x}[Colors "5"]', 'line 2, column 2: expected a tag like [Starter "A"], and this record has none'),
    ('[Game "Chess"]' + HEAD, "line 1, column 1: expected the game 'Lost Cities', got 'Chess'"),
    ('[Colors "7"]\n[Starter "A"]', "line 1, column 1: expected 5 or 6 colors, got '7'"),
    ('[Colors "5"]\n[Starter "C"]', "line 2, column 1: expected the starter 'A' or 'B', got 'C'"),
    ('[Colors "5"]\n[Starter ""]', "line 2, column 1: expected the starter 'A' or 'B', got nothing"),
    (HEAD + '[Starter "A"]', "line 3, column 1: expected each tag once, got a second Starter"),
    (HEAD + '[Round "1"]', "line 3, column 1: expected a round like '1/3', of at most 9, got '1'"),
    (HEAD + '[Round "3/2"]', "line 3, column 1: expected a round like '1/3', of at most 9, got '3/2'"),
    (HEAD + '[Round "1/10"]', "line 3, column 1: expected a round like '1/3', of at most 9, got '1/10'"),
    (HEAD + '[Result "60:17"]', "line 3, column 1: expected points like 'A 60 B -17', got '60:17'"),
    (HEAD + '[Totals "A 1"]', "line 3, column 1: expected points like 'A 60 B -17', got 'A 1'"),
    (HEAD + '[Deal "R5R1"]', "line 3, column 1: in the deal: expected a card like 'R7', 'Bx' or 'YT', got 'R1'"),
    (HEAD + '[Rules "moons=2"]', "line 3, column 1: expected a rule like 'hand_size=8' (lowest_rank, "),
    (HEAD + '[Rules "bonus=1 bonus=2"]', "line 3, column 1: expected a rule like 'hand_size=8' (lowest_rank, "),
    (HEAD + '[Rules "bonus=x"]', "line 3, column 1: expected a number for bonus, got 'x'"),
    (HEAD + '[Rules "bonus"]', "line 3, column 1: expected a number for bonus, got nothing"),
    (HEAD + '[Rules "bonus=5000"]', "line 3, column 1: expected bonus from 0 to 1000, got 5000"),
    (HEAD + '[Rules "tabletop_memory=1"]', "line 3, column 1: expected true or false for tabletop_memory, got '1'"),
    (HEAD + '[Rules "match_goal=luck"]', "line 3, column 1: expected points or rounds for match_goal, got 'luck'"),
    (HEAD + '[Rules "hand_size=31"]', "line 3, column 1: expected more than 62 cards for two hands of 31, got a deck of 60"),
    ('[Colors "2"]\n[Starter "A"]\n[Rules "hand_size=12"]', "line 3, column 1: expected more than 24 cards"),
    ("[Colors 5]", "line 1, column 1: expected a tag like [Colors \"5\"] on one line, got '[Colors 5]'"),
    ('[Colors "5"', "line 1, column 1: expected a tag like"),
    ('[Colors "5\n"]', "line 1, column 1: expected a tag like"),
    (HEAD + "{never closed", "line 3, column 1: expected '}' at the end of this comment, got the end of the text"),
    (HEAD + "1. -Yx/D }", "line 3, column 10: expected a tag, a turn, a comment or '#', got '}'"),
    (HEAD + '1. "', "line 3, column 4: expected a tag, a turn, a comment or '#', got '\"'"),
    (HEAD + "-Yx/D", "line 3, column 1, turn 1: expected '1.', got '-Yx/D'"),
    (HEAD + "2. -Yx/D", "line 3, column 1, turn 1: expected '1.', got '2.'"),
    (HEAD + "1. 1. -Yx/D", "line 3, column 4, turn 1: expected a turn, got '1.'"),
    (HEAD + "1. -Yx/D 2. -Bx/D", "line 3, column 10, turn 1: expected a turn, got '2.'"),
    (HEAD + "1. -Yx/D -Bx/D\n3. -Wx/D", "line 4, column 1, turn 2: expected '2.', got '3.'"),
    (HEAD + "1. -Yx/D -Bx/D\n-Wx/D", "line 4, column 1, turn 2: expected '2.', got '-Wx/D'"),
    (HEAD + "1. -Y1/D", "line 3, column 4, turn 1: expected a turn like 'R4/D', '-W9/D=G6' or 'B7/Y', got '-Y1/D'"),
    (HEAD + "1. -Yx/D B7/Y=R5", "line 3, column 10, turn 1: expected a yellow card from the yellow pile, got R5"),
    (HEAD + "1.", "line 1, column 1: expected a turn after '1.', got the end of the record"),
    (HEAD + "1. -Yx/D -Bx/D 2.", "line 3, column 10, turn 1: expected a turn after '2.', got the end of the record"),
    (HEAD + "1. #", "line 3, column 4, turn 1: expected a turn, got '#'"),
    (RECORD + "24. Y2/D", "line 16, column 1: expected nothing or a new record after '#', got '24'"),
    (RECORD + "#", "line 16, column 1: expected nothing or a new record after '#', got '#'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), NOT_WELL_FORMED)
def test_not_well_formed(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_records(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


WRONG_PLAY = [
    (RECORD.replace("2. Y3/D", "2. Y2/D"), "line 10, column 18, turn 2: A Y2/D: cannot play Y2: it is not in the hand"),
    (RECORD.replace("3. Y7/D", "3. -Y7/Y"), "line 10, column 32, turn 3: A -Y7/Y: cannot draw from the yellow pile: Y7 was discarded there this turn"),
    (RECORD.replace("8. Wx/W", "8. Wx/W=W2"), "line 11, column 46, turn 8: A Wx/W=W2: expected W3 to be drawn, got W2"),
    (RECORD.replace("1. Yx/D -Gx/D", "1. Yx/D=Rx -Gx/D"), "line 10, column 4, turn 1: A Yx/D=Rx: expected WT to be drawn, got Rx"),
    (RECORD.replace("A 60 B 17", "A 61 B 17"), "line 1, column 1: expected the result A 60 B 17, which is what the turns score, got A 61 B 17"),
    (RECORD.replace(" #", ""), "line 1, column 1: expected '#' after the turn that drew the last card of the deck, got the end of the record"),
    (RECORD.replace(" -Wx/D #", " #"), "line 1, column 1: expected the round to go on, since 1 card is left in the deck, got '#'"),
    (RECORD.replace(" -Wx/D #", ""), "line 1, column 1: expected no result, since 1 card is left in the deck (is the record cut short after 45 turns?), got A 60 B 17"),
    (RECORD.replace(" #", " 24. -Yx/D #"), "line 15, column 52, turn 24: A -Yx/D: cannot move: the round is over"),
    (RECORD.replace("R3B6", "R3R3"), "line 7, column 1: 60 cards in deal, variant 'classic' has 60; extra: R3; missing: B6"),
    (RECORD.replace("R3B6", "R3"), "line 7, column 1: 59 cards in deal, variant 'classic' has 60; missing: B6"),
    (HEAD + "1. P5/D", "line 3, column 4, turn 1: A P5/D: P5 does not exist in this game"),
    (HEAD + "1. Y5/D Y5/D", "line 3, column 9, turn 1: B Y5/D: Y5 cannot be there: all copies are accounted for"),
    (HEAD + "1. Y5/D=Y5", "line 3, column 4, turn 1: A Y5/D=Y5: Y5 cannot be there: all copies are accounted for"),
    (HEAD + "1. Y5/B", "line 3, column 4, turn 1: A Y5/B: cannot draw from the blue pile: it is empty"),
    (HEAD + "1. Y5/P", "line 3, column 4, turn 1: A Y5/P: cannot draw from the purple pile: this game has no purple"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG_PLAY)
def test_what_cannot_have_happened(text: str, message: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        parse_records(text)
    assert str(caught.value) == message


def test_hand_whose_cards_are_all_known() -> None:
    """A puts down eight known draws more than it may hold: every card it can have is named."""
    head = '[Colors "2"]\n[Starter "A"]\n[Rules "hand_size=1 wagers_per_color=0"]\n'
    text = head + "1. -Y2/D=Y3 -B2/D=B3 2. -Y4/D"
    with pytest.raises(InvalidRecordError) as caught:
        parse_records(text)
    assert str(caught.value) == (
        "line 4, column 25, turn 2: A -Y4/D: Y4 cannot be in the hand: all its cards are known"
    )


def test_turns_behind_the_end_are_refused_without_a_deal_too() -> None:
    bare = "".join(
        line for line in RECORD.splitlines(keepends=True) if not line.startswith(("[Deal", "[Res"))
    )
    text = bare.replace(" #", " 24. -Y2/D #")
    with pytest.raises(
        InvalidRecordError, match="turn 24: A -Y2/D: cannot move: the round is over"
    ):
        parse_records(text)


def test_record_that_was_not_read_says_the_turn() -> None:
    turns = (parse_turn("Y5/D"), parse_turn("B5/D"), parse_turn("Y4/D"))
    record = RoundRecord(CLASSIC, Standing(), turns=turns)
    with pytest.raises(InvalidRecordError) as caught:
        replay(record)
    assert str(caught.value) == "turn 2: A Y4/D: cannot play Y4: yellow expedition is already at Y5"
    assert caught.value.place is None


def test_values_that_do_not_fit_on_a_line() -> None:
    record = RoundRecord(LONG, Standing())
    for broken in (
        replace(record, names=("a\nb", "B")),
        record.with_tags(Site="a\tb"),
    ):
        with pytest.raises(InvalidRecordError, match=r"^expected a value on one line, got 'a"):
            format_records([broken])
    for text in ("a}b", "a\nb", " a", "a  b"):
        broken = replace(record, comments=(Comment(0, text),))
        with pytest.raises(
            InvalidRecordError,
            match=r"^expected a comment on one line with single blanks and without '}'",
        ):
            format_records([broken])


def test_every_error_is_of_the_family() -> None:
    for error in (NotationError("x"), InvalidRecordError("x")):
        assert isinstance(error, LostCitiesError)
        assert isinstance(error, ValueError)
        assert (error.problem, error.place) == ("x", None)


def test_drawn_cards_are_written_where_known() -> None:
    written = WrittenTurn(parse_turn("-Yx/D").turn, None)
    known = parse_turn("-Yx/D=B5")
    record = RoundRecord(CLASSIC, Standing(), turns=(known, written))
    assert format_records([record]).endswith("\n1. -Yx/D=B5 -Yx/D\n")
