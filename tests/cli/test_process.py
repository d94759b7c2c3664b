"""The program as a process of its own: exit codes, pipes, kills."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lostcities.cli import COMMANDS

PROGRAM = (sys.executable, "-m", "lostcities")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which matches live in a folder of the test."""
    return {**os.environ, "LOSTCITIES_HOME": str(tmp_path / "home"), "PYTHONIOENCODING": "utf-8"}


def run(
    *words: str, environment: dict[str, str], text: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_its_help(command: str, environment: dict[str, str]) -> None:
    done = run(*filter(None, [command]), "--help", environment=environment)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: lostcities")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["score"],
        ["play", "--terminal", "--colors", "7"],
        ["play", "--terminal", "--rounds", "0"],
        ["play", "--terminal", "--new", "--resume"],
        ["play", "--terminal", "--against", "nobody"],
        ["play", "--terminal", "--resume"],
        ["play", "--colors", "6"],
        ["play", "--terminal", "--plain"],
        ["play", "--terminal", "--port", "8000"],
        ["serve", "--port", "70000"],
        ["serve", "--database", "oracle://x/y"],
        ["serve", "--agent", "nobody"],
        ["replay"],
        ["deal"],
        ["conformance"],
        ["perft"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    words: list[str], environment: dict[str, str]
) -> None:
    done = run(*words, environment=environment)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_match_survives_kill_9_after_any_turn(environment: dict[str, str]) -> None:
    """Killed at its prompts again and again, the match ends as if nothing had been."""
    shown = ""
    num_kills = 0
    for _ in range(60):
        process = subprocess.Popen(
            [*PROGRAM, "play", "--terminal", "--rounds", "1", "--starter", "me"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
        )
        shown, is_over = _play_some_turns(process)
        if is_over:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        num_kills += 1
    assert num_kills >= 5
    assert "Going on with your match" in shown
    # Whoever only discards has 0 points, and wins if the computer ends below that.
    assert re.search("(You win|heuristic wins) the match|The match is drawn", shown)


def _play_some_turns(process: subprocess.Popen[str], num_prompts: int = 9) -> tuple[str, bool]:
    """Discard and draw from the deck; return what was shown, and whether the match is over."""
    assert process.stdin is not None
    assert process.stdout is not None
    shown: list[str] = []
    hand: list[str] = []
    for line in process.stdout:
        shown.append(line)
        match line.strip().split("  ")[0]:
            case "hand":
                hand = re.findall("[YBWGRP][x2-9T]", line)
            case "card?" | "draw?" if num_prompts == 0:
                return "".join(shown), False
            case "card?":
                num_prompts -= 1
                print(f"-{hand[0]}", file=process.stdin, flush=True)
            case "draw?":
                num_prompts -= 1
                print("D", file=process.stdin, flush=True)
            case "rematch or quit?":
                process.stdin.close()
    process.wait(timeout=30)
    process.stdout.close()
    return "".join(shown), True


def test_rubbish_on_standard_input_is_answered_and_nothing_breaks(
    environment: dict[str, str],
) -> None:
    rubbish = os.urandom(2000).replace(b"\n", b"") + b"\n\xff\xfe\n" + b"R7/" * 40_000 + b"\n"
    done = subprocess.run(
        [*PROGRAM, "play", "--plain"],
        input=rubbish,
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"expected a" in done.stdout
    assert b"The match is saved" in done.stdout


def test_output_that_knows_only_ascii_gets_other_symbols(environment: dict[str, str]) -> None:
    done = run(
        "play",
        "--terminal",
        environment={**environment, "PYTHONIOENCODING": "ascii"},
        text="table\n",
    )
    assert done.returncode == 0
    assert "Yo yellow" in done.stdout
    assert done.stdout.isascii()


def test_a_reader_that_goes_away_is_no_error(environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m lostcities play --help | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["/bin/bash", "-c", command], capture_output=True, env=environment, timeout=60, check=False
    )
    assert done.stderr == b""


def test_two_terminals_play_two_matches(environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = subprocess.Popen(
        [*PROGRAM, "play", "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )
    assert first.stdout is not None
    for line in first.stdout:
        if line.strip() == "card?":
            break
    second = run("play", "--plain", environment=environment)
    assert "is being played in another terminal" in second.stdout.replace("\n", " ")
    assert second.returncode == 0
    first.communicate(timeout=30)
    assert len(list((tmp_path / "home" / "unfinished").iterdir())) == 2


@pytest.mark.parametrize("words", [["score", "R5"], ["deal", "new"], ["play", "--plain"]])
def test_output_that_cannot_be_written_is_one_line(
    words: list[str], environment: dict[str, str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["score R5", "play --plain", "replay -", "score -"])
def test_closed_streams_are_no_traceback(
    words: str, closed: str, environment: dict[str, str]
) -> None:
    done = subprocess.run(
        ["/bin/bash", "-c", f"{sys.executable} -m lostcities {words} {closed}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr + done.stdout


def test_help_into_a_closed_pipe_is_no_error(environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m lostcities --help | true"
    done = subprocess.run(
        ["/bin/bash", "-c", command], capture_output=True, env=environment, timeout=60, check=False
    )
    assert done.stderr == b""


def test_a_sheet_that_is_no_text_is_refused(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*PROGRAM, "score", "-"],
        input=b"R5 \xff",
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert b"expected UTF-8 text, got byte 0xff at offset 3" in done.stderr


def test_an_endless_file_is_not_read_for_ever(environment: dict[str, str]) -> None:
    done = run("replay", "/dev/zero", environment=environment)
    assert done.returncode == 2
    assert "expected at most 64 MB" in done.stderr


def test_an_option_that_is_not_there_is_named(environment: dict[str, str]) -> None:
    done = run("score", "R5", "--foo", environment=environment)
    assert done.returncode == 2
    assert "--foo" in done.stderr


def test_nothing_in_a_file_can_command_the_terminal(
    environment: dict[str, str], tmp_path: Path
) -> None:
    record = tmp_path / "x.lcr"
    record.write_text('[Colors "5"]\n[Starter "A"]\n[A "\x1b]0;pwn\x07"]\n')
    assert "\x1b" not in run("replay", str(record), environment=environment).stderr
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": "\\u001b[31mX", "kind": "nonsense"}\n')
    done = run("conformance", str(cases), environment=environment)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
