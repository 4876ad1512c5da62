"""A journal on disk: a file that is only ever appended to, by one writer, and synced before anything is answered.

A write or a sync that fails is never retried: after a failed sync nobody knows what is on the disk, so the file is
closed to writing and the caller stops. What a power cut left half-written was never answered; it is moved into a file
of its own when the journal is opened for writing again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import BufferedReader, FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from baccarat.house.stream import Stream
from baccarat.record import durable
from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.entry import MOST_BYTES, ActRecord, Entry, body_of, hash_after
from baccarat.record.journal import (
    MOST_LINE,
    JournalFault,
    JournalLine,
    JournalReader,
    NoteLine,
    StreamHead,
    journal_lines,
    write_line,
    write_note,
)
from baccarat.record.key import Signer
from baccarat.record.log import Frontier
from baccarat.record.note import SignedNote

LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""Not every system has such locks; without them, a second writer is found by the chain of hashes."""


class JournalStopped(Exception):  # noqa: N818
    """The journal can no longer be written: an act that was not answered may or may not be on the disk."""


class TooLong(ValueError):  # noqa: N818
    """An act that is too long for an entry."""


def read_journal(path: Path) -> Iterator[JournalLine | NoteLine]:
    """The entries and checkpoints of a file; `JournalFault` at the first wrong line, `OSError` if there is no file."""
    with path.open("rb") as file:
        yield from JournalReader().read(journal_lines(file))


@contextmanager
def exclude_writers(path: Path) -> Iterator[None]:
    """Keep other programs from writing a journal meanwhile; `BlockingIOError` if one has it open."""
    if LOCKS is None or not path.exists():
        yield
        return
    with path.open("rb") as file:
        LOCKS.flock(file, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
        yield


def _buffered_lines(file: FileIO) -> Iterator[tuple[int, bytes]]:
    """The lines of an unbuffered file, read through a buffer and not byte by byte."""
    buffered = BufferedReader(file)
    try:
        yield from journal_lines(buffered)
    finally:
        if not file.closed:
            buffered.detach()  # so that the file is not closed with the buffer


class JournalFile:
    """A journal that is being written: opened or begun, appended to, closed."""

    def __init__(self, path: Path, *, sync: bool = True) -> None:
        self.path = path
        self._sync = sync
        self._file: FileIO | None = None
        self.heads: dict[Stream, StreamHead] = {}
        self.logs: dict[Stream, Frontier] = {}
        self._signed: dict[Stream, int] = {}
        """How many entries the last checkpoint of each stream covers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> Iterator[JournalLine | NoteLine]:
        """Open the file for writing, or begin it, and read it to the end.

        `JournalFault` if something in it is wrong, `BlockingIOError` if another program has it open.
        """
        is_new = not self.path.exists()
        self._file = self.path.open("a+b", buffering=0)
        self._lock()
        if is_new and self._sync:
            durable.sync_folder(self.path.resolve().parent)
        self._file.seek(0)
        reader = JournalReader()
        try:
            for line in reader.read(_buffered_lines(self._file)):
                if isinstance(line, NoteLine):
                    self._signed[line.stream] = line.checkpoint.size
                yield line
        except JournalFault as fault:
            if not fault.half:
                raise
            self._set_aside()
        self.heads, self.logs = reader.heads, reader.logs

    def _lock(self) -> None:
        """Keep every other writer out."""
        assert self._file is not None, "the file is open"
        if LOCKS is None:
            return
        try:
            LOCKS.flock(self._file, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise

    def _set_aside(self) -> None:
        """Move a half-written last line into a new file; it stays in the journal until that file is on disk."""
        assert self._file is not None, "the file is open"
        start = max(0, self._file.seek(0, os.SEEK_END) - MOST_LINE - 1)
        self._file.seek(start)
        end = self._file.read()
        whole = start + end.rfind(b"\n") + 1
        aside = self.path.with_name(f"{self.path.name}.half-written-at-{whole}")
        mode = stat.S_IMODE(os.fstat(self._file.fileno()).st_mode)
        durable.create_beside(aside, end[whole - start :], mode=mode)
        self._file.truncate(whole)
        os.fsync(self._file.fileno())

    def head(self, stream: Stream) -> StreamHead:
        """The head of a stream; an unknown stream has not begun."""
        return self.heads.get(stream) or StreamHead()

    def append(self, *entries: Entry) -> list[JournalLine]:
        """Append entries that belong together: they are on disk when this returns, or none is answered."""
        lines: list[JournalLine] = []
        heads: dict[Stream, StreamHead] = {}
        for entry in entries:
            body, head = body_of(entry), heads.get(entry.stream) or self.head(entry.stream)
            if len(body) > MOST_BYTES:
                raise TooLong(f"the entry has {len(body):,} bytes; a journal holds {MOST_BYTES:,} at most")
            assert entry.seq == head.seq + 1, f"{entry.stream} {entry.seq} cannot follow {head.seq}"
            after = hash_after(head.hash, body)
            if isinstance(entry, ActRecord):
                heads[entry.stream] = StreamHead(entry.seq, head.events + len(entry.events), after, head.opening)
            else:
                heads[entry.stream] = StreamHead(0, 0, after, entry)
            lines.append(JournalLine(0, entry, body, after))
        self._write(b"".join([write_line(line.body, line.hash) for line in lines]))
        self.heads.update(heads)
        for line in lines:
            log = self.logs.get(line.entry.stream)
            if log is None:
                log = self.logs[line.entry.stream] = Frontier()
            log.append(line.body)
        return lines

    def sign(self, stream: Stream, signer: Signer) -> SignedNote:
        """Sign the size and the root of a stream, and append the checkpoint."""
        log = self.logs[stream]
        note = sign_checkpoint(Checkpoint(origin=signer.verifier.name, size=log.size, root=log.root()), signer)
        self._write(write_note(note, stream))
        self._signed[stream] = log.size
        return note

    def sign_grown(self, signers: Callable[[Stream], Signer | None]) -> list[SignedNote]:
        """Sign every stream that has grown since its last checkpoint and has a signer, and append the checkpoints."""
        notes: list[SignedNote] = []
        for stream, log in self.logs.items():
            signer = signers(stream) if log.size > self._signed.get(stream, 0) else None
            if signer is not None:
                notes.append(self.sign(stream, signer))
        return notes

    def _write(self, data: bytes) -> None:
        if self._file is None:
            raise JournalStopped(f"{self.path} is not open for writing")
        try:
            written = self._file.write(data)
            if written != len(data):
                raise OSError(f"only {written} of {len(data)} bytes were written")
            if self._sync:
                os.fsync(self._file.fileno())
        except OSError as error:
            self.close()
            raise JournalStopped(f"{self.path}: {error.strerror or error}; nothing more is written to it") from error
        except BaseException:  # interrupted: nobody knows whether the line is there, so none may follow it
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file is not None:
            file.close()
