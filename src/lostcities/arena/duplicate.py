"""Duplicate deals: each deal is played twice with the seats swapped, so that luck cancels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from lostcities.agents.base import Agent
from lostcities.arena.rounds import RoundReport, play_round
from lostcities.rules import SEATS, Position, Variant


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of independent values, and how far it can be trusted.

    Attributes:
        mean: The mean.
        standard_error: Standard error of the mean; 0 for a single value.
        deviation: Standard deviation of the single values; 0 for a single value.
    """

    mean: float
    standard_error: float
    deviation: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Estimate":
        """Estimate from at least one value."""
        sample = list(values)
        deviation = stdev(sample) if len(sample) > 1 else 0.0
        return cls(fmean(sample), deviation / sqrt(len(sample)), deviation)

    def __str__(self) -> str:
        """Return the mean with its standard error: +1.23 +- 0.04."""
        return f"{self.mean:+.2f} +- {self.standard_error:.2f}"


@dataclass(frozen=True, slots=True)
class Pair:
    """The two rounds of one deal: the first agent sits in seat A, then in seat B."""

    first: RoundReport
    swapped: RoundReport

    @property
    def rounds(self) -> tuple[RoundReport, RoundReport]:
        """Both rounds."""
        return self.first, self.swapped

    @property
    def margin(self) -> float:
        """Points by which the first agent was ahead, per round."""
        scores, swapped = self.first.scores, self.swapped.scores
        return (scores[0] - scores[1] + swapped[1] - swapped[0]) / len(self.rounds)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents over many duplicate deals. All figures are per round.

    The values of one pair hang together, so every standard error of a score
    is taken over pairs.

    Attributes:
        pairs: The rounds, in the order of the deals.
    """

    pairs: tuple[Pair, ...]

    @property
    def num_rounds(self) -> int:
        """Rounds played."""
        return len(self._rounds)

    @property
    def margin(self) -> Estimate:
        """Points by which the first agent was ahead."""
        return Estimate.of(pair.margin for pair in self.pairs)

    @property
    def scores(self) -> tuple[Estimate, Estimate]:
        """What each agent scored; the mean of a pair counts as one value."""
        return self._score(agent=0), self._score(agent=1)

    @property
    def score_deviations(self) -> tuple[float, float]:
        """The standard deviation of what each agent scored in a single round."""
        return self._deviation(agent=0), self._deviation(agent=1)

    @property
    def turns(self) -> Estimate:
        """Turns of both sides together."""
        return Estimate.of(report.num_turns for report in self._rounds)

    @property
    def takes(self) -> Estimate:
        """Draws from a discard pile, by both sides together."""
        return Estimate.of(report.num_takes for report in self._rounds)

    @property
    def share_with_forced_draw(self) -> float:
        """The share of rounds in which the stall guard forced a draw."""
        return fmean(report.num_forced_draws > 0 for report in self._rounds)

    @property
    def wagers(self) -> tuple[float, float]:
        """Wagers that each agent played."""
        return self._mean(agent=0, what="num_wagers"), self._mean(agent=1, what="num_wagers")

    @property
    def expeditions(self) -> tuple[float, float]:
        """Expeditions that each agent opened."""
        return (
            self._mean(agent=0, what="num_expeditions"),
            self._mean(agent=1, what="num_expeditions"),
        )

    @property
    def _rounds(self) -> list[RoundReport]:
        return [report for pair in self.pairs for report in pair.rounds]

    def _values(self, agent: int, what: str) -> list[tuple[int, int]]:
        """For each pair, what the agent got in the first round and in the swapped one."""
        return [
            (getattr(pair.first, what)[agent], getattr(pair.swapped, what)[1 - agent])
            for pair in self.pairs
        ]

    def _score(self, *, agent: int) -> Estimate:
        return Estimate.of(fmean(scores) for scores in self._values(agent, "scores"))

    def _deviation(self, *, agent: int) -> float:
        return Estimate.of(
            score for scores in self._values(agent, "scores") for score in scores
        ).deviation

    def _mean(self, *, agent: int, what: str) -> float:
        return fmean(value for values in self._values(agent, what) for value in values)


def compare(agents: Sequence[Agent], *, variant: Variant, num_pairs: int, seed: int) -> Comparison:
    """Play duplicate deals between two agents.

    Deal number i depends on the seed and i only, so a longer run begins with
    the same pairs, and two challengers meet the same deals.

    Args:
        agents: The first and the second agent.
        variant: The numbers of the game; give it a stall limit.
        num_pairs: Deals; each is played twice. Positive.
        seed: Names the sequence of deals.

    Raises:
        IllegalMoveError: If an agent chooses a move that the rules refuse.
    """
    first, second = agents
    return Comparison(
        tuple(
            Pair(
                first=_play(name, "first", (first, second), variant),
                swapped=_play(name, "swapped", (second, first), variant),
            )
            for name in _deal_names(seed, num_pairs)
        )
    )


def play_each_once(
    agent: Agent, *, variant: Variant, num_rounds: int, seed: int
) -> tuple[RoundReport, ...]:
    """Play an agent against itself, once on each of the deals that `compare` would use.

    A second round of the same deal would tell nothing new of an agent that
    leaves nothing to chance.

    Args:
        agent: Sits in both seats.
        variant: The numbers of the game; give it a stall limit.
        num_rounds: Deals. Positive.
        seed: Names the sequence of deals.
    """
    return tuple(
        _play(name, "first", (agent, agent), variant) for name in _deal_names(seed, num_rounds)
    )


def _deal_names(seed: int, num: int) -> list[str]:
    return [f"{seed}/{index}" for index in range(num)]


def _play(
    deal_name: str, round_name: str, agents: tuple[Agent, Agent], variant: Variant
) -> RoundReport:
    """Play the named deal; each seat of each round draws lots of its own."""
    deal = list(variant.deck)
    _generator(deal_name).shuffle(deal)
    of_a, of_b = (_generator(f"{deal_name}/{round_name}/{seat}") for seat in SEATS)
    return play_round(Position.deal(deal, variant=variant), agents, rngs=(of_a, of_b))


def _generator(name: str) -> Random:
    """Return a generator that any later run can make again; nothing here is secret."""
    return Random(name)  # noqa: S311
