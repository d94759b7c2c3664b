"""H-12: whatever the computer's agent does, the human gets a turn, and is told who made it."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from lostcities.notation import parse_records
from lostcities.play.provenance import Provenance, origins_in
from lostcities.server.settings import Settings
from server.serving import Browser, Json, Running, first_turn, make_turn, running, settings_for

BOTS = {
    "ends": "import sys; sys.exit(3)",
    "sleeps": "import time; time.sleep(600)",
    "rubbish": "print('hello', flush=True); import time; time.sleep(600)",
    "illegal": """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        print(json.dumps({"id": message["id"], "turn": "-R7/R"}), flush=True)
""",
    "kills": "import os; os.kill(os.getppid(), 9)",
}
GOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        print(json.dumps({"id": message["id"], "turn": message["legal"][-1]}), flush=True)
"""

HEARS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        with open(__file__ + ".heard", "a") as notes:
            print(message["last"], file=notes)
        print(json.dumps({"id": message["id"], "turn": message["legal"][-1]}), flush=True)
"""


def bot(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text)
    return f"exec:{sys.executable} {path}"


async def sit_down(server: Running, spec: str, **wish: object) -> tuple[Browser, str]:
    browser = Browser(server.url)
    table = await browser.open_table(
        {"kind": "computer", "agent": spec}, **{"starter": "other", **wish}
    )
    await browser.post(f"/api/tables/{table['table_id']}/ready", {"entropy": "5a" * 16})
    return browser, table["table_id"]


async def wait_for_turn(browser: Browser, table_id: str, seconds: float = 30.0) -> Json:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        shown = await browser.snapshot(table_id)
        if shown["to_move"] != "B":
            return shown
        await asyncio.sleep(0.02)
    raise AssertionError("the computer made no turn")


def test_a_match_against_the_computer_can_be_made_again_from_its_record(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, agents=("Rules=heuristic",))
        async with running(settings) as server:
            browser, table_id = await sit_down(server, "heuristic", preset="quick")
            async with browser:
                shown = await wait_for_turn(browser, table_id)
                assert shown["opponent"] == {
                    "kind": "computer",
                    "agent": "heuristic",
                    "agent_name": "Rules",
                }
                assert shown["last"]["agent"] == "heuristic"
                assert not shown["last"]["flagged"]
                while shown["status"] == "playing":
                    assert (await make_turn(browser, table_id)).status_code == 200
                    shown = await wait_for_turn(browser, table_id)
                    if shown["status"] == "playing":
                        assert (
                            " seed="
                            not in (await browser.get(f"/api/tables/{table_id}/record")).text
                        )
                record = (await browser.get(f"/api/tables/{table_id}/record")).text
                (tmp_path / "match.lcr").write_text(record)
                origins = origins_in(parse_records(record)[0])
                assert len(origins) > 10
                assert all(isinstance(origin, Provenance) for origin in origins.values())
                await browser.post(f"/api/tables/{table_id}/rematch")
                next_id = (await browser.snapshot(table_id))["rematch"]["table_id"]
                await browser.post(f"/api/tables/{next_id}/ready")
                assert (await wait_for_turn(browser, next_id))["starter"] == "A"
        done = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lostcities", "verify-bot", str(tmp_path / "match.lcr")
        )
        assert await done.wait() == 0

    asyncio.run(play())


@pytest.mark.parametrize("fault", BOTS)
def test_a_bot_that_fails_is_replaced_for_the_turn_and_flagged(tmp_path: Path, fault: str) -> None:
    async def play() -> None:
        spec = bot(tmp_path, BOTS[fault])
        settings = settings_for(tmp_path, agents=(f"Zed={spec}",), bot_seconds=0.5)
        async with running(settings) as server:
            browser, table_id = await sit_down(server, spec)
            async with browser:
                for _ in range(2):
                    shown = await wait_for_turn(browser, table_id)
                    assert shown["last"]["flagged"]
                    assert shown["last"]["agent"] == "heuristic"
                    assert (await make_turn(browser, table_id)).status_code == 200
                assert (await browser.post(f"/api/tables/{table_id}/resign")).status_code == 200
            faults = server.house.metrics.bot_faults.labels("BotFault")._value.get()
            assert faults >= 2

    asyncio.run(play())


def test_a_program_of_somebody_else_plays(tmp_path: Path) -> None:
    async def play() -> None:
        spec = bot(tmp_path, GOOD)
        async with running(settings_for(tmp_path, agents=(f"Zed={spec}",))) as server:
            async with Browser(server.url) as anybody:
                agents = (await anybody.get("/api/agents")).json()
            assert agents[-1]["name"] == "Zed"
            assert [agent["level"] for agent in agents[:6]] == [1, 2, 3, 4, 5, 6]
            browser, table_id = await sit_down(server, spec)
            async with browser:
                for _ in range(3):
                    shown = await wait_for_turn(browser, table_id)
                    assert not shown["last"]["flagged"]
                    assert shown["last"]["agent"] == spec
                    await make_turn(browser, table_id)

    asyncio.run(play())


def test_a_program_hears_each_turn_of_the_other_side_once(tmp_path: Path) -> None:
    async def play() -> None:
        spec = bot(tmp_path, HEARS)
        async with running(settings_for(tmp_path, agents=(f"Zed={spec}",))) as server:
            browser, table_id = await sit_down(server, spec)
            async with browser:
                told = [""]
                for _ in range(3):
                    told.append(first_turn(await wait_for_turn(browser, table_id)))
                    assert (await make_turn(browser, table_id)).status_code == 200
                await wait_for_turn(browser, table_id)
        heard = (tmp_path / "bot.py.heard").read_text().split("\n")
        assert [line.partition("=")[0] for line in heard[:-1]] == told

    asyncio.run(play())


def test_the_computer_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, agents=("heuristic",), bot_delay=60.0)
        async with running(settings) as server:
            browser, table_id = await sit_down(server, "heuristic")
            assert (await browser.snapshot(table_id))["to_move"] == "B"
            await browser.http.aclose()
        async with running(settings_for(tmp_path, agents=("heuristic",))) as server:
            again = Browser(server.url)
            again.http.cookies = browser.http.cookies
            async with again:
                assert (await wait_for_turn(again, table_id))["last"]["seat"] == "B"

    asyncio.run(play())


def test_the_computers_turn_comes_after_a_whole_number_of_delays(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, agents=("heuristic", "random"), bot_delay=0.4)
        async with running(settings) as server:
            browser, table_id = await sit_down(server, "heuristic", starter="you")
            async with browser, browser.socket(table_id) as line:
                await line.until_snapshot(lambda shown: shown["legal"])
                waits = []
                for _ in range(4):
                    await line.take_turn(
                        next(turn for turn in line.snapshot["legal"] if turn[-1] == "D")
                    )
                    start = time.monotonic()
                    await line.until_snapshot(lambda shown: shown["to_move"] == "A")
                    waits.append(time.monotonic() - start)
                assert min(waits) > 0.35
                assert 0.35 < min(waits[1:]) < 0.7  # the first starts the process

    asyncio.run(play())


def test_a_program_that_hangs_delays_no_level(tmp_path: Path) -> None:
    """Three tables wait for it, for a minute each; the table beside them is played on."""

    async def play() -> None:
        spec = bot(tmp_path, BOTS["sleeps"])
        settings = settings_for(tmp_path, agents=(f"Zed={spec}",), bot_seconds=60.0)
        async with running(settings) as server:
            stuck = [await sit_down(server, spec) for _ in range(3)]
            browser, table_id = await sit_down(server, "level:2", rounds=1)
            async with browser:
                for seconds in (15.0, 4.0, 4.0):  # the first starts a process
                    shown = await wait_for_turn(browser, table_id, seconds)
                    assert not shown["last"]["flagged"]
                    assert (await make_turn(browser, table_id)).status_code == 200
            for other, table_id in stuck:
                assert (await other.snapshot(table_id))["to_move"] == "B"
                await other.http.aclose()

    asyncio.run(play())


def test_waiting_for_a_process_counts(tmp_path: Path) -> None:
    """Tables wait beside each other for the one process of a program, and not one after the other."""

    async def play() -> None:
        spec = bot(tmp_path, BOTS["sleeps"])
        settings = settings_for(tmp_path, agents=(f"Zed={spec}",), bot_seconds=1.5)
        async with running(settings) as server:
            tables = [await sit_down(server, spec) for _ in range(6)]
            start = time.monotonic()
            shown = await asyncio.gather(*(wait_for_turn(*table) for table in tables))
            assert time.monotonic() - start < 10.0
            assert all(one["last"]["flagged"] for one in shown)
            for browser, _ in tables:
                await browser.http.aclose()

    asyncio.run(play())


def test_a_process_that_dies_is_replaced_before_it_is_asked_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path, bot_processes=1)) as server:
            browser, table_id = await sit_down(server, "level:1")
            async with browser:
                assert not (await wait_for_turn(browser, table_id))["last"]["flagged"]
                (worker,) = server.house.bots.workers
                os.kill(worker.pid, 9)
                await make_turn(browser, table_id)
                assert (await wait_for_turn(browser, table_id))["last"]["flagged"]
                async with asyncio.timeout(20):
                    while worker in server.house.bots.workers or not server.house.bots.workers:
                        await asyncio.sleep(0.02)
                await make_turn(browser, table_id)
                assert not (await wait_for_turn(browser, table_id))["last"]["flagged"]

    asyncio.run(play())


def test_there_are_two_processes_where_there_are_two_cores() -> None:
    assert Settings().bot_processes == min(2, len(os.sched_getaffinity(0)))


def test_the_processes_of_agents_end_with_the_server(tmp_path: Path) -> None:
    async def play() -> None:
        spec = bot(tmp_path, GOOD)
        async with running(settings_for(tmp_path, agents=(f"Zed={spec}",))) as server:
            browser, table_id = await sit_down(server, spec)
            async with browser:
                await wait_for_turn(browser, table_id)
                pids = [worker.pid for worker in server.house.bots.workers]
                assert len(pids) == 1
                assert os.getpriority(os.PRIO_PROCESS, pids[0]) == min(os.nice(0) + 10, 19)
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)

    asyncio.run(play())


def test_no_counter_tells_how_long_the_computer_has_thought(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, agents=("Rules=heuristic",), bot_delay=0.25)
        async with running(settings) as server:
            browser, table_id = await sit_down(server, "heuristic")
            async with browser:
                await wait_for_turn(browser, table_id)
                counters = dict(
                    line.rsplit(" ", 1)
                    for line in (await browser.get("/metrics")).text.splitlines()
                    if not line.startswith("#")
                )
                assert float(counters["lostcities_bot_seconds_count"]) == 1
                assert float(counters["lostcities_bot_seconds_sum"]) % 0.25 == 0

    asyncio.run(play())
