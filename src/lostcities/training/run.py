"""A run: a folder with its configuration, manifest, curves, checkpoints and networks.

Whatever is in the folder was made by the numbers in its configuration; a run that
was interrupted goes on from its last checkpoint as if nothing had happened.
"""

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from lostcities import __version__
from lostcities.agents.version import agents_version
from lostcities.agents.weights import digest_of, load_network, save_network
from lostcities.kernel.network import NUM_WEIGHTS
from lostcities.kernel.selfplay import OTHER, RULES_OF_THUMB, STALLER
from lostcities.rules import LostCitiesError
from lostcities.training.config import RunConfig, config_from
from lostcities.training.duels import duel
from lostcities.training.generate import training_variant
from lostcities.training.model import Network
from lostcities.training.stages import SelfPlayStage, imitate

CHECKPOINT: Final = "checkpoint.pt"
CONFIG: Final = "config.json"
CURVES: Final = "curves.jsonl"
MANIFEST: Final = "manifest.json"
CLONE: Final = "clone.npz"
NETWORK: Final = "network.npz"
_PANEL_SEED: Final = 77
_STALLER_PAIRS: Final = 40
_FEWEST_WAGERS: Final = 0.3
_MOST_FORCED: Final = 0.05
Tell = Callable[[str], None]


class RunError(LostCitiesError):
    """A folder in which no run can be begun or gone on with."""


def begin_run(folder: Path, config: RunConfig) -> None:
    """Make the folder of a run.

    Raises:
        RunError: If there is a run in it already.
    """
    if (folder / CONFIG).exists():
        raise RunError(f"expected a new folder, got {folder}, which holds a run; use --resume")
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / CONFIG, config.to_dict())
    _write(folder / MANIFEST, _manifest())


def open_run(folder: Path) -> RunConfig:
    """Return the configuration of the run in a folder.

    Raises:
        RunError: If there is none.
    """
    try:
        values = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"expected a run in {folder}, got: {error}") from None
    return config_from(values, where=str(folder / CONFIG))


class Run:
    """A run in its folder.

    Attributes:
        folder: Where everything lies.
        config: What it was told.
        network: The network as it is.
    """

    def __init__(self, folder: Path, config: RunConfig, *, tell: Tell = lambda _: None) -> None:
        torch.set_num_threads(1)  # products are small: threads would wait for each other
        self.folder = folder
        self.config = config
        self.network = Network(seed=config.seed)
        self._tell = tell
        self._begin = time.monotonic()

    def train(self, *, seconds: float | None = None, iterations: int | None = None) -> None:
        """Go on until the decisions are used up, or the time or the iterations of this call."""
        stage = self._stage()
        saved = time.monotonic()
        first = stage.iteration
        while stage.decisions < self.config.self_play.decisions:
            if seconds is not None and time.monotonic() - self._begin > seconds:
                break
            if iterations is not None and stage.iteration - first >= iterations:
                break
            report = stage.run_iteration()
            self._note("iteration", stage, report | self._alarms(report))
            if stage.iteration % self.config.panel.every == 0:
                self._measure(stage)
            if time.monotonic() - saved > self.config.checkpoint_seconds:
                self._save(stage)
                saved = time.monotonic()
        self._save(stage)
        self._measure(stage)

    def _stage(self) -> SelfPlayStage:
        """Return the stage as the last checkpoint left it, or a new one behind imitation."""
        checkpoint = self.folder / CHECKPOINT
        if checkpoint.exists():
            stage = SelfPlayStage(self.network, self.config)
            stage.load_state(torch.load(checkpoint, weights_only=False))
            self._tell(f"goes on at {stage.decisions:,} decisions")
            return stage
        if self.config.start:
            self.network.load_row(load_network(Path(self.config.start)).weights)
        else:
            self._tell("imitates the rules of thumb")
            report = imitate(self.network, self.config.imitation, seed=self.config.seed)
            self._write_entry({"kind": "imitation", **report})
            self._save_network(CLONE, 0)
        stage = SelfPlayStage(self.network, self.config)
        self._measure(stage)
        return stage

    def _alarms(self, report: dict[str, float]) -> dict[str, str]:
        """Return what looks like one of the known collapses."""
        found = []
        if report.get("wagers", 9.0) < _FEWEST_WAGERS:
            found.append(f"only {report['wagers']:.2f} wagers a side and round")
        if report.get("forced_share", 0.0) > _MOST_FORCED:
            found.append(f"a forced draw in {report['forced_share']:.0%} of the rounds")
        return {"alarm": "; ".join(found)} if found else {}

    def _measure(self, stage: SelfPlayStage) -> None:
        row, pairs = self.network.to_row(), self.config.panel.pairs
        results: dict[str, Any] = {}
        for colors in (5, 6):
            variant = training_variant(colors)
            against = duel(row, RULES_OF_THUMB, variant, pairs=pairs, seed=_PANEL_SEED)
            results[f"heuristic, {colors} colors"] = asdict(against)
        five = training_variant(5)
        few = min(pairs, _STALLER_PAIRS)
        results["staller"] = asdict(duel(row, STALLER, five, pairs=few, seed=_PANEL_SEED))
        for path in self.config.rivals:
            rival = load_network(Path(path)).weights
            results[path] = asdict(
                duel(row, OTHER, five, pairs=pairs, seed=_PANEL_SEED, other_weights=rival)
            )
        self._note("panel", stage, {"results": results})
        self._save_network(NETWORK, stage.decisions)
        self._save_network(f"network-{stage.decisions // 1000:07d}k.npz", stage.decisions)
        margins = ", ".join(
            f"{name} {result['margin']:+.1f} +- {result['error']:.1f}"
            for name, result in results.items()
        )
        self._tell(f"{stage.decisions:,} decisions: {margins}")

    def _save_network(self, name: str, decisions: int) -> None:
        card = {"run": self.folder.name, "decisions": decisions, "config": self.config.to_dict()}
        save_network(self.folder / name, self.network.to_row(), card)

    def _save(self, stage: SelfPlayStage) -> None:
        part = self.folder / (CHECKPOINT + ".part")
        torch.save(stage.state(), part)
        os.replace(part, self.folder / CHECKPOINT)

    def _note(self, kind: str, stage: SelfPlayStage, values: dict[str, Any]) -> None:
        header = {
            "kind": kind, "iteration": stage.iteration, "decisions": stage.decisions,
            "seconds": round(time.monotonic() - self._begin, 1),
        }  # fmt: skip
        self._write_entry(header | values)

    def _write_entry(self, entry: dict[str, Any]) -> None:
        with (self.folder / CURVES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _write(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


def _manifest() -> dict[str, Any]:
    """Return what a run was made with."""
    return {
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "lostcities": __version__,
        "agents": agents_version(),
        "weights": NUM_WEIGHTS,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "machine": platform.machine(),
    }


def _commit() -> str:
    """Return the commit of the sources, "" where there is none."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 # whichever git there is
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def network_name(path: Path) -> str:
    """Return the digest that names a network."""
    return digest_of(load_network(path).weights)
