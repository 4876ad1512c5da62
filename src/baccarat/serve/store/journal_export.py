"""Exports: what the store holds, as the journal files that `baccarat audit`, `bundle` and the verifiers read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from baccarat.house.stream import Stream
from baccarat.record.journal import write_line, write_note
from baccarat.record.note import read_note
from baccarat.serve.store.base import Reads, StoredHead, all_entries

PAGE = 500
NOTHING_BEFORE: Mapping[Stream, StoredHead] = {}
NOTHING_NOTED: Mapping[Stream, int] = {}


def signed_journal(
    reads: Reads,
    *,
    after: Mapping[Stream, StoredHead] = NOTHING_BEFORE,
    noted: Mapping[Stream, int] = NOTHING_NOTED,
    without: Collection[Stream] = (),
) -> Iterator[bytes]:
    """The journal of the whole house, line by line, in the order of decision: every stream, with each checkpoint after
    the last entry that it covers.

    What another file has already is left out: the entries up to those in `after`, and checkpoints of up to the sizes in
    `noted`. `StoreError` if what follows there was dropped, or does not follow from it.
    """
    heads = reads.heads()
    waiting = {each: _notes(reads, each, noted.get(each, -1)) for each in heads if each not in without}
    next_note = {stream: next(notes, None) for stream, notes in waiting.items()}
    # Checkpoints that were signed later, of entries that the other file has.
    for stream, head in after.items():
        while (note := next_note.get(stream)) is not None and note[0] <= head.seq + 1:
            yield note[1]
            next_note[stream] = next(waiting[stream], None)
    for entry in reads.tail({**after, **{stream: heads[stream] for stream in without}}):
        if entry.stream in without:
            continue  # it has grown meanwhile
        yield write_line(entry.body, entry.hash)
        note = next_note.get(entry.stream)
        while note is not None and note[0] == entry.seq + 1:
            yield note[1]
            note = next_note[entry.stream] = next(waiting[entry.stream], None)


def stream_journal(reads: Reads, stream: Stream) -> Iterator[bytes]:
    """The journal of one stream, line by line, with each checkpoint after the last entry that it covers."""
    notes = _notes(reads, stream, -1)
    note = next(notes, None)
    for entry in all_entries(reads, stream):
        yield write_line(entry.body, entry.hash)
        while note is not None and note[0] == entry.seq + 1:
            yield note[1]
            note = next(notes, None)


def dropped_streams(reads: Reads) -> dict[Stream, int]:
    """The streams that lack their beginning, and the first entry that is stored of each: tables of a practice house."""
    first = {name: reads.entries(name, after=-1, limit=1) for name in sorted(reads.heads())}
    return {name: page[0].seq for name, page in first.items() if page and page[0].seq > 0}


def _notes(reads: Reads, stream: Stream, after: int) -> Iterator[tuple[int, bytes]]:
    while rows := reads.checkpoints(stream, after=after, limit=PAGE):
        for row in rows:
            yield row.size, write_note(read_note(row.note), stream)
            after = row.size
