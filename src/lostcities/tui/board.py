"""The table as lines of text, at most 80 columns wide."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lostcities.notation.positions import format_ranks
from lostcities.notation.receipts import format_parts, format_receipt
from lostcities.rules import (
    SEATS,
    Cards,
    PublicObservation,
    Seat,
    Variant,
    other_seat,
    score_expedition,
)
from lostcities.tui.style import Style

WIDTH = 80
_WIDEST_COLUMN = 15


@dataclass(frozen=True, slots=True)
class Board:
    """What is on the table, for a viewer who sits at the bottom.

    Attributes:
        view: The round as the viewer may see it.
        names: Who sits in A and in B.
        bottom: The seat that is drawn below the discard piles.
        hands: The hands to show, by seat.
    """

    view: PublicObservation
    names: tuple[str, str]
    bottom: Seat
    hands: Mapping[Seat, Cards]

    def lines(self, style: Style) -> list[str]:
        """Return the whole table."""
        top = other_seat(self.bottom)
        return [
            *self._heading(style),
            "",
            *self._side(top, style),
            "",
            *self._piles(style),
            "",
            *self._side(self.bottom, style),
        ]

    def _heading(self, style: Style) -> list[str]:
        view, standing = self.view, self.view.standing
        facts = [
            style.strong(f"Round {standing.round_number} of {standing.num_rounds}"),
            "match " + totals(standing.totals, self.names),
            deck_and_turns(view, self.names),
        ]
        line = f" {style.dot} ".join(facts)
        plain = f" {style.dot} ".join(
            (f"Round {standing.round_number} of {standing.num_rounds}", *facts[1:])
        )
        return [line] if len(plain) <= WIDTH else [f" {style.dot} ".join(facts[:2]), facts[2]]

    def _side(self, seat: Seat, style: Style) -> list[str]:
        view = self.view
        scores = view.expedition_scores[seat]
        columns = [_cell(cards, self._column_width) for cards in view.expeditions[seat]]
        tinted = map(style.tint, columns, view.variant.colors)
        lines = [
            f"{style.strong(self.names[seat])}: {view.scores[seat]} points now",
            self._names_of_colors(style),
            self._row(tinted, columns),
        ]
        if any(score.num_cards for score in scores):
            lines.append(self._row([format_parts(score).replace(" ", "") for score in scores]))
            lines.append(
                self._row([f"= {score.score}" if score.num_cards else "" for score in scores])
            )
        if seat in self.hands:
            lines.append("hand  " + format_hand(self.hands[seat], style))
        elif view.known[seat]:
            lines.append("known in hand  " + format_hand(view.known[seat], style))
        return lines

    @property
    def _column_width(self) -> int:
        return min(_WIDEST_COLUMN, (WIDTH - 2) // self.view.variant.num_colors)

    def _row(self, cells: Iterable[str], texts: Sequence[str] | None = None) -> str:
        """Return cells side by side; *texts* are what they show, without the codes of colors."""
        shown = list(cells)
        gaps = (" " * max(1, self._column_width - len(text)) for text in texts or shown)
        return (" " + "".join(map(str.__add__, shown, gaps))).rstrip()

    def _names_of_colors(self, style: Style) -> str:
        colors = self.view.variant.colors
        labels = [f"{color.letter}{style.symbol(color)} {color.word}" for color in colors]
        return self._row(map(style.tint, labels, colors), labels)

    def _piles(self, style: Style) -> list[str]:
        view = self.view
        texts = []
        for color, top, size in zip(
            view.variant.colors, view.pile_tops, view.pile_sizes, strict=True
        ):
            is_closed = color == view.just_discarded and view.variant.own_discard_block
            text = "." if top is None else f"{top}{style.symbol(color)} of {size}"
            texts.append(text + (" closed" if is_closed else ""))
        tinted = map(style.tint, texts, view.variant.colors)
        return ["discard piles (top card, number of cards)", self._row(tinted, texts)]


def _cell(cards: Cards, width: int) -> str:
    """Return the ranks of an expedition, with gaps where they fit."""
    marks = format_ranks(cards)
    spaced = " ".join(marks)
    return (spaced if len(spaced) < width else marks) or "."


def format_hand(cards: Cards, style: Style) -> str:
    """Return the cards of a hand, a gap between the colours."""
    parts = []
    for index, card in enumerate(cards):
        is_new_color = index > 0 and card.color != cards[index - 1].color
        parts.append(("  " if is_new_color else " " if index else "") + style.card(card))
    return "".join(parts)


def totals(points: tuple[int, int], names: tuple[str, str]) -> str:
    """Return the points of both sides: 'You 12, heuristic -3'."""
    return ", ".join(f"{names[seat]} {points[seat]}" for seat in SEATS)


def deck_and_turns(view: PublicObservation, names: tuple[str, str]) -> str:
    """Return the deck count and the turns left for each side."""
    left = ", ".join(f"{names[seat]} {view.turns_left(seat)}" for seat in SEATS)
    cards = "1 card" if view.deck_size == 1 else f"{view.deck_size} cards"
    return f"deck {cards}, turns left: {left}"


def receipts(expeditions: Sequence[Cards], variant: Variant, *, style: Style) -> list[str]:
    """Return a line for each expedition of one side with all terms of its score, and the sum."""
    lines = []
    total = 0
    for color, cards in zip(variant.colors, expeditions, strict=True):
        score = score_expedition(cards, variant)
        total += score.score
        if cards:
            label = f"{color.letter}{style.symbol(color)} {color.word:<7}"
            lines.append(
                f"  {style.tint(label, color)} {format_ranks(cards):<13} {format_receipt(score)}"
            )
    lines.append(f"  total {total}")
    return lines


_CODE: Final = re.compile("\x1b\\[[0-9;]*m")


def wrap(text: str) -> list[str]:
    """Return a sentence on lines of at most 80 columns; codes of colors take no room."""
    lines: list[str] = []
    width = 0
    for word in text.split(" "):
        seen = len(_CODE.sub("", word))
        if lines and width + 1 + seen <= WIDTH:
            lines[-1] += f" {word}"
            width += 1 + seen
        else:
            lines.append(word)
            width = seen
    return lines
