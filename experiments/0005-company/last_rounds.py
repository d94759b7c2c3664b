"""How many matches does it win to play the last round for the match and not for its points?

Matches are entered before their last round, with leads as two rounds of the shipped
network leave them. Each deal is played twice with the agents changed, so lead, cards and
starter favour both alike. Whole matches differ before the last round as well; they cost
three times as much and tell less.
"""

import argparse
from random import Random
from statistics import fmean

from lostcities.agents.objective import margins_of
from lostcities.agents.registry import make_agent
from lostcities.arena.estimates import Estimate
from lostcities.arena.rounds import play_round
from lostcities.rules import Position, Standing
from lostcities.training.generate import training_variant


def standing_of(rng: Random, num_colors: int) -> Standing:
    """Return a standing before the third round: who leads starts it, as the rules have it."""
    margins = margins_of(num_colors)
    lead = sum(
        rng.choice((1, -1)) * rng.choices(margins.points.tolist(), margins.chances.tolist())[0]
        for _ in range(2)
    )
    lead += rng.randint(-3, 3)  # margins are known in steps
    totals = (80 + lead, 80) if lead > 0 else (80, 80 - lead)
    starter = 0 if lead > 0 else 1 if lead < 0 else rng.randrange(2)
    return Standing(round_number=3, num_rounds=3, starter=starter, totals=totals)


def main() -> None:
    """Print the share of matches won with its standard error over deals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agent", default="expert:playouts=100")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    told = parser.parse_args()
    variant = training_variant(told.colors)
    agents = make_agent(f"{told.agent},objective=match"), make_agent(told.agent)
    shares, margins = [], []
    for number in range(told.deals):
        rng = Random(f"{told.seed} {number}")
        deck = list(variant.deck)
        rng.shuffle(deck)
        start = Position.deal(deck, variant=variant, standing=standing_of(rng, told.colors))
        wins = []
        for seat, players in ((0, agents), (1, agents[::-1])):
            report = play_round(start, players, lots=f"{told.seed} {number} {seat}")
            margin = report.scores[seat] - report.scores[1 - seat]
            totals = start.standing.totals
            ahead = margin + totals[seat] - totals[1 - seat]
            wins.append(0.5 if ahead == 0 else float(ahead > 0))
            margins.append(margin)
        shares.append(fmean(wins))
        if number % 50 == 49 or number == told.deals - 1:
            print(f"{number + 1} deals: wins {Estimate.of(100.0 * s for s in shares)} %, "
                  f"points {Estimate.of(margins)}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
