"""A real server, a real browser, and pages that complain when something goes wrong behind them."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from browser.audit import AXE
from browser.cable import Cable
from browser.playing import Seated
from browser.prepared import Shelved, preparations, reading_preparations, shelve, spare_preparations
from program import Program

try:
    from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright
except ModuleNotFoundError:
    MISSING = "needs the package 'playwright' (the dependency group 'test')"
else:
    MISSING = ""

ROOT: Final = Path(__file__).resolve().parents[2]
STATIC: Final = ROOT / "src" / "lostcities" / "server" / "static"
SMALL: Final = {"width": 320, "height": 568}
PHONE: Final = {"width": 360, "height": 640}
DESKTOP: Final = {"width": 1280, "height": 800}
_OPTIONS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)


def _chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("LOSTCITIES_CHROMIUM") or next(
        filter(None, map(shutil.which, names)), ""
    )
    if not found:
        pytest.skip("needs Chromium on the PATH, or its path in LOSTCITIES_CHROMIUM")
    return found


@pytest.fixture(scope="session")
def tools() -> str:
    """Say what is missing, if anything is; else give the path of the browser."""
    if MISSING:
        pytest.skip(MISSING)
    if not (STATIC / "index.html").is_file():
        pytest.skip("needs the built client: run 'make web'")
    if not AXE.is_file():
        pytest.skip("needs axe-core in web/node_modules: run 'make web-check'")
    return _chromium()


@pytest.fixture(scope="session")
def shelf(tools: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Tables that stand ready, and the folder of their database."""
    assert tools
    folder = tmp_path_factory.mktemp("served")
    spare = folder / "spare.db"
    return {
        "folder": folder,
        "tables": shelve(folder / "tables.db", [*preparations(), *reading_preparations()]),
        "spare": spare,
        "spare tables": shelve(spare, spare_preparations()),
    }


@pytest.fixture(scope="session")
def tables(shelf: dict[str, Any]) -> dict[str, Shelved]:
    found: dict[str, Shelved] = shelf["tables"]
    return found


@pytest.fixture(scope="session")
def program(shelf: dict[str, Any]) -> Iterator[Program]:
    """The server of all tests that leave it alone."""
    server = Program(shelf["folder"])
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_program(shelf: dict[str, Any], tmp_path: Path) -> Iterator[Program]:
    """A server with a table in each phase, which a test may play on, and may kill."""
    server = Program(tmp_path)
    shutil.copy(shelf["spare"], server.database)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def spare(shelf: dict[str, Any]) -> dict[str, Shelved]:
    """What opens the tables of the own server."""
    found: dict[str, Shelved] = shelf["spare tables"]
    return found


@pytest.fixture
def cable(own_program: Program) -> Iterator[Cable]:
    """A line to the own server that can be cut."""
    line = Cable(own_program.port)
    yield line
    line.close()


@pytest.fixture(scope="module")
def chromium(tools: str, shelf: dict[str, Any]) -> "Iterator[Browser]":
    """A browser; for each file a new one, because the others' tests have loops of their own."""
    assert shelf
    with sync_playwright() as playwright:
        browser = _launch(playwright, tools)
        yield browser
        browser.close()


def _launch(playwright: "Playwright", path: str) -> "Browser":
    return playwright.chromium.launch(executable_path=path, args=list(_OPTIONS))


@pytest.fixture
def visit(chromium: "Browser") -> "Iterator[Callable[..., Seated]]":
    """Open browsers of new people; each has its own cookies."""
    contexts: list[BrowserContext] = []
    people: list[Seated] = []

    def new(url: str, **options: Any) -> Seated:  # noqa: ANN401 # whatever a context takes
        size = options.pop("viewport", PHONE)
        wishes = {"locale": "en-US", "reduced_motion": "reduce", "has_touch": size["width"] < 700}
        context = chromium.new_context(viewport=size, **{**wishes, **options})
        contexts.append(context)
        person = Seated(context.new_page(), url)
        people.append(person)
        return person

    yield new
    troubles = [trouble for person in people for trouble in person.troubles]
    for context in contexts:
        context.close()
    assert not troubles, troubles


@pytest.fixture
def guest(program: Program, visit: "Callable[..., Seated]") -> "Callable[..., Seated]":
    """Open browsers at the server that is shared."""

    def new(**options: Any) -> Seated:  # noqa: ANN401 # as above
        return visit(program.url, **options)

    return new


@pytest.fixture
def sit(guest: "Callable[..., Seated]", tables: dict[str, Shelved]) -> "Callable[..., Seated]":
    """Open the browser of somebody who has a seat at a table that stands ready."""

    def new(name: str, seat: int | None = 0, **options: Any) -> Seated:  # noqa: ANN401 # as above
        person = guest(**options)
        if seat is not None:
            person.hold(tables[name], seat)
        person.table_id = tables[name].table_id
        return person

    return new
