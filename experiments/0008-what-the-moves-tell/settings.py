"""What do trials add to the network under several settings, points a round?

The network plays rounds against itself and against rules of thumb. Wherever it hesitates, each
setting is asked what it would do instead, with the same lots. Moves that differ from the
network's are played out beside it in the true hands, the deck shuffled anew each time. The sum
over a round is what a setting gains, as far as one move at a time can tell (the performance
difference, at the network's own positions); far less noisy than matches.
"""

import argparse
from random import Random

import numpy as np

from lostcities.agents.expert import candidates_of
from lostcities.agents.objective import ROUND
from lostcities.agents.registry import make_agent
from lostcities.agents.weights import network_from
from lostcities.arena.estimates import Estimate
from lostcities.kernel.bridge import action_of, move_of, pack
from lostcities.kernel.layout import CARDS, DECK, MAX_LEGAL
from lostcities.kernel.lookahead import POINTS, Outlook, network_trial
from lostcities.kernel.network import Weights, evaluate, new_room, new_thinker
from lostcities.kernel.policy import new_work
from lostcities.rules import CardMove, Draw, Move, Position, Seat, Turn, WrittenTurn
from lostcities.training.generate import training_variant

SETTINGS = (
    ("thumbs=0.5,trust=1", False),
    ("thumbs=0.5,trust=1", True),
    ("thumbs=0.25,trust=1", True),
    ("thumbs=0.25,trust=0.5", True),
    ("thumbs=0.1,trust=0.5", True),
    ("thumbs=0,trust=0.5", True),
    ("thumbs=1,trust=0.5", True),
)
"""Options of the expert, and whether it is shown the past."""
NUM_TRIALS = 150


def gains_of(
    position: Position, moves: list[Move], weights: Weights, *, has_thumbs: bool, seed: int
) -> list[float]:
    """Return what moves gain over the first one, in the true hands, in points."""
    row, rng = pack(position), np.random.default_rng(seed)
    outlook = Outlook(
        new_thinker(weights), weights, POINTS, 0, float(has_thumbs), new_work(), np.ones(60)
    )
    actions, legal = (
        [action_of(move, position.variant) for move in moves],
        np.zeros(MAX_LEGAL, np.int64),
    )
    begin, end = int(row[int(DECK)]) & 0xFF, int(row[int(DECK)]) >> 8
    sums = np.zeros(len(moves))
    for _ in range(NUM_TRIALS):
        world = row.copy()
        deck = world[int(CARDS) :].view(np.uint8)
        deck[begin:end] = rng.permutation(deck[begin:end])
        sums += [
            network_trial(world.copy(), world, position.mover, action, outlook, has_thumbs, legal)
            for action in actions
        ]
    return list((sums - sums[0]) / NUM_TRIALS)


def gains_of_round(
    start: Position, seat: Seat, weights: Weights, *, has_thumbs: bool, playouts: int, rng: Random
) -> list[float]:
    """Return what each setting gains in a round of the network in a seat."""
    agents = [make_agent(f"expert:playouts={playouts},{options}") for options, _ in SETTINGS]
    other = make_agent("heuristic" if has_thumbs else "net")
    room, gains = new_room(), [0.0] * len(SETTINGS)
    position, past = start, list[WrittenTurn]()
    card_move: CardMove | None = None
    while not position.is_over:
        view = position.observe(position.mover)
        if position.mover != seat:
            move = other.decide(view, rng=rng).move
        else:
            row = pack(position)
            evaluate(row, seat, room, weights)
            candidates, _ = candidates_of(row, room)
            move = move_of(int(candidates[0]), position.variant)
            if len(candidates) > 1:
                lots = rng.getrandbits(64)
                chosen = [
                    agent.decide(view.with_past(past if sees else ()), rng=Random(lots)).move
                    for agent, (_, sees) in zip(agents, SETTINGS, strict=True)
                ]
                moves = [move, *dict.fromkeys(one for one in chosen if one != move)]
                found = (
                    gains_of(position, moves, weights, has_thumbs=has_thumbs, seed=lots)
                    if moves[1:]
                    else [0.0]
                )
                by_move = dict(zip(moves, found, strict=True))
                gains = [gain + by_move[one] for gain, one in zip(gains, chosen, strict=True)]
        if not isinstance(move, Draw):
            card_move = move
        elif card_move is not None:
            written = WrittenTurn(Turn(card_move, move), position.card_drawn_by(move))
            past.append(written if position.mover == seat else written.as_others_saw())
        position = position.after(move)
    return gains


def main() -> None:
    """Print a line for each setting and opponent."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40, help="for each opponent")
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    variant, weights = training_variant(told.colors), network_from("shipped").weights_for(ROUND)
    for has_thumbs in (False, True):
        table = []
        for number in range(told.rounds):
            rng = Random(f"{told.seed} {number} {has_thumbs}")
            deal = rng.sample(variant.deck, k=len(variant.deck))
            start = Position.deal(deal, variant=variant)
            table.append(gains_of_round(
                    start, number % 2, weights,
                    has_thumbs=has_thumbs, playouts=told.playouts, rng=rng,
                ))  # fmt: skip
        for place, (options, sees) in enumerate(SETTINGS):
            gains = [line[place] for line in table]
            more = [line[place] - line[0] for line in table]
            print(
                f"{'rules of thumb' if has_thumbs else 'the network'}, {options}, "
                f"{'with' if sees else 'without'} the past: {Estimate.of(gains)}, "
                f"over the first {Estimate.of(more)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
