"""The store of a house on PostgreSQL, which several nodes write: every batch is one statement, and so one transaction.

`append_batch` (`schema/postgres/0001.sql`) locks the heads of the streams that a batch touches, compares them with what
its writer expects, writes everything and moves the heads. Nothing is decided and nothing waits for a client while they
are locked, so a node that hangs in the middle of its work never blocks another.

When a batch is on the disk the other nodes are notified, in a transaction of its own: PostgreSQL serializes commits
that notify, and they would wait for each other's disk. A node that dies in between notifies nobody; the others poll
from time to time (`log_follower.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from baccarat.house.stream import Stream
from baccarat.record.entry import hash_after
from baccarat.serve.store.base import (
    Batch,
    NotAppended,
    NotOwner,
    RepeatedId,
    Row,
    StaleHead,
    StaleRow,
    Statement,
    StoreError,
    StoreReader,
)
from baccarat.serve.store.connection_group import ConnectionGroup
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.log_query import command_key
from baccarat.serve.store.postgres_open import (
    Connection,
    compose_sql,
    connect,
    prepare,
    read_system_id,
    redacted_address,
)
from baccarat.serve.store.postgres_reads import PostgresReads, snapshot_digest
from baccarat.serve.store.postgres_trim import BUG, NOT_OWNER, STALE_HEAD, STALE_ROW, PostgresTrim
from baccarat.serve.store.snapshot_mac import SnapshotMac, plain_digest

_APPEND = (
    b"select append_batch(%s::text[], %s::bigint[], %s::bigint[], %s::int[], %s::int[], %s::bigint[], %s::int[], "
    b"%s::bigint[], %s::bytea[], %s::bytea[], %s::int[], %s::bytea[], %s::int[], %s::text[], %s::bigint[], "
    b"%s, %s::text[], %s::bigint[], %s, %s, %s::text[], %s::bigint[])"
)


class _BatchColumns(msgspec.Struct):
    """The rows of a batch in columns, numbered from 1."""

    streams: dict[Stream, int] = {}
    """The number of each stream."""
    first_seqs: list[int] = []
    first_rows: list[int] = []
    last_rows: list[int] = []
    row_streams: list[int] = []
    row_previous: list[int] = []
    done_keys: list[bytes] = []
    done_rows: list[int] = []


class PostgresStore(PostgresTrim):
    """A store that this node shares with others."""

    def __init__(self, address: str, group: ConnectionGroup | None = None) -> None:
        self.group = group or ConnectionGroup()
        """Every connection to this store, so that no thread waits for a server that does not answer."""
        self.address = address
        super().__init__(lambda: self.connect(to_write=True), redacted_address(address))
        try:
            self.id: bytes = prepare(self._connection, self._name)
            self.system_id = read_system_id(self._connection)
        except BaseException:
            self._stop("is closed")
            raise
        self.channel = f"baccarat_{self.id.hex()}"
        """The channel on which nodes notify each other of news."""

    @classmethod
    def open(cls, address: str, group: ConnectionGroup | None = None) -> PostgresStore:
        """Open the store at an address, or create it; `StoreError` says why it cannot be opened.

        Its connections belong to the group, by which the caller can cut them.
        """
        return cls(address, group)

    def connect(self, *, to_write: bool) -> Connection:
        """Another connection to the server; `StoreUnreachable` if there is none."""
        return connect(self.address, to_write=to_write, group=self.group)

    # ------------------------------------------------------------------------------------------ append

    def append(self, batch: Batch) -> None:
        """Store a batch: it is on the disk when this returns."""
        with self._lock:
            self._require_running()
            params = self._params(batch)
            with self._guard_errors():
                try:
                    found = self._connection.execute(_APPEND, params).fetchone()
                except psycopg.Error as error:
                    refused = _refusal(error)
                    if refused is None:
                        raise
                    raise refused from None
                assert found is not None, "a function returns a row"
                if batch.rows:
                    self._connection.execute("select pg_notify(%s, %s)", (self.channel, str(found[0])))

    def _params(self, batch: Batch) -> tuple[Any, ...]:
        plan, rows = _plan_batch(batch.rows), batch.rows
        statements = [*_extras(batch), *batch.statements]
        snapshot = batch.snapshot
        wanted = dict(snapshot.heads) if snapshot is not None else {}
        read = {stream: seq for stream, seq in batch.read_set.items() if stream not in plan.streams}
        return (
            list(plan.streams),
            plan.first_seqs,
            [batch.epochs.get(stream) for stream in plan.streams],
            plan.last_rows,
            plan.row_streams,
            [row.seq for row in rows],
            plan.row_previous,
            [row.events for row in rows],
            [row.hash for row in rows],
            [row.body for row in rows],
            plan.first_rows,
            plan.done_keys,
            plan.done_rows,
            [self._inline_params(each) for each in statements],
            [each.changes for each in statements],
            snapshot.form if snapshot is not None else None,
            list(wanted),
            list(wanted.values()),
            snapshot.body if snapshot is not None else None,
            self._digest(snapshot.form, wanted, snapshot.body) if snapshot is not None else None,
            list(read),
            list(read.values()),
        )

    def _digest(self, form: str, heads: dict[Stream, int], body: bytes) -> bytes:
        digest = snapshot_digest(form, heads, body)
        return self._mac.authenticate(digest) if self._mac is not None else digest

    def authenticate(self, keys: ContentKeys) -> bool:
        """Authenticate snapshots from now on; whether one was accepted unchecked. `StoreError` if one was changed.

        Call it before a reader is made.
        """
        mac, is_found = SnapshotMac(keys, self.id, self._name), False
        with self._lock:
            sql = "select position, form, streams, seqs, body, digest from snapshot"
            for row in self._typed_rows(tuple[int, str, list[Stream], list[int], bytes, bytes], sql):
                position, form, streams, seqs, body, stored = row
                digest = snapshot_digest(form, dict(zip(streams, seqs, strict=True)), body)
                if plain_digest(stored) != digest:
                    raise StoreError(f"{self._name}: the snapshot at position {position} was changed; restore a backup")
                is_found = not mac.is_authentic(stored) or is_found
                if not mac.is_current(stored):
                    changed = (mac.authenticate(digest), position, stored)
                    self._execute("update snapshot set digest = %s where position = %s and digest = %s", changed)
            self._mac = mac
        return is_found

    def _inline_params(self, statement: Statement) -> str:
        """A statement with its parameters written into it, so that it can be sent within another."""
        return psycopg.ClientCursor(self._connection).mogrify(compose_sql(statement.sql), tuple(statement.params))

    def hold_founding(self, *, begin: bool) -> None:
        """Make nodes that start together create a house one after the other; the lock ends with this node."""
        lock = "pg_advisory_lock" if begin else "pg_advisory_unlock"
        with self._lock, self._guard_errors():
            sql = f"select {lock}(hashtextextended('founding of ' || %s, 0))"
            self._connection.execute(sql.encode(), (self.id.hex(),))

    # ------------------------------------------------------------------------------------- housekeeping

    def do_idle_work(self) -> None:
        """Nothing: the server checkpoints its WAL by itself."""

    def backup(self, path: Path) -> None:
        """Refused: a house on PostgreSQL is copied with PostgreSQL's own tools."""
        raise StoreError(
            f"{path}: a house on PostgreSQL is copied while it runs by pg_dump or pg_basebackup, not by this"
        )

    def reader(self) -> StoreReader:
        """A connection of its own for another thread."""
        return PostgresReads(lambda: self.connect(to_write=False), self._name, self._mac)


def _plan_batch(rows: Sequence[Row]) -> _BatchColumns:
    """The stream and the predecessor of each row; `StaleHead` if rows of one batch do not follow each other."""
    plan, last = _BatchColumns(), dict[str, tuple[int, Row]]()
    for number, row in enumerate(rows, start=1):
        before = last.get(row.stream)
        if before is None:
            plan.streams[row.stream] = len(plan.streams) + 1
            plan.first_seqs.append(row.seq)
            plan.first_rows.append(number)
            plan.last_rows.append(number)
            plan.row_previous.append(0)
        else:
            index, previous = before
            if row.seq != previous.seq + 1:
                raise StaleHead(f"{row.stream} has come to entry {previous.seq}; entry {row.seq} cannot follow")
            expected = hash_after(previous.hash, row.body)
            assert row.hash == expected, f"the hash of {row.stream} {row.seq} does not follow"
            plan.last_rows[plan.streams[row.stream] - 1] = number
            plan.row_previous.append(index)
        last[row.stream] = number, row
        plan.row_streams.append(plan.streams[row.stream])
        if row.id:
            plan.done_keys.append(command_key(row.id, row.who))
            plan.done_rows.append(number)
    return plan


_CHECKPOINT_SQL = (
    "insert into checkpoint (stream, size, note, edge) values (?, ?, ?, ?) "
    "on conflict (stream, size) do update set note = excluded.note, edge = excluded.edge"
)
_SEAL_SQL = (
    "insert into sealed (stream, name, sealed) values (?, ?, ?) "
    "on conflict (stream, name) do update set sealed = excluded.sealed"
)
_NAME_SQL = "insert into name (id, salt, text) values (?, ?, ?) on conflict do nothing"
_SETTING_SQL = "insert into setting (key, value) values (?, ?) on conflict (key) do update set value = excluded.value"


def _extras(batch: Batch) -> list[Statement]:
    """The rest of a batch, without its entries, as statements."""
    found = [Statement(_CHECKPOINT_SQL, (each.stream, each.size, each.note, each.edge)) for each in batch.checkpoints]
    found += [Statement(_SEAL_SQL, (each.stream, each.name, each.sealed)) for each in batch.seals]
    found += [Statement(_NAME_SQL, (each.id, each.salt, each.text)) for each in batch.names]
    return found + [Statement(_SETTING_SQL, item) for item in batch.settings.items()]


_REFUSALS: Mapping[str, type[NotAppended]] = {
    STALE_HEAD: StaleHead,
    NOT_OWNER: NotOwner,
    STALE_ROW: StaleRow,
    "40001": StaleHead,  # two nodes conflicted, and PostgreSQL let the other one continue
    "40P01": StaleHead,
}


def _refusal(error: psycopg.Error) -> Exception | None:
    """Why a batch was refused; None if the database itself failed."""
    said = error.diag.message_primary or str(error)
    state = error.sqlstate or ""
    if state == BUG:
        return AssertionError(said)
    if state in _REFUSALS:
        return _REFUSALS[state](said)
    if error.diag.constraint_name == "done_pkey":
        return RepeatedId("a command of the batch has an id that its person has used before")
    if isinstance(error, psycopg.IntegrityError):
        return StaleRow(f"a statement of the batch breaks a constraint: {said}")
    return None
