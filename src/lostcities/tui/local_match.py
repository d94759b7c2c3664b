"""A match of one person against the computer on this machine: decide, store, apply, tell."""

from secrets import token_bytes, token_hex

from lostcities.agents.base import Agent
from lostcities.agents.simple import Discarder
from lostcities.agents.turns import choose_turn
from lostcities.play import (
    Action,
    Command,
    EventView,
    Outcome,
    Ready,
    Stage,
    Step,
    Table,
    TableView,
    TakeTurn,
)
from lostcities.play.recording import match_records
from lostcities.rules import Observation, Seat, other_seat
from lostcities.tui.journal import Journal
from lostcities.tui.record_file import RecordFile, RecordFileError

_ENTROPY_BYTES = 16


class LocalMatch:
    """The table, its journal, and the computer in the other seat."""

    def __init__(
        self,
        table: Table,
        *,
        journal: Journal,
        agent: Agent,
        human: Seat,
        record_file: RecordFile | None = None,
    ) -> None:
        self._table = table
        self._journal = journal
        self._agent = agent
        self._record_file = record_file
        self._troubles: list[str] = []
        self.human = human

    @property
    def table(self) -> Table:
        """The table, for making records of it."""
        return self._table

    @property
    def agent(self) -> Agent:
        """Who plays the computer's seat."""
        return self._agent

    @property
    def journal(self) -> Journal:
        """Where the match is kept."""
        return self._journal

    @property
    def computer(self) -> Seat:
        """The seat of the computer."""
        return other_seat(self.human)

    def view(self) -> TableView:
        """Return how the table stands for the person."""
        return self._table.view(self.human)

    def observation(self) -> Observation:
        """Return the round as the person may see it.

        Raises:
            ValueError: If no round has been dealt.
        """
        return self._table.observation_after(self.human, self.view().staged)

    def version(self) -> int:
        """Return how many events the person has been shown."""
        return self._table.version(self.human)

    def news(self, version: int) -> list[EventView]:
        """Return what the person has been shown since that version."""
        return self._table.events_for(self.human, after=version)

    def troubles(self) -> list[str]:
        """Return, once, what has gone wrong beside the game."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def submit(self, action: Action) -> Outcome:
        """Carry out what the person asks for; a refusal changes nothing."""
        return self._submit(self.human, action)

    def start_round(self) -> None:
        """Deal the next round: both sides are ready.

        The person's side adds entropy to the first deal. The computer's side
        never does: it belongs to the dealer, who could choose it to its liking.
        """
        view = self.view()
        if self.human not in view.ready:
            is_first = not view.match.rounds
            self._submit(self.human, Ready(token_bytes(_ENTROPY_BYTES) if is_first else b""))
        self._submit(self.computer, Ready())

    @property
    def is_computers_turn(self) -> bool:
        """Whether the computer is to move."""
        view = self._table.view(None)
        if view.stage is not Stage.PLAYING or view.observation is None:
            return False
        return view.observation.to_move == self.computer

    def let_computer_play(self) -> None:
        """Have the computer make its turn; if its agent fails, a simple one stands in."""
        observation = self._table.view_to_decide(self.computer)
        # From the secret of the match: nobody can predict the computer, nor pick its luck.
        seed = self._table.decision_seed(self.computer)
        try:
            chosen = choose_turn(self._agent, observation, seed=seed)
        except Exception as error:  # noqa: BLE001 # whatever an agent does, the table goes on
            # The text of the error may name cards of the computer's hand.
            self._troubles.append(
                f"the agent {self._agent.name} failed ({type(error).__name__}); "
                "a simple agent made this turn in its place"
            )
            chosen = choose_turn(
                Discarder(), observation, seed=seed, stands_in_for=self._agent.name
            )
        self._submit(self.computer, TakeTurn(chosen.turn, chosen.provenance))

    def _submit(self, seat: Seat, action: Action) -> Outcome:
        command = Command(token_hex(8), seat, self._table.version(seat), action)
        outcome = self._table.decide(command)
        if isinstance(outcome, Step):
            self._journal.append(outcome)
            self._table.apply(outcome)
            self._write_record()
        return outcome

    def _write_record(self) -> None:
        records = match_records(self._table, self.human)
        if self._record_file is None or not records:
            return
        try:
            self._record_file.write(records)
        except RecordFileError as error:
            self._troubles.append(f"{error}; the match itself is saved")
            self._record_file = None
