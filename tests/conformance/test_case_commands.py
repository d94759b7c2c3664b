"""The commands that run files of cases, and how files are read."""

import argparse
import io
import json
from pathlib import Path
from types import ModuleType

import pytest

from lostcities.cli import conformance, perft
from lostcities.cli.files import InputError, read_text

FOLDER = Path(__file__).parents[2] / "conformance"
GOOD = '{"id": "X-1", "kind": "score_expedition", "setup": {"expedition": ["R9"]}, "expected": {"score": -11}}'
WRONG = GOOD.replace("X-1", "X-2").replace("-11", "-12")
BROKEN = GOOD.replace("X-1", "X-3").replace("R9", "R1")


def run(command: ModuleType, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_args(words))
    return status


def test_bank_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(conformance, str(FOLDER / "rule_cases.jsonl")) == 0
    assert capsys.readouterr().out == "170 passed, 0 failed\n"


def test_failures_are_named_with_what_was_expected_and_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"\ufeff{GOOD}\n{WRONG}\r\n{BROKEN}\n", "utf-8")
    assert run(conformance, str(path)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "X-2: score",
        "  expected -12",
        "  got      -11",
        "X-3: expected a card like 'R7', 'Bx' or 'YT', got 'R1'",
        "1 passed, 2 failed",
    ]


def test_several_files_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, wrong = tmp_path / "good.jsonl", tmp_path / "wrong.jsonl"
    good.write_text(GOOD, "utf-8")
    wrong.write_text(WRONG, "utf-8")
    assert run(conformance, "--json", str(good), str(wrong)) == 1
    printed = json.loads(capsys.readouterr().out)
    assert (printed["passed"], printed["failed"]) == (1, 1)
    assert [outcome["id"] for outcome in printed["outcomes"]] == ["X-1", "X-2"]
    assert printed["outcomes"][1]["got"] == {"score": -11}


def test_perft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = (FOLDER / "perft.jsonl").read_text("utf-8").splitlines()[0]
    path = tmp_path / "perft.jsonl"
    path.write_text(line + "\n" + line.replace("230", "231"), "utf-8")
    assert run(perft, str(path)) == 1
    out = capsys.readouterr().out
    assert "tiny-sorted: reachable\n  expected 231\n  got      230\n" in out
    assert out.endswith("1 passed, 1 failed\n")


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert run(conformance, "-") == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_bad_input_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(f"{GOOD}\nnonsense\n", "utf-8")
    with pytest.raises(InputError, match=r"cannot read '.*bad.jsonl': line 2: expected JSON"):
        run(conformance, str(bad))


def refusal(path: str) -> str:
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing, folder, latin = tmp_path / "missing", tmp_path, tmp_path / "latin.txt"
    latin.write_bytes(b"Gr\xfc\xdfe")
    assert refusal(str(missing)) == f"cannot read {str(missing)!r}: no such file"
    assert refusal(str(folder)).endswith(": expected a file, got a directory")
    assert refusal(str(latin)).endswith(": expected UTF-8 text, got byte 0xfc at offset 2")
    assert refusal(str(latin / "below")).endswith(": not a directory")
    assert refusal("a\0b").startswith("cannot read 'a\\x00b': ")


def test_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything
    assert refusal(str(tmp_path / "secret")).endswith(": no permission")


def test_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbfR4")
    assert read_text(str(path)) == "R4"
