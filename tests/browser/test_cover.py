"""Pass and play: while the device changes hands, the page knows nothing that one of the two may not see."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from browser.conftest import DESKTOP
from browser.playing import Json, Seated
from browser.prepared import ANN, BEN, Shelved

Sit = Callable[..., Seated]
Tables = dict[str, Shelved]
_RANKS: Final = {"T": "10", "x": "wager"}
_COLORS: Final = {
    "Y": ("Sun", "yellow"),
    "B": ("Wave", "blue"),
    "W": ("Peak", "white"),
    "G": ("Leaf", "green"),
    "R": ("Flame", "red"),
    "P": ("Star", "purple"),
}
_WORDS: Final = ("hand", "last", "repeat", "board", "scores", "left", "known", "undo", "help")


def card_name(card: str) -> str:
    """Return what the page calls a card."""
    place, color = _COLORS[card[0]]
    return f"{place} {_RANKS.get(card[1], card[1])} ({color})"


def secrets_of(person: Seated) -> set[str]:
    """Return the names of the cards that only one of the two knows of."""
    views: list[Json] = [
        person.page.request.get(f"{person.url}/api/tables/{person.table_id}?seat={seat}").json()
        for seat in "AB"
    ]
    shown = views[0]
    lie = [*shown["piles"].values(), *shown["known"].values()]
    lie += [cards for side in shown["expeditions"].values() for cards in side.values()]
    open_cards = {card for cards in lie for card in cards}
    hidden = {card for view in views for card in view["hand"]} - open_cards
    assert len(hidden) >= 8
    return {card_name(card) for card in hidden}


def told(person: Seated) -> str:
    """Return all that the page holds: for the eye, for the ear, and in its elements."""
    page = person.page
    body = page.locator("body")
    return f"{page.title()}\n{body.inner_text()}\n{body.aria_snapshot()}\n{page.content()}"


def menu_entries(person: Seated) -> Iterator[str]:
    """Open the menu and press each entry that stays on the page, one after the other."""
    page = person.page
    open_menu(person)
    labels: list[str] = page.locator("dialog[open] .menu-list button").all_inner_texts()
    assert labels
    page.keyboard.press("Escape")
    for label in labels:
        open_menu(person)
        page.locator("dialog[open] .menu-list").get_by_role("button", name=label).click()
        page.locator("dialog[open] h2").wait_for()
        yield label
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")


def open_menu(person: Seated) -> None:
    person.page.locator(".corners .menu").click()
    person.page.locator("dialog[open] .menu-list").wait_for()


def type_all_words(person: Seated) -> Iterator[str]:
    """Ask every question that can be typed, where typing is open."""
    line = person.page.get_by_label("Turn or question")
    for word in _WORDS if line.count() else ():
        line.fill(word)
        line.press("Enter")
        yield word


def assert_nothing_is_told(person: Seated, moment: str) -> None:
    hidden = secrets_of(person)
    cards = person.page.locator("[data-hand]")

    def look(at: str) -> None:
        text = told(person)
        assert not cards.count(), (moment, at)
        assert not [name for name in hidden if name in text], (moment, at)

    person.page.wait_for_selector("#cover-title")
    look("the cover")
    for key in ("l", "b", "s", "n", "k", "i", "1", "Home"):
        person.page.keyboard.press(key)
        look(f"the key {key}")
    for entry in menu_entries(person):
        look(entry)
        for word in type_all_words(person):
            look(f"{entry}: {word}")
    assert person.page.locator("#cover-title").count() == 1, moment


def on_one_device(sit: Sit, tables: Tables, name: str) -> Seated:
    person = sit(name, None, viewport=DESKTOP)
    for seat in (ANN, BEN):
        person.hold(tables[name], seat)
    return person


@pytest.mark.parametrize("name", ["local", "passed"])
def test_a_reload_shows_nobodys_cards(name: str, sit: Sit, tables: Tables) -> None:
    person = on_one_device(sit, tables, name)
    person.go_to_table()
    person.page.wait_for_selector("#cover-title")
    mover = person.page.locator("#cover-title").inner_text().split()[0]
    assert mover == {"local": "Ann", "passed": "Cleo"}[name]
    assert_nothing_is_told(person, "after a reload")
    person.page.get_by_role("button", name=f"I am {mover}").click()
    assert person.wait_for_turn()
    seat = {"Ann": "A", "Cleo": "B"}[mover]
    shown = person.page.request.get(f"{person.url}/api/tables/{person.table_id}?seat={seat}")
    known = {card_name(card) for card in shown.json()["hand"]}
    assert {label.split(",")[0] for label in person.labels} == known
    assert all(name in told(person) for name in known)


def test_the_cover_falls_over_all_that_was_open(guest: Sit) -> None:
    person = guest(viewport=DESKTOP)
    person.open_table("local", name="Ann", other="Cleo", starter="you")
    page = person.page
    for mover, other in (("Ann", "Cleo"), ("Cleo", "Ann"), ("Ann", "Cleo")):
        page.get_by_role("button", name=f"I am {mover}").click()
        assert person.wait_for_turn()
        page.keyboard.press("i")
        line = page.get_by_label("Turn or question")
        line.fill("hand")
        line.press("Enter")
        page.keyboard.press("Escape")
        person.discard(3)
        page.keyboard.press("l")
        page.get_by_role("button", name=f"Pass on to {other}").click()
        assert page.locator("dialog[open]").count() == 0
        assert_nothing_is_told(person, f"after the turn of {mover}")


def test_a_running_match_is_looked_back_on_without_anybodys_hand(sit: Sit, tables: Tables) -> None:
    person = on_one_device(sit, tables, "passed")
    page = person.page
    hidden = secrets_of(person)
    person.go_to_table()
    open_menu(person)
    page.locator("dialog[open]").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".controls")
    page.get_by_text("The match is running: you see what both of you may know.").wait_for()
    assert page.get_by_text("hidden card").count() == 16
    for _ in range(9):
        assert not [name for name in hidden if name in told(person)]
        page.get_by_role("button", name="step back").click()
    assert page.locator(".place").inner_text() == "0 of 9"
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download the record").click()
    taken = coming.value.path().read_text("utf-8")
    watched = sit("passed", None).page.request
    assert taken == watched.get(f"{person.url}/api/tables/{person.table_id}/record").text()
    assert "data-hand" not in page.content()
