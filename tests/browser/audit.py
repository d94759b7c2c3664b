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

_TOLD_BY_COLOR: Final = """() => {
  const colorOf = (node) => /(?:^| )c-([YBWGRP])(?: |$)/.exec(node.closest('[class*="c-"]')?.getAttribute('class') ?? '')?.[1];
  const isSeen = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility === 'visible';
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  const drawings = {}, faults = [];
  const check = (thing) => {
    const color = colorOf(thing), box = thing.getBoundingClientRect(), name = `${color} ${thing.className}`;
    const symbols = [...thing.querySelectorAll(`svg[data-symbol="${color}"]`)].filter((node) => {
      const { left, top, right, bottom, width } = node.getBoundingClientRect();
      return isSeen(node) && width >= 6 && left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
    });
    if (!symbols.length) faults.push(`${name}: no symbol`);
    for (const symbol of symbols) (drawings[symbol.innerHTML] ??= new Set()).add(color);
    const wrong = [...thing.querySelectorAll('svg[data-symbol]')].filter((node) => ![color, 'wager'].includes(node.dataset.symbol));
    if (wrong.length) faults.push(`${name}: the symbol of ${wrong[0].dataset.symbol}`);
  };
  const outlined = (thing) => {
    const { backgroundColor, color, borderTopColor, borderTopWidth } = getComputedStyle(thing);
    const name = `${colorOf(thing)} ${thing.className}`;
    if (contrast(backgroundColor, color) < 3) faults.push(`${name}: too little between ground and sign`);
    if (parseFloat(borderTopWidth) < 1 || contrast(borderTopColor, ground) < 3) faults.push(`${name}: no outline`);
  };
  const found = (selector) => [...document.querySelectorAll(selector)].filter((node) => colorOf(node) && isSeen(node));
  found('.stack, .pile:not(.deck), .face, .chip[class*="c-"]').forEach(check);
  found('.face, .strip, .stack .list, .chip[class*="c-"]').forEach(outlined);
  for (const face of found('.face'))
    if (!face.querySelector('[data-text], svg[data-symbol=wager]')) faults.push(`${face.className}: no number`);
  for (const colors of Object.values(drawings)) if (colors.size > 1) faults.push(`one drawing for ${[...colors]}`);
  return faults;
}"""
"""What could be told by its color only: on a grey screen nothing of it may be lost."""


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


def faults_of(page: "Page") -> list[str]:
    """Return what axe finds, and what it cannot decide but for contrasts over pictures."""
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN)
    return found


def told_by_color(page: "Page") -> list[str]:
    """Return the cards, columns and piles that a person who sees no colors could not tell apart."""
    found: list[str] = page.evaluate(_TOLD_BY_COLOR)
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
