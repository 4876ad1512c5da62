"""Reading: the rounds of a journal on disk, every act decided again before it counts."""

from __future__ import annotations

from pathlib import Path

from baccarat.audit.resettle.played import JournalRounds
from baccarat.record.entry import Opening
from baccarat.record.journal import JournalFault, Line, rules_at
from baccarat.record.journal_file import read_journal
from baccarat.record.redecide import redecide
from baccarat.table.machine import Table


def read_rounds(path: Path) -> JournalRounds:
    """The rounds of one table's journal; `JournalFault` at the first line that is wrong or cannot have happened."""
    table: Table | None = None
    played: JournalRounds | None = None
    for line in read_journal(path):
        if not isinstance(line, Line):
            continue  # a checkpoint
        entry = line.entry
        if table is None or played is None:
            if not isinstance(entry, Opening):
                raise JournalFault(line.number, "expected the entry that opens a table", stream=entry.stream)
            table = Table(rules_at(line.number, entry))
            played, stream = JournalRounds(table.rules), entry.stream
            continue
        if entry.stream != stream:
            raise JournalFault(line.number, f"the journal holds more streams than {stream}", stream=entry.stream)
        before = len(table.log)
        difference = redecide(table, entry)
        if difference is not None:
            raise JournalFault(line.number, difference.say, stream=entry.stream, seq=entry.seq)
        played.take(line.number, table.log[before:])
    if played is None:
        raise JournalFault(1, "the journal is empty")
    return played
