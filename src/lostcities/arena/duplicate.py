"""Duplicate deals: each deal is played twice with the seats swapped, so that luck cancels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from lostcities.agents.base import NO_LIMIT, Agent, Limit
from lostcities.arena.estimates import Estimate
from lostcities.arena.luck import adjusted
from lostcities.arena.rounds import RoundReport, play_round
from lostcities.rules import NO_MEMORY, Cards, Memory, Points, Position, Standing, Variant


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
    def scores_of_agents(self) -> tuple[Points, Points]:
        """For both rounds, the points of the first and of the second agent."""
        a, b = self.swapped.scores
        return self.first.scores, (b, a)

    @property
    def luck(self) -> float:
        """Points by which the draws favoured the first agent, per round; 0 if not measured."""
        return (self.first.luck - self.swapped.luck) / len(self.rounds)

    @property
    def margin(self) -> float:
        """Points by which the first agent was ahead, per round."""
        return fmean(first - second for first, second in self.scores_of_agents)


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
    def adjusted_margin(self) -> tuple[Estimate, float]:
        """The margin without the luck of the draws, and the share of it that was taken out."""
        return adjusted([pair.margin for pair in self.pairs], [pair.luck for pair in self.pairs])

    @property
    def win_rate(self) -> Estimate:
        """The share of rounds that the first agent won; a drawn round counts half."""
        return Estimate.of(
            fmean(share_won(scores) for scores in pair.scores_of_agents) for pair in self.pairs
        )

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
    def seconds_per_decision(self) -> tuple[float, float]:
        """The time that each agent took for a ply."""
        return self._seconds(agent=0), self._seconds(agent=1)

    @property
    def _rounds(self) -> list[RoundReport]:
        return [report for pair in self.pairs for report in pair.rounds]

    def _values(self, agent: int, what: str) -> list[tuple[float, float]]:
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

    def _seconds(self, *, agent: int) -> float:
        seconds = sum(map(sum, self._values(agent, "seconds")))
        return seconds / max(1, sum(map(sum, self._values(agent, "num_decisions"))))


def share_won(scores: Points) -> float:
    """Return 1 if the first side has more points, 1/2 if they are level, else 0."""
    return 0.5 if scores[0] == scores[1] else float(scores[0] > scores[1])


def compare(agents: Sequence[Agent], *, variant: Variant, num_pairs: int, seed: int) -> Comparison:
    """Play duplicate deals between two agents, each deal a match of its own.

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
    single = replace(variant, num_rounds=1)
    return Comparison(
        tuple(
            Pair(
                first=play_deal(seed, index, (first, second), variant=single),
                swapped=play_deal(seed, index, (second, first), variant=single, is_swapped=True),
            )
            for index in range(num_pairs)
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
    single = replace(variant, num_rounds=1)
    return tuple(
        play_deal(seed, index, (agent, agent), variant=single) for index in range(num_rounds)
    )


def deal_number(seed: int, index: int, variant: Variant) -> Cards:
    """Return deal number *index* of the sequence that the seed names."""
    deal = list(variant.deck)
    _generator(f"{seed}/{index}").shuffle(deal)
    return tuple(deal)


def play_deal(
    seed: int,
    index: int,
    agents: tuple[Agent, Agent],
    *,
    variant: Variant,
    standing: Standing | None = None,
    is_swapped: bool = False,
    limits: tuple[Limit, Limit] = (NO_LIMIT, NO_LIMIT),
    is_tolerant: bool = False,
    memory: Memory = NO_MEMORY,
) -> RoundReport:
    """Play a numbered deal; each of its two rounds has lots of its own.

    See `play_round`.
    """
    position = Position.deal(deal_number(seed, index, variant), variant=variant, standing=standing)
    lots = lots_of_deal(seed, index, is_swapped=is_swapped)
    return play_round(
        position, agents, lots=lots, limits=limits, is_tolerant=is_tolerant, memory=memory
    )


def lots_of_deal(seed: int, index: int, *, is_swapped: bool) -> str:
    """Return the name of the lots that the agents draw in one of the two rounds of a deal."""
    return f"{seed}/{index}/{'swapped' if is_swapped else 'first'}"


def _generator(name: str) -> Random:
    """Return a generator that any later run can make again; nothing here is secret."""
    return Random(name)
