"""Where a table stands: a value that each event carries one step on."""

from dataclasses import dataclass, field, replace
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
    """The whole truth about a table; its `repr` keeps the cards to itself.

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
    position: Position | None = field(default=None, repr=False)
    staged: CardMove | None = field(default=None, repr=False)
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
        """Return the state after an event.

        Raises:
            ValueError: If the event cannot follow; a table never decides such a one.
        """
        match event:
            case TableOpened():
                raise ValueError("a table that is opened twice")
            case SeatReady():
                return self._after_ready(event)
            case RoundStarted():
                return self._after_start(event)
            case CardStaged():
                return self._after_staging(event)
            case CardTakenBack():
                return replace(self, staged=None)
            case TurnTaken():
                return self._after_turn(event)
            case RoundEnded():
                return self._after_round(event)
            case MatchEnded():
                return self._after_end(event)
            case RematchOffered():
                return replace(self, rematch_offers=self.rematch_offers | {event.seat})
            case SecretRevealed() | RematchAgreed():
                if self.ended is None:
                    raise ValueError("what follows a match only, before its end")
                return self
            case _:
                assert_never(event)

    def _after_staging(self, event: CardStaged) -> "TableState":
        if self.position is None or self.position.reason_against(event.move, seat=event.seat):
            raise ValueError("a staged card that cannot be put down")
        return replace(self, staged=event.move)

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
        position = self.position
        if position is None or event.seat != position.to_move:
            raise ValueError("a turn out of turn")
        staged = position.after(event.turn.card_move)
        after = staged.after(event.turn.draw)
        if event.drawn != staged.card_drawn_by(event.turn.draw):
            raise ValueError("another card than the one drawn")
        return replace(self, position=after, staged=None, last_turn=event)

    def _after_round(self, event: RoundEnded) -> "TableState":
        position = self.position
        if position is None or not position.is_over or event.scores != position.scores:
            raise ValueError("the end of a round that has not ended like this")
        if event.round_number != len(self.match.rounds) + 1:
            raise ValueError("the end of another round")
        result = RoundResult(position.standing.starter, event.scores)
        return replace(self, match=self.match.with_round(result))

    def _after_end(self, event: MatchEnded) -> "TableState":
        if event.resigned is None and not self.match.is_over:
            raise ValueError("the end of a match that has not ended")
        return replace(self, ended=event, staged=None)
