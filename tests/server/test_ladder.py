"""What screens say of the levels is what the levels are."""

from lostcities.agents.levels import LEVELS
from lostcities.agents.registry import LADDER, make_agent


def test_the_ladder_names_the_levels() -> None:
    assert [rung.name for rung in LADDER] == [level.name for level in LEVELS]
    assert [make_agent(rung.spec).name for rung in LADDER] == [rung.spec for rung in LADDER]
    points = [rung.points for rung in LADDER if rung.points is not None]
    assert points == sorted(points)
    assert points[0] == 0
