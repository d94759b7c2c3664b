"""Teach a network to play as the learning-free search did in the games of `search_games.py`.

python clone_search.py FOLDER OUT.npz --start NETWORK.npz
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lostcities.agents.weights import network_from, save_network
from lostcities.kernel.features import features
from lostcities.kernel.network import NUM_BINS, num_inputs
from lostcities.kernel.returns import spread_margin
from lostcities.kernel.step import legal_mask, num_colors
from lostcities.training import losses
from lostcities.training.generate import training_variant
from lostcities.training.model import Network, masked_log_policy

_HELD_OUT = 0.08


def read(folder: Path, colors: int) -> dict[str, torch.Tensor]:
    """Return the plies with so many colors as tensors."""
    columns: dict[str, list[Any]] = {"rows": [], "seats": [], "actions": [], "margins": []}
    for path in sorted(folder.glob("games-*.npz")):
        with np.load(path) as parts:
            chosen = np.array([int(num_colors(row)) == colors for row in parts["rows"]])
            for name, column in columns.items():
                column.append(parts[name][chosen])
    found = {name: np.concatenate(column) for name, column in columns.items()}
    size, variant = len(found["rows"]), training_variant(colors)
    inputs = np.zeros((size, num_inputs(variant)), np.float32)
    masks = np.zeros((size, 21 * colors + 1), np.uint8)
    targets = np.zeros((size, NUM_BINS), np.float32)
    for place in range(size):
        row, seat = found["rows"][place], int(found["seats"][place])
        features(row, seat, inputs[place])
        legal_mask(row, masks[place])
        margin = float(found["margins"][place])
        spread_margin(-margin if seat else margin, targets[place])
    return {
        "inputs": torch.from_numpy(inputs), "masks": torch.from_numpy(masks.astype(bool)),
        "targets": torch.from_numpy(targets),
        "actions": torch.from_numpy(found["actions"].astype(np.int64)),
    }  # fmt: skip


def main() -> None:
    """Learn, and say in how many held-out plies the clone does the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", default="shipped")
    parser.add_argument("--passes", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    network = Network(seed=1)
    network.load_row(network_from(options.start).weights)
    plies = {colors: read(options.folder, colors) for colors in (5, 6)}
    held = {colors: int(len(plies[colors]["actions"]) * _HELD_OUT) for colors in plies}
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5, weight_decay=1e-5)
    print({colors: len(plies[colors]["actions"]) for colors in plies})
    for number in range(options.passes):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * 0.05 ** (number / options.passes)
        batches = [
            (colors, places)
            for colors in plies
            for places in (
                torch.randperm(len(plies[colors]["actions"]) - held[colors]) + held[colors]
            ).split(512)
        ]
        for index in torch.randperm(len(batches)).tolist():
            colors, places = batches[index]
            data = {name: part[places] for name, part in plies[colors].items()}
            logits, bins, _, _ = network(data["inputs"].bfloat16())
            log_policy = masked_log_policy(logits, data["masks"])
            chosen = log_policy.gather(1, data["actions"].unsqueeze(1)).squeeze(1)
            evenly = (log_policy * data["masks"]).sum(1) / data["masks"].sum(1)
            loss = -(0.97 * chosen + 0.03 * evenly).mean()
            loss = loss + 0.1 * losses.value_loss(bins, data["targets"])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
        with torch.no_grad():
            report = []
            for colors, data in plies.items():
                first = slice(0, held[colors])
                logits = network(data["inputs"][first]).actions
                log_policy = masked_log_policy(logits, data["masks"][first])
                truth = data["actions"][first]
                same = (log_policy.argmax(1) == truth).float().mean().item()
                nats = -log_policy.gather(1, truth.unsqueeze(1)).mean().item()
                report.append(f"{colors} colors: the same in {same:.1%}, {nats:.3f} nats")
        print(number, "; ".join(report), flush=True)
    save_network(options.out, network.to_row(), {"clone": "search", "playouts": 300})


if __name__ == "__main__":
    main()
