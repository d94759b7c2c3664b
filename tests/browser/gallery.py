"""Every screen and every state of the table, and how to come there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from browser.playing import Seated
from browser.prepared import ANN, BEN, Shelved
from lostcities.rules import SEATS, Seat


def _nothing(_: Seated) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Scene:
    """A state to be looked at.

    Attributes:
        name: What the picture is called.
        table: Which table is there, "" if the page needs none.
        path: The address; {id}, {code} and {token} are the table's.
        seat: Who looks on, None for a spectator.
        also: Further tables of this browser.
        reach: What is pressed to come there.
        wait: What is there when the state is reached.
        is_whole: Whether the picture shows the page to its end.
    """

    name: str
    table: str = ""
    path: str = "/t/{id}"
    seat: Seat | None = ANN
    also: tuple[str, ...] = ()
    reach: Callable[[Seated], None] = _nothing
    wait: str = "h1"
    is_whole: bool = False


def _choose(label: str) -> Callable[[Seated], None]:
    def reach(person: Seated) -> None:
        person.page.get_by_role("button", name=label).first.click()

    return reach


def _press(*keys: str) -> Callable[[Seated], None]:
    def reach(person: Seated) -> None:
        person.page.wait_for_selector(".hand .card:not(.empty)")
        for key in keys:
            person.page.keyboard.press(key)

    return reach


def _click(selector: str) -> Callable[[Seated], None]:
    return lambda person: person.page.locator(selector).first.click()


def _type(selector: str, text: str) -> Callable[[Seated], None]:
    def reach(person: Seated) -> None:
        person.page.locator(selector).fill(text)
        person.page.keyboard.press("Enter")

    return reach


def _menu(label: str) -> Callable[[Seated], None]:
    def reach(person: Seated) -> None:
        person.page.locator(".corners .menu").click()
        person.page.locator("dialog[open]").get_by_text(label).click()

    return reach


_OTHERS: Final = ("start", "theirs", "receipt", "end", "offer", "six", "local")
_TURN: Final = ".banner.on"
_DIALOG: Final = "dialog[open] h2"

SCENES: Final = (
    Scene("home", path="/"),
    Scene("home-code", path="/", reach=_type("#code", "no code"), wait=".fault", is_whole=True),
    Scene("home-games", "middle", "/", also=_OTHERS, wait="a.game", is_whole=True),
    Scene("new-computer", path="/new", wait="input[value='level:3']", is_whole=True),
    Scene("new-friend", path="/new?with=friend", is_whole=True),
    Scene("new-local", path="/new?with=local", is_whole=True),
    Scene("waiting", "waiting", wait=".code b", is_whole=True),
    Scene(
        "waiting-way-back",
        path="/new?with=friend",
        reach=_click("button.go"),
        wait=".way",
        is_whole=True,
    ),
    Scene("join", "waiting", "/join/{code}", seat=None, wait="form"),
    Scene("join-taken", "taken", "/join/{code}", seat=None, wait="main b"),
    Scene("recover", "middle", "/recover#{token}", seat=None),
    Scene("table-start", "start", wait=_TURN),
    Scene("table-turn", "middle", wait=_TURN),
    Scene("table-chosen", "middle", reach=_press("7"), wait=".chosen"),
    Scene("table-barred", "middle", reach=_press("1"), wait=".chosen"),
    Scene("table-played", "middle", reach=_press("3", "p"), wait=".deck.source"),
    Scene("table-discarded", "middle", reach=_press("1", "x"), wait=".deck.source"),
    Scene("table-theirs", "theirs", wait=".banner:not(.on)"),
    Scene("table-late", "late", wait=_TURN),
    Scene("table-six", "six", wait=_TURN),
    Scene("table-second-round", "second", wait=_TURN),
    Scene("table-names", "names", seat=BEN, wait=".banner"),
    Scene("table-watched", "middle", seat=None, wait=".watching"),
    Scene("menu", "middle", reach=_click(".corners .menu"), wait=_DIALOG),
    Scene("log", "middle", reach=_menu("Log"), wait=_DIALOG),
    Scene("unseen", "middle", reach=_press("k"), wait=_DIALOG),
    Scene("typing", "middle", reach=_press("i"), wait=_DIALOG),
    Scene("keys", "middle", reach=_press("?"), wait=_DIALOG),
    Scene("column", "middle", reach=_click(".near .column"), wait=_DIALOG),
    Scene("way-back", "middle", reach=_menu("A way back"), wait=_DIALOG),
    Scene("round-end", "receipt", wait="#round-title", is_whole=True),
    Scene("match-end", "end", wait="#match-title", is_whole=True),
    Scene(
        "match-end-account",
        "offer",
        reach=_click("summary"),
        wait="table + .balance",
        is_whole=True,
    ),
    Scene("cover", "local", wait="#cover-title"),
    Scene("cover-lifted", "local", reach=_choose("show my cards"), wait=_TURN),
    Scene("replay", "end", "/replay/{id}?at=40", wait=".controls", is_whole=True),
    Scene("replay-running", "middle", "/replay/{id}", wait=".controls", is_whole=True),
    Scene("replay-round-end", "receipt", "/replay/{id}", wait=".controls", is_whole=True),
    Scene("verify", "end", "/verify/{id}", wait=".verdict", is_whole=True),
    Scene("settings", path="/settings", is_whole=True),
    Scene("settings-keys", path="/settings", reach=_click("summary"), wait=".keys", is_whole=True),
    Scene("rules", path="/help", is_whole=True),
    Scene("missing", path="/nowhere"),
    Scene("no-such-table", path="/t/nosuchtable", wait="main .panel h1"),
)


def come_to(person: Seated, scene: Scene, tables: dict[str, Shelved]) -> None:
    """Bring a browser to a state."""
    page, path = person.page, scene.path
    table = tables.get(scene.table)
    if table is not None:
        person.table_id = table.table_id
        path = path.format(id=table.table_id, code=table.invite, token=table.recovery)
        hold_seats(person, scene, tables)
    person.go(path)
    scene.reach(person)
    page.wait_for_selector(scene.wait, state="attached")
    if page.locator("aside .log").count():
        page.wait_for_selector("aside .log .round", state="attached")
    if page.locator(".seat").count() and table is not None and table.invite:
        page.wait_for_selector(".away")  # nobody sits opposite, which is told a moment later


def hold_seats(person: Seated, scene: Scene, tables: dict[str, Shelved]) -> None:
    """Give a browser the seats that a scene needs; on one device both."""
    if scene.seat is None:
        return
    for name in (scene.table, *scene.also):
        for seat in SEATS if name == "local" else (scene.seat,):
            person.hold(tables[name], seat)
