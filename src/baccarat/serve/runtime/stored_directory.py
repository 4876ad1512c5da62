"""The directory of names of a house in service: what is added goes into the batch that is being gathered."""

from __future__ import annotations

from baccarat.record.directory import Directory, Entry
from baccarat.serve.runtime.group_commit import Writer
from baccarat.serve.runtime.pending_batch import Gathering
from baccarat.serve.store.base import NameRow


class StoredDirectory(Directory):
    """A directory of names that stands in the store."""

    def __init__(self, rows: list[NameRow], writer: Writer[Gathering]) -> None:
        super().__init__(None, (Entry(id=row.id, salt=row.salt.hex(), text=row.text) for row in rows))
        self._writer = writer

    def _add(self, entry: Entry) -> None:
        super()._add(entry)
        self._writer.batch.names.append(NameRow(entry.id, bytes.fromhex(entry.salt), entry.text))
        self._writer.added()
