"""`lostcities train`: teach a network by imitation and self-play, measure it, promote it."""

import argparse
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from lostcities.cli.contests import add_place_of_work, engine_of
from lostcities.cli.files import InputError

_ABOUT = """\
A run is a folder. `run` makes it: the network first imitates the rules of thumb, who know
wagers (a minute), then plays itself, past selves and bots, and does more of what turned out
well. `label` tries moves ahead and writes down what they would rather have been; a run with
labels learns from them first. Everything is decided by the seed and the numbers of the
configuration (TOML; all of them have defaults, see docs/training.md):

  seed, start (a network instead of imitation), rivals (networks on the panel), labels
  [imitation] windows, passes, rate ...    [self_play] decisions, games, rate_first ...
  [distillation] windows, labels ...       [panel]     every, pairs

In the folder: config.json and manifest.json (what it was made with), curves.jsonl (losses,
habits, strength), network.npz (the latest) and network-*.npz (each measured one),
checkpoint.pt. An interrupted run goes on with --resume, as if nothing had happened.

  lostcities train run runs/first --config my.toml     # end it with Ctrl-C at any time
  lostcities train run runs/first --resume
  lostcities train curves runs/first                   # a picture
  lostcities train label runs/labels --network runs/first/network.npz --jobs 500
  lostcities train duel runs/first/network.npz shipped --pairs 1000
  lostcities train promote runs/first/network.npz best.npz --over shipped --pairs 4000
  lostcities match net:weights=best.npz heuristic --pairs 200
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = _ABOUT
    actions = parser.add_subparsers(
        dest="action", metavar="run|label|curves|duel|promote", required=True
    )
    run_parser = actions.add_parser("run", help="train, or go on with it")
    run_parser.add_argument("folder", type=Path)
    run_parser.add_argument("--config", type=Path, help="a TOML file (default: the defaults)")
    run_parser.add_argument(
        "--resume", action="store_true", help="go on with the run in the folder"
    )
    run_parser.add_argument("--minutes", type=float, help="end after so many minutes")
    label = actions.add_parser(
        "label",
        help="try a network's moves ahead, and write down what they would rather have been",
        epilog="Jobs that a folder holds are not done again: the same command goes on.",
    )
    label.add_argument("folder", type=Path, help="where the labels go, a file for each job")
    label.add_argument("--network", default="shipped", help="a file (default: shipped)")
    label.add_argument("--jobs", type=int, default=100, help="of four rounds each (default: 100)")
    label.add_argument(
        "--worlds", type=int, default=64, help="in which each move is tried (default: 64)"
    )
    label.add_argument(
        "--deck", type=int, default=0, metavar="CARDS",
        help="only with at most so many cards in the deck (default: 0, always)",
    )  # fmt: skip
    label.add_argument(
        "--trust", type=float, default=0.5,
        help="how far trials overrule the network; 1 for folders of before (default: 0.5)",
    )  # fmt: skip
    label.add_argument("--seed", type=int, default=1, help="of games and worlds (default: 1)")
    add_place_of_work(label, processes=0)
    curves = actions.add_parser("curves", help="draw the curves of a run")
    curves.add_argument("folder", type=Path)
    duel = actions.add_parser("duel", help="let two networks play paired deals, without search")
    duel.add_argument("a", help="a file, or 'shipped'")
    duel.add_argument("b", help="a file, 'shipped', 'heuristic' or 'staller'")
    duel.add_argument("--pairs", type=int, default=1000)
    duel.add_argument("--colors", type=int, choices=(5, 6), default=5)
    duel.add_argument("--seed", type=int, default=1, help="names the deals (default: 1)")
    promote = actions.add_parser(
        "promote", help="write a network elsewhere if it is better than another"
    )
    promote.add_argument("new", help="a file")
    promote.add_argument("to", type=Path, help="where it goes then")
    promote.add_argument("--over", default="shipped", help="which one (default: shipped)")
    promote.add_argument("--pairs", type=int, default=4000)
    promote.add_argument("--seed", type=int, default=2, help="names the deals (default: 2)")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for."""
    actions = {"run": _run, "label": _label, "curves": _curves, "duel": _duel, "promote": _promote}
    return actions[arguments.action](arguments)


def _training(module: str) -> ModuleType:
    """Return a module of the package that needs torch.

    Raises:
        InputError: If torch is not installed.
    """
    from importlib import import_module  # noqa: PLC0415

    try:
        return import_module(f"lostcities.training.{module}")
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in {"torch", "matplotlib"}:
            raise
        raise InputError(
            f"expected {library} for training, and it is not installed: "
            "pip install 'lostcities[train]'"
        ) from None


def _run(arguments: argparse.Namespace) -> int:
    runs, config = _training("run"), _training("config")
    if arguments.resume:
        if arguments.config:
            raise InputError("expected --resume or --config, not both: a run keeps its own")
        told = runs.open_run(arguments.folder)
    else:
        told = config.read_config(arguments.config) if arguments.config else config.RunConfig()
        runs.begin_run(arguments.folder, told)
    seconds = None if arguments.minutes is None else arguments.minutes * 60
    runs.Run(arguments.folder, told, tell=lambda text: print(text, flush=True)).train(
        seconds=seconds
    )
    return 0


def _label(arguments: argparse.Namespace) -> int:
    labels = _training("labels")
    for name, least in (("jobs", 1), ("worlds", 2), ("deck", 0), ("seed", 0)):
        if getattr(arguments, name) < least:
            raise InputError(
                f"expected --{name} of at least {least}, got {getattr(arguments, name)}"
            )
    if not 0 < arguments.trust < inf:
        raise InputError(f"expected a --trust above 0, got {arguments.trust:g}")
    _network(arguments.network)
    task = labels.Labelling(
        seed=arguments.seed, network=arguments.network, worlds=arguments.worlds,
        deck=arguments.deck, trust=arguments.trust,
    )  # fmt: skip
    engine = engine_of(arguments)
    for done, size in labels.label(arguments.folder, task, range(arguments.jobs), engine):
        print(f"job {done}: {size} positions", flush=True)
    return 0


def _curves(arguments: argparse.Namespace) -> int:
    print(_training("curves").draw_curves(arguments.folder))
    return 0


def _duel(arguments: argparse.Namespace) -> int:
    from lostcities.agents.weights import load_network  # noqa: PLC0415 # brings Numba along
    from lostcities.kernel import selfplay  # noqa: PLC0415

    _check_pairs(arguments.pairs)
    bots = {"heuristic": selfplay.RULES_OF_THUMB, "staller": selfplay.STALLER}
    one = load_network(_network(arguments.a)).weights
    rival: Any = None
    if arguments.b not in bots:
        rival = load_network(_network(arguments.b)).weights
    result = _training("duels").duel(
        one,
        bots.get(arguments.b, selfplay.OTHER),
        _training("generate").training_variant(arguments.colors),
        pairs=arguments.pairs, seed=arguments.seed, other_weights=rival,
    )  # fmt: skip
    print(
        f"{result.pairs} pairs, {arguments.colors} colors: {result.margin:+.2f} +- "
        f"{result.error:.2f} points a round (standard error), {result.win_rate:.1%} of rounds"
    )
    return 0


def _promote(arguments: argparse.Namespace) -> int:
    _check_pairs(arguments.pairs)
    gate = _training("gate")
    new, old = _network(arguments.new), _network(arguments.over)
    verdict = gate.compare_networks(new, old, pairs=arguments.pairs, seed=arguments.seed)
    for gain in (*verdict.gains, verdict.whole):
        print(gain)
    if not verdict.is_better:
        print("not promoted: it is not clearly better")
        return 1
    gate.promote(new, arguments.to, verdict)
    print(f"promoted to {arguments.to}")
    return 0


def _check_pairs(pairs: int) -> None:
    if pairs < 2:
        raise InputError(f"expected --pairs of at least 2, got {pairs}")


def _network(name: str) -> Path:
    """Return the file of a network."""
    from lostcities.agents import weights  # noqa: PLC0415 # brings Numba along

    if name == "shipped":
        return Path(weights.__file__).parent / "networks" / weights.SHIPPED
    path = Path(name)
    if not path.exists():
        raise InputError(f"expected a network file or 'shipped', got {name!r}")
    return path
