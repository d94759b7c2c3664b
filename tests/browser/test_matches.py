"""Whole matches as people play them: by pointer, by keys, with a friend, on one device."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.audit import faults_of, too_wide
from browser.conftest import DESKTOP, PHONE, SMALL
from browser.playing import Json, Seated

if TYPE_CHECKING:
    from playwright.sync_api import Page

New = Callable[..., Seated]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lostcities", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def no_scrolling(person: Seated) -> None:
    """The whole table is on the screen."""
    script = """[document.documentElement, document.querySelector('.room')].every((node) =>
      node.scrollHeight <= innerHeight && node.scrollWidth <= innerWidth)"""
    assert person.page.evaluate(script)


def test_a_classic_match_by_pointer_on_a_phone(guest: New) -> None:
    ann = guest(viewport=PHONE)
    ann.go("/")
    ann.page.get_by_role("link", name="Play the computer").tap()
    ann.page.wait_for_url("**/new")
    ann.open_table(preset="classic", name="Ann")
    page = ann.page
    shown: list[int] = []
    while not page.locator("#match-title").count():
        if ann.wait_for_turn():
            no_scrolling(ann)
            ann.take_turn_by_pointer()
        elif page.locator("#round-title").count():
            receipts_add_up(ann)
            shown.append(ann.snapshot()["round"])
            page.get_by_role("button", name="Next round").tap()
            page.wait_for_selector(".board")
    assert shown == [1, 2]
    result = ann.snapshot()
    assert len(result["history"]) == 3
    for seat in "AB":
        assert result["totals"][seat] == sum(points[seat] for points in result["history"])
    table = page.locator("table.rounds tfoot").inner_text().replace("−", "-")
    assert re.findall(r"-?\d+", table) == [str(result["totals"]["A"]), str(result["totals"]["B"])]


def receipts_add_up(person: Seated) -> None:
    """What the receipt shows is what the server counts, expedition by expedition."""
    scores = person.snapshot()["scores"]
    rows = person.page.locator("section table tbody tr")
    colors = list(scores["A"]["by"])
    for at, color in enumerate(colors):
        cells = rows.nth(at).locator("td")
        for place, seat in enumerate("AB"):
            receipt = scores[seat]["by"][color]
            text = cells.nth(place).inner_text().replace("−", "-")
            assert text.split()[0] == (str(receipt["total"]) if receipt["started"] else "–")
        both = [scores[seat]["by"][color]["total"] for seat in "AB"]
        assert all(isinstance(total, int) for total in both)
    for seat in "AB":
        assert sum(scores[seat]["by"][color]["total"] for color in colors) == scores[seat]["total"]


def test_a_match_by_keyboard_alone(guest: New) -> None:
    ann = guest(viewport=DESKTOP, reduced_motion="no-preference")
    page, keyboard = ann.page, ann.page.keyboard
    ann.go("/")
    press_until(ann, lambda text: "Play the computer" in text)
    keyboard.press("Enter")
    page.wait_for_selector("input[value='level:3']", state="attached")
    choose(ann, "preset", "Quick")
    choose(ann, "level", "1. Tourist")
    choose(ann, "starter", "I start")
    press_until(ann, lambda text: text.strip() == "Start")
    keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    ann.table_id = page.url.rsplit("/", 1)[-1]
    assert ann.wait_for_turn()
    assert page.evaluate("document.activeElement.id") == "hand"
    turns = 0
    while ann.wait_for_turn():
        ann.take_turn_by_keys()
        turns += 1
    assert turns >= 10
    assert page.evaluate("document.activeElement.id") == "match-title"
    press_until(ann, lambda text: "Rematch" in text)
    before = page.url
    keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(".board")
    keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")


def test_a_round_by_tab_and_enter_with_the_shortcuts_off(guest: New) -> None:
    ann = guest(viewport=DESKTOP)
    page, keyboard = ann.page, ann.page.keyboard
    ann.go("/settings")
    page.get_by_role("switch", name="Single keys").uncheck(force=True)
    ann.open_table(preset="quick", name="Ann")
    taken: set[str] = set()
    turns = 0
    while ann.wait_for_turn():
        at, is_play = ann.plan()
        assert focus_of(page)["id"] == "hand"
        for _ in range(at + 1):
            keyboard.press("Tab")
        keyboard.press("Enter")
        press_until(ann, lambda text: text.startswith("Play"))
        if not is_play:
            keyboard.press("Tab")
        keyboard.press("Enter")
        focus = focus_of(page)
        assert "source" in focus["class"], focus
        keyboard.press("Shift+Tab" if turns % 2 else "Tab")
        keyboard.press("Tab" if turns % 2 else "Shift+Tab")
        assert focus_of(page) == focus
        taken.add(focus["label"])
        keyboard.press("Enter")
        ann.wait_until_done()
        turns += 1
    assert turns >= 10
    assert taken == {"Draw from the deck"}
    assert focus_of(page)["id"] == "match-title"


def test_taking_a_card_back_leaves_the_focus_on_it(guest: New) -> None:
    ann = guest(viewport=DESKTOP)
    ann.open_table(preset="quick", name="Ann")
    assert ann.wait_for_turn()
    page, keyboard = ann.page, ann.page.keyboard
    page.locator(".hand .card").nth(4).focus()
    keyboard.press("Enter")
    discard = page.get_by_role("button", name="Discard", exact=True)
    discard.focus()
    keyboard.press("Enter")
    undo = page.locator(".actions .bare")
    undo.focus()
    keyboard.press("Enter")
    assert focus_of(page)["text"].startswith(
        ("Play", "Discard")
    )  # the card is still chosen: play or discard it
    undo.focus()
    keyboard.press("Enter")
    assert focus_of(page)["id"] == "hand"


def test_keys_that_clash_are_named_and_home_scrolls_the_log(guest: New) -> None:
    ann = guest(viewport=DESKTOP)
    page, keyboard = ann.page, ann.page.keyboard
    ann.go("/settings")
    page.get_by_text("Change keys").click()
    for action, key in (("play", "x"), ("last move", "Enter")):
        page.get_by_role("button", name=f"{action}: key").first.click()
        keyboard.press(key)
    clash = page.locator("#s-clash")
    assert "X: play · discard" in clash.inner_text()
    page.get_by_role("button", name="play: key").first.click()
    keyboard.press("p")
    assert clash.inner_text().strip() == ""
    ann.open_table(preset="quick", name="Ann")
    assert ann.wait_for_turn()
    log = page.locator("aside .log")
    log.focus()
    keyboard.press("Home")
    assert page.url.endswith(f"/t/{ann.table_id}")
    card = page.locator(".hand .card").first
    card.focus()
    keyboard.press("Enter")  # given to the last move, but a button has the focus
    assert card.get_attribute("aria-pressed") == "true"
    page.locator("#hand").focus()
    keyboard.press("Home")
    page.wait_for_selector(".controls")


def focus_of(page: "Page") -> Json:
    """Return what the focused element is, and what it is called."""
    found: Json = page.evaluate(
        """() => {
          const { id, className, ariaLabel, innerText } = document.activeElement;
          return { id, class: className, label: ariaLabel ?? '', text: innerText };
        }"""
    )
    return found


def press_until(person: Seated, is_it: Callable[[str], bool]) -> None:
    """Press Tab until the focus is where it should be; everything in between can be seen."""
    for _ in range(40):
        person.page.keyboard.press("Tab")
        focus: dict[str, Any] = person.page.evaluate(
            """() => {
              const at = document.activeElement, box = at.getBoundingClientRect();
              return { text: at.innerText ?? '', width: box.width, height: box.height };
            }"""
        )
        assert min(focus["width"], focus["height"]) > 0, focus
        if is_it(focus["text"]):
            return
    raise AssertionError("the Tab key never came there")


def choose(person: Seated, what: str, label: str) -> None:
    """Go to a group of choices by Tab and to one of them by arrows."""
    names = {"preset": "Length", "level": "Strength", "starter": "Who starts"}
    page = person.page
    for _ in range(20):
        page.keyboard.press("Tab")
        legend = page.evaluate(
            "document.activeElement.closest('fieldset')?.querySelector('legend').textContent"
        )
        if legend == names[what]:
            break
    else:
        raise AssertionError(f"the Tab key never came to {names[what]}")
    for _ in range(8):
        if page.get_by_role("radio", name=label).first.is_checked():
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrows never came to {label}")


def test_a_match_with_a_friend_from_the_link_to_the_rematch(guest: New) -> None:
    ann, ben, eve = guest(viewport=PHONE), guest(viewport=DESKTOP), guest(viewport=PHONE)
    ann.open_table("friend", name="Ann", starter="you")
    link = ann.invite
    for person in (ben, eve):  # looking takes no seat, however often
        person.page.goto(link)
        person.page.get_by_role("button", name="Join").wait_for()
        person.page.reload()
        person.page.get_by_role("button", name="Join").wait_for()
    assert ann.snapshot()["status"] == "waiting"
    ben.join(link, "Ben")
    for person in (ann, ben):
        person.page.wait_for_selector(".board")
    assert ann.snapshot()["names"] == {"A": "Ann", "B": "Ben"}

    eve.page.goto(link)
    eve.page.get_by_text("The seat is taken").wait_for()
    eve.page.get_by_role("link", name="Watch").click()
    eve.page.wait_for_selector(".watching")
    assert eve.page.locator("[data-hand]").count() == 0

    play_a_round(ann, ben)
    for person in (ann, ben, eve):
        person.page.wait_for_selector("#match-title")
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.get_by_text("Rematch offered").wait_for()
    ben.page.get_by_role("button", name="Accept the rematch").click()
    for person in (ann, ben):
        person.page.wait_for_url(lambda url: not url.endswith(ann.table_id))
        person.page.wait_for_selector(".board")
    finished = ann.table_id
    assert ann.page.url == ben.page.url
    ben.table_id = ann.page.url.rsplit("/", 1)[-1]
    assert ben.snapshot()["to_move"] == "B"  # Ann began the first match
    assert finished != ben.table_id


def test_a_friend_joins_by_typing_the_code(guest: New) -> None:
    ann, ben = guest(viewport=DESKTOP), guest(viewport=SMALL)
    ann.open_table("friend", name="Ann", starter="you")
    ann.page.wait_for_selector(".code b")
    code = ann.page.locator(".code b").inner_text()
    page, keyboard = ben.page, ben.page.keyboard
    ben.may_complain("status of 404")  # the browser's own line about the code that is not there
    ben.go("/")
    for wrong, sentence in (
        ("hello", "A code has ten letters and digits."),
        ("22222 22222", "There is no such invitation here."),
    ):
        page.get_by_label("Join with a code").fill(wrong)
        keyboard.press("Enter")
        page.get_by_role("alert").get_by_text(sentence).wait_for()
        assert page.evaluate("document.activeElement.id") == "code"
    page.get_by_label("Join with a code").fill(f" {code[:5].lower()} - {code[5:].lower()} ")
    page.get_by_role("button", name="Continue").tap()
    page.get_by_role("heading", name="Ann invites you").wait_for()
    assert ann.snapshot()["status"] == "waiting"  # a code alone takes no seat
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Join").tap()
    for person in (ann, ben):
        person.page.wait_for_selector(".board")
    assert ann.snapshot()["names"] == {"A": "Ann", "B": "Ben"}


def test_the_way_back_to_a_seat_is_offered_once(guest: New) -> None:
    ann, ben, other = guest(viewport=PHONE), guest(viewport=SMALL), guest(viewport=PHONE)
    for person in (ann, ben):
        person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.open_table("friend", name="Ann", starter="you")
    links = [copied_way_back(ann)]
    ben.join(ann.invite, "Ben")
    for person in (ann, ben):
        person.page.wait_for_selector(".board")
    links.append(copied_way_back(ben))
    assert ann.page.locator(".way").count() == 0  # a host is told in the waiting room only
    assert faults_of(ben.page) == []
    assert too_wide(ben.page) == []

    for link, name in zip(links, ("Ann", "Ben"), strict=True):
        other.page.goto(link)
        other.page.get_by_role("button", name="Take my seat").tap()
        other.page.wait_for_selector(".board")
        other.table_id = ann.table_id
        assert other.snapshot()["names"][other.snapshot()["viewer"]] == name
        other.page.context.clear_cookies()

    ben.page.locator(".way").get_by_role("button", name="Close").tap()
    ben.page.wait_for_selector(".way", state="detached")
    ben.page.reload()
    ben.page.wait_for_selector(".board")
    assert ben.page.locator(".way").count() == 0


def copied_way_back(person: Seated) -> str:
    """Copy the link that is offered; it stands nowhere else."""
    page = person.page
    way = page.get_by_role("region", name="A way back to this seat")
    way.get_by_role("button", name="Copy the way back").tap()
    way.get_by_role("button", name="Copied").wait_for()
    link: str = page.evaluate("navigator.clipboard.readText()")
    token = link.split("#")[1]
    assert len(token) == 22
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
    assert token not in page.url + page.content() + stored
    return link


def test_a_newer_way_back_takes_the_place_of_the_one_that_was_offered(guest: New) -> None:
    ann, ben = guest(viewport=PHONE), guest(viewport=PHONE)
    # Over http from another machine there is no clipboard: then the link is shown, to be copied by hand.
    ben.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ann.open_table("friend", name="Ann")
    ben.join(ann.invite, "Ben")
    link = ben.page.locator(".way").get_by_label("Link back to your seat")
    assert "/recover#" in link.input_value()
    ben.page.wait_for_selector(".board")
    ben.page.get_by_role("button", name="Menu").tap()
    ben.page.get_by_role("button", name="A way back to this seat").tap()
    ben.page.locator("dialog[open] a[href*='/recover']").wait_for()
    assert ben.page.locator(".way").count() == 0


def test_against_the_computer_and_on_one_device_no_way_back_is_offered(guest: New) -> None:
    for kind in ("computer", "local"):
        ann = guest(viewport=PHONE)
        ann.open_table(kind, name="Ann")
        ann.page.wait_for_selector(".board, #cover-title")
        assert ann.page.locator(".way").count() == 0


def test_levels_have_names_in_the_language_of_the_reader(guest: New) -> None:
    ann = guest(viewport=PHONE, locale="de-DE")
    page = ann.page
    ann.go("/new")
    page.locator("input[value='level:3']").check(force=True)
    assert page.get_by_role("radio", name="3. Bergführer").is_checked()
    page.get_by_role("radio", name="Kurz").check(force=True)
    page.get_by_role("radio", name="Ich", exact=True).check(force=True)
    page.locator("button.go").tap()
    assert ann.wait_for_turn()
    assert page.locator("header .who").inner_text() == "Bergführer"
    ann.take_turn_by_keys()
    assert ann.wait_for_turn()
    assert ann.status.split("\n")[-1].startswith("Bergführer hat ")
    for path in ("/", f"/replay/{page.url.rsplit('/', 1)[-1]}"):
        ann.go(path)
        page.get_by_text("Bergführer").first.wait_for()
        assert "Guide" not in page.locator("body").inner_text()


def play_a_round(one: Seated, other: Seated) -> None:
    """Take turns until the round is over; what one does, the other is told."""
    people = {"A": one, "B": other}
    for person in people.values():
        person.page.wait_for_selector(f".banner, {'#match-title'}")
    while not (one.is_over() or other.is_over()):
        mover = one if one.can_move() else other
        if not mover.can_move():
            one.page.wait_for_timeout(20)
            continue
        mover.take_turn_by_keys()


def test_pass_and_play_covers_the_cards(guest: New) -> None:
    ann = guest(viewport=PHONE)
    ann.open_table("local", name="Ann", other="Cleo", starter="you")
    page = ann.page
    drawn = ""
    for turn in range(6):
        page.wait_for_selector("#cover-title")
        name, other = ("Ann", "Cleo") if turn % 2 == 0 else ("Cleo", "Ann")
        assert page.locator("#cover-title").inner_text() == f"{name} is next"
        text = page.locator("body").inner_text() + page.content()
        assert "data-hand" not in text
        if drawn:
            assert drawn not in page.locator("body").inner_text()
            assert drawn not in page.locator("#app").inner_html()
        page.get_by_role("button", name=f"I am {name}").tap()
        page.wait_for_selector(".banner.on")
        page.locator(".hand .card").nth(7).tap()
        page.locator(".pile.open").tap()
        ann.deck.tap()
        page.get_by_role("button", name=f"Pass on to {other}").wait_for()
        found = re.search(r"and drew (.*)\.", page.locator(".status .line").inner_text())
        assert found
        drawn = found[1]
        page.get_by_role("button", name=f"Pass on to {other}").tap()


def test_pass_and_play_to_the_end(guest: New) -> None:
    ann = guest(viewport=PHONE)
    ann.open_table("local", name="Ann", other="Cleo", starter="other")
    page = ann.page
    while not page.locator("#match-title").count():
        page.wait_for_selector("#cover-title, #match-title")
        if page.locator("#match-title").count():
            break
        page.keyboard.press("Enter")
        page.wait_for_selector(".banner.on")
        ann.page.keyboard.press("1")
        ann.page.keyboard.press("x")
        ann.page.keyboard.press(" ")
        page.wait_for_selector("[class~='actions'] .button:has-text('Pass on'), #match-title")
        if not page.locator("#match-title").count():
            page.locator(".actions .button").click()
    assert page.locator("#match-title").inner_text() == "The match is drawn, 0 points each."


def test_a_finished_match_can_be_replayed_verified_and_taken_home(
    guest: New, tmp_path: Path
) -> None:
    ann = guest(viewport=PHONE)
    ann.open_table(preset="quick", name="Ann")
    page = ann.page
    while ann.wait_for_turn():
        ann.take_turn_by_keys()
        if ann.is_over():
            break
    page.get_by_role("link", name="Verify the deal").click()
    page.wait_for_selector(".verdict.good")
    assert page.locator(".checks li").count() >= 4
    assert page.get_by_text("The commitment was remembered by this browser").count() == 1
    assert page.get_by_text("The server's own check, another program, finds the same.").count() == 1
    page.go_back()
    page.wait_for_selector("#match-title")

    with page.expect_download() as coming:
        page.get_by_role("link", name="Download the record").click()
    record = tmp_path / coming.value.suggested_filename
    coming.value.save_as(record)
    assert record.suffix == ".lcr"
    deal = run("deal", "verify", str(record))
    assert deal.returncode == 0, deal.stdout + deal.stderr
    bot = run("verify-bot", str(record))
    assert bot.returncode == 0, bot.stdout + bot.stderr

    page.get_by_role("link", name="Replay", exact=True).click()
    page.wait_for_selector(".controls")
    steps = walk(ann)
    final = ann.snapshot()
    assert steps[-1]["deck"] == 0
    assert page.locator(".near .total b").inner_text().replace("−", "-") == str(
        final["scores"]["A"]["total"]
    )


def walk(person: Seated) -> list[Json]:
    """Step through a replay by its button, and back by the keyboard."""
    page = person.page
    steps: list[Json] = []
    forward = page.get_by_role("button", name="step forward")
    while True:
        steps.append({"text": page.locator(".controls p").inner_text(), "deck": cards_left(person)})
        if forward.is_disabled():
            break
        forward.click()
    place = page.locator(".place").inner_text()
    assert place == f"{len(steps) - 1} of {len(steps) - 1}"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".controls p").inner_text() == steps[-2]["text"]
    page.keyboard.press("Home")
    assert page.locator(".controls p").inner_text() == steps[0]["text"]
    page.keyboard.press("End")
    decks = [step["deck"] for step in steps]
    assert decks == sorted(decks, reverse=True)
    return steps


def cards_left(person: Seated) -> int:
    label = person.deck.get_attribute("aria-label") or ""
    return int(label.split()[0])


def test_a_running_match_can_be_looked_back_on_without_seeing_more(guest: New) -> None:
    ann = guest(viewport=DESKTOP)
    ann.open_table(preset="quick")
    for _ in range(3):
        assert ann.wait_for_turn()
        ann.take_turn_by_keys()
    assert ann.wait_for_turn()
    ann.page.keyboard.press("[")
    ann.page.wait_for_selector(".controls")
    assert ann.page.get_by_text("The match is running: you see what you saw.").count() == 1
    theirs = ann.page.locator("main section").first
    assert theirs.locator("li").count() == 8
    assert theirs.get_by_text("hidden card").count() >= 7
    ann.page.get_by_role("link", name="To the table").click()
    assert ann.wait_for_turn()
