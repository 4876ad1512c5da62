"""Supervision: every long task of a server has an owner, which knows its name and how it is started.

What happens when a task fails is decided only here. At present nothing is restarted: the fault is reported, and the
task has ended. A restart with backoff would be a loop in `Supervisor._run`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from baccarat.serve.task_end import cancel_all

Start = Callable[[], Coroutine[Any, Any, None]]
"""Starts a job from the beginning; called once for each start."""


class SupervisedTask:
    """A long task: its name, how it is started, and the task that runs it."""

    def __init__(self, name: str, start: Start) -> None:
        self.name, self.start = name, start
        self.task: asyncio.Task[None] | None = None


class Supervisor:
    """The owner of long tasks; several may have the same name."""

    def __init__(self, on_fault: Callable[[Exception], None]) -> None:
        """`on_fault` is called with what a job raised, when the job ends."""
        self._on_fault = on_fault
        self._jobs: list[SupervisedTask] = []

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The tasks of all jobs, including those that have ended, in the order in which they were started."""
        return [job.task for job in self._jobs if job.task is not None]

    def start(self, name: str, start: Start) -> None:
        """Start a job."""
        job = SupervisedTask(name, start)
        job.task = asyncio.create_task(self._run(job), name=name)
        job.task.add_done_callback(_retrieve)
        self._jobs.append(job)

    def ensure(self, name: str, start: Start) -> None:
        """Start a job unless one of this name is running."""
        if not any(job.name == name and job.task is not None and not job.task.done() for job in self._jobs):
            self.start(name, start)

    def cancel(self, name: str) -> None:
        """Ask the jobs of a name to end, without waiting."""
        for job in self._jobs:
            if job.name == name and job.task is not None:
                job.task.cancel()

    async def stop(self, name: str) -> None:
        """End the jobs of a name and forget them."""
        ending = [job for job in self._jobs if job.name == name]
        for job in ending:
            self._jobs.remove(job)
        await cancel_all([job.task for job in ending if job.task is not None])

    async def stop_all(self) -> None:
        """End every job."""
        await cancel_all(self.tasks)

    async def _run(self, job: SupervisedTask) -> None:
        try:
            await job.start()
        except Exception as error:
            self._on_fault(error)
            raise


def _retrieve(task: asyncio.Task[None]) -> None:
    """Retrieve the exception of a task, so that asyncio does not report it too."""
    if not task.cancelled():
        task.exception()
