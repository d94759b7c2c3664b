"""Rubbish is refused, quickly and in one line, and nothing but our own errors comes out."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import HEAD, RECORD
from lostcities.notation import (
    RoundRecord,
    format_records,
    parse_observation,
    parse_position,
    parse_records,
    read_cards,
    replay,
)
from lostcities.rules import LostCitiesError
from strategies import records, seeds

SIZE = 1_000_000
RUBBISH = {
    "letters": "x" * SIZE,
    "blanks": " " * SIZE + "!",
    "line ends": "\r" * SIZE + "!",
    "brackets": "[" * SIZE,
    "braces": "{" * SIZE,
    "closing braces": "}" * SIZE,
    "quotes": '"' * SIZE,
    "numbers": HEAD + "1" * SIZE + ".",
    "many numbers": HEAD + "1. " * (SIZE // 3),
    "open tag": '[A "' + "\\" * SIZE,
    "open tag of letters": '[A "' + "a" * SIZE,
    "tag name": "[" + "a" * SIZE,
    "tag with blanks": "[A " + " " * SIZE,
    "end marks": HEAD + "#" * SIZE,
    "one long turn": HEAD + "1. " + "-" * SIZE,
    "equal signs": HEAD + "1. R4/D=" + "R4" * (SIZE // 2),
    "long deal": HEAD + f'[Deal "{"R4" * (SIZE // 2)}"]',
    "deal of blanks": HEAD + f'[Deal "{" " * SIZE}"]',
    "rules": HEAD + f'[Rules "{"bonus=1 " * (SIZE // 8)}"]',
    "result": HEAD + f'[Result "A {"9" * SIZE} B 1"]',
    "control characters": "\x00" * SIZE,
    "emoji": "\U0001f3d4" * SIZE,
    "many tags": "".join(f'[T{number} "x"]' for number in range(SIZE // 12)),
    "turns too many": HEAD + "".join(f"{n}. -Yx/D -Bx/D " for n in range(1, SIZE // 18)),
}


PARSERS: dict[str, Callable[[str], object]] = {
    "records": parse_records,
    "position": parse_position,
    "observation": parse_observation,
    "cards": read_cards,
}


@pytest.mark.parametrize("parser", list(PARSERS))
@pytest.mark.parametrize("name", list(RUBBISH))
def test_a_megabyte_of_rubbish_is_refused_in_one_line(name: str, parser: str) -> None:
    with pytest.raises(LostCitiesError) as caught:
        PARSERS[parser](RUBBISH[name])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


TIMING = """
import sys, time
sys.path.insert(0, {tests!r})
from notation.test_hostile_input import PARSERS, RUBBISH
for name, text in RUBBISH.items():
    for parser, parse in PARSERS.items():
        start = time.process_time()
        try:
            parse(text)
        except ValueError:
            print(round(time.process_time() - start, 3), name, parser, sep="\t")
"""


def test_a_megabyte_of_rubbish_is_refused_in_under_a_second() -> None:
    """In a process of its own, so that the coverage of this one is not measured too."""
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", TIMING.format(tests=str(root / "tests"))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    times = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(times) == len(RUBBISH) * len(PARSERS)
    assert [line for line in times if float(line[0]) >= 1] == []


def test_a_hundred_records_are_read_in_seconds() -> None:
    start = time.process_time()
    assert len(parse_records(RECORD * 100)) == 100
    assert time.process_time() - start < 10


MARKS = 'RYBWGPDxXHT0123456789/=-.#[]{}" \n\t\\,:?*é\u2028\x00'


@settings(max_examples=40)
@given(records(), seeds)
def test_records_changed_in_one_place(record: RoundRecord, seed: int) -> None:
    text, rng = format_records([record]), Random(seed)
    for _ in range(8):
        at, mark = rng.randrange(len(text) + 1), rng.choice(MARKS)
        for other in (
            text[:at] + mark + text[at:],
            text[:at] + mark + text[at + 1 :],
            text[:at] + text[at + 1 :],
        ):
            check_read_or_refused(other)


def check_read_or_refused(text: str) -> None:
    try:
        found = parse_records(text)
    except LostCitiesError as error:
        assert "\n" not in str(error)  # noqa: PT017 # nearly all raise
        return
    for record in found:
        assert replay(record).final.is_over == record.is_over
        again = parse_records(format_records([record]))
        assert replay(again[0]).scores == replay(record).scores


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check_read_or_refused(text)
    check_read_or_refused(HEAD + text)
    check_read_or_refused(HEAD + "1. " + text)


@given(
    st.lists(st.sampled_from(["1.", "2.", "Yx/D", "-Bx/D", "#", "{c}", '[A "x"]', "-Rx/R", HEAD]))
)
def test_any_sequence_of_words(words: list[str]) -> None:
    check_read_or_refused(HEAD + " ".join(words))
