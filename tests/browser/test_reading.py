"""What a screen reader finds: the trees of the key states as text, and what is said aloud."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from browser.conftest import DESKTOP
from browser.gallery import SCENES, come_to
from browser.playing import OVER, Seated
from browser.prepared import BEN, Shelved

if TYPE_CHECKING:
    from playwright.sync_api import Locator

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


def said(place: "Locator") -> str:
    """Return what a live region says."""
    return place.inner_text().replace("\u00a0", "").strip()


def pair(sit: Callable[..., Seated], name: str) -> tuple[Seated, Seated]:
    """Bring both to a table."""
    people = sit(name), sit(name, BEN)
    for person in people:
        person.go_to_table()
        person.page.wait_for_selector(".banner")
    return people


@pytest.mark.parametrize("name", ["nearly over", "ending"])
def test_the_end_of_a_round_and_of_a_match_is_said(name: str, sit: Callable[..., Seated]) -> None:
    ann, ben = pair(sit, name)
    name_of = {ann: "Ann", ben: "Ben"}
    mover, other = (ann, ben) if ann.can_move() else (ben, ann)
    mover.stage_discard()
    mover.deck.click()
    for person in (ann, ben):
        person.page.wait_for_selector(OVER)
    is_match = name == "ending"
    shown = ann.snapshot()
    points = shown["history"][-1]
    for person, seat, theirs in ((ann, "A", "Ben"), (ben, "B", "Ann")):
        loud = said(person.page.locator("[data-loud]"))
        has_won = points[seat] == max(points.values())
        of_round = "You win round 1" if has_won else f"{theirs} wins round 1"
        of_match = "You win the match" if has_won else f"{theirs} wins the match"
        assert of_round in loud
        assert (of_match in loud) == is_match
        assert loud.startswith(f"{name_of[mover]} discarded") == (person is other)
    assert said(mover.page.locator("[data-soft]")).startswith("You discarded")


def test_a_resignation_is_said(sit: Callable[..., Seated]) -> None:
    ann, ben = pair(sit, "leaving")
    ben.page.locator(".corners .menu").click()
    ben.page.get_by_role("button", name="Give up the match").click()
    for person in (ann, ben):
        person.page.wait_for_selector("#match-title")
    assert said(ann.page.locator("[data-loud]")) == "Ben gave up the match."
    assert said(ben.page.locator("[data-loud]")) == "You gave up; Ann wins the match."


def test_what_is_said_aloud(sit: Callable[..., Seated]) -> None:
    ann, ben = sit("spoken"), sit("spoken", BEN)
    for person in (ann, ben):
        person.go_to_table()
        person.page.wait_for_selector(".banner")
    loud, soft = (ann.page.locator(f"[data-{kind}]") for kind in ("loud", "soft"))
    assert loud.get_attribute("aria-live") == "assertive"
    assert soft.get_attribute("aria-live") == "polite"

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
