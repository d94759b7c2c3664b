"""Time the research interfaces, and look at the ends of very many games.

    python benchmarks/bench_research.py                  decisions per second of each interface
    python benchmarks/bench_research.py --games 100000   also: the contract at the edges, on so many games

CPU time of one thread; the best of five runs.
"""

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any, Literal

import numpy as np

from lostcities.kernel._jit import njit, row_of
from lostcities.kernel.batch import Batch
from lostcities.kernel.layout import MAX_LEGAL, Rows, num_actions
from lostcities.kernel.step import is_over, legal_list, legal_mask, step
from lostcities.rules import ONLINE_STALL_LIMIT, Variant
from lostcities.rules.bounds import max_round_score, max_turns, min_round_score


def main() -> None:
    """Measure, print, and check if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="random games to look at the ends of")
    parser.add_argument("--decisions", type=int, default=100_000, help="per run")
    options = parser.parse_args()
    for name, run in RUNS.items():
        run(2000)  # compile, and fill the caches
        print(
            f"{name:46} {max(run(options.decisions) for _ in range(5)):12,.0f} decisions/s",
            flush=True,
        )
    for num_colors in (5, 6) if options.games else ():
        print(check_ends(num_colors, options.games), flush=True)


def run_cycle(num_decisions: int, *, is_guarded: bool = False) -> float:
    """PettingZoo's loop, with observation and mask at each decision, one legal action at random."""
    from lostcities.adapters.pettingzoo import env, raw_env  # noqa: PLC0415 # a peer

    game: Any = env() if is_guarded else raw_env()
    numbers = np.random.default_rng(0).random(4096).tolist()
    game.reset(seed=0)
    count, begin = 0, time.process_time()
    while count < num_decisions:
        for _ in game.agent_iter():
            observation, _, termination, _, _ = game.last()
            if termination:
                game.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            game.step(legal[int(numbers[count & 4095] * legal.size)])
            count += 1
        game.reset()
    return count / (time.process_time() - begin)


def run_learner(num_decisions: int) -> float:
    """Gymnasium's loop for one learner against the random agent; its decisions only."""
    from lostcities.adapters.gymnasium import LostCitiesEnv  # noqa: PLC0415 # a peer

    env, rng = LostCitiesEnv(), Random(0)
    num_decisions //= 50  # the agent looks at an Observation of Python objects
    observation, _ = env.reset(seed=0)
    begin = time.process_time()
    for _ in range(num_decisions):
        legal = observation["action_mask"].nonzero()[0]
        observation, _, is_over, _, _ = env.step(legal[rng.randrange(legal.size)])
        if is_over:
            observation, _ = env.reset()
    return num_decisions / (time.process_time() - begin)


def run_many(num_decisions: int, *, opponent: Literal["random"] | None, copy: bool) -> float:
    """Gymnasium's vector environment, 1,024 games; choosing the actions is not counted."""
    from lostcities.adapters.gymnasium import LostCitiesVectorEnv  # noqa: PLC0415 # a peer

    envs = LostCitiesVectorEnv(1024, opponent=opponent, copy=copy)
    envs.reset(seed=0)
    actions = np.zeros(1024, np.int64)
    num_steps = max(10 * num_decisions // 1024, 2)
    spent = 0.0
    for number in range(num_steps):
        envs._duels.random_actions(number, actions)  # noqa: SLF001 # the fastest chooser there is
        begin = time.process_time()
        envs.step(actions)
        spent += time.process_time() - begin
    return num_steps * 1024 / spent


def run_tree(num_decisions: int) -> float:
    """OpenSpiel's loop: legal actions, chance outcomes, apply; players' decisions only."""
    import pyspiel  # noqa: PLC0415 # a peer

    import lostcities.adapters.openspiel  # noqa: F401, PLC0415 # registers the game

    game, rng = pyspiel.load_game("python_lost_cities"), Random(0)
    count, begin = 0, time.process_time()
    while count < num_decisions:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, shares)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                count += 1
    return count / (time.process_time() - begin)


RUNS: dict[str, Callable[[int], float]] = {
    "PettingZoo, raw_env": run_cycle,
    "PettingZoo, env (with its order guard)": lambda n: run_cycle(n, is_guarded=True),
    "Gymnasium, one learner against random": run_learner,
    "Gymnasium, 1024 against random, copies": lambda n: run_many(n, opponent="random", copy=True),
    "Gymnasium, 1024 against random, no copies": lambda n: run_many(
        n, opponent="random", copy=False
    ),
    "Gymnasium, 1024 in self-play, copies": lambda n: run_many(n, opponent=None, copy=True),
    "Gymnasium, 1024 in self-play, no copies": lambda n: run_many(n, opponent=None, copy=False),
    "OpenSpiel, random play": run_tree,
}


# --- the contract at the edges -----------------------------------------------------------------


@njit
def count_faults(rows: Rows, masks: Any, size: int) -> int:  # noqa: ANN401 # uint8[N, A]
    """Count the rows whose list is empty, not ascending, out of range, or not that of the mask."""
    actions = np.zeros(MAX_LEGAL, np.int64)
    mask = np.zeros(size, np.uint8)
    faults = 0
    for game in range(len(rows)):
        count = legal_list(row_of(rows, game), actions)
        is_good = count > 0 and actions[0] >= 0 and actions[count - 1] < size
        mask[:] = 0
        for place in range(count):
            mask[actions[place]] = 1
            if place and actions[place] <= actions[place - 1]:
                is_good = False
        for action in range(size):
            if mask[action] != masks[game, action]:
                is_good = False
        faults += not is_good
    return faults


def check_ends(num_colors: int, num_games: int) -> str:
    """Play random games in the kernel and look at every position of them."""
    variant = Variant(num_colors=num_colors, num_rounds=1, stall_limit=ONLINE_STALL_LIMIT)
    batch = Batch(variant, 4096, seed=1)
    size = num_actions(variant)
    actions = np.zeros(4096, np.int64)
    plies = np.zeros(4096, np.int64)
    faults = longest = count = num_steps = 0
    lowest, highest, margin = 0, 0, 0
    while count < num_games:
        faults += count_faults(batch.rows, batch.masks, size)
        batch.random_actions(num_steps, actions)
        before = batch.rows.copy()
        batch.step(actions)
        plies += 1
        num_steps += 1
        done = batch.finished
        if done.any():
            scores = batch.scores[done]
            lowest, highest = min(lowest, int(scores.min())), max(highest, int(scores.max()))
            margin = max(margin, int(np.abs(scores[:, 0] - scores[:, 1]).max()))
            longest = max(longest, int(plies[done].max()))
            count += int(done.sum())
            plies[done] = 0
            faults += count_open_ends(before[done], actions[done], size)
    turns = max_turns(variant)
    return (
        f"{num_colors} colours, {count:,} games: {faults} faults; scores {lowest} to {highest} "
        f"(bounds {min_round_score(variant)} to {max_round_score(variant)}), margin up to {margin}; "
        f"longest {longest} plies (bound {2 * (turns or 0)})"
    )


def count_open_ends(rows: Rows, actions: Any, size: int) -> int:  # noqa: ANN401 # int64[N]
    """Count the finished games that still offer an action."""
    mask = np.zeros(size, np.uint8)
    faults = 0
    for row, action in zip(rows, actions, strict=True):
        step(row, int(action))
        legal_mask(row, mask)
        faults += bool(mask.any()) or not is_over(row)
    return faults


if __name__ == "__main__":
    main()
