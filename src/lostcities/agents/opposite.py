"""What the moves of the other side tell of it, from all that a seat saw of the match."""

from collections import Counter, OrderedDict
from dataclasses import dataclass
from math import isnan
from threading import Lock
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lostcities.kernel.bridge import action_of, pack
from lostcities.kernel.layout import CONFIG, HAND, STALL, STANDING, WAGERS, Row
from lostcities.kernel.network import Weights, new_thinker
from lostcities.kernel.opposite import MOVES_ALONE, evidence_of_moves
from lostcities.kernel.policy import new_work
from lostcities.rules import (
    Card,
    InvalidPositionError,
    Observation,
    Phase,
    Play,
    Position,
    WrittenTurn,
)


class Shares(NamedTuple):
    """What moves and table count for where both are known: what they say is partly the same."""

    moves: float
    table: float


IF_DEAF: Final = Shares(0.35, 0.55)
"""Where the network speaks of the table alone. Fitted in experiment 0008."""
IF_LISTENING: Final = Shares(0.2, 0.4)
"""Where it was told of the moves before it speaks. Fitted in experiment 0009."""
_MOST_ROUNDS: Final = 1024
"""Rounds that a reader remembers at a time."""
_Pool = Counter[Card]
_WholeRound = tuple[Observation, tuple[WrittenTurn, ...]]


@dataclass(frozen=True, slots=True)
class Retraced:
    """A round as it may have been, as one seat saw it.

    Attributes:
        start: Its begin, in a world that leads to what the seat sees.
        actions: All plies of its past turns, `int64[P]`.
    """

    start: Row
    actions: npt.NDArray[np.int64]

    def key(self, seat: int) -> bytes:
        """Return all that the seat knew at the begin of the round."""
        known = [HAND + seat, WAGERS + seat, CONFIG, STALL, STANDING]
        return bytes([seat]) + self.start[known].tobytes()


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a round so far.

    Attributes:
        past: Its turns, as the seat saw them.
        evidence: What they say.
    """

    past: tuple[WrittenTurn, ...]
    evidence: float


_NOTHING: Final = _Read((), 0.0)


class MoveReader:
    """Reads the moves of the other side with a network.

    What it remembers of a round saves the time to read it anew, and changes nothing.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._rounds: OrderedDict[bytes, _Read] = OrderedDict()
        self._whole: OrderedDict[_WholeRound, float | None] = OrderedDict()
        self._lock = Lock()

    def evidence(self, observation: Observation) -> float | None:
        """Return what the moves say for rules of thumb on the other side.

        Args:
            observation: What the seat may know.

        Returns:
            The logarithm of a factor, see `kernel.opposite.evidence_of_moves`, of this round and
            those before together. None where the past of none of them is known, or the covered
            cards of the piles are not.
        """
        found = [self._of_whole_round(view) for view in observation.earlier]
        found.append(self._of_round(observation))
        known = [evidence for evidence in found if evidence is not None]
        return sum(known) if known else None

    def _of_whole_round(self, observation: Observation) -> float | None:
        """Return what the moves of a round say that is over; it is asked for at every turn."""
        key = observation, observation.past
        with self._lock:
            if key in self._whole:
                self._whole.move_to_end(key)
                return self._whole[key]
        evidence = self._of_round(observation)
        with self._lock:
            self._whole[key] = evidence
            while len(self._whole) > _MOST_ROUNDS:
                self._whole.popitem(last=False)
        return evidence

    def _of_round(self, observation: Observation) -> float | None:
        """Return what the moves of one round say, None if its past is not known."""
        retraced = retrace(observation)
        if retraced is None:
            return None
        evidence = self._read(retraced, observation)
        return None if isnan(evidence) else evidence

    def _read(self, retraced: Retraced, observation: Observation) -> float:
        """Return what the moves say, not a number if the rules refuse them."""
        key, past = retraced.key(observation.seat), observation.past
        with self._lock:
            read = self._rounds.get(key, _NOTHING)
        if past[: len(read.past)] != read.past:
            read = _NOTHING
        evidence = evidence_of_moves(
            retraced.start, retraced.actions, 2 * len(read.past), read.evidence, observation.seat,
            new_thinker(self._weights), new_work(),
        )  # fmt: skip
        if not isnan(evidence):
            with self._lock:
                self._rounds[key] = _Read(past, evidence)
                self._rounds.move_to_end(key)
                while len(self._rounds) > _MOST_ROUNDS:
                    self._rounds.popitem(last=False)
        return evidence


def told_of(evidence: float | None) -> float:
    """Return what a network is told of the evidence of moves; see `kernel.network.write_told`."""
    return 0.0 if evidence is None else MOVES_ALONE * evidence


def moves_and_table(of_moves: float | None, of_table: float, shares: Shares) -> float:
    """Return what moves and table together say for rules of thumb on the other side.

    Args:
        of_moves: What the moves say, None if they are not known.
        of_table: What a network says; see `kernel.network.read_thumbs`.
        shares: What each counts for.

    Returns:
        The logarithm of a factor: by it the odds are to be multiplied that were there before.
    """
    if of_moves is None:
        return of_table
    return shares.moves * of_moves + shares.table * of_table


def retrace(observation: Observation) -> Retraced | None:
    """Return the round from its begin, None if its past is not known or does not lead here.

    The cards of the other hand that nobody has seen are put where they may have been.
    """
    if not observation.past or observation.variant.tabletop_memory:
        return None
    try:
        deal = _deal_before(observation)
        start = Position.deal(deal, variant=observation.variant, standing=observation.standing)
        actions = [
            action_of(move, observation.variant)
            for written in observation.past
            for move in (written.turn.card_move, written.turn.draw)
        ]
    except (InvalidPositionError, ValueError):
        return None
    return Retraced(pack(start), np.array(actions, np.int64))


def _deal_before(observation: Observation) -> list[Card]:
    """Return the deck, top first, from which both sides drew what they drew.

    Raises:
        ValueError: If the past does not lead here.
    """
    seat, size = observation.seat, observation.variant.hand_size
    starter = observation.standing.starter
    movers = [(starter + number) % 2 for number in range(len(observation.past))]
    if movers[-1] == observation.to_move:
        raise ValueError("turns are missing")
    turns = list(zip(movers, observation.past, strict=True))
    unseen = list(observation.unseen)
    shown = _shown_from_hand([written for mover, written in turns if mover != seat])
    num_draws = sum(mover != seat and _is_from_deck(written) for mover, written in turns)
    num_unseen = size + num_draws - len(shown)
    if not 0 <= num_unseen <= len(unseen):
        raise ValueError("the other side put down cards that it cannot have held")
    others = [*shown, *unseen[:num_unseen]]  # a card was in the hand before it was put down
    own = _own_start(observation, [written for mover, written in turns if mover == seat])
    hands = (own, others[:size]) if seat == starter else (others[:size], own)
    dealt = [card for pair in zip(*hands, strict=True) for card in pair]
    later = iter(others[size:])
    for mover, written in turns:
        if _is_from_deck(written):
            card = written.drawn if mover == seat else next(later)
            if card is None:
                raise ValueError("an own draw is not known")
            dealt.append(card)
    return [*dealt, *unseen[num_unseen:]]


def _is_from_deck(written: WrittenTurn) -> bool:
    return written.turn.draw.pile is None


def _shown_from_hand(turns: list[WrittenTurn]) -> list[Card]:
    """Return the cards that the other side put down and nobody knew of, in order.

    As at the table, who puts a card down that is known to be in the hand puts down that one.

    Raises:
        ValueError: If it is not told which card was taken from a pile.
    """
    known: _Pool = Counter()
    shown = []
    for written in turns:
        card = written.turn.card_move.card
        if known[card]:
            known[card] -= 1
        else:
            shown.append(card)
        if not _is_from_deck(written):
            if written.drawn is None:
                raise ValueError("a card from a pile is not named")
            known[written.drawn] += 1
    return shown


def _own_start(observation: Observation, turns: list[WrittenTurn]) -> list[Card]:
    """Return the own hand at the begin of the round.

    Raises:
        ValueError: If the past does not lead here.
    """
    hand = Counter(observation.hand)
    hand.update(written.turn.card_move.card for written in turns)
    hand.update(_staged(observation, turns))
    hand.subtract(written.drawn for written in turns if written.drawn is not None)
    if any(num < 0 for num in hand.values()):
        raise ValueError("a card was drawn that is nowhere")
    return sorted(hand.elements())


def _staged(observation: Observation, turns: list[WrittenTurn]) -> list[Card]:
    """Return the card that the seat has put down in the turn that is not over, if any."""
    if observation.phase is not Phase.DRAW or not observation.is_own_turn:
        return []
    if observation.just_discarded is not None:
        return [observation.piles[observation.just_discarded][-1]]
    played = Counter(card for column in observation.own_expeditions for card in column)
    moves = [written.turn.card_move for written in turns]
    played.subtract(move.card for move in moves if isinstance(move, Play))
    return list(played.elements())
