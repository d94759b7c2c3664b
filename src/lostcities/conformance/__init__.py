"""The contract as data: neutral cases and perft counts, run on the reference rules.

Knows the format of the case bank (JSON, one case a line) and how each kind of
case is really played, scored, dealt, viewed or written. Does not know the
answers: they stand in the cases. Does not read files or print, and holds no
rule of the game.
"""

from lostcities.conformance.cases import Case, CaseFileError, Outcome, read_cases
from lostcities.conformance.engines import ENGINES, using
from lostcities.conformance.fields import CaseFault
from lostcities.conformance.perft import (
    Reach,
    count_reachable,
    count_sequences,
    read_perft_cases,
    run_perft_case,
)
from lostcities.conformance.running import KINDS, run_case

__all__ = [
    "ENGINES",
    "KINDS",
    "Case",
    "CaseFault",
    "CaseFileError",
    "Outcome",
    "Reach",
    "count_reachable",
    "count_sequences",
    "read_cases",
    "read_perft_cases",
    "run_case",
    "run_perft_case",
    "using",
]
