"""One action counts once, and whoever lost the line comes back to what the server holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from browser.audit import faults_of
from browser.cable import Cable
from browser.conftest import DESKTOP
from browser.playing import Seated
from browser.prepared import ANN, BEN, Shelved
from program import Program

if TYPE_CHECKING:
    from playwright.sync_api import Route, WebSocketRoute

New = Callable[..., Seated]
Tables = dict[str, Shelved]
NO_LINE: Final = ("ERR_", "WebSocket connection", "Failed to load resource")
"""What the browser says of a line that is down."""
_BURST: Final = "(button) => { for (let n = 0; n < 5; n += 1) button.click(); }"
_PRESS_AT: Final = """([selector, at]) => new Promise((done) => setTimeout(() => {
  const button = document.querySelector(selector);
  button.click();
  done(true);
}, at - Date.now()))"""


@pytest.fixture
def seat(visit: New, own_program: Program, spare: Tables) -> New:
    """Bring somebody with a seat to a table of the own server."""

    def new(name: str, who: int = ANN, *, url: str = "", **options: object) -> Seated:
        person = visit(url or own_program.url, **{"viewport": DESKTOP, **options})
        person.hold(spare[name], who)
        person.table_id = spare[name].table_id
        person.go_to_table()
        return person

    return new


def another_tab(person: Seated) -> Seated:
    """Open the same table in another tab of the same browser."""
    tab = Seated(person.page.context.new_page(), person.url)
    tab.table_id = person.table_id
    tab.go_to_table()
    return tab


# --- the same action twice -------------------------------------------------------------------------


def test_five_clicks_on_the_deck_draw_one_card(seat: New) -> None:
    ann = seat("burst")
    before = ann.snapshot()
    assert ann.wait_for_turn()
    ann.stage_discard()
    ann.deck.evaluate(_BURST)
    ann.wait_until_done()
    ann.page.wait_for_timeout(200)
    after = ann.snapshot()
    assert (after["version"], after["deck"]) == (before["version"] + 1, before["deck"] - 1)
    assert len(after["hand"]) == 8
    ann.wait_until_agreed()
    assert "bad" not in (ann.page.locator(".status .line").get_attribute("class") or "")


def test_double_clicks_on_what_is_no_turn(seat: New) -> None:
    ann, ben = seat("next"), seat("next", BEN)
    for person in (ann, ben):
        person.page.get_by_role("button", name="Next round").evaluate(_BURST)
    for person in (ann, ben):
        person.page.wait_for_selector(".board")
        person.wait_until_agreed()
        assert person.snapshot()["round"] == 2

    ann, ben = seat("again"), seat("again", BEN)
    ann.page.get_by_role("button", name="Rematch").evaluate(_BURST)
    ben.page.get_by_role("button", name="Accept the rematch").evaluate(_BURST)
    for person in (ann, ben):
        person.page.wait_for_selector(".board")
    assert ann.page.url == ben.page.url
    listed = ann.page.request.get(f"{ann.url}/api/tables").json()
    assert len(listed) == 2  # the match, and one rematch

    ann = seat("resigning")
    before = ann.snapshot()["version"]
    ann.page.locator(".corners .menu").click()
    ann.page.get_by_role("button", name="Give up the match").evaluate(_BURST)
    ann.page.wait_for_selector("#match-title")
    after = ann.snapshot()
    assert after["result"]["resigned"] == "A"
    assert after["version"] - before <= 3  # the end, and the secret of the deals


def test_a_second_tab_looks_on_until_it_is_told_to_play(seat: New) -> None:
    ann = seat("tabs")
    assert ann.wait_for_turn()
    tab = another_tab(ann)
    tab.page.get_by_text("This game is open in another tab").wait_for()
    assert ann.page.get_by_text("open in another tab").count() == 0
    tab.page.locator(".hand .card").first.click()
    assert tab.page.locator(".chosen").count() == 0
    why = "This game is open in another tab; this one looks on."
    assert tab.page.locator(".status .line").inner_text() == why
    assert tab.page.locator("[data-soft]").inner_text().strip() == why
    for key in ("1", "p", "x", " ", "q", "u"):
        tab.page.keyboard.press(key)
        assert tab.page.locator("[data-soft]").inner_text().strip() == why
    assert faults_of(tab.page) == []

    ann.stage_discard(3)
    tab.page.get_by_role("button", name="Play here").click()
    assert tab.page.locator(".status .line").inner_text() != why
    ann.page.get_by_text("This game is open in another tab").wait_for()
    before = ann.snapshot()
    ann.deck.click()
    tab.discard(0)
    after = ann.snapshot()
    assert (after["version"], after["deck"]) == (before["version"] + 1, before["deck"] - 1)
    for one in (ann, tab):
        one.wait_until_agreed()


@pytest.mark.parametrize(("name", "label"), [("round", "Next round"), ("end", "Rematch")])
def test_a_second_tab_says_why_it_cannot_go_on(name: str, label: str, seat: New) -> None:
    ann = seat(name)
    ann.page.get_by_role("button", name=label).wait_for()
    tab = another_tab(ann)
    button = tab.page.get_by_role("button", name=label)
    tab.page.get_by_text("This game is open in another tab").first.wait_for()
    assert button.is_disabled()
    described = tab.page.locator("#looks-on")
    assert described.inner_text() == "Press “Play here” to go on in this tab."
    assert button.get_attribute("aria-describedby") == "looks-on"
    assert faults_of(tab.page) == []
    tab.page.get_by_role("button", name="Play here").click()
    button.click()
    waits = "Waiting for Ben" if name == "round" else "Rematch offered"
    for one in (ann, tab):
        one.page.get_by_text(waits).wait_for()
    assert tab.page.locator("#looks-on").count() == 0


def test_two_connections_of_a_seat_draw_at_the_same_moment(seat: New) -> None:
    here, there = seat("twins"), seat("twins")
    before = here.snapshot()
    for person, at in ((here, 0), (there, 5)):
        assert person.wait_for_turn()
        person.stage_discard(at)
    press_together([here, there], '[data-spot="deck"] button')
    for person in (here, there):
        person.page.wait_for_selector(".banner:not(.on)")
        person.wait_until_agreed()
    after = here.snapshot()
    assert (after["version"], after["deck"]) == (before["version"] + 1, before["deck"] - 1)
    lines = [person.page.locator(".status .line").inner_text() for person in (here, there)]
    assert sum(line.startswith("The table has moved on") for line in lines) == 1
    assert sum(line.startswith("You discarded") for line in lines) == 1


def press_together(people: list[Seated], selector: str) -> None:
    """Press the same thing on several pages at the same moment."""
    at = people[0].page.evaluate("Date.now() + 400")
    for person in people:
        # The page keeps the time; this returns at once.
        person.page.evaluate(f"(when) => {{ ({_PRESS_AT})(when); }}", [selector, at])


def test_of_two_who_join_at_once_one_gets_the_seat(
    visit: New, own_program: Program, spare: Tables
) -> None:
    table = spare["waiting"]
    people = [visit(own_program.url) for _ in range(3)]
    for number, person in enumerate(people):
        person.may_complain("409")
        person.table_id = table.table_id
        person.page.goto(f"{own_program.url}/join/{table.invite}")
        person.page.get_by_label("Your name").fill(f"Guest {number}")
    press_together(people, "form .button.main")
    for person in people:
        person.page.wait_for_selector(".panel.waiting, .board, .fault")
    late = [person for person in people if person.page.locator(".fault").count()]
    assert len(late) == 2
    for person in late:
        assert "the seat is taken" in person.page.locator(".fault").inner_text()
        person.page.get_by_text("You can watch.").wait_for()
    winner = next(person for person in people if person not in late)
    assert winner.snapshot()["viewer"] == "B"
    assert winner.snapshot()["names"]["B"] in {f"Guest {number}" for number in range(3)}


def test_a_seat_whose_answer_was_lost_is_had_by_pressing_again(
    visit: New, own_program: Program, spare: Tables
) -> None:
    table = spare["invited"]
    ben = visit(own_program.url)
    ben.may_complain(*NO_LINE)
    ben.table_id = table.table_id
    page = ben.page

    def lose_answer(route: "Route") -> None:
        assert route.fetch().status == 200
        page.context.clear_cookies()
        route.abort("connectionreset")

    page.route("**/join", lose_answer, times=1)
    page.goto(f"{own_program.url}/join/{table.invite}")
    page.get_by_role("button", name="Join").click()
    page.locator(".fault").wait_for()
    page.reload()  # the invite says that the seat is taken; this tab knows by whom
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector(".panel.waiting, .board")
    assert ben.snapshot()["viewer"] == "B"


# --- a refused turn --------------------------------------------------------------------------------


def test_a_turn_that_comes_too_late_gives_way_to_the_servers_view(seat: New) -> None:
    ann = seat("stale")
    held: list[str] = []
    is_slow = [False]

    def slow_line(route: "WebSocketRoute") -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if is_slow[0]:
                held.append(str(message))
            else:
                route.send(message)

        server.on_message(pass_on)
        lines.append(route)

    lines: list[WebSocketRoute] = []
    ann.page.route_web_socket("**/socket*", slow_line)
    ann.page.reload()
    assert ann.wait_for_turn()
    ann.stage_discard()
    is_slow[0] = True
    made = ann.move_by_request()  # the same seat, by a script: the page is not told yet
    ann.deck.click()
    ann.page.get_by_text("Sending").wait_for()
    ann.page.wait_for_timeout(300)
    is_slow[0] = False
    for message in held:
        lines[-1].send(message)
    ann.wait_until_agreed()
    ann.page.get_by_text("The table has moved on").wait_for()
    assert ann.snapshot()["last"]["turn"] == made
    assert ann.page.locator(".chosen").count() == 0


# --- back after a break ----------------------------------------------------------------------------


def _nothing(*_: Seated) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Phase:
    """A moment at which a line may break.

    Attributes:
        name: The table that stands there.
        before: What Ann does while the line is there.
        during: What Ann does without a line, though the page takes it.
        elsewhere: What Ben does meanwhile.
        after: What is there once the line is back.
    """

    name: str
    before: Callable[[Seated], None] = _nothing
    during: Callable[[Seated], None] = _nothing
    elsewhere: Callable[[Seated], None] = _nothing
    after: str = ""


def _pick(person: Seated) -> None:
    person.page.locator(".hand .card").nth(2).click()


def _draw(person: Seated) -> None:
    person.deck.click()
    person.page.get_by_text("Your turn is kept").wait_for()


def _move(person: Seated) -> None:
    person.move_by_request()


def _be_ready(person: Seated) -> None:
    person.post("ready", {})


def _press(label: str) -> Callable[[Seated], None]:
    return lambda person: person.page.get_by_role("button", name=label).click()


PHASES: Final = (
    Phase("choosing", after=".banner.on"),
    Phase("chosen", before=_pick, after=".chosen[data-hand='2']"),
    Phase("staged", before=lambda ann: ann.stage_discard(2), after=".deck.source"),
    Phase("drawn", before=lambda ann: ann.stage_discard(2), during=_draw, after=".banner:not(.on)"),
    Phase("theirs", elsewhere=_move, after=".banner.on"),
    Phase(
        "round",
        during=_press("Next round"),
        elsewhere=_be_ready,
        after=".board",
    ),
    Phase("end", during=_press("Rematch"), after="text=Rematch offered"),
)


@pytest.mark.parametrize("is_killed", [False, True], ids=["line cut", "server killed"])
def test_back_in_every_phase(
    is_killed: bool,  # noqa: FBT001 # a way the line breaks
    visit: New,
    own_program: Program,
    cable: Cable,
    spare: Tables,
) -> None:
    ann = visit(cable.url, viewport=DESKTOP)  # one browser, a tab for each table
    ben = visit(own_program.url, viewport=DESKTOP)
    tabs: dict[str, Seated] = {}
    for phase in PHASES:
        ann.hold(spare[phase.name], ANN)
        ben.hold(spare[phase.name], BEN)
        tabs[phase.name] = tab = Seated(ann.page.context.new_page(), own_program.url)
        tab.may_complain(*NO_LINE)
        tab.table_id = spare[phase.name].table_id
        tab.page.goto(f"{cable.url}/t/{tab.table_id}")
        tab.page.wait_for_selector(".banner, #round-title, #match-title")
        phase.before(tab)
    before = {name: tab.snapshot() for name, tab in tabs.items()}

    cable.cut()
    ann.page.context.set_offline(True)  # as the browser names it
    if is_killed:
        own_program.kill()
        own_program.start()
    for phase in PHASES:
        phase.during(tabs[phase.name])
        ben.table_id = tabs[phase.name].table_id
        phase.elsewhere(ben)
    tabs["choosing"].page.get_by_text("Reconnecting. Nothing is lost.").wait_for()
    assert faults_of(tabs["drawn"].page) == []
    cable.mend()
    ann.page.context.set_offline(False)  # as above

    for phase in PHASES:
        tab = tabs[phase.name]
        tab.page.wait_for_selector(phase.after, timeout=5_000)
        tab.wait_until_agreed()
        tab.page.get_by_text("Reconnecting").wait_for(state="detached", timeout=5_000)
    turns = {name: tabs[name].snapshot()["deck"] - before[name]["deck"] for name in tabs}
    assert turns | {"round": 0} == {
        "choosing": 0, "chosen": 0, "staged": 0, "drawn": -1, "theirs": -1, "round": 0, "end": 0
    }  # fmt: skip
    assert tabs["round"].snapshot()["round"] == before["round"]["round"] + 1
    troubles = [trouble for tab in tabs.values() for trouble in tab.troubles]
    assert not troubles


@pytest.mark.parametrize("notices", ["silence", "front"])
def test_a_dead_line_is_noticed_and_no_move_is_missed(
    notices: str, seat: New, cable: Cable
) -> None:
    ben = seat(notices, BEN)
    ann = seat(notices, ANN, url=cable.url)
    ann.may_complain(*NO_LINE)
    ann.page.clock.install()
    ann.page.reload()
    assert ann.wait_for_turn()
    ann.discard()
    cable.hang()
    ben.move_by_request()
    assert not ann.can_move()
    if notices == "silence":
        ann.page.clock.fast_forward(26_000)
    else:  # back from the background
        ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ann.page.clock.fast_forward(9_000)
    ann.page.clock.fast_forward(1_000)
    ann.page.wait_for_selector(".banner.on", timeout=4_000)
    ann.wait_until_agreed()
    assert ann.page.get_by_text("Reconnecting").count() == 0


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            429,
            {"code": "too_many_requests", "sentence": "too many of these"},
            "Too much at once; wait a moment.",
        ),
        (
            503,
            {"code": "storage", "sentence": "cannot save"},
            "The server cannot store anything now; nothing is lost, try again.",
        ),
        (0, None, "The server cannot be reached."),
    ],
    ids=["too many", "no storage", "offline"],
)
def test_why_there_is_no_way_back_just_now(
    status: int, body: dict[str, str] | None, words: str, seat: New
) -> None:
    ann = seat("choosing")
    ann.may_complain(*NO_LINE)

    def refuse(route: "Route") -> None:
        if body is None:
            route.abort()
        else:
            route.fulfill(status=status, json=body)

    ann.page.route("**/recovery", refuse)
    ann.page.locator(".corners .menu").click()
    way_back = ann.page.locator("dialog[open]").get_by_role("button", name="A way back")
    way_back.click()
    assert ann.page.locator("dialog[open] .fault").inner_text() == words
    ann.page.unroute("**/recovery")
    way_back.click()
    ann.page.locator("dialog[open] a[href*='recover']").wait_for()
    assert ann.page.locator(".fault").count() == 0


def test_a_share_in_the_deal_that_was_refused_is_sent_again(
    visit: New, own_program: Program
) -> None:
    ann = visit(own_program.url)
    shares: list[str] = []
    words = '"id":null,"code":"storage","sentence":"cannot save","version":0,"snapshot":null'

    def refuse_once(route: "WebSocketRoute") -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if '"ready"' in str(message):
                shares.append(str(message))
                if len(shares) == 1:
                    route.send(f'{{"type":"refused",{words}}}')
                    return
            server.send(message)

        route.on_message(pass_on)

    ann.page.route_web_socket("**/socket*", refuse_once)
    ann.open_table("computer", starter="you")
    ann.page.get_by_text("nothing is lost, try again. Trying again").wait_for()
    assert ann.page.locator("#waiting-title").inner_text() == "Dealing the cards"
    assert faults_of(ann.page) == []
    assert ann.wait_for_turn()
    assert len(shares) == 2
    assert "store" not in ann.status


def test_who_is_away_is_shown_and_shown_back(seat: New) -> None:
    ann, ben = seat("presence"), seat("presence", BEN)
    ann.page.wait_for_selector(".banner.on")
    assert ann.page.locator(".away").count() == 0
    ben.page.close()
    ann.page.wait_for_selector(".away")
    back = seat("presence", BEN)
    back.page.wait_for_selector(".banner")
    ann.page.wait_for_selector(".away", state="detached")


def test_one_of_four_who_dies_silences_nobody(seat: New, visit: New, cable: Cable) -> None:
    ann, ben = seat("watched"), seat("watched", BEN)
    watching = [visit(own) for own in (ann.url, cable.url)]
    for person in watching:
        person.may_complain(*NO_LINE)
        person.page.goto(f"{person.url}/t/{ann.table_id}")
        person.page.wait_for_selector(".watching")
    cable.hang()
    for mover in (ben, ann, ben):
        assert mover.wait_for_turn()
        mover.discard()
        deck = mover.snapshot()["deck"]
        for person in (ann, ben, watching[0]):
            person.page.wait_for_selector(f"[data-spot='deck'] button[aria-label^='{deck} card']")


# --- several games ---------------------------------------------------------------------------------


def test_several_games_in_one_browser_do_not_mix(
    visit: New, own_program: Program, spare: Tables
) -> None:
    ann = visit(own_program.url, viewport=DESKTOP)
    names = ("theirs", "choosing", "late", "round")
    for name in names:
        ann.hold(spare[name], ANN)
    tabs = []
    for name in ("choosing", "late"):
        tab = Seated(ann.page.context.new_page(), own_program.url)
        tab.table_id = spare[name].table_id
        tab.go_to_table()
        tabs.append(tab)
    for tab, at in zip(tabs, (1, 6), strict=True):
        assert tab.wait_for_turn()
        tab.stage_discard(at)
    for tab in tabs:
        tab.deck.click()
        tab.wait_until_done()
        tab.wait_until_agreed()
        assert tab.snapshot()["deck"] == 35
    ann.go("/")
    games = ann.page.locator("a.game")  # not the places held for them
    games.first.wait_for()
    assert games.count() == 4
    assert ann.page.locator(".badge:not(.quiet)").count() == 0
    ben = visit(own_program.url)
    ben.hold(spare["late"], BEN)
    ben.table_id = spare["late"].table_id
    ben.move_by_request()
    ann.page.reload()
    games.first.wait_for()
    assert "Your turn" in games.first.inner_text()  # first, because it waits for me
    assert games.first.get_attribute("href") == f"/t/{spare['late'].table_id}"
