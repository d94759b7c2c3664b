"""What trials say of the moves that a network hesitates between.

A job plays a few rounds. Wherever the network hesitates, its candidates are tried in
the same worlds, and written down is what each of them gained; see `distill` for what
is learned from that. Jobs depend on their number alone and may be done anywhere.
"""

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import count
from pathlib import Path

import numpy as np

from lostcities.agents.expert import MOST_CANDIDATES, TYPICAL_SPREAD, candidates_of, weigh_gains
from lostcities.agents.halving import Actions, Points, gains_over_first
from lostcities.agents.objective import ROUND
from lostcities.agents.weights import network_from
from lostcities.arena.engines import Engine
from lostcities.kernel.batch import shuffle_and_deal
from lostcities.kernel.layout import (
    MAX_CARDS,
    MAX_LEGAL,
    NUM_WORDS,
    Number,
    Row,
    card_types,
    new_row,
)
from lostcities.kernel.lookahead import POINTS, Outlook, read_odds, try_by_network
from lostcities.kernel.network import (
    Weights,
    evaluate_told,
    listens,
    new_room,
    new_thinker,
    read_policy,
)
from lostcities.kernel.opposite import (
    MOVES_ALONE,
    begin_round,
    both_sides,
    new_reading,
    read_ply,
)
from lostcities.kernel.policy import Work, new_work, policy_action
from lostcities.kernel.step import deck_size, is_over, mover, step
from lostcities.kernel.streams import to_word
from lostcities.rules import Standing
from lostcities.training.generate import another_taste, training_variant
from lostcities.training.label_files import (
    Labels,
    LabelsError,
    file_of,
    keep_labelling,
    write_labels,
)


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
        deck: Only positions are labelled with at most so many cards in the deck; 0 for all.
        depth: Own turns of a trial before the network's expectation is taken; 0 to the end.
        least: Moves that the network likes less than its best by more than this factor are
            no candidates.
        trust: How far trials overrule the network, see `agents.expert.ExpertOptions`.
        rules_of_thumb: Share of the rounds in which the other side plays by rules of thumb.
        tastes: How much their tastes vary from round to round.
    """

    seed: int = 1
    network: str = "shipped"
    digest: str = ""
    rounds: int = 4
    six_every: int = 4
    worlds: int = 64
    deck: int = 0
    depth: int = 10
    least: float = 0.01
    trust: float = 0.5
    rules_of_thumb: float = 0.5
    tastes: float = 0.2

    def colors_of(self, job: int) -> int:
        """Return with how many colors a job is played."""
        return 6 if self.six_every and job % self.six_every == self.six_every - 1 else 5


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
    how = asdict(task)
    del how["network"]  # the digest tells which one it is, wherever it lies
    for name, only_choice in (("deck", 0), ("trust", 1.0)):
        if how[name] == only_choice:
            del how[name]  # as in folders from before there was a choice
    keep_labelling(folder, how)
    left = [job for job in jobs if not file_of(folder, job).exists()]
    with closing(engine.run(partial(_numbered_job, task), left)) as done:
        for job, labels in done:
            write_labels(file_of(folder, job), labels)
            yield job, len(labels.rows)


def _numbered_job(task: Labelling, job: int) -> tuple[int, Labels]:
    return job, label_job(task, job)


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
        self._player, self._reading = new_thinker(self._weights), new_reading(new_work())
        self._reads = listens(self._weights)
        self._found: list[tuple[Row, int, Actions, Points, Points, float]] = []

    def play_round(self) -> None:
        """Play a round by the network's lots, its other side perhaps by rules of thumb."""
        row, rng, task = self._deal(), self._rng, self._task
        thumbs = int(rng.integers(2)) if rng.random() < task.rules_of_thumb else None
        work = new_work(another_taste(rng, task.tastes))
        begin_round(self._reading)
        for ply in count():
            if is_over(row):
                break
            seat = int(mover(row))
            if seat == thumbs:
                self._step(row, policy_action(row, work), ply)
                continue
            told = MOVES_ALONE * float(self._reading.evidence[seat])
            evaluate_told(row, seat, told, self._room, self._weights)
            read_odds(self._room, self._variant.num_colors, self._reading.odds[seat])
            action = self._by_lot(row)
            candidates, opinions = candidates_of(row, self._room, least=task.least)
            is_wanted = task.deck == 0 or deck_size(row) <= task.deck
            if is_wanted and len(candidates) > 1:
                gains = self._try(
                    row, seat, candidates, opinions, thumbs=float(thumbs is not None), work=work
                )
                self._found.append((row.copy(), seat, candidates, opinions, gains, told))
            self._step(row, action, ply)

    def _step(self, row: Row, action: Number, ply: int) -> None:
        """Make an action, which the other side reads if it makes a difference to it."""
        if self._reads:
            read_ply(row, action, ply, self._player, self._reading)
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
        size = read_policy(row, self._room, actions, chances, 1.0)
        shares = chances[:size].astype(np.float64)
        return int(self._rng.choice(actions[:size], p=shares / shares.sum()))

    def _try(
        self, row: Row, seat: int, actions: Actions, opinions: Points, *, thumbs: float, work: Work
    ) -> Points:
        """Return what candidates gained over the first one."""
        size, num = len(actions), self._task.worlds
        odds = self._reading.odds[seat].copy()  # as read before this ply
        told = MOVES_ALONE * float(self._reading.evidence[seat])
        player = both_sides(self._weights, row, seat, told)
        outlook = Outlook(player, self._weights, POINTS, self._task.depth, thumbs, work, odds)
        sums, products = np.zeros(size), np.zeros((size, size))
        try_by_network(row, seat, actions, 0, num, to_word(self._word()), outlook, sums, products)
        gains, _ = weigh_gains(
            *gains_over_first(sums, products, num, TYPICAL_SPREAD),
            opinions=opinions, trust=self._task.trust,
        )  # fmt: skip
        gains[0] = 0.0
        return gains

    def labels(self) -> Labels:
        """Return what was found so far."""
        size = len(self._found)
        shape = (size, MOST_CANDIDATES)
        labels = Labels(
            np.zeros((size, NUM_WORDS), np.uint64), np.zeros(size, np.int8),
            np.full(shape, -1, np.int16), np.zeros(shape, np.float32), np.zeros(shape, np.float32),
            np.zeros(size, np.float32),
        )  # fmt: skip
        for place, (row, seat, actions, opinions, gains, told) in enumerate(self._found):
            labels.rows[place] = row
            labels.seats[place] = seat
            num, chances = len(actions), np.exp(opinions)
            labels.actions[place, :num] = actions
            labels.priors[place, :num] = chances / chances.sum()
            labels.gains[place, :num] = gains
            labels.told[place] = told
        return labels
