"""A match step by step, as one viewer may see it.

Both hands are shown once the secret is revealed: from then on anybody can
compute them. While the match goes on, each step is what the viewer saw then.
"""

from collections.abc import Iterable

from lostcities.play import Stage, Table, Viewer
from lostcities.play.views import RoundStartedView, TurnTakenView
from lostcities.rules import Observation, Seat
from lostcities.server import schema
from lostcities.server.entries import Entry, Stepped, entry_from_text
from lostcities.server.live_table import LiveTable
from lostcities.server.views import last_turn


def replay_of(table_id: str, rows: Iterable[tuple[str, str]], viewer: Viewer) -> schema.Replay:
    """Return the steps of the match whose log this is."""
    entries = [entry_from_text(kind, body) for kind, body in rows]
    whole = LiveTable.from_entries(table_id, entries)
    is_revealed = not whole.has_free_seat and whole.table.view(viewer).secret is not None
    steps = list(_steps(table_id, entries, viewer, is_revealed=is_revealed))
    return schema.Replay(
        complete=not whole.has_free_seat and whole.table.state.stage is Stage.OVER, steps=steps
    )


def _steps(
    table_id: str, entries: list[Entry], viewer: Viewer, *, is_revealed: bool
) -> Iterable[schema.ReplayStep]:
    live = LiveTable.from_entries(table_id, entries[:1])
    number = 0
    for entry in entries[1:]:
        before = live.version(viewer)
        live.apply(entry)
        if not isinstance(entry, Stepped) or live.table.view(viewer).observation is None:
            continue
        events = live.table.events_for(viewer, after=before)
        turns = [event for event in events if isinstance(event, TurnTakenView)]
        has_started = any(isinstance(event, RoundStartedView) for event in events)
        if not turns and not has_started:
            continue
        snapshot = live.snapshot(viewer)
        yield schema.ReplayStep(
            n=number,
            round=snapshot.round,
            turn=last_turn(turns[0]) if turns else None,
            snapshot=snapshot.model_copy(update={"legal": None, "cards": None}),
            hands=_hands(live.table, viewer, is_revealed=is_revealed),
        )
        number += 1


def _hands(table: Table, viewer: Viewer, *, is_revealed: bool) -> schema.ShownHands:
    seen = table.view(viewer).observation
    own = viewer if isinstance(seen, Observation) else None

    def hand_of(seat: Seat) -> list[str] | None:
        if not is_revealed and seat != own:
            return None
        return [str(card) for card in table.observation_after(seat, None).hand]

    return schema.ShownHands(A=hand_of(0), B=hand_of(1))
