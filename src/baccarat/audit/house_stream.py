"""A house's journal, audited: every act in every stream decided again together with all that it touches.

After the first difference the house is not followed any further, since everything later depends on it; its tables
still are, each on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from baccarat.audit.finding import JournalFinding, difference_at, finding_at
from baccarat.audit.impossible import IMPOSSIBLE_STATE_ERRORS, NOT_FOLLOWED, why_impossible
from baccarat.audit.opening import by_claimed_version
from baccarat.engine.redecide import RULED_OTHERWISE
from baccarat.engine.redecide_house import OTHER_STREAM, HouseRedecider
from baccarat.house.house import House
from baccarat.house.invariant import InvariantCheck, broken_invariants
from baccarat.house.stream import CAGE_STREAM, Stream, pit_stream, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import ActRecord, Entry
from baccarat.record.journal import JournalLine
from baccarat.values import count_text

HOUSE_BOOKS, LATE_HOUSE = "house_books", "late_house"
LATE_HOUSE_TEXT = "a house's journal must begin with the opening of its own stream; earlier entries belong to no house"


class HouseStreams:
    """A house decided again, over all its streams."""

    def __init__(self, rules: Rulebook, *, file: str) -> None:
        self.file = file
        self.decided = 0
        self.is_lost = False
        self._again = HouseRedecider(House(rules))
        self._invariants = InvariantCheck()
        self._is_broken = False
        self._last = 0
        self.agreed: dict[Stream, int] = {}
        """How many entries of each stream were read until one was found to be wrong."""
        self.decided_in: Counter[Stream] = Counter()
        """How many of them were decided again: folded refusals are not."""
        self._otherwise: set[tuple[Stream, int]] = set()
        """Acts at tables that only an older version of the deciding functions let pass, by stream and number."""

    def has_decided(self, entry: Entry) -> bool:
        """Whether an entry was decided again together with all before it, and agreed."""
        return entry.seq < self.agreed.get(entry.stream, 0) and not self.is_decided_differently(entry)

    def is_decided_differently(self, entry: Entry) -> bool:
        """Whether an act at a table would be decided differently now, by the table or by a rule of the house."""
        return (entry.stream, entry.seq) in self._otherwise

    def check_entry(self, line: JournalLine) -> Iterator[JournalFinding]:
        """What is wrong with one entry, of any stream."""
        if self.is_lost:
            return
        entry = line.entry
        try:
            found = self._again.take(entry)
            broken = () if found is not None or self._again.due else self._invariants.broken(self._again.house.state)
        except IMPOSSIBLE_STATE_ERRORS as error:
            self.is_lost = True
            say = f"from here on the house cannot be followed: {why_impossible(error, 'house')}"
            yield finding_at(line, self.file, NOT_FOLLOWED, say, "J4")
            return
        if found is not None and found.kind == RULED_OTHERWISE:
            self._otherwise.add((entry.stream, entry.seq))
            return  # the audit of its table says so, and the house has moved on as it did then
        if found is not None:
            self.is_lost = True
            yield difference_at(line, self.file, found)
            return
        self.agreed[entry.stream] = entry.seq + 1
        if not isinstance(entry, ActRecord) or entry.folded is None:
            self.decided_in[entry.stream] += 1
        if isinstance(entry, ActRecord) and entry.cause is None:
            self.decided += entry.folded is None
            self._last = line.number
        for each in broken:
            self._is_broken = True
            yield finding_at(line, self.file, HOUSE_BOOKS, each.say, each.promise)

    def gaps(self) -> Iterator[str]:
        """Streams that every such house has and the file lacks: pits that were added, tables that were opened, and
        the cage, from which their chips come. Forms, coupons and days begin with their first act. And acts that
        only an older version of the deciding functions let pass: a house may name one that it never ran."""
        if old := self._again.ruled_otherwise:
            acts = count_text(len(old), "act")
            first = f"first {old[0].stream} {old[0].seq:,}{by_claimed_version(old[0].behaviour)}"
            yield f"{acts} in the books would be decided differently by this version: {first}"
        state = self._again.house.state
        expected = [CAGE_STREAM] if state.tables else []
        expected += [*map(pit_stream, state.pits), *map(table_stream, state.tables)]
        for stream in expected if not self.is_lost else ():
            if stream not in self.agreed:
                yield f"the stream {stream} is not in the file: nothing was done in it, or it was left out"

    def end(self) -> Iterator[JournalFinding]:
        """What is missing at the end: records in other streams that the last act led to; and whether the whole house,
        not only what each act changed, agrees with its books."""
        for due in self._again.due if not self.is_lost else ():
            stream = due.appended.stream
            say = f"the act also belongs to {stream}, and that record is missing"
            yield JournalFinding(
                kind=OTHER_STREAM, say=say, file=self.file, line=self._last, stream=stream, promise="J4"
            )
        if not self.is_lost and not self._again.due and not self._is_broken:
            for each in broken_invariants(self._again.house.state):
                yield JournalFinding(
                    kind=HOUSE_BOOKS, say=each.say, file=self.file, line=self._last, promise=each.promise
                )
