"""What a store on SQLite removes: entries that are compressed, practice shoes that are dropped, names erased."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from baccarat.house.stream import Stream
from baccarat.serve.store.archive import compress
from baccarat.serve.store.base import StoredEntry
from baccarat.serve.store.log_query import PAGE, StreamRow, split_at
from baccarat.serve.store.sqlite_writer import SqliteWriter


class SqliteTrim(SqliteWriter):
    """The part of a store that makes it smaller."""

    def archive(self, stream: Stream, through: int, *, most: int = 256) -> int:
        """Compress entries of a closed shoe, up to a number, oldest first; returns how many."""
        with self._lock:
            self._require_running()
            held = self._held.get(stream)
            if held is None or held.log_seq > through:
                return 0
            self._check_included(stream, through)
            last = min(through, held.log_seq + most - 1)
            with self._guard_errors():
                entries = self._from_log(stream, held, held.log_seq, last)
                before = self._hash_before(held)
            after = replace(held, log_seq=last + 1)
            self._transaction(lambda: self._move(held, after, entries, before))
            self._held[stream] = after
            return len(entries)

    def _move(self, held: StreamRow, after: StreamRow, entries: Sequence[StoredEntry], before: bytes) -> None:
        self._keep_piece(held.number, entries, before)
        self._forget(held.number, entries)
        self._rebound(after)

    def drop_before(self, stream: Stream, seq: int) -> int:
        """Delete the entries of a stream before a number; returns how many."""
        with self._lock:
            self._require_running()
            held = self._held.get(stream)
            if held is None or seq <= held.first_seq:
                return 0
            self._check_included(stream, seq - 1)
            first = held.first_seq
            while held.first_seq < seq:
                held = self._drop_some(stream, held, seq)
            return held.first_seq - first

    def _drop_some(self, stream: Stream, held: StreamRow, seq: int) -> StreamRow:
        """Delete a page of entries, or a compressed piece or the part of it before a number."""
        with self._guard_errors():
            if held.first_seq < held.log_seq:
                found = self._piece(stream, held.number, held.first_seq)
            else:
                found = self._from_log(stream, held, held.first_seq, min(seq, held.first_seq + PAGE) - 1)
        gone, left = split_at(found, seq)
        after = held.without_oldest(gone)

        def act() -> None:
            if held.first_seq < held.log_seq:
                sql = "delete from archive where stream = ? and last_seq = ?"
                self._connection.execute(sql, (held.number, found[-1].seq))
                if left:
                    self._keep_piece(held.number, left, gone[-1].hash)
            else:
                self._forget(held.number, gone)
            self._rebound(after)

        self._transaction(act)
        self._held[stream] = after
        return after

    def _keep_piece(self, number: int, entries: Sequence[StoredEntry], before: bytes) -> None:
        first, last = entries[0], entries[-1]
        sql = "insert into archive (stream, last_seq, first_seq, before, last_hash, body) values (?, ?, ?, ?, ?, ?)"
        self._connection.execute(sql, (number, last.seq, first.seq, before, last.hash, compress(entries)))

    def _forget(self, number: int, entries: Sequence[StoredEntry]) -> None:
        """Remove entries from the log."""
        self._connection.executemany("delete from entry where position = ?", [(each.position,) for each in entries])
        sql = "delete from landmark where stream = ? and seq between ? and ?"
        self._connection.execute(sql, (number, entries[0].seq, entries[-1].seq))

    def _rebound(self, after: StreamRow) -> None:
        """Store the first entry of a stream that exists, and the first that is in the log."""
        sql = "update head set first_seq = ?, first_before = ?, log_seq = ? where stream = ?"
        self._connection.execute(sql, (after.first_seq, after.first_before, after.log_seq, after.number))

    def erase(self, ids: Sequence[str]) -> int:
        """Erase names and remarks; returns how many there were."""
        with self._lock:
            self._require_running()
            count = self._connection.total_changes()
            self._connection.pragma("secure_delete", 1)  # pages that become free are overwritten too
            self._transaction(
                lambda: self._connection.executemany("delete from name where id = ?", [(id_,) for id_ in ids])
            )
            gone = self._connection.total_changes() - count
            self._connection.pragma("secure_delete", "fast")
            self._empty_log()  # it still has older pages
            return gone
