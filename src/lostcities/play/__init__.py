"""A table with two seats: commands in, events out, views for each who looks on.

Knows who sits where, what was asked, what happened, and what each viewer may
be shown of it; deals fairly. Has no clock, no files and no network. Standard
library only.
"""

from lostcities.play.commands import (
    Action,
    Command,
    OfferRematch,
    Ready,
    Resign,
    StageCard,
    TakeBack,
    TakeTurn,
)
from lostcities.play.events import Event
from lostcities.play.fairness import FairnessError, Secret, new_match_id
from lostcities.play.outcomes import (
    Outcome,
    Refused,
    Repeated,
    Step,
    TableRefusalCode,
    TableView,
)
from lostcities.play.state import Stage
from lostcities.play.table import InvalidNameError, Table, check_name, open_table
from lostcities.play.views import SPECTATOR, EventView, Viewer, view

__all__ = [
    "SPECTATOR",
    "Action",
    "Command",
    "Event",
    "EventView",
    "FairnessError",
    "InvalidNameError",
    "OfferRematch",
    "Outcome",
    "Ready",
    "Refused",
    "Repeated",
    "Resign",
    "Secret",
    "Stage",
    "StageCard",
    "Step",
    "Table",
    "TableRefusalCode",
    "TableView",
    "TakeBack",
    "TakeTurn",
    "Viewer",
    "check_name",
    "new_match_id",
    "open_table",
    "view",
]
