"""Draw the pictures of the documentation from what the program really shows."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from lostcities.notation import parse_observation
from lostcities.rules import Observation
from lostcities.tui.board import WIDTH, Board
from lostcities.tui.style import Style

PICTURES = Path(__file__).parent / "pictures"
# A position in the middle of a round, as the player at the bottom sees it.
TABLE = "x379/-/x358/-/- -/67/-/79T/xx3 xx/x2/2/5/9 8T/9/9/2/26T ?7:-/-/-/-/4 21 A 2/3,A,31,18"
LAST = "Last: heuristic: played R3♦, took R4♦ from the red pile"
THEME = TerminalTheme(
    (27, 33, 41),
    (230, 230, 225),
    [
        (27, 33, 41),
        (220, 80, 60),
        (60, 190, 150),
        (236, 197, 45),
        (90, 140, 230),
        (190, 120, 210),
        (90, 190, 200),
        (230, 230, 225),
    ],
    [
        (120, 130, 140),
        (235, 100, 80),
        (80, 210, 170),
        (240, 205, 70),
        (120, 165, 250),
        (205, 140, 225),
        (110, 210, 220),
        (255, 255, 255),
    ],
)


def draw_table() -> None:
    """Draw the table of the terminal."""
    view = parse_observation(TABLE)
    if not isinstance(view, Observation):
        raise TypeError("expected the view of a seat")
    board = Board(view, ("You", "heuristic"), bottom=0, hands={0: view.hand})
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    for line in (*board.lines(Style(has_color=True)), LAST, "card?"):
        console.print(Text.from_ansi(line))
    svg = console.export_svg(title="lostcities play", theme=THEME, unique_id="table")
    # No fonts from elsewhere: the viewer's own monospace font does.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")
    (PICTURES / "table.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    draw_table()
