import json
from pathlib import Path

import pytest

from lostcities.cli import main

CASES = Path(__file__).parents[2] / "conformance" / "rule_cases.jsonl"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The complete round of the case bank."""
    cases = map(json.loads, CASES.read_text().splitlines())
    (text,) = (case["setup"]["text"] for case in cases if case["id"] == "NOT-11")
    path = tmp_path / "round.lcr"
    path.write_text(text)
    return path


def test_a_record_is_shown_with_every_turn_and_receipt(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record)]) == 0
    out = capsys.readouterr().out
    assert "46 turns, 2 takes from discard piles" in out
    # yellow x379T, white x3589T, green 468, red x23679, by hand
    assert "(29 - 20) x 2 = 18" in out
    assert "(35 - 20) x 2 = 30" in out
    assert "18 - 20 = -2" in out
    assert "(27 - 20) x 2 = 14" in out
    assert "total 60" in out
    assert "total 17" in out
    assert " 15 A Wx/W=W3" in out


def test_the_json_gives_scores_and_the_final_position(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--json"]) == 0
    (part,) = json.loads(capsys.readouterr().out)["rounds"]
    assert part["scores"] == {"A": 60, "B": 17}
    assert part["turns"] == 46
    assert part["takes"] == 2
    assert part["position"] == (
        "x379T/-/x3589T/468/x23679 -/678T/-/79T/- xx4/x2x4/2x/x523x/xx4 "
        "256/x35/x4/-/- 8/9/67/x/58T 0 # 1/3,A,60,17"
    )
    assert {letter: part["expeditions"]["A"][letter]["score"] for letter in "YWGR"} == {
        "Y": 18,
        "W": 30,
        "G": -2,
        "R": 14,
    }


@pytest.mark.parametrize("at", [0, 1, 15, 46])
def test_the_table_is_shown_at_one_turn(
    record: Path, at: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--at", str(at)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("the deal" if at == 0 else f"after turn {at} of 46: ")
    assert main(["replay", str(record), "--at", str(at), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"][0]["at"] == at


@pytest.mark.parametrize("at", ["47", "-1", "x", "1e3", "٣", "99999999999"])
def test_a_turn_that_is_not_there_is_refused(
    record: Path, at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["replay", str(record), f"--at={at}"])
    except SystemExit as left:
        code = int(str(left.code))
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "expected" in captured.err
    assert captured.err.count("\n") == 1


def test_one_round_of_several_is_chosen(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(record.read_text() * 2)
    assert main(["replay", str(record), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rounds"]) == 2
    assert main(["replay", str(record), "--round", "2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rounds"]) == 1
    assert main(["replay", str(record), "--round", "3"]) == 2
    assert "expected --round from 1 to 2, got 3" in capsys.readouterr().err


def test_a_record_without_a_deal_shows_no_made_up_hand(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if not line.startswith("[Deal")))
    assert main(["replay", str(record), "--at", "20"]) == 0
    out = capsys.readouterr().out
    assert "\nhand  " not in out
    assert "?7:-/-/-/-/2 ?8 26 A" in out


def test_a_fault_is_named_with_line_column_and_turn(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_text(record.read_text().replace("2. Y3/D", "2. YT/D"))
    assert main(["replay", str(record)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("lostcities replay: line 10, column 18, turn 2: A YT/D: cannot play YT")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[", b"hello", b"\x00" * 100])
def test_what_is_no_record_is_refused_in_one_line(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_missing_files_and_folders_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
    assert main(["replay", str(tmp_path)]) == 2
    assert "directory" in capsys.readouterr().err
