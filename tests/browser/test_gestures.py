"""Ways to make a turn beside tapping: dragging a card, holding to draw, the keys of the piles."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from browser.conftest import DESKTOP
from browser.playing import Seated

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Sit = Callable[..., Seated]
HELD_MS = 600
"""Longer than the client asks for."""
TAKE_KEYS = "qwerty"


def drag(person: Seated, card: "Locator", target: "Locator") -> None:
    """Take a card with the mouse, and let it go over something else."""
    mouse = person.page.mouse
    for press, place in ((mouse.down, card), (mouse.up, target)):
        box = place.bounding_box()
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        press()


def at_table(sit: Sit, name: str) -> Seated:
    person = sit(name, viewport=DESKTOP)
    person.go_to_table()
    assert person.wait_for_turn()
    return person


def test_a_card_can_be_dragged_to_its_pile(sit: Sit) -> None:
    ann = at_table(sit, "dragged")
    page, before = ann.page, ann.snapshot()
    cards = page.locator(".hand .card")
    drag(ann, cards.nth(3), page.locator("header"))  # nowhere: back to the hand
    assert cards.nth(3).get_attribute("aria-pressed") == "false"
    assert page.locator(".deck.source").count() == 0
    drag(ann, cards.nth(3), page.locator("[data-drop=discard]").last)  # any of the piles will do
    page.wait_for_selector(".deck.source")
    assert cards.nth(3).get_attribute("aria-pressed") == "true"  # letting go is no click beside
    assert ann.snapshot()["version"] == before["version"]
    ann.deck.click()
    ann.wait_until_done()
    after = ann.snapshot()
    assert (after["last"]["seat"], after["last"]["to"]) == ("A", "pile")
    assert after["deck"] == before["deck"] - 1


def test_a_card_can_be_dragged_to_its_expedition_or_is_refused_there(sit: Sit) -> None:
    ann = at_table(sit, "plays")
    page = ann.page
    at, is_play = ann.plan()
    assert is_play
    cards = page.locator(".hand .card")
    columns = page.locator("[data-drop=play]")
    drag(ann, cards.nth(at), columns.first)
    page.wait_for_selector(".deck.source")
    page.keyboard.press("u")
    page.keyboard.press("u")
    barred = next(n for n, label in enumerate(ann.labels) if "would add" not in label)
    drag(ann, cards.nth(barred), columns.first)
    assert page.locator(".deck.source").count() == 0
    assert "bad" in (page.locator(".status .line").get_attribute("class") or "")


def test_holding_guards_the_draw_and_keys_need_none(sit: Sit) -> None:
    ann = sit("held", viewport=DESKTOP)
    page = ann.page
    ann.go("/settings")
    page.get_by_role("switch", name="Hold to draw").check(force=True)
    ann.go_to_table()
    assert ann.wait_for_turn()
    before = ann.snapshot()
    ann.stage_discard(2)
    in_bar = page.get_by_role("button", name="Draw from the deck")
    for deck in (ann.deck, in_bar):
        deck.click()
        page.get_by_text("Hold a little longer to draw.").first.wait_for()
        assert ann.snapshot()["version"] == before["version"]
    ann.deck.hover()
    page.mouse.down()
    page.wait_for_timeout(HELD_MS)
    page.mouse.up()
    ann.wait_until_done()
    after = ann.snapshot()
    assert (after["version"], after["deck"]) == (before["version"] + 1, before["deck"] - 1)

    ben = sit("held", 1)
    ben.move_by_request()
    assert ann.wait_for_turn()
    ann.stage_discard(2)
    page.locator("#hand").focus()
    page.keyboard.press(" ")
    ann.wait_until_done()
    assert ann.snapshot()["deck"] == after["deck"] - 2


def test_the_keys_of_the_piles_take_from_them(sit: Sit) -> None:
    ann = at_table(sit, "by key")
    page, keyboard, before = ann.page, ann.page.keyboard, ann.snapshot()
    colors = before["variant"]["colors"]
    color = next(color for color in colors if before["piles"][color])
    top = before["piles"][color][-1]
    ann.stage_discard(next(at for at, card in enumerate(in_order(ann)) if card[0] != color))
    empty = next((other for other in colors if not before["pile_sizes"][other]), None)
    shown = page.locator(f"[data-spot='pile-{color}'] kbd [data-text]").get_attribute("data-text")
    key = TAKE_KEYS[colors.index(color)]
    assert shown == key.upper()
    if empty is not None:
        keyboard.press(TAKE_KEYS[colors.index(empty)])
        assert ann.snapshot()["version"] == before["version"]
    keyboard.press(key)
    ann.wait_until_done()
    last = ann.snapshot()["last"]
    assert (last["draw"], last["drawn"]) == (color, top)
    assert top in ann.snapshot()["hand"]


def in_order(person: Seated) -> list[str]:
    """Return the cards of the hand as they lie on the screen."""
    letters = {"yellow": "Y", "blue": "B", "white": "W", "green": "G", "red": "R", "purple": "P"}
    return [letters[label.split("(")[1].split(")")[0]] for label in person.labels]
