"""Reading a store on PostgreSQL: by the thread that writes, and by others on connections of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import msgspec
import psycopg

from baccarat.house.stream import Stream
from baccarat.serve.store.base import (
    NodeCutOff,
    StoredHead,
    StoredSnapshot,
    StoreError,
    StoreUnavailable,
    StoreUnreachable,
    Value,
)
from baccarat.serve.store.log_query import LogReads
from baccarat.serve.store.postgres_open import Connection, compose_sql
from baccarat.serve.store.snapshot_mac import SnapshotMac, plain_digest

BUGS = (psycopg.ProgrammingError, psycopg.DataError, psycopg.NotSupportedError)
"""What a wrong statement raises: a bug of the program, not a failure of the database."""
Connect = Callable[[], Connection]


def snapshot_digest(form: str, heads: dict[Stream, int], body: bytes) -> bytes:
    """A digest that shows whether a snapshot is the one that was stored."""
    written = msgspec.json.encode([form, sorted(heads.items())])
    return hashlib.sha256(b"%d\n%s%s" % (len(written), written, body)).digest()


class _SnapshotRow(NamedTuple):
    """A snapshot as the database has it."""

    position: int
    form: str
    streams: list[Stream]
    seqs: list[int]
    events: list[int]
    hashes: list[bytes]
    positions: list[int]
    epochs: list[int]
    body: bytes
    digest: bytes


FOLLOWING_SQL = b"""
with recursive known (name, seq) as (
    select * from unnest(%s::text[], %s::bigint[])
), moved (stream, name, known, position) as (
    select head.stream, stream.name, coalesce(known.seq, -1), head.position
    from head join stream on stream.id = head.stream left join known on known.name = stream.name
    where head.seq > coalesce(known.seq, -1)
), back (position, stream, seq, previous, hash, body, name, known) as (
    select entry.position, entry.stream, entry.seq, entry.previous, entry.hash, entry.body, moved.name, moved.known
    from moved join entry on entry.position = moved.position
    union all
    select entry.position, entry.stream, entry.seq, entry.previous, entry.hash, entry.body, back.name, back.known
    from back join entry on entry.position = back.previous
    where back.seq > back.known + 1 and entry.stream = back.stream and entry.seq = back.seq - 1
)
select name, seq, body, hash, position from back order by position
"""
"""Every entry after the known ones, of all streams in one consistent read, in the order in which they were written.

Not all after a position: of two concurrent batches, the one with the later positions may be committed first.
"""


CUT_SECONDS = 1.0
"""How long to wait for the server to abort a query."""


class PostgresReads(LogReads):
    """The queries of `base.Reads` on one connection. A reader whose connection is lost reconnects once."""

    def __init__(self, connect: Connect, name: str, mac: SnapshotMac | None = None) -> None:
        super().__init__(name)
        self._connect = connect
        self._mac = mac
        """Authenticates snapshots; None without the sealing key."""
        self._connection = connect()

    def latest_snapshot(self) -> StoredSnapshot | None:
        """The last snapshot."""
        found = self._typed_rows(
            _SnapshotRow,
            "select position, form, streams, seqs, events, hashes, positions, epochs, body, digest from snapshot "
            "order by position desc limit 1",
        )
        if not found:
            return None
        row = found[0]
        columns = zip(row.seqs, row.events, row.hashes, row.positions, row.epochs, strict=True)
        heads = {name: StoredHead(*head) for name, head in zip(row.streams, columns, strict=True)}
        digest = snapshot_digest(row.form, {name: head.seq for name, head in heads.items()}, row.body)
        if plain_digest(row.digest) != digest:
            raise StoreError(f"{self._name}: the snapshot at position {row.position} was changed; restore a backup")
        if self._mac is not None:
            self._mac.is_authentic(row.digest)
        return StoredSnapshot(row.position, row.form, heads, row.body)

    # -------------------------------------------------------------------------------------- connection

    def cut(self) -> None:
        """Abort what is being read, and read nothing more."""
        self._is_cut = True
        with suppress(psycopg.Error, OSError):  # it is closed, or the server does not answer
            self._connection.cancel_safe(timeout=CUT_SECONDS)

    def _rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._guard_errors():
            return self._fetch_all(sql, params)

    def _fetch_all(self, sql: str, params: Sequence[Value]) -> list[tuple[Any, ...]]:
        is_alone = self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        try:
            return self._connection.execute(compose_sql(sql), tuple(params)).fetchall()
        except psycopg.OperationalError:
            if not (is_alone and self._connection.closed and self._may_reconnect):
                raise
            try:
                self._connection = self._connect()
            except StoreUnreachable as error:
                self._fault = NodeCutOff
                raise self._stop(str(error)) from None
            return self._connection.execute(compose_sql(sql), tuple(params)).fetchall()

    @property
    def _may_reconnect(self) -> bool:
        """Whether a lost connection may be replaced: that of a reader, on which nothing was written."""
        return True

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Several queries of one state of the store."""
        with self._lock, self._guard_errors():
            if self._connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS:
                yield
                return
            self._fetch_all("select 1", ())  # reconnects if the connection was lost
            self._connection.execute("begin transaction isolation level repeatable read, read only")
            try:
                yield
            finally:
                if not self._stopped and not self._connection.closed:
                    self._connection.execute("rollback")

    @contextmanager
    def _guard_errors(self) -> Iterator[None]:
        """Stop this connection on an error of the database."""
        self._require_running()
        self._check_cut()
        try:
            yield
        except BUGS:
            raise
        except (psycopg.Error, OSError, MemoryError) as error:
            if self._connection.closed:
                self._fault = NodeCutOff
            raise self._stop(error_text(error, is_lost=self._connection.closed)) from error

    def _stop(self, why: str) -> StoreUnavailable:
        """No more reads or writes: whether the last write is on the disk is unknown."""
        if not self._stopped:
            self._stopped = why
            with suppress(psycopg.Error):
                self._connection.close()
        return self._fault(f"{self._name}: {self._stopped}")


def error_text(error: BaseException, *, is_lost: bool) -> str:
    """An error of the database in one sentence; `is_lost` if the connection is over."""
    text = " ".join(str(error).split())
    if is_lost:
        return f"the connection to the database is lost ({type(error).__name__}: {text})"
    return f"storage error ({type(error).__name__}: {text}); nothing more is written, start again to recover"
