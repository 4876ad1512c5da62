"""Exports: what the store holds, as the journal files that `baccarat audit`, `bundle` and the verifiers read."""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.house.stream import Stream
from baccarat.record.journal import write_line, write_note
from baccarat.record.note import read_note
from baccarat.serve.store.base import Reads, all_entries

PAGE = 500


def signed_journal(reads: Reads) -> Iterator[bytes]:
    """The journal of the whole house, line by line, in the order of decision: every stream, with each checkpoint after
    the last entry that it covers."""
    waiting = {stream: _notes(reads, stream) for stream in reads.heads()}
    next_note = {stream: next(notes, None) for stream, notes in waiting.items()}
    for entry in reads.tail({}):
        yield write_line(entry.body, entry.hash)
        note = next_note.get(entry.stream)
        while note is not None and note[0] == entry.seq + 1:
            yield note[1]
            note = next_note[entry.stream] = next(waiting[entry.stream], None)


def stream_journal(reads: Reads, stream: Stream) -> Iterator[bytes]:
    """The journal of one stream, line by line, with each checkpoint after the last entry that it covers."""
    notes = _notes(reads, stream)
    note = next(notes, None)
    for entry in all_entries(reads, stream):
        yield write_line(entry.body, entry.hash)
        while note is not None and note[0] == entry.seq + 1:
            yield note[1]
            note = next(notes, None)


def _notes(reads: Reads, stream: Stream) -> Iterator[tuple[int, bytes]]:
    after = -1
    while rows := reads.checkpoints(stream, after=after, limit=PAGE):
        for row in rows:
            yield row.size, write_note(read_note(row.note), stream)
            after = row.size
