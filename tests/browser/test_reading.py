"""What a screen reader finds: the trees of the key states as text, and what is said aloud."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from browser.conftest import DESKTOP
from browser.gallery import SCENES, come_to
from browser.playing import Seated
from browser.prepared import BEN, Shelved

GOLDEN: Final = Path(__file__).parent / "golden"
KEY_STATES: Final = (
    "home-games",
    "new-local",
    "waiting",
    "table-turn",
    "table-chosen",
    "table-discarded",
    "table-theirs",
    "table-watched",
    "round-end",
    "match-end",
    "cover",
    "replay",
)


@pytest.mark.parametrize("name", KEY_STATES)
def test_the_tree_of(name: str, guest: Callable[..., Seated], tables: dict[str, Shelved]) -> None:
    """Compare with the golden file; LOSTCITIES_WRITE_GOLDEN=1 writes it anew, to be read by a person."""
    person = guest(viewport=DESKTOP)
    scene = next(scene for scene in SCENES if scene.name == name)
    come_to(person, scene, tables)
    tree = person.page.locator("body").aria_snapshot().replace(person.url, "http://table") + "\n"
    file = GOLDEN / f"{name}.yaml"
    if os.environ.get("LOSTCITIES_WRITE_GOLDEN") == "1":
        file.parent.mkdir(exist_ok=True)
        file.write_text(tree, "utf-8")
    assert tree == file.read_text("utf-8")


def test_what_is_said_aloud(sit: Callable[..., Seated]) -> None:
    ann, ben = sit("spoken"), sit("spoken", BEN)
    for person in (ann, ben):
        person.go_to_table()
        person.page.wait_for_selector(".banner")
    loud, soft = (ann.page.locator(f"[data-{kind}]") for kind in ("loud", "soft"))
    assert loud.get_attribute("aria-live") == "assertive"
    assert soft.get_attribute("aria-live") == "polite"

    def said(place: "object") -> str:
        return str(place.inner_text()).replace("\u00a0", "").strip()  # type: ignore[attr-defined] # a locator

    keyboard = ann.page.keyboard
    keyboard.press("1")
    chosen = said(soft)
    assert "is chosen:" in chosen
    assert said(loud) == ""  # what is done here disturbs nobody
    keyboard.press("1")
    assert said(soft) == "No card is chosen."
    keyboard.press("1")
    keyboard.press("x")
    assert "is closed for this draw. Now draw from the deck" in said(soft)
    keyboard.press("u")
    assert said(soft) == "The card is back in your hand."
    raw = soft.inner_text()
    keyboard.press("x")
    keyboard.press("u")
    assert said(soft) == "The card is back in your hand."
    assert soft.inner_text() == raw or soft.inner_text().strip() == raw.strip()
    keyboard.press("x")
    keyboard.press(" ")
    ann.wait_until_done()
    assert said(soft).startswith("You discarded")

    assert ben.wait_for_turn()
    ben.discard(2)
    assert ann.wait_for_turn()
    assert said(loud).startswith("Ben discarded")
    assert said(loud).endswith("Your turn")
    for key, words in (("l", "Ben discarded"), ("n", "cards left in the deck. Turns left: you"),
                       ("s", "You: "), ("b", "Tops of the discard piles:")):  # fmt: skip
        keyboard.press(key)
        assert words in said(soft)


def test_equal_cards_are_told_apart(sit: Callable[..., Seated]) -> None:
    ann = sit("equal")
    ann.go_to_table()
    assert ann.wait_for_turn()
    equal = [label for label in ann.labels if "number" in label]
    assert len(equal) >= 2, ann.labels
    first = ann.labels.index(equal[0])
    ann.page.locator(".hand .card").nth(first + 1).click()
    assert ann.page.locator(".chosen").count() == 1
    assert ann.page.locator(".hand .card").nth(first + 1).get_attribute("aria-pressed") == "true"
    card = ann.snapshot()["hand"]
    ann.page.keyboard.press("x")
    ann.page.keyboard.press(" ")
    ann.wait_until_done()
    after = ann.snapshot()
    left = after["last"]["card"]
    drawn = after["last"]["drawn"]
    assert sorted([*after["hand"], left]) == sorted([*card, drawn])


def test_a_turn_can_be_typed(sit: Callable[..., Seated]) -> None:
    ann = sit("typed")
    ann.go_to_table()
    assert ann.wait_for_turn()
    card = ann.snapshot()["hand"][0]
    ann.page.keyboard.press("i")
    line = ann.page.get_by_label("Turn or question")
    line.fill("scores")
    line.press("Enter")
    ann.page.get_by_text("in this round").first.wait_for()
    line.fill("play purple 99")
    line.press("Enter")
    ann.page.get_by_text("I do not understand").wait_for()
    line.fill(f"-{card}/D")
    line.press("Enter")
    ann.wait_until_done()
    assert ann.snapshot()["last"]["turn"] == f"-{card}/D"
