"""What every request goes through: origins, limits, headers, pages, counters."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from lostcities.server import gate, protocols
from lostcities.server.gate import address_of
from lostcities.server.limits import Bucket, Limiter, Rate
from lostcities.server.settings import Limits
from server.serving import UNLIMITED, Browser, Running, running, seated, settings_for


def test_a_page_of_another_server_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            wish = {"opponent": {"kind": "friend"}, "name": "Ann"}
            for headers in (
                {"X-Requested-With": ""},
                {"Origin": "https://evil.example"},
                {"Origin": "null"},
                {"Origin": server.url + "0"},
            ):
                answer = await ann.http.post("/api/tables", json=wish, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
            answer = await ann.http.post(
                "/api/tables", json=wish, headers={"X-Requested-With": "", "Origin": server.url}
            )
            assert answer.status_code == 201

    asyncio.run(play())


def test_a_server_with_a_name_takes_its_own_pages_only(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, base_url="https://table.example")
        async with running(settings) as server, Browser(server.url) as ann:
            wish = {"opponent": {"kind": "friend"}, "name": "Ann"}
            for origin, host, status in (
                ("https://table.example", "table.example", 201),
                ("http://evil.example", "evil.example", 403),
            ):
                answer = await ann.http.post(
                    "/api/tables", json=wish, headers={"Origin": origin, "Host": host}
                )
                assert answer.status_code == status
                if status == 201:
                    assert "; Secure" in answer.headers["set-cookie"]
                    assert answer.json()["invite"]["url"].startswith("https://table.example/join/")

    asyncio.run(play())


def test_cookies_and_answers_are_safe(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            answer = await ann.post("/api/tables", {"opponent": {"kind": "friend"}, "name": "Ann"})
            cookie = answer.headers["set-cookie"]
            assert "; HttpOnly" in cookie
            assert "; SameSite=Lax" in cookie
            for path in ("/", "/api/tables", "/docs", "/healthz", "/nothing", "/api/nothing"):
                headers = (await ann.get(path)).headers
                policy = headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "http" not in policy
                assert headers["referrer-policy"] == "no-referrer"
                assert headers["x-content-type-options"] == "nosniff"
            assert (await ann.get("/api/tables")).headers["cache-control"] == "no-store"

    asyncio.run(play())


@pytest.mark.parametrize("body", [b"x" * 5000, b"{}" + b" " * 5000])
def test_long_messages_are_refused(tmp_path: Path, body: bytes) -> None:
    async def play() -> None:
        async def in_parts() -> AsyncIterator[bytes]:
            for start in range(0, len(body), 500):
                yield body[start : start + 500]

        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            json = {"content-type": "application/json"}
            whole = await ann.http.post("/api/tables", content=body, headers=json)
            assert (whole.status_code, whole.json()["code"]) == (413, "too_long")
            parts = await ann.http.post("/api/tables", content=in_parts(), headers=json)
            assert (parts.status_code, parts.json()["code"]) == (413, "too_long")

    asyncio.run(play())


def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    async def play() -> None:
        limits = replace(UNLIMITED, requests=Rate(0.5, 5), openings=Rate(0.1, 2))
        async with running(settings_for(tmp_path, limits=limits)) as server:
            async with Browser(server.url) as ann:
                codes = [(await ann.get("/api/agents")).status_code for _ in range(6)]
                assert codes == [200] * 5 + [429]
                refused = await ann.get("/api/agents")
                assert refused.json()["code"] == "too_many_requests"
                assert 1 <= int(refused.headers["retry-after"]) <= 2
                assert (await ann.get("/healthz")).status_code == 200
        limits = replace(UNLIMITED, openings=Rate(0.1, 2), sockets_per_address=1)
        async with running(settings_for(tmp_path, limits=limits)) as server:
            async with Browser(server.url) as ann:
                wish = {"opponent": {"kind": "friend"}, "name": "Ann"}
                answers = [await ann.post("/api/tables", wish) for _ in range(3)]
                assert [answer.status_code for answer in answers] == [201, 201, 429]
                assert int(answers[2].headers["retry-after"]) <= 10
                table_id = answers[0].json()["table_id"]
                async with ann.socket(table_id) as line:
                    await line.until(lambda message: message["type"] == "presence")
                    async with ann.socket(table_id) as more:  # a page sees no status of a handshake
                        bye = await more.until(lambda message: message["type"] == "bye")
                        assert bye["code"] == "too_many_sockets"
                        assert "expected at most 1 sockets from one address" in bye["sentence"]
                    stream = await ann.get(f"/api/tables/{table_id}/stream")
                    assert (stream.status_code, stream.json()["code"]) == (429, "too_many_sockets")

    asyncio.run(play())


def test_files_of_the_client_do_not_count_as_requests(tmp_path: Path) -> None:
    """After an update many pages of one address are loaded again at once, each with several files."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>here</title>")
    (static / "assets" / "app-1a2b.js").write_text("let a = 1;")

    async def play() -> None:
        as_usual = settings_for(tmp_path, static=static, limits=Limits())
        async with running(as_usual) as server, Browser(server.url) as ann:
            paths = ("/", "/t/abc", "/assets/app-1a2b.js") * 100
            assert {(await ann.get(path)).status_code for path in paths} == {200}
        limits = replace(UNLIMITED, requests=Rate(0.1, 1), pages=Rate(0.1, 2))
        settings = settings_for(tmp_path, static=static, limits=limits)
        async with running(settings) as server, Browser(server.url) as ann:
            for path, codes in (("/api/agents", [200, 429]), ("/t/abc", [200, 200, 429])):
                answers = [await ann.get(path) for _ in codes]
                assert [answer.status_code for answer in answers] == codes
                assert answers[-1].json()["code"] == "too_many_requests"
                assert 1 <= int(answers[-1].headers["retry-after"]) <= 10

    asyncio.run(play())


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(Rate(2.0, 3), clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    now[0] += 0.5
    assert [bucket.take(), bucket.take()] == [0, 0.5]
    now[0] += 100
    assert [bucket.take() for _ in range(4)][-1] == 0.5
    limiter = Limiter(Rate(1, 1))
    assert [limiter.take("a"), limiter.take("b"), limiter.take("a")] == [0, 0, 1]


def test_without_a_client_there_is_a_page_that_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, static=tmp_path / "nothing")
        async with running(settings) as server, Browser(server.url) as ann:
            page = await ann.get("/")
            assert page.status_code == 503
            assert "make web" in page.text
            docs = await ann.get("/docs")
            assert "/api/tables/{table_id}/moves" in docs.text
            assert "http://" not in docs.text
            assert "https://" not in docs.text
            assert (await ann.get("/docs/style.css")).status_code == 200
            assert "/api/tables" in (await ann.get("/openapi.json")).json()["paths"]

    asyncio.run(play())


def test_the_client_is_served_compressed_and_cached_as_long_as_is_right(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>here</title>" + "x" * 2000)
    (static / "assets" / "app-1a2b.js").write_text("let a = 1;" * 200)
    (static / "assets" / "app-1a2b.js.br").write_bytes(b"brotli")
    (static / "small.txt").write_text("small")
    (tmp_path / "secret.txt").write_text("outside")

    async def play() -> None:
        settings = settings_for(tmp_path, static=static)
        async with running(settings) as server, Browser(server.url) as ann:
            for path in ("/", "/t/abc", "/join/CODE", "/index.html"):
                page = await ann.get(path)
                assert page.status_code == 200
                assert "<title>here" in page.text
                assert page.headers["content-type"] == "text/html; charset=utf-8"
                assert page.headers["cache-control"] == "no-cache"
                assert page.headers["content-encoding"] == "gzip"
            page = await ann.get("/")
            again = await ann.http.get("/", headers={"If-None-Match": page.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            script = await ann.http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"})
            assert script.text.startswith("let a")
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            async with ann.http.stream(
                "GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip, br"}
            ) as best:
                assert best.headers["content-encoding"] == "br"
                assert b"".join([part async for part in best.aiter_raw()]) == b"brotli"
            assert (await ann.get("/assets/app-old.js")).status_code == 404
            for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt"):
                assert "outside" not in (await ann.get(path)).text
            assert (await ann.http.head("/")).status_code == 200

    asyncio.run(play())


def test_counters_are_there_for_prometheus(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(settings_for(tmp_path)) as (_, ann, _, table_id):
            async with ann.socket(table_id) as line:
                await line.until(lambda message: message["type"] == "presence")
                text = (await ann.get("/metrics")).text
                assert 'lostcities_commands_total{outcome="done"} 2.0' in text
                assert "lostcities_sockets 1.0" in text
                assert "lostcities_tables_in_memory 1.0" in text
                assert 'route="/api/tables/{table_id}/ready",status="200"} 2.0' in text
                assert table_id not in text

    asyncio.run(play())


def test_idle_tables_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, idle_seconds=0.2)
        async with seated(settings) as (server, ann, _, table_id):
            before = await ann.snapshot(table_id)
            for _ in range(40):
                if not server.house.hub.num_rooms:
                    break
                await asyncio.sleep(0.1)
            assert server.house.hub.num_rooms == 0
            assert await ann.snapshot(table_id) == before

    asyncio.run(play())


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::1", True),
        ("2001:db8::1", "2001:db8::2:3:4", True),
        ("2001:db8::a:b:c:d", "2001:db8::1:b:c:d", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_limits_count_for_an_address_or_for_a_whole_network(
    one: str, other: str, *, is_same: bool
) -> None:
    found = [address_of({"client": (host, 1)}) for host in (one, other)]
    assert (found[0] == found[1]) == is_same
    assert address_of({"client": ("what a proxy: said", 1)})
    assert address_of({}) == "unknown"


@pytest.mark.parametrize("host", ["[", "[::1", "a b", "x:y", "", "]", "table.example:99999999"])
def test_odd_hosts_are_refused_in_a_sentence(tmp_path: Path, host: str) -> None:
    async def play() -> None:
        settings = settings_for(tmp_path, base_url="https://table.example")
        async with running(settings) as server, Browser(server.url) as ann:
            wish = {"opponent": {"kind": "friend"}, "name": "Ann"}
            headers = {"Origin": f"http://{host}", "Host": host}
            answer = await ann.http.post("/api/tables", json=wish, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")

    asyncio.run(play())


async def say(server: Running, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send bytes as they are; return what comes until the server hangs up."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for part in parts:
        writer.write(part)
        await asyncio.sleep(pause)
    async with asyncio.timeout(10):
        heard = await reader.read()
    writer.close()
    return heard


HEAD = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nX-Requested-With: lostcities\r\n"


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        (b"", None, None),
        (b"GET /api/ta", 408, "too_slow"),
        (HEAD, 408, "too_slow"),
        (HEAD + b"Content-Length: 50\r\n\r\n{", 408, "too_slow"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 408, "too_slow"),
        (HEAD + b"X: " + b"x" * 40_000, 431, "too_long"),
    ],
)
def test_whoever_does_not_come_to_an_end_is_sent_away(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: bytes,
    status: int | None,
    code: str | None,
) -> None:
    monkeypatch.setattr(protocols, "HEAD_SECONDS", 0.4)
    monkeypatch.setattr(gate, "_BODY_SECONDS", 0.4)

    async def play() -> None:
        async with running(settings_for(tmp_path)) as server:
            heard = await say(server, said)
            if status is None:
                assert heard == b""
            else:
                assert heard.startswith(b"HTTP/1.1 %d " % status)
                assert f'"{code}"'.encode() in heard
            async with Browser(server.url) as ann:  # who takes time between requests is welcome
                await ann.get("/healthz")
                await asyncio.sleep(0.8)
                assert (await ann.get("/healthz")).status_code == 200

    asyncio.run(play())


def test_an_answer_that_nobody_reads_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "UNREAD_SECONDS", 0.5)
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_bytes(b"<!doctype html>" + bytes(20_000_000))

    async def play() -> None:
        async with running(settings_for(tmp_path, static=static)) as server:
            host, _, port = server.url.removeprefix("http://").partition(":")
            _, writer = await asyncio.open_connection(host, int(port), limit=1000)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in range(100):
                await asyncio.sleep(0.1)
                if not server.server.server_state.connections:
                    break
            assert not server.server.server_state.connections
            writer.transport.abort()

    asyncio.run(play())


def test_what_stands_in_json_or_not_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(settings_for(tmp_path)) as server, Browser(server.url) as ann:
            for body, status in (
                (b"[" * 4000, 400),
                (b'"\xff\xfe"', 400),
                (b"\x1f\x8b00", 400),
                (b"{", 422),
                (b'{"\\ud800":1}', 422),
                (b'{"opponent":{"kind":"\\ud800"},"name":"A"}', 422),
            ):
                json = {"content-type": "application/json"}
                answer = await ann.http.post("/api/tables", content=body, headers=json)
                assert (answer.status_code, answer.json()["code"]) == (status, "bad_request")
                assert answer.json()["sentence"].startswith("expected")
            for path in (
                "/api/tables/%00",
                "/api/tables/%ff",
                "/api/tables/" + "A" * 32,
                "/api/tables/" + "a" * 20_000,
                "/api/invites/%00",
                "/api/invites/%F0%9F%82%A1",
            ):
                assert (await ann.get(path)).status_code == 404
            far = await ann.get(f"/api/tables/{'0' * 32}/events", after="9" * 4000)
            assert (far.status_code, len(far.content) < 300) == (422, True)

    asyncio.run(play())
