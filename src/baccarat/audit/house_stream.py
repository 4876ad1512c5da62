"""A house's journal, audited: every act in every stream decided again together with all that it touches.

After the first difference the house is not followed any further, since everything later depends on it; its tables
still are, each on its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.audit.finding import JournalFinding, difference_at, finding_at
from baccarat.engine.redecide_house import OTHER_STREAM, HouseRedecider
from baccarat.house.house import House
from baccarat.house.invariant import broken_invariants
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import ActRecord
from baccarat.record.journal import JournalLine

HOUSE_BOOKS = "house_books"


class HouseStreams:
    """A house decided again, over all its streams."""

    def __init__(self, rules: Rulebook, *, file: str) -> None:
        self.file = file
        self.decided = 0
        self.is_lost = False
        self._again = HouseRedecider(House(rules))
        self._last = 0

    def check_entry(self, line: JournalLine) -> Iterator[JournalFinding]:
        """What is wrong with one entry, of any stream."""
        if self.is_lost:
            return
        entry = line.entry
        found = self._again.take(entry)
        if isinstance(entry, ActRecord) and entry.cause is None:
            self.decided += 1
            self._last = line.number
        if found is not None:
            self.is_lost = True
            yield difference_at(line, self.file, found)
            return
        if not self._again.due:
            for each in broken_invariants(self._again.house.state):
                yield finding_at(line, self.file, HOUSE_BOOKS, each.say, each.promise)

    def end(self) -> Iterator[JournalFinding]:
        """What is missing at the end: records in other streams that the last act led to."""
        for due in self._again.due if not self.is_lost else ():
            stream = due.appended.stream
            say = f"the act also belongs to {stream}, and that record is missing"
            yield JournalFinding(
                kind=OTHER_STREAM, say=say, file=self.file, line=self._last, stream=stream, promise="J4"
            )
