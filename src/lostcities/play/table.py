"""A table with two seats: commands in, events out.

`decide` says what would follow from a command and changes nothing; `apply`
carries out what has been decided and stored. Between the two the caller makes
the step durable, so nothing is ever shown that could be lost.
"""

from collections.abc import Iterable
from datetime import date

from lostcities.notation.printable import is_printable
from lostcities.play.commands import (
    Command,
)
from lostcities.play.decisions import events_of, reason_against
from lostcities.play.events import (
    RoundEnded,
    RoundStarted,
    TableOpened,
    TurnTaken,
)
from lostcities.play.fairness import (
    Secret,
    check_match_id,
    lots_of_match,
)
from lostcities.play.outcomes import Outcome, Refused, Repeated, Step, TableRefusalCode, TableView
from lostcities.play.provenance import Provenance, decision_seed
from lostcities.play.state import Stage, TableState
from lostcities.play.views import (
    VIEWERS,
    EventView,
    MatchEndedView,
    RoundStartedView,
    TurnTakenView,
    Viewer,
    check_viewer,
    view,
)
from lostcities.rules import (
    NO_MEMORY,
    SEATS,
    CardMove,
    IllegalMoveError,
    LostCitiesError,
    Memory,
    Observation,
    Position,
    PublicObservation,
    Refusal,
    Seat,
    Turn,
    Variant,
    WrittenTurn,
    other_seat,
    remember,
)

MAX_NAME_LENGTH = 24


class InvalidStepsError(LostCitiesError, ValueError):
    """Stored steps that cannot have followed from each other."""


class InvalidNameError(LostCitiesError, ValueError):
    """A name that nobody could read on a table."""


def check_name(name: str) -> str:
    """Return a player's name without blanks around it.

    Raises:
        InvalidNameError: If it is not 1 to 24 printable characters.
    """
    stripped = name.strip()
    if not stripped or len(stripped) > MAX_NAME_LENGTH or not is_printable(stripped):
        raise InvalidNameError(
            f"expected a name of 1 to {MAX_NAME_LENGTH} printable characters, "
            f"got {name[:30]!r} ({len(name)} characters)"
        )
    return stripped


def open_table(
    *,
    variant: Variant,
    names: tuple[str, str],
    match_id: str,
    secret: Secret,
    first_starter: Seat | None = None,
    opened_on: str = "",
) -> Step:
    """Return the step that opens a table.

    Raises:
        InvalidNameError: If a name is not fit to be shown.
        FairnessError: If the match id is not of its form.
        ValueError: If the starter is no seat or the date is not in ISO form.
    """
    if first_starter not in (None, *SEATS):
        raise ValueError(f"expected seat 0 or 1 to start, or None, got {first_starter}")
    if opened_on:
        date.fromisoformat(opened_on)
    opening = TableOpened(
        match_id=check_match_id(match_id),
        variant=variant,
        names=(check_name(names[0]), check_name(names[1])),
        secret=secret,
        first_starter=first_starter,
        opened_on=opened_on,
    )
    return Step(None, (opening,))


class Table:
    """A running table. The only place where a game changes in place."""

    def __init__(self, opening: Step) -> None:
        """Open the table with the step that `open_table` gave."""
        (opened,) = opening.events
        if not isinstance(opened, TableOpened):
            raise TypeError(f"expected a step that opens a table, got {type(opened).__name__}")
        self._state = TableState.opened(opened)
        self._deals: list[RoundStarted] = []
        self._origins: list[list[Provenance | None]] = []
        self._shown: dict[Viewer, list[EventView]] = {viewer: [] for viewer in VIEWERS}
        self._answers: dict[tuple[Seat, str], Step] = {}
        self._memory: Memory = NO_MEMORY
        self._remember(opening)

    @classmethod
    def from_steps(cls, steps: Iterable[Step]) -> "Table":
        """Return the table that these steps lead to.

        Raises:
            InvalidStepsError: If they do not follow from each other.
        """
        try:
            first, *later = steps
            table = cls(first)
            for step in later:
                table._repeat(step)
        except (TypeError, ValueError, LookupError) as error:
            # What exactly is wrong may name hidden cards, so it is not repeated.
            raise InvalidStepsError(
                "expected the steps of one match in their order, got others "
                f"({type(error).__name__})"
            ) from None
        return table

    def _repeat(self, step: Step) -> None:
        """Apply a stored step, which has to be what its command brings here."""
        if step.command is None or self.decide(step.command) != step:
            raise ValueError("a step that does not follow from its command")
        self.apply(step)

    @property
    def state(self) -> TableState:
        """The whole truth; for the dealer, never for a viewer."""
        return self._state

    def version(self, viewer: Viewer) -> int:
        """Return the number of events that the viewer has been shown.

        Each viewer has a count of its own, so that what a seat does in private
        shows in nobody else's numbers.

        Raises:
            ValueError: If there is no such viewer.
        """
        return len(self._shown[check_viewer(viewer)])

    @property
    def deals(self) -> tuple[RoundStarted, ...]:
        """The deals of the match so far; for the dealer, never for a viewer before the end."""
        return tuple(self._deals)

    @property
    def origins(self) -> tuple[tuple[Provenance | None, ...], ...]:
        """For each round, where its turns come from; for nobody else before the end."""
        return tuple(map(tuple, self._origins))

    def decision_seed(self, seat: Seat) -> int:
        """Return the seed for a computer's next turn in this round; for its agent alone.

        Raises:
            ValueError: If no round has been dealt.
        """
        position, opening = self._state.position, self._state.opening
        if position is None:
            raise ValueError("no round has been dealt yet")
        lots = lots_of_match(opening.secret, match_id=opening.match_id, entropy=self._state.entropy)
        return decision_seed(
            lots,
            round_number=position.standing.round_number,
            turn_number=len(self._origins[-1]) + 1,
            seat=seat,
        )

    def events_for(self, viewer: Viewer, *, after: int = 0) -> list[EventView]:
        """Return what the viewer has been shown, from its version *after* on.

        Raises:
            ValueError: If there is no such viewer or version.
        """
        shown = self._shown[check_viewer(viewer)]
        if not 0 <= after <= len(shown):
            raise ValueError(f"expected a version from 0 to {len(shown)}, got {after}")
        return shown[after:]

    def views_of(self, step: Step, viewer: Viewer) -> list[EventView]:
        """Return what the viewer is shown of a step, such as one that was repeated."""
        variant = self._state.opening.variant
        views = (view(event, viewer, variant=variant) for event in step.events)
        return [shown for shown in views if shown is not None]

    def view(self, viewer: Viewer) -> TableView:
        """Return how the table stands for the viewer."""
        state, opening = self._state, self._state.opening
        is_mover = state.position is not None and viewer == state.position.to_move
        last = state.last_turn
        shown = None if last is None else view(last, viewer, variant=opening.variant)
        return TableView(
            viewer=viewer,
            version=self.version(viewer),
            match_id=opening.match_id,
            variant=opening.variant,
            names=opening.names,
            first_starter=opening.first_starter,
            opened_on=opening.opened_on,
            stage=state.stage,
            match=state.match,
            ready=state.ready,
            entropy=state.entropy,
            observation=self.observation(viewer),
            staged=state.staged if is_mover and viewer is not None else None,
            last_turn=shown if isinstance(shown, TurnTakenView) else None,
            commitment=opening.secret.commitment(opening.match_id),
            secret=opening.secret.reveal() if state.ended else None,
            ended=None if state.ended is None else MatchEndedView.of(state.ended),
            rematch_offers=state.rematch_offers,
        )

    def observation(self, viewer: Viewer) -> Observation | PublicObservation | None:
        """Return the round as the viewer may see it; the own staged card is put down in it."""
        position = self._state.position
        if position is None:
            return None
        if viewer is None:
            return position.observe_publicly()
        is_mover = check_viewer(viewer) == position.to_move
        return self.observation_after(viewer, self._state.staged if is_mover else None)

    def observation_after(self, seat: Seat, card_move: CardMove | None) -> Observation:
        """Return the round as the seat would see it after a card move of its own.

        Raises:
            ValueError: If no round has been dealt.
            IllegalMoveError: If the rules refuse the move.
        """
        position = self._state.position
        if position is None:
            raise ValueError("no round has been dealt yet")
        if card_move is not None:
            if refusal := position.reason_against(card_move, seat=seat):
                raise IllegalMoveError(refusal)
            position = position.after(card_move)
        return position.observe(seat)

    def turns_of_round(self, viewer: Viewer) -> list[TurnTakenView]:
        """Return the turns of the running round, as the viewer was shown them.

        Raises:
            ValueError: If there is no such viewer.
        """
        turns: list[TurnTakenView] = []
        for event in reversed(self._shown[check_viewer(viewer)]):
            if isinstance(event, RoundStartedView):
                break
            if isinstance(event, TurnTakenView):
                turns.append(event)
        return turns[::-1]

    def view_to_decide(self, seat: Seat) -> Observation:
        """Return what an agent of the seat may know: the round, and all turns that it has seen.

        Raises:
            ValueError: If no round has been dealt.
        """
        past = [WrittenTurn(event.turn, event.drawn) for event in self.turns_of_round(seat)]
        return self.observation_after(seat, None).with_past(past).with_earlier(self._memory[seat])

    def decide(self, command: Command) -> Outcome:
        """Return what follows from a command; nothing changes."""
        first = self._answers.get((command.seat, command.id))
        if first is not None:
            if first.command is not None and first.command.action == command.action:
                return Repeated(first)
            return self._refuse(
                command,
                TableRefusalCode.ID_REUSED,
                f"expected a new command id, got {command.id!r}, which named another command",
            )
        version = len(self._shown.get(command.seat, ()))
        if refusal := reason_against(self._state, command, version=version):
            return Refused(refusal, self.view(command.seat if command.seat in SEATS else None))
        return Step(command, tuple(events_of(self._state, command)))

    def apply(self, step: Step) -> None:
        """Carry out a step that `decide` gave, all of it or nothing.

        Raises:
            ValueError: If it was decided at another state and cannot follow here.
        """
        state = self._state
        for event in step.events:
            state = state.after(event)
        self._state = state
        self._remember(step)

    def rematch(self, *, match_id: str, secret: Secret, opened_on: str = "") -> Step:
        """Return the step that opens the next table; the other seat starts there.

        Raises:
            ValueError: If the match goes on, or if id or secret are those of this match.
        """
        opening = self._state.opening
        if self._state.stage is not Stage.OVER:
            raise ValueError("expected a match that is over, got one that goes on")
        if match_id == opening.match_id or secret == opening.secret:
            raise ValueError("expected a new match id and a new secret, got those of this match")
        was_dealt = self._state.position is not None
        return open_table(
            variant=opening.variant,
            names=opening.names,
            match_id=match_id,
            secret=secret,
            first_starter=other_seat(self._state.match.first_starter) if was_dealt else None,
            opened_on=opened_on,
        )

    def _remember(self, step: Step) -> None:
        if step.command is not None:
            self._answers[step.command.seat, step.command.id] = step
        for event in step.events:
            if isinstance(event, RoundStarted):
                self._deals.append(event)
                self._origins.append([])
            elif isinstance(event, TurnTaken):
                self._origins[-1].append(event.provenance)
        for viewer, shown in self._shown.items():
            shown.extend(self.views_of(step, viewer))
        has_ended = any(isinstance(event, RoundEnded) for event in step.events)
        if has_ended and self._state.stage is not Stage.OVER:
            self._memory = remember(self._memory, self._begin_of_round(), self._turns_made())

    def _begin_of_round(self) -> Position:
        started = self._deals[-1]
        return Position.deal(
            started.deal, variant=self._state.opening.variant, standing=started.standing
        )

    def _turns_made(self) -> list[Turn]:
        return [event.turn for event in self.turns_of_round(None)]

    def _refuse(self, command: Command, code: TableRefusalCode, sentence: str) -> Refused:
        return Refused(Refusal(code, sentence), self.view(command.seat))
