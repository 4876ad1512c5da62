"""Group commit: what was decided is written to disk in batches, and every waiting callback is called when it is there.

Deciding runs ahead of the disk. Everything that is added in one turn of the event loop is one batch, and at most one
commit is in flight: a busy house writes few large batches, and a quiet one answers immediately. Callbacks are called in
the order in which things were added, after the commit that holds them, so no answer, refusal or view rests on anything
that a power cut could still take back.

A commit that fails is never retried, because nobody knows what is on the disk then: nothing more is answered, and the
house is stopped. One kind of failure is not final: where several nodes write a store, a batch may conflict with what
another node wrote first. Then it is decided again (`share`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Generic, Protocol, TypeVar

from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.runtime.store_thread import StoreThread
from baccarat.serve.store.base import StoreUnavailable

OnDurable = Callable[[], None]
ResolveConflict = Callable[[Any, BaseException], Awaitable[None]]
"""Takes a batch that was refused, and why; adds what is to be stored instead to the pending batch."""


class BatchLike(Protocol):
    """A pending batch: added to on the event loop, then committed whole."""

    def is_empty(self) -> bool:
        """Whether there is nothing to write."""


B = TypeVar("B", bound=BatchLike)
T = TypeVar("T")


class GroupCommitter(Generic[B]):
    """Collects one batch on the event loop while another is being committed in a thread."""

    def __init__(
        self, commit: Callable[[B], None], empty: Callable[[], B], stopped: Callable[[BaseException], None]
    ) -> None:
        self._commit, self._empty, self._stopped = commit, empty, stopped
        self._loop = asyncio.get_running_loop()
        self._thread = StoreThread(self._loop)
        self._resolve_conflict: ResolveConflict | None = None
        self._conflicts: tuple[type[BaseException], ...] = ()
        self._check_lease: Callable[[], None] | None = None
        self.batch = empty()
        """What is written next; a decision adds to it and calls `stage`."""
        self._waiting: list[OnDurable] = []
        """To be called when `batch` is on disk."""
        self._in_flight: list[OnDurable] | None = None
        """To be called when the commit in flight has ended; None if no commit is in flight."""
        self.tasks = OwnedTasks()
        """Of these there is at most one, which decides again what another node was first with."""
        self._is_due = False
        self._flushing: set[asyncio.Future[None]] = set()
        self._since = 0.0
        self.fault: BaseException | None = None
        """Why nothing more is written or answered; None while the store works."""

    def share(
        self,
        *,
        resolve_conflict: ResolveConflict,
        conflicts: tuple[type[BaseException], ...],
        check_lease: Callable[[], None],
    ) -> None:
        """From now on other nodes also write to the store.

        A batch that fails with one of `conflicts` is given to `resolve_conflict`. `check_lease` is called before every
        answer and raises when this node may no longer answer, even though the act is on the disk. These are not
        arguments of the constructor, because a node is made of a house that is recovered and writes already.
        """
        self._resolve_conflict, self._conflicts, self._check_lease = resolve_conflict, conflicts, check_lease

    # ------------------------------------------------------------------------------------------- adding

    def stage(self, on_durable: OnDurable | None = None) -> None:
        """Note that something was added to the batch; `on_durable` is called when it is on disk."""
        if on_durable is not None:
            self._waiting.append(on_durable)
        # Collect until the next turn of the loop; commit then, or when the commit in flight has ended.
        if not self._is_due and self._in_flight is None:
            self._is_due = True
            self._loop.call_soon(self._turn)

    def before_answers(self, on_durable: OnDurable) -> None:
        """Call when the batch that is being gathered is on the disk, before all other callbacks of that batch."""
        self._waiting.insert(0, on_durable)

    def on_durable(self, call: OnDurable) -> None:
        """Call when all that was added until now is on disk; immediately if it already is."""
        if self.fault is not None:
            return
        if not self.batch.is_empty():
            self._waiting.append(call)
        elif self._in_flight is not None:
            self._in_flight.append(call)
        else:
            self._call(call)

    async def wait_until_flushed(self) -> None:
        """Wait until all that was added until now is on disk; raises the fault that prevents it."""
        if self.fault is not None:
            raise self.fault
        done = self._loop.create_future()
        self.on_durable(lambda: None if done.done() else done.set_result(None))
        self._flushing.add(done)
        try:
            await done
        finally:
            self._flushing.discard(done)

    # --------------------------------------------------------------------------------------- committing

    def _turn(self) -> None:
        """Commit what was gathered, unless a commit is in flight: when that one ends, it begins the next."""
        self._is_due = False
        if self._in_flight is not None or self.fault is not None or self.batch.is_empty():
            return
        batch, self.batch = self.batch, self._empty()
        self._in_flight, self._waiting = self._waiting, []
        self._since = self._loop.time()
        self._thread.submit(lambda: self._commit(batch), lambda error: self._committed(batch, error))

    def _committed(self, batch: B, error: BaseException | None) -> None:
        """A commit has ended; this runs on the event loop again."""
        # It failed: either another node was first, or the state of the disk is unknown.
        if error is not None:
            if self._resolve_conflict is not None and isinstance(error, self._conflicts):
                self.tasks.start(self._resolve(self._resolve_conflict, batch, error), name="decide again")
            else:
                self.fail(error)
            return
        # It is durable: everything that waited for it is called before the next commit begins.
        waiting, self._in_flight = self._in_flight or [], None
        for on_durable in waiting:
            self._call(on_durable)
        if not self.batch.is_empty() or self._waiting:
            self._turn()

    async def _resolve(self, resolve_conflict: ResolveConflict, batch: B, error: BaseException) -> None:
        """Decide the refused acts again, before all later ones; their callers now wait for the new decision."""
        try:
            await resolve_conflict(batch, error)
        except Exception as fault:  # noqa: BLE001  the state of the house is unknown by then
            self.fail(fault)
            return
        self._waiting[:0] = self._in_flight or []
        self._in_flight = None
        if self.batch.is_empty():  # another node had done it all
            waiting, self._waiting = self._waiting, []
            for on_durable in waiting:
                self._call(on_durable)
        else:
            self._turn()

    def _call(self, on_durable: OnDurable) -> None:
        """Call one callback, if anybody may still be answered; if it fails, that is reported, and the others follow."""
        if self.fault is not None:
            return
        try:
            self.check_may_answer()
        except StoreUnavailable as error:
            self.fail(error)
            return
        try:
            on_durable()
        except Exception as error:  # noqa: BLE001  whatever it is, others wait behind it
            context = {"message": "a caller could not be notified of a commit", "exception": error}
            self._loop.call_exception_handler(context)

    def check_may_answer(self) -> None:
        """`StoreUnavailable` if nothing may be answered now."""
        if self._check_lease is not None:
            self._check_lease()

    def fail(self, error: BaseException) -> None:
        """The store can no longer be relied on: nothing more is written or answered."""
        if self.fault is not None:
            return
        self.fault = error
        for each in self._flushing:
            if not each.done():
                each.set_exception(error)
        self._stopped(error)

    # ------------------------------------------------------------------------------------------- the rest

    def steady(self) -> float:
        """Seconds on the clock of the event loop, which no change of the time of day touches."""
        return self._loop.time()

    @property
    def waiting_seconds(self) -> float:
        """How long the commit in flight has taken so far; 0 if there is none."""
        return self._loop.time() - self._since if self._in_flight is not None else 0.0

    @property
    def is_idle(self) -> bool:
        """Whether everything that was added is on disk."""
        return self._in_flight is None and self.batch.is_empty()

    async def run_exclusive(self, work: Callable[[], T]) -> T:
        """Do something else in the thread of the store, between two commits; a storage error there stops the house."""
        try:
            return await self._thread.run(work)
        except StoreUnavailable as error:
            self.fail(error)
            raise

    def close(self) -> None:
        """End the thread; what has not been committed by then is lost, so call `wait_until_flushed` first."""
        self._thread.close()
