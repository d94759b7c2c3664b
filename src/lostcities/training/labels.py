"""What trials would rather have done: positions of the network's games, with a better policy for each.

A job plays a few rounds. Wherever the network hesitates, its candidates are tried in
the same worlds, and it is pulled towards what turned out well: its own chances times
exp(gain / temperature). Jobs depend on their number alone and may be done anywhere.

Source:
    Anthony, Tian, Barber 2017, Thinking fast and slow with deep learning and tree
    search; the targets: Sokota et al. 2024, The update-equivalence framework for
    decision-time planning.
"""

import json
import zlib
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from lostcities.agents.expert import candidates_of, weigh_gains
from lostcities.agents.weights import load_network
from lostcities.arena.engines import Engine
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import MAX_CARDS, MAX_LEGAL, NUM_WORDS, Row, Rows, card_types
from lostcities.kernel.lookahead import POINTS, Outlook, read_odds, try_by_network
from lostcities.kernel.network import Floats, Weights, evaluate, new_room, new_thinker, read_policy
from lostcities.kernel.policy import new_work, policy_action
from lostcities.kernel.selfplay import start_rows
from lostcities.kernel.step import is_over, mover, num_colors, step
from lostcities.kernel.streams import to_word
from lostcities.rules import LostCitiesError
from lostcities.training.generate import another_taste, training_variant

MOST_CANDIDATES: Final = 10
LABELLING: Final = "labelling.json"
_TYPICAL_WORLDS: Final = 8
_TYPICAL_SPREAD: Final = 7.0


class LabelsError(LostCitiesError, ValueError):
    """Labels that cannot be used."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How positions are found and labelled.

    Attributes:
        seed: Decides everything, with the number of a job.
        network: A file of weights: who plays, and whose moves are tried.
        rounds: Rounds of a job.
        six_every: One job in so many has six colors; 0 for none.
        worlds: In how many worlds each candidate is tried.
        depth: Own turns of a trial before the network's expectation is taken; 0 to the end.
        least: Moves that the network likes less than its best by more than this factor are
            no candidates.
        temperature: Points for which a move's chances are multiplied by e.
        rules_of_thumb: Share of the rounds in which the other side plays by rules of thumb.
        tastes: How much their tastes vary from round to round.
    """

    seed: int = 1
    network: str = ""
    rounds: int = 4
    six_every: int = 4
    worlds: int = 64
    depth: int = 10
    least: float = 0.01
    temperature: float = 1.0
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
        targets: How likely they should be, `float32[K, MOST_CANDIDATES]`; they add up to 1.
        gains: What they are worth over the first one in the trials, in points, as it was weighed.
    """

    rows: Rows
    seats: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int16]
    priors: Floats
    targets: Floats
    gains: Floats


_Label: TypeAlias = tuple[Row, int, npt.NDArray[np.int64], Floats, Floats, Floats]


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
    made = {**asdict(task), "network": load_network(Path(task.network)).digest}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LABELLING
    if not path.exists():
        path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LabelsError(f"expected how labels were made in {path}, got: {error}") from None
    if found != made:
        raise LabelsError(
            f"expected a new folder or the same labelling as in {path}, got another one: {made}"
        )


def write_labels(path: Path, labels: Labels) -> None:
    """Write labels into a file; one that is there is whole."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez_compressed(file, **labels._asdict())
    part.replace(path)


def read_labels(folders: Iterable[Path]) -> dict[int, Labels]:
    """Return all labels of some folders by their number of colors.

    Raises:
        LabelsError: If there are none, or a file is none.
    """
    found: dict[int, list[Labels]] = {}
    for folder in folders:
        paths = sorted(folder.glob("*.npz"))
        if not paths:
            raise LabelsError(f"expected labels in {folder}, got none; lostcities train label")
        for path in paths:
            labels = _read(path)
            if len(labels.rows):
                found.setdefault(int(num_colors(labels.rows[0])), []).append(labels)
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
def _weights_of(path: str) -> Weights:
    return load_network(Path(path)).weights


def label_job(task: Labelling, job: int) -> Labels:
    """Play the rounds of a job, and return its positions with their labels."""
    weights, colors = _weights_of(task.network), task.colors_of(job)
    rng = np.random.default_rng((task.seed, job))
    found: list[_Label] = []
    for _ in range(task.rounds):
        _label_round(task, weights, colors, rng, found)
    return _stacked(found)


def _label_round(
    task: Labelling, weights: Weights, colors: int, rng: np.random.Generator, found: list[_Label]
) -> None:
    variant = training_variant(colors)
    row = start_rows(variant, 1, seed=int(rng.integers(1 << 31)))[0]
    cards = np.zeros(MAX_CARDS, np.uint8)
    shuffle_and_deal(row, card_types(variant), cards, to_word(int(rng.integers(1 << 63))))
    thumbs_seat = int(rng.integers(2)) if rng.random() < task.rules_of_thumb else -1
    work = new_work(another_taste(rng, task.tastes))
    room = new_room()
    actions, chances = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    while not is_over(row):
        seat = int(mover(row))
        if seat == thumbs_seat:
            step(row, policy_action(row, work))
            continue
        evaluate(row, seat, room, weights)
        candidates, opinions = candidates_of(row, room, least=task.least)
        if len(candidates) > 1:
            outlook = _outlook(task, weights, room, colors, has_thumbs=thumbs_seat >= 0, work=work)
            found.append(
                _label(task, row, seat, candidates, opinions, outlook, int(rng.integers(1 << 63)))
            )
            evaluate(row, seat, room, weights)
        count = read_policy(row, room, actions, chances, 1.0)
        shares = chances[:count].astype(np.float64)
        step(row, int(actions[int(rng.choice(count, p=shares / shares.sum()))]))


def _outlook(  # noqa: PLR0913
    task: Labelling, weights: Weights, room: Floats, colors: int, *, has_thumbs: bool, work: object
) -> Outlook:
    odds = np.ones(60, np.float64)
    read_odds(room, colors, odds)
    return Outlook(
        new_thinker(weights), weights, POINTS, task.depth, float(has_thumbs), work, odds
    )


def _label(  # noqa: PLR0913
    task: Labelling, row: Row, seat: int, candidates: npt.NDArray[np.int64], opinions: npt.NDArray[np.float64],
    outlook: Outlook, seed: int,
) -> _Label:
    size, num = len(candidates), task.worlds
    sums, products = np.zeros(size), np.zeros((size, size))
    try_by_network(row, seat, candidates, 0, num, to_word(seed), outlook, sums, products)
    gains = (sums - sums[0]) / num
    own = np.diag(products)
    variances = (own - 2 * products[:, 0] + products[0, 0]) / num - gains**2
    variances = (variances * num + _TYPICAL_WORLDS * _TYPICAL_SPREAD**2) / (num + _TYPICAL_WORLDS) / num
    worth, _ = weigh_gains(gains, variances, opinions)
    worth[0] = 0.0
    priors = np.exp(opinions)
    priors /= priors.sum()
    targets = priors * np.exp((worth - worth.max()) / task.temperature)
    targets /= targets.sum()
    return row.copy(), seat, candidates, priors, targets, worth


def _stacked(found: list[_Label]) -> Labels:
    size = len(found)
    shape = (size, MOST_CANDIDATES)
    labels = Labels(
        np.zeros((size, NUM_WORDS), np.uint64), np.zeros(size, np.int8),
        np.full(shape, -1, np.int16), *(np.zeros(shape, np.float32) for _ in range(3)),
    )  # fmt: skip
    for place, (row, seat, *columns) in enumerate(found):
        labels.rows[place] = row
        labels.seats[place] = seat
        for array, values in zip(labels[2:], columns, strict=True):
            array[place, : len(values)] = values
    return labels
