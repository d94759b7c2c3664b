"""Rounds that make a match: totals, who starts next, who wins."""

from dataclasses import dataclass, replace
from typing import assert_never

from lostcities.rules.errors import IllegalMoveError, Refusal, RefusalCode
from lostcities.rules.seats import Seat, other_seat
from lostcities.rules.variant import CLASSIC, MatchGoal, StarterPolicy, Variant

Points = tuple[int, int]
"""Points of seat A and of seat B."""


def leader(points: Points) -> Seat | None:
    """Return the seat with more points, None if they are level."""
    return None if points[0] == points[1] else int(points[1] > points[0])


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a round stands in its match.

    Attributes:
        round_number: This round, counted from 1.
        num_rounds: Rounds in the match.
        starter: The seat that started this round.
        totals: Points of all finished rounds; of this one too once it is over.
    """

    round_number: int = 1
    num_rounds: int = CLASSIC.num_rounds
    starter: Seat = 0
    totals: Points = (0, 0)

    def with_scores(self, scores: Points) -> "Standing":
        """Return the standing at the end of the round."""
        totals = (self.totals[0] + scores[0], self.totals[1] + scores[1])
        return replace(self, totals=totals)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round: who started it and what both sides scored."""

    starter: Seat
    scores: Points


@dataclass(frozen=True, slots=True)
class Match:
    """The finished rounds of a match.

    Attributes:
        variant: Gives the number of rounds, the starter policy and the goal.
        first_starter: The seat that starts the first round, found by lot.
        rounds: The finished rounds, first to last.
    """

    variant: Variant = CLASSIC
    first_starter: Seat = 0
    rounds: tuple[RoundResult, ...] = ()

    @property
    def totals(self) -> Points:
        """The points of all finished rounds."""
        return (
            sum(result.scores[0] for result in self.rounds),
            sum(result.scores[1] for result in self.rounds),
        )

    @property
    def rounds_won(self) -> Points:
        """The number of finished rounds that each seat has won."""
        winners = [leader(result.scores) for result in self.rounds]
        return winners.count(0), winners.count(1)

    @property
    def is_over(self) -> bool:
        """Whether all agreed rounds have been played."""
        return len(self.rounds) >= self.variant.num_rounds

    @property
    def leader(self) -> Seat | None:
        """The seat that is ahead; at the end the winner. None if level: a drawn match."""
        goal = self.variant.match_goal
        return leader(self.totals if goal is MatchGoal.POINTS else self.rounds_won)

    def reason_against_round(self) -> Refusal | None:
        """Return why no further round may start, or None."""
        if not self.is_over:
            return None
        return Refusal(
            RefusalCode.MATCH_OVER,
            f"cannot start a round: all {self.variant.num_rounds} rounds have been played",
        )

    def next_starter(self, lot: Seat | None = None) -> Seat:
        """Return the seat that starts the next round.

        Args:
            lot: The seat that a fair draw gives; only the random policy needs it.

        Raises:
            IllegalMoveError: If the match is over.
            ValueError: If the policy is random and no lot is given.
        """
        if refusal := self.reason_against_round():
            raise IllegalMoveError(refusal)
        if not self.rounds:
            return self.first_starter
        previous = self.rounds[-1]
        chosen: Seat | None = None
        match self.variant.starter_policy:
            case StarterPolicy.FIXED:
                chosen = self.first_starter
            case StarterPolicy.RANDOM:
                if lot is None:
                    raise ValueError("expected a lot, since the starter is drawn each time")
                chosen = lot
            case StarterPolicy.LEADER:
                chosen = leader(self.totals)
            case StarterPolicy.TRAILER:
                chosen = leader((self.totals[1], self.totals[0]))
            case StarterPolicy.ROUND_WINNER:
                chosen = leader(previous.scores)
            case StarterPolicy.ALTERNATE:
                pass
            case _:
                assert_never(self.variant.starter_policy)
        return other_seat(previous.starter) if chosen is None else chosen

    def next_standing(self, lot: Seat | None = None) -> Standing:
        """Return the standing with which the next round starts.

        Raises:
            IllegalMoveError: If the match is over.
            ValueError: If the policy is random and no lot is given.
        """
        return Standing(
            round_number=len(self.rounds) + 1,
            num_rounds=self.variant.num_rounds,
            starter=self.next_starter(lot),
            totals=self.totals,
        )

    def with_round(self, result: RoundResult) -> "Match":
        """Return the match after one more round.

        Raises:
            IllegalMoveError: If the match is over.
        """
        if refusal := self.reason_against_round():
            raise IllegalMoveError(refusal)
        return replace(self, rounds=(*self.rounds, result))
