"""Importing the game is quick and brings nothing but Python."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
IMPORT = """
import sys, time
before = set(sys.modules)
start = time.process_time()
import lostcities, lostcities.rules, lostcities.notation
print(time.process_time() - start)
names = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(names - sys.stdlib_module_names))
"""


def run_fresh(program: str) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_import_is_quick() -> None:
    """Best of seven, in processor time, since a busy machine is slow now and then; the first may have to compile."""
    assert min(float(run_fresh(IMPORT)[0]) for _ in range(7)) < 0.1


def test_import_brings_nothing_but_python() -> None:
    assert run_fresh(IMPORT)[1] == "lostcities"
