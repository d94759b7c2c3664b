"""A table as its log tells it: pure, in memory, the same for everybody who replays the log."""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from lostcities.play import (
    Action,
    Command,
    OfferRematch,
    Outcome,
    Ready,
    Secret,
    Stage,
    Step,
    Table,
    Viewer,
    new_match_id,
)
from lostcities.play.codec import CorruptLogError
from lostcities.play.events import RematchAgreed, TableOpened
from lostcities.rules import SEATS, Observation, Refusal, Seat, other_seat
from lostcities.server import schema, views
from lostcities.server.entries import Created, EarlyReady, Entry, Followed, Joined, Stepped
from lostcities.server.views import Surroundings, Waiting


class WaitingRefusalCode(StrEnum):
    """Why something is refused while a seat is free."""

    NOT_JOINED = "not_joined"
    ALREADY_READY = "already_ready"


class LiveTable:
    """A table, from its opening until long after its last turn."""

    def __init__(self, table_id: str, created: Created) -> None:
        self.table_id = table_id
        self.created = created
        self.num_entries = 1
        self.next_table = ""
        self._early: dict[Seat, EarlyReady] = {}
        self._versions: dict[tuple[Seat, str], int] = {}
        self._table: Table | None = None

    @classmethod
    def from_entries(cls, table_id: str, entries: Iterable[Entry]) -> "LiveTable":
        """Return the table that a log leads to.

        Raises:
            CorruptLogError: If these entries cannot follow each other.
        """
        first, *later = entries
        if not isinstance(first, Created):
            raise CorruptLogError("expected a log that begins with the opening of a table")
        table = cls(table_id, first)
        try:
            for entry in later:
                table._check(entry)
                table.apply(entry)
        except CorruptLogError:
            raise
        except (ValueError, LookupError, TypeError) as error:
            # What exactly is wrong may name hidden cards, so it is not repeated.
            raise CorruptLogError(
                f"expected the log of table {table_id}, got entries that do not follow from "
                f"each other ({type(error).__name__})"
            ) from None
        return table

    def apply(self, entry: Entry) -> None:
        """Carry out an entry that is stored."""
        match entry:
            case Created():
                raise CorruptLogError("expected a table to be opened once")
            case EarlyReady():
                self._early[entry.seat] = entry
                self._versions[entry.seat, entry.command] = 0
            case Joined():
                pass  # the opening that comes with it brings the name
            case Followed():
                self.next_table = entry.table
            case Stepped():
                self._apply_step(entry.step)
        self.num_entries += 1

    def _check(self, entry: Entry) -> None:
        """Refuse a stored step that is not what its command brings here."""
        command = entry.step.command if isinstance(entry, Stepped) else None
        if command is not None and Stepped(self._decided(command)) != entry:
            raise CorruptLogError("expected a step that follows from its command")

    def _decided(self, command: Command) -> Step:
        outcome = self.table.decide(command)
        if not isinstance(outcome, Step):
            raise CorruptLogError("expected a step that can be made")
        return outcome

    def _apply_step(self, step: Step) -> None:
        if step.command is None:
            self._table = Table(step)
            return
        table = self.table
        table.apply(step)
        command = step.command
        self._versions[command.seat, command.id] = table.version(command.seat)

    # --- what stands here -------------------------------------------------------------------

    @property
    def opening(self) -> TableOpened:
        """How the match was opened, or is to be."""
        if self._table is not None:
            return self._table.state.opening
        (opened,) = self.created.draft.events
        if not isinstance(opened, TableOpened):
            raise CorruptLogError("expected the draft of an opening")
        return opened

    @property
    def has_free_seat(self) -> bool:
        """Whether somebody may still join."""
        return self._table is None

    @property
    def is_over(self) -> bool:
        """Whether the match is decided."""
        return self._table is not None and self._table.state.stage is Stage.OVER

    @property
    def table(self) -> Table:
        """The match.

        Raises:
            LookupError: If a seat is still free.
        """
        if self._table is None:
            raise LookupError("nobody has joined yet")
        return self._table

    @property
    def guest(self) -> Seat:
        """The seat opposite the host."""
        return other_seat(self.created.host)

    @property
    def automatic_seats(self) -> tuple[Seat, ...]:
        """The seats that agree by themselves to the next round and to a rematch."""
        match self.created.kind:
            case "computer":
                return (self.guest,)
            case "local":
                return SEATS
            case "friend":
                return ()

    def version(self, viewer: Viewer) -> int:
        """Return how many events the viewer has been shown."""
        return 0 if self._table is None else self._table.version(viewer)

    def answered_version(self, seat: Seat, command_id: str) -> int | None:
        """Return the version that a command brought to its seat, None if it never came."""
        return self._versions.get((seat, command_id))

    @property
    def bot_to_move(self) -> Seat | None:
        """The seat of the computer, if it is to move."""
        if self.created.kind != "computer" or self._table is None:
            return None
        state = self._table.state
        if state.stage is not Stage.PLAYING or state.position is None:
            return None
        return self.guest if state.position.to_move == self.guest else None

    def bot_observation(self) -> Observation:
        """Return what the computer may know now; it never puts a card down for the time being."""
        return self.table.view_to_decide(self.guest)

    # --- what follows -----------------------------------------------------------------------

    def decide(self, command: Command) -> Outcome:
        """Return what follows from a command of a seat; nothing changes."""
        return self.table.decide(command)

    def decide_early(self, command: Command) -> EarlyReady | Refusal | None:
        """Return what follows from a command while a seat is free; None if it is a repeat."""
        if (command.seat, command.id) in self._versions:
            return None
        if not isinstance(command.action, Ready):
            return Refusal(
                WaitingRefusalCode.NOT_JOINED, "cannot do that yet: nobody has joined this table"
            )
        if command.seat in self._early:
            return Refusal(
                WaitingRefusalCode.ALREADY_READY, "you are ready already, and wait for a guest"
            )
        return EarlyReady(command.id, command.seat, command.action.entropy.hex())

    def join(self, name: str) -> list[Entry]:
        """Return the entries with which somebody takes the free seat."""
        opened = self.opening
        names = (opened.names[0], name) if self.guest == 1 else (name, opened.names[1])
        opening = Step(None, (replace(opened, names=names),))
        table = Table(opening)
        entries: list[Entry] = [Joined(self.guest, name), Stepped(opening)]
        for early in self._early.values():
            command = Command(
                early.command, early.seat, table.version(early.seat), _ready(early.entropy)
            )
            outcome = table.decide(command)
            if isinstance(outcome, Step):
                table.apply(outcome)
                entries.append(Stepped(outcome))
        return entries

    def automatic_command(self) -> Command | None:
        """Return what a seat that agrees by itself has to say now, if anything."""
        if self._table is None:
            return None
        state = self._table.state
        for seat in self.automatic_seats:
            action = self._automatic_action(seat)
            if action is not None:
                rounds = len(state.match.rounds)
                name = f"auto:{type(action).__name__}:{rounds}"  # no client's id has a colon
                return Command(name, seat, self._table.version(seat), action)
        return None

    def _automatic_action(self, seat: Seat) -> Action | None:
        state = self.table.state
        other = other_seat(seat)
        if state.stage is Stage.BETWEEN_ROUNDS and other in state.ready and seat not in state.ready:
            return Ready()
        offers = state.rematch_offers
        if state.stage is Stage.OVER and other in offers and seat not in offers:
            return OfferRematch()
        return None

    def rematch_of(self, step: Step, *, date: str) -> list[Entry]:
        """Return the first entries of the table of a rematch, if the step agrees to one."""
        if not any(isinstance(event, RematchAgreed) for event in step.events):
            return []
        opening = self.table.rematch(
            match_id=new_match_id(), secret=Secret.generate(), opened_on=date
        )
        created = replace(self.created, invite="", previous=self.table_id, draft=opening)
        return [created, Stepped(opening)]

    # --- what is shown ----------------------------------------------------------------------

    def held_seats(self, viewer: Viewer) -> tuple[Seat, ...]:
        """Return the seats that a viewer holds: on one device both."""
        if viewer is None:
            return ()
        return SEATS if self.created.kind == "local" else (viewer,)

    @property
    def opponent(self) -> schema.OpponentInfo:
        """Who sits opposite the host, in the form of the wire."""
        created = self.created
        return schema.OpponentInfo(
            kind=created.kind,
            agent=created.agent or None,
            agent_name=created.agent_name or None,
        )

    def waiting(self) -> Waiting:
        """Return how the table stands while a seat is free."""
        opened, early = self.opening, self._early
        entropy = tuple(
            bytes.fromhex(early[seat].entropy) if seat in early else b"" for seat in SEATS
        )
        names = tuple(opened.names[seat] or None for seat in SEATS)
        return Waiting(
            variant=opened.variant,
            names=(names[0], names[1]),
            commitment=opened.secret.commitment(opened.match_id),
            ready=(0 in early, 1 in early),
            entropy=(entropy[0], entropy[1]),
        )

    def snapshot(self, viewer: Viewer, *, invite: schema.Invite | None = None) -> schema.Snapshot:
        """Return how the table stands for a viewer."""
        around = Surroundings(
            table_id=self.table_id,
            opponent=self.opponent,
            host=self.created.host,
            seats=self.held_seats(viewer),
            invite=invite if viewer == self.created.host and self.has_free_seat else None,
            next_table=self.next_table or None,
        )
        if self._table is None:
            return views.snapshot_of_waiting(self.waiting(), viewer, around)
        return views.snapshot_of(self._table.view(viewer), around)

    def events(self, viewer: Viewer, *, after: int) -> list[schema.NumberedEvent]:
        """Return the events that the viewer has been shown after a version.

        Raises:
            ValueError: If there is no such version.
        """
        if self._table is None:
            if after:
                raise ValueError(f"expected version 0, got {after}")
            return []
        shown = self._table.events_for(viewer, after=after)
        return [
            schema.NumberedEvent(version=version, event=views.event_of(event))
            for version, event in enumerate(shown, start=after + 1)
        ]


def _ready(entropy: str) -> Ready:
    return Ready(bytes.fromhex(entropy))
