"""The store of a house in one SQLite file: one process, one writer, every batch a transaction that is synced.

Everything that is added goes to the end of one log, so that a commit of ten commands touches the log's last pages, the
page of the heads and the last page of ids, and not a page for each stream. A stream is read back from its head or from
the next landmark (`sqlite_reads.py`).

SQLite writes into its own log first (the WAL) and from time to time back into the database file. That is done here, by
`do_idle_work`, not by SQLite itself, which would ignore an error in doing so. While somebody reads an old state for
long, as a backup does, the WAL cannot be reset and grows; afterwards it is cut back to `LARGEST_LOG`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import msgspec

from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store.base import (
    NOT_BEGUN,
    Batch,
    NewSnapshot,
    RepeatedId,
    Row,
    StaleHead,
    StaleRow,
    Statement,
    StoredHead,
    StoreError,
    StoreUnavailable,
)
from baccarat.serve.store.content_check import StoredContent
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.lock import StoreLock
from baccarat.serve.store.log_query import LANDMARK, SNAPSHOTS, StreamRow, command_key, snapshot_digest
from baccarat.serve.store.sqlite_backup import copy_database
from baccarat.serve.store.sqlite_open import (
    check_contents,
    check_version,
    companion_path,
    connect,
    create,
    examine,
    open_content,
)
from baccarat.serve.store.sqlite_reads import SqliteReads
from baccarat.serve.store.sqlite_trim import SqliteTrim

LONG_LOG = 1000
"""The number of pages at which the WAL is written back."""


class _HeadPlan(msgspec.Struct):
    """How a batch changes the heads, computed before anything is written."""

    entries: list[tuple[int, int, int, int, bytes, bytes]] = []
    landmarks: list[tuple[int, int, int]] = []
    done: list[tuple[bytes, int, int]] = []
    streams: dict[Stream, StreamRow] = {}
    """The streams that the batch touches, as they are afterwards."""
    new: list[tuple[int, str]] = []


class SqliteStore(SqliteTrim):
    """A store in a file, held by this process until it is closed."""

    system_id = ""

    def __init__(
        self,
        path: Path,
        connection: apsw.Connection,
        lock: StoreLock,
        *,
        vfs: str | None = None,
        content: StoredContent | None = None,
    ) -> None:
        super().__init__(connection, str(path), content)
        self.path = path
        self._file_lock = lock
        self._vfs = vfs
        self.content = content
        """What its tables summed to when it was opened; None without a key."""
        ((self.id,),) = self._typed_rows(tuple[bytes], "select id from identity")
        self._position: int = max((row.head.position for row in self._held.values()), default=0)

    @classmethod
    def open(cls, path: Path, *, vfs: str | None = None, keys: ContentKeys | None = None) -> SqliteStore:
        """Open the store in a file, or create it; `StoreError` says why it cannot be opened.

        With keys its content is authenticated: checked, if it was authenticated before, and otherwise accepted
        unchecked.
        """
        path = path.resolve() if path.is_symlink() else path  # or a store could have a lock under each of its names
        lock = StoreLock(path)
        lock.check_free()
        is_there = examine(path)
        lock.acquire()
        try:
            if not is_there:
                create(path)
            return cls._open_checked(path, lock, vfs, keys, is_new=not is_there)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _open_checked(
        cls, path: Path, lock: StoreLock, vfs: str | None, keys: ContentKeys | None, *, is_new: bool
    ) -> SqliteStore:
        has_log = companion_path(path, "-wal").exists()
        connection = None
        try:
            connection = connect(path, vfs=vfs, to_write=True)
            version = connection.pragma("user_version")
            assert isinstance(version, int), "SQLite stores it as a number"
            check_version(path, version)
            check_contents(connection, path)
            content = open_content(connection, path, keys, is_new=is_new)
            return cls(path, connection, lock, vfs=vfs, content=content)
        except BaseException as error:
            if connection is not None:
                if isinstance(error, StoreError) and not has_log:  # SQLite removes the log that it just created
                    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
                connection.close(force=True)
            if isinstance(error, apsw.Error | OSError | StoreUnavailable):
                raise StoreError(f"{path}: cannot be opened: {type(error).__name__}: {error}") from error
            raise

    # ------------------------------------------------------------------------------------------ append

    def append(self, batch: Batch) -> None:
        """Store a batch: it is on the disk when this returns."""
        with self._lock:
            self._require_running()
            if self._log_pages >= 4 * LONG_LOG:  # `do_idle_work` was not called
                self._write_back()
            plan = self._plan(batch)
            self._transaction(lambda: self._write(batch, plan))
            self._held.update(plan.streams)
            self._position += len(plan.entries)

    def _plan(self, batch: Batch) -> _HeadPlan:
        """The place of each row; `StaleHead` if one is not the next of its stream."""
        plan, position = _HeadPlan(), self._position
        streams, entries, done = plan.streams, plan.entries, plan.done
        for row in batch.rows:
            held = streams.get(row.stream) or self._held.get(row.stream)
            if held is None:
                number = len(self._held) + len(plan.new) + 1
                held = StreamRow(number, NOT_BEGUN)
                plan.new.append((number, row.stream))
            head, number = held.head, held.number
            if row.seq != head.seq + 1:
                raise StaleHead(f"{row.stream} has come to entry {head.seq}; entry {row.seq} cannot follow")
            assert row.hash == hash_after(head.hash, row.body), f"the hash of {row.stream} {row.seq} does not follow"
            epoch = batch.epochs.get(row.stream, head.epoch)
            if held.head is not NOT_BEGUN and epoch != head.epoch:
                raise StaleHead(f"{row.stream} is in epoch {head.epoch}, not {epoch}")
            position += 1
            entries.append((position, number, row.seq, head.position, row.hash, row.body))
            if row.seq % LANDMARK == 0:
                plan.landmarks.append((number, row.seq, position))
            if row.id:
                done.append((command_key(row.id, row.who), number, row.seq))
            after = StoredHead(row.seq, row.events, row.hash, position, epoch)
            streams[row.stream] = StreamRow(number, after, held.first_seq, held.first_before, held.log_seq)
        for stream, seq in batch.read_set.items():
            known = self._held[stream].head if stream in self._held else NOT_BEGUN
            if stream not in streams and known.seq != seq:
                raise StaleHead(f"{stream} has come to entry {known.seq}; the batch rests on entry {seq}")
        return plan

    def _write(self, batch: Batch, plan: _HeadPlan) -> None:
        """Everything of a batch, inside its transaction."""
        run = self._connection.executemany
        if plan.entries:
            self._write_heads(plan)
            sql = "insert into entry (position, stream, seq, previous, hash, body) values (?, ?, ?, ?, ?, ?)"
            self._write_rows("entry", sql, plan.entries, plan.entries)
        if plan.landmarks:
            run("insert into landmark (stream, seq, position) values (?, ?, ?)", plan.landmarks)
        if plan.done:
            self._write_done(plan)
        if batch.snapshot is not None:
            self._write_snapshot(batch.snapshot, batch.rows, plan)
        if batch.checkpoints:
            rows = [(each.stream, each.size, each.note, each.edge) for each in batch.checkpoints]
            run("insert or replace into checkpoint (stream, size, note, edge) values (?, ?, ?, ?)", rows)
        if batch.seals:
            sealed = [(each.stream, each.name, each.sealed) for each in batch.seals]
            run("insert or replace into sealed (stream, name, sealed) values (?, ?, ?)", sealed)
        if batch.names:
            names = [(each.id, each.salt, each.text) for each in batch.names]
            run("insert or ignore into name (id, salt, text) values (?, ?, ?)", names)
        if batch.settings:
            run("insert or replace into setting (key, value) values (?, ?)", list(batch.settings.items()))
        for statement in batch.statements:
            self._run(statement)

    def _write_heads(self, plan: _HeadPlan) -> None:
        """Move each head, if it is still the one that this store wrote."""
        names = {number for number, _ in plan.new}
        moved, begun, old, new = (list[tuple[Any, ...]]() for _ in range(4))
        for name, row in plan.streams.items():
            head = row.head
            now = (head.seq, head.events, head.hash, head.position, head.epoch)
            if row.number in names:
                begun.append((row.number, *now, 0, NO_HASH, 0, self.id))
            else:
                held = self._held[name]
                before, rest = held.head, (held.first_seq, held.first_before, held.log_seq, self.id)
                moved.append((*now, row.number, before.seq, before.hash, before.epoch))
                old.append((row.number, before.seq, before.events, before.hash, before.position, before.epoch, *rest))
                new.append((row.number, *now, *rest))
        run, count = self._connection.executemany, self._connection.total_changes()
        try:
            run("insert into stream (id, name) values (?, ?)", plan.new)
            run("insert into head values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", begun)
        except apsw.ConstraintError:
            raise StaleHead("another program has begun a stream in this store") from None
        sql = (
            "update head set seq = ?, events = ?, hash = ?, position = ?, epoch = ? "
            "where stream = ? and seq = ? and hash = ? and epoch = ?"
        )
        self._write_rows("head", sql, moved, new, old)
        if self._connection.total_changes() - count != len(plan.new) + len(begun) + len(moved):
            raise StaleHead("another program has written to a stream of this store")

    def _write_done(self, plan: _HeadPlan) -> None:
        try:
            self._write_rows("done", "insert into done (key, stream, seq) values (?, ?, ?)", plan.done, plan.done)
        except apsw.ConstraintError:
            raise RepeatedId("a command of the batch has an id that its person has used before") from None

    def _write_snapshot(self, snapshot: NewSnapshot, rows: Sequence[Row], plan: _HeadPlan) -> None:
        heads = self._heads_of(snapshot, rows, plan)
        position = max((head.position for head in heads.values()), default=0)
        run = self._connection.execute
        written = msgspec.msgpack.encode(heads)
        digest = snapshot_digest(snapshot.form, written, snapshot.body)
        sql = "insert or replace into snapshot (position, form, heads, body, digest) values (?, ?, ?, ?, ?)"
        run(sql, (position, snapshot.form, written, snapshot.body, digest))
        run(
            "delete from snapshot where position not in (select position from snapshot order by position desc limit ?)",
            (SNAPSHOTS,),
        )

    def _heads_of(self, snapshot: NewSnapshot, rows: Sequence[Row], plan: _HeadPlan) -> dict[Stream, StoredHead]:
        """The heads that a snapshot includes: those after some row of the batch, or the snapshot is wrong."""
        heads = {name: row.head for name, row in self._held.items()}
        wanted = dict(snapshot.heads)
        if {name: head.seq for name, head in heads.items()} == wanted:
            return heads
        for row, entry in zip(rows, plan.entries, strict=True):
            epoch = plan.streams[row.stream].head.epoch
            heads[row.stream] = StoredHead(row.seq, row.events, row.hash, entry[0], epoch)
            if wanted.get(row.stream) == row.seq and {name: head.seq for name, head in heads.items()} == wanted:
                return heads
        raise AssertionError(f"the snapshot is of no moment of this batch: {wanted}")

    def _run(self, statement: Statement) -> None:
        count = self._connection.total_changes()
        try:
            self._connection.execute(statement.sql, tuple(statement.params))
        except apsw.ConstraintError as error:
            raise StaleRow(f"a statement of the batch breaks a constraint: {error}") from None
        changes = self._connection.total_changes() - count
        if statement.changes is not None and changes != statement.changes:
            raise StaleRow(f"a statement of the batch changed {changes} rows, not {statement.changes}")

    # ------------------------------------------------------------------------------------- housekeeping

    def do_idle_work(self) -> None:
        """Write the WAL back into the database file when it is long."""
        with self._lock:
            self._require_running()
            self._check_file()
            if self._log_pages >= LONG_LOG or self._must_empty:
                self._write_back()

    def backup(self, path: Path) -> None:
        """Copy the current store into a new file, while it is being written."""
        copy_database(self.path, path, vfs=self._vfs)

    def reader(self) -> SqliteReads:
        """A connection of its own for another thread."""
        return SqliteReads(connect(self.path, vfs=self._vfs, to_write=False), self._name)

    def close(self) -> None:
        """Write the WAL back and close; if somebody still reads, it stays for the next start.

        `StoreUnavailable` if the database is no longer the file at its path.
        """
        with self._lock:
            try:
                if not self._stopped:
                    self._check_file()
                if not self._stopped and self._empty_log():
                    self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)  # removes the empty WAL
            finally:
                self._stop("is closed")
                self._file_lock.release()
