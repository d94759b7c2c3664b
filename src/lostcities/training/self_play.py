"""Self-play with PPO, against past selves and bots as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from lostcities.kernel.network import NETWORK_VERSION, Floats, Weights
from lostcities.kernel.policy import HEURISTIC_TASTE
from lostcities.kernel.selfplay import (
    LIKE_ITSELF,
    LIKE_STALLER,
    Bytes,
    Paths,
    Window,
    no_paths,
)
from lostcities.training import losses
from lostcities.training.config import RunConfig, SelfPlay
from lostcities.training.critic import Critic
from lostcities.training.generate import Company, Table, another_taste, habits, training_variant
from lostcities.training.lessons import Lesson, Places, flat, has_choice, lesson_of, look_back_on
from lostcities.training.model import STEPS, Network, masked_log_policy
from lostcities.training.stakes import stakes_of
from lostcities.training.told import Reader

_CHUNK: Final = 8192
"""Plies that are evaluated together where nothing is learned."""


@dataclass
class Past:
    """Past selves to play against.

    Attributes:
        rows: Their weights, oldest first.
    """

    rows: list[Weights]

    def remember(self, row: Weights, most: int) -> None:
        """Keep one more; when there are too many, drop every other one of the old half."""
        self.rows.append(row)
        if len(self.rows) > most:
            half = len(self.rows) // 2
            self.rows = self.rows[:half:2] + self.rows[half:]


class SelfPlayStage:
    """Self-play with PPO, one iteration at a time; all that it is lies in `state`."""

    def __init__(
        self,
        network: Network,
        config: RunConfig,
        *,
        rivals: Sequence[Weights] = (),
    ) -> None:
        self.network = network
        self.stage: SelfPlay = config.self_play
        judge = config.critic
        self.critic = (
            Critic(seed=config.seed, units=judge.units, rate=judge.rate) if judge.units else None
        )
        self.waits = judge.windows if self.critic else 0
        self.decisions = 0
        self.iteration = 0
        self.past = Past([network.to_row()])
        self.rivals = rivals
        self.anchor = Network(seed=0)
        self.anchor.load_row(network.to_row())
        self.optimizer = torch.optim.Adam(network.parameters(), lr=self.stage.rate_first, eps=1e-5)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.rng = np.random.default_rng(config.seed)
        self.reader = Reader(self.stage.told_rounds, self.stage.tastes)
        self.told: dict[int, Floats] = {}
        networks = self.stage.past + self.stage.rivals
        company = Company(networks, self.stage.rules_of_thumb, self.stage.staller)
        self.tables = {
            colors: Table(
                training_variant(colors), company.controllers(self.stage.games),
                num_plies=self.stage.plies, seed=config.seed * 10 + colors,
                has_oracle=self.critic is not None,
            )
            for colors in (5, 6)
        }  # fmt: skip

    # --- one iteration -------------------------------------------------------------------------

    def run_iteration(self) -> dict[str, float]:
        """Play a window, learn from it, and return what is worth writing down."""
        stage = self.stage
        has_six = stage.six_every > 0 and self.iteration % stage.six_every == stage.six_every - 1
        row = self.network.to_row()
        other, kind = self.pick_other()
        taste = another_taste(self.rng, stage.tastes) if stage.tastes > 0 else HEURISTIC_TASTE
        colors = 6 if has_six else 5
        paths = self._paths(row, colors, kind)
        window = self.tables[colors].play(row, other, taste=taste, paths=paths)
        self.decisions += int(window.is_recorded.sum())
        if self.critic:
            self.critic.judge(window)
        stakes = stakes_of(stage.objective, training_variant(colors), window)
        advantages, targets, is_known = look_back_on(window, stage.decay, stakes)
        lesson = lesson_of(window, advantages, targets, self._useful(window, is_known))
        report = self._learn(lesson) if self.iteration >= self.waits else {}
        if self.critic and len(lesson) > 1:
            share = self._between(stage.rate_first, stage.rate_last) / stage.rate_first
            report["critic_loss"] = self.critic.learn(
                lesson, stage.minibatch, self.generator, share=share
            )
        report |= {"colors": colors, "learned": len(lesson)} | habits(window)
        self.iteration += 1
        self._move_anchor()
        if self.iteration % stage.remember_every == 0:
            self.past.remember(self.network.to_row(), stage.remember)
        return report

    def pick_other(self) -> tuple[Weights, int]:
        """Return the network that sits opposite in this window's other games, and its kind."""
        share = self.stage.rivals
        is_rival = share > 0 and self.rng.random() * (self.stage.past + share) < share
        rows = self.rivals if is_rival else self.past.rows
        place = int(self.rng.integers(len(rows)))
        return rows[place], LIKE_STALLER + 1 + place if is_rival else LIKE_ITSELF

    def _paths(self, row: Weights, colors: int, other: int) -> Paths:
        """Return what seats are told in a window; from time to time it is read anew."""
        stage = self.stage
        if stage.told == 0:
            return no_paths()
        if self.iteration % stage.told_every == 0:
            self.told = {}
        if colors not in self.told:
            seed = int(self.rng.integers(1 << 31))
            variant = training_variant(colors)
            self.told[colors] = self.reader.paths(row, self.rivals, variant, seed=seed)
        return Paths(self.told[colors], other, stage.told)

    @property
    def progress(self) -> float:
        """How much of the run is behind us, 0 to 1."""
        return min(1.0, self.decisions / max(1, self.stage.decisions))

    def _between(self, first: float, last: float) -> float:
        return exp(log(first) + self.progress * (log(last) - log(first)))

    def _useful(self, window: Window, is_known: Bytes) -> Places:
        """Return the places of plies worth learning from: with a choice, few of the sharp ones."""
        is_sharp = flat(window.sharpness) > self.stage.sharp
        is_kept = self.rng.random(len(is_sharp)) < self.stage.keep_sharp
        return np.flatnonzero(has_choice(window, is_known) & (~is_sharp | is_kept))

    def _learn(self, lesson: Lesson) -> dict[str, float]:
        """Learn from plies, and return the mean of what the steps told."""
        stage = self.stage
        if len(lesson) < 2:  # nothing to compare
            return {}
        for group in self.optimizer.param_groups:
            group["lr"] = self._between(stage.rate_first, stage.rate_last)
        spread = float(lesson.advantages.std())
        lesson.advantages.sub_(lesson.advantages.mean()).div_(spread + 1e-6)
        explained = self._take_stock(lesson)
        anchor = self._anchor_policy(lesson) if stage.anchor > 0 else None
        sums: dict[str, float] = {}
        num_steps = 0
        for _ in range(stage.passes):
            order = torch.randperm(len(lesson), generator=self.generator)
            for places in order.split(stage.minibatch):
                if len(places) < min(stage.minibatch, len(lesson)) // 2:
                    continue  # a rest too small to be a step of its own
                terms = self._step(lesson.pick(places), None if anchor is None else anchor[places])
                num_steps += 1
                for name, value in terms.items():
                    sums[name] = sums.get(name, 0.0) + value
        return {name: value / num_steps for name, value in sums.items()} | {
            "advantage_spread": spread, "explained": explained,
            "rate": self.optimizer.param_groups[0]["lr"],
        }  # fmt: skip

    @torch.no_grad()
    def _take_stock(self, lesson: Lesson) -> float:
        """Write how likely the actions are before learning; return the explained variance."""
        means = []
        for begin in range(0, len(lesson), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            logits, bins, _, _ = self.network(lesson.features[part])
            log_policy = masked_log_policy(logits, lesson.masks[part])
            chosen = log_policy.gather(1, lesson.actions[part].unsqueeze(1)).squeeze(1)
            lesson.log_chances[part] = chosen
            means.append((torch.softmax(bins, 1) * STEPS).sum(1))
        truth = (lesson.targets * STEPS).sum(1)
        return 1.0 - float((truth - torch.cat(means)).var() / truth.var())

    @torch.no_grad()
    def _anchor_policy(self, lesson: Lesson) -> Tensor:
        parts = []
        for begin in range(0, len(lesson), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            logits = self.anchor(lesson.features[part]).actions
            parts.append(masked_log_policy(logits, lesson.masks[part]))
        return torch.cat(parts)

    def _step(self, lesson: Lesson, anchor: Tensor | None) -> dict[str, float]:
        stage = self.stage
        logits, bins, beliefs, thumbs = self.network(lesson.features)
        log_policy = masked_log_policy(logits, lesson.masks)
        policy = losses.clipped_policy_loss(log_policy, lesson, stage.clip)
        entropy = losses.entropy_of(log_policy)
        value = losses.value_loss(bins, lesson.targets)
        belief = losses.belief_loss(beliefs, lesson.hidden)
        against = losses.thumbs_loss(thumbs, lesson.thumbs)
        weight = self._between(stage.entropy_first, stage.entropy_last)
        loss = policy - weight * entropy + stage.value * value + stage.belief * belief
        loss = loss + stage.thumbs * against
        terms = {
            "policy_loss": policy.item(), "entropy": entropy.item(),
            "value_loss": value.item(), "belief_loss": belief.item(),
            "thumbs_loss": against.item(),
        }  # fmt: skip
        if anchor is not None:
            distance = losses.distance_from(anchor, log_policy)
            loss = loss + stage.anchor * distance
            terms["distance"] = distance.item()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), stage.gradient)
        self.optimizer.step()
        return terms

    @torch.no_grad()
    def _move_anchor(self) -> None:
        share = 1.0 / max(1.0, self.stage.anchor_memory)
        for name, weight in self.anchor.weights.items():
            weight.lerp_(self.network.weights[name], share)

    # --- what it is -----------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return everything that the next iteration depends on."""
        return {
            "network_version": NETWORK_VERSION,
            "network": self.network.to_row(),
            "anchor": self.anchor.to_row(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "rng": self.rng.bit_generator.state,
            "decisions": self.decisions,
            "iteration": self.iteration,
            "past": self.past.rows,
            "told": self.told,
            "critic": self.critic.state() if self.critic else None,
            "tables": {
                colors: (table.games.rows, table.games.streams, table.games.tallies)
                for colors, table in self.tables.items()
            },
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Become what `state` told of."""
        self.network.load_row(state["network"])
        self.anchor.load_row(state["anchor"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.rng.bit_generator.state = state["rng"]
        self.decisions = state["decisions"]
        self.iteration = state["iteration"]
        self.past.rows = list(state["past"])
        self.told = dict(state["told"])
        if self.critic:
            self.critic.load_state(state["critic"])
        for colors, (rows, streams, tallies) in state["tables"].items():
            games = self.tables[colors].games
            games.rows[:] = rows
            games.streams[:] = streams
            games.tallies[:] = tallies
