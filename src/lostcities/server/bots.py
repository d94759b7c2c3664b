"""Agents in processes of their own: kept warm, and replaced when they hang or die.

Whatever an agent does, a turn comes back: if it fails, a simple agent makes the
turn in its place, and the turn says so.
"""

import asyncio
import contextlib
import json
import pickle
import sys
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Final

from lostcities.agents.registry import LADDER, make_agent
from lostcities.agents.turns import choose_turn
from lostcities.notation import NotationError, parse_turn
from lostcities.play.provenance import Provenance, parse_provenance
from lostcities.rules import LostCitiesError, Observation, Turn
from lostcities.server.bot_worker import LENGTH, BotRequest, WarmUp
from lostcities.server.logs import logger
from lostcities.server.metrics import Metrics

STAND_IN: Final = "heuristic"
"""Makes the turn of an agent that failed; needs no kernel and no time to speak of."""
_LEVELS: Final = frozenset(rung.spec for rung in LADDER)
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
        self.pid = process.pid

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


class _Lane:
    """A few processes for agents that may have to wait for each other."""

    def __init__(self, num_processes: int, *, seconds: float, warm: Sequence[str] = ()) -> None:
        """Start nothing yet: processes start when they are first needed.

        Args:
            num_processes: How many there may be.
            seconds: How long a turn may wait for one of them, and then how long it may take.
            warm: Agents that a new process loads before it is asked anything.
        """
        self.workers: set[_Worker] = set()
        self._seconds = seconds
        self._warm = tuple(warm)
        self._num_missing = num_processes
        self._num_waiting = 0
        self._idle: asyncio.Queue[_Worker | None] = asyncio.Queue()
        self._loading = asyncio.Lock()
        self._has_loaded = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open = True

    async def warm_up(self) -> None:
        """Start all processes."""
        await asyncio.gather(*[self._start_one() for _ in range(self._num_missing)])

    async def ask(self, request: BotRequest) -> dict[str, object]:
        """Return what a process answers.

        Raises:
            BotFault: If none is free in time, or it does not answer in time, or fails.
        """
        worker = await self._take()
        try:
            answer = await asyncio.wait_for(worker.ask(request), self._seconds + _GRACE_SECONDS)
        except TimeoutError:
            self._replace(worker)
            raise BotFault(f"no answer within {self._seconds:g} s") from None
        except BaseException:
            self._replace(worker)
            raise
        self._idle.put_nowait(worker)
        return answer

    async def close(self) -> None:
        """End all processes."""
        self._is_open = False
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in tuple(self.workers)))
        self.workers.clear()

    async def _take(self) -> _Worker:
        if not self._is_open:
            raise BotFault("shutting down")
        if not self._num_waiting:
            self._forget_failures()
        if self._idle.empty() and self._num_missing:
            self._start_one()
        self._num_waiting += 1
        try:
            async with asyncio.timeout(_LOADING_SECONDS):
                await self._has_loaded.wait()  # which may have to compile, and is not counted
            async with asyncio.timeout(self._seconds):
                worker = await self._idle.get()
        except TimeoutError:
            raise BotFault(f"no process was free within {self._seconds:g} s") from None
        finally:
            self._num_waiting -= 1
        if worker is None:
            raise BotFault("could not be loaded")
        return worker

    def _forget_failures(self) -> None:
        """Drop what was to be said to somebody who has stopped waiting."""
        for _ in range(self._idle.qsize()):
            worker = self._idle.get_nowait()
            if worker is not None:
                self._idle.put_nowait(worker)

    def _start_one(self) -> asyncio.Task[None]:
        self._num_missing -= 1
        return self._spawn(self._start())

    async def _start(self) -> None:
        worker = None
        try:
            async with self._loading:  # one after the other, for the first may have to compile
                worker = await _Worker.start()
                self.workers.add(worker)
                await asyncio.wait_for(worker.ask(WarmUp(self._warm)), _LOADING_SECONDS)
            self._idle.put_nowait(worker)
        except (TimeoutError, BotFault, OSError):
            self._num_missing += 1
            if worker is not None:
                self._spawn(self._end(worker))
            for _ in range(self._num_waiting):  # they need not wait any longer
                self._idle.put_nowait(None)
        self._has_loaded.set()

    def _replace(self, worker: _Worker) -> None:
        """End a process that cannot be trusted any more, and start another one meanwhile."""
        self._num_missing += 1
        if self._is_open:
            self._spawn(self._end(worker))
            self._start_one()

    async def _end(self, worker: _Worker) -> None:
        await worker.end()
        self.workers.discard(worker)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class BotPool:
    """Processes in which agents think: some for the levels, and one for each further agent.

    What an operator offers may hang or take its time; whoever plays another agent
    never waits for it.
    """

    def __init__(self, num_processes: int, *, seconds: float, metrics: Metrics) -> None:
        """Start nothing yet.

        Args:
            num_processes: For the levels, which they share.
            seconds: What a turn may wait for a process, and then what it may take.
            metrics: Count faults.
        """
        self._num = num_processes
        self._seconds = seconds
        self._metrics = metrics
        self._levels: _Lane | None = None
        self._others: dict[str, _Lane] = {}
        self._warming: asyncio.Task[None] | None = None

    def open(self, warm: Sequence[str] = ()) -> None:
        """Make the pool ready; processes start when they are first needed.

        Args:
            warm: Agents that are loaded ahead of that.
        """
        levels = [spec for spec in warm if spec in _LEVELS]
        self._levels = _Lane(self._num, seconds=self._seconds, warm=levels)
        for spec in warm:
            if spec not in _LEVELS:
                self._others[spec] = _Lane(1, seconds=self._seconds, warm=(spec,))
        if warm:
            lanes = (self._levels, *self._others.values())
            self._warming = asyncio.create_task(_warm_up(lanes), name="bots warming up")

    @property
    def workers(self) -> list[_Worker]:
        """The processes that run."""
        return [worker for lane in self._lanes for worker in lane.workers]

    @property
    def _lanes(self) -> list[_Lane]:
        return [lane for lane in (self._levels, *self._others.values()) if lane is not None]

    async def close(self) -> None:
        """End all processes."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await asyncio.gather(*(lane.close() for lane in self._lanes))

    async def choose(self, request: BotRequest) -> BotTurn:
        """Return the turn that the agent chooses, or that another makes in its place."""
        try:
            answer = await self._lane_for(request.spec).ask(request)
            return _read_answer(answer, request.observation)
        except (BotFault, OSError) as error:
            self._metrics.bot_faults.labels(type(error).__name__).inc()
            _log.warning("an agent failed", agent=request.spec, fault=str(error))
            return await self.stand_in(request)

    async def stand_in(self, request: BotRequest) -> BotTurn:
        """Return the turn that the simple agent makes in place of one that failed."""
        return await asyncio.to_thread(_stand_in, request)

    def _lane_for(self, spec: str) -> _Lane:
        if self._levels is None:
            raise BotFault("not open")
        if spec in _LEVELS:
            return self._levels
        if spec not in self._others:
            self._others[spec] = _Lane(1, seconds=self._seconds)
        return self._others[spec]


async def _warm_up(lanes: Sequence[_Lane]) -> None:
    for lane in lanes:
        await lane.warm_up()


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
