"""Changes of access, one after the other: each is planned on what is durable, and stored before it is answered.

On one node no plan is ever overtaken; where another node was first, the store refuses the batch whole (`NotAppended`),
and the plan is made again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from baccarat.serve.access.base import AccessChange, AccessStore
from baccarat.serve.access.denial import Denied
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.store.base import NotAppended
from baccarat.serve.store.row import RowReads

T = TypeVar("T")
R = TypeVar("R")
Plan = Callable[[RowReads, int], AccessChange[T] | Denied]
"""Makes a change from what is stored and the time, or says why there is none."""
TRIES = 5
"""So often a plan is made again after another node was first."""


class ChangeQueue:
    """Carries out plans in turn."""

    def __init__(
        self, keeping: AccessStore, *, now: Callable[[], int], on_stored: Callable[[AccessChange[Any]], None]
    ) -> None:
        """`now` is the time of day, in microseconds UTC; `on_stored` is called with each change that is durable."""
        self._keeping, self._now, self._on_stored = keeping, now, on_stored
        self._one_at_a_time = asyncio.Lock()
        self.tasks = OwnedTasks()
        """The changes that are being carried out."""

    async def store(self, change: AccessChange[T]) -> T:
        """Store a change that contradicts nothing, without waiting for a turn."""
        if change.statements or change.names:
            await self._keeping.commit(change.batch)
        return change.answer

    async def carry_out(self, plan: Plan[T], store: Callable[[AccessChange[T]], Awaitable[R]]) -> R | Denied:
        """Plan and store, to the end, even if the request is cancelled meanwhile: sockets are closed all the same."""
        # The request raises a fault of it; if none waits any more, the store has reported it.
        return await asyncio.shield(self.tasks.start(self._change_in_turn(plan, store), name="change of access"))

    async def _change_in_turn(self, plan: Plan[T], store: Callable[[AccessChange[T]], Awaitable[R]]) -> R | Denied:
        async with self._one_at_a_time:
            for left in reversed(range(TRIES)):
                change = await self._keeping.ask(lambda reads: plan(reads, self._now()))
                if isinstance(change, Denied):
                    return change
                try:
                    answer = await store(change)
                except NotAppended:
                    if not left:
                        raise
                    continue
                self._on_stored(change)
                return answer
        raise AssertionError("the last try answers or raises")
