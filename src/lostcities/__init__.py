"""Lost Cities, the two-player card game, as a library and a set of commands.

The names most used are here; the rest lives in `lostcities.rules` (what the
game is), `lostcities.notation` (how it is written), `lostcities.play` (a table
with two seats) and `lostcities.agents` (opponents).
"""

from lostcities.rules import CLASSIC, LONG, Card, Color, Observation, Position, Variant

__version__ = "0.1.0"

__all__ = ["CLASSIC", "LONG", "Card", "Color", "Observation", "Position", "Variant"]
