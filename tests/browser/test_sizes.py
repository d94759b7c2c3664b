"""Small screens, large letters, other languages, still pictures; and how fast the first page is there."""

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

from browser.audit import scroll_sizes, told_by_color, too_wide
from browser.conftest import DESKTOP, PHONE, SMALL
from browser.gallery import SCENES, come_to
from browser.playing import Seated
from browser.prepared import Shelved

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

New = Callable[..., Seated]
LARGER: Final = {"width": 390, "height": 844}
PAGES: Final = ("home-code", "home-games", "new-computer", "waiting", "join", "round-end", "match-end-account",
                "replay", "verify", "settings-keys", "rules", "unseen", "keys")  # fmt: skip
TABLES: Final = ("table-turn", "table-chosen", "table-discarded", "table-late", "table-six")
_LETTERS: Final = "document.documentElement.style.fontSize = '200%'"
_WIDE: Final = """() => [document.documentElement, document.querySelector('.room')]
  .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.tagName)"""
_CUT_OFF: Final = """() => [...document.querySelectorAll(
    'main button, main a, main h1, main p, main label, main legend, main td, main th, header b')]
  .filter((node) => {
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    if (!box.width || style.visibility === 'hidden' || node.closest('.unseen, [aria-hidden=true], .line')) return false;
    return box.right > innerWidth + 1 || box.left < -1 ||
      (style.overflow !== 'visible' && node.scrollWidth > node.clientWidth + 1);
  }).map((node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 40)}`)"""
_OUT_OF_REACH: Final = """(selector) => {
  const found = [...document.querySelectorAll(selector)];
  const isAt = (node, x, y) => node.contains(document.elementFromPoint(x, y));
  return !found.length ? [`no ${selector}`] : found.filter((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const x = (left + right) / 2, y = (top + bottom) / 2;
    const places = [[x, y], [left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3]];
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight ||
      right - left < 24 || bottom - top < 24 || places.some(([x, y]) => !isAt(node, x, y));
  }).map((node) => `${node.className}: ${node.ariaLabel ?? node.textContent}`);
}"""
"""Whatever is not wholly in view, or lies under something else."""
_STYLED: Final = """([selector, style]) =>
  document.querySelectorAll(selector).forEach((node) => { node.style.cssText = style })"""
_SHIFTS: Final = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) window.shifts.push([entry.value,
        entry.sources.map(({ node, previousRect: a, currentRect: b }) =>
          `${node?.className ?? node?.parentNode?.className}: ${a.x},${a.y} ${a.width} > ${b.x},${b.y} ${b.width}`).join(' ')]);
  }).observe({ type: 'layout-shift', buffered: true });
}"""


def settings(person: Seated, **wishes: str) -> None:
    """Keep settings in the browser, as the page of settings does."""
    text = json.dumps(json.dumps(wishes))
    person.page.add_init_script(f"localStorage.setItem('lostcities.settings', {text})")


def scene_named(name: str) -> Any:  # noqa: ANN401 # one of the gallery
    return next(scene for scene in SCENES if scene.name == name)


@pytest.mark.parametrize(
    ("size", "language"),
    [
        (PHONE, "en"),
        (PHONE, "pseudo"),
        (SMALL, "en"),
        (SMALL, "de"),
        (SMALL, "es"),
        (SMALL, "pseudo"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value["width"]),
)
def test_a_turn_needs_no_scrolling(
    size: dict[str, int], language: str, guest: New, tables: dict[str, Shelved]
) -> None:
    ann = guest(viewport=size)
    settings(ann, language=language)
    for name in TABLES:
        come_to(ann, scene_named(name), tables)
        assert scroll_sizes(ann.page) == [size["height"], size["width"]] * 2, name
        for selector in (".actions", ".hand .card:last-child", ".corners .menu"):
            box = ann.page.locator(selector).bounding_box()
            assert box is not None
            sides = box["x"], size["width"] - box["x"] - box["width"]
            ends = box["y"], size["height"] - box["y"] - box["height"]
            assert min(*sides, *ends) >= -1, (name, selector)
        assert ann.page.evaluate(_CUT_OFF) == [], name


@pytest.mark.parametrize("language", ["de", "es", "pseudo"])
def test_nothing_is_wider_than_320(language: str, guest: New, tables: dict[str, Shelved]) -> None:
    ann = guest(viewport=SMALL)
    settings(ann, language=language)
    for name in PAGES:
        come_to(ann, scene_named(name), tables)
        assert too_wide(ann.page) == [], name


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_letters_twice_as_large(
    size: dict[str, int], guest: New, tables: dict[str, Shelved]
) -> None:
    ann = guest(viewport=size)
    ann.page.add_init_script(
        f"document.addEventListener('DOMContentLoaded', () => {{ {_LETTERS} }})"
    )
    for name in (*PAGES, *TABLES):
        come_to(ann, scene_named(name), tables)
        ann.page.wait_for_timeout(50)
        assert too_wide(ann.page) == [], name
        assert ann.page.evaluate(_CUT_OFF) == [], name


@pytest.mark.parametrize(
    ("name", "size", "language"),
    [
        ("middle", PHONE, "en"),
        ("middle", LARGER, "de"),
        ("late", PHONE, "es"),
        ("six", PHONE, "de"),
        ("six", PHONE, "es"),
        ("six", LARGER, "en"),
        ("six", SMALL, "en"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value["width"]),
)
def test_with_letters_twice_as_large_all_that_a_turn_needs_is_within_reach(
    name: str, size: dict[str, int], language: str, sit: New
) -> None:
    """The board scrolls, up and down only; hand and actions stay, and what a card is for comes forward."""
    ann = sit(name, viewport=size)
    settings(ann, language=language)
    ann.page.add_init_script(
        f"document.addEventListener('DOMContentLoaded', () => {{ {_LETTERS} }})"
    )
    ann.go_to_table()
    assert ann.wait_for_turn()
    page = ann.page

    def is_within_reach(*selectors: str) -> None:
        assert page.evaluate(_WIDE) == []
        assert page.evaluate(_CUT_OFF) == []
        for selector in (".hand .card", *selectors):
            assert page.evaluate(_OUT_OF_REACH, selector) == [], selector

    for place in (0, 9999):
        page.locator(".room").evaluate("(room, place) => room.scrollTo(0, place)", place)
        is_within_reach(".actions")
    cards = page.locator(".hand .card")
    can_play = [card["play"]["ok"] for card in ann.snapshot()["cards"]]
    for at, can in enumerate(can_play):
        page.locator(".room").evaluate("(room) => room.scrollTo(0, 0)")
        cards.nth(at).tap()
        page.wait_for_timeout(50)
        # Where the card may go, or the sentence that says why it may not.
        is_within_reach(".actions .button", ".near .column.open" if can else ".status")
        page.locator(".actions .button").nth(1).tap()
        page.wait_for_timeout(50)
        is_within_reach(".actions .button", ".deck.source", ".pile.closed")
        if page.locator(".pile.source").count() > 1:
            is_within_reach(".pile.source")
        page.locator(".actions .button").last.tap()
        page.locator(".actions .button").last.tap()


def test_a_turn_with_letters_twice_as_large(sit: New) -> None:
    ann = sit("large", viewport=PHONE)
    ann.go_to_table()
    ann.page.evaluate(_LETTERS)
    assert ann.wait_for_turn()
    ann.page.locator(".hand .card").first.tap()
    ann.page.get_by_role("button", name="Discard", exact=True).tap()
    ann.page.get_by_role("button", name="Draw from the deck").tap()
    ann.wait_until_done()
    assert ann.snapshot()["last"]["to"] == "pile"
    assert ann.page.evaluate(_OUT_OF_REACH, ".hand .card") == []


def test_nothing_jumps_when_cards_come(sit: New, guest: New, tables: dict[str, Shelved]) -> None:
    for size in (PHONE, DESKTOP):
        ann = sit("shift", viewport=size, reduced_motion="no-preference")
        ann.page.add_init_script(f"({_SHIFTS})()")
        ann.go_to_table()
        assert ann.wait_for_turn()
        ann.page.wait_for_timeout(300)
        ann.discard()
        ben = sit("shift", 1, viewport=size)
        ben.go_to_table()
        assert ben.wait_for_turn()
        ben.discard()
        assert ann.wait_for_turn()
        ann.page.wait_for_timeout(500)
        assert ann.page.evaluate("window.shifts") == []

        home = guest(viewport=size)
        for name in ("start", "middle", "late"):
            home.hold(tables[name], 0)
        home.page.add_init_script(f"({_SHIFTS})()")
        home.go("/")
        home.page.wait_for_selector(".game")
        home.page.reload()  # from the second time on the places are held
        home.page.wait_for_selector("a.game")
        home.page.wait_for_timeout(300)
        assert home.page.evaluate("window.shifts") == []


def test_reduced_motion_moves_nothing(sit: New) -> None:
    still = sit("motion", reduced_motion="reduce")
    moving = sit("motion", reduced_motion="no-preference")
    for person in (still, moving):
        person.page.add_init_script(
            """window.flights = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...how) { window.flights += 1; return animate.apply(this, how); };"""
        )
        person.go_to_table()
        person.page.wait_for_selector(".banner")
    other = sit("motion", 1)
    other.go_to_table()
    mover = other if other.snapshot()["to_move"] == "B" else still
    assert mover.wait_for_turn()
    mover.discard()
    for person, moves in ((still, False), (moving, True)):
        person.page.wait_for_timeout(300)
        assert (person.page.evaluate("window.flights") > 0) == moves
        breath = person.page.evaluate(
            "document.getAnimations().filter((one) => one.animationName === 'breathe').length"
        )
        assert breath == 0
    slow = still.page.evaluate(
        """[...document.querySelectorAll('*')].filter((node) =>
          getComputedStyle(node).transitionDuration.split(', ').some((time) => parseFloat(time) > 0)).length"""
    )
    assert slow == 0


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_system_chooses_the_theme_unless_a_person_has(system: str, guest: New) -> None:
    ground = {
        "light": "rgb(243, 239, 230)",
        "dark": "rgb(27, 33, 41)",
        "contrast": "rgb(255, 255, 255)",
    }
    colors = """() => { const style = getComputedStyle(document.documentElement);
      return [style.backgroundColor, getComputedStyle(document.body).color]; }"""
    ann = guest(color_scheme=system, java_script_enabled=False)
    ann.page.goto(ann.url)  # as it is before the first script: nothing may flash
    first = ann.page.evaluate(colors)
    assert first[0] == ground[system]
    for theme in ("system", "light", "dark", "contrast"):
        ben = guest(color_scheme=system)
        settings(ben, theme=theme)
        ben.go("/")
        shown = system if theme == "system" else theme
        assert ben.page.evaluate(colors)[0] == ground[shown]
        assert (ben.page.evaluate(colors) == first) == (shown == system)


def test_forced_colors_keep_every_difference(guest: New, tables: dict[str, Shelved]) -> None:
    ann = guest(viewport=PHONE, forced_colors="active")
    come_to(ann, scene_named("table-discarded"), tables)
    outline = """(selector) => { const style = getComputedStyle(document.querySelector(selector));
      return `${style.outlineStyle} ${style.outlineWidth}`; }"""
    assert ann.page.evaluate(outline, ".pile.source:not(.deck)") == "solid 3px"
    assert ann.page.evaluate(outline, ".pile.closed") == "dotted 2px"
    assert ann.page.evaluate(outline, ".hand .chosen") == "solid 4px"
    fills = ann.page.evaluate(
        """[...new Set([...document.querySelectorAll('.hand .face')].map((node) =>
          getComputedStyle(node).backgroundColor))].length"""
    )
    assert fills == 1  # no card is told by its color


def test_columns_of_wagers_are_told_apart_without_color(sit: New) -> None:
    """One to three wagers and nothing on them, in wide and in narrow columns."""
    wagers = {
        color: [f"{color}x"] * num for color, num in zip("YBWGR", (3, 2, 1, 3, 2), strict=True)
    }
    for size in (SMALL, PHONE, DESKTOP):
        ann = sit("middle", viewport=size)

        def change(snapshot: dict[str, Any]) -> None:
            snapshot["expeditions"] = {"A": wagers, "B": wagers}

        change_snapshots(ann, change)
        ann.go_to_table()
        ann.page.wait_for_selector(".strip")
        assert ann.page.locator(".stack").count() == 10
        assert told_by_color(ann.page) == [], size
        cut_off = ann.page.locator(".strip svg[data-symbol=wager]").evaluate_all(
            "signs => signs.filter((sign) => sign.getBoundingClientRect().right > sign.closest('.strip').getBoundingClientRect().right - 2).length"
        )
        assert cut_off == 0, size


def test_what_is_told_by_color_alone_is_found(sit: New) -> None:
    ann = sit("middle", viewport=PHONE)
    ann.go_to_table()
    assert ann.wait_for_turn()
    for style, selector, fault in (
        ("visibility: hidden", ".hand .face .mark", "no symbol"),
        ("border: 0", ".hand .face", "no outline"),
        ("border-color: var(--table)", ".hand .face", "no outline"),
        ("color: var(--fill)", ".hand .face", "too little between ground and sign"),
    ):
        ann.page.evaluate(_STYLED, [selector, style])
        faults = told_by_color(ann.page)
        assert len(faults) == 8, faults
        assert all(fault in each for each in faults)
        ann.page.evaluate(_STYLED, [selector, ""])
    assert told_by_color(ann.page) == []


def change_snapshots(person: Seated, change: Callable[[dict[str, Any]], None]) -> None:
    """Have the page see other tables than the server sends."""

    def follow(route: "WebSocketRoute") -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message.get("snapshot"):
                change(message["snapshot"])
            route.send(json.dumps(message))

        server.on_message(pass_on)

    person.page.route_web_socket("**/socket*", follow)


def test_many_known_cards_are_counted(sit: New) -> None:
    """More than the strip has room for: some are shown, the others counted, all are named."""
    known = ["R5", "G7", "B2", "Y9", "W4", "Rx"]
    for size in (SMALL, PHONE, DESKTOP):
        ann = sit("middle", viewport=size)

        change_snapshots(ann, lambda snapshot: snapshot["known"].update(B=known))
        ann.go_to_table()
        ann.page.wait_for_selector(".known")
        box = ann.page.locator(".known").bounding_box()
        strip = ann.page.locator("header .seat").bounding_box()
        assert box is not None
        assert strip is not None
        inside = ann.page.locator(".known").evaluate(
            "(node) => node.scrollWidth <= node.clientWidth"
        )
        assert inside
        assert box["x"] + box["width"] <= strip["x"] + strip["width"] + 0.5
        words = ann.page.locator(".known").text_content() or ""
        assert all(name in words for name in ("Flame 5", "Leaf 7", "Wave 2", "Sun 9", "Peak 4"))


def test_the_first_page_is_small_and_there_at_once(guest: New) -> None:
    ann = guest(viewport=PHONE)
    ann.go("/")  # once, so that the server has read its files
    first = guest(viewport=PHONE)
    began = time.perf_counter()
    first.page.goto(f"{first.url}/")
    first.page.get_by_role("link", name="Play the computer").click()
    first.page.wait_for_selector("input[value='level:3']", state="attached")
    seconds = time.perf_counter() - began
    assert seconds < 5  # one on a machine that does nothing else; this one may be busy
    sizes = first.page.evaluate(
        """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .map((entry) => [entry.name, entry.transferSize])"""
    )
    assert len(sizes) >= 4
    assert all(size > 0 for name, size in sizes if "/api/" not in name), sizes
    assert sum(size for _, size in sizes) < 150_000, sizes
    ready = first.page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    assert ready < 3000
