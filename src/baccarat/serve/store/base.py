"""The store of a house: what it guarantees on every database, and the values that go in and come out.

A store holds *streams* of entries (`record/entry.py`), each with a *head*, its last entry. What is added together is
one *batch*, and a batch is one transaction: when `append` returns, all of it is on the disk; when it raises, none of it
may be relied on. A batch names the number of every entry, and is refused whole if a head has moved meanwhile.

A store is synchronous. One thread writes; any other thread reads through a `StoreReader` of its own (`Store.reader`),
which sees what is durable and nothing else.

Storage errors are final: after a failed write or sync nobody knows what is on the disk, so nothing is retried. The
store stops (`StoreUnavailable`), the program ends, and the next start begins with what is really on the disk. A lost
connection to a server (`NodeCutOff`) is no storage error; it ends the opening of the house, and not the program, and
the next opening begins in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH

PAGE = 500
"""How many entries are read at a time where all of a stream is read."""
Value = None | int | float | str | bytes
"""What a column holds."""


class StoreError(Exception):
    """A store that cannot be opened, or whose content is damaged: one sentence says what is wrong and what to do."""


class StoreUnreachable(StoreError):  # noqa: N818
    """A store that cannot be opened because its server does not answer: later it may."""


class StoreUnavailable(Exception):  # noqa: N818
    """The store had a storage error, or is closed: nothing more is written or read."""


class NodeCutOff(StoreUnavailable):
    """The connection to the server of a store is lost, or the lease on it.

    The stored content is sound, but whether the last write arrived is unknown: nothing is sent again, and the
    house is reopened from what is stored.
    """


class NotAppended(Exception):  # noqa: N818
    """A batch that contradicts what is stored: nothing of it was written, and the store continues."""


class StaleHead(NotAppended):
    """A stream's head is not the one that the batch expects: another writer has written, or has a later epoch."""


class NotOwner(StaleHead):
    """A stream belongs to another writer, or to this one in another epoch: it was taken over."""


class RepeatedId(NotAppended):
    """A command with this id from this person is stored already."""


class StaleRow(NotAppended):
    """A statement of the batch changed other rows than it expects, or broke a constraint of its table."""


# ------------------------------------------------------------------------------------------------ values


class StoredHead(msgspec.Struct, frozen=True, gc=False):
    """The end of a stream: its last entry, and how many events it has had."""

    seq: int = -1
    events: int = 0
    hash: bytes = NO_HASH
    position: int = 0
    """The position of the last entry among the entries of all streams; 0 before the first."""
    epoch: int = 0
    """Which of its owners wrote last; always 0 if one process holds the whole store."""


NOT_BEGUN = StoredHead()
"""The head of a stream that does not exist."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """An entry to be stored, encoded already."""

    stream: Stream
    seq: int
    body: bytes
    hash: bytes
    """`hash_after(hash of the entry before, body)`: checked by the store."""
    events: int
    """How many events the stream has had including this entry's."""
    id: str = ""
    """The id of the command, by which a repeat is recognized; empty if it has none."""
    who: str = ""
    """Whose id it is."""


class StoredEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry as it is stored: exactly the bytes that went in."""

    stream: Stream
    seq: int
    body: bytes
    hash: bytes
    position: int


class AnsweredAt(msgspec.Struct, frozen=True, gc=False):
    """The place of a command's record, from which a repeat is answered."""

    stream: Stream
    seq: int


class NewSnapshot(msgspec.Struct, frozen=True):
    """The whole house after some entry of the batch, usually its last."""

    form: str
    """Which program can read it."""
    body: bytes
    heads: Mapping[Stream, int]
    """The number of the last entry of every stream that it includes: exactly what is stored up to that entry."""


class StoredSnapshot(msgspec.Struct, frozen=True):
    """The house after the entry at a position."""

    position: int
    form: str
    heads: dict[Stream, StoredHead]
    body: bytes


class SealedRow(msgspec.Struct, frozen=True, gc=False):
    """A secret at rest: the seed of a shoe, or a trigger of a link, sealed under a key that is not in the store."""

    stream: Stream
    name: str
    """Which secret of the stream, such as the number of the shoe."""
    sealed: bytes


class CheckpointRow(msgspec.Struct, frozen=True, gc=False):
    """A signed note of how many entries a stream had, and their root."""

    stream: Stream
    size: int
    note: bytes
    edge: bytes = b""
    """The roots of the complete subtrees at this size, from which later growth is proved; empty in old rows."""


class NameRow(msgspec.Struct, frozen=True, gc=False):
    """One entry of the directory: the id that records contain, its salt, and the name or remark itself."""

    id: str
    salt: bytes
    text: str


class Statement(msgspec.Struct, frozen=True):
    """A statement on tables that the store itself does not use, with `?` for each parameter."""

    sql: str
    params: Sequence[Value] = ()
    changes: int | None = None
    """How many rows it must change; otherwise the whole batch is refused (`StaleRow`)."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored together, atomically."""

    rows: Sequence[Row] = ()
    epochs: Mapping[Stream, int] = {}
    """The epoch in which its writer owns a stream; the batch is refused if the stream has another."""
    read_set: Mapping[Stream, int] = {}
    """Streams that were only read, each with its last known entry; the batch is refused if one has grown since."""
    snapshot: NewSnapshot | None = None
    checkpoints: Sequence[CheckpointRow] = ()
    seals: Sequence[SealedRow] = ()
    """Secrets to store; one of the same name is replaced, as when keys are changed."""
    names: Sequence[NameRow] = ()
    settings: Mapping[str, str] = {}
    statements: Sequence[Statement] = ()


# ----------------------------------------------------------------------------------------------- reading


class Reads(Protocol):
    """The queries of a store; every answer is durable."""

    def heads(self) -> dict[Stream, StoredHead]:
        """The head of each stream."""

    def entries(self, stream: Stream, *, after: int = -1, limit: int = 1000) -> list[StoredEntry]:
        """The next entries of a stream after a number, compressed or not; empty if there are none."""

    def entry(self, stream: Stream, seq: int) -> StoredEntry | None:
        """One entry; None if there is none, or if it was dropped."""

    def tail(
        self, heads: Mapping[Stream, StoredHead], *, until: Mapping[Stream, StoredHead] | None = None, page: int = PAGE
    ) -> Iterator[StoredEntry]:
        """All entries after these heads in the order in which they were written; other streams from their start.

        If heads are given in `until`, only up to these, and only of their streams. `page` entries of each stream are
        read at a time. Each follows from the one before it in its stream, or this is a `StoreError`.
        """

    def answer(self, id_: str, who: str) -> AnsweredAt | None:
        """The place of the command to which a person gave this id; None if there is none."""

    def newest_id(self) -> str:
        """How the newest id of a command begins: sixteen hexadecimal digits of a UUID, most of them its time."""

    def latest_snapshot(self) -> StoredSnapshot | None:
        """The last snapshot; None before the first."""

    def sealed_secret(self, stream: Stream, name: str) -> bytes | None:
        """A sealed secret."""

    def all_sealed(self) -> list[SealedRow]:
        """Every sealed secret."""

    def checkpoints(self, stream: Stream, *, after: int = -1, limit: int = 1000) -> list[CheckpointRow]:
        """The checkpoints of a stream with sizes above a number, smallest first."""

    def latest_checkpoint(self, stream: Stream) -> CheckpointRow | None:
        """The checkpoint of the largest size."""

    def setting(self, key: str) -> str | None:
        """A setting of the house."""

    def names(self) -> list[NameRow]:
        """The whole directory, in the order in which it was written."""

    def read(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """The rows of a query on tables that the store itself does not use."""


def all_entries(reads: Reads, stream: Stream, *, after: int = -1) -> Iterator[StoredEntry]:
    """The entries of a stream after a number, to its end, read a page at a time."""
    while page := reads.entries(stream, after=after, limit=PAGE):
        yield from page
        after = page[-1].seq


class StoreReader(Reads, Protocol):
    """Reads on a connection of its own, from any one thread at a time."""

    def cut(self) -> None:
        """From any thread: abort what is being read, and read nothing more (`StoreUnavailable`)."""

    def close(self) -> None:
        """Give the connection back."""


class Store(Reads, Protocol):
    """A store that one thread of one process writes."""

    @property
    def id(self) -> bytes:
        """Sixteen bytes that identify the store."""

    @property
    def system_id(self) -> str:
        """What tells the server of the store, with its standbys, from all others; empty if it is a file, or unknown."""

    def append(self, batch: Batch) -> None:
        """Store a batch: it is on the disk when this returns. `NotAppended`, `StoreUnavailable`."""

    def do_idle_work(self) -> None:
        """Do what can wait until answers are sent, such as writing the WAL back into the database file."""

    def archive(self, stream: Stream, through: int, *, most: int = 256) -> int:
        """Compress entries of a closed shoe, up to a number, oldest first; returns how many, 0 when all are compressed.

        At most `most` per call, so that no commit waits long for it: call it again until it returns 0. Only what the
        latest snapshot includes is compressed, so that recovery need not decompress anything.
        """

    def drop_before(self, stream: Stream, seq: int) -> int:
        """Delete the entries of a stream before a number; returns how many. Its head and the ids of its commands stay.

        For practice tables only. What the latest snapshot does not include is never dropped.
        """

    def erase(self, ids: Sequence[str]) -> int:
        """Erase names and remarks; returns how many there were.

        Afterwards they are in no file of the store. But while somebody reads an older state, as a backup does, they
        stay in the WAL, until the next `do_idle_work` that finds nobody reading.
        """

    def backup(self, path: Path) -> None:
        """Copy the current store into a new file, while it is being written."""

    def reader(self) -> StoreReader:
        """A connection of its own for another thread."""

    def close(self) -> None:
        """Close it; what was appended is durable already."""
