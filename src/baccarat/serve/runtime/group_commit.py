"""The writer: puts what was decided on the disk, and tells when it is there.

Deciding runs ahead of the disk. All that is added in one turn of the event loop is one batch, and at most one commit is
in flight, so that a busy house writes few large batches and a quiet one answers at once. Whoever waits is called in the
order in which things were added, after the commit that holds them; so an answer, a refusal or a view never speaks of
anything that a power cut could still take back.

A commit that fails is never tried again: nobody knows what is on the disk then. Nothing more is answered, and whoever
runs the house is told to stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Generic, Protocol, TypeVar

from baccarat.serve.runtime.store_thread import StoreThread
from baccarat.serve.store.base import StoreUnavailable

Then = Callable[[], None]
Mend = Callable[[Any, BaseException], Awaitable[None]]
"""Is given a batch that was refused, and why; adds what is to be stored instead to the batch that is being gathered."""


class Gathered(Protocol):
    """A batch that is being gathered."""

    def is_empty(self) -> bool:
        """Whether there is nothing to write."""


B = TypeVar("B", bound=Gathered)
T = TypeVar("T")


class GroupCommitter(Generic[B]):
    """One batch is gathered on the event loop while another is being committed in a thread."""

    def __init__(
        self, commit: Callable[[B], None], empty: Callable[[], B], stopped: Callable[[BaseException], None]
    ) -> None:
        self._commit, self._empty, self._stopped = commit, empty, stopped
        self._loop = asyncio.get_running_loop()
        self._thread = StoreThread(self._loop)
        self.mend: Mend | None = None
        """Where several nodes write a store, a batch may be refused because another was first: this decides again."""
        self.mends: tuple[type[BaseException], ...] = ()
        """What it mends; everything else is final."""
        self.may_answer: Callable[[], None] = lambda: None
        """Raises where nobody may be answered any more, though it is on the disk."""
        self.batch = empty()
        """What is written next; whoever decides adds to it and calls `added`."""
        self._waiting: list[Then] = []
        self._in_flight: list[Then] | None = None
        self._mending: asyncio.Task[None] | None = None
        self._is_due = False
        self._settling: set[asyncio.Future[None]] = set()
        self._since = 0.0
        self.fault: BaseException | None = None

    @property
    def waiting_seconds(self) -> float:
        """How long the commit in flight has taken by now; 0 where none is."""
        return self._loop.time() - self._since if self._in_flight is not None else 0.0

    @property
    def is_idle(self) -> bool:
        """Whether everything that was added is on the disk."""
        return self._in_flight is None and self.batch.is_empty()

    def stage(self, then: Then | None = None) -> None:
        """Something was added to the batch; `then` is called when it is on the disk."""
        if then is not None:
            self._waiting.append(then)
        if not self._is_due and self._in_flight is None:
            self._is_due = True
            self._loop.call_soon(self._turn)

    def before_answers(self, then: Then) -> None:
        """Call when the batch that is being gathered is on the disk, before all who wait for it."""
        self._waiting.insert(0, then)

    def on_durable(self, then: Then) -> None:
        """Call when all that was added until now is on the disk; at once where it is there already."""
        if self.fault is not None:
            return
        if not self.batch.is_empty():
            self._waiting.append(then)
        elif self._in_flight is not None:
            self._in_flight.append(then)
        else:
            self._call(then)

    async def flushed(self) -> None:
        """Wait until all that was added until now is on the disk; raises the fault that keeps it from there."""
        if self.fault is not None:
            raise self.fault
        done = self._loop.create_future()
        self.on_durable(lambda: None if done.done() else done.set_result(None))
        self._settling.add(done)
        try:
            await done
        finally:
            self._settling.discard(done)

    def _turn(self) -> None:
        """Commit what was gathered, unless a commit is in flight: then that one's end begins the next."""
        self._is_due = False
        if self._in_flight is not None or self.fault is not None or self.batch.is_empty():
            return
        batch, self.batch = self.batch, self._empty()
        self._in_flight, self._waiting = self._waiting, []
        self._since = self._loop.time()
        self._thread.give(lambda: self._commit(batch), lambda error: self._committed(batch, error))

    def _committed(self, batch: B, error: BaseException | None) -> None:
        if error is not None:
            if self.mend is not None and isinstance(error, self.mends):
                self._mending = self._loop.create_task(self._mended(self.mend, batch, error))
            else:
                self.fail(error)
            return
        waiting, self._in_flight = self._in_flight or [], None
        for then in waiting:
            self._call(then)
        if not self.batch.is_empty() or self._waiting:
            self._turn()

    async def _mended(self, mend: Mend, batch: B, error: BaseException) -> None:
        """Decide again what was refused; whoever waited for it waits for that, before all who came later."""
        try:
            await mend(batch, error)
        except Exception as fault:  # noqa: BLE001  nobody knows by then what the house is
            self.fail(fault)
            return
        self._waiting[:0] = self._in_flight or []
        self._in_flight = None
        if self.batch.is_empty():  # another node had done it all
            waiting, self._waiting = self._waiting, []
            for then in waiting:
                self._call(then)
        else:
            self._turn()

    def _call(self, then: Then) -> None:
        """Tell one who waits; that he cannot be told is no reason not to tell the others."""
        if self.fault is not None:
            return
        try:
            self.may_answer()
        except StoreUnavailable as error:
            self.fail(error)
            return
        try:
            then()
        except Exception as error:  # noqa: BLE001  whatever it is, it is reported, and others wait behind it
            context = {"message": "somebody could not be told what was kept", "exception": error}
            self._loop.call_exception_handler(context)

    def fail(self, error: BaseException) -> None:
        """The store has met a storage error: nothing more is written or answered."""
        if self.fault is not None:
            return
        self.fault = error
        for each in self._settling:
            if not each.done():
                each.set_exception(error)
        self._stopped(error)

    async def run_exclusive(self, work: Callable[[], T]) -> T:
        """Do something else in the thread of the store, between two commits; a storage error stops the house too."""
        try:
            return await self._thread.run(work)
        except StoreUnavailable as error:
            self.fail(error)
            raise

    def close(self) -> None:
        """Let the thread go; what has not been committed by then is lost, so wait for `settled` before."""
        self._thread.close()
