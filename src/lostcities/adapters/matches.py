"""A match on one row, with its deals: what the environments for one game share.

Knows no peer. Every environment of this room names the same things alike:
`num_colors`, `num_rounds`, `stall_limit`, any other number of `Variant`, and how
points become rewards.
"""

import operator
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from lostcities.adapters.loops import advance
from lostcities.kernel.batch import game_seed, shuffle_and_deal
from lostcities.kernel.bridge import move_of, unpack
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import MAX_CARDS, Row, card_types, new_row, num_actions, read_standing
from lostcities.kernel.step import legal_mask, score
from lostcities.kernel.streams import mix, round_stream, to_word
from lostcities.rules import (
    ONLINE_STALL_LIMIT,
    SEATS,
    IllegalMoveError,
    Match,
    Points,
    RoundResult,
    Seat,
    Standing,
    Variant,
)
from lostcities.rules.bounds import max_round_score, min_round_score

Payoff: TypeAlias = Literal["margin", "score", "win"]
"""What a player is paid.

`margin`: own points less the other side's, at the end of each round; sums to zero.
`score`: own points, at the end of each round.
`win`: 1, 0 or -1 for a match won, drawn or lost, at its end; sums to zero.
"""
Payoffs: TypeAlias = tuple[float, float]
"""What both seats are paid."""
Observed: TypeAlias = dict[str, npt.NDArray[Any]]
"""`observation` float32[F] and `action_mask` int8[A]."""

NOTHING: Final[Payoffs] = (0.0, 0.0)
_LOT: Final = 0x6C0E9B5D3A7F4E21


def make_variant(
    *,
    num_colors: int = 5,
    num_rounds: int = 1,
    stall_limit: int | None = ONLINE_STALL_LIMIT,
    **numbers: Any,  # noqa: ANN401 # see Variant
) -> Variant:
    """Return the game of an environment.

    Args:
        num_colors: 2 to 6.
        num_rounds: Rounds in a match, which is one episode.
        stall_limit: See `Variant`; needed, because an episode has to end.
        numbers: Any other field of `Variant`, by name.

    Raises:
        TypeError: If there is no such field.
        ValueError: If the numbers make no game, or one that could end before
            both sides have moved.
    """
    if stall_limit is None:
        raise ValueError("expected a stall_limit, got None: without one a round need not end")
    variant = Variant(
        num_colors=num_colors, num_rounds=num_rounds, stall_limit=stall_limit, **numbers
    )
    if variant.deck_after_deal < len(SEATS):
        raise ValueError(
            f"expected at least {len(SEATS)} cards in the deck after the deal, "
            f"got {variant.deck_after_deal}"
        )
    return variant


def check_payoff(payoff: str) -> None:
    """Refuse a word that names no payoff.

    Raises:
        ValueError: If it does not.
    """
    if payoff not in {"margin", "score", "win"}:
        raise ValueError(f"expected a payoff 'margin', 'score' or 'win', got {payoff!r}")


def lowest_payoff(variant: Variant, payoff: Payoff) -> float:
    """Return a lower bound of what an episode pays; the negative one bounds `margin` and `win` above.

    A formula bound from `rules.bounds`: play need not reach it.
    """
    lowest = min_round_score(variant)
    match payoff:
        case "win":
            return -1.0
        case "score":
            return float(variant.num_rounds * lowest)
        case "margin":
            return float(variant.num_rounds * (lowest - max_round_score(variant)))
        case _:
            assert_never(payoff)


def feature_bound(variant: Variant) -> float:
    """Return a number that no feature exceeds in size. Far from tight for most of them.

    The longest scales are those of `features`: 50 for points, 100 for the lead
    in a match, 10 for stalling turns; all others stay below 16, which is more
    than the largest hand, deck or sum of ranks gives.
    """
    spread = max_round_score(variant) - min_round_score(variant)
    stalling = (variant.stall_limit or 0) / 10
    return max(16.0, spread / 50, variant.num_rounds * spread / 100, stalling)


def refusal_of(row: Row, action: int, variant: Variant) -> ValueError:
    """Return the error that says why an action is refused; the sentence is that of the rules."""
    try:
        move = move_of(action, variant)
    except ValueError as error:
        return error
    refusal = unpack(row).reason_against(move)
    if refusal is None:
        raise AssertionError(f"the kernel refused action {action}, the rules do not")
    return IllegalMoveError(refusal)


class MatchRow:
    """A match being played, in place, round after round.

    The deals are those of game 0 of a `kernel.batch.Batch` with the same seed: the
    n-th round since the seed was given is its n-th round.

    Attributes:
        variant: The numbers of the game.
        row: The running round, `uint64[32]`.
        mover: The seat to move; None when the match is over.
        match: The finished rounds.
    """

    def __init__(self, variant: Variant, *, payoff: Payoff, first_starter: Seat | None) -> None:
        """Prepare, without a deal.

        Args:
            variant: The numbers of the game, with a stall limit.
            payoff: How points become rewards.
            first_starter: Who starts a match; None is by lot.

        Raises:
            ValueError: If there is no such payoff or seat.
        """
        check_payoff(payoff)
        if first_starter not in {None, *SEATS}:
            raise ValueError(f"expected first_starter 0, 1 or None (by lot), got {first_starter!r}")
        self.variant = variant
        self.payoff = payoff
        self.first_starter = first_starter
        self.num_actions = num_actions(variant)
        self.num_features = num_features(variant)
        self.row = new_row(variant)
        self.match = Match(variant)
        self.mover: Seat | None = None
        self._mask = np.zeros(self.num_actions, np.uint8)
        self._types = card_types(variant)
        self._cards = np.zeros(MAX_CARDS, np.uint8)
        self._seed = to_word(0)
        self._round = 0

    def reseed(self, seed: int) -> None:
        """Choose the deals to come, from their beginning."""
        self._seed = game_seed(seed, 0)
        self._round = 0

    def begin(self) -> None:
        """Start a new match on the next deal."""
        lot = self._lot()
        starter = lot if self.first_starter is None else self.first_starter
        self.match = Match(self.variant, first_starter=starter)
        self._deal(self.match.next_standing(lot))

    def step(self, action: SupportsIndex) -> Payoffs | None:
        """Make a move for the side to move.

        Args:
            action: Its number; anything that is an integer.

        Returns:
            What both seats are paid if this ended a round, else None.

        Raises:
            TypeError: If it is no integer.
            ValueError: If the action does not exist or is not legal now
                (`IllegalMoveError`); nothing has changed then.
        """
        number = operator.index(action)
        if not (0 <= number < self.num_actions and self._mask[number]):
            raise refusal_of(self.row, number, self.variant)
        next_mover = int(advance(self.row, number, self._mask))
        if next_mover in SEATS:
            self.mover = next_mover
            return None
        return self._end_round()

    def observe(self, seat: Seat) -> Observed:
        """Return what a seat may know and do, in new arrays.

        The mask is all zeros for a seat that is not to move.
        """
        vector = np.empty(self.num_features, np.float32)
        features(self.row, seat, vector)
        is_asked = seat == self.mover
        mask = self._mask.astype(np.int8) if is_asked else np.zeros(self.num_actions, np.int8)
        return {"observation": vector, "action_mask": mask}

    @property
    def scores(self) -> Points:
        """What both seats would score if the running round ended now."""
        return int(score(self.row, 0)), int(score(self.row, 1))

    @property
    def standing(self) -> Standing:
        """Where the round in the row stands in its match."""
        return read_standing(self.row)

    def _lot(self) -> Seat:
        """Draw a seat, the same for the same seed and round."""
        stream = round_stream(self._seed, to_word(self._round))
        return int(mix(to_word(stream) ^ to_word(_LOT))) & 1

    def _deal(self, standing: Standing) -> None:
        self.row = new_row(self.variant, standing)
        stream = round_stream(self._seed, to_word(self._round))
        shuffle_and_deal(self.row, self._types, self._cards, to_word(stream))
        self._round += 1
        legal_mask(self.row, self._mask)
        self.mover = standing.starter

    def _end_round(self) -> Payoffs:
        """Book the round that has just ended, and deal the next one if there is one."""
        scores = self.scores
        starter = self.standing.starter
        self.match = self.match.with_round(RoundResult(starter=starter, scores=scores))
        if self.match.is_over:
            self.mover = None
        else:
            self._deal(self.match.next_standing(self._lot()))
        return self._payoffs(scores)

    def _payoffs(self, scores: Points) -> Payoffs:
        match self.payoff:
            case "margin":
                margin = float(scores[0] - scores[1])
                return margin, -margin
            case "score":
                return float(scores[0]), float(scores[1])
            case "win":
                winner = self.match.leader if self.match.is_over else None
                return NOTHING if winner is None else (1.0 - 2.0 * winner, 2.0 * winner - 1.0)
            case _:
                assert_never(self.payoff)
