"""An event loop whose clock is a number: nothing waits, every run with the same seed is the same run.

What would be done in a thread is done on the loop, at a virtual time of its own: `before` passes until it is done, and
`after` until whoever waits hears of it. Jobs of one executor follow each other, as in its one thread.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")


TURN = 1e-6
"""So long one turn of the loop takes, in seconds."""


class EverybodyWaits(AssertionError):  # noqa: N818
    """Nothing will ever happen again."""


class _NoWaiting(selectors.BaseSelector):
    """A selector to which nothing ever comes: instead of waiting it lets the clock go on."""

    def __init__(self) -> None:
        self.go_on: Callable[[float], None] = lambda _seconds: None

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return selectors.SelectorKey(fileobj, 0, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return selectors.SelectorKey(fileobj, 0, 0, None)

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        raise KeyError(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return {}

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise EverybodyWaits("everybody waits, and nothing is going to happen")
        self.go_on(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop with a virtual clock and virtual threads."""

    def __init__(self, latency: Callable[[], tuple[float, float]]) -> None:
        self.now = 0.0
        selector = _NoWaiting()
        super().__init__(selector)
        selector.go_on = self._go_on
        self._latency = latency
        self._free_at: dict[object, float] = {}
        self.around: Callable[[Callable[[], Any]], Any] = lambda job: job()
        """Does a job of an executor; a test may let it fail."""
        self._jobs: set[asyncio.TimerHandle] = set()
        self.is_on = True
        """Whether the process lives; one that is dead does nothing."""

    def _go_on(self, seconds: float) -> None:
        self.now += max(TURN, seconds)  # who waits for the rounding of a number gets there too

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: object, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        done: asyncio.Future[T] = self.create_future()
        if not self.is_on:
            return done
        before, after = self._latency()
        begins = max(self.now, self._free_at.get(executor, 0.0)) if executor is not None else self.now
        if executor is not None:
            self._free_at[executor] = begins + before + after

        def act() -> None:
            self._jobs.discard(handle)
            try:
                answer = self.around(lambda: func(*args)) if executor is not None else func(*args)
            except Exception as error:  # noqa: BLE001  it belongs to whoever waits for it
                failure = error
                self._later(after, lambda: done.set_exception(failure), done)
                return
            self._later(after, lambda: done.set_result(answer), done)

        handle = self.call_at(begins + before, act)
        self._jobs.add(handle)
        return done

    def _later(self, seconds: float, then: Callable[[], None], done: asyncio.Future[Any]) -> None:
        def ended() -> None:
            self._jobs.discard(handle)
            if not done.done():
                then()

        handle = self.call_later(seconds, ended)
        self._jobs.add(handle)

    def cut(self) -> None:
        """The process dies: what its threads had not done yet is never done, and nobody hears of the rest."""
        self.is_on = False
        for handle in self._jobs:
            handle.cancel()
        self._jobs.clear()
        self._free_at.clear()


class VirtualThread:
    """The thread of a store, or that of its lookups, on such a loop; only the one that writes is made to fail."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, name: str = "store") -> None:
        self._loop, self._executor = loop, self if name == "store" else None

    def submit(self, work: Callable[[], None], done: Callable[[BaseException | None], None]) -> None:
        self._loop.run_in_executor(self._executor, work).add_done_callback(lambda future: done(future.exception()))  # type: ignore[arg-type]

    async def run(self, work: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(self._executor, work)  # type: ignore[arg-type]

    def close(self) -> None:
        return


async def _run_in_virtual_thread(_pool: object, work: Callable[[], T]) -> T:
    """Do something long, as in a thread of the pool."""
    return await asyncio.get_running_loop().run_in_executor(None, work)


def run_virtually(loop: VirtualLoop, work: Coroutine[Any, Any, T]) -> T:
    """Run something on such a loop to its end."""
    with (
        patch("baccarat.serve.runtime.group_commit.StoreThread", VirtualThread),
        patch("baccarat.serve.runtime.lookup.StoreThread", VirtualThread),
        patch("baccarat.serve.store.read_pool.ReadPool.run_in_thread", _run_in_virtual_thread),
        asyncio.Runner(loop_factory=lambda: loop) as runner,
    ):
        return runner.run(work)
