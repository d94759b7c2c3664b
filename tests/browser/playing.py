"""One person with a browser: what they see, press and type."""

import re
import time
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from browser.prepared import Shelved
from lostcities.rules import Seat

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Locator, Page

OVER: Final = "#round-title, #match-title"
_GAIN: Final = re.compile(r"would add ([−+])(\d+)")
Json = dict[str, Any]
_SEEN: Final = """() => {
  const number = (text) => Number(text.replace('−', '-'));
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    over: all('#round-title, #match-title').length,
    hand: all('.hand .card:not(.empty)').length,
    own: all('.banner.on').length === 1,
    deck: parseInt(all('[data-spot="deck"] button')[0]?.ariaLabel ?? '-1'),
    column: number(all('.near .total b')[0]?.textContent ?? '-1000'),
  };
}"""


class Seated:
    """A page, and the troubles that it had."""

    def __init__(self, page: "Page", url: str) -> None:
        self.page = page
        self.url = url
        self.table_id = ""
        self.troubles: list[str] = []
        self.expected: list[str] = []
        page.set_default_timeout(20_000)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.troubles.append(f"{page.url}: {error}"))

    def _on_console(self, message: "ConsoleMessage") -> None:
        text = f"{message.type}: {message.text}"
        if message.type in ("error", "warning") and not any(part in text for part in self.expected):
            self.troubles.append(f"{self.page.url}: {text}")

    def may_complain(self, *parts: str) -> None:
        """Name what the browser says on its console when a test makes something fail."""
        self.expected.extend(parts)

    # --- coming ------------------------------------------------------------------------------

    def hold(self, table: Shelved, seat: Seat) -> None:
        """Give this browser the cookie of a seat."""
        name, value = table.cookie(seat)
        place = {"domain": "127.0.0.1", "path": "/api", "httpOnly": True, "sameSite": "Lax"}
        self.page.context.add_cookies([{"name": name, "value": value, **place}])  # type: ignore[typeddict-item] # the same keys

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)
        self.page.wait_for_selector("h1")

    def go_to_table(self) -> None:
        self.go(f"/t/{self.table_id}")

    def open_table(
        self,
        kind: str = "computer",
        *,
        preset: str = "quick",
        starter: str = "you",
        name: str = "",
        other: str = "",
    ) -> None:
        """Open a table as a person does, from the page of a new game."""
        page = self.page
        self.go("/new" if kind == "computer" else f"/new?with={kind}")
        page.get_by_role("radio", name=preset.capitalize()).check(force=True)
        label = {"you": "I start", "other": "The other side", "random": "By lot"}[starter]
        page.get_by_role("radio", name=label).check(force=True)
        if kind == "computer":
            page.locator("input[value='level:1']").check(force=True)
        if name:
            page.get_by_label("Your name").fill(name)
        if other:
            page.get_by_label("Name of the other player").fill(other)
        page.locator("button.go").click()
        page.wait_for_url("**/t/*")
        self.table_id = page.url.rsplit("/", 1)[-1]

    def join(self, link: str, name: str) -> None:
        page = self.page
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/t/*")
        self.table_id = page.url.rsplit("/", 1)[-1]

    @property
    def invite(self) -> str:
        """The link that the waiting room shows."""
        self.page.wait_for_selector(".code b")
        return self.page.locator(".link a").get_attribute("href") or ""

    # --- what is seen ------------------------------------------------------------------------

    def snapshot(self) -> Json:
        """Return how the table stands by the server, asked with this browser's cookies."""
        answer = self.page.request.get(f"{self.url}/api/tables/{self.table_id}")
        assert answer.status == 200, answer.text()
        shown: Json = answer.json()
        return shown

    @property
    def labels(self) -> list[str]:
        """What the cards of the hand are called."""
        found: list[str] = self.page.locator(".hand .card").evaluate_all(
            "cards => cards.map((card) => card.getAttribute('aria-label'))"
        )
        return found

    def can_move(self) -> bool:
        return self.page.locator(".banner.on").count() > 0

    def is_over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def wait_for_turn(self) -> bool:
        """Wait for the own turn; return whether there is one."""
        self.page.wait_for_selector(f".banner.on, {OVER}")
        return not self.is_over()

    def wait_until_done(self) -> None:
        """Wait until the own turn has been made and told; the computer may have moved since."""
        self.page.wait_for_selector(".hand .chosen", state="detached")

    @property
    def deck(self) -> "Locator":
        return self.page.locator('[data-spot="deck"] button')

    @property
    def status(self) -> str:
        return self.page.locator(".status").inner_text()

    def agrees(self) -> bool:
        """Whether the screen shows what the server holds."""
        shown = self.snapshot()
        seen: Json = self.page.evaluate(_SEEN)
        if shown["status"] != "playing":
            return bool(seen["over"]) and not seen["hand"]
        own = shown["to_move"] == shown["viewer"]
        sizes = sum(map(len, shown["expeditions"][shown["viewer"]].values()))
        return bool(
            seen["deck"] == shown["deck"]
            and seen["hand"] == len(shown["hand"])
            and seen["own"] == own
            and seen["column"] == shown["scores"][shown["viewer"]]["total"]
            and (sizes or not seen["column"])
        )

    def wait_until_agreed(self, seconds: float = 2.0) -> None:
        """Wait, not long, until the screen shows what the server holds, without any help."""
        deadline = time.monotonic() + seconds
        while not self.agrees():
            assert time.monotonic() < deadline, (self.status, self.snapshot())
            self.page.wait_for_timeout(30)

    # --- asking the server without the page ----------------------------------------------------

    def post(self, path: str, body: Json) -> Json:
        answer = self.page.request.post(
            f"{self.url}/api/tables/{self.table_id}/{path}",
            data=body,
            headers={"X-Requested-With": "lostcities"},
        )
        told: Json = answer.json()
        assert answer.ok, told
        return told

    def move_by_request(self) -> str:
        """Make a turn as a script does, beside the page; return its text."""
        shown = self.snapshot()
        turn = next(one for one in shown["legal"] if one[0] == "-" and one.endswith("/D"))
        self.post("moves", {"version": shown["version"], "id": uuid4().hex, "turn": turn})
        return str(turn)

    # --- a turn ------------------------------------------------------------------------------

    def plan(self) -> tuple[int, bool]:
        """Choose as a beginner does, by what the cards say of themselves: a card, and whether to play it."""
        best, place = -14, -1
        for at, label in enumerate(self.labels):
            if found := _GAIN.search(label):
                gain = int(found[2]) * (1 if found[1] == "+" else -1)
                if gain > best:
                    best, place = gain, at
        return (place, True) if place >= 0 else (0, False)

    def take_turn_by_pointer(self) -> None:
        """Tap a card, its column or pile, and the deck."""
        page = self.page
        at, is_play = self.plan()
        page.locator(".hand .card").nth(at).tap()
        page.locator(".near .column.open" if is_play else ".pile.open").tap()
        self.deck.tap()
        self.wait_until_done()

    def take_turn_by_keys(self) -> None:
        """Three keys: a card, play or discard, the deck."""
        keyboard = self.page.keyboard
        at, is_play = self.plan()
        keyboard.press(str(at + 1))
        keyboard.press("p" if is_play else "x")
        keyboard.press(" ")
        self.wait_until_done()

    def stage_discard(self, at: int = 0) -> None:
        """Choose a card and put it on its pile, up to the draw."""
        self.page.locator(".hand .card").nth(at).click()
        self.page.get_by_role("button", name="Discard", exact=True).click()
        self.page.wait_for_selector(".deck.source")

    def discard(self, at: int = 0) -> None:
        self.stage_discard(at)
        self.deck.click()
        self.wait_until_done()
