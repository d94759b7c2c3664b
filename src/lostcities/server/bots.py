"""Agents in processes of their own: kept warm, and replaced when they hang or die.

Whatever an agent does, a turn comes back: if it fails, a simple agent makes the
turn in its place, and the turn says so.
"""

import asyncio
import contextlib
import json
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lostcities.agents.registry import make_agent
from lostcities.agents.turns import choose_turn
from lostcities.notation import NotationError, parse_turn
from lostcities.play.provenance import Provenance, parse_provenance
from lostcities.rules import LostCitiesError, Observation, Turn
from lostcities.server.bot_worker import LENGTH, BotRequest, WarmUp
from lostcities.server.logs import logger
from lostcities.server.metrics import Metrics

STAND_IN: Final = "heuristic"
"""Makes the turn of an agent that failed; needs no kernel and no time to speak of."""
_LOADING_SECONDS: Final = 180.0
"""For a new process: the first start on a machine compiles the kernels."""
_GRACE_SECONDS: Final = 2.0
_LEAVING_SECONDS: Final = 0.5
_LONGEST_ANSWER: Final = 65_536
_log = logger("bots")


class BotFault(LostCitiesError):  # noqa: N818 # the agent is at fault, not the caller
    """An agent failed; the message is the kind of fault and names no cards."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A turn of a computer."""

    turn: Turn
    provenance: Provenance


class _Worker:
    """A process of `bot_worker`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "lostcities.server.bot_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        return cls(process)

    async def ask(self, request: BotRequest | WarmUp) -> dict[str, object]:
        """Send a request and return the answer.

        Raises:
            BotFault: If the process ends, or answers rubbish.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise BotFault("no pipe")
        try:
            body = pickle.dumps(request)
            stdin.write(LENGTH.pack(len(body)) + body)
            await stdin.drain()
            (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
            if length > _LONGEST_ANSWER:
                raise BotFault("an answer without end")
            answer = json.loads(await stdout.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            raise BotFault("crashed") from None
        except ValueError:
            raise BotFault("answered rubbish") from None
        if not isinstance(answer, dict):
            raise BotFault("answered rubbish")
        return answer

    async def end(self) -> None:
        """Have the process end its programs and go; if it does not, kill it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), _LEAVING_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class BotPool:
    """A few processes in which agents think."""

    def __init__(self, num_processes: int, *, seconds: float, metrics: Metrics) -> None:
        self._num = num_processes
        self._seconds = seconds
        self._metrics = metrics
        self._idle: asyncio.Queue[_Worker | None] = asyncio.Queue()
        self._workers: set[_Worker] = set()
        self._warm: tuple[str, ...] = ()
        self._is_open = False
        self._warming: asyncio.Task[None] | None = None

    def open(self, warm: Sequence[str] = ()) -> None:
        """Make the pool ready; processes start when they are first needed.

        Args:
            warm: Agents that a new process loads before it is asked anything.
        """
        self._is_open = True
        self._warm = tuple(warm)
        for _ in range(self._num):
            self._idle.put_nowait(None)
        if warm:
            self._warming = asyncio.create_task(self._warm_up(), name="bots warming up")

    async def _warm_up(self) -> None:
        for _ in range(self._num):
            worker = await self._idle.get()
            with contextlib.suppress(BotFault, OSError):
                worker = worker or await self._start()
            self._idle.put_nowait(worker)

    async def close(self) -> None:
        """End all processes."""
        self._is_open = False
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in tuple(self._workers)))
        self._workers.clear()

    async def choose(self, request: BotRequest) -> BotTurn:
        """Return the turn that the agent chooses, or that another makes in its place."""
        try:
            return await self._ask(request)
        except (BotFault, OSError) as error:
            self._metrics.bot_faults.labels(type(error).__name__).inc()
            _log.warning("an agent failed", agent=request.spec, fault=str(error))
            return await self.stand_in(request)

    async def stand_in(self, request: BotRequest) -> BotTurn:
        """Return the turn that the simple agent makes in place of one that failed."""
        return await asyncio.to_thread(_stand_in, request)

    async def _ask(self, request: BotRequest) -> BotTurn:
        worker = await self._idle.get()
        try:
            if worker is None:
                worker = await self._start()
            answer = await asyncio.wait_for(worker.ask(request), self._seconds + _GRACE_SECONDS)
        except TimeoutError:
            await self._drop(worker)
            worker = None
            raise BotFault(f"no answer within {self._seconds:.0f} s") from None
        except BaseException:
            await self._drop(worker)
            worker = None
            raise
        finally:
            self._idle.put_nowait(worker)
        return _read_answer(answer, request.observation)

    async def _start(self) -> _Worker:
        if not self._is_open:
            raise BotFault("shutting down")
        worker = await _Worker.start()
        self._workers.add(worker)
        try:
            await asyncio.wait_for(worker.ask(WarmUp(self._warm)), _LOADING_SECONDS)
        except (TimeoutError, BotFault):
            await self._drop(worker)
            raise BotFault("could not be loaded") from None
        return worker

    async def _drop(self, worker: _Worker | None) -> None:
        """End a process that cannot be trusted any more; another one takes its place."""
        if worker is not None:
            self._workers.discard(worker)
            await worker.end()


def _stand_in(request: BotRequest) -> BotTurn:
    chosen = choose_turn(
        make_agent(STAND_IN), request.observation, seed=request.seed, stands_in_for=request.spec
    )
    return BotTurn(chosen.turn, chosen.provenance)


def _read_answer(answer: dict[str, object], observation: Observation) -> BotTurn:
    """Return the turn of an answer.

    Raises:
        BotFault: If it is none, or not a legal one.
    """
    if "fault" in answer:
        raise BotFault(str(answer["fault"])[:60])
    try:
        turn = parse_turn(str(answer.get("turn"))).turn
        provenance = parse_provenance(str(answer.get("provenance")))
    except NotationError:
        raise BotFault("answered rubbish") from None
    if turn not in observation.legal_turns:
        raise BotFault("an illegal turn")
    return BotTurn(turn, provenance)
