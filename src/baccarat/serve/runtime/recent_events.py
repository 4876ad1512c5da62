"""The last events of a table, by which corrections name what they correct."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.engine.redecide import read_events
from baccarat.house.stream import Stream
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.serve.store.base import Reads
from baccarat.table.base import Event

PAGE = 500
MOST_EVENTS = 1_000
"""How many events of a table are in memory, some twenty rounds; older ones are looked up in the store."""


class RecentEventLog:
    """The last events of a table, by number; older ones come from the store."""

    def __init__(self, stream: Stream, first: int, reads: Reads) -> None:
        self.stream, self.first, self._reads = stream, first, reads
        self.events: list[Event] = []

    def add(self, events: Sequence[Event]) -> None:
        """Add the events that have just happened."""
        self.events.extend(events)
        if len(self.events) > 2 * MOST_EVENTS:
            gone = len(self.events) - MOST_EVENTS
            del self.events[:gone]
            self.first += gone

    def event_at(self, number: int) -> Event | None:
        """The event of a number, from the beginning of the table."""
        index = number - self.first
        if index >= 0:
            return self.events[index] if index < len(self.events) else None
        if number < 0:
            return None
        if -index <= MOST_EVENTS and self._fetch(number):  # a reader that needs one needs those after it too
            return self.events[number - self.first]
        found = self._read_stored(number)
        return found[1][number - found[0].event] if found is not None else None

    def _fetch(self, number: int) -> bool:
        """Load every event from a number on; false if some were dropped."""
        found = self._read_stored(number)
        if found is None:
            return False
        record, events = found
        first, fetched, last = record.event, list(events), record.seq
        while first + len(fetched) < self.first:
            rows = self._reads.entries(self.stream, after=last, limit=PAGE)
            if not rows or rows[0].seq != last + 1:
                return False
            for row in rows:
                entry = read_body(row.body)
                if isinstance(entry, ActRecord) and entry.refused is NO_BYTES:
                    fetched += read_events(entry) or ()
            last = rows[-1].seq
        self.events[:0] = fetched[: self.first - first]
        self.first = first
        return True

    def _read_stored(self, number: int) -> tuple[ActRecord, Sequence[Event]] | None:
        record = record_of_event(self._reads, self.stream, number)
        events = read_events(record) if record is not None else None
        return (record, events) if record is not None and events else None


def record_of_event(reads: Reads, stream: Stream, number: int) -> ActRecord | None:
    """The record that holds an event: a binary search, since records are in the order of their events."""
    head = reads.heads().get(stream)
    low, high = 1, head.seq if head is not None else 0
    while low <= high:
        middle = (low + high) // 2
        found = reads.entry(stream, middle)
        record = read_body(found.body) if found is not None else None
        if not isinstance(record, ActRecord) or record.event + len(record.events) <= number:
            low = middle + 1
        elif record.event > number:
            high = middle - 1
        else:
            return record
    return None
