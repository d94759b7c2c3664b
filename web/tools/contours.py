"""Draws the background of the table, `public/contours.svg`: lines of height of a made-up land, as a tile."""

import math
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

CELLS: Final = 56
SIDE: Final = 720
LEVELS: Final = 8
OUT: Final = Path(__file__).resolve().parent.parent / "public" / "contours.svg"

Point = tuple[float, float]


def heights(rng: Random) -> list[list[float]]:
    """Return heights on a grid whose edges meet when it is laid out as tiles."""
    hills = [
        (rng.randint(-3, 3), rng.randint(-3, 3), rng.random() * math.tau, rng.random())
        for _ in range(10)
    ]
    hills = [hill for hill in hills if (hill[0], hill[1]) != (0, 0)]

    def height(x: float, y: float) -> float:
        return sum(
            size / (abs(p) + abs(q)) * math.cos(math.tau * (p * x + q * y) + turn)
            for p, q, turn, size in hills
        )

    return [
        [height(i % CELLS / CELLS, j % CELLS / CELLS) for i in range(CELLS + 1)]
        for j in range(CELLS + 1)
    ]


def segments(grid: list[list[float]], level: float) -> list[tuple[Point, Point]]:
    """Return where the level runs through each cell (marching squares)."""

    def crossing(a: tuple[int, int], b: tuple[int, int]) -> Point:
        a, b = sorted((a, b))  # both cells of an edge get the same point
        low, high = grid[a[1]][a[0]], grid[b[1]][b[0]]
        part = (level - low) / (high - low)
        return tuple(
            round((s + part * (e - s)) * SIDE / CELLS, 1) for s, e in zip(a, b, strict=True)
        )  # type: ignore[return-value]

    found = []
    for j in range(CELLS):
        for i in range(CELLS):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            edges = zip(corners, corners[1:] + corners[:1], strict=True)
            points = [
                crossing(a, b)
                for a, b in edges
                if (grid[a[1]][a[0]] < level) != (grid[b[1]][b[0]] < level)
            ]
            found += [(points[at], points[at + 1]) for at in range(0, len(points) - 1, 2)]
    return found


def lines(parts: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Join segments into lines, those that end at the border first."""
    at: dict[Point, list[int]] = defaultdict(list)
    for number, ends in enumerate(parts):
        for end in ends:
            at[end].append(number)
    used: set[int] = set()
    found = []
    for start in sorted(at, key=lambda point: len(at[point])):
        line = [start]
        while following := [number for number in at[line[-1]] if number not in used]:
            used.add(following[0])
            a, b = parts[following[0]]
            line.append(b if a == line[-1] else a)
        if len(line) > 1:
            found.append(line)
    return found


def path(line: list[Point]) -> str:
    """Return a smooth path through every third point."""
    thin = line[:-1:3] + line[-1:]
    text = f"M{thin[0][0]:g} {thin[0][1]:g}"
    for here, there in pairwise(thin[1:]):
        text += f"Q{here[0]:.0f} {here[1]:.0f} {(here[0] + there[0]) / 2:.0f} {(here[1] + there[1]) / 2:.0f}"
    return f"{text}L{thin[-1][0]:g} {thin[-1][1]:g}"


def main() -> None:
    """Write the tile."""
    grid = heights(Random(11))
    low, high = min(map(min, grid)), max(map(max, grid))
    paths = ""
    for number in range(1, LEVELS):
        level = low + (high - low) * number / LEVELS + 1e-9
        width = 1.6 if number % 4 == 0 else 0.9
        paths += (
            f'<path stroke-width="{width}" d="{"".join(map(path, lines(segments(grid, level))))}"/>'
        )
    OUT.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#000">{paths}</svg>\n',
        "utf-8",
    )


if __name__ == "__main__":
    main()
