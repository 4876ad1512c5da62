"""What a store on PostgreSQL removes: entries that are compressed, practice shoes that are dropped, names erased."""

from __future__ import annotations

import re
from collections.abc import Sequence
from time import sleep
from typing import Any

import msgspec
import psycopg

from baccarat.house.stream import Stream
from baccarat.serve.store.archive import compress
from baccarat.serve.store.base import StaleHead, StoredEntry
from baccarat.serve.store.log_query import PAGE, StreamRow, split_at
from baccarat.serve.store.postgres_reads import PostgresReads

STALE_HEAD, NOT_OWNER, STALE_ROW, BUG = "BA001", "BA002", "BA003", "BA004"
"""The SQLSTATEs with which functions of the schema refuse."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 3.0
"""Seconds to wait before the names are rewritten again; doubled each time."""


class _Piece(msgspec.Struct, frozen=True):
    """A piece of the archive, as `let_go` takes it."""

    last_seq: int | None = None
    first_seq: int | None = None
    before: bytes | None = None
    last_hash: bytes | None = None
    body: bytes | None = None

    @classmethod
    def from_entries(cls, entries: Sequence[StoredEntry], before: bytes) -> _Piece:
        """Entries that follow each other, and the hash before them."""
        return cls(entries[-1].seq, entries[0].seq, before, entries[-1].hash, compress(entries))


class PostgresTrim(PostgresReads):
    """The part of a store that makes it smaller: each step is one statement."""

    @property
    def _may_reconnect(self) -> bool:
        """Never: what this connection was sent last may be on the disk or not."""
        return False

    def archive(self, stream: Stream, through: int, *, most: int = 256) -> int:
        """Compress entries of a closed shoe, up to a number, oldest first; returns how many."""
        with self._lock:
            self._require_running()
            held = self._stream(stream)
            if held is None or held.log_seq > through:
                return 0
            self._check_included(stream, through)
            last = min(through, held.log_seq + most - 1)
            entries = self._from_log(stream, held, held.log_seq, last)
            before = self._hash_before(held)
            after = msgspec.structs.replace(held, log_seq=last + 1)
            self._replace_piece(held, after, entries, piece=_Piece.from_entries(entries, before))
            return len(entries)

    def drop_before(self, stream: Stream, seq: int) -> int:
        """Delete the entries of a stream before a number; returns how many."""
        with self._lock:
            self._require_running()
            held = self._stream(stream)
            if held is None or seq <= held.first_seq:
                return 0
            self._check_included(stream, seq - 1)
            first = held.first_seq
            while held.first_seq < seq:
                held = self._drop_some(stream, held, seq)
            return held.first_seq - first

    def _drop_some(self, stream: Stream, held: StreamRow, seq: int) -> StreamRow:
        """Delete a page of entries, or a compressed piece or the part of it before a number."""
        is_packed = held.first_seq < held.log_seq
        if is_packed:
            found = self._piece(stream, held.number, held.first_seq)
        else:
            found = self._from_log(stream, held, held.first_seq, min(seq, held.first_seq + PAGE) - 1)
        gone, left = split_at(found, seq)
        after = held.without_oldest(gone)
        piece = _Piece.from_entries(left, gone[-1].hash) if left else _Piece()
        self._replace_piece(
            held, after, () if is_packed else gone, piece=piece, old=found[-1].seq if is_packed else None
        )
        return after

    def _replace_piece(
        self, held: StreamRow, after: StreamRow, gone: Sequence[StoredEntry], *, piece: _Piece, old: int | None = None
    ) -> None:
        """Remove entries from the log and an old piece from the archive, and add a new piece, in one statement."""
        bounds = (after.first_seq, after.first_before, after.log_seq)
        leave = ([each.position for each in gone], gone[0].seq if gone else 0, gone[-1].seq if gone else -1, old)
        self._execute(
            "select let_go(%s, %s, %s, %s, %s, %s, %s::bigint[], %s, %s, %s, %s, %s, %s, %s, %s)",
            (held.number, held.first_seq, held.log_seq, *bounds, *leave, *msgspec.structs.astuple(piece)),
        )

    def _execute(self, sql: str, params: Sequence[Any]) -> int:
        """Execute one statement that changes something; returns how many rows. `StaleHead` if its function refuses."""
        with self._guard_errors():
            try:
                return self._connection.execute(sql.encode(), params).rowcount
            except psycopg.Error as error:
                if error.sqlstate == STALE_HEAD:
                    raise StaleHead(error.diag.message_primary) from None
                raise

    def erase(self, ids: Sequence[str]) -> int:
        """Erase names and remarks; returns how many there were.

        The table's file is rewritten without them. They stay in the server's WAL until it is recycled. If an earlier
        transaction still sees them, the new file holds them too: so it is rewritten a few times.
        """
        with self._lock:
            gone = self._execute("delete from name where id = any(%s)", (list(ids),))
            if gone:
                self._write_names_anew()
            return gone

    def _write_names_anew(self) -> None:
        """Rewrite the file of the names without what was erased, again if it still holds some."""
        pause = SHORTEST_PAUSE
        while self._rewrite_names() and pause < LONGEST_PAUSE:
            sleep(pause)
            pause *= 2

    def _rewrite_names(self) -> int:
        """Rewrite the file of the names; returns how many deleted rows it still holds, as the server reports."""
        said: list[str] = []

        def hear(note: psycopg.errors.Diagnostic) -> None:
            said.append(note.message_detail or "")

        self._connection.add_notice_handler(hear)
        try:
            self._execute("vacuum (full, verbose) name", ())
        finally:
            self._connection.remove_notice_handler(hear)
        # "49 dead row versions cannot be removed yet", in the language of the server
        return sum(int(found[0]) for detail in said if (found := re.search(r"\d+", detail)))
