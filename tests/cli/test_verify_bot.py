"""`lostcities verify-bot`, and what `match`, `play` and `replay` do for it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lostcities.agents import registry
from lostcities.agents.registry import Entry
from lostcities.agents.version import agents_version
from lostcities.cli import main
from lostcities.notation import parse_records
from lostcities.play.provenance import Author, Provenance, origins_in
from tui.driving import FailingAgent, discards_all, hand_in, play, scripted

COMPUTER = re.compile(r" ?\{%computer [^}]*\}\n?")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("LOSTCITIES_HOME", str(folder))
    return folder


@pytest.fixture
def contest_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "contest.lcr"
    words = ["match", "search:playouts=8", "random", "--pairs", "1", "--rounds", "1"]
    assert main([*words, "--all-records", "--records", str(path)]) == 0
    capsys.readouterr()
    return path


def verify(
    capsys: pytest.CaptureFixture[str], path: Path, *words: str, code: int = 0
) -> dict[str, Any]:
    assert main(["verify-bot", str(path), *words, "--json"]) == code
    data = json.loads(capsys.readouterr().out)
    assert isinstance(data, dict)
    return data


def test_an_honest_record_passes(contest_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = verify(capsys, contest_record)
    assert data["ok"]
    assert data["version"] == agents_version()
    turns = [len(record.turns) for record in parse_records(contest_record.read_text())]
    assert data["counts"]["same"] == len(data["moves"]) == sum(turns)
    assert data["moves"][0].keys() == {
        "round", "turn", "seat", "move", "agent", "version", "is_of_other_version",
        "stands_in_for", "verdict", "reason",
    }  # fmt: skip
    assert main(["verify-bot", str(contest_record)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == f"{sum(turns)} same"
    assert re.fullmatch(r"round 1, turn 1: A \S+ by search:playouts=8: same", out[0])


def test_some_of_the_moves_can_be_chosen(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = verify(capsys, contest_record, "--round", "2", "--move", "3")["moves"]
    assert [(move["turn"], move["agent"]) for move in moves] == [(3, "random")]
    moves = verify(capsys, contest_record, "--seat", "B", "--round", "1")["moves"]
    assert {move["agent"] for move in moves} == {"random"}


def test_a_tampered_record_fails_and_says_where(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = contest_record.read_text()
    seed = re.search(r"seed=([0-9a-f]{16})", text)
    assert seed
    contest_record.write_text(text.replace(seed[1], "0123456789abcdef"))
    capsys.readouterr()
    assert main(["verify-bot", str(contest_record)]) == 1
    out = capsys.readouterr().out
    assert "turn 1: A" in out
    assert "seed differs: expected" in out
    assert out.splitlines()[-1].endswith("same, 1 seed differs")
    data = verify(capsys, contest_record, code=1)
    assert not data["ok"]
    assert data["counts"]["seed differs"] == 1
    assert verify(capsys, contest_record, "--move", "2")["ok"]


def test_another_version_is_stated_in_a_sentence(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = contest_record.read_text()
    contest_record.write_text(text.replace(agents_version(), "0.0.9+aaaaaaaaaaaa"))
    assert main(["verify-bot", str(contest_record), "--move", "1"]) == 0
    out = capsys.readouterr().out
    assert (
        f"note: moves were made by version 0.0.9+aaaaaaaaaaaa, and this is {agents_version()}"
        in out
    )
    (first, _) = verify(capsys, contest_record, "--move", "1")["moves"]
    assert first["is_of_other_version"]


def test_nothing_made_again_is_nothing_verified(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contest_record.write_text(COMPUTER.sub("\n", contest_record.read_text()))
    assert main(["verify-bot", str(contest_record)]) == 1
    assert capsys.readouterr().out == "the record states no move of the computer\n"


def test_moves_limited_by_time_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "timed.lcr"
    words = ["match", "search:seconds=0.002", "random", "--pairs", "1", "--rounds", "1"]
    assert main([*words, "--all-records", "--records", str(path)]) == 0
    capsys.readouterr()
    data = verify(capsys, path)
    by_agent = {(move["agent"], move["verdict"]) for move in data["moves"]}
    assert by_agent == {("search:seconds=0.002", "not re-runnable"), ("random", "same")}
    data = verify(capsys, path, "--seat", "A", "--round", "1", code=1)
    assert not data["ok"]


def test_results_keep_the_records_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "random", "discarder", "--pairs", "4", "--all-records"]
    saved = tmp_path / "results"
    assert main([*words, "--save", str(saved)]) == 0
    first, *lines = map(json.loads, saved.read_text().splitlines())
    assert first["version"] == agents_version()
    assert [len(line["records"]) for line in lines] == [6, 2]
    assert "%computer agent=random" in lines[0]["records"][0]
    again = tmp_path / "again.lcr"
    assert main([*words, "--save", str(saved), "--records", str(again)]) == 0
    capsys.readouterr()
    assert verify(capsys, again)["ok"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--round", "3"], "expected --round from 1 to 2, got 3"),
        (["--move", "0"], "expected --move from 1 to "),
        (["--move", "9999"], "expected --move from 1 to "),
        (["--seat", "C"], "argument --seat: invalid choice"),
    ],
)
def test_wrong_usage_is_one_line(
    contest_record: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify-bot", str(contest_record), *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_story_that_is_badly_told_is_refused_in_one_line(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contest_record.write_text(contest_record.read_text().replace("agent=search", "agent search", 1))
    assert main(["verify-bot", str(contest_record)]) == 2
    assert "after turn 1: expected parts like 'agent=level:5', each once" in capsys.readouterr().err
    assert main(["replay", str(contest_record)]) == 0


# --- matches in the terminal ----------------------------------------------------------------------


def finished(home: Path) -> Path:
    (path,) = (home / "finished").glob("*.lcr")
    return path


def test_a_match_in_the_terminal_is_made_again(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Left in the middle and gone on with by another process: the lots are the same."""
    told = play(scripted(), against="level:1", starter="me", num_rounds=2)
    play(scripted(f"-{hand_in(told)[0]}/D"), against="level:1")
    text = play(discards_all)
    assert "Going on with your match" in text
    data = verify(capsys, finished(home))
    assert data["ok"]
    assert {move["seat"] for move in data["moves"]} == {"B"}
    assert {move["round"] for move in data["moves"]} == {1, 2}
    assert data["counts"]["same"] == len(data["moves"])
    assert main(["deal", "verify", str(finished(home))]) == 0


def test_a_record_of_a_running_match_names_the_agent_and_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "running.lcr"
    play(scripted(), starter="computer", record=path, against="level:1")
    (record,) = parse_records(path.read_text())
    assert origins_in(record) == {0: Author("level:1", agents_version())}
    data = verify(capsys, path, code=1)
    assert data["counts"]["not re-runnable"] == 1


def test_a_stand_in_is_flagged_in_the_record_and_made_again(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = Entry(lambda _: FailingAgent("raises"), "fails")
    monkeypatch.setitem(registry.AGENTS, "failing", entry)
    play(discards_all, against="failing", num_rounds=1)
    (record,) = parse_records(finished(home).read_text())
    for origin in origins_in(record).values():
        assert isinstance(origin, Provenance)
        assert (origin.author.agent, origin.author.stands_in_for) == ("discarder", "failing")
    data = verify(capsys, finished(home))
    assert data["ok"]
    assert {move["stands_in_for"] for move in data["moves"]} == {"failing"}
    assert main(["replay", str(finished(home)), "--computer"]) == 0
    assert "by discarder, in place of failing, which failed" in capsys.readouterr().out


# --- shown on request -----------------------------------------------------------------------------


def test_replay_says_where_moves_come_from_on_request(
    contest_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(contest_record)]) == 0
    assert "search:playouts=8, 8 playouts" not in capsys.readouterr().out
    assert main(["replay", str(contest_record), "--computer"]) == 0
    out = capsys.readouterr().out
    assert re.search(
        r"(?m)^ +1 A \S+ .*  by search:playouts=8, 8 playouts, version \S+, seed [0-9a-f]{16}$", out
    )
    assert main(["replay", str(contest_record), "--computer", "--json"]) == 0
    (first, _) = json.loads(capsys.readouterr().out)["rounds"]
    assert first["computer"][0]["turn"] == 1
    assert first["computer"][0]["agent"] == "search:playouts=8"
    assert len(first["computer"]) == first["turns"]


def test_replay_shows_a_limit_of_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "timed.lcr"
    words = ["match", "exec:/no/such/bot", "random", "--pairs", "1", "--rounds", "1"]
    assert main([*words, "--records", str(path)]) == 0
    text = path.read_text().replace("agent=discarder", "agent=exec:x seconds=0.5", 1)
    path.write_text(re.sub(r" version=\S+ for=\S+", "", text, count=1))
    capsys.readouterr()
    assert main(["replay", str(path), "--computer"]) == 0
    assert "by exec:x, 0.5 s, seed " in capsys.readouterr().out
