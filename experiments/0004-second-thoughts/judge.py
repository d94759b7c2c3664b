"""What do trials add to the network, points a round? Far less noisy than matches.

An agent plays rounds. Whenever it does not do what the network likes best, both moves
are played out again and again: with the true other hand, the deck shuffled anew, the
network going on for the agent. The sum of the differences over a round is what the
agent gains over the network (the performance difference of the two policies).
"""

import argparse
from random import Random
from statistics import fmean

import numpy as np

from lostcities.agents.base import Agent
from lostcities.agents.registry import make_agent
from lostcities.agents.weights import SavedNetwork, network_from
from lostcities.arena.estimates import Estimate
from lostcities.kernel.bridge import action_of, pack
from lostcities.kernel.layout import CARDS, DECK, MAX_LEGAL, Row
from lostcities.kernel.lookahead import POINTS, Outlook, network_trial
from lostcities.kernel.network import new_thinker
from lostcities.kernel.policy import new_work
from lostcities.rules import SEATS, CardMove, Draw, Move, Position, Seat, Turn, WrittenTurn
from lostcities.training.generate import training_variant


class Judge:
    """Plays two moves out from where they were made.

    Attributes:
        num_trials: How often.
    """

    def __init__(self, network: SavedNetwork, *, thumbs: bool, num_trials: int, seed: int) -> None:
        weights = network.weights
        self.num_trials = num_trials
        self._thumbs = thumbs
        self._outlook = Outlook(
            new_thinker(weights), weights, POINTS, 0, float(thumbs), new_work(), np.zeros(60)
        )
        self._rng = np.random.default_rng(seed)
        self._actions = np.zeros(MAX_LEGAL, np.int64)

    def gain(self, position: Position, move: Move, usual: Move) -> float:
        """Return by how many points a move is better than another, in the true hands."""
        row = pack(position)
        actions = [action_of(one, position.variant) for one in (move, usual)]
        differences = []
        for _ in range(self.num_trials):
            world = self._shuffled(row)
            one, other = (self._play_out(world, position.mover, action) for action in actions)
            differences.append(one - other)
        return fmean(differences)

    def _shuffled(self, row: Row) -> Row:
        world = row.copy()
        begin, end = int(row[int(DECK)]) & 0xFF, int(row[int(DECK)]) >> 8
        cards = world[int(CARDS) :].view(np.uint8)
        cards[begin:end] = self._rng.permutation(cards[begin:end])
        return world

    def _play_out(self, world: Row, seat: Seat, action: int) -> float:
        points: float = network_trial(
            world.copy(), world, seat, action, self._outlook, self._thumbs, self._actions
        )
        return points


def gain_of_round(
    deal: Position, seat: Seat, agents: tuple[Agent, Agent, Agent], judge: Judge, rng: Random
) -> tuple[float, int]:
    """Play a round; return what the agent gained over the network, and in how many decisions.

    Args:
        deal: Where to begin.
        seat: The agent's.
        agents: The agent, the network alone, and the opponent.
        judge: Says what a changed decision is worth.
        rng: Of all lots.
    """
    agent, network, opponent = agents
    position, gain, num_changed = deal, 0.0, 0
    past: list[WrittenTurn] = []
    card_move: CardMove | None = None
    while not position.is_over:
        view = position.observe(position.mover)
        if position.mover != seat:
            move = opponent.decide(view, rng=rng).move
        else:
            move = agent.decide(view.with_past(past), rng=rng).move
            usual = network.decide(view, rng=rng).move
            if move != usual:
                gain += judge.gain(position, move, usual)
                num_changed += 1
        if not isinstance(move, Draw):
            card_move = move
        elif card_move is not None:
            written = WrittenTurn(Turn(card_move, move), position.card_drawn_by(move))
            past.append(written if position.mover == seat else written.as_others_saw())
        position = position.after(move)
    return gain, num_changed


def main() -> None:
    """Print the gain a round with its standard error over deals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("agent", help="such as expert:playouts=400")
    parser.add_argument("opponent", choices=("heuristic", "net"))
    parser.add_argument("--deals", type=int, default=30, help="each is played from both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument("--trials", type=int, default=100, help="for each changed decision")
    parser.add_argument("--weights", default="", help="a network file (default: the shipped one)")
    told = parser.parse_args()
    variant, weights = training_variant(told.colors), f"weights={told.weights}"
    joint = "," if ":" in told.agent else ":"
    specs = (
        (f"{told.agent}{joint}{weights}", f"net:{weights}") if told.weights else (told.agent, "net")
    )
    agents = (make_agent(specs[0]), make_agent(specs[1]), make_agent(told.opponent))
    judge = Judge(
        network_from(told.weights), thumbs=told.opponent == "heuristic",
        num_trials=told.trials, seed=told.seed,
    )  # fmt: skip
    gains, changes = [], []
    for number in range(told.deals):
        rng = Random(f"{told.seed} {number}")
        deck = list(variant.deck)
        rng.shuffle(deck)
        deal = Position.deal(deck, variant=variant)
        found = [gain_of_round(deal, seat, agents, judge, rng) for seat in SEATS]
        gains.append(fmean(gain for gain, _ in found))
        changes.append(fmean(num for _, num in found))
    print(f"{told.agent} against {told.opponent}, {told.colors} colors: gain {Estimate.of(gains)}")
    print(f"{fmean(changes):.1f} decisions of a round changed")


if __name__ == "__main__":
    main()
