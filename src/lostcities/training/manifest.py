"""What a run was made with: program, libraries, machine."""

import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lostcities import __version__
from lostcities.agents.version import agents_version
from lostcities.kernel.network import NUM_WEIGHTS


def manifest() -> dict[str, Any]:
    """Return what somebody needs who wants to make the run again."""
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
    """Return the commit of the sources, with a word if they were changed; "" if there is none."""
    here = Path(__file__)
    if not _git(here.parent, "ls-files", here.name):  # somebody else's repository around us
        return ""
    return _git(here.parent, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def _git(folder: Path, *words: str) -> str:
    """Return what git says, "" if there is no git or it has nothing to say."""
    try:
        done = subprocess.run(  # noqa: S603 # words of ours
            ["git", *words],  # noqa: S607 # whichever git there is
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
