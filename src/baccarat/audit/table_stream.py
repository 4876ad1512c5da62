"""One table's stream, audited record by record: decided again, its promises, its ids and its clock checked.

A record that is decided differently is a finding; the table then continues as the journal has it, so that one fault
does not hide the next. If it cannot be followed any further, the stream ends there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from baccarat.audit.finding import JournalFinding, StreamSummary, TimelineRound, difference_at, finding_at
from baccarat.audit.shuffle import SHUFFLE_EVENTS, Shuffles
from baccarat.engine.idempotency_index import IdempotencyIndex
from baccarat.engine.redecide import RULED_OTHERWISE, RecordDifference, read_events, redecide
from baccarat.house.stream import stream_name
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.record.entry import NO_BYTES, ActRecord
from baccarat.record.journal import JournalLine
from baccarat.table.base import Event
from baccarat.table.invariant import MONEY_EVENTS, broken_invariants, money_brought_in, worth
from baccarat.table.machine import Table, evolve_all
from baccarat.table.registry import EVOLVERS
from baccarat.table.rules_adoption import rules_after
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.two_persons import is_same_person

SAME_PERSON, MONEY, INVARIANT = "same_person", "money", "invariant"
NOT_FOLLOWED = "not_followed"
IMPOSSIBLE_STATE_ERRORS = (AssertionError, LookupError, ValueError, TypeError, AttributeError, RulesError)
"""What deciding or evolving raises on an impossible state; on any other state it is a bug of ours."""


class UnreadableEvents(ValueError):  # noqa: N818
    """A record holds something other than events, with which no table can continue."""


OUR_WORDS = (AssertionError, RulesError, UnreadableEvents)
"""Those with messages for a reader; the messages of the others are about lists and attributes."""
ENDING_EVENTS = frozenset({TableCleared, ShoeClosed})
"""What ends a round or a shoe."""
TWO_PERSONS = frozenset(kind for kind in EVOLVERS if "requester" in kind.__struct_fields__)
"""The events that name who requested and who approved them."""
NOTABLE_EVENTS = SHUFFLE_EVENTS | TWO_PERSONS | ENDING_EVENTS | {ResultAnnounced, RoundVoided}
"""The events that are checked on their own; most only carry out what was decided."""


class TableStream:
    """A table whose journal is being audited."""

    def __init__(
        self,
        rules: Rulebook,
        opening: JournalLine,
        *,
        file: str,
        seeds: dict[str, str] | None = None,
        ids: IdempotencyIndex | None = None,
        is_housed: bool = False,
    ) -> None:
        """`is_housed` if the table belongs to a house, which may refuse what the table alone accepts."""
        self.table = Table(rules)
        self.file, self.stream = file, opening.entry.stream
        self.rulebook, self.edition = rules.hash, rules.edition.name
        self.worth = worth(self.table.state)
        self.head = opening.hash
        self.taken = self.refused = self.events = self.rounds = self.shoes = 0
        self.promises = 0
        """How often they were checked."""
        self.moments: list[TimelineRound] = []
        self.is_lost = False
        """Whether the stream can no longer be followed."""
        self.is_forged = False
        """Whether something in it differed from the decision, and was followed nevertheless."""
        self.stepped_back = 0
        self.otherwise = 0
        self.shuffles = Shuffles(stream_name(self.stream), {} if seeds is None else seeds)
        self._ids, self._is_housed = ids or IdempotencyIndex(whole=False), is_housed
        self._at = 0

    def check_record(self, line: JournalLine) -> Sequence[JournalFinding]:
        """What is wrong with one record."""
        record = line.entry
        assert isinstance(record, ActRecord), "only a stream's first entry opens it"
        self.head = line.hash
        if record.refused is NO_BYTES:
            self.taken += 1
        else:
            self.refused += 1
        self.events += len(record.events)
        if record.at < self._at:
            self.stepped_back += 1
        else:
            self._at = record.at
        repeated = repeated_id(line, self._ids, self.file)
        found = () if self.is_lost else self._decide(line, record)
        return (*repeated, *found) if repeated else found

    def _decide(self, line: JournalLine, record: ActRecord) -> Sequence[JournalFinding]:
        """What is wrong with a record when it is decided again, and with the resulting state."""
        table = self.table
        rules, before, length = table.rules, table.state, len(table.log)
        difference: RecordDifference | None = None
        found: list[JournalFinding] = []
        try:
            if record.cause is None and not (self._is_housed and record.refused is not NO_BYTES):
                difference = redecide(table, record)
            if difference is not None:
                self.otherwise += difference.kind == RULED_OTHERWISE
                found.append(difference_at(line, self.file, difference))
            if difference is not None or record.cause is not None:
                self._follow(record, rules, before, length)
        except IMPOSSIBLE_STATE_ERRORS as error:
            if not self.is_forged and record.cause is None:
                raise
            return (*found, self._lost_finding(line, error))
        is_end = difference is not None
        for event in table.log[length:]:
            kind = type(event)
            if kind in MONEY_EVENTS:
                self.worth += money_brought_in(event) * MICRO
            if kind in NOTABLE_EVENTS:
                found += self._check_event(line, event)
                is_end = is_end or kind in ENDING_EVENTS
        if is_end:
            found += self._promises(line)
        if found and self.moments:
            last = self.moments[-1]
            self.moments[-1] = msgspec.structs.replace(last, findings=last.findings + len(found))
        return found

    def _follow(self, record: ActRecord, rules: Rulebook, before: TableState, length: int) -> None:
        """Continue with what the journal says, though it differs from the decision, so that one fault hides no other.

        From here on the state may be impossible, and any later failure is the journal's fault.
        """
        self.is_forged = self.is_forged or record.cause is None
        events = read_events(record)
        if events is None:
            raise UnreadableEvents("its events cannot be read")
        self.table.rules, self.table.log[length:] = rules_after(rules, events), events
        self.table.state = evolve_all(before, events)

    def _lost_finding(self, line: JournalLine, error: Exception) -> JournalFinding:
        """The finding for a journal that cannot be followed any further."""
        self.is_lost = True
        why = (str(error) if isinstance(error, OUR_WORDS) else "") or "no table can be in such a state"
        say = f"from here on the table cannot be followed, after what was found before: {why}"
        return finding_at(line, self.file, NOT_FOLLOWED, say, "J4")

    def _promises(self, line: JournalLine) -> Iterator[JournalFinding]:
        """What must hold regardless of decisions: checked after every round, and after every act that is a finding."""
        state = self.table.state
        self.promises += 1
        held = worth(state)
        if held != self.worth:
            more = held - self.worth
            say = f"{Cents(abs(more) // MICRO)} {'appears from nowhere' if more > 0 else 'vanishes'}"
            yield finding_at(line, self.file, MONEY, say, "M2")
        self.worth = held
        for each in broken_invariants(self.table.rules, state):
            yield finding_at(line, self.file, INVARIANT, each.say, each.promise)

    def _check_event(self, line: JournalLine, event: Event) -> Iterator[JournalFinding]:
        """Check an event on its own: the shuffles, and that requester and approver are two persons."""
        if isinstance(event, ResultAnnounced | RoundVoided):
            self._end_round(line, event.outcome if isinstance(event, ResultAnnounced) else "void")
        self.shoes += isinstance(event, ShoeClosed)
        for kind, say in self.shuffles.check_event(event):
            yield finding_at(line, self.file, kind, say, "C7", clauses=event.cites)
        asked, approved = getattr(event, "requester", ""), getattr(event, "approver", "")
        if asked and approved and is_same_person(asked, approved):
            say = f"{asked} both requested and approved it"
            yield finding_at(line, self.file, SAME_PERSON, say, "D3", clauses=event.cites)

    def _end_round(self, line: JournalLine, outcome: str) -> None:
        """Count a round, and mark it on the timeline."""
        self.rounds += 1
        shoe = self.table.state.shoe.number + 1
        self.moments.append(TimelineRound(line=line.number, shoe=shoe, round=self.rounds, outcome=outcome, at=self._at))

    def summary(self) -> StreamSummary:
        """A summary of the stream."""
        return StreamSummary(
            stream=self.stream,
            file=self.file,
            rulebook=self.rulebook,
            edition=self.edition,
            records=self.taken + self.refused,
            taken=self.taken,
            refused=self.refused,
            events=self.events,
            shoes=self.shoes,
            rounds=self.rounds,
            head=self.head.hex(),
            moments=tuple(self.moments),
        )


def repeated_id(line: JournalLine, ids: IdempotencyIndex, file: str) -> Sequence[JournalFinding]:
    """J3: an id takes effect once, in any stream; a repeat gets the stored answer, and no record of its own."""
    found = ids.check(line.entry) if isinstance(line.entry, ActRecord) else None
    return () if found is None else (finding_at(line, file, found.kind, found.say, "J3"),)
