"""Harmless white space never shortens a record (H-24), and neither does cutting it off."""

import re
from collections.abc import Callable

import pytest

from examples import RECORD
from lostcities.notation import (
    InvalidRecordError,
    NotationError,
    RoundRecord,
    format_records,
    parse_records,
    replay,
)
from lostcities.rules import LostCitiesError

BARE = re.sub(r"\[(Deal|Result) .*\n", "", RECORD)
[KNOWN] = parse_records(RECORD)
LAYOUTS: dict[str, Callable[[str], str]] = {
    "byte-order mark": lambda text: "\ufeff" + text,
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old Mac line ends": lambda text: text.replace("\n", "\r"),
    "trailing blanks": lambda text: text.replace("\n", "   \n"),
    "leading blanks": lambda text: "  \n   " + text.replace("\n", "\n   "),
    "tabs": lambda text: re.sub(r" (?![^\[]*\])", "\t", text),
    "blank line between tags": lambda text: text.replace("]\n[", "]\n\n[", 3),
    "no final newline": lambda text: text.rstrip("\n"),
    "many final newlines": lambda text: text + "\n\n\n",
    "no blank line before the turns": lambda text: text.replace("]\n\n1.", "]\n1."),
    "nothing between tags and turns": lambda text: text.replace("]\n\n1.", "]1."),
    "every word on its own line": lambda text: re.sub(r" (?![^\[]*\])", "\n", text),
    "line break between two turns": lambda text: text.replace(" -Gx/D", "\n-Gx/D"),
    "all on one line": lambda text: text.replace("\n", " "),
    "no blank after numbers": lambda text: re.sub(r"(\d\.) ", r"\1", text),
    "blanks in tags": lambda text: text.replace('[A "Ada"]', '[ A   "Ada" ]'),
    "lenient ranks": lambda text: text.replace("YT/D", "Y10/D").replace("Wx/W", "WX/W"),
    "no-break and ideographic spaces": lambda text: text.replace(". ", ".\u00a0\u3000"),
    "form feed": lambda text: text + "\f",
    "deal in groups": lambda text: text.replace("R3B6G8W6", "R3B6 G8W6  "),
}


@pytest.mark.parametrize("name", list(LAYOUTS))
@pytest.mark.parametrize("text", [RECORD, BARE], ids=["full", "bare"])
def test_layout(name: str, text: str) -> None:
    laid_out = LAYOUTS[name](text)
    [record], [plain] = parse_records(laid_out), parse_records(text)
    assert record == plain
    assert len(record.turns) == 46
    assert replay(record).scores == (60, 17)
    assert format_records([record]) == format_records([plain])


def test_comments_with_line_breaks() -> None:
    text = RECORD.replace(" 8. ", ' 8. {a\n\n  [Colors "9"] 1. # \r\n b} ').replace("#", "#{end}")
    text = text.replace("1. #{end}", "1. #")
    [record] = parse_records(text)
    assert replace_comments(record) == KNOWN
    assert record.comments[0].text == 'a [Colors "9"] 1. # b'
    assert record.comments[1].num_turns == 46


def replace_comments(record: RoundRecord) -> RoundRecord:
    text = format_records([record])
    return parse_records(re.sub(r"\{[^}]*\} ?", "", text))[0]


@pytest.mark.parametrize("between", ["", "\n", "\n\n\n", " ", "\r\n", "{end of the first}"])
def test_two_records_in_a_file(between: str) -> None:
    other = RECORD.replace("Ada", "Eve")
    for first in (RECORD, RECORD.rstrip("\n"), BARE.replace("Ada", "Joe")):
        two = parse_records(first + between + other)
        assert [len(record.turns) for record in two] == [46, 46]
        assert [replay(record).scores for record in two] == [(60, 17)] * 2
        assert [record.names[1] for record in two] == ["Ben", "Ben"]


@pytest.mark.parametrize("text", [RECORD, BARE], ids=["full", "bare"])
def test_a_record_cut_off_anywhere_is_refused_or_unfinished(text: str) -> None:
    """No cut turns the record into a shorter one that claims to be finished."""
    [whole] = parse_records(text)
    for end in range(len(text)):
        cut = text[:end]
        try:
            found = parse_records(cut)
        except LostCitiesError:
            continue
        [record] = found
        if record.is_over:
            assert cut.rstrip().endswith("#")
            assert record == whole
        else:
            assert len(record.turns) < 46
            assert record.turns == whole.turns[: len(record.turns)]
            assert record.result is None
            last = cut.split()[-1]
            assert not record.turns or last.endswith("/D") or re.fullmatch(r".*/[YBWGR]", last)


def test_a_file_cut_off_behind_a_whole_record_keeps_that_record() -> None:
    """The second record of a file is cut at every character: the first one is there or nothing."""
    other = RECORD.replace("Ada", "Eve")
    for end in range(1, len(other)):
        try:
            found = parse_records(RECORD + "\n" + other[:end])
        except (NotationError, InvalidRecordError):
            continue
        assert found[0] == KNOWN
        if len(found) == 1:
            assert not other[:end].strip()
