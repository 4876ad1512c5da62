"""A store that holds the journal of a house, made without serving one; and what a verification of it finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from baccarat.record.entry import ActRecord
from baccarat.record.journal import JournalLine, JournalReader
from baccarat.serve.runtime.history_check import HistoryCheck
from baccarat.serve.runtime.recovery import recover, take_snapshot
from baccarat.serve.runtime.resume_point import ResumePoint
from baccarat.serve.store import open_reader
from baccarat.serve.store.base import Batch, Row, Store
from baccarat.serve.store.sqlite import SqliteStore


def rows_of(lines: Iterable[bytes]) -> list[Row]:
    """The rows of a journal's entries."""
    reader, rows = JournalReader(), list[Row]()
    for line in reader.read(enumerate(lines, start=1)):
        if isinstance(line, JournalLine):
            entry = line.entry
            id_, who = (entry.id, entry.who or "") if isinstance(entry, ActRecord) else ("", "")
            events = reader.heads[entry.stream].events
            rows.append(Row(entry.stream, entry.seq, line.body, line.hash, events, id_, who))
    return rows


def stored_in(store: Store, rows: Sequence[Row], *, at_once: int = 50) -> None:
    """Store rows, batch by batch."""
    for first in range(0, len(rows), at_once):
        store.append(Batch(rows=rows[first : first + at_once]))


def store_of(path: Path, lines: Iterable[bytes], *, first: int | None = None) -> Path:
    """A store with the first entries of a journal; without a number, with all of them."""
    with closing(SqliteStore.open(path)) as store:
        stored_in(store, rows_of(lines)[:first])
    return path


def snapshot_in(store: Store) -> None:
    """Store a snapshot of the house as it stands."""
    found = recover(store)
    assert found is not None
    store.append(Batch(snapshot=take_snapshot(found.rules, found.state, found.heads, found.logs)))


def verified(path: Path, point: ResumePoint | None = None, *, compares_bytes: bool = True) -> HistoryCheck:
    """A finished verification of the store in a file."""
    return verified_at(str(path), point, compares_bytes=compares_bytes)


def verified_at(address: str, point: ResumePoint | None = None, *, compares_bytes: bool = True) -> HistoryCheck:
    """A finished verification of the store at an address."""
    with closing(open_reader(address)) as reads:
        check = HistoryCheck(reads, point)
        if compares_bytes:
            for _ in check.compare_bytes():
                pass
        for _ in check.decide():
            pass
        return check
