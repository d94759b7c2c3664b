"""Any program as an agent: JSON lines over its standard input and output.

The protocol, with an example, is in docs/bot-protocol.md. A bot is asked once
a turn and answers with a whole turn; the draw is kept for the second ply.
"""

import json
import os
import queue
import shlex
import subprocess
import threading
from random import Random
from typing import Any, Final

from lostcities.agents.base import NO_LIMIT, AgentFault, Decision, Limit
from lostcities.notation import (
    NotationError,
    format_observation,
    format_turn,
    parse_turn,
)
from lostcities.rules import (
    Draw,
    Observation,
    Phase,
    Points,
    Seat,
    Turn,
    Variant,
    WrittenTurn,
    seat_name,
)

DEFAULT_SECONDS: Final = 10.0
"""What a bot may take for a turn when nobody set a limit."""
_START_SECONDS: Final = 30.0
"""Added to the first turn: interpreters and networks take their time to load."""
_GRACE_SECONDS: Final = 0.25
"""Added to every turn for pipes and a busy machine; the bot is not told of it."""
_LONGEST_LINE: Final = 65_536
_LARGEST_VALUE: Final = 1e6


class ExternalAgent:
    """A program that plays, started for each game and ended with it."""

    def __init__(self, command: str) -> None:
        """Name the program; it is not started yet.

        Args:
            command: A command line, split as a shell would; no shell is involved.
        """
        self._command = command
        self._bot: _Process | None = None
        self._opening: dict[str, Any] | None = None
        self._pending: Draw | None = None
        self._num_asked = 0
        self._last = ""

    @property
    def name(self) -> str:
        """The spec of this agent."""
        return f"exec:{self._command}"

    def begin(self, seat: Seat, variant: Variant, *, seed: int) -> None:
        """Remember what the bot is to be told when it is first asked."""
        self.end(None)
        self._opening = {
            "type": "new",
            "seat": seat_name(seat),
            "colors": variant.num_colors,
            "rounds": variant.num_rounds,
            "seed": seed,
        }

    def observe_turn(self, written: WrittenTurn) -> None:
        """Remember the turn of the other side, to be told with the next question."""
        self._last = format_turn(written.turn, written.drawn)

    def end(self, scores: Points | None) -> None:
        """Tell the bot the scores, if there are any, and end it."""
        bot, self._bot = self._bot, None
        self._opening, self._pending, self._last = None, None, ""
        if bot is not None:
            bot.end({"type": "end", "scores": list(scores)} if scores is not None else None)

    def limit_under(self, given: Limit) -> Limit:
        """Return the time for a turn; a program of somebody else is asked for no playouts."""
        return Limit(seconds=given.seconds or DEFAULT_SECONDS)

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        """Ask the bot for its turn, or give the draw of the turn it has answered.

        Raises:
            AgentFault: If the bot cannot be started, ends, is too slow, or
                answers anything but a legal turn. It is ended then.
        """
        if observation.phase is Phase.DRAW:
            return self._draw()
        try:
            turn, value = self._ask(observation, rng, limit)
        except AgentFault:
            opening = self._opening
            self.end(None)
            self._opening = opening  # a new process is started for the next turn
            raise
        self._pending = turn.draw
        return Decision(turn.card_move, value=value)

    def _draw(self) -> Decision:
        draw, self._pending = self._pending, None
        if draw is None:
            raise AgentFault("asked for a draw without having chosen a card")
        return Decision(draw)

    def _ask(
        self, observation: Observation, rng: Random, limit: Limit
    ) -> tuple[Turn, float | None]:
        seconds = self.limit_under(limit).seconds or DEFAULT_SECONDS
        bot, extra = self._bot, 0.0
        if bot is None:
            bot = self._bot = self._start(observation, rng)
            extra = _START_SECONDS
        self._num_asked += 1
        legal = observation.legal_turns
        bot.send(
            {
                "type": "choose",
                "id": self._num_asked,
                "observation": format_observation(observation),
                "legal": [format_turn(turn) for turn in legal],
                "last": self._last,
                "clock": {"move": seconds},
            }
        )
        self._last = ""
        line = bot.read(seconds + _GRACE_SECONDS + extra)
        return _read_answer(line, self._num_asked, observation)

    def _start(self, observation: Observation, rng: Random) -> "_Process":
        opening = self._opening or {
            "type": "new",
            "seat": seat_name(observation.seat),
            "colors": observation.variant.num_colors,
            "rounds": observation.variant.num_rounds,
            "seed": rng.getrandbits(31),
        }
        bot = _Process(self._command)
        try:
            bot.send(opening)
        except AgentFault:
            bot.end(None)
            raise
        return bot


def _read_answer(line: str, number: int, observation: Observation) -> tuple[Turn, float | None]:
    """Return the turn and the value of an answer."""
    shown = line[:80] + ("..." if len(line) > 80 else "")
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise AgentFault(f"expected an answer in JSON, got {shown!r}") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("turn"), str):
        raise AgentFault(f'expected an answer like {{"id": 12, "turn": "R4/D"}}, got {shown!r}')
    if answer.get("id") != number:
        raise AgentFault(f"expected an answer to question {number}, got {shown!r}")
    try:
        turn = parse_turn(answer["turn"]).turn
    except NotationError as error:
        raise AgentFault(str(error)) from None
    if turn not in observation.legal_turns:
        refusal = observation.reason_against(turn.card_move)
        why = refusal.sentence if refusal else f"cannot draw like this after {answer['turn'][:-2]}"
        raise AgentFault(f"expected a legal turn, got {answer['turn']}: {why}")
    return turn, _read_value(answer.get("value"))


def _read_value(value: object) -> float | None:
    """Return the bot's own estimate if it is a sensible number; nothing depends on it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _LARGEST_VALUE else None


class _Process:
    """A running bot."""

    def __init__(self, command: str) -> None:
        self._command = command
        try:
            self._process = subprocess.Popen(  # noqa: S603 # running a named program is the point
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise AgentFault(f"cannot start {command!r}: {error}") from None
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=16)
        self._is_ended = threading.Event()
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        stdout = self._process.stdout
        if stdout is None:
            return
        with stdout:
            while not self._is_ended.is_set():
                line = stdout.readline(_LONGEST_LINE)
                self._put(line)
                if not line:
                    return

    def _put(self, line: bytes) -> None:
        """Hand a line over; a bot that talks without being asked waits for its reader."""
        while not self._is_ended.is_set():
            try:
                self._lines.put(line, timeout=0.2)
            except queue.Full:
                continue
            return

    def send(self, message: dict[str, Any]) -> None:
        """Write a message.

        Raises:
            AgentFault: If the bot has gone.
        """
        stdin = self._process.stdin
        try:
            if stdin is not None:
                stdin.write(json.dumps(message).encode() + b"\n")
                stdin.flush()
        except (OSError, ValueError):
            raise AgentFault(self._how_it_ended("the bot closed its input")) from None

    def read(self, seconds: float) -> str:
        """Return the next line.

        Raises:
            AgentFault: If none comes in time.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise AgentFault(f"expected an answer within {seconds:.2f} s, got none") from None
        if not line:
            raise AgentFault(self._how_it_ended("the bot closed its output"))
        return line.decode("utf-8", errors="replace").strip()

    def _how_it_ended(self, if_running: str) -> str:
        try:
            code = self._process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            return if_running
        return f"the bot ended with exit code {code}"

    def end(self, message: dict[str, Any] | None) -> None:
        """Say good-bye, and make sure that the program and its children go."""
        try:
            if message is not None:
                self.send(message)
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process.wait(timeout=1.0 if message is not None else 0.05)
        except (AgentFault, OSError, subprocess.TimeoutExpired):
            pass
        self._is_ended.set()
        _kill_group(self._process)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End the session that the bot was started in."""
    try:
        os.killpg(process.pid, 9)
    except (OSError, AttributeError):
        process.kill()
    process.wait()
