"""Ratings of a pool of agents on one scale: points a round.

Each contest between two agents gives a mean margin with a standard error. The
ratings are those whose differences fit the margins best, weighted by how well
each is known; the scale is anchored at one agent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from lostcities.arena.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Rating:
    """Where an agent stands.

    Attributes:
        agent: Its spec.
        points: Points a round above the anchor.
        standard_error: How far the difference to the anchor can be trusted.
    """

    agent: str
    points: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Duel:
    """A finished contest: the margin of *a* over *b*."""

    a: str
    b: str
    margin: Estimate


def rate(duels: Iterable[Duel], *, anchor: str) -> list[Rating]:
    """Return the ratings of all agents, best first.

    Strength need not be transitive; the residuals of the fit show where it is
    not (`misfit`).

    Args:
        duels: The contests; every agent must be connected with the anchor.
        anchor: The agent at 0 points.

    Raises:
        ValueError: If an agent is not connected with the anchor, or the
            anchor has not played.
    """
    known = list(duels)
    agents = sorted({agent for duel in known for agent in (duel.a, duel.b)})
    if anchor not in agents:
        raise ValueError(f"expected the anchor {anchor!r} among the agents that played")
    others = [agent for agent in agents if agent != anchor]
    normal, right = _normal_equations(known, others)
    inverse = _invert(normal, others)
    points = [sum(map(float.__mul__, row, right)) for row in inverse]
    ratings = [Rating(anchor, 0.0, 0.0)]
    for index, agent in enumerate(others):
        ratings.append(Rating(agent, points[index], sqrt(inverse[index][index])))
    return sorted(ratings, key=lambda rating: -rating.points)


def misfit(duels: Iterable[Duel], ratings: Sequence[Rating]) -> float:
    """Return the sum of squared residuals in units of their errors.

    With transitive strength its expectation is the number of duels less the
    number of agents, plus one.
    """
    points = {rating.agent: rating.points for rating in ratings}
    return sum(
        ((duel.margin.mean - points[duel.a] + points[duel.b]) / _error(duel)) ** 2 for duel in duels
    )


_SMALLEST_ERROR = 1e-3
"""Points; identical agents have an error of exactly 0, which no fit can weigh."""


def _error(duel: Duel) -> float:
    return max(duel.margin.standard_error, _SMALLEST_ERROR)


def _normal_equations(
    duels: Sequence[Duel], others: Sequence[str]
) -> tuple[list[list[float]], list[float]]:
    """Return the matrix and the right side of the weighted least squares."""
    index = {agent: number for number, agent in enumerate(others)}
    size = len(others)
    normal = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for duel in duels:
        weight = 1.0 / _error(duel) ** 2
        signs = [
            (index[agent], sign)
            for agent, sign in ((duel.a, 1.0), (duel.b, -1.0))
            if agent in index
        ]
        for row, sign in signs:
            right[row] += weight * sign * duel.margin.mean
            for column, other_sign in signs:
                normal[row][column] += weight * sign * other_sign
    return normal, right


def _invert(matrix: Sequence[Sequence[float]], names: Sequence[str]) -> list[list[float]]:
    """Invert by Gauss and Jordan, with pivots; a pool has a few dozen agents at most."""
    size = len(matrix)
    rows = [
        [*row, *(float(column == number) for column in range(size))]
        for number, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = max(range(column, size), key=lambda number: abs(rows[number][column]))
        if abs(rows[pivot][column]) < 1e-12:
            raise ValueError(
                f"expected every agent to be connected with the anchor, got {names[column]!r} apart"
            )
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for number in range(size):
            if number != column and rows[number][column]:
                factor = rows[number][column]
                rows[number] = [
                    value - factor * top
                    for value, top in zip(rows[number], rows[column], strict=True)
                ]
    return [row[size:] for row in rows]
