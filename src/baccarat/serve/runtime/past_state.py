"""Earlier states of a table: after any record, from the shoe's first record or from a cached state.

The state of a table follows from its events alone (`replay(log) == state`), so nothing is decided again here; that is
what an audit does. At the close of every shoe the state is stored, in the batch of the record that closes it: a walk is
never longer than a shoe. States share whatever did not change, so many of them can be cached.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from baccarat.engine.redecide import read_events
from baccarat.house.stream import Stream
from baccarat.record.canonical import canonical, read_canonical
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, hash_after, read_body
from baccarat.record.journal import rules_at
from baccarat.record.misread import MISREAD
from baccarat.serve.store.base import Reads, Statement, StoredEntry
from baccarat.serve.store.row import as_int, as_text
from baccarat.table.base import Event
from baccarat.table.machine import BEHAVIOUR, begin, evolve
from baccarat.table.state import TableState

PAGE = 500
MOST_WALKED = 50_000
"""How many records may be replayed for one query; a shoe has some thousands."""
MOST_KEPT = 1_024
"""How many states are cached, of all tables."""


class RecordsDropped(Exception):  # noqa: N818
    """Records that are needed have been dropped: a practice table keeps only its last shoes."""


class ReplayTooLong(Exception):  # noqa: N818
    """More records would have to be replayed than one query may."""


class ReplayedRecord(msgspec.Struct, frozen=True):
    """A record of a table: as it is stored, whether it follows from the one before, and the states after its events."""

    stored: StoredEntry
    record: ActRecord
    follows: bool
    events: tuple[Event, ...]
    before: TableState
    states: tuple[TableState, ...]
    """The table after each of its events."""

    @property
    def state_after(self) -> TableState:
        """The table after the record."""
        return self.states[-1] if self.states else self.before


def snapshot_rows(state: TableState, *, stream: Stream, seq: int) -> tuple[Statement, ...]:
    """What is stored of a table when a shoe is closed with a record."""
    sql = "insert into shoe_states (stream, shoe, seq, behaviour, state) values (?, ?, ?, ?, ?)"
    return (Statement(sql, (stream, state.shoe.number + 1, seq, BEHAVIOUR, canonical(state).decode())),)


def forget_states(stream: Stream, dropped: int) -> tuple[Statement, ...]:
    """Delete the states that belong to dropped records of a table; the state after the last of them stays."""
    return (Statement("delete from shoe_states where stream = ? and seq < ?", (stream, dropped)),)


class StateCache:
    """Cached states of tables after records; others are found by walking."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[Stream, int], TableState] = OrderedDict()
        self._lock = threading.Lock()

    def state_after(self, reads: Reads, stream: Stream, seq: int) -> TableState:
        """The table after a record. `RecordsDropped` if its records are gone, `ReplayTooLong` if there are too many."""
        start, state = self._nearest_state(reads, stream, seq)
        if seq - start > MOST_WALKED:
            raise ReplayTooLong
        for step in walk(reads, stream, start, seq, state):
            state = step.state_after
        self.keep(stream, seq, state)
        return state

    def steps(self, reads: Reads, stream: Stream, first: int, last: int) -> Iterator[ReplayedRecord]:
        """The records from one to another, each with the table before and after it."""
        if last < first:
            return
        if last - first > MOST_WALKED:
            raise ReplayTooLong
        state = self.state_after(reads, stream, first - 1)
        for step in walk(reads, stream, first - 1, last, state):
            yield step
            state, last = step.state_after, step.record.seq
        self.keep(stream, last, state)

    def keep(self, stream: Stream, seq: int, state: TableState) -> None:
        """Cache a state."""
        with self._lock:
            self._kept[stream, seq] = state
            self._kept.move_to_end((stream, seq))
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        """Forget every cached state."""
        with self._lock:
            self._kept.clear()

    def _nearest_state(self, reads: Reads, stream: Stream, seq: int) -> tuple[int, TableState]:
        """The last cached or stored state up to a record, and the record after which it was."""
        with self._lock:
            held = max((at for name, at in self._kept if name == stream and at <= seq), default=-1)
            if held >= 0:
                found = self._kept[stream, held]
        stored = stored_state(reads, stream, seq)
        if stored is not None and stored[0] > held:
            return stored
        if held >= 0:
            return held, found
        opening = reads.entry(stream, 0)
        entry = read_body(opening.body) if opening is not None else None
        if not isinstance(entry, StreamOpening):
            raise RecordsDropped
        return 0, begin(rules_at(1, entry), entry.cards, entry.witnesses, entry.reveal_within)


def stored_state(reads: Reads, stream: Stream, seq: int) -> tuple[int, TableState] | None:
    """The last stored state up to a record that this program reads."""
    sql = "select seq, state from shoe_states where stream = ? and seq <= ? and behaviour = ? order by seq desc limit 1"
    for at, body in reads.read(sql, (stream, seq, BEHAVIOUR)):
        try:
            return as_int(at), read_canonical(as_text(body).encode(), TableState)
        except MISREAD:  # another version of the program wrote it: replay from an earlier state
            return None
    return None


def walk(reads: Reads, stream: Stream, after: int, last: int, state: TableState) -> Iterator[ReplayedRecord]:
    """The records after one, up to another, with the table before and after each. `RecordsDropped` if one is gone."""
    behind = reads.entry(stream, after)
    former = behind.hash if behind is not None else None
    while after < last and (rows := reads.entries(stream, after=after, limit=min(PAGE, last - after))):
        if rows[0].seq != after + 1:
            raise RecordsDropped
        for row in rows:
            record = read_body(row.body)
            if isinstance(record, ActRecord):
                follows = former is None or row.hash == hash_after(former, row.body)
                step = _step(row, record, state, follows=follows)
                yield step
                state = step.state_after
            former, after = row.hash, row.seq


def _step(row: StoredEntry, record: ActRecord, before: TableState, *, follows: bool) -> ReplayedRecord:
    events = tuple(read_events(record) or ()) if record.refused is NO_BYTES else ()
    states, state = list[TableState](), before
    for event in events:
        state = evolve(state, event)
        states.append(state)
    return ReplayedRecord(row, record, follows, events, before, tuple(states))
