"""One round between two agents, and what is worth counting about it."""

from dataclasses import dataclass
from random import Random

from lostcities.agents.base import Agent
from lostcities.rules import Draw, Phase, Position, Seat
from lostcities.rules.legality import is_deck_forced
from lostcities.rules.match import Points


@dataclass(frozen=True, slots=True)
class RoundReport:
    """What came out of a round.

    Attributes:
        scores: The points of seats A and B.
        num_turns: Turns played, by both sides together.
        num_takes: Draws from a discard pile, by both sides together.
        num_forced_draws: Draws at which the stall guard left only the deck
            although a pile other than the one just discarded on held a card.
        num_wagers: For each seat, the wagers in its expeditions at the end.
        num_expeditions: For each seat, the expeditions it opened.
    """

    scores: Points
    num_turns: int
    num_takes: int
    num_forced_draws: int
    num_wagers: tuple[int, int]
    num_expeditions: tuple[int, int]


def play_round(
    position: Position, agents: tuple[Agent, Agent], *, rngs: tuple[Random, Random]
) -> RoundReport:
    """Play on until the round ends.

    An agent is shown its observation only. Without a stall limit in the
    variant nothing promises an end.

    Args:
        position: Where to begin; usually a fresh deal.
        agents: Who sits in seat A and seat B.
        rngs: A generator for each seat, so that what one side draws by lot
            does not depend on how often the other side does.

    Raises:
        IllegalMoveError: If an agent chooses a move that the rules refuse.
    """
    num_turns = num_takes = num_forced_draws = 0
    while not position.is_over:
        seat = position.mover
        if position.phase is Phase.DRAW:
            num_forced_draws += _is_forced_by_guard(position)
        move = agents[seat].decide(position.observe(seat), rng=rngs[seat]).move
        position = position.after(move)
        if isinstance(move, Draw):
            num_turns += 1
            num_takes += move.pile is not None
    return RoundReport(
        scores=position.scores,
        num_turns=num_turns,
        num_takes=num_takes,
        num_forced_draws=num_forced_draws,
        num_wagers=(_count_wagers(position, 0), _count_wagers(position, 1)),
        num_expeditions=(_count_expeditions(position, 0), _count_expeditions(position, 1)),
    )


def _is_forced_by_guard(position: Position) -> bool:
    closed = position.just_discarded if position.variant.own_discard_block else None
    return is_deck_forced(position) and any(
        top is not None and top.color != closed for top in position.pile_tops
    )


def _count_wagers(position: Position, seat: Seat) -> int:
    return sum(card.is_wager for cards in position.expeditions[seat] for card in cards)


def _count_expeditions(position: Position, seat: Seat) -> int:
    return sum(bool(cards) for cards in position.expeditions[seat])
