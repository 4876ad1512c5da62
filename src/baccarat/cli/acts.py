"""The acts of a journal, or of what `baccarat run` answered, each decided again before it is believed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from baccarat.cli.lines import lines, named, read_header
from baccarat.cli.out import FAULT, REFUSED, fail
from baccarat.play.refusal import Refused
from baccarat.record.answers import PlainAct, read_answers
from baccarat.record.entry import NOTHING, Opening, Record, read_refusal
from baccarat.record.journal import BEFORE_HASH, JournalFault, Line, Reader, rules_at
from baccarat.record.line import UnreadableLine
from baccarat.record.redecide import Difference, command_of, redecide
from baccarat.table.base import Event
from baccarat.table.machine import Table
from baccarat.table.machine import named as named_refusal

Lines = Iterator[tuple[int, bytes]]


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One command and what came of it, with the lines on which that stands."""

    number: int
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    unreadable: str = ""
    lines: tuple[int, ...] = ()

    def line_of(self, index: int) -> int:
        """The line on which one of its events stands."""
        return self.lines[index] if index < len(self.lines) else self.number


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """The first line that cannot have happened, or cannot be read: what is wrong, and the exit status."""

    number: int
    say: str
    status: int


class Acts(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is decided again: its rules at the beginning, the table itself, and its acts as they are read."""

    title: str
    rulebook: str
    table: Table
    acts: Iterator[Act | Wrong]


def acts_of(source: str) -> Acts:
    """The acts of a file or of standard input; an empty one ends the program with a message."""
    coming, is_journal = opened_lines(source)
    return _of_journal(source, coming) if is_journal else acts_of_answers(source, coming)


def opened_lines(source: str) -> tuple[Lines, bool]:
    """The lines of a file or of standard input, and whether it is a journal; otherwise they are taken for answers."""
    coming = lines(source)
    first = next(coming, None)
    if first is None:
        fail(f"{named(source)} is empty; baccarat run --journal FILE writes a journal", FAULT)
    return chain((first,), coming), first[1].startswith(BEFORE_HASH)


def acts_of_answers(source: str, coming: Lines) -> Acts:
    """The acts of what `baccarat run` answered."""
    rules = read_header(source, *next(coming))
    table = Table(rules)
    return Acts(title=rules.edition.title, rulebook=rules.hash, table=table, acts=_of_answers(table, coming))


def _of_journal(source: str, coming: Lines) -> Acts:
    reader = Reader()
    try:
        first = reader.line(*next(coming))
        if not isinstance(first, Line) or not isinstance(first.entry, Opening):
            raise JournalFault(1, "expected the entry that opens a stream")
        if not first.entry.stream.startswith("table "):
            say = f"it begins with the stream {first.entry.stream}: the journal of a house is read by baccarat audit"
            raise JournalFault(1, say)
        rules = rules_at(first.number, first.entry)
    except JournalFault as fault:
        fail(f"{named(source)}: {fault}", FAULT)
    table = Table(rules)
    acts = _kept_acts(table, first.entry.stream, reader, coming)
    return Acts(title=rules.edition.title, rulebook=rules.hash, table=table, acts=acts)


def _kept_acts(table: Table, stream: str, reader: Reader, coming: Lines) -> Iterator[Act | Wrong]:
    try:
        for line in reader.read(coming):
            if not isinstance(line, Line):
                continue
            if line.entry.stream != stream:
                say = f"line {line.number}: the journal holds more streams than {stream}; baccarat audit reads them all"
                yield Wrong(number=line.number, say=say, status=FAULT)
                return
            before = len(table.log)
            difference = redecide(table, line.entry)
            if difference is not None:
                say = f"line {line.number} cannot have happened: {difference.say}"
                yield Wrong(number=line.number, say=say, status=REFUSED)
                return
            assert isinstance(line.entry, Record), "only a stream's first entry opens it"
            yield Act(number=line.number, events=tuple(table.log[before:]), refused=_refusal(line.entry))
    except JournalFault as fault:
        yield Wrong(number=fault.line, say=str(fault), status=FAULT)


def _of_answers(table: Table, coming: Lines) -> Iterator[Act | Wrong]:
    act = None
    try:
        for act in read_answers(table, coming):
            if act.record is None:
                yield Act(number=act.number, unreadable=act.unreadable)
                continue
            before = len(table.log)
            difference = redecide(table, act.record)
            agreed = len(table.log) if difference is None else before + difference.index
            refused = _refusal(act.record) if difference is None else None
            yield Act(number=act.number, events=tuple(table.log[before:agreed]), refused=refused, lines=act.lines)
            if difference is not None:
                yield _wrong(act, difference)
                return
    except UnreadableLine as error:
        yield Wrong(number=act.number if act else 1, say=str(error), status=FAULT)


def _wrong(act: PlainAct, difference: Difference) -> Wrong:
    """The line of an act that is not what is decided; where the lines break off, what comes next."""
    is_there = difference.index < len(act.lines)
    number = act.lines[difference.index] if is_there else (act.lines or (act.number,))[-1] + 1
    if act.cut_off and not is_there:
        return Wrong(number=number, say=f"{act.cut_off}: {difference.say}", status=FAULT)
    return Wrong(number=number, say=f"line {number} cannot have happened: {difference.say}", status=REFUSED)


def _refusal(record: Record) -> Refused | None:
    if record.refused is NOTHING:
        return None
    command = command_of(bytes(record.command))
    assert not isinstance(command, Difference), "it has been decided again"
    return named_refusal(read_refusal(bytes(record.refused)), command)
