"""Supervision: every task that lives as long as the house has an owner, and one policy for its faults.

A task that fails is started again from the beginning, after a pause that grows with each fault. If the same fault comes
a third time within `WINDOW_SECONDS`, starting it again does not help: a task that was given an `on_stopped` stops, and
`on_stopped` does what is left to do (a table stops, a node ends). A task without one serves the whole house, which is
worse off without it: it is started again for as long as the house is open, at the longest pause.

A task that ends in another way than by its owner has failed too: one that returns although it is to run as long as the
house is open, and one that awaited what somebody else has cancelled.

Once nothing more may be answered (`is_over`), a task that fails ends: the house ends as well.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

import msgspec

from baccarat.serve.task_end import cancel_all

Start = Callable[[], Coroutine[Any, Any, None]]
"""Starts a job from the beginning; called once for each start."""
OnFault = Callable[[str, Exception], None]
"""Is called with the name of a job and what it raised."""

MayEnd = Callable[[], bool]
"""Whether a job that has returned has done all that it had to."""

PAUSES = (1.0, 4.0, 16.0, 60.0)
"""After how many seconds a job is restarted: after its first fault within the window, its second, and so on."""
SAME_FAULTS = 3
"""How often the same fault may occur within the window: the last occurrence stops the job."""
WINDOW_SECONDS = 600.0
"""How long a fault is remembered. After this time without one, a job's count starts again."""
_PACKAGE = Path(__file__).parents[2]


class FaultKey(NamedTuple):
    """What makes two faults the same: the kind of error, and the innermost place in this package where it arose."""

    kind: str
    place: str


class JobFault(NamedTuple):
    """A fault of a job, and when it came, in seconds of the event loop's clock."""

    key: FaultKey
    at: float


def _always() -> bool:
    return True


def _never() -> bool:
    return False


class EndedEarly(Exception):  # noqa: N818
    """A job returned that should run as long as the house is open."""


class CancelledElsewhere(Exception):  # noqa: N818
    """A job was cancelled, or awaited something that was, and its owner did not do it."""


class UnwellJob(msgspec.Struct, frozen=True):
    """A job that has failed within the window: how often, and whether it has stopped."""

    name: str
    faults: int
    is_stopped: bool


def fault_key(error: BaseException) -> FaultKey:
    """The kind and the place of a fault; its message does not count, because it may quote what changes."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    place = (own or list(frames))[-1:]
    return FaultKey(type(error).__qualname__, "".join(f"{frame.filename}:{frame.lineno}" for frame in place))


class SupervisedTask:
    """A long task: its name, how it is started, what is done when it stops, its faults, and the task that runs it."""

    def __init__(self, name: str, start: Start, on_stopped: Start | None, may_end: MayEnd) -> None:
        self.name, self.start, self.on_stopped, self.may_end = name, start, on_stopped, may_end
        self.task: asyncio.Task[None] | None = None
        self.faults = deque[JobFault](maxlen=100)
        """Those within the window; a hundred are as good as more."""
        self.is_stopped = False
        self.is_cancelled = False
        """Whether its owner has cancelled it."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing of it runs any more."""
        return self.task is None or self.task.done()

    def remember_fault(self, fault: JobFault) -> None:
        """Remember a fault, and forget those before the window."""
        self.faults.append(fault)
        self.forget_before(fault.at - WINDOW_SECONDS)

    def forget_before(self, at: float) -> None:
        """Forget the faults before a time."""
        while self.faults and self.faults[0].at < at:
            self.faults.popleft()

    @property
    def is_hopeless(self) -> bool:
        """Whether the same fault has come too often."""
        counts = Counter(fault.key for fault in self.faults)
        return max(counts.values(), default=0) >= SAME_FAULTS

    @property
    def pause(self) -> float:
        """How long to wait before the next start."""
        return PAUSES[min(len(self.faults), len(PAUSES)) - 1]


class Supervisor:
    """The owner of long tasks; several may have the same name."""

    def __init__(self, on_fault: OnFault, *, is_over: Callable[[], bool] = lambda: False) -> None:
        """`on_fault` is called for each fault of a job. Once `is_over`, a job that fails is not started again."""
        self._on_fault, self._is_over = on_fault, is_over
        self._jobs: list[SupervisedTask] = []
        self._is_closed = False

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The tasks of all jobs, including those that have ended, in the order in which they were started."""
        return [job.task for job in self._jobs if job.task is not None]

    @property
    def unwell(self) -> list[UnwellJob]:
        """The jobs that have stopped, or have failed within the window, in the order of their names."""
        since = asyncio.get_running_loop().time() - WINDOW_SECONDS
        found = list[UnwellJob]()
        for job in self._jobs:
            job.forget_before(since)
            if job.is_stopped or (job.faults and not job.has_ended):
                found.append(UnwellJob(job.name, len(job.faults), job.is_stopped))
        return sorted(found, key=lambda each: each.name)

    def start(self, name: str, start: Start, *, on_stopped: Start | None = None, may_end: MayEnd = _never) -> None:
        """Start a job; `on_stopped` is awaited once if the same fault stops it. After `stop_all`, do nothing.

        It runs as long as the house is open: when it returns, and not `may_end` by then, it has failed.
        """
        if self._is_closed:
            return
        self._jobs = [job for job in self._jobs if job.name != name or not job.has_ended]
        job = SupervisedTask(name, start, on_stopped, may_end)
        job.task = asyncio.create_task(self._run(job), name=name)
        job.task.add_done_callback(partial(self._on_ended, job))
        self._jobs.append(job)

    def ensure(self, name: str, start: Start) -> None:
        """Start a job unless one of this name is running, or waits to be started again."""
        if not any(job.name == name and not job.has_ended for job in self._jobs):
            self.start(name, start)

    def cancel(self, name: str | None = None) -> None:
        """Ask the jobs of a name, or all, to end, without waiting; none of them is unwell from now on."""
        for job in self._jobs:
            if name in (None, job.name) and job.task is not None:
                job.is_cancelled, job.is_stopped = True, False
                job.task.cancel()

    async def stop(self, name: str) -> None:
        """End the jobs of a name and forget them."""
        ending = [job for job in self._jobs if job.name == name]
        for job in ending:
            self._jobs.remove(job)
        await self._cancel(ending)

    async def stop_all(self) -> None:
        """End every job, and start no more."""
        self._is_closed = True
        await self._cancel(self._jobs)

    async def _cancel(self, jobs: list[SupervisedTask]) -> None:
        for job in jobs:
            job.is_cancelled = True
        await cancel_all([job.task for job in jobs if job.task is not None])

    async def _run(self, job: SupervisedTask) -> None:
        """Run a job until it ends by itself, or stops."""
        while (fault := await self._run_once(job, job.start, may_end=job.may_end)) is not None:
            if self._is_over():
                raise fault
            job.remember_fault(JobFault(fault_key(fault), asyncio.get_running_loop().time()))
            if job.on_stopped is not None and job.is_hopeless:
                job.is_stopped = True
                await self._run_once(job, job.on_stopped, may_end=_always)
                return
            await asyncio.sleep(job.pause)

    async def _run_once(self, job: SupervisedTask, start: Start, *, may_end: MayEnd) -> Exception | None:
        """Run something to its end; returns the fault that ended it."""
        try:
            await start()
            if job.is_cancelled or self._is_over() or may_end():
                return None
            raise EndedEarly(f"{job.name} has ended")
        except asyncio.CancelledError as error:
            if job.is_cancelled or _is_being_cancelled():
                raise
            fault: Exception = CancelledElsewhere(job.name).with_traceback(error.__traceback__)
        except Exception as error:  # noqa: BLE001  whatever it is, it is reported, and the policy decides
            fault = error
        self._on_fault(job.name, fault)
        return fault

    def _on_ended(self, job: SupervisedTask, task: asyncio.Task[None]) -> None:
        """The task of a job has ended. Retrieve its exception, so that asyncio does not report it too."""
        if not task.cancelled():
            task.exception()
        elif not job.is_cancelled:  # the task itself was cancelled, which must end it: the loop may be closing
            job.is_stopped = True
            self._on_fault(job.name, CancelledElsewhere(job.name))


def _is_being_cancelled() -> bool:
    """Whether somebody has cancelled the task that runs now, and not just what it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
