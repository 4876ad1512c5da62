"""The last events of a table, by which corrections name what they correct.

Decisions look in memory alone. An event that is not there is loaded first (`load`); without that, looking for it raises
(`EventNotLoaded`).
"""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.engine.redecide import read_events
from baccarat.house.stream import Stream
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.store.base import Reads
from baccarat.table.base import Event
from baccarat.table.correctable_event import EventAt

PAGE = 500
MOST_EVENTS = 1_000
"""How many events of a table are in memory, some twenty rounds; older ones are loaded from the store."""
BEFORE = 100
"""How many records before the requested one are loaded with it, because readers usually continue backwards."""


class EventNotLoaded(Exception):  # noqa: N818
    """An event of a table that is in the store, and was not loaded before it was looked for."""

    def __init__(self, stream: Stream, number: int) -> None:
        super().__init__(f"event {number} of {stream} must be loaded before it is looked for")
        self.stream, self.number = stream, number


class RecentEventLog:
    """The last events of a table, by number; older ones are loaded from the store."""

    def __init__(self, stream: Stream, first: int) -> None:
        self.stream, self.first = stream, first
        self.events: list[Event] = []
        self._older: dict[int, Event] = {}
        """A few events before these, as they were asked for."""
        self._dropped = 0
        """The first event that may still be in the store; all before it were dropped."""

    @property
    def count(self) -> int:
        """How many events the table has had."""
        return self.first + len(self.events)

    def add(self, events: Sequence[Event]) -> None:
        """Add the events that have just happened."""
        self.events.extend(events)
        if len(self.events) > 2 * MOST_EVENTS:
            gone = len(self.events) - MOST_EVENTS
            del self.events[:gone]
            self.first += gone

    def roll_back(self, count: int) -> bool:
        """Forget the events after the first `count`; False if that is not possible: others have happened instead."""
        if not self.first <= count <= self.count:
            return False
        del self.events[count - self.first :]
        return True

    def event_at(self, number: int) -> Event | None:
        """The event of a number, from the beginning of the table; `EventNotLoaded` if only the store has it."""
        index = number - self.first
        if index >= 0:
            return self.events[index] if index < len(self.events) else None
        if number < self._dropped or number < 0:
            return None
        if number not in self._older:
            raise EventNotLoaded(self.stream, number)
        return self._older[number]

    async def load(self, number: int, lookups: Lookups) -> None:
        """Load an event from the store; one of the last rounds with those around it, which are looked for next."""
        end = self.first
        if end - number > MOST_EVENTS:
            self._hold_older(number, await lookups.ask(lambda reads: _record_events(reads, self.stream, number)))
            return
        found = await lookups.ask(lambda reads: _events_from(reads, self.stream, number, end))
        if found is None:
            self._dropped = max(self._dropped, number + 1)
            return
        start, events = found
        if start < self.first <= end:  # unless the oldest in memory have been forgotten meanwhile
            self.events[:0] = events[: self.first - start]
            self.first = start

    def _hold_older(self, number: int, found: tuple[int, Sequence[Event]] | None) -> None:
        if found is None:
            self._dropped = max(self._dropped, number + 1)
            return
        if len(self._older) > MOST_EVENTS:
            self._older.clear()
        first, events = found
        self._older |= dict(enumerate(events, first))


def stored_event_at(reads: Reads, stream: Stream, count: int) -> EventAt:
    """The first `count` events of a table by number, read from the store each time: not for an event loop."""
    known: dict[int, Event] = {}

    def event_at(number: int) -> Event | None:
        if number not in known and 0 <= number < count:
            first, events = _record_events(reads, stream, number) or (number, ())
            known.update(enumerate(events, first))
        return known.get(number)

    return event_at


def _record_events(reads: Reads, stream: Stream, number: int) -> tuple[int, Sequence[Event]] | None:
    """The events of the record that holds one, and the number of the first; None if it was dropped."""
    record = record_of_event(reads, stream, number)
    events = read_events(record) if record is not None else None
    return (record.event, events) if record is not None and events else None


def _events_from(reads: Reads, stream: Stream, number: int, end: int) -> tuple[int, list[Event]] | None:
    """The events up to `end`, from one that may be some records before a number; None if that was dropped."""
    record = record_of_event(reads, stream, number)
    if record is None:
        return None
    first, found, last = end, list[Event](), record.seq - 1 - BEFORE
    while first + len(found) < end or not found:
        rows = reads.entries(stream, after=max(0, last), limit=PAGE)
        if not rows:
            return None
        for row in rows:
            entry = read_body(row.body)
            if isinstance(entry, ActRecord) and entry.refused is NO_BYTES and (events := read_events(entry)):
                first = first if found else entry.event
                found += events
        last = rows[-1].seq
    return first, found[: end - first]


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
