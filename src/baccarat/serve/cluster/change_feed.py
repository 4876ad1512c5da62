"""What other nodes change in addition to the log: sessions that were ended there, names that were entered or erased.

The log is followed entry by entry (`log_follower.py`). People, sessions and names are not part of it: they are read
from the store whenever they are needed. Only what a node holds for longer is updated here, at the configured interval:
the sockets of a session, and the directory of names.
"""

from __future__ import annotations

import asyncio
import threading

from baccarat.record.directory import DirectoryEntry
from baccarat.serve.access.session import ended_sessions
from baccarat.serve.fanout.rooms import Rooms
from baccarat.serve.runtime.people import HousePeople
from baccarat.serve.store.base import Store, StoreError, StoreReader, StoreUnavailable, Value
from baccarat.serve.store.row import as_bytes, as_int, as_text

OVERLAP = 1_000
"""How many of the last rows are read again: rows are numbered before they are stored, and stored in another order."""

Rows = list[tuple[Value, ...]]


class ChangeFeed:
    """Polls the store for the changes of other nodes."""

    def __init__(self, people: HousePeople, rooms: Rooms, store: Store, *, every: float) -> None:
        """`every` is the interval of polling, in seconds."""
        self._people, self._rooms, self._store, self._every = people, rooms, store, every
        self._reader: StoreReader | None = None
        self._one_at_a_time, self._is_over = threading.Lock(), False
        self._names = self._erased = 0
        """The highest numbers that were seen."""

    async def run(self) -> None:
        """Poll, until cancelled. If the database does not answer, it is asked again; the lease handles the rest."""
        while True:
            try:
                await self.poll()
            except (StoreUnavailable, StoreError):
                self._reader = None  # it has closed its lost connection
            await asyncio.sleep(self._every)

    async def poll(self) -> None:
        """Close the sockets of sessions that are over, add new names, and remove those that were erased."""
        ended, names, erased = await asyncio.to_thread(self._read_changes, list(self._rooms.sessions))
        if ended:
            self._people.desk.drop_sessions(ended)
        directory = self._people.names
        for number, id_, salt, words in names:
            self._names = max(self._names, as_int(number))
            if as_text(id_) not in directory:
                directory.add_known(DirectoryEntry(id=as_text(id_), salt=as_bytes(salt).hex(), text=as_text(words)))
        for number, _ in erased:
            self._erased = max(self._erased, as_int(number))
        gone = {as_text(id_) for _, id_ in erased if as_text(id_) in directory}
        if gone:
            self._people.forget(gone)

    def _read_changes(self, sessions: list[str]) -> tuple[list[str], Rows, Rows]:
        """In another thread: which of these sessions are over, and which names are new or gone."""
        with self._one_at_a_time:
            if self._is_over:
                return [], [], []
            reads = self._reader = self._reader or self._store.reader()
            since, erased = max(0, self._names - OVERLAP), max(0, self._erased - OVERLAP)
            return (
                ended_sessions(reads, sessions),
                reads.read("select number, id, salt, text from name where number > ? order by number", (since,)),
                reads.read("select number, id from erased where number > ? order by number", (erased,)),
            )

    def close(self) -> None:
        """Close the connection, after the current poll."""
        with self._one_at_a_time:
            self._is_over = True
            if self._reader is not None:
                self._reader.close()
