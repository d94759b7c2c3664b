"""How fast the kernel is, as ratios to a tuned C program and to the readable rules.

    python benchmarks/bench_kernel.py [--passes 7] [--rounds 20000]

Everything is CPU time of one thread. The C program and the kernel take turns, and
a ratio is the median of the ratios of neighbours, so that a busy machine slows
both. The C program plays the same games, which its fingerprint proves; it is
built with several sets of options, and the fastest counts.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lostcities.kernel.batch import Batch, shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, MAX_LEGAL, card_types, new_row
from lostcities.kernel.playout import random_rounds
from lostcities.kernel.step import legal_list, step
from lostcities.kernel.streams import to_word
from lostcities.kernel.warm_up import warm_up
from lostcities.rules import CLASSIC, LONG, Position, Variant

_SEED: Final = 7
_SOURCE: Final = Path(__file__).with_name("limit.c")
_BUILDS: Final = ("-O3", "-O3 -mtune=skylake", "-Os")
"""Options besides -march=native; gcc 12 tunes best for another processor than it finds."""


class Timing(NamedTuple):
    """CPU time of some rounds: nanoseconds, turns and what was played."""

    nanoseconds: float
    num_turns: int
    fingerprint: int

    @property
    def per_decision(self) -> float:
        """Nanoseconds of CPU time a decision; a turn is two."""
        return self.nanoseconds / (2 * self.num_turns)


def _build(folder: Path) -> dict[str, Path]:
    programs = {}
    for number, options in enumerate(_BUILDS):
        program = folder / f"limit{number}"
        command = ["gcc", "-march=native", *options.split(), "-o", str(program), str(_SOURCE)]
        subprocess.run(command, check=True)
        programs[f"C, gcc {options}"] = program
    return programs


def _run_c(program: Path, variant: Variant, count: int) -> Timing:
    command = [str(program), str(variant.num_colors), str(_SEED), str(count)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fingerprint, num_turns, nanoseconds = map(int, text.split())
    return Timing(nanoseconds, num_turns, fingerprint)


def _run_kernel(variant: Variant, count: int, form: str) -> Timing:
    begin = time.process_time_ns()
    rounds = random_rounds(variant, seed=_SEED, count=count, form=form)  # type: ignore[arg-type] # one of two words
    return Timing(time.process_time_ns() - begin, rounds.num_turns, rounds.fingerprint)


def bench_playouts(variant: Variant, passes: int, count: int) -> float:
    """Print playouts of every form and return the tuned one's nanoseconds a decision."""
    with tempfile.TemporaryDirectory() as folder:
        programs = _build(Path(folder))
        runs: dict[str, Callable[[], Timing]] = {
            name: (lambda program=program: _run_c(program, variant, count))  # type: ignore[misc] # bound early
            for name, program in programs.items()
        }
        runs["kernel, tuned"] = lambda: _run_kernel(variant, count, "tuned")
        runs["kernel, readable"] = lambda: _run_kernel(variant, count, "readable")
        table = [{name: run() for name, run in runs.items()} for _ in range(passes)]
    if len({timing.fingerprint for row in table for timing in row.values()}) != 1:
        sys.exit("the programs do not play the same games")
    medians = {name: statistics.median(row[name].per_decision for row in table) for name in runs}
    best = min(programs, key=medians.__getitem__)
    print(f"random playouts, {variant.num_colors} colours, {passes} passes of {count} rounds")
    for name, median in medians.items():
        ratio = statistics.median(row[name].per_decision / row[best].per_decision for row in table)
        rounds = statistics.median(count / row[name].nanoseconds * 1e9 for row in table)
        print(f"  {name:24} {median:6.2f} ns/decision {rounds:9,.0f} rounds/s  x {ratio:.2f}")
    return medians["kernel, tuned"]


def bench_rules(variant: Variant, tuned: float, passes: int) -> None:
    """Print random rounds of the readable rules."""
    each = statistics.median(_time_rules(variant, number) for number in range(passes))
    print(f"readable rules, {variant.num_colors} colours: {each:,.0f} ns/decision, ", end="")
    print(f"tuned kernel {each / tuned:,.0f} times as fast")


def _time_rules(variant: Variant, seed: int, num_rounds: int = 5) -> float:
    """Return nanoseconds of CPU time a decision."""
    rng = random.Random(seed)
    num_plies = 0
    begin = time.process_time_ns()
    for _ in range(num_rounds):
        deck = list(variant.deck)
        rng.shuffle(deck)
        position = Position.deal(deck, variant=variant)
        while not position.is_over:
            position = position.after(rng.choice(position.legal_moves))
            num_plies += 1
    return (time.process_time_ns() - begin) / num_plies


def bench_batch(variant: Variant, num_games: int, passes: int) -> None:
    """Print steps of many games with features and masks.

    The actions are random ones that were chosen before: the same games again.
    """
    batch = Batch(variant, num_games, seed=_SEED)
    num_steps = 300_000 // num_games
    actions = np.zeros((num_steps, num_games), np.int64)
    all_in, stepping = [], []
    for _ in range(passes):
        batch.reset()
        all_in.append(_time_steps(batch, actions, chooses=True))
        batch.reset()
        stepping.append(_time_steps(batch, actions, chooses=False))
    each, whole = statistics.median(stepping), statistics.median(all_in)
    print(f"batch of {num_games}, {variant.num_colors} colours, {batch.features.shape[1]} features")
    print(f"  step and observe {each:6.1f} ns, {1e3 / each:5.2f} M decisions/s; ", end="")
    print(f"random actions chosen too {whole:6.1f} ns, {1e3 / whole:5.2f} M/s")


def _time_steps(batch: Batch, actions: npt.NDArray[np.int64], *, chooses: bool) -> float:
    """Return nanoseconds of CPU time a decision."""
    begin = time.process_time_ns()
    for turn, row in enumerate(actions):
        if chooses:
            batch.random_actions(turn, row)
        batch.step(row)
    return (time.process_time_ns() - begin) / actions.size


def bench_python_loop(variant: Variant, passes: int) -> None:
    """Print single decisions from Python: one call for the legal list, one for the step."""
    rng, legal = random.Random(_SEED), np.zeros(MAX_LEGAL, np.int64)
    types, room = card_types(variant), np.zeros(MAX_CARDS, np.uint8)
    rates = []
    for number in range(passes):
        num_plies = 0
        begin = time.process_time_ns()
        for game in range(200):
            row = new_row(variant)
            shuffle_and_deal(row, types, room, to_word(number * 200 + game))
            while num := legal_list(row, legal):
                step(row, legal[int(rng.random() * num)])
                num_plies += 1
        rates.append(num_plies / (time.process_time_ns() - begin) * 1e3)
    print(f"driven from Python, {variant.num_colors} colours: ", end="")
    print(f"{statistics.median(rates):.2f} M decisions/s")


def bench_start(passes: int) -> None:
    """Print how long a process takes to its first playout, and to all kernels, from a full cache."""
    programs = {
        "first playout": "from lostcities.kernel.playout import random_rounds; "
        "from lostcities.rules import CLASSIC; random_rounds(CLASSIC, seed=1, count=1)",
        "all kernels": "from lostcities.kernel.warm_up import warm_up; warm_up()",
    }
    for name, program in programs.items():
        walls, cpus = [], []
        for _ in range(passes):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            walls.append(time.perf_counter() - begin)
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpus.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
        print(f"process to {name}, cached: {statistics.median(walls):.2f} s, ", end="")
        print(f"{statistics.median(cpus):.2f} s CPU")


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--passes", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=20_000)
    asked = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; ", end="")
    print(f"warming up took {warm_up():.1f} s")
    for variant in (CLASSIC, LONG):
        tuned = bench_playouts(variant, asked.passes, asked.rounds)
        bench_rules(variant, tuned, asked.passes)
        for num_games in (64, 1024):
            bench_batch(variant, num_games, asked.passes)
        bench_python_loop(variant, asked.passes)
    bench_start(asked.passes)
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
