"""Our agents behind the bot protocol: the mirror image of `external.py`.

A message tells a position in one line. What the line does not carry (which own
cards the other side knows of, how long both sides have stalled) is remembered
from the turns themselves.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from secrets import token_hex
from time import perf_counter
from typing import Any, Final

from lostcities.agents.base import NO_LIMIT, Agent, GameListener, Limit
from lostcities.agents.turns import choose_plies, rehearse
from lostcities.notation import format_turn, parse_observation, parse_turn
from lostcities.play.provenance import decision_seed
from lostcities.rules import (
    ONLINE_STALL_LIMIT,
    SEAT_NAMES,
    Card,
    Discard,
    LostCitiesError,
    Observation,
    Phase,
    Points,
    Turn,
    Variant,
    WrittenTurn,
)

_RESERVE: Final = 0.05
"""Share of the clock that is left for reading, writing and the last trial before the end."""
_MOST_RESERVE: Final = 0.1
_LEAST: Final = 0.001
"""Seconds that a ply is given even if the clock has run out; 0 would be no limit."""


class ProtocolError(LostCitiesError, ValueError):
    """A message that the protocol does not know."""


def serve(agent: Agent, lines: Iterable[str]) -> Iterator[str]:
    """Yield the answers to messages, a line each.

    Raises:
        ProtocolError: At a message that nobody can answer; it says which.
    """
    rehearse(agent)
    game = _Game(agent)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = game.take(json.loads(line))
        except (LostCitiesError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise ProtocolError(
                f"expected a message of the bot protocol in line {number}: {error}"
            ) from None
        if answer is not None:
            yield json.dumps(answer)


@dataclass(frozen=True, slots=True)
class _Clock:
    """The time for a whole turn.

    Attributes:
        seconds: From the question to the answer.
        start: The reading of the clock at the question.
    """

    seconds: float
    start: float

    def limit_of(self, phase: Phase) -> Limit:
        """Return half of the time that is left for the card, all of it for the draw."""
        reserve = min(_RESERVE * self.seconds, _MOST_RESERVE)
        left = self.seconds - reserve - (perf_counter() - self.start)
        return Limit(seconds=max(_LEAST, left / 2 if phase is Phase.CARD else left))


@dataclass(frozen=True, slots=True)
class _Unfinished:
    """An own turn whose draw is not known yet.

    Attributes:
        turn: The turn.
        hand: What it left in the hand, without what was drawn.
    """

    turn: Turn
    hand: Counter[Card]

    def with_draw(self, hand: Iterable[Card]) -> WrittenTurn:
        """Return the turn with the card that the next hand shows to have come."""
        drawn = list((Counter(hand) - self.hand).elements())
        return WrittenTurn(self.turn, drawn[0] if len(drawn) == 1 else None)


@dataclass(slots=True)
class _Game:
    """What has to be remembered of a game."""

    agent: Agent
    lots: str = field(default_factory=lambda: token_hex(8))
    own_known: list[Card] = field(default_factory=list)
    num_stalling_turns: int = 0
    past: list[WrittenTurn] = field(default_factory=list)
    unfinished: "_Unfinished | None" = None
    earlier: list[Observation] = field(default_factory=list)
    last_view: Observation | None = None
    totals: Points = (0, 0)

    def take(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Take a message and return the answer, if it wants one."""
        match message["type"]:
            case "new":
                self._begin(message)
            case "choose":
                return self._choose(message)
            case "end":
                self._end(message)
            case other:
                raise ProtocolError(f"expected 'new', 'choose' or 'end', got {other!r}")
        return None

    def _begin(self, message: dict[str, Any]) -> None:
        self.lots = str(int(message["seed"]))
        self.own_known, self.num_stalling_turns = [], 0
        self.past, self.unfinished, self.last_view = [], None, None
        if isinstance(self.agent, GameListener):
            variant = Variant(num_colors=int(message["colors"]), num_rounds=int(message["rounds"]))
            seat = SEAT_NAMES.index(message["seat"])
            self.agent.begin(seat, variant, seed=int(message["seed"]))

    def _end(self, message: dict[str, Any]) -> None:
        if self.last_view is not None and "scores" in message:
            a, b = map(int, message["scores"])
            first, second = self.last_view.standing.totals
            self.earlier.append(self.last_view)
            self.totals = first + a, second + b
        self.last_view = None
        if isinstance(self.agent, GameListener):
            a, b = message["scores"]
            self.agent.end((int(a), int(b)))

    def _choose(self, message: dict[str, Any]) -> dict[str, Any]:
        start = perf_counter()
        legal = {parse_turn(text).turn for text in message["legal"]}
        last = parse_turn(message["last"]) if message.get("last") else None
        if last is not None:
            self._count(last.turn)
            if isinstance(self.agent, GameListener):
                self.agent.observe_turn(last)
        observation = self._observation(message["observation"], legal)
        if self.unfinished is not None:
            self.past.append(self.unfinished.with_draw(observation.hand))
        if last is not None:
            self.past.append(last)
        self.last_view = observation.with_past(self.past)
        observation = self.last_view.with_earlier(self._before(observation))
        seconds = (message.get("clock") or {}).get("move")
        clock = None if seconds is None else _Clock(float(seconds), start)
        turn, value = self._turn(observation, clock)
        if turn not in legal:
            raise ProtocolError(f"{self.agent.name} chose {format_turn(turn)}, which is not legal")
        self._remember(turn, observation)
        answer: dict[str, Any] = {"id": message["id"], "turn": format_turn(turn)}
        return answer if value is None else {**answer, "value": value}

    def _before(self, observation: Observation) -> list[Observation]:
        """Return the last views of the rounds before in this match, none if one was not seen."""
        number = observation.standing.round_number
        seen = [(view.standing.round_number, view.seat) for view in self.earlier]
        is_whole = seen == [(before, observation.seat) for before in range(1, number)]
        if not is_whole or observation.standing.totals != (self.totals if seen else (0, 0)):
            self.earlier = []
        return self.earlier

    def _observation(self, text: str, legal: set[Turn]) -> Observation:
        """Return what the line shows, with what it leaves out."""
        view = parse_observation(text)
        if not isinstance(view, Observation):
            raise ProtocolError("expected a position with one known hand")
        own_known = tuple(sorted(card for card in self.own_known if card in view.hand))
        known = (own_known, view.known[1]) if view.seat == 0 else (view.known[0], own_known)
        takes = any(
            isinstance(turn.card_move, Discard) and turn.draw.pile is not None for turn in legal
        )
        count = self.num_stalling_turns
        return replace(
            view,
            variant=replace(view.variant, stall_limit=ONLINE_STALL_LIMIT),
            known=known,
            # The list of legal turns tells for certain whether the guard closes the piles.
            num_stalling_turns=min(count, ONLINE_STALL_LIMIT - 1)
            if takes
            else max(count, ONLINE_STALL_LIMIT),
        )

    def _turn(self, observation: Observation, clock: _Clock | None) -> tuple[Turn, float | None]:
        seed = decision_seed(
            self.lots,
            round_number=observation.standing.round_number,
            turn_number=len(self.past) + 1,
            seat=observation.seat,
        )
        limit_of = clock.limit_of if clock is not None else lambda _: NO_LIMIT
        return choose_plies(self.agent, observation, seed=seed, limit_of=limit_of)

    def _remember(self, turn: Turn, observation: Observation) -> None:
        self._count(turn)
        card, pile = turn.card_move.card, turn.draw.pile
        if card in self.own_known:
            self.own_known.remove(card)
        if pile is not None:
            top = observation.pile_tops[pile]
            if top is not None:
                self.own_known.append(top)
        self.unfinished = _Unfinished(turn, Counter(observation.hand) - Counter([card]))

    def _count(self, turn: Turn) -> None:
        is_stalling = isinstance(turn.card_move, Discard) and turn.draw.pile is not None
        self.num_stalling_turns = self.num_stalling_turns + 1 if is_stalling else 0
