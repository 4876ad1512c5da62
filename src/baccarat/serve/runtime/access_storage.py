"""How the desk, which decides who may sign on, reads and writes the store of a house in service."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import Batch, Store
from baccarat.serve.store.row import RowReads

T = TypeVar("T")


class AccessStorage:
    """What the desk needs of the store: each of its changes is a transaction of its own, between two batches."""

    def __init__(self, store: Store, lookups: Lookups, writer: GroupCommitter[PendingBatch]) -> None:
        self._store, self._lookups, self._writer = store, lookups, writer

    async def ask(self, question: Callable[[RowReads], T]) -> T:
        """The answer to a query of what is durable; another thread runs it."""
        return await self._lookups.ask(question)

    async def commit(self, batch: Batch) -> None:
        """Store a batch; it is durable when this returns. `NotAppended` if it contradicts what is stored."""
        await self._writer.run_exclusive(lambda: self._store.append(batch))

    def add(self, batch: Batch) -> None:
        """Store a batch soon, without waiting for it."""
        self._writer.batch.statements += batch.statements
        self._writer.batch.names += batch.names
        self._writer.stage()
