"""Opening, joining, playing and reading tables over HTTP."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from lostcities.server import routes
from lostcities.server.logs import set_up_logs
from server.serving import Browser, finish_round, friends, make_turn, running, seated, settings_for


def test_a_match_of_two_friends_from_the_invite_to_the_proof(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path), preset="quick") as (_, ann, ben, table_id):
            shown = await finish_round({"A": ann, "B": ben}, table_id)
            assert shown["status"] == "match_over"
            assert shown["result"]["totals"] == {"A": 0, "B": 0}
            proof = (await ben.get(f"/api/tables/{table_id}/verify")).json()
            assert proof["commitment"] == shown["commitment"]
            assert proof["entropy"] == {"A": "ab" * 16, "B": "ab" * 16}
            assert len(proof["rounds"][0]["deal"]) == 60
            assert proof["checks"]
            assert all(check["ok"] for check in proof["checks"])
            record = (await ben.get(f"/api/tables/{table_id}/record")).text
            assert proof["secret"] in record
            replay = (await ben.get(f"/api/tables/{table_id}/replay")).json()
            assert replay["complete"]
            assert len(replay["steps"]) == 45
            assert all(step["hands"]["A"] for step in replay["steps"])

    asyncio.run(play())


def test_the_invite_is_taken_by_joining_and_not_by_looking(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            Browser(server.url) as ann,
            Browser(server.url) as ben,
        ):
            table = await ann.open_table()
            table_id, code = table["table_id"], table["invite"]["code"]
            assert table["invite"]["url"] == f"{server.url}/join/{code}"
            for _ in range(3):
                looked = (await ben.get(f"/api/invites/{code.lower()}")).json()
                assert looked == {
                    "table_id": table_id,
                    "host": "Ann",
                    "variant": looked["variant"],
                    "free": True,
                    "first_starter": None,
                }
            await ben.get(f"/join/{code}")
            assert (await ann.snapshot(table_id))["status"] == "waiting"
            assert (await ann.snapshot(table_id))["invite"]["code"] == code
            assert (await ben.snapshot(table_id))["invite"] is None
            wrong = await ben.post(f"/api/tables/{table_id}/join", {"code": "x", "name": "Ben"})
            assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_code")
            own = await ann.join(table)
            assert (own.status_code, own.json()["code"]) == (409, "own_table")
            joined = (await ben.join(table)).json()
            assert (joined["table_id"], joined["seat"]) == (table_id, "B")
            assert (await ann.snapshot(table_id))["names"] == {"A": "Ann", "B": "Ben"}
            assert not (await ann.get(f"/api/invites/{code}")).json()["free"]

    asyncio.run(play())


def test_of_many_that_join_at_once_exactly_one_gets_the_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            table = await ann.open_table()
            guests = [Browser(server.url) for _ in range(12)]
            answers = await asyncio.gather(
                *(guest.join(table, f"Guest {number}") for number, guest in enumerate(guests))
            )
            codes = sorted(answer.status_code for answer in answers)
            assert codes == [200] + [409] * 11
            assert {a.json()["code"] for a in answers if a.status_code == 409} == {"seat_taken"}
            (winner,) = (
                number for number, answer in enumerate(answers) if answer.status_code == 200
            )
            names = (await ann.snapshot(table["table_id"]))["names"]
            assert names == {"A": "Ann", "B": f"Guest {winner}"}
            for number, guest in enumerate(guests):
                assert (await guest.snapshot(table["table_id"]))["viewer"] == (
                    "B" if number == winner else None
                )
                await guest.http.aclose()

    asyncio.run(play())


def test_the_host_may_be_ready_before_anybody_has_joined(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            Browser(server.url) as ann,
            Browser(server.url) as ben,
        ):
            table = await ann.open_table()
            path = f"/api/tables/{table['table_id']}"
            commitment = (await ann.snapshot(table["table_id"]))["commitment"]
            assert (await ann.post(f"{path}/ready", {"entropy": "01" * 16})).status_code == 200
            again = await ann.post(f"{path}/ready", {"entropy": "02" * 16})
            assert (again.status_code, again.json()["code"]) == (422, "already_ready")
            early = await ann.post(f"{path}/resign")
            assert (early.status_code, early.json()["code"]) == (422, "not_joined")
            assert (await ann.snapshot(table["table_id"]))["ready"] == {"A": True, "B": False}
            await ben.join(table)
            shown = await ben.snapshot(table["table_id"])
            assert (shown["status"], shown["ready"]) == ("waiting", {"A": True, "B": False})
            assert shown["commitment"] == commitment
            assert shown["entropy"]["A"] == "01" * 16
            await ben.post(f"{path}/ready", {"entropy": "03" * 16})
            assert (await ann.snapshot(table["table_id"]))["status"] == "playing"

    asyncio.run(play())


def test_one_browser_holds_both_seats_of_a_local_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as both:
            table = await both.open_table({"kind": "local", "name": "Ben"}, starter="other")
            table_id = table["table_id"]
            assert table["seats"] == ["A", "B"]
            await both.post(f"/api/tables/{table_id}/ready", {"seat": "A", "entropy": "aa"})
            a, b = [await both.snapshot(table_id, seat=seat) for seat in "AB"]
            assert (a["status"], a["to_move"], b["viewer"]) == ("playing", "B", "B")
            assert a["hand"] != b["hand"]
            assert (a["legal"], bool(b["legal"])) == (None, True)
            wrong = await make_turn_as(both, table_id, "A", b)
            assert wrong == (422, "not_your_turn")
            assert await make_turn_as(both, table_id, "B", b) == (200, None)

    asyncio.run(play())


def test_whoever_holds_both_seats_may_ask_for_what_both_may_know(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            Browser(server.url) as both,
            Browser(server.url) as watcher,
        ):
            table = await both.open_table({"kind": "local", "name": "Ben"}, starter="other")
            path = f"/api/tables/{table['table_id']}"
            await both.post(f"{path}/ready", {"seat": "A", "entropy": "aa"})
            shown = await both.snapshot(table["table_id"], seat="B")
            assert await make_turn_as(both, table["table_id"], "B", shown) == (200, None)
            for what in ("", "/events", "/replay", "/record"):
                open_view = await both.get(f"{path}{what}", seat="none")
                assert open_view.status_code == 200
                assert open_view.content == (await watcher.get(f"{path}{what}")).content
                own = [(await both.get(f"{path}{what}", seat=seat)).content for seat in "AB"]
                assert own[1] not in (own[0], open_view.content)
            steps = (await both.get(f"{path}/replay", seat="none")).json()["steps"]
            assert all(step["hands"] == {"A": None, "B": None} for step in steps)
            assert (await watcher.get(path, seat="none")).status_code == 200
            assert (await watcher.get(path, seat="A")).status_code == 403
            async with both.socket(table["table_id"], seat="none") as line:
                told = await line.until_snapshot(lambda _: True)
                assert (told["viewer"], told["hand"], told["legal"]) == (None, None, None)
            await both.post(f"{path}/resign", {"seat": "A"})
            ended = (await both.get(f"{path}/replay", seat="none")).json()
            assert ended["complete"]
            assert all(step["hands"]["A"] and step["hands"]["B"] for step in ended["steps"])

    asyncio.run(play())


async def make_turn_as(
    browser: Browser, table_id: str, seat: str, shown: dict[str, object]
) -> tuple[int, str | None]:
    legal = shown["legal"]
    assert isinstance(legal, list)
    version = (await browser.snapshot(table_id, seat=seat))["version"]
    answer = await browser.post(
        f"/api/tables/{table_id}/moves",
        {"seat": seat, "version": version, "id": f"turn-{seat}-{version}", "turn": legal[-1]},
    )
    return answer.status_code, answer.json().get("code")


def test_a_seat_comes_back_by_its_recovery_link(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            hand = (await ann.snapshot(table_id))["hand"]
            link = (await ann.post(f"/api/tables/{table_id}/recovery")).json()["url"]
            token = link.partition("#")[2]
            ann.http.cookies.clear()
            assert (await ann.snapshot(table_id))["viewer"] is None
            answer = await ann.post("/api/recover", {"token": token})
            assert answer.json() == {"table_id": table_id, "seat": "A"}
            assert (await ann.snapshot(table_id))["hand"] == hand
            cookie = next(iter(ben.http.cookies.jar)).value
            for wrong in ("nobody", cookie):
                answer = await ann.post("/api/recover", {"token": wrong})
                assert (answer.status_code, answer.json()["code"]) == (404, "no_such_link")

    asyncio.run(play())


def test_a_new_recovery_link_ends_the_earlier_one(database: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path, database=database)) as server,
            friends(server, name="Ann") as (ann, ben, table_id),
            Browser(server.url) as stranger,
        ):
            path = f"/api/tables/{table_id}/recovery"

            async def new_link(browser: Browser) -> str:
                url: str = (await browser.post(path)).json()["url"]
                return url.partition("#")[2]

            async def led_to(token: str) -> str | None:
                answer = await stranger.post("/api/recover", {"token": token})
                seat: str | None = answer.json().get("seat")
                assert answer.status_code == (200 if seat else 404)
                return seat

            other_seat, first = await new_link(ben), await new_link(ann)
            assert await led_to(first) == "A"
            assert await led_to(first) == "A"  # it can be used again
            second = await new_link(ann)
            assert [await led_to(token) for token in (first, second)] == [None, "A"]
            assert await led_to(other_seat) == "B"
            at_once = await asyncio.gather(*(new_link(ann) for _ in range(5)))
            assert await led_to(second) is None
            assert [await led_to(token) for token in at_once].count("A") == 1
            assert (await ann.snapshot(table_id))["viewer"] == "A"  # its cookie still counts

    asyncio.run(play())


def test_the_first_recovery_link_ends_as_well(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            table = await ann.open_table()
            first = table["recovery"][0]["url"].partition("#")[2]
            await ann.post(f"/api/tables/{table['table_id']}/recovery")
            answer = await ann.post("/api/recover", {"token": first})
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_link")

    asyncio.run(play())


def test_several_games_in_one_browser(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            ids = [(await ann.open_table(name=f"Ann {i}"))["table_id"] for i in range(3)]
            listed = (await ann.get("/api/tables")).json()
            assert {table["table_id"] for table in listed} == set(ids)
            assert all(table["seats"] == ["A"] for table in listed)
            assert all(table["status"] == "waiting" for table in listed)
            async with Browser(server.url) as stranger:
                assert (await stranger.get("/api/tables")).json() == []

    asyncio.run(play())


def test_running_games_are_listed_first_and_by_their_last_turn(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow game with a friend stays in sight, however many others were opened after it."""
    monkeypatch.setattr(routes, "_MOST_LISTED", 3)

    async def play() -> None:
        settings = settings_for(tmp_path, database=database)
        async with running(settings) as server, friends(server) as (ann, ben, slow):
            local = {"kind": "local", "name": "Cleo"}
            other = (await ann.open_table(local))["table_id"]
            over = []
            for _ in range(5):
                over.append((await ann.open_table(local))["table_id"])
                await ann.post(f"/api/tables/{over[-1]}/resign", {"seat": "A"})
            await ann.post(f"/api/tables/{over[-1]}/rematch", {"seat": "A"})  # both seats agree
            again = (await ann.snapshot(over[-1], seat="A"))["rematch"]["table_id"]
            await ann.post(f"/api/tables/{again}/resign", {"seat": "B"})
            expected = [other, slow, again, over[4], over[3]]
            assert await listed(ann) == expected
            await make_turn(ann, slow)
            assert await listed(ann) == [slow, other, *expected[2:]]
            assert await listed(ben) == [slow]
            more = [(await ann.open_table(local))["table_id"] for _ in range(2)]
            assert await listed(ann) == [more[1], more[0], slow, *expected[2:]]
            cookies = ann.http.cookies
        async with running(settings) as server, Browser(server.url) as later:
            later.http.cookies = cookies
            assert await listed(later) == [more[1], more[0], slow, *expected[2:]]

    asyncio.run(play())


async def listed(browser: Browser) -> list[str]:
    answer = await browser.get("/api/tables")
    assert answer.status_code == 200, answer.text
    return [table["table_id"] for table in answer.json()]


def test_a_log_that_cannot_be_read_hides_no_other_table(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_MOST_COOKIES", 1)
    monkeypatch.setattr(routes, "_MOST_LISTED", 1)

    async def play() -> None:
        settings = settings_for(tmp_path)
        async with running(settings) as server, Browser(server.url) as ann:
            ids = [(await ann.open_table())["table_id"] for _ in range(3)]
            cookies = ann.http.cookies
        with contextlib.closing(sqlite3.connect(settings.database)) as base, base:
            base.execute("UPDATE log SET body = '{' WHERE table_id = ?", (ids[1],))
        monkeypatch.setattr(routes, "_MOST_LISTED", 60)
        async with running(settings) as server, Browser(server.url) as ann:
            ann.http.cookies = cookies
            assert await listed(ann) == [ids[2], ids[0]]
            monkeypatch.setattr(routes, "_MOST_LISTED", 1)
            new = (await ann.open_table())["table_id"]  # looks through all old ones
            assert await listed(ann) == [new]

    set_up_logs("json", "warning")
    asyncio.run(play())
    assert '"event": "the log of a table cannot be read"' in capfd.readouterr().err


def test_a_rematch_is_agreed_by_both_and_swaps_the_start(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            early = await ann.post(f"/api/tables/{table_id}/rematch")
            assert (early.status_code, early.json()["code"]) == (422, "match_running")
            await ben.post(f"/api/tables/{table_id}/resign")
            shown = await ann.snapshot(table_id)
            assert shown["result"] == {
                "totals": {"A": 0, "B": 0},
                "winner": "A",
                "resigned": "B",
            }
            await ann.post(f"/api/tables/{table_id}/rematch")
            assert (await ben.snapshot(table_id))["rematch"] == {
                "offered_by": "A",
                "table_id": None,
            }
            await ben.post(f"/api/tables/{table_id}/rematch/accept")
            next_id = (await ann.snapshot(table_id))["rematch"]["table_id"]
            assert next_id != table_id
            for browser in (ann, ben):
                await browser.post(f"/api/tables/{next_id}/ready")
            shown = await ann.snapshot(next_id)
            assert (shown["status"], shown["starter"]) == ("playing", "B")
            assert (shown["viewer"], (await ben.snapshot(next_id))["viewer"]) == ("A", "B")

    asyncio.run(play())


def test_spectators_have_no_way_to_write(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running(settings_for(tmp_path)) as server,
            friends(server) as (
                ann,
                _,
                table_id,
            ),
            Browser(server.url) as stranger,
        ):
            turn = (await ann.snapshot(table_id))["legal"][0]
            path = f"/api/tables/{table_id}"
            for what, body in (
                ("moves", {"version": 3, "id": "a-strangers-turn", "turn": turn}),
                ("moves", {"seat": "A", "version": 3, "id": "a-strangers-turn", "turn": turn}),
                ("resign", {}),
                ("ready", {"seat": "B"}),
                ("rematch", {}),
                ("recovery", {"seat": "A"}),
            ):
                answer = await stranger.post(f"{path}/{what}", body)
                assert answer.status_code == 403
                assert answer.json()["code"] in ("no_seat", "not_your_seat")

    asyncio.run(play())


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a\x00b",
        "a\x07",
        "ab\u202ecd",
        "a\u2066b",
        "\u3164",
        "\u200d",
        "a\ud800",
    ],
)
def test_names_that_hide_or_turn_text_are_refused(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            answer = await ann.http.post(
                "/api/tables",
                content=__import__("json").dumps({"opponent": {"kind": "friend"}, "name": name}),
                headers={"content-type": "application/json"},
            )
            assert answer.status_code == 422
            assert answer.json()["code"] in ("bad_name", "bad_request")
            assert answer.json()["sentence"].startswith("expected")

    asyncio.run(play())


@pytest.mark.parametrize(
    "name", ["Zoë", "李小龍", "محمد", "می‌خواهم", "Δημήτρης", "<b>x</b>", "x" * 24, "👩\u200d🚀"]
)
def test_names_in_any_script_are_kept(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            table = await ann.open_table(name=name)
            assert (await ann.snapshot(table["table_id"]))["names"]["A"] == name

    asyncio.run(play())


def test_what_is_not_there_is_said_with_code_and_sentence(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            nobody = "0" * 32
            for path, status, code in (
                (f"/api/tables/{nobody}", 404, "no_such_table"),
                (f"/api/tables/{nobody}/stream", 404, "no_such_table"),
                ("/api/invites/WRONG", 404, "no_such_invite"),
                ("/api/nothing", 404, "no_such_request"),
            ):
                answer = await ann.get(path)
                assert (answer.status_code, answer.json()["code"]) == (status, code), path
            assert server.house.hub.num_rooms == 0
            for body in ({}, {"name": "Ann"}, {"opponent": {"kind": "x"}, "name": "A"}, {"z": 1}):
                answer = await ann.post("/api/tables", body)
                assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
            answer = await ann.post(
                "/api/tables", {"opponent": {"kind": "computer", "agent": "random"}, "name": "A"}
            )
            assert (answer.status_code, answer.json()["code"]) == (422, "no_such_agent")

    asyncio.run(play())


def test_a_refused_turn_says_why(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, ben, table_id):
            assert (await make_turn(ann, table_id, turn="nonsense")).json()["code"] == "bad_turn"
            drawn = await make_turn(ann, table_id, turn="-R7/D=G6")
            assert (drawn.status_code, drawn.json()["code"]) == (422, "bad_turn")
            shown = await ben.snapshot(table_id)
            answer = await ben.post(
                f"/api/tables/{table_id}/moves",
                {"version": shown["version"], "id": "too-early", "turn": f"-{shown['hand'][0]}/D"},
            )
            assert (answer.status_code, answer.json()["code"]) == (422, "not_your_turn")
            assert answer.json()["sentence"] == "cannot move for B: it is the turn of A"

    asyncio.run(play())


def test_cookies_of_finished_matches_are_taken_back_before_the_browser_drops_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_MOST_COOKIES", 4)
    monkeypatch.setattr(routes, "_MOST_LISTED", 3)

    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            ids = []
            for number in range(6):
                table = await ann.open_table({"kind": "local", "name": "Ben"})
                ids.append(table["table_id"])
                if number != 1:
                    await ann.post(f"/api/tables/{ids[-1]}/resign", {"seat": "A"})
            left = {cookie.name for cookie in ann.http.cookies.jar}
            assert {f"lc_{ids[1]}_{seat}" for seat in "AB"} <= left  # it is not over
            assert not {f"lc_{ids[0]}_{seat}" for seat in "AB"} & left
            assert {f"lc_{ids[5]}_{seat}" for seat in "AB"} <= left

    asyncio.run(play())


def test_names_of_cookies_alone_bring_no_table_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_MOST_COOKIES", 1)

    async def play() -> None:
        async with running(settings_for(tmp_path, idle_seconds=0.0)) as server:
            async with Browser(server.url) as ann, Browser(server.url) as eve:
                table = await ann.open_table()
                server.house.hub.forget_idle_rooms()
                name = next(iter(ann.http.cookies.jar)).name
                eve.http.cookies.set(name, "a" * 22)
                assert (await eve.get("/api/tables")).json() == []
                await eve.open_table()
                assert server.house.hub.num_rooms == 0
                assert (await ann.get("/api/tables")).json()[0]["table_id"] == table["table_id"]

    asyncio.run(play())
