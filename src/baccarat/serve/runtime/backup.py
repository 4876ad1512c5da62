"""Copies of a house: made while it is served, checked to the last hash, and restored only into a new file.

A copy is one state of the store. Restoring it reports how far it reaches, because everything later is missing, and
which shoes were in play then, because their cards may have been seen since.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.durable import sync_folder
from baccarat.record.entry import NO_HASH, ActRecord, hash_after, read_body
from baccarat.record.log import Frontier
from baccarat.record.note import UnreadableNote, read_note
from baccarat.record.origin import split_successor
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.store.base import Reads, StoreError, StoreUnavailable, all_entries
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.lock import StoreLock

if TYPE_CHECKING:
    from baccarat.serve.store.sqlite_reads import SqliteReads

Look = Callable[[Reads], None]


class CopyExtent(msgspec.Struct, frozen=True, kw_only=True):
    """How far a copy of a house reaches."""

    streams: dict[Stream, int]
    """How many entries each stream has."""
    entries: int
    signed: int
    """How many streams have a checkpoint that matches."""
    last_at: int
    """When the last act was recorded, in microseconds UTC; 0 if there is none."""
    in_play: dict[str, int]
    """The tables whose shoe was in play, with the shoe's number, counted from 1."""
    is_authenticated: bool = False
    """Whether every table is as the house wrote it, by its content sums; False without the sealing key."""


class BackupGap(msgspec.Struct, frozen=True, kw_only=True):
    """What a later checkpoint covers but a copy does not have."""

    origin: str
    entries: int


# ---------------------------------------------------------------------------------------------- checking


def check_store(reads: Reads) -> CopyExtent:
    """Check everything that a store holds; `StoreError` if a hash, a head or a checkpoint does not match."""
    found = recover(reads)
    streams, last, signed = {}, 0, 0
    for stream in sorted(reads.heads()):
        size, at, is_signed = _check_stream(reads, stream)
        streams[stream], last, signed = size, max(last, at), signed + is_signed
    in_play = {
        name: state.shoe.number + 1
        for name, state in (found.state.tables.items() if found is not None else ())
        if state.shoe.loaded or state.shoe.commitment is not None
    }
    return CopyExtent(streams=streams, entries=sum(streams.values()), signed=signed, last_at=last, in_play=in_play)


def _check_stream(reads: Reads, stream: Stream) -> tuple[int, int, bool]:
    """How many entries a stream has, the time of the last, and whether its last checkpoint matches."""
    head, note = reads.heads()[stream], reads.latest_checkpoint(stream)
    stated = read_checkpoint(read_note(note.note)) if note is not None else None
    log, is_signed = Frontier(), False
    seq, hash_, at = -1, NO_HASH, 0
    for stored in all_entries(reads, stream):
        body, kept, number = stored.body, stored.hash, stored.seq
        is_first_kept = seq == -1 and number > 0  # a practice table drops what came before
        if not is_first_kept and (number != seq + 1 or hash_after(hash_, body) != kept):
            raise StoreError(f"{stream}: entry {number} does not follow from the one before it")
        seq, hash_ = number, kept
        log.append(body)
        if stated is not None and stated.size == seq + 1 and log.size == stated.size:
            if log.root() != stated.root:
                raise StoreError(f"{stream}: the first {stated.size} entries are not those that {stated.origin} signed")
            is_signed = True
        entry = read_body(body)
        at = max(at, entry.at) if isinstance(entry, ActRecord) else at
    if (seq, hash_) != (head.seq, head.hash):
        raise StoreError(f"{stream}: ends with entry {seq}, but its head is entry {head.seq}")
    if stated is not None and stated.size > head.seq + 1:
        raise StoreError(f"{stream}: has {head.seq + 1} entries, but {stated.origin} has signed {stated.size}")
    return head.seq + 1, at, is_signed


def missing_since(reads: Reads, seen: Sequence[Checkpoint], origin_of: Callable[[Stream], str]) -> list[BackupGap]:
    """What checkpoints from elsewhere cover but this store does not have; `StoreError` at a fork."""
    found = []
    by_origin = {origin_of(stream): stream for stream in reads.heads()}
    for stated in seen:
        stream = by_origin.get(stated.origin) or by_origin.get(split_successor(stated.origin)[0])
        log = Frontier()
        for stored in all_entries(reads, stream) if stream is not None else ():
            if log.size < stated.size:
                log.append(stored.body)
        if log.size < stated.size:
            found.append(BackupGap(origin=stated.origin, entries=stated.size - log.size))
        elif log.root() != stated.root:
            raise StoreError(f"{stated.origin}: the first {stated.size} entries are not those of the checkpoint")
    return found


# ---------------------------------------------------------------------------------------------- copying


@contextmanager
def open_reads(path: Path, *, is_immutable: bool = False) -> Iterator[SqliteReads]:
    """The store in a file, to be read while another process may write it; `StoreError` says why that is impossible.

    One that is certainly not open anywhere, and has no log, is `is_immutable`: then no file is put next to it.
    """
    import apsw  # noqa: PLC0415  only for a store on SQLite

    from baccarat.serve.store.sqlite_open import check_contents, connect_to_read  # noqa: PLC0415
    from baccarat.serve.store.sqlite_reads import SqliteReads  # noqa: PLC0415

    connection = connect_to_read(path, is_immutable=is_immutable)
    reads = SqliteReads(connection, str(path))
    try:
        check_contents(connection, path)
        yield reads
    except (StoreUnavailable, apsw.Error) as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None
    except UnreadableNote as error:
        raise StoreError(f"{path}: a checkpoint in it cannot be read: {error}") from None
    finally:
        reads.close()


def back_up(source: Path, target: Path, *, keys: ContentKeys | None = None) -> CopyExtent:
    """Copy a store, served or not, into a new file, and check the copy; a copy that fails the check is deleted.

    Only with the sealing key of the house can all its tables be checked.
    """
    with open_reads(source):
        return _copy_and_check(source, target, keys)


def restore(
    source: Path, target: Path, look: Look = lambda _reads: None, *, keys: ContentKeys | None = None
) -> CopyExtent:
    """Restore a copy as the store in a new file; nothing is overwritten, and nothing is written next to the copy.

    `look` reads what is about to be restored; if it raises `StoreError`, nothing is restored.
    """
    from baccarat.serve.store.sqlite_open import companion_path, examine  # noqa: PLC0415

    StoreLock(target).check_free()
    for each in (target, companion_path(target, "-wal"), companion_path(target, "-journal")):
        if each.exists():
            raise StoreError(f"{each}: already exists; a store is never overwritten: move it away first")
    if not source.exists():
        raise StoreError(f"{source}: there is no such file")
    examine(source)
    return _copy_and_check(source, target, keys, look)


def _copy_and_check(
    source: Path, target: Path, keys: ContentKeys | None, look: Look = lambda _reads: None
) -> CopyExtent:
    from baccarat.serve.store.sqlite_open import companion_path  # noqa: PLC0415

    if target.exists():
        raise StoreError(f"{target}: already exists; nothing is overwritten")
    if not target.resolve().parent.is_dir():
        raise StoreError(f"{target}: there is no folder {target.parent}; create it first")
    made = target.with_name(f".{target.name}.{os.getpid()}.checked")
    try:
        _copy(source, made)
        with open_reads(made) as reads:
            reads.check_pages()
            is_authenticated = keys is not None and reads.check_content(keys)
            found = replace(check_store(reads), is_authenticated=is_authenticated)
            look(reads)
        os.link(made, target)  # fails if the file exists meanwhile, and never overwrites
        sync_folder(target.resolve().parent)
    except FileExistsError:
        raise StoreError(f"{target}: already exists; nothing is overwritten") from None
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        for each in (made, companion_path(made, "-wal"), companion_path(made, "-shm")):
            each.unlink(missing_ok=True)
    return found


def _copy(source: Path, made: Path) -> None:
    """Copy a store with a WAL through SQLite, and one without as a plain file, so that nothing is put next to it."""
    from baccarat.serve.store.sqlite_backup import copy_database  # noqa: PLC0415
    from baccarat.serve.store.sqlite_open import companion_path, make_private  # noqa: PLC0415

    if companion_path(source, "-wal").exists():
        copy_database(source, made)
        return
    make_private(made)
    with source.open("rb") as read, made.open("r+b") as write:
        shutil.copyfileobj(read, write)
        write.flush()
        os.fsync(write.fileno())
