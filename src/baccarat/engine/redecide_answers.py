"""Answers decided again: each act that `baccarat run` answered, as the journal of the same run would record it.

Answers of a run that resumed a journal begin with a snapshot of the table, which is taken on trust; so is what the
journal said before it: ids that were used there, and events that a correction names.
"""

from __future__ import annotations

from itertools import takewhile

import msgspec
from msgspec.structs import replace

from baccarat.engine.idempotency_index import REPEATED_ID, Answers, IdempotencyIndex
from baccarat.engine.redecide import OTHER_EVENTS, RecordDifference, command_of, read_events, redecide
from baccarat.engine.run_answers import Header, PlainAct
from baccarat.engine.table_snapshot import restore_table
from baccarat.house.stream import table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import NO_BYTES, ActRecord, denies_id
from baccarat.record.text import visible
from baccarat.table.actor import Origin
from baccarat.table.correctable_event import ROUND_OVER, no_event
from baccarat.table.correction import Correction
from baccarat.table.machine import Table, evolve_all
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.rules_adoption import rules_after

IMPOSSIBLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What deciding raises on an impossible state of a table, which somebody may have written into the first line."""


class AnswerRedecider:
    """A table that is decided again from the answers of a run."""

    def __init__(self, rules: Rulebook, header: bytes) -> None:
        """`StaleSnapshot` or another `ValueError` if the first line holds a table that cannot be resumed."""
        said = msgspec.json.decode(header, type=Header)
        self.table, self.events_before, self._seq = Table(rules, said.cards, said.witnesses), 0, 0
        if said.resumed is not NO_BYTES:
            self.table, snapshot = restore_table(bytes(said.resumed), event_at=no_event)
            self.events_before, self._seq = snapshot.events, snapshot.seq
        self._stream = table_stream(said.table)
        self._is_whole = self._seq == 0
        self._ids = IdempotencyIndex(whole=self._is_whole)
        self._answers = Answers()

    def take(self, act: PlainAct) -> RecordDifference | None:
        """The first difference between an act and what is decided; the table moves on as decided."""
        assert act.record is not None, "an unreadable line is not an act"
        record = replace(act.record, stream=self._stream, seq=self._seq + 1)
        if act.is_repeat:
            return self._repeated(record, act)
        if denies_id(record):
            record = replace(record, id="")
        is_kept = record.refused is NO_BYTES or record.origin is Origin.PERSON
        wrong = self._ids.check(record) if is_kept else None
        if wrong is not None:
            return wrong
        self._seq += is_kept
        self._answers.add(record)
        try:
            return self._follow(record) if self.rests_on_earlier(record) else redecide(self.table, record)
        except IMPOSSIBLE as error:
            if self._is_whole:
                raise
            why = str(error) or type(error).__name__
            return RecordDifference(kind=OTHER_EVENTS, say=f"it cannot follow from the table that line 1 states: {why}")

    def _repeated(self, record: ActRecord, act: PlainAct) -> RecordDifference | None:
        """A repeat has the answer that the same command had before."""
        assert record.who is not None, "a command names who gave it"
        found = self._answers.find(record.who, record.id)
        if found is None and not self._is_whole:
            return None
        if found is None or not found.is_to(self._stream, bytes(record.command), record.actor):
            say = f"{visible(record.who)} has not used the id {visible(record.id)} for this command before"
            return RecordDifference(kind=REPEATED_ID, say=say)
        was, now = _answer(found.record), _answer(record)
        if was == now:
            return None
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False)))
        say = f"the command with the id {visible(record.id)} had another answer before"
        return RecordDifference(kind=OTHER_EVENTS, say=say, index=min(same, len(act.lines)))

    def rests_on_earlier(self, record: ActRecord) -> bool:
        """Whether an act corrects something that happened before the answers begin, or in a round under way then."""
        command = command_of(bytes(record.command)) if self.events_before else None
        if not isinstance(command, Correction):
            return False
        index = command.corrects - self.events_before
        known = self.table.log[: max(index, 0)]
        is_in_first_round = not any(isinstance(event, ROUND_OVER) for event in known)
        return index < 0 or (isinstance(command, CorrectPayment) and is_in_first_round)

    def _follow(self, record: ActRecord) -> RecordDifference | None:
        """Apply what the answers say, undecided."""
        events, table = read_events(record), self.table
        if events is None:
            return RecordDifference(kind=OTHER_EVENTS, say="not an event of a table")
        table.state = evolve_all(table.state, events)
        table.rules = rules_after(table.rules, events)
        table.log.extend(events)
        return None


def _answer(record: ActRecord) -> list[bytes]:
    """The outcome of a command, line by line."""
    return [bytes(record.refused)] if record.refused is not NO_BYTES else [bytes(raw) for raw in record.events]
