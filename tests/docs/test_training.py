"""The page on training names every number with its default, and the demonstration learns."""

import re
import subprocess
import sys
from dataclasses import asdict
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from lostcities.agents.weights import SHIPPED, shipped_network
from lostcities.cli.train import _ABOUT
from lostcities.kernel.features import FEATURES_VERSION
from lostcities.kernel.network import NETWORK_VERSION, NUM_BINS, NUM_WEIGHTS, PARTS
from lostcities.training.config import RunConfig

_DOCS = Path(__file__).parents[2] / "docs"
_PAGE = (_DOCS / "training.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| .+ \|$", re.MULTILINE)


def told(section: str) -> dict[str, str]:
    """Return the defaults that a table of the page tells, by name."""
    part = _PAGE.partition("## Every number of the configuration")[2].partition("\n## ")[0]
    return dict(_ROW.findall(part.partition(section)[2].partition("\n`[")[0]))


@pytest.mark.parametrize("section", ["", "imitation", "distillation", "self_play", "panel"])
def test_every_number_stands_on_the_page_with_its_default(section: str) -> None:
    config = asdict(RunConfig())
    values = config[section] if section else config
    expected = {
        name: '""'
        if value == ""
        else "false"
        if value is False
        else str(list(value) if isinstance(value, tuple) else value)
        for name, value in values.items()
        if not isinstance(value, dict)
    }
    assert told(f"`[{section}]`" if section else "name") == expected


def test_figures_of_the_network_are_those_of_the_program() -> None:
    assert f"({NUM_WEIGHTS:,} weights)" in _PAGE
    assert f"({NUM_BINS} steps of 8 points)" in _PAGE


def test_the_model_card_is_that_of_the_network_that_comes_along() -> None:
    card = (_DOCS / "model-card.md").read_text(encoding="utf-8")
    assert f"networks/{SHIPPED}`, " in card
    network = shipped_network()
    with resources.as_file(resources.files("lostcities.agents.networks") / SHIPPED) as path:
        parts = np.load(path)
        size = sum(parts[name].size for name in PARTS)
    assert f"{size:,} weights, digest `{network.digest}`" in card
    version = network.card["network_version"]
    assert f"| features, network version | {FEATURES_VERSION}, {version} |" in card
    assert f"must be {FEATURES_VERSION} and {NETWORK_VERSION};" in _PAGE
    assert f"networks/{SHIPPED}`" in _PAGE


def test_commands_of_the_page_are_those_of_the_help() -> None:
    commands = re.findall(r"^lostcities train (\w+)", _PAGE, re.MULTILINE)
    assert {"run", "label", "curves", "duel", "promote"} == set(commands)
    for line in re.findall(r"^  (lostcities \S.*?)(?:  +#.*)?$", _ABOUT, re.MULTILINE):
        assert line in _PAGE


def test_the_demonstration_measures_a_gain(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is missing: install lostcities[train]")
    done = subprocess.run(
        [sys.executable, _DOCS / "examples/train_demo.py", "--seconds", "1", "--runs", tmp_path],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.findall(r"^  (.+?) {2,}([+-][\d.]+) \+- ", done.stdout, re.MULTILINE)
    margins = {name: float(margin) for name, margin in found}
    assert margins["after imitation"] > margins["knows nothing"] + 50
    assert re.search(r"^self-play gained +[+-][\d.]+ \+- [\d.]+$", done.stdout, re.MULTILINE)
    assert (tmp_path / "demo-1" / "curves.png").exists()
