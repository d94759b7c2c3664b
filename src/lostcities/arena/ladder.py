"""A ladder of agents: each plays those near it, and all are rated on one scale."""

from collections.abc import Iterable, Iterator, Sequence

from lostcities.arena.contest import Contest, JobResult, Standings
from lostcities.arena.ratings import Duel


def duels_of(
    specs: Sequence[str], *, num_pairs: int, num_colors: int, seed: int, reach: int = 2
) -> Iterator[Contest]:
    """Return the contests of a ladder: each agent against the next few above it.

    Far apart, a margin says little of the steps between.

    Args:
        specs: The agents, the weakest first.
        num_pairs: Deals in each contest.
        num_colors: Expeditions.
        seed: Names the deals; all contests play the same.
        reach: How many steps apart two agents may be that meet.
    """
    for index, spec in enumerate(specs):
        for above in specs[index + 1 : index + 1 + reach]:
            yield Contest(
                a=above, b=spec, num_pairs=num_pairs, num_colors=num_colors, num_rounds=1, seed=seed
            )


def duel_of(contest: Contest, results: Iterable[JobResult]) -> Duel:
    """Return how a contest of the ladder went that is played to its end."""
    margin = Standings(contest, tuple(results)).comparison.margin
    return Duel(contest.a, contest.b, margin)
