"""What looks like a record or a position and is none."""

from dataclasses import replace

import pytest

from lostcities.notation import (
    Comment,
    InvalidRecordError,
    NotationError,
    RoundRecord,
    format_records,
    parse_records,
    parse_view,
    replay,
)
from lostcities.rules import CLASSIC, LONG, InvalidPositionError, Standing

HEAD = '[Colors "5"]\n[Starter "A"]\n'


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "١. -Yx/D",
        HEAD + '[Totals "A ١٢ B 3"]\n',
        HEAD + '[Result "A ١٢ B 3"]\n',
        HEAD + '[Rules "hand_size=٨"]\n',
    ],
)
def test_only_plain_digits_count(text: str) -> None:
    with pytest.raises(NotationError):
        parse_records(text)


@pytest.mark.parametrize("field", ["?٨ ?8 44", "?8 ?8 ٤٤"])
def test_only_plain_digits_count_in_positions(field: str) -> None:
    empty = "-/-/-/-/-"
    with pytest.raises(NotationError):
        parse_view(f"{empty} {empty} {empty} {field} A 1/3,A,0,0")


def test_a_pile_cannot_hide_more_cards_than_its_color_has() -> None:
    empty = "-/-/-/-/-"
    with pytest.raises(InvalidPositionError, match="expected at most 11 unknown cards there"):
        parse_view(f"{empty} {empty} {'?' * 12}T/-/-/-/- ?8 ?8 31 A 1/3,A,0,0")


def test_nobody_has_points_before_the_first_round() -> None:
    with pytest.raises(NotationError, match="expected totals 'A 0 B 0' in round 1"):
        parse_records(HEAD + '[Totals "A 500 B 7"]\n')


def test_totals_of_nothing_are_no_silence() -> None:
    deck = "".join(map(str, CLASSIC.deck))
    first = (
        f'[Colors "5"]\n[Starter "A"]\n[Round "1/2"]\n[Rules "hand_size=29"]\n[Deal "{deck}"]\n'
        "1. Yx/D -Yx/D #\n"
    )
    second = '[Colors "5"]\n[Starter "B"]\n[Round "2/2"]\n[Rules "hand_size=29"]\n'
    assert parse_records(first + second)[1].standing.totals == (-40, 0)
    with pytest.raises(InvalidRecordError, match="expected totals A -40 B 0 after round 1"):
        parse_records(first + second + '[Totals "A 0 B 0"]\n')


def test_without_a_deal_the_first_impossible_turn_is_the_one_that_is_named() -> None:
    text = HEAD + "1. R4/R -B2/D 2. R4/D"
    with pytest.raises(InvalidRecordError, match=r"turn 1: A R4/R: cannot draw from the red pile"):
        parse_records(text)


def test_a_deal_of_other_cards_is_an_invalid_record() -> None:
    record = RoundRecord(CLASSIC, Standing(), deal=LONG.deck)
    with pytest.raises(InvalidRecordError, match="72 cards in deal"):
        replay(record)


@pytest.mark.parametrize("name", ["bad name", "", "9", "Result", "Game", "A", "é"])
def test_a_further_tag_needs_a_name_of_its_own(name: str) -> None:
    record = replace(RoundRecord(CLASSIC, Standing()), tags=((name, "x"),))
    with pytest.raises(InvalidRecordError, match="expected further tags with names of their own"):
        format_records([record])


def test_a_further_tag_stands_once() -> None:
    with pytest.raises(InvalidRecordError, match="got 'Site'"):
        format_records([RoundRecord(CLASSIC, Standing()).with_tags(Site="x").with_tags(Site="y")])


@pytest.mark.parametrize("num_turns", [-1, 1])
def test_a_comment_belongs_to_a_turn(num_turns: int) -> None:
    record = RoundRecord(CLASSIC, Standing(), comments=(Comment(num_turns, "well"),))
    with pytest.raises(InvalidRecordError, match="expected a comment after at most 0 turns"):
        format_records([record])


@pytest.mark.parametrize(
    "text", ['[A "\x1b[31mred"]', '[A "\u202eevil"]', "{\x07}", '[Site "\x00"]']
)
def test_what_a_terminal_would_obey_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected printable characters"):
        parse_records(HEAD + text)
