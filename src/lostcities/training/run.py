"""A run: a folder with its configuration, curves, checkpoints and the network so far."""

import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lostcities.kernel.network import Weights
from lostcities.kernel.selfplay import OTHER, RULES_OF_THUMB, STALLER
from lostcities.training.config import RunConfig
from lostcities.training.duels import duel
from lostcities.training.generate import training_variant
from lostcities.training.model import Network
from lostcities.training.stages import SelfPlayStage, imitate

CHECKPOINT = "checkpoint.pt"
CURVES = "curves.jsonl"
NETWORK = "network.npy"


class Run:
    """A run in a folder."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        torch.set_num_threads(1)
        self.folder = folder
        self.config = config
        self.network = Network(seed=config.seed)

    def train(self, *, resume: bool = False, seconds: float | None = None) -> None:
        """Run until the decisions or the seconds are used up."""
        self.folder.mkdir(parents=True, exist_ok=True)
        begin = time.monotonic()
        checkpoint = self.folder / CHECKPOINT
        if resume and checkpoint.exists():
            stage = SelfPlayStage(self.network, self.config)
            stage.load_state(torch.load(checkpoint, weights_only=False))
        else:
            (self.folder / "config.json").write_text(json.dumps(self.config.to_dict(), indent=1))
            self._begin()
            stage = SelfPlayStage(self.network, self.config)
            self._measure(stage, begin)
        saved = time.monotonic()
        while stage.decisions < self.config.self_play.decisions:
            if seconds is not None and time.monotonic() - begin > seconds:
                break
            report = stage.run_iteration()
            self._note({"kind": "iteration", **_header(stage, begin), **report})
            if stage.iteration % self.config.panel.every == 0:
                self._measure(stage, begin)
            if time.monotonic() - saved > self.config.checkpoint_seconds:
                self._save(stage)
                saved = time.monotonic()
        self._save(stage)
        self._measure(stage, begin)

    def _begin(self) -> None:
        if self.config.start:
            self.network.load_row(load_weights(Path(self.config.start)))
            return
        report = imitate(self.network, self.config.imitation, seed=self.config.seed)
        self._note({"kind": "imitation", **report})
        save_weights(self.folder / "clone.npy", self.network.to_row())

    def _measure(self, stage: SelfPlayStage, begin: float) -> None:
        row = self.network.to_row()
        pairs = self.config.panel.pairs
        results: dict[str, Any] = {}
        for colors in (5, 6):
            variant = training_variant(colors)
            results[f"heuristic_{colors}"] = asdict(
                duel(row, RULES_OF_THUMB, variant, pairs=pairs, seed=77)
            )
        variant = training_variant(5)
        results["staller_5"] = asdict(duel(row, STALLER, variant, pairs=40, seed=77))
        for path in self.config.rivals:
            rival = load_weights(Path(path))
            results[Path(path).parent.name + "/" + Path(path).stem] = asdict(
                duel(row, OTHER, variant, pairs=pairs, seed=77, other_weights=rival)
            )
        self._note({"kind": "panel", **_header(stage, begin), "results": results})
        save_weights(self.folder / NETWORK, row)
        save_weights(self.folder / f"network-{stage.decisions // 1000:06d}k.npy", row)

    def _save(self, stage: SelfPlayStage) -> None:
        part = self.folder / (CHECKPOINT + ".part")
        torch.save(stage.state(), part)
        os.replace(part, self.folder / CHECKPOINT)

    def _note(self, entry: dict[str, Any]) -> None:
        with (self.folder / CURVES).open("a") as file:
            file.write(json.dumps(entry) + "\n")


def _header(stage: SelfPlayStage, begin: float) -> dict[str, Any]:
    return {
        "iteration": stage.iteration,
        "decisions": stage.decisions,
        "seconds": round(time.monotonic() - begin, 1),
    }


def save_weights(path: Path, row: Weights) -> None:
    """Write weights to a file."""
    np.save(path, row)


def load_weights(path: Path) -> Weights:
    """Read weights from a file."""
    weights: Weights = np.load(path)
    return weights
