"""Reading: the rounds of a journal, every act decided again before it counts.

A journal may hold several streams. Each table in it is decided again on its own; other acts of the house (cage, pit,
links) are ignored here, and their effects at a table are accepted as recorded: `baccarat audit` decides all of
them together.
"""

from __future__ import annotations

from pathlib import Path

from baccarat.audit.resettle.played_round import JournalRounds
from baccarat.engine.redecide import read_events, redecide
from baccarat.house.stream import HOUSE_STREAM, is_table_stream
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening
from baccarat.record.journal import JournalFault, JournalLine, rules_at
from baccarat.record.journal_file import read_journal
from baccarat.table.machine import Table, evolve_all
from baccarat.table.rules_adoption import rules_after


class CannotHaveHappened(JournalFault):
    """A record that differs from what its command leads to."""


class JournalTables:
    """The tables of a journal, added line by line."""

    def __init__(self) -> None:
        self.rounds: dict[str, JournalRounds] = {}
        self._tables: dict[str, Table] = {}
        self._is_housed = False

    def add_entry(self, line: JournalLine) -> None:
        """Add an entry; `JournalFault` if it is wrong, `CannotHaveHappened` if it is decided differently."""
        entry = line.entry
        if not is_table_stream(entry.stream):
            self._is_housed = self._is_housed or entry.stream == HOUSE_STREAM
            return
        if isinstance(entry, StreamOpening):
            rules = rules_at(line.number, entry)
            self._tables[entry.stream], self.rounds[entry.stream] = (
                Table(rules, entry.cards, entry.witnesses, entry.reveal_within),
                JournalRounds(rules),
            )
            return
        table = self._tables[entry.stream]
        before = len(table.log)
        if self._is_housed and entry.refused is not NO_BYTES:
            return  # the house may have refused it, and it changed nothing
        if entry.cause is None:
            difference = redecide(table, entry)
            if difference is not None:
                raise CannotHaveHappened(line.number, difference.say, stream=entry.stream, seq=entry.seq)
        else:
            _follow(table, line.number, entry)
        self.rounds[entry.stream].add_events(line.number, table.log[before:])


def _follow(table: Table, number: int, record: ActRecord) -> None:
    """Apply the recorded effects at a table of an act in another stream."""
    events = read_events(record)
    if events is None:
        raise CannotHaveHappened(number, "not an event of a table", stream=record.stream, seq=record.seq)
    table.state = evolve_all(table.state, events)
    table.rules = rules_after(table.rules, events)
    table.log.extend(events)


def read_tables(path: Path) -> dict[str, JournalRounds]:
    """The rounds of every table in a journal; `JournalFault` at the first line that is wrong."""
    tables = JournalTables()
    for line in read_journal(path):
        if isinstance(line, JournalLine):
            tables.add_entry(line)
    return tables.rounds


def read_rounds(path: Path) -> JournalRounds:
    """The rounds of a journal that holds one table; `JournalFault` at the first line that is wrong."""
    tables = read_tables(path)
    if len(tables) != 1:
        raise JournalFault(1, f"expected the journal of one table; it holds {len(tables)}")
    return next(iter(tables.values()))
