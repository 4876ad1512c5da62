"""A thread next to the event loop, such as that of the store: it runs jobs one after the other, and reports the end of
each to the event loop.

A thread pool does the same and takes 50 microseconds longer for each job, which is a sixth of the time of a durable
answer: it makes two futures, with a lock each, and wakes the loop twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
Work = Callable[[], None]
OnDone = Callable[[BaseException | None], None]
"""Called on the event loop, with what the work raised, if anything."""


class StoreThread:
    """One thread next to an event loop; it starts with the first job."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, name: str = "store") -> None:
        self._loop, self._name = loop, name
        self._jobs: SimpleQueue[tuple[Work, OnDone] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._is_closed = False

    def submit(self, work: Work, done: OnDone) -> None:
        """Run a job after all earlier ones."""
        if self._is_closed:
            raise RuntimeError("the thread of the store has ended")
        if self._thread is None:
            # a daemon: what is not committed when the program ends is lost anyway
            self._thread = Thread(target=self._run_jobs, name=self._name, daemon=True)
            self._thread.start()
        self._jobs.put((work, done))

    async def run(self, work: Callable[[], T]) -> T:
        """Run a job, and wait for its result."""
        found: list[T] = []
        waiting = self._loop.create_future()

        def done(error: BaseException | None) -> None:
            if waiting.cancelled():
                return
            if error is not None:
                waiting.set_exception(error)
            else:
                waiting.set_result(None)

        self.submit(lambda: found.append(work()), done)
        await waiting
        return found[0]

    def _run_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, done = job
            error: BaseException | None = None
            try:
                work()
            except BaseException as raised:  # noqa: BLE001  passed on to the caller
                error = raised
            with suppress(RuntimeError):  # the loop is closed: no one waits for it any more
                self._loop.call_soon_threadsafe(done, error)
            del job, work, done, error  # or the last batch would stay in memory until the next one comes

    def close(self) -> None:
        """End after all submitted jobs."""
        self._is_closed = True
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
