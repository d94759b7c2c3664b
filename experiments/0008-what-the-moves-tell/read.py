"""What do moves and table tell of the other side, and what is each to count for?

A network plays rounds against itself and against rules of thumb of varied tastes. Before each
of its cards it reads what the moves and what the table say of the other side. A logistic
regression on half of the rounds gives what each is to count for; printed are these shares and,
of the other half, how many nats of surprise are left (guessing: 0.693).
"""

import argparse

import numpy as np
import numpy.typing as npt

from lostcities.agents.objective import ROUND
from lostcities.agents.weights import network_from
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, MAX_LEGAL, Row, card_types, new_row
from lostcities.kernel.lookahead import likeliest_action
from lostcities.kernel.network import Weights, evaluate, new_room, new_thinker, read_thumbs
from lostcities.kernel.opposite import evidence_of_moves
from lostcities.kernel.policy import Work, new_work, policy_action
from lostcities.kernel.step import is_over, mover, num_colors, phase, step
from lostcities.kernel.streams import to_word
from lostcities.rules import Standing
from lostcities.training.generate import another_taste, training_variant

TASTES = 0.2
EARLY = 8
"""Own turns that count as early."""


def play(
    row: Row, seat: int, thumbs: Work | None, weights: Weights
) -> list[tuple[int, float, float]]:
    """Play a round; return at each card of a seat its number, what moves say and the table."""
    room, actions = new_room(), np.zeros(MAX_LEGAL, np.int64)
    found: list[tuple[int, float, float]] = []
    start, own = row.copy(), new_work()
    past: list[int] = []
    player, evidence, num_read = new_thinker(weights), 0.0, 0
    while not is_over(row):
        its_seat = int(mover(row))
        evaluate(row, its_seat, room, weights)
        if its_seat == seat and int(phase(row)) == 0:
            told = read_thumbs(room, int(num_colors(row)))
            plies = np.array(past, np.int64)
            evidence = evidence_of_moves(start, plies, num_read, evidence, seat, player, own)
            num_read = len(past)
            found.append((len(found), evidence, told))
        if its_seat != seat and thumbs is not None:
            action = int(policy_action(row, thumbs))
        else:
            action = int(likeliest_action(row, room, actions, False))  # noqa: FBT003 # by place
        past.append(action)
        step(row, action)
    return found


def fit(
    inputs: npt.NDArray[np.float64], truths: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return what each input is to count for, by Newton's method."""
    shares = np.zeros(inputs.shape[1])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-inputs @ shares))
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs
        curvature += 1e-3 * np.eye(len(shares))
        shares += np.linalg.solve(curvature, inputs.T @ (truths - chances))
    return shares


def surprise(evidence: npt.NDArray[np.float64], truths: npt.NDArray[np.float64]) -> float:
    """Return the mean surprise, in nats."""
    return float(np.log1p(np.exp(-np.where(truths > 0, 1, -1) * evidence)).mean())


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    variant, weights = training_variant(told.colors), network_from("shipped").weights_for(ROUND)
    rows: list[tuple[float, ...]] = []
    for number in range(told.rounds):
        rng = np.random.default_rng((told.seed, number))
        row = new_row(variant, Standing(num_rounds=3, starter=number // 4 % 2))
        cards = np.zeros(MAX_CARDS, np.uint8)
        shuffle_and_deal(row, card_types(variant), cards, to_word(int(rng.integers(1 << 63))))
        thumbs = new_work(another_taste(rng, TASTES)) if number % 2 else None
        found = play(row, number // 2 % 2, thumbs, weights)
        rows += [(number, number % 2, *each) for each in found]
    table = np.array(rows)
    is_first, truths, is_early = table[:, 0] % 8 < 4, table[:, 1], table[:, 2] < EARLY
    for name, columns in (("moves", [3]), ("table", [4]), ("both", [3, 4])):
        inputs = table[:, columns]
        shares = fit(inputs[is_first], truths[is_first])
        parts = [
            f"{surprise(inputs[some] @ shares, truths[some]):.3f}"
            for some in (~is_first, ~is_first & is_early)
        ]
        print(f"{name}: counts for {shares.round(2)}; nats {parts[0]}, early {parts[1]}")


if __name__ == "__main__":
    main()
