"""One round between two agents, and what is worth counting about it."""

from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Final

from lostcities.agents.base import NO_LIMIT, Agent, AgentFault, GameListener, Limit
from lostcities.agents.simple import Discarder
from lostcities.agents.turns import lots_of_decision, provenance_of
from lostcities.play.provenance import SEED_BITS, Provenance, decision_seed
from lostcities.rules import (
    NO_MEMORY,
    SEATS,
    Cards,
    Draw,
    IllegalMoveError,
    Memory,
    Move,
    Phase,
    Position,
    Seat,
    Turn,
    WrittenTurn,
    other_seat,
)
from lostcities.rules.legality import is_deck_forced
from lostcities.rules.match import Points

_TO_31_BITS: Final = SEED_BITS - 31
"""The bot protocol promises a seed that fits into any language's numbers."""
MAX_FAULTS: Final = 3
"""Faults of a side in one round after which the stand-in plays the rest of it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An agent failed, and the stand-in made the turn in its place.

    Attributes:
        seat: Where it sat.
        turn: The number of the turn, from 1, both sides counted.
        problem: What happened, in one line.
    """

    seat: Seat
    turn: int
    problem: str


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
        num_decisions: For each seat, the plies that it was asked for.
        seconds: For each seat, the time it took for them together.
        faults: Where an agent failed.
        turns: All turns, for a record.
        origins: For each turn, where it comes from.
        luck: By how many points the draws favoured seat A; 0 if not measured.
    """

    scores: Points
    num_turns: int
    num_takes: int
    num_forced_draws: int
    num_wagers: tuple[int, int]
    num_expeditions: tuple[int, int]
    num_decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    faults: tuple[Fault, ...] = ()
    turns: tuple[WrittenTurn, ...] = ()
    origins: tuple[Provenance, ...] = ()
    luck: float = 0.0


def play_round(
    position: Position,
    agents: tuple[Agent, Agent],
    *,
    lots: str,
    limits: tuple[Limit, Limit] = (NO_LIMIT, NO_LIMIT),
    is_tolerant: bool = False,
    memory: Memory = NO_MEMORY,
) -> RoundReport:
    """Play on until the round ends.

    An agent is shown its observation only. Without a stall limit in the
    variant nothing promises an end.

    Args:
        position: Where to begin, at the start of a turn; usually a fresh deal.
        agents: Who sits in seat A and seat B.
        lots: Names all lots that the agents draw; each decision has its own,
            see `play.provenance.decision_seed`.
        limits: The budget of each seat for a decision.
        is_tolerant: Whether a simple agent makes the turn when an agent
            fails, whatever it fails with, and the fault is reported;
            otherwise the failure is raised.
        memory: What the seats remember of the rounds before.

    Raises:
        IllegalMoveError: If an agent chooses a move that the rules refuse.
    """
    game = _Game(position, agents, lots, limits, is_tolerant=is_tolerant, memory=memory)
    for seat in SEATS:
        agent = agents[seat]
        if isinstance(agent, GameListener):
            agent.begin(seat, position.variant, seed=game.seed(seat, turn_number=0) >> _TO_31_BITS)
    try:
        while not game.position.is_over:
            game.play_turn()
    finally:
        scores = game.position.scores if game.position.is_over else None
        for agent in agents:
            if isinstance(agent, GameListener):
                agent.end(scores)
    return game.report()


@dataclass(slots=True)
class _Side:
    """What is counted about one seat while the round runs, and what it saw of the turns."""

    num_decisions: int = 0
    seconds: float = 0.0
    num_faults: int = 0
    seen: list[WrittenTurn] = field(default_factory=list)


@dataclass(slots=True)
class _Game:
    """A round that runs."""

    position: Position
    agents: tuple[Agent, Agent]
    lots: str
    limits: tuple[Limit, Limit]
    is_tolerant: bool = field(kw_only=True)
    memory: Memory = field(kw_only=True)
    sides: tuple[_Side, _Side] = field(default_factory=lambda: (_Side(), _Side()))
    turns: list[WrittenTurn] = field(default_factory=list)
    origins: list[Provenance] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    num_forced_draws: int = 0

    def play_turn(self) -> None:
        """Have the side to move make a whole turn; nothing happens before both halves are legal."""
        seat = self.position.mover
        turn, origin = self._choose(seat)
        staged = self.position.after(turn.card_move)
        self.num_forced_draws += _is_forced_by_guard(staged)
        drawn = staged.card_drawn_by(turn.draw)
        self.position = staged.after(turn.draw)
        written = WrittenTurn(turn, drawn)
        self.turns.append(written)
        self.origins.append(origin)
        self.sides[seat].seen.append(written)
        self.sides[other_seat(seat)].seen.append(written.as_others_saw())
        listener = self.agents[other_seat(seat)]
        if isinstance(listener, GameListener):
            listener.observe_turn(written.as_others_saw())

    def seed(self, seat: Seat, turn_number: int) -> int:
        """Return the seed for a decision."""
        return decision_seed(
            self.lots,
            round_number=self.position.standing.round_number,
            turn_number=turn_number,
            seat=seat,
        )

    def _choose(self, seat: Seat) -> tuple[Turn, Provenance]:
        agent = self.agents[seat]
        if not self.is_tolerant:
            return self._ask(agent, seat)
        if self.sides[seat].num_faults >= MAX_FAULTS:
            return self._ask(Discarder(), seat, stands_in_for=agent.name)
        try:
            return self._ask(agent, seat)
        except Exception as error:  # noqa: BLE001 # whatever an agent does, the games go on
            kind = "" if isinstance(error, AgentFault) else f"{type(error).__name__}: "
            problem = " ".join(f"{kind}{error}".split())[:300]
            self.faults.append(Fault(seat, len(self.turns) + 1, problem))
            self.sides[seat].num_faults += 1
            return self._ask(Discarder(), seat, stands_in_for=agent.name)

    def _ask(self, agent: Agent, seat: Seat, *, stands_in_for: str = "") -> tuple[Turn, Provenance]:
        """Return a legal turn, card and draw asked for one after the other."""
        seed = self.seed(seat, len(self.turns) + 1)
        rng = lots_of_decision(seed)
        card_move = self._decide(agent, self.position, seat, rng)
        staged = self.position.after(card_move)
        draw = self._decide(agent, staged, seat, rng)
        if refusal := staged.reason_against(draw):
            raise IllegalMoveError(refusal)
        if isinstance(card_move, Draw) or not isinstance(draw, Draw):
            raise AgentFault(f"expected a card, then a draw, got {card_move} and {draw}")
        origin = provenance_of(
            agent,
            self.position.observe(seat),
            seed=seed,
            limit=self.limits[seat],
            stands_in_for=stands_in_for,
        )
        return Turn(card_move, draw), origin

    def _decide(self, agent: Agent, position: Position, seat: Seat, rng: Random) -> Move:
        side = self.sides[seat]
        view = position.observe(seat).with_past(side.seen)
        observation = view.with_earlier(self.memory[seat])
        side.num_decisions += 1
        start = perf_counter()
        try:
            return agent.decide(observation, rng=rng, limit=self.limits[seat]).move
        finally:
            side.seconds += perf_counter() - start

    def report(self) -> RoundReport:
        """Return what came out."""
        position, (a, b) = self.position, self.sides
        expeditions = position.expeditions
        return RoundReport(
            scores=position.scores,
            num_turns=len(self.turns),
            num_takes=sum(written.turn.draw.pile is not None for written in self.turns),
            num_forced_draws=self.num_forced_draws,
            num_wagers=(_count_wagers(expeditions[0]), _count_wagers(expeditions[1])),
            num_expeditions=(sum(map(bool, expeditions[0])), sum(map(bool, expeditions[1]))),
            num_decisions=(a.num_decisions, b.num_decisions),
            seconds=(a.seconds, b.seconds),
            faults=tuple(self.faults),
            turns=tuple(self.turns),
            origins=tuple(self.origins),
        )


def _is_forced_by_guard(position: Position) -> bool:
    if position.phase is not Phase.DRAW:
        return False
    closed = position.just_discarded if position.variant.own_discard_block else None
    return is_deck_forced(position) and any(
        top is not None and top.color != closed for top in position.pile_tops
    )


def _count_wagers(expeditions: tuple[Cards, ...]) -> int:
    return sum(card.is_wager for cards in expeditions for card in cards)
