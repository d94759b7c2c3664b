import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lostcities.cli import main

KEYS = {
    "pairs", "mean_margin", "se", "win_rate", "match_win_rate", "stalled", "turns", "a", "b",
}  # fmt: skip


def contest(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["match", *words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert isinstance(data, dict)
    return data


def test_the_json_has_what_programs_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    data = contest(capsys, "heuristic", "random", "--pairs", "6")
    assert data.keys() >= KEYS
    for side in "ab":
        assert data[side].keys() >= {"agent", "mean_score", "seconds_per_decision"}  # type: ignore[attr-defined]
    assert data["pairs"] == 6
    assert data["mean_margin"] > 100  # type: ignore[operator]
    assert data["win_rate"] == 1.0


def test_the_same_command_gives_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    def figures() -> dict[str, object]:
        data = contest(capsys, "random", "heuristic", "--pairs", "4", "--colors", "6")
        return {key: value for key, value in data.items() if key not in "ab"}

    assert figures() == figures()


def test_the_text_says_who_won_by_how_much(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "heuristic", "discarder", "--pairs", "6"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"6 pairs: margin \+\d+\.\d+ \+- \d+\.\d+ points a round", out)


def test_a_test_ends_when_it_is_clear(capsys: pytest.CaptureFixture[str]) -> None:
    data = contest(capsys, "heuristic", "random", "--pairs", "600", "--sprt", "0,10")
    assert data["sprt"]["verdict"] == "high"  # type: ignore[index]
    assert data["pairs"] < 60  # type: ignore[operator]


def test_a_test_that_is_done_is_not_played_further(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["heuristic", "random", "--pairs", "600", "--sprt", "0,10"]
    path = tmp_path / "results"
    first = contest(capsys, *words, "--save", str(path))
    saved = path.read_bytes()
    again = contest(capsys, *words, "--save", str(path))
    assert _without_times(again) == _without_times(first)
    assert path.read_bytes() == saved


def test_the_verdict_is_that_of_the_sample_it_rests_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, path = ["heuristic", "random", "--save", str(tmp_path / "results")], tmp_path / "results"
    contest(capsys, *words, "--pairs", "90")
    whole = path.read_text().splitlines(keepends=True)
    test = [*words, "--pairs", "90", "--sprt", "0,10"]
    first = contest(capsys, *test)
    assert first["sprt"]["pairs"] == first["pairs"] == 30  # type: ignore[index]
    # Played by several, the matches are done in any order, and some beyond the sample.
    path.write_text("".join([whole[0], *reversed(whole[1:])]))
    assert contest(capsys, *test) == first
    # Nothing is known of what stands behind a gap until the gap is closed.
    path.write_text("".join([whole[0], *whole[2:]]))
    assert _without_times(contest(capsys, *test)) == _without_times(first)


def _without_times(data: dict[str, object]) -> dict[str, object]:
    sides = {
        side: {key: value for key, value in data[side].items() if key != "seconds_per_decision"}  # type: ignore[attr-defined]
        for side in "ab"
    }
    return {**data, **sides}


def test_an_interrupted_contest_goes_on_to_the_same_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["heuristic", "random", "--pairs", "60", "--save", str(tmp_path / "results")]
    process = subprocess.Popen(
        [sys.executable, "-m", "lostcities", "match", *words], stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        path = tmp_path / "results"
        if path.exists() and path.read_bytes().count(b"\n") > 4:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    resumed = contest(capsys, *words)
    whole = contest(capsys, *words[:4])
    assert _without_times(resumed) == _without_times(whole)


def test_a_contest_ended_by_ctrl_c_tells_what_it_has_and_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results"
    words = ["heuristic", "random", "--pairs", "45", "--save", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "lostcities", "match", *words, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < 4:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    told = json.loads(out)
    assert 9 <= told["pairs"] < 45
    assert err.decode() == (
        f"interrupted after {told['pairs']} of 45 pairs; the same command goes on from {path}\n"
    )
    assert path.read_bytes().endswith(b"\n")
    resumed, whole = contest(capsys, *words), contest(capsys, *words[:4])
    assert _without_times(resumed) == _without_times(whole)


def test_processes_play_what_one_process_plays(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["heuristic", "random", "--pairs", "9", "--luck"]
    one = contest(capsys, *words)
    assert _without_times(contest(capsys, *words, "--processes", "2")) == _without_times(one)


def test_processes_stop_a_test_where_one_process_stops_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["heuristic", "random", "--pairs", "90", "--sprt", "0,10"]
    one = contest(capsys, *words)
    assert _without_times(contest(capsys, *words, "--processes", "2")) == _without_times(one)


def test_the_luck_of_the_draws_is_measured_if_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["heuristic", "discarder", "--pairs", "8"]
    plain, data = contest(capsys, *words), contest(capsys, *words, "--luck")
    luck = {"mean_luck", "luck_share", "adjusted_margin", "adjusted_se"}
    assert data.keys() - plain.keys() == luck
    told = {key: value for key, value in data.items() if key not in luck}
    assert _without_times(told) == _without_times(plain)
    assert 0 < data["luck_share"] < 2  # type: ignore[operator]
    assert 0 < data["adjusted_se"] < data["se"]  # type: ignore[operator]
    assert main(["match", *words, "--luck"]) == 0
    line = f"without the luck of the draws: {data['adjusted_margin']:+.2f} +- "
    assert line in capsys.readouterr().out


def test_bad_bots_are_reported_with_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = tmp_path / "faults.lcr"
    data = contest(capsys, "exec:cat", "heuristic", "--pairs", "3", "--records", str(records))
    assert data["a"]["faults"] == 18  # type: ignore[index]
    assert data["b"]["faults"] == 0  # type: ignore[index]
    assert main(["replay", str(records)]) == 0
    assert "expected an answer like" in records.read_text()


def test_all_records_without_a_place_to_keep_them_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["match", "random", "random", "--pairs", "1", "--all-records"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "expected --records FILE or --save FILE with --all-records" in captured.err


def test_faults_are_shown_although_all_records_are_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "exec:cat", "random", "--pairs", "1", "--all-records"]
    path = tmp_path / "records"
    saving = ["--save", str(tmp_path / "results")]
    assert main([*words, *saving]) == 0
    shown = capsys.readouterr().err
    assert shown.count("[Fault1 ") == 2
    assert main([*words, *saving, "--records", str(path)]) == 0
    assert capsys.readouterr().err == ""
    assert path.read_text().count("[Fault1 ") == 2


def test_rounds_without_faults_are_not_shown_among_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "discarder", "random", "--pairs", "1", "--all-records"]
    assert main([*words, "--save", str(tmp_path / "results")]) == 0
    assert capsys.readouterr().err == ""


def test_records_that_cannot_be_written_are_found_out_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, saved = tmp_path / "no" / "such" / "file", tmp_path / "results"
    words = ["match", "random", "random", "--pairs", "1", "--save", str(saved)]
    assert main([*words, "--records", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"lostcities match: cannot write '{path}': no such file\n"
    assert not saved.exists()
    assert main([*words, "--records", str(saved)]) == 2
    assert "expected two files for --save and --records" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that takes nothing")
def test_the_result_is_told_even_if_the_records_cannot_be_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["match", "random", "random", "--pairs", "1", "--all-records"]
    assert main([*words, "--json", "--records", "/dev/full"]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["pairs"] == 1
    assert captured.err == "lostcities match: cannot write '/dev/full': no space left on device\n"


def test_the_file_of_records_holds_those_of_this_contest_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "records"
    words = ["--pairs", "1", "--records", str(path)]
    contest(capsys, "exec:cat", "random", *words)
    assert path.read_text()
    contest(capsys, "discarder", "random", *words)
    assert path.read_text() == ""


@pytest.mark.parametrize("luck", [[], ["--luck"]])
def test_one_pair_tells_no_error(luck: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    data = contest(capsys, "random", "random", "--pairs", "1", *luck)
    errors = [data[key] for key in ("se", "interval95", "win_rate_se")]
    errors += [data["adjusted_se"]] if luck else []
    assert all(error is None for error in errors)
    assert main(["match", "random", "random", "--pairs", "1", *luck]) == 0
    first = capsys.readouterr().out.splitlines()[1]
    assert first == "1 pairs: margin +80.00 +- unknown points a round (95 %: unknown)"


def test_one_match_tells_no_error_of_matches(capsys: pytest.CaptureFixture[str]) -> None:
    data = contest(capsys, "random", "random", "--pairs", "3")
    assert data["match_win_rate_se"] is None
    assert data["se"] > 0  # type: ignore[operator]


BOT = f"exec:{sys.executable} {Path(__file__).parents[2] / 'docs/examples/simple_bot.py'}"


def test_a_program_plays_against_itself_in_two_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = contest(capsys, BOT, BOT, "--pairs", "1")
    assert data["a"]["faults"] == data["b"]["faults"] == 0  # type: ignore[index]
    assert data["mean_margin"] == 0.0


@pytest.mark.parametrize(
    "words",
    [
        ["heuristic"],
        ["heuristic", "nobody"],
        ["heuristic", "random", "--pairs", "0"],
        ["heuristic", "random", "--pairs", "x"],
        ["heuristic", "random", "--sprt", "5,1"],
        ["heuristic", "random", "--sprt", "5"],
        ["heuristic", "random", "--processes", "-1"],
        ["heuristic", "random", "--seconds", "0"],
        ["heuristic:x=1", "random"],
    ],
)
def test_wrong_usage_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["match", *words])
    except SystemExit as left:
        code = int(str(left.code))
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("number", ["1", "-1"])
def test_a_ladder_of_single_pairs_is_refused(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", "--pairs", number]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("lostcities ladder: expected --pairs of at least 2")


def test_the_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 0
    assert "heuristic" in capsys.readouterr().out
    assert main(["agents", "--json"]) == 0
    names = [entry["name"] for entry in json.loads(capsys.readouterr().out)]
    assert {"heuristic", "search", "exec"} <= set(names)


@pytest.mark.parametrize(
    "line", ["hello", "[]", "{}", '{"type":"dance"}', '{"type":"choose"}', "\x00", "1" * 5000]
)
def test_an_engine_refuses_rubbish_in_one_line(line: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "engine"],
        input=line + "\n",
        capture_output=True,
        encoding="utf-8",
        env=os.environ,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("lostcities engine: expected a message of the bot protocol")
    assert done.stderr.count("\n") == 1
