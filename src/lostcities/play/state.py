"""Where a table stands: a value that each event carries one step on."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from lostcities.play.events import (
    CardStaged,
    CardTakenBack,
    Event,
    MatchEnded,
    RematchAgreed,
    RematchOffered,
    RoundEnded,
    RoundStarted,
    SeatReady,
    SecretRevealed,
    TableOpened,
    TurnTaken,
)
from lostcities.play.fairness import Entropy
from lostcities.rules import CardMove, Match, Position, RoundResult, Seat


class Stage(StrEnum):
    """What a table waits for."""

    BETWEEN_ROUNDS = "between_rounds"
    """Both seats, to be ready for the next round."""
    PLAYING = "playing"
    """A turn."""
    OVER = "over"
    """Nothing but perhaps a rematch."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole truth about a table.

    Attributes:
        opening: How it was opened.
        match: The finished rounds.
        position: The running round, or the last one that was played.
        staged: The card that the side to move has put down for the time being.
        entropy: What the seats have added to the deals.
        ready: The seats that are ready for the next round.
        ended: How the match ended; None while it goes on.
        last_turn: The turn made last in this round.
        rematch_offers: The seats that would like another match.
    """

    opening: TableOpened
    match: Match
    position: Position | None = None
    staged: CardMove | None = None
    entropy: Entropy = (b"", b"")
    ready: frozenset[Seat] = frozenset()
    ended: MatchEnded | None = None
    last_turn: TurnTaken | None = None
    rematch_offers: frozenset[Seat] = frozenset()

    @classmethod
    def opened(cls, opening: TableOpened) -> "TableState":
        """Return the state of a table that was just opened."""
        return cls(opening=opening, match=Match(opening.variant, opening.first_starter or 0))

    @property
    def stage(self) -> Stage:
        """What the table waits for."""
        if self.ended is not None:
            return Stage.OVER
        if self.position is None or self.position.is_over:
            return Stage.BETWEEN_ROUNDS
        return Stage.PLAYING

    def after(self, event: Event) -> "TableState":  # noqa: C901, PLR0911 # a line for each event
        """Return the state after an event."""
        match event:
            case TableOpened():
                return TableState.opened(event)
            case SeatReady():
                return self._after_ready(event)
            case RoundStarted():
                return self._after_start(event)
            case CardStaged():
                return replace(self, staged=event.move)
            case CardTakenBack():
                return replace(self, staged=None)
            case TurnTaken():
                return self._after_turn(event)
            case RoundEnded():
                return self._after_round(event)
            case MatchEnded():
                return replace(self, ended=event, staged=None)
            case RematchOffered():
                return replace(self, rematch_offers=self.rematch_offers | {event.seat})
            case SecretRevealed() | RematchAgreed():
                return self  # they follow from what is known already
            case _:
                assert_never(event)

    def _after_ready(self, event: SeatReady) -> "TableState":
        entropy = self.entropy
        if event.entropy:
            entropy = (
                (event.entropy, entropy[1]) if event.seat == 0 else (entropy[0], event.entropy)
            )
        return replace(self, entropy=entropy, ready=self.ready | {event.seat})

    def _after_start(self, event: RoundStarted) -> "TableState":
        variant = self.opening.variant
        match = self.match
        if not match.rounds:
            match = replace(match, first_starter=event.standing.starter)
        return replace(
            self,
            match=match,
            position=Position.deal(event.deal, variant=variant, standing=event.standing),
            ready=frozenset(),
            last_turn=None,
        )

    def _after_turn(self, event: TurnTaken) -> "TableState":
        assert self.position is not None  # noqa: S101 # only a running round has turns
        position = self.position.after_turn(event.turn)
        return replace(self, position=position, staged=None, last_turn=event)

    def _after_round(self, event: RoundEnded) -> "TableState":
        assert self.position is not None  # noqa: S101 # a round ends after a turn
        result = RoundResult(self.position.standing.starter, event.scores)
        return replace(self, match=self.match.with_round(result))
