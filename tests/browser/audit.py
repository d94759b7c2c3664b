"""What a machine can find wrong with a page."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE: Final = (
    Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
)
_RUN: Final = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations', 'incomplete'] });
  const line = (kind) => (fault) =>
    fault.nodes.map((node) => `${kind} ${fault.id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`);
  const open = found.incomplete.filter((fault) => fault.id !== 'color-contrast');
  return [...found.violations.flatMap(line('wrong')), ...open.flatMap(line('unclear'))];
}"""


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


def faults_of(page: "Page") -> list[str]:
    """Return what axe finds, and what it cannot decide but for contrasts over pictures."""
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN)
    return found


def too_wide(page: "Page") -> list[str]:
    """Return what makes a page wider than its window, if it is."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
          [...document.querySelectorAll('#app *')]
            .filter((node) => node.getBoundingClientRect().right > innerWidth + 0.5)
            .map((node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 30)}`)"""
    )
    return found


def scroll_sizes(page: "Page") -> list[int]:
    """Return height and width of what could be scrolled: the page, and the room of the table."""
    found: list[int] = page.evaluate(
        """[document.documentElement, document.querySelector('.room')].flatMap((node) =>
          [node.scrollHeight, node.scrollWidth])"""
    )
    return found
