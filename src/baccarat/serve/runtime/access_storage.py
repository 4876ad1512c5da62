"""How the desk, which decides who may sign on, reads and writes the store of a house in service."""

from __future__ import annotations

from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import Batch, Reads, Store


class AccessStorage:
    """What the desk needs of the store: each of its changes is a transaction of its own, between two batches."""

    def __init__(self, store: Store, reads: Reads, writer: GroupCommitter[PendingBatch]) -> None:
        self._store, self.reads, self._writer = store, reads, writer

    async def commit(self, batch: Batch) -> None:
        """Store a batch; it is durable when this returns. `NotAppended` if it contradicts what is stored."""
        await self._writer.run_exclusive(lambda: self._store.append(batch))

    def add(self, batch: Batch) -> None:
        """Store a batch soon, without waiting for it."""
        self._writer.batch.statements += batch.statements
        self._writer.batch.names += batch.names
        self._writer.stage()
