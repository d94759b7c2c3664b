"""A run: a folder with its configuration, manifest, curves, checkpoints and networks.

Whatever is in the folder was made by the numbers in its configuration; a run that
was interrupted goes on from its last checkpoint as if nothing had happened.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from lostcities.agents.objective import MATCH
from lostcities.agents.weights import network_from, save_network
from lostcities.kernel.network import blind_to_match
from lostcities.kernel.selfplay import OTHER, RULES_OF_THUMB, STALLER
from lostcities.training.checkpoints import (
    check_network_of,
    load_checkpoint,
    save_checkpoint,
)
from lostcities.training.config import RunConfig, config_from
from lostcities.training.distill import Distillery
from lostcities.training.duels import duel, duel_in_last_rounds
from lostcities.training.generate import training_variant
from lostcities.training.imitation import imitate
from lostcities.training.journal import RunError, cut_back, write_entry
from lostcities.training.label_files import read_labels
from lostcities.training.manifest import manifest
from lostcities.training.model import Network
from lostcities.training.self_play import SelfPlayStage
from lostcities.training.waking import wake

CONFIG: Final = "config.json"
MANIFEST: Final = "manifest.json"
CLONE: Final = "clone.npz"
STUDENT: Final = "student.npz"
NETWORK: Final = "network.npz"
_PANEL_SEED: Final = 77
_STALLER_PAIRS: Final = 40
_LAST_ROUNDS: Final = 8
"""Last rounds of matches for each pair of the panel: their shares tell little one by one."""
_FEWEST_WAGERS: Final = 0.3
_MOST_FORCED: Final = 0.05
Tell = Callable[[str], None]


def begin_run(folder: Path, config: RunConfig) -> None:
    """Make the folder of a run.

    Raises:
        RunError: If there is a run in it already.
        NetworkFileError: If one of the networks that it names cannot be used.
        LabelsError: If the labels that it names cannot be used.
    """
    if (folder / CONFIG).exists():
        raise RunError(f"expected a new folder, got {folder}, which holds a run; use --resume")
    for name in filter(None, (config.start, *config.rivals)):
        network_from(name)  # now rather than when it is needed
    if config.labels:
        read_labels(Path(name) for name in config.labels)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / MANIFEST, manifest())
    _write(folder / CONFIG, config.to_dict())


def open_run(folder: Path) -> RunConfig:
    """Return the configuration of the run in a folder.

    Raises:
        RunError: If there is none.
        ConfigError: If it is not well formed.
    """
    try:
        values = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"expected a run in {folder}, got: {error}") from None
    return config_from(values, where=str(folder / CONFIG))


def alarms_of(report: dict[str, float]) -> list[str]:
    """Return what looks like one of the known collapses in what an iteration reports."""
    found = []
    if report.get("wagers", _FEWEST_WAGERS) < _FEWEST_WAGERS:
        found.append(f"only {report['wagers']:.2f} wagers a side and round")
    if report.get("forced_share", 0.0) > _MOST_FORCED:
        found.append(f"a forced draw in {report['forced_share']:.0%} of the rounds")
    return found


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
        self._seconds_before = 0.0
        self._alarms: list[str] = []

    def train(self, *, seconds: float | None = None, iterations: int | None = None) -> None:
        """Go on until the decisions are used up, or what this call allows.

        Args:
            seconds: Of this call.
            iterations: Of this call.
        """
        stage = self._stage()
        saved = time.monotonic()
        first = stage.iteration
        while stage.decisions < self.config.self_play.decisions:
            if seconds is not None and time.monotonic() - self._begin > seconds:
                break
            if iterations is not None and stage.iteration - first >= iterations:
                break
            self._iterate(stage)
            if time.monotonic() - saved > self.config.checkpoint_seconds:
                save_checkpoint(self.folder, stage.state())
                saved = time.monotonic()
        save_checkpoint(self.folder, stage.state())
        if stage.iteration % self.config.panel.every:
            self._measure(stage)

    def _stage(self) -> SelfPlayStage:
        """Return the stage as the last checkpoint left it, or a new one behind imitation."""
        state, panel_every = load_checkpoint(self.folder), self.config.panel.every
        if state is not None:
            check_network_of(state, self.folder)
            stage = self._new_stage()
            stage.load_state(state)
            self._seconds_before = cut_back(
                self.folder, iteration=stage.iteration, panel_every=panel_every
            )
            self._tell(f"goes on at {stage.decisions:,} decisions")
            return stage
        cut_back(self.folder, iteration=-1, panel_every=panel_every)
        if self.config.start:
            start = network_from(self.config.start).weights
            self.network.load_row(wake(start, seed=self.config.seed))
        else:
            self._imitate()
        if self.config.labels:
            self._distil()
        stage = self._new_stage()
        self._measure(stage)
        save_checkpoint(self.folder, stage.state())
        return stage

    def _new_stage(self) -> SelfPlayStage:
        rivals = [network_from(path).weights for path in self.config.rivals]
        return SelfPlayStage(self.network, self.config, rivals=rivals)

    def _imitate(self) -> None:
        self._tell("imitates the rules of thumb")
        report = imitate(self.network, self.config.imitation, seed=self.config.seed)
        self._note("imitation", report)
        self._save_network(CLONE, 0)

    def _distil(self) -> None:
        """Learn from labels; what is learned is not kept on the way, so it is begun again whole."""
        teacher, stage = self.network.to_row(), self.config.distillation
        self._tell(f"learns from the labels in {', '.join(self.config.labels)}")
        if stage.fresh:
            self.network = Network(seed=self.config.seed)
        folders = [Path(name) for name in self.config.labels]
        distillery = Distillery(self.network, teacher, folders, stage, seed=self.config.seed)
        for number, report in enumerate(distillery.run()):
            self._note("distillation", {"window": number, **report})
        self._save_network(STUDENT, 0)

    def _iterate(self, stage: SelfPlayStage) -> None:
        report = stage.run_iteration()
        alarms = alarms_of(report)
        self._note("iteration", report | ({"alarms": alarms} if alarms else {}), stage)
        if alarms and not self._alarms:
            self._tell(f"alarm at {stage.decisions:,} decisions: {'; '.join(alarms)}")
        self._alarms = alarms
        if stage.iteration % self.config.panel.every == 0:
            self._measure(stage)

    def _measure(self, stage: SelfPlayStage) -> None:
        """Play the panel, and keep the network that it was played with."""
        results = self._play_panel()
        self._note("panel", {"results": results}, stage)
        self._save_network(NETWORK, stage.decisions)
        self._save_network(f"network-{stage.decisions // 1000:07d}k.npz", stage.decisions)
        margins = ", ".join(
            f"{name} {result['share']:.1%} +- {result['error']:.1%}"
            if "share" in result
            else f"{name} {result['margin']:+.1f} +- {result['error']:.1f}"
            for name, result in results.items()
        )
        self._tell(f"{stage.decisions:,} decisions: {margins}")

    def _play_panel(self) -> dict[str, dict[str, Any]]:
        row, pairs = self.network.to_row(), self.config.panel.pairs
        five = training_variant(5)
        results = {
            f"heuristic, {colors} colors": duel(
                row, RULES_OF_THUMB, training_variant(colors), pairs=pairs, seed=_PANEL_SEED
            )
            for colors in (5, 6)
        }
        few = min(pairs, _STALLER_PAIRS)  # the margin is large, and the rounds are long
        results["staller"] = duel(row, STALLER, five, pairs=few, seed=_PANEL_SEED)
        for path in self.config.rivals:
            rival = network_from(path).weights
            results[path] = duel(
                row, OTHER, five, pairs=pairs, seed=_PANEL_SEED, other_weights=rival
            )
        return {name: asdict(result) for name, result in results.items()} | self._last_rounds()

    def _last_rounds(self) -> dict[str, dict[str, Any]]:
        """Return how many matches it wins from itself by what it sees of the match."""
        if self.config.self_play.objective != MATCH:
            return {}
        row = self.network.to_row()
        found = duel_in_last_rounds(
            row, blind_to_match(row), training_variant(5),
            pairs=_LAST_ROUNDS * self.config.panel.pairs, seed=_PANEL_SEED,
        )  # fmt: skip
        return {"match": asdict(found)}

    def _save_network(self, name: str, decisions: int) -> None:
        card = {"run": self.folder.name, "decisions": decisions, "config": self.config.to_dict()}
        save_network(self.folder / name, self.network.to_row(), card)

    def _note(self, kind: str, values: dict[str, Any], stage: SelfPlayStage | None = None) -> None:
        header = {
            "kind": kind,
            "iteration": stage.iteration if stage else 0,
            "decisions": stage.decisions if stage else 0,
            "seconds": round(self._seconds_before + time.monotonic() - self._begin, 1),
        }
        write_entry(self.folder, header | values)


def _write(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
