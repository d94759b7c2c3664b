"""A whole turn of an agent from what its seat may know, with where it comes from.

A turn draws its lots from a seed of its own, so that it can be made again
alone: from the agent's spec, the observation, the limit and the seed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from lostcities.agents.base import NO_LIMIT, Agent, AgentFault, GameListener, Limit, Limited
from lostcities.agents.belief import world_of
from lostcities.agents.spec import EXTERNAL
from lostcities.agents.version import agents_version
from lostcities.play.provenance import Author, Provenance, hash_of
from lostcities.rules import (
    CLASSIC,
    CardMove,
    Discard,
    Draw,
    IllegalMoveError,
    Observation,
    Phase,
    Play,
    Position,
    Turn,
    WrittenTurn,
)


@dataclass(frozen=True, slots=True)
class ChosenTurn:
    """What an agent chose.

    Attributes:
        turn: A legal turn.
        value: Expected final margin in points, if the agent estimates it.
        provenance: Where the turn comes from.
    """

    turn: Turn
    value: float | None
    provenance: Provenance


def lots_of_decision(seed: int) -> Random:
    """Return the generator for both plies of one turn."""
    return Random(seed)  # noqa: S311 # whoever has the seed can make the turn again


def choose_turn(
    agent: Agent,
    observation: Observation,
    *,
    seed: int,
    limit: Limit = NO_LIMIT,
    stands_in_for: str = "",
) -> ChosenTurn:
    """Ask an agent for the card, then for the draw.

    Args:
        agent: Who is asked.
        observation: What its seat may know, at the start of its turn.
        seed: For its lots, see `play.provenance.decision_seed`.
        limit: The budget for each ply.
        stands_in_for: The spec of the agent that failed at this turn, if any.

    Raises:
        AgentFault: If it gives a draw for a card or a card for a draw.
        IllegalMoveError: If it chooses what the rules refuse.
    """
    turn, value = choose_plies(agent, observation, seed=seed, limit_of=lambda _: limit)
    provenance = provenance_of(
        agent, observation, seed=seed, limit=limit, stands_in_for=stands_in_for
    )
    return ChosenTurn(turn, value, provenance)


def choose_plies(
    agent: Agent, observation: Observation, *, seed: int, limit_of: Callable[[Phase], Limit]
) -> tuple[Turn, float | None]:
    """Ask an agent for the card, then for the draw, each under a limit of its own.

    Args:
        agent: Who is asked.
        observation: What its seat may know, at the start of its turn.
        seed: For its lots.
        limit_of: Says the budget of a ply, a moment before the agent is asked for it.

    Returns:
        The turn, and the expected final margin if the agent estimates it.

    Raises:
        AgentFault: If it gives a draw for a card or a card for a draw.
        IllegalMoveError: If it chooses what the rules refuse.
    """
    rng = lots_of_decision(seed)
    first = agent.decide(observation, rng=rng, limit=limit_of(Phase.CARD))
    card_move = first.move
    if not isinstance(card_move, Play | Discard):
        raise AgentFault(f"expected a card to put down, got {card_move}")
    staged = after_card_move(observation, card_move)
    draw = agent.decide(staged, rng=rng, limit=limit_of(Phase.DRAW)).move
    if not isinstance(draw, Draw):
        raise AgentFault(f"expected a draw, got {draw}")
    if refusal := staged.reason_against(draw):
        raise IllegalMoveError(refusal)
    return Turn(card_move, draw), first.value


def rehearse(agent: Agent) -> None:
    """Have a turn chosen that nobody plays, so that nothing is loaded while somebody waits."""
    if isinstance(agent, GameListener):  # it may be a program, which is started once a round
        return
    deal = Random(3).sample(CLASSIC.deck, k=len(CLASSIC.deck))  # noqa: S311 # nobody plays it
    position, past = Position.deal(deal), list[WrittenTurn]()
    for number in range(4):
        turn = Turn(Discard(position.mover_hand[0]))
        written = WrittenTurn(turn, position.deck[0])
        past.append(written if number % 2 == 0 else written.as_others_saw())
        position = position.after_turn(turn)
    few = Limit(playouts=40)
    view = position.observe(position.mover).with_past(past)
    choose_plies(agent, view, seed=0, limit_of=lambda _: few)


def after_card_move(observation: Observation, card_move: CardMove) -> Observation:
    """Return what the seat sees after its own card, which depends on nothing hidden.

    The past stays that of the whole turns.

    Raises:
        IllegalMoveError: If the rules refuse the move.
    """
    # Any world will do: the own view after the own card is the same in all of them.
    world = world_of(observation, observation.unseen)
    view = world.after(card_move).observe(observation.seat)
    return view.with_past(observation.past).with_earlier(observation.earlier)


def provenance_of(
    agent: Agent,
    observation: Observation,
    *,
    seed: int,
    limit: Limit = NO_LIMIT,
    stands_in_for: str = "",
) -> Provenance:
    """Return where a turn comes from that the agent chose at this observation."""
    return Provenance(
        author=author_of(agent, limit, stands_in_for=stands_in_for),
        seed=seed,
        observation_hash=hash_of(observation),
    )


def author_of(agent: Agent, limit: Limit = NO_LIMIT, *, stands_in_for: str = "") -> Author:
    """Return who the agent is, with the limit that it keeps to where the caller allows *limit*."""
    kept = agent.limit_under(limit) if isinstance(agent, Limited) else NO_LIMIT
    return Author(
        agent=agent.name,
        version="" if agent.name.partition(":")[0] == EXTERNAL else agents_version(),
        playouts=kept.playouts,
        seconds=kept.seconds,
        stands_in_for=stands_in_for,
    )
