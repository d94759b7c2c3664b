"""The page on contests: its examples are what the program prints, its keys those of the JSON."""

import json
import re
from pathlib import Path

import pytest

from lostcities.cli import main

_PAGE = (Path(__file__).parents[2] / "docs/contests.md").read_text(encoding="utf-8")


def _examples() -> list[tuple[list[str], list[str]]]:
    """Return the words of each command of the page, and the lines that it prints if they are told."""
    blocks = re.findall(r"^```\n(.*?)^```$", _PAGE, re.MULTILINE | re.DOTALL)
    commands = [command for block in blocks for command in block.split("$ lostcities ")[1:]]
    lines = [command.splitlines() for command in commands]
    return [(first.split(), told) for first, *told in lines]


def test_the_printed_contest_is_what_the_program_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ((words, told),) = [(words, told) for words, told in _examples() if told]
    assert main(words) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(told)
    for line, pattern in zip(printed, told, strict=True):
        assert re.fullmatch(r"[\d.]+".join(map(re.escape, pattern.split("…"))), line), line


def test_recorded_moves_are_made_again_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [words for words, _ in _examples()]
    match = next(words for words in commands if "--all-records" in words)
    verify = next(words for words in commands if words[0] == "verify-bot")
    assert main(match) == 0
    assert main(verify) == 0


def test_all_keys_are_told_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "random", "discarder", "--pairs", "2", "--luck", "--sprt", "0,5", "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    rows = dict(re.findall(r"^\| (`.+?) \| (.+) \|$", _PAGE, re.MULTILINE))
    told = {key: text for keys, text in rows.items() for key in re.findall(r"`(\w+)`", keys)}
    assert told.keys() == data.keys()
    assert set(re.findall(r"`(\w+)`", told["a"])) == data["a"].keys() == data["b"].keys()
    assert set(re.findall(r"`(\w+)`", told["sprt"])) == data["sprt"].keys() | {"undecided"}


def test_options_of_the_page_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = set()
    for command in ("match", "ladder"):
        assert main([command, "--help"]) == 0
        known |= set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    assert set(re.findall(r"--[a-z][a-z-]*", _PAGE)) <= known
