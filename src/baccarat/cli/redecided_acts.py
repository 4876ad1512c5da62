"""The acts of a journal, or of the output of `baccarat run`, each decided again before it is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from baccarat.cli.lines import lines, read_header, source_name
from baccarat.cli.output import FAULT, REFUSED, fail
from baccarat.engine.idempotency_index import REPEATED_ID, IdempotencyIndex
from baccarat.engine.redecide import RecordDifference, command_of, redecide, redecide_followed
from baccarat.engine.redecide_answers import AnswerRedecider
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.engine.run_answers import PlainAct, read_answers
from baccarat.engine.table_snapshot import StaleSnapshot
from baccarat.house.stream import Stream, is_table_stream
from baccarat.law.error import RulesError
from baccarat.play.refusal import Refused
from baccarat.record.entry import (
    NO_BYTES,
    ActRecord,
    Entry,
    FoldedRefusals,
    StreamOpening,
    read_refusal,
    refused_by_house,
)
from baccarat.record.journal import BEFORE_HASH, JournalFault, JournalLine, JournalReader, rules_at
from baccarat.record.line import UnreadableLine
from baccarat.record.text import visible
from baccarat.table.actor import Origin
from baccarat.table.base import Event
from baccarat.table.machine import Table
from baccarat.table.machine import with_act as named_refusal

Lines = Iterator[tuple[int, bytes]]


class ActOnLines(msgspec.Struct, frozen=True, kw_only=True):
    """One command and its outcome, with their line numbers."""

    number: int
    origin: Origin = Origin.PERSON
    """Who or what gave the command, according to the record."""
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    unreadable: str = ""
    repeats: str = ""
    """The id of a command that was sent before: its answer is repeated, and nothing happens."""
    on_trust: bool = False
    """Whether it could not be decided again, because it corrects something from before these answers."""
    by_house: bool = False
    """Whether a rule of the house refused it: the table alone does not know why."""
    lines: tuple[int, ...] = ()
    folded: FoldedRefusals | None = None
    """Refusals that are only counted."""

    def line_of(self, index: int) -> int:
        """The line number of one of its events."""
        return self.lines[index] if index < len(self.lines) else self.number


class WrongLine(msgspec.Struct, frozen=True, kw_only=True):
    """The first line that cannot have happened, or cannot be read: what is wrong, and the exit status."""

    number: int
    say: str
    status: int


class TableActs(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is decided again: its rules at the beginning, the table itself, and its acts as they are read."""

    title: str
    rulebook: str
    table: Table
    acts: Iterator[ActOnLines | WrongLine]
    events_before: int = 0
    """How many events came before the first act: zero, except for a run that resumed a journal."""


def acts_of(source: str, *, from_beginning: bool = True) -> TableActs:
    """The acts of a file or of standard input; an empty one ends the program with a message.

    So do the answers of a run that resumed a journal, if the table's acts are needed from their beginning.
    """
    coming, is_journal = open_lines(source)
    if is_journal:
        return _journal_acts(source, coming)
    return acts_of_answers(source, coming, from_beginning=from_beginning)


def open_lines(source: str) -> tuple[Lines, bool]:
    """The lines of a file or of standard input, and whether it is a journal; otherwise they are read as answers."""
    coming = lines(source)
    first = next(coming, None)
    if first is None:
        fail(f"{source_name(source)} is empty; baccarat run --journal FILE writes a journal")
    return chain((first,), coming), first[1].startswith(BEFORE_HASH)


def acts_of_answers(source: str, coming: Lines, *, from_beginning: bool = True) -> TableActs:
    """The acts in the output of `baccarat run`."""
    number, first = next(coming)
    rules = read_header(source, number, first)
    try:
        answers = AnswerRedecider(rules, first)
    except (StaleSnapshot, RulesError, msgspec.MsgspecError) as error:
        fail(f"{source_name(source)}: line {number}: {visible(str(error))}")
    if from_beginning and answers.events_before:
        say = "these are answers of a run that resumed a journal: name that journal instead"
        fail(f"{source_name(source)}: line {number}: {say}")
    table, acts, before = answers.table, _answer_acts(answers, coming), answers.events_before
    title, rulebook = table.rules.edition.title, table.rules.hash
    return TableActs(title=title, rulebook=rulebook, table=table, acts=acts, events_before=before)


def _journal_acts(source: str, coming: Lines) -> TableActs:
    reader = JournalReader()
    try:
        first = reader.line(*next(coming))
        if not isinstance(first, JournalLine) or not isinstance(first.entry, StreamOpening):
            raise JournalFault(1, "expected the entry that opens a stream")
        if not is_table_stream(first.entry.stream):
            say = f"it begins with the stream {first.entry.stream}: the journal of a house is read by baccarat audit"
            raise JournalFault(1, say)
        rules = rules_at(first.number, first.entry)
    except JournalFault as fault:
        fail(f"{source_name(source)}: {fault}")
    table = Table(rules, first.entry.cards, first.entry.witnesses, first.entry.reveal_within)
    acts = _recorded_acts(table, first.entry.stream, reader, coming)
    return TableActs(title=rules.edition.title, rulebook=rules.hash, table=table, acts=acts)


def _recorded_acts(
    table: Table, stream: Stream, reader: JournalReader, coming: Lines
) -> Iterator[ActOnLines | WrongLine]:
    ids, refusals = IdempotencyIndex(), RefusalIndex()
    try:
        for line in reader.read(coming):
            if not isinstance(line, JournalLine):
                continue
            if line.entry.stream != stream:
                say = f"line {line.number}: the journal holds more streams than {stream}; baccarat audit reads them all"
                yield WrongLine(number=line.number, say=say, status=FAULT)
                return
            before = len(table.log)
            entry = line.entry
            checked = (ids.check(entry) or refusals.check(entry)) if isinstance(entry, ActRecord) else None
            by_house = isinstance(entry, ActRecord) and refused_by_house(entry)
            difference = checked or (None if by_house else _redecide(table, entry))
            if difference is not None:
                say = f"line {line.number} cannot have happened: {difference.say}"
                yield WrongLine(number=line.number, say=say, status=REFUSED)
                return
            assert isinstance(entry, ActRecord), "only a stream's first entry opens it"
            events = tuple(table.log[before:])
            yield ActOnLines(
                number=line.number,
                origin=entry.origin,
                events=events,
                refused=_refusal(entry),
                by_house=by_house,
                folded=entry.folded,
            )
    except JournalFault as fault:
        yield WrongLine(number=fault.line, say=str(fault), status=FAULT)


def _redecide(table: Table, entry: Entry) -> RecordDifference | None:
    """The difference of an act of the table, or of an event that follows an act in a book of the house."""
    if isinstance(entry, ActRecord) and entry.cause is not None:
        return redecide_followed(table, entry)
    return redecide(table, entry)


def _answer_acts(answers: AnswerRedecider, coming: Lines) -> Iterator[ActOnLines | WrongLine]:
    act, table = None, answers.table
    try:
        for act in read_answers(table, coming):
            if act.record is None:
                yield ActOnLines(number=act.number, unreadable=act.unreadable)
                continue
            before, on_trust = len(table.log), answers.rests_on_earlier(act.record)
            difference = answers.take(act)
            if act.is_repeat and difference is None:
                yield ActOnLines(number=act.number, origin=act.record.origin, repeats=act.record.id)
                continue
            agreed = len(table.log) if difference is None else before + difference.index
            yield ActOnLines(
                number=act.number,
                origin=act.record.origin,
                events=tuple(table.log[before:agreed]),
                refused=_refusal(act.record) if difference is None else None,
                on_trust=on_trust,
                lines=act.lines,
            )
            if difference is not None:
                yield _wrong_line(act, difference)
                return
    except UnreadableLine as error:
        yield WrongLine(number=act.number if act else 1, say=str(error), status=FAULT)


def _wrong_line(act: PlainAct, difference: RecordDifference) -> WrongLine:
    """The first line of an act that differs from the decision; if lines are missing, the line after them."""
    if difference.kind == REPEATED_ID:
        say = f"line {act.number} cannot have happened: {difference.say}"
        return WrongLine(number=act.number, say=say, status=REFUSED)
    is_there = difference.index < len(act.lines)
    number = act.lines[difference.index] if is_there else (act.lines or (act.number,))[-1] + 1
    if act.cut_off and not is_there:
        return WrongLine(number=number, say=f"{act.cut_off}: {difference.say}", status=FAULT)
    return WrongLine(number=number, say=f"line {number} cannot have happened: {difference.say}", status=REFUSED)


def _refusal(record: ActRecord) -> Refused | None:
    if record.refused is NO_BYTES:
        return None
    command = command_of(bytes(record.command))
    assert not isinstance(command, RecordDifference), "it has been decided again"
    return named_refusal(read_refusal(bytes(record.refused)), command)
