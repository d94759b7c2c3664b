"""The process in which agents think, at low priority, apart from the server.

It reads requests from standard input and answers on standard output, each with
its length before it. It ends when the server does.
"""

import contextlib
import json
import os
import pickle
import signal
import struct
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from lostcities.agents.base import Agent, GameListener, Limit
from lostcities.agents.registry import make_agent
from lostcities.agents.turns import choose_turn, rehearse
from lostcities.notation import format_turn
from lostcities.play.provenance import format_provenance
from lostcities.rules import Observation

LENGTH: Final = struct.Struct(">I")
"""What stands before each message."""
_NICENESS: Final = 10
_MOST_GAMES: Final = 4
"""Programs of other people that one process keeps running."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A turn that an agent is asked for; its `repr` keeps the cards to itself.

    Attributes:
        spec: The agent.
        observation: What its seat may know, with the turns that it has seen.
        seed: Decides its lots.
        seconds: What it may take if it wants to be told.
        game: Names the round, for programs that are started once a round.
    """

    spec: str
    observation: Observation = field(repr=False)
    seed: int = field(repr=False)
    seconds: float | None
    game: str


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Agents that will be asked for turns."""

    specs: tuple[str, ...]


class Thinker:
    """The agents of this process."""

    def __init__(self) -> None:
        self._agents: dict[str, Agent] = {}
        self._listeners: OrderedDict[tuple[str, str], Agent] = OrderedDict()

    def answer(self, request: BotRequest | WarmUp) -> dict[str, Any]:
        """Return a turn with its provenance, or the kind of the fault."""
        try:
            if isinstance(request, WarmUp):
                self._warm_up(request)
                return {"warm": True}
            return self._choose(request)
        except Exception as error:  # noqa: BLE001 # whatever an agent does, the server is told
            # The text of the error may name cards of the agent's hand.
            return {"fault": type(error).__name__}

    def _warm_up(self, request: WarmUp) -> None:
        for spec in request.specs:
            rehearse(self._agent(spec))

    def _choose(self, request: BotRequest) -> dict[str, Any]:
        agent = self._agent_for(request)
        limit = Limit(seconds=request.seconds) if isinstance(agent, GameListener) else Limit()
        chosen = choose_turn(agent, request.observation, seed=request.seed, limit=limit)
        return {
            "turn": format_turn(chosen.turn),
            "provenance": format_provenance(chosen.provenance),
        }

    def _agent(self, spec: str) -> Agent:
        if spec not in self._agents:
            self._agents[spec] = make_agent(spec)
        return self._agents[spec]

    def _agent_for(self, request: BotRequest) -> Agent:
        agent = self._agent(request.spec)
        if not isinstance(agent, GameListener):
            return agent
        key = (request.spec, request.game)
        if key not in self._listeners:
            self._listeners[key] = self._seat(request)
        self._listeners.move_to_end(key)
        listener = self._listeners[key]
        if isinstance(listener, GameListener) and request.observation.past:
            listener.observe_turn(request.observation.past[-1])
        return listener

    def _seat(self, request: BotRequest) -> Agent:
        """Give a program a seat for one round."""
        while len(self._listeners) >= _MOST_GAMES:
            _, old = self._listeners.popitem(last=False)
            _end(old)
        agent = make_agent(request.spec)
        if isinstance(agent, GameListener):
            observation = request.observation
            agent.begin(observation.seat, observation.variant, seed=request.seed % 2**31)
        return agent

    def end(self) -> None:
        """End the programs that were started."""
        for agent in self._listeners.values():
            _end(agent)


def _end(agent: Agent) -> None:
    if isinstance(agent, GameListener):
        agent.end(None)


def _read(source: BinaryIO) -> BotRequest | WarmUp | None:
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    body = source.read(LENGTH.unpack(head)[0])
    request: BotRequest | WarmUp = pickle.loads(body)  # noqa: S301 # from our own server alone
    return request


def _leave(_signal: int, _frame: object) -> None:
    raise SystemExit(0)


def main() -> None:
    """Answer until the server closes the pipe."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # an agent that prints must not spoil an answer
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when it is time to go
    thinker = Thinker()
    try:
        while (request := _read(sys.stdin.buffer)) is not None:
            body = json.dumps(thinker.answer(request)).encode()
            answers.write(LENGTH.pack(len(body)) + body)
            answers.flush()
    except BrokenPipeError:
        pass
    finally:
        thinker.end()


if __name__ == "__main__":
    main()
