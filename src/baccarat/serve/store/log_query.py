"""Queries of a store, in SQL that both databases understand: one log, followed back from its heads.

How a query is executed and what a consistent read is differ between databases: those are abstract here.
"""

from __future__ import annotations

import hashlib
import heapq
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from operator import attrgetter
from threading import RLock
from typing import Any, NamedTuple, TypeVar

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store.archive import decompress
from baccarat.serve.store.base import (
    NOT_BEGUN,
    AnsweredAt,
    CheckpointRow,
    NameRow,
    SealedRow,
    StoredEntry,
    StoredHead,
    StoredSnapshot,
    StoreError,
    StoreUnavailable,
    Value,
)

T = TypeVar("T")

LANDMARK = 64
"""One in this many entries of a stream can be found without going back from the head."""
SNAPSHOTS = 2
"""How many snapshots are stored: the last, and the one before it as a reserve."""
PAGE = 500
"""How many entries are read per page. Between pages no transaction is open, so that the WAL can be reset."""
_is_uuid = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch


def command_key(id_: str, who: str) -> bytes:
    """The key of a command: the beginning of its id, which is the time, and then a digest of the id and the person.

    Eight bytes of digest are enough after the time and random bits of a UUID. Other ids begin with zeros and have more.
    """
    digest = hashlib.sha256(f"{id_}\n{who}".encode()).digest()
    if _is_uuid(id_):
        return bytes.fromhex(id_[:8] + id_[9:13] + id_[14:18]) + digest[:8]
    return bytes(8) + digest[:24]


def snapshot_digest(form: str, heads: bytes, body: bytes) -> bytes:
    """A digest that shows whether a snapshot is the one that was stored."""
    return hashlib.sha256(b"%s\n%d\n%s%s" % (form.encode(), len(heads), heads, body)).digest()


class StreamRow(msgspec.Struct, frozen=True, gc=False):
    """A stream as the database has it."""

    number: int
    head: StoredHead
    first_seq: int = 0
    first_before: bytes = NO_HASH
    log_seq: int = 0

    def without_oldest(self, gone: Sequence[StoredEntry]) -> StreamRow:
        """The stream once these entries, its oldest, are dropped."""
        first = gone[-1].seq + 1
        return StreamRow(self.number, self.head, first, gone[-1].hash, max(self.log_seq, first))


def split_at(entries: Sequence[StoredEntry], seq: int) -> tuple[list[StoredEntry], list[StoredEntry]]:
    """The entries before a number, and the others."""
    return [each for each in entries if each.seq < seq], [each for each in entries if each.seq >= seq]


_ENTRIES = """
with recursive back (position, stream, seq, previous, hash, body) as (
    select position, stream, seq, previous, hash, body from entry where position = ?
    union all
    select entry.position, entry.stream, entry.seq, entry.previous, entry.hash, entry.body
    from back join entry on entry.position = back.previous
    where back.seq > ? and entry.stream = back.stream and entry.seq = back.seq - 1
)
select stream, seq, body, hash, position from back where seq <= ?
"""
"""Follows a stream back from a position to a number; entries above another number are skipped.

Numbers must fall by one at each step, or a damaged store could make this loop for ever."""


class LogReads(ABC):
    """The queries of `base.Reads` on one connection, with `?` for each parameter."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._stopped = ""
        self._fault: type[StoreUnavailable] = StoreUnavailable
        """What is raised once it has stopped."""
        self._lock = RLock()
        self._is_cut = False

    def _check_cut(self) -> None:
        """`StoreUnavailable` if nothing more is to be read on this connection."""
        if self._is_cut:
            raise StoreUnavailable(f"{self._name}: the house is being closed, and nothing more is read")

    @abstractmethod
    def _rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    @abstractmethod
    def _moment(self) -> AbstractContextManager[None]:
        """Several queries of one state of the store."""

    @abstractmethod
    def _stop(self, why: str) -> StoreUnavailable:
        """No more reads or writes."""

    def _require_running(self) -> None:
        if self._stopped:
            raise self._fault(f"{self._name}: {self._stopped}")

    def _typed_rows(self, kind: type[T], sql: str, params: Sequence[Value] = ()) -> list[T]:
        """The rows of a query, each of this type; in a damaged store anything may be anywhere."""
        try:
            return msgspec.convert(self._rows(sql, params), list[kind])  # type: ignore[valid-type]
        except msgspec.ValidationError as error:
            raise StoreError(f"{self._name}: is damaged: {error}; restore a backup (baccarat restore)") from None

    # --------------------------------------------------------------------------------------- questions

    def read(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """The rows of a query."""
        assert sql.lstrip().lower().startswith(("select", "with")), f"a query begins with select: {sql}"
        return self._rows(sql, params)

    def heads(self) -> dict[Stream, StoredHead]:
        """The head of each stream."""
        return {name: row.head for name, row in self._streams().items()}

    def entries(self, stream: Stream, *, after: int = -1, limit: int = 1000) -> list[StoredEntry]:
        """The next entries of a stream after a number."""
        with self._moment():
            row = self._stream(stream)
            if row is None or limit <= 0:
                return []
            first = max(after + 1, row.first_seq)
            last = min(first + limit - 1, row.head.seq)
            found = list[StoredEntry]()
            while first <= last:
                if first < row.log_seq:
                    part = [entry for entry in self._piece(stream, row.number, first) if first <= entry.seq <= last]
                else:
                    part = self._from_log(stream, row, first, last)
                found += part
                first = part[-1].seq + 1
            return found

    def entry(self, stream: Stream, seq: int) -> StoredEntry | None:
        """One entry."""
        found = self.entries(stream, after=seq - 1, limit=1) if seq >= 0 else []
        return found[0] if found and found[0].seq == seq else None

    def tail(
        self, heads: Mapping[Stream, StoredHead], *, until: Mapping[Stream, StoredHead] | None = None, page: int = PAGE
    ) -> Iterator[StoredEntry]:
        """All entries after these heads, in the order in which they were written."""
        streams = self._streams()
        for name, head in heads.items():
            if head.seq > (streams[name].head if name in streams else NOT_BEGUN).seq:
                raise StoreError(f"{self._name}: {name} ends before entry {head.seq}, which a snapshot includes")
        behind = {name: heads.get(name, NOT_BEGUN) for name in streams}
        for name, head in behind.items():
            if head.seq + 1 < streams[name].first_seq:
                raise StoreError(
                    f"{self._name}: {name} begins with entry {streams[name].first_seq}, and no snapshot includes "
                    f"what was dropped before it"
                )
        ends = {name: row.head for name, row in streams.items()} if until is None else until
        parts = [self._entries_between(name, head, ends[name], page) for name, head in behind.items() if name in ends]
        return heapq.merge(*parts, key=attrgetter("position"))

    def answer(self, id_: str, who: str) -> AnsweredAt | None:
        """The place of the command to which a person gave this id."""
        sql = "select name, seq from done join stream on stream.id = done.stream where key = ?"
        found = self._typed_rows(tuple[Stream, int], sql, (command_key(id_, who),))
        return AnsweredAt(*found[0]) if found else None

    def newest_id(self) -> str:
        """How the newest id of a command begins."""
        found = self._typed_rows(tuple[bytes], "select key from done order by key desc limit 1")
        return found[0][0][:8].hex() if found else ""

    def latest_snapshot(self) -> StoredSnapshot | None:
        """The last snapshot."""
        sql = "select position, form, heads, body, digest from snapshot order by position desc limit 1"
        found = self._typed_rows(tuple[int, str, bytes, bytes, bytes], sql)
        if not found:
            return None
        position, form, heads, body, digest = found[0]
        if digest != snapshot_digest(form, heads, body):
            raise StoreError(f"{self._name}: the snapshot at position {position} was changed; restore a backup")
        return StoredSnapshot(position, form, msgspec.msgpack.decode(heads, type=dict[Stream, StoredHead]), body)

    def sealed_secret(self, stream: Stream, name: str) -> bytes | None:
        """A sealed secret."""
        found = self._typed_rows(
            tuple[bytes], "select sealed from sealed where stream = ? and name = ?", (stream, name)
        )
        return found[0][0] if found else None

    def all_sealed(self) -> list[SealedRow]:
        """Every sealed secret."""
        found = self._typed_rows(tuple[Stream, str, bytes], "select stream, name, sealed from sealed")
        return [SealedRow(*row) for row in found]

    def checkpoints(self, stream: Stream, *, after: int = -1, limit: int = 1000) -> list[CheckpointRow]:
        """The checkpoints of a stream with sizes above a number."""
        sql = "select stream, size, note from checkpoint where stream = ? and size > ? order by size limit ?"
        return [CheckpointRow(*row) for row in self._typed_rows(tuple[Stream, int, bytes], sql, (stream, after, limit))]

    def latest_checkpoint(self, stream: Stream) -> CheckpointRow | None:
        """The checkpoint of the largest size."""
        sql = "select stream, size, note from checkpoint where stream = ? order by size desc limit 1"
        found = self._typed_rows(tuple[Stream, int, bytes], sql, (stream,))
        return CheckpointRow(*found[0]) if found else None

    def setting(self, key: str) -> str | None:
        """A setting of the house."""
        found = self._typed_rows(tuple[str], "select value from setting where key = ?", (key,))
        return found[0][0] if found else None

    def names(self) -> list[NameRow]:
        """The whole directory."""
        found = self._typed_rows(tuple[str, bytes, str], "select id, salt, text from name order by number")
        return [NameRow(*row) for row in found]

    def close(self) -> None:
        """Give the connection back."""
        with self._lock:
            self._stop("is closed")

    # ----------------------------------------------------------------------------------------- streams

    def _streams(self) -> dict[Stream, StreamRow]:
        return {each.name: each.row for each in self._typed_rows(_Columns, _STREAMS)}

    def _stream(self, name: Stream) -> StreamRow | None:
        found = self._typed_rows(_Columns, f"{_STREAMS} where name = ?", (name,))
        return found[0].row if found else None

    def _entries_between(
        self, stream: Stream, after: StoredHead, last: StoredHead, page: int = PAGE
    ) -> Iterator[StoredEntry]:
        """The entries of a stream after a head up to another, each checked against the one before it."""
        seq, hash_ = after.seq, after.hash
        while seq < last.seq:
            found = self.entries(stream, after=seq, limit=min(page, last.seq - seq))
            if not found:
                raise StoreError(f"{self._name}: is damaged: {stream} cannot be found by its name")
            for entry in found:
                hash_ = hash_after(hash_, entry.body)
                if entry.seq != seq + 1 or entry.hash != hash_:
                    raise StoreError(f"{self._name}: {stream}: entry {entry.seq} does not follow from entry {seq}")
                seq = entry.seq
                yield entry
        if hash_ != last.hash:
            raise StoreError(f"{self._name}: {stream}: entry {seq} is not the one that its head names")

    def _from_log(self, stream: Stream, row: StreamRow, first: int, last: int) -> list[StoredEntry]:
        """Entries that are not compressed."""
        sql = "select position from landmark where stream = ? and seq >= ? order by seq limit 1"
        landmark = self._typed_rows(tuple[int], sql, (row.number, last))
        start = landmark[0][0] if landmark else row.head.position
        found = self._typed_rows(tuple[int, int, bytes, bytes, int], _ENTRIES, (start, first, last))
        found.reverse()
        if len(found) != last - first + 1 or any(each[0] != row.number for each in found):
            raise StoreError(f"{self._name}: {stream}: some of the entries {first} to {last} are missing")
        return [StoredEntry(stream, *each[1:]) for each in found]

    def _piece(self, stream: Stream, number: int, seq: int) -> list[StoredEntry]:
        """The piece of compressed entries that contains an entry."""
        sql = (
            "select body, first_seq, before, last_seq, last_hash from archive "
            "where stream = ? and last_seq >= ? order by last_seq limit 1"
        )
        found = self._typed_rows(tuple[bytes, int, bytes, int, bytes], sql, (number, seq))
        if not found or found[0][1] > seq:
            raise StoreError(f"{self._name}: {stream}: entry {seq} is neither in the log nor in the archive")
        body, first_seq, before, last_seq, last_hash = found[0]
        return decompress(
            body, stream, first_seq=first_seq, before=before, last_seq=last_seq, last_hash=last_hash
        )  # fmt: skip

    # ------------------------------------------------------------------------------ before something is removed

    def _check_included(self, stream: Stream, seq: int) -> None:
        """Entries may be removed only if the latest snapshot includes them."""
        snapshot = self.latest_snapshot()
        included = NOT_BEGUN if snapshot is None else snapshot.heads.get(stream, NOT_BEGUN)
        assert seq <= included.seq, f"the latest snapshot includes {stream} up to entry {included.seq}, not {seq}"

    def _hash_before(self, held: StreamRow) -> bytes:
        """The hash before the first entry of a stream that is not compressed."""
        if held.log_seq == held.first_seq:
            return held.first_before
        sql = "select last_hash from archive where stream = ? and last_seq = ?"
        ((found,),) = self._typed_rows(tuple[bytes], sql, (held.number, held.log_seq - 1))
        return found


_STREAMS = (
    "select name, id, seq, events, hash, position, epoch, first_seq, first_before, log_seq "
    "from head join stream on stream.id = head.stream"
)


class _Columns(NamedTuple):
    """The columns of that query."""

    name: Stream
    id: int
    seq: int
    events: int
    hash: bytes
    position: int
    epoch: int
    first_seq: int
    first_before: bytes
    log_seq: int

    @property
    def row(self) -> StreamRow:
        head = StoredHead(self.seq, self.events, self.hash, self.position, self.epoch)
        return StreamRow(self.id, head, self.first_seq, self.first_before, self.log_seq)
