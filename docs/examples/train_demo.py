"""Two minutes of training, from a network that knows nothing, and what they gained.

`make train-demo` runs this. The same steps by hand: `lostcities train --help`.
"""

import argparse
from itertools import count
from math import hypot
from pathlib import Path

from lostcities.kernel.selfplay import RULES_OF_THUMB
from lostcities.training.config import Imitation, Panel, RunConfig, SelfPlay
from lostcities.training.curves import draw_curves
from lostcities.training.duels import Duel, duel
from lostcities.training.generate import training_variant
from lostcities.training.journal import read_curves
from lostcities.training.model import Network
from lostcities.training.run import Run, begin_run

OPPONENT = "heuristic, 5 colors"


def main() -> None:
    """Train, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120.0, help="default: 120")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="where runs lie")
    arguments = parser.parse_args()
    folder = new_folder(arguments.runs)
    print(f"a run in {folder}, {arguments.seconds:.0f} seconds from now")
    config = config_for(arguments.seconds)
    begin_run(folder, config)
    run = Run(folder, config, tell=lambda text: print(f"  {text}", flush=True))
    run.train(seconds=arguments.seconds)
    report(folder, config)


def config_for(seconds: float) -> RunConfig:
    """Return a run that fits into the time: some imitation first, and two measurements."""
    share = min(1.0, max(0.15, seconds / 120.0))
    return RunConfig(
        imitation=Imitation(windows=round(24 * share)),
        self_play=SelfPlay(decisions=2_500_000, past=0.1),
        panel=Panel(every=1_000_000, pairs=round(300 * share)),  # at the begin and at the end
    )


def new_folder(runs: Path) -> Path:
    """Return the folder for another run."""
    return next(path for number in count(1) if not (path := runs / f"demo-{number}").exists())


def report(folder: Path, config: RunConfig) -> None:
    """Print the margins against the heuristic: without training, cloned, after self-play."""
    nothing = Network(seed=config.seed).to_row()
    untrained = duel(nothing, RULES_OF_THUMB, training_variant(5), pairs=30, seed=77)
    panels = [entry for entry in read_curves(folder) if entry["kind"] == "panel"]
    clone, last = (Duel(**entry["results"][OPPONENT]) for entry in (panels[0], panels[-1]))
    print("\nagainst the heuristic, five colors, points a round (standard error):")
    print(f"  knows nothing        {in_words(untrained)}")
    print(f"  after imitation      {in_words(clone)}")
    print(f"  after self-play      {in_words(last)}, {panels[-1]['decisions']:,} decisions")
    gain, error = last.margin - clone.margin, hypot(last.error, clone.error)
    print(f"self-play gained       {gain:+.1f} +- {error:.1f}")
    print(f"the curves:            {draw_curves(folder)}")


def in_words(result: Duel) -> str:
    """Return a margin with its error."""
    return f"{result.margin:+6.1f} +- {result.error:.1f} in {result.pairs} paired deals"


if __name__ == "__main__":
    main()
