"""The last events of a table, by which corrections name what they correct."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.record.entry import Record, read_body
from baccarat.record.redecide import read_events
from baccarat.serve.store.base import Reads
from baccarat.table.base import Event

MOST_EVENTS = 20_000
"""So many events of a table are at hand, some hundred rounds; what came before is looked up in the store."""


class RecentEvents:
    """The last events of a table, by number; older ones come from the store."""

    def __init__(self, stream: str, first: int, reads: Reads) -> None:
        self.stream, self.first, self._reads = stream, first, reads
        self.events: list[Event] = []

    def add(self, events: Sequence[Event]) -> None:
        """What has just happened."""
        self.events.extend(events)
        if len(self.events) > 2 * MOST_EVENTS:
            gone = len(self.events) - MOST_EVENTS
            del self.events[:gone]
            self.first += gone

    def at(self, number: int) -> Event | None:
        """The event of a number, from the beginning of the table."""
        index = number - self.first
        if index >= 0:
            return self.events[index] if index < len(self.events) else None
        return None if number < 0 else self._stored(number)

    def _stored(self, number: int) -> Event | None:
        """The event in the record that holds it: records are in the order of their events, so halve the way."""
        head = self._reads.heads().get(self.stream)
        low, high = 1, head.seq if head is not None else 0
        while low <= high:
            middle = (low + high) // 2
            found = self._reads.entry(self.stream, middle)
            record = read_body(found.body) if found is not None else None
            if not isinstance(record, Record) or record.event + len(record.events) <= number:
                low = middle + 1
            elif record.event > number:
                high = middle - 1
            else:
                events = read_events(record)
                return events[number - record.event] if events else None
        return None
