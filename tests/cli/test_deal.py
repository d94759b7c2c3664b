import json
from pathlib import Path

import pytest

from lostcities.cli import main

SECRET = "00112233445566778899aabbccddeeff" * 2


def new(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["deal", "new", *options]) == 0
    return capsys.readouterr().out


def test_a_new_deal_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.lcr"
    path.write_text(new(capsys, "--colors", "6", "--entropy-a", "cafe"))
    assert main(["deal", "verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "round 1: deal: ok" in out
    assert out.endswith("4 checks passed, 0 failed\n")


def test_new_deals_differ_and_a_given_secret_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    assert new(capsys) != new(capsys)
    options = ("--secret", SECRET, "--match", "m", "--json")
    first = json.loads(new(capsys, *options))
    assert first == json.loads(new(capsys, *options))
    assert len({part["deal"] for part in first["rounds"]}) == 3
    assert all(len(part["deal"]) == 120 for part in first["rounds"])


def test_a_changed_deal_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = new(capsys, "--secret", SECRET)
    start = text.index('[Deal "') + 7
    swapped = (
        text[:start] + text[start + 2 : start + 4] + text[start : start + 2] + text[start + 4 :]
    )
    path = tmp_path / "deal.lcr"
    path.write_text(swapped)
    assert main(["deal", "verify", str(path)]) == 1
    assert (
        "round 1: deal: expected the deal that secret and entropy give" in capsys.readouterr().out
    )
    assert main(["deal", "verify", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_the_published_commitment_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json.loads(new(capsys, "--secret", SECRET, "--match", "m", "--json"))
    path = tmp_path / "deal.lcr"
    path.write_text(new(capsys, "--secret", SECRET, "--match", "m"))
    assert main(["deal", "verify", str(path), "--commitment", made["commitment"]]) == 0
    assert main(["deal", "verify", str(path), "--commitment", "0" * 64]) == 1


def test_a_record_without_proof_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.lcr"
    path.write_text('[Colors "5"]\n[Starter "A"]\n')
    assert main(["deal", "verify", str(path)]) == 1
    assert "without which the deal cannot be verified" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ("--secret", "xyz"),
        ("--secret", SECRET[:-2]),
        ("--entropy-a", "abc"),
        ("--entropy-b", "00" * 65),
        ("--match", "a b"),
        ("--match", "x" * 65),
        ("--colors", "7"),
        ("--rounds", "10"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    options: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["deal", "new", *options])
    except SystemExit as left:
        code = int(str(left.code))
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert SECRET[:-2] not in captured.err
