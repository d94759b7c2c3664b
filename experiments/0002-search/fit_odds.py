"""Count in self-play of the policy what hands hold, and print the table of `kernel.belief.ODDS`."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lostcities.kernel._jit import njit
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.belief import NUM_PHASES, NUM_RELATIONS, phase_of_round, relation
from lostcities.kernel.layout import CARD_PHASE, MAX_CARDS, Row, U, card_types, new_row
from lostcities.kernel.policy import Work, new_work, policy_action
from lostcities.kernel.step import deck_size, is_over, mover, phase, step
from lostcities.kernel.streams import CardTypes, Word, round_stream, to_word
from lostcities.kernel.worlds import collect_hidden
from lostcities.rules import CLASSIC, ONLINE_STALL_LIMIT

NUM_ROUNDS = 12_000
Table = npt.NDArray[np.float64]


@njit
def count(  # noqa: PLR0917 # a compiled function has no keyword-only arguments
    start: Row, types: CardTypes, seed: Word, work: Work, held: Table, seen: Table, base: Table
) -> None:
    """Add up, by part of the round and relation, unseen cards and those of them in the hand."""
    cards, row = np.zeros(MAX_CARDS, np.uint8), start.copy()
    for number in range(NUM_ROUNDS):
        row[:] = start
        shuffle_and_deal(row, types, cards, round_stream(seed, U(number)))
        while not is_over(row):
            if phase(row) == CARD_PHASE:
                other = U(1) - mover(row)
                num = collect_hidden(row, other, cards)  # those in the hand come first
                in_hand, part = num - deck_size(row), phase_of_round(row)
                for index in range(num):
                    kind = relation(row, other, U(cards[index]))
                    seen[part, kind] += 1
                    held[part, kind] += np.float64(index < in_hand)
                    base[part, kind] += np.float64(in_hand) / np.float64(num)
            step(row, policy_action(row, work))


def main() -> None:
    """Print the odds, row by row."""
    variant = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
    held, seen, base = (np.zeros((NUM_PHASES, NUM_RELATIONS)) for _ in range(3))
    count(new_row(variant), card_types(variant), to_word(77), new_work(), held, seen, base)
    even = np.clip(base / np.maximum(seen, 1), 1e-3, 1 - 1e-3)
    share = np.clip((held + 5 * even) / (seen + 5), 1e-3, 1 - 1e-3)
    for odds in share / (1 - share) / (even / (1 - even)):
        print("(" + ", ".join(f"{value:.2f}" for value in odds) + "),")


if __name__ == "__main__":
    main()
