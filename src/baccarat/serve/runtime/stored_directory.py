"""The directory of names of a house in service: what is added goes into the pending batch."""

from __future__ import annotations

from baccarat.record.directory import Directory, DirectoryEntry
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import NameRow


class StoredDirectory(Directory):
    """A directory of names in the store."""

    def __init__(self, rows: list[NameRow], writer: GroupCommitter[PendingBatch]) -> None:
        super().__init__(None, (DirectoryEntry(id=row.id, salt=row.salt.hex(), text=row.text) for row in rows))
        self._writer = writer

    def _add(self, entry: DirectoryEntry) -> None:
        super()._add(entry)
        self._writer.batch.names.append(NameRow(entry.id, bytes.fromhex(entry.salt), entry.text))
        self._writer.stage()
