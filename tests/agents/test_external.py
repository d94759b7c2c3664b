"""Programs as agents: good ones, and every way in which a program can be bad."""

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from lostcities.agents.base import Agent, AgentFault, Limit
from lostcities.agents.external import ExternalAgent
from lostcities.agents.registry import make_agent
from lostcities.agents.simple import Discarder
from lostcities.arena.duplicate import deal_number
from lostcities.arena.rounds import MAX_FAULTS, RoundReport, play_round
from lostcities.rules import CLASSIC, LONG, ONLINE_STALL_LIMIT, Position, Variant

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "simple_bot.py"
READ = "import sys, json, time\nfor line in sys.stdin:\n    m = json.loads(line)\n"


@pytest.fixture(autouse=True)
def short_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give bots two seconds to load in place of thirty."""
    monkeypatch.setattr("lostcities.agents.external._START_SECONDS", 2.0)


def bot(tmp_path: Path, program: str) -> ExternalAgent:
    path = tmp_path / "bot.py"
    path.write_text(program)
    return ExternalAgent(shlex.join([sys.executable, str(path)]))


def play(
    agent: Agent, *, seconds: float = 5.0, variant: Variant = CLASSIC, is_tolerant: bool = True
) -> RoundReport:
    guarded = replace(variant, stall_limit=ONLINE_STALL_LIMIT)
    return play_round(
        Position.deal(deal_number(1, 0, guarded), variant=guarded),
        (agent, Discarder()),
        lots="external",
        limits=(Limit(seconds=seconds), Limit()),
        is_tolerant=is_tolerant,
    )


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_the_example_bot_plays_a_round_without_a_fault(variant: Variant) -> None:
    report = play(ExternalAgent(shlex.join([sys.executable, str(EXAMPLE)])), variant=variant)
    assert report.faults == ()


def test_our_engine_behind_the_protocol_plays_as_it_does_at_home() -> None:
    command = shlex.join([sys.executable, "-m", "lostcities", "engine", "--agent", "heuristic"])
    away, home = play(ExternalAgent(command)), play(make_agent("heuristic"))
    assert away.faults == ()
    assert away.turns == home.turns


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("raise SystemExit(3)", "the bot ended with exit code 3"),
        ("import os; os.abort()", "the bot ended with exit code -6"),
        (READ + "    print('hello', flush=True)", "expected an answer in JSON, got 'hello'"),
        (READ + "    print('[' * 60000, flush=True)", "expected an answer"),
        (READ + "    print('[]', flush=True)", "expected an answer like"),
        (READ + "    print('{\"id\": 1}', flush=True)", "expected an answer like"),
        (READ + '    print(\'{"id": 99, "turn": "R4/D"}\', flush=True)', "to question 1"),
        (READ + '    print(\'{"id": 1, "turn": "R1/D"}\', flush=True)', "expected a turn like"),
        (READ + '    print(\'{"id": 1, "turn": "Y7/P"}\', flush=True)', "expected a legal turn"),
        (READ + "    print('\\x00\\xff' * 10, flush=True)", "expected an answer in JSON"),
        (READ + "    print('x' * 10**7, flush=True)", "expected an answer in JSON"),
        ("while True: print('x')", "expected an answer in JSON"),
        ("import os, time; os.close(1); time.sleep(60)", "the bot closed its output"),
        (
            "import os, time; os.close(0); time.sleep(60)",
            "expected an answer within|closed its input",
        ),
    ],
)
def test_a_bad_bot_is_reported_and_the_round_goes_on(
    tmp_path: Path, program: str, problem: str
) -> None:
    report = play(bot(tmp_path, program), seconds=0.3)
    assert [fault.turn for fault in report.faults] == [1, 3, 5][:MAX_FAULTS]
    assert any(part in report.faults[0].problem for part in problem.split("|"))
    assert "\n" not in report.faults[0].problem
    assert report.num_turns == 44


def test_a_slow_bot_costs_a_few_limits_and_no_more(tmp_path: Path) -> None:
    start = time.monotonic()
    report = play(bot(tmp_path, READ + "    time.sleep(600)"), seconds=0.1)
    assert len(report.faults) == MAX_FAULTS
    assert "expected an answer within" in report.faults[0].problem
    assert time.monotonic() - start < 10


def test_a_program_that_is_not_there_is_named() -> None:
    report = play(ExternalAgent("/no/such/program --x"))
    assert "cannot start '/no/such/program --x'" in report.faults[0].problem


def test_a_command_with_an_open_quote_is_refused() -> None:
    report = play(ExternalAgent("program 'open"))
    assert "cannot start" in report.faults[0].problem


def test_without_tolerance_the_fault_is_raised(tmp_path: Path) -> None:
    with pytest.raises(AgentFault, match="exit code 3"):
        play(bot(tmp_path, "raise SystemExit(3)"), is_tolerant=False)


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    pid_file = tmp_path / "pids"
    program = (
        "import os, subprocess, sys\n"
        f"child = subprocess.Popen(['sleep', '600'])\n"
        f"open({str(pid_file)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}} ')\n" + READ
    )
    play(bot(tmp_path, program + "    time.sleep(600)"), seconds=0.1)
    for pid in pid_file.read_text().split():
        stat = Path(f"/proc/{pid}/stat")
        assert not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_the_bot_is_told_what_the_protocol_promises(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = (
        READ + f"    open({str(log)!r}, 'a').write(line)\n"
        "    if m['type'] == 'choose':\n"
        "        print(json.dumps({'id': m['id'], 'turn': m['legal'][-1], 'value': 1.5}),"
        " flush=True)\n"
    )
    report = play(bot(tmp_path, program))
    assert report.faults == ()
    import json  # noqa: PLC0415 # only here

    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert messages[0].keys() == {"type", "seat", "colors", "rounds", "seed"}
    assert messages[-1] == {"type": "end", "scores": list(report.scores)}
    choices = messages[1:-1]
    assert [message["id"] for message in choices] == list(range(1, len(choices) + 1))
    assert choices[0]["last"] == ""
    for message in choices:
        hands = message["observation"].split()[3:5]
        assert hands[1].startswith("?")
        assert not hands[0].startswith("?")
        assert ":" not in message["observation"].split()[5]
    # A card that the other side drew from the deck is never told.
    assert all("/D=" not in message["last"] for message in choices)
