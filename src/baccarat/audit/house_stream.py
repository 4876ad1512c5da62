"""A house's journal, audited: every act in every stream decided again together with all that it touches.

Records stand in the order in which they were decided. A record with a command is decided on the house as it then was;
the records that follow it in other streams must be exactly what it led to there, and must come at once. After the
first difference the house is not followed any further, since everything later rests on it; its tables still are, each
by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from baccarat.audit.finding import Finding
from baccarat.house.house import decide_at_table, decide_in_book
from baccarat.house.invariant import broken
from baccarat.house.state import HouseState, apply
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import written
from baccarat.record.entry import NOTHING, Record, written_refusal
from baccarat.record.journal import Line
from baccarat.record.redecide import Difference, command_of, difference_of, house_command_of
from baccarat.table.base import Event

OTHER_STREAM, HOUSE_BOOKS = "other_stream", "house_books"


class HouseStreams:
    """A house that is decided again, over all its streams."""

    def __init__(self, rules: Rulebook, *, file: str) -> None:
        self.rules, self.file = rules, file
        self.state = HouseState()
        self.decided = 0
        self.is_lost = False
        self._due: list[tuple[str, tuple[Any, ...], Line]] = []
        self._logs: dict[str, list[Event]] = {}

    def take(self, line: Line) -> Iterator[Finding]:
        """What is wrong with one record, of whichever stream."""
        record = line.entry
        if self.is_lost or not isinstance(record, Record):
            return
        found = self._follow(record) if record.cause is not None else self._decide(line, record)
        if found is not None:
            self.is_lost = True
            yield Finding(
                kind=found.kind, say=found.say, file=self.file, line=line.number, stream=record.stream,
                record=record.seq, promise="J4", clauses=found.clauses, expected=found.expected, found=found.found,
            )  # fmt: skip
            return
        if not self._due:
            for say in broken(self.state):
                promise = next((word for word in say.split() if word[:1] in "MJ" and word[1:].isdigit()), "M2")
                yield Finding(
                    kind=HOUSE_BOOKS, say=say, file=self.file, line=line.number, stream=record.stream,
                    record=record.seq, promise=promise,
                )  # fmt: skip

    def end(self) -> Iterator[Finding]:
        """What is missing at the end: records in other streams that the last act led to."""
        for stream, _, line in self._due if not self.is_lost else ():
            say = f"the act also stands in {stream}, and that record is missing"
            yield Finding(kind=OTHER_STREAM, say=say, file=self.file, line=line.number, stream=stream, promise="J4")

    def _follow(self, record: Record) -> Difference | None:
        """A record without a command is what the last act led to in another stream, in its order."""
        if not self._due or self._due[0][0] != record.stream:
            wanted = self._due[0][0] if self._due else "an act"
            return Difference(kind=OTHER_STREAM, say=f"a record of {wanted} comes next, not of {record.stream}")
        _, events, cause = self._due.pop(0)
        assert record.cause is not None, "asked of a record that follows another"
        if (record.cause.stream, record.cause.seq) != (cause.entry.stream, cause.entry.seq):
            return Difference(kind=OTHER_STREAM, say=f"it follows {cause.entry.stream} {cause.entry.seq}, not that")
        return _compared(record, events)

    def _decide(self, line: Line, record: Record) -> Difference | None:
        if self._due:
            return Difference(
                kind=OTHER_STREAM, say=f"a record of {self._due[0][0]} comes next: the same act led to it"
            )
        kind, _, name = record.stream.partition(" ")
        self.decided += 1
        log = self._logs.setdefault(record.stream, [])
        if kind == "table":
            command = command_of(bytes(record.command))
            if isinstance(command, Difference):
                return command
            decision = decide_at_table(self.state, name, command, record.actor, _event_at(log))
        else:
            act = house_command_of(record.stream, bytes(record.command))
            if isinstance(act, Difference):
                return act
            decision = decide_in_book(self.state, self.rules, act, record.actor, stream=record.stream)
        if isinstance(decision, Refused):
            refusal = written_refusal(decision)
            if bytes(record.refused) == refusal:
                return None
            return difference_of(record, msgspec.json.decode(refusal), _answer(record))
        own = next(each for each in decision.appended if each.stream == record.stream)
        found = _compared(record, own.events)
        if found is not None:
            return found
        self._due = [(each.stream, each.events, line) for each in decision.appended if each is not own]
        joined = {each.stream for each in decision.appended if each is not own}
        if set(record.joined) != joined:
            return Difference(
                kind=OTHER_STREAM, say=f"the act is entered in {sorted(joined)}, not in {sorted(record.joined)}"
            )
        self.state = apply(self.state, decision)
        for each in decision.appended:
            if each.stream.startswith("table "):
                self._logs.setdefault(each.stream, []).extend(each.events)
        return None


def _event_at(log: list[Event]) -> Any:
    return lambda number: log[number] if 0 <= number < len(log) else None


def _compared(record: Record, events: tuple[Any, ...]) -> Difference | None:
    expected = [written(event) for event in events]
    if record.refused is NOTHING and [bytes(raw) for raw in record.events] == expected:
        return None
    clauses = tuple(dict.fromkeys(cite for event in events for cite in event.cites))
    return difference_of(record, [msgspec.json.decode(each) for each in expected], _answer(record), clauses)


def _answer(record: Record) -> Any:
    if record.refused is not NOTHING:
        return msgspec.json.decode(bytes(record.refused))
    return [msgspec.json.decode(bytes(raw)) for raw in record.events]
