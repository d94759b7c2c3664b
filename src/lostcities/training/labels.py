"""What trials say of the moves that a network hesitates between.

A job plays a few rounds. Wherever the network hesitates, its candidates are tried in
the same worlds, and written down is what each of them gained; see `distill` for what
is learned from that. Jobs depend on their number alone and may be done anywhere.
"""

import io
import json
import os
import zlib
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from lostcities.agents.expert import MOST_CANDIDATES, TYPICAL_SPREAD, candidates_of, weigh_gains
from lostcities.agents.halving import Actions, Points, gains_over_first
from lostcities.agents.objective import ROUND
from lostcities.agents.weights import network_from
from lostcities.arena.engines import Engine
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, MAX_LEGAL, NUM_WORDS, Row, Rows, card_types, new_row
from lostcities.kernel.lookahead import POINTS, Outlook, read_odds, try_by_network
from lostcities.kernel.network import Floats, Weights, evaluate, new_room, new_thinker, read_policy
from lostcities.kernel.policy import Work, new_work, policy_action
from lostcities.kernel.step import is_over, mover, num_colors, step
from lostcities.kernel.streams import to_word
from lostcities.rules import LostCitiesError, Standing
from lostcities.training.generate import another_taste, training_variant

LABELLING: Final = "labelling.json"
LABELS_VERSION: Final = 1
"""Raised whenever what is written changes its meaning, such as the words of a position."""
_FILES: Final = "labels-*.npz"


class LabelsError(LostCitiesError, ValueError):
    """Labels that cannot be used."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How positions are found and labelled.

    Attributes:
        seed: Decides everything, with the number of a job.
        network: A file of weights: who plays, and whose moves are tried. Labels are about
            points, so it plays as in the first round of a match.
        digest: Of the weights that are expected in it, "" for any.
        rounds: Rounds of a job.
        six_every: One job in so many has six colors; 0 for none.
        worlds: In how many worlds each candidate is tried.
        depth: Own turns of a trial before the network's expectation is taken; 0 to the end.
        least: Moves that the network likes less than its best by more than this factor are
            no candidates.
        rules_of_thumb: Share of the rounds in which the other side plays by rules of thumb.
        tastes: How much their tastes vary from round to round.
    """

    seed: int = 1
    network: str = "shipped"
    digest: str = ""
    rounds: int = 4
    six_every: int = 4
    worlds: int = 64
    depth: int = 10
    least: float = 0.01
    rules_of_thumb: float = 0.5
    tastes: float = 0.2

    def colors_of(self, job: int) -> int:
        """Return with how many colors a job is played."""
        return 6 if self.six_every and job % self.six_every == self.six_every - 1 else 5


class Labels(NamedTuple):
    """Labelled positions, `K` of them.

    Attributes:
        rows: The positions, `uint64[K, 32]`.
        seats: Who is to move, `int8[K]`.
        actions: Candidates, `int16[K, MOST_CANDIDATES]`; -1 for none.
        priors: How likely the network makes them, `float32[K, MOST_CANDIDATES]`.
        gains: What they are worth over the first one, as the trials and the network together
            say, in points, `float32[K, MOST_CANDIDATES]`.
    """

    rows: Rows
    seats: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int16]
    priors: Floats
    gains: Floats


def label(
    folder: Path, task: Labelling, jobs: Iterable[int], engine: Engine
) -> Generator[tuple[int, int], None, None]:
    """Do the jobs that a folder does not hold yet, and write each when it is done.

    Args:
        folder: Where the labels go; it is made.
        task: How they are made.
        jobs: The numbers of the jobs.
        engine: Where the work is done.

    Yields:
        The number of a job that is done, and how many positions it found.

    Raises:
        LabelsError: If the folder holds labels that were made in another way.
        NetworkFileError: If there is no such network.
    """
    task = replace(task, digest=network_from(task.network).digest)
    _keep(folder, task)
    left = [job for job in jobs if not _file_of(folder, job).exists()]
    with closing(engine.run(partial(_numbered_job, task), left)) as done:
        for job, labels in done:
            write_labels(_file_of(folder, job), labels)
            yield job, len(labels.rows)


def _numbered_job(task: Labelling, job: int) -> tuple[int, Labels]:
    return job, label_job(task, job)


def _file_of(folder: Path, job: int) -> Path:
    return folder / f"labels-{job:06d}.npz"


def _keep(folder: Path, task: Labelling) -> None:
    """Write down how labels are made, or refuse a folder of others."""
    made = {"version": LABELS_VERSION, **asdict(task)}
    del made["network"]  # the digest tells which one it is, wherever it lies
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LABELLING
    if not path.exists():
        _write_whole(path, (json.dumps(made, indent=1) + "\n").encode())
    elif _read_labelling(path) != made:
        raise LabelsError(
            f"expected a new folder or the same labelling as in {path}, got another one: {made}"
        )


def write_labels(path: Path, labels: Labels) -> None:
    """Write labels into a file; one that is there is whole."""
    content = io.BytesIO()
    np.savez_compressed(content, **labels._asdict())
    _write_whole(path, content.getvalue())


def _write_whole(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # a name must not be there before what it names
    part.replace(path)


def _read_labelling(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LabelsError(f"expected how labels were made in {path}, got: {error}") from None
    if not isinstance(found, dict) or found.get("version") != LABELS_VERSION:
        raise LabelsError(f"expected labels of version {LABELS_VERSION} in {path}, got others")
    return found


def read_labels(folders: Iterable[Path]) -> dict[int, Labels]:
    """Return all labels of some folders by their number of colors.

    Raises:
        LabelsError: If there are none, or a file is none.
    """
    found: dict[int, list[Labels]] = {}
    for folder in folders:
        paths = sorted(folder.glob(_FILES))
        if not paths:
            raise LabelsError(f"expected labels in {folder}, got none; see lostcities train label")
        _read_labelling(folder / LABELLING)
        for path in paths:
            labels = _read(path)
            if len(labels.rows):
                found.setdefault(int(num_colors(labels.rows[0])), []).append(labels)
    if not found:
        raise LabelsError("expected labels of at least one position, got none")
    return {
        colors: Labels(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for colors, parts in found.items()
    }


def _read(path: Path) -> Labels:
    try:
        with np.load(path, allow_pickle=False) as parts:
            return Labels(*(parts[name] for name in Labels._fields))
    except (OSError, ValueError, LookupError, EOFError, BadZipFile, zlib.error) as error:
        reason = str(error).partition("\n")[0]
        raise LabelsError(f"expected labels in {path}, got: {reason}") from None


@cache
def _weights_of(path: str, digest: str) -> Weights:
    network = network_from(path)
    if digest not in {"", network.digest}:
        raise LabelsError(f"expected the network {digest} in {path}, got {network.digest}")
    return network.weights_for(ROUND)


def label_job(task: Labelling, job: int) -> Labels:
    """Play the rounds of a job, and return its positions with their labels."""
    labeller = _Labeller(task, job)
    for _ in range(task.rounds):
        labeller.play_round()
    return labeller.labels()


class _Labeller:
    """Plays rounds and labels positions on the way."""

    def __init__(self, task: Labelling, job: int) -> None:
        self._task = task
        self._variant = training_variant(task.colors_of(job))
        self._rng = np.random.default_rng((task.seed, job))
        self._weights = _weights_of(task.network, task.digest)
        self._room = new_room()
        self._found: list[tuple[Row, int, Actions, Points, Points]] = []

    def play_round(self) -> None:
        """Play a round by the network's lots, its other side perhaps by rules of thumb."""
        row, rng, task = self._deal(), self._rng, self._task
        thumbs = int(rng.integers(2)) if rng.random() < task.rules_of_thumb else None
        work = new_work(another_taste(rng, task.tastes))
        while not is_over(row):
            seat = int(mover(row))
            if seat == thumbs:
                step(row, policy_action(row, work))
                continue
            evaluate(row, seat, self._room, self._weights)
            action = self._by_lot(row)
            candidates, opinions = candidates_of(row, self._room, least=task.least)
            if len(candidates) > 1:
                gains = self._try(
                    row, seat, candidates, opinions, thumbs=float(thumbs is not None), work=work
                )
                self._found.append((row.copy(), seat, candidates, opinions, gains))
            step(row, action)

    def _deal(self) -> Row:
        starter = int(self._rng.integers(2))
        standing = Standing(num_rounds=self._variant.num_rounds, starter=starter)
        row = new_row(self._variant, standing)
        cards = np.zeros(MAX_CARDS, np.uint8)
        shuffle_and_deal(row, card_types(self._variant), cards, to_word(self._word()))
        return row

    def _word(self) -> int:
        return int(self._rng.integers(1 << 63))

    def _by_lot(self, row: Row) -> int:
        """Return an action by the chances that the network gives them."""
        actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
        count = read_policy(row, self._room, actions, chances, 1.0)
        shares = chances[:count].astype(np.float64)
        return int(self._rng.choice(actions[:count], p=shares / shares.sum()))

    def _try(
        self, row: Row, seat: int, actions: Actions, opinions: Points, *, thumbs: float, work: Work
    ) -> Points:
        """Return what candidates gained over the first one."""
        size, num = len(actions), self._task.worlds
        odds = np.ones(60, np.float64)
        read_odds(self._room, self._variant.num_colors, odds)
        outlook = Outlook(
            new_thinker(self._weights), self._weights, POINTS, self._task.depth, thumbs, work, odds
        )
        sums, products = np.zeros(size), np.zeros((size, size))
        try_by_network(row, seat, actions, 0, num, to_word(self._word()), outlook, sums, products)
        gains, _ = weigh_gains(
            *gains_over_first(sums, products, num, TYPICAL_SPREAD), opinions=opinions
        )
        gains[0] = 0.0
        return gains

    def labels(self) -> Labels:
        """Return what was found so far."""
        size = len(self._found)
        shape = (size, MOST_CANDIDATES)
        labels = Labels(
            np.zeros((size, NUM_WORDS), np.uint64), np.zeros(size, np.int8),
            np.full(shape, -1, np.int16), np.zeros(shape, np.float32), np.zeros(shape, np.float32),
        )  # fmt: skip
        for place, (row, seat, actions, opinions, gains) in enumerate(self._found):
            labels.rows[place] = row
            labels.seats[place] = seat
            num, chances = len(actions), np.exp(opinions)
            labels.actions[place, :num] = actions
            labels.priors[place, :num] = chances / chances.sum()
            labels.gains[place, :num] = gains
        return labels
