"""A table that keeps a journal: a command is decided, put on the disk, and only then answered.

A command's id takes effect at most once, for ever: a repeat gets the answer that stands in the journal, and the same id
with another body is refused. A person's refusals are entered too, so a repeat of a refused command is answered alike.
What a card source, a link or a clock brings at the wrong moment is not: it may be a card that nobody has seen yet, or a
seed, and no such thing may lie on a disk before its time.

With a directory, names and remarks become ids before anything is decided (`directory.py`). Without one, whoever brings
commands vouches that the ids in them are opaque, and that no remark holds a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from baccarat import __version__
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical
from baccarat.record.directory import Directory
from baccarat.record.entry import FORM, NOTHING, Opening, Record, envelope_fields, read_refusal, written_refusal
from baccarat.record.journal import Head, JournalFault, Line, rules_at
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import Signer
from baccarat.record.redecide import redecide
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.machine import BEHAVIOUR, Table, named
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed

Clock = Callable[[], int]
"""Gives the time in microseconds UTC."""


class RepeatedId(ValueError):  # noqa: N818
    """An id under which something else has been done already."""


class Kept(msgspec.Struct, frozen=True):
    """What came of a command, and the record in which it stands; none where nothing is kept of it."""

    record: Record | None
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    is_repeat: bool = False


class KeptTable(Table):
    """A table whose acts stand in a journal before anybody hears of them."""

    def __init__(
        self,
        rules: Rulebook,
        file: JournalFile,
        stream: str,
        *,
        clock: Clock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
    ) -> None:
        super().__init__(rules)
        self.file, self.stream, self.clock, self.names = file, stream, clock, names
        self._signer = signer
        self._answers: dict[tuple[str, str], Record] = {}

    @classmethod
    def begin(
        cls,
        rules: Rulebook,
        file: JournalFile,
        stream: str,
        *,
        clock: Clock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
    ) -> Self:
        """A table that is opened now: its first entry names the rules. A signer signs every round's end."""
        file.append(opening_of(rules, stream, at=clock()))
        return cls(rules, file, stream, clock=clock, names=names, signer=signer)

    @classmethod
    def resume(
        cls,
        file: JournalFile,
        lines: Iterable[Line],
        *,
        clock: Clock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
    ) -> Self:
        """A table that goes on where its journal ends; every act in it is decided again, and must agree."""
        coming = iter(lines)
        first = next(coming, None)
        if first is None or not isinstance(first.entry, Opening):
            raise JournalFault(1, "expected the entry that opens a table")
        again = Table(rules_at(first.number, first.entry))
        kept = cls(again.rules, file, first.entry.stream, clock=clock, names=names, signer=signer)
        for line in coming:
            difference = redecide(again, line.entry)
            if difference is not None:
                raise JournalFault(line.number, difference.say, stream=line.entry.stream, seq=line.entry.seq)
            assert isinstance(line.entry, Record), "only a stream's first entry opens it"
            kept._remember(line.entry)
        kept.rules, kept.state, kept.log = again.rules, again.state, again.log
        return kept

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command and enter it; a refusal changes nothing but is entered too."""
        envelope = Envelope(actor=actor or self.usual_actor(command))
        kept = self.enter(command, envelope)
        return kept.refused or Accepted(kept.events, self.state)

    def enter(self, command: Command, envelope: Envelope) -> Kept:
        """Decide a command and enter it, at the time of the clock where the envelope has none.

        `RepeatedId` where its id was given to another command, `TooLong` where no entry can hold it.
        """
        command, envelope = self.hidden(command, envelope)
        written = canonical(command)
        repeat = self._answers.get((envelope.actor.who, envelope.id)) if envelope.id else None
        if repeat is not None:
            return self._repeated(repeat, command, written, envelope)
        rules, before, length = self.rules, self.state, len(self.log)
        outcome = super().do(command, envelope.actor)
        if isinstance(outcome, Refused) and envelope.actor.origin is not Origin.PERSON:
            return Kept(None, refused=outcome)
        envelope = envelope if envelope.at else replace(envelope, at=self.clock())
        try:
            record = record_after(
                self.file.head(self.stream),
                rules,
                self.stream,
                () if isinstance(outcome, Refused) else outcome.events,
                refused=outcome if isinstance(outcome, Refused) else None,
                command=Raw(written),
                **envelope_fields(envelope),
            )
            self.file.append(record)
        except BaseException:
            self.rules, self.state = rules, before  # what is not on the disk has not happened
            del self.log[length:]
            raise
        self._remember(record)
        if isinstance(outcome, Refused):
            return Kept(record, refused=outcome)
        if self._signer is not None and any(isinstance(event, TableCleared | ShoeClosed) for event in outcome.events):
            self.file.sign(self.stream, self._signer)
        return Kept(record, outcome.events)

    def hidden(self, command: Command, envelope: Envelope) -> tuple[Command, Envelope]:
        """A command and its envelope as they are decided and entered: by ids, where there is a directory."""
        if self.names is None:
            return command, envelope
        return self.names.hide(command), self.names.hide_envelope(envelope)

    def _remember(self, record: Record) -> None:
        if record.id and record.who is not None:
            self._answers[record.who, record.id] = record

    def _repeated(self, record: Record, command: Command, written: bytes, envelope: Envelope) -> Kept:
        assert record.command is not NOTHING, "what a person did is a command"
        if bytes(record.command) != written or record.actor != envelope.actor:
            raise RepeatedId(f"the id {envelope.id!r} was given to another command before, in record {record.seq}")
        events = self.log[record.event : record.event + len(record.events)]
        refused = None if record.refused is NOTHING else named(read_refusal(bytes(record.refused)), command)
        return Kept(record, tuple(events), refused, is_repeat=True)


def opening_of(rules: Rulebook, stream: str, *, at: int = 0) -> Opening:
    """The first entry of a stream that is opened under rules."""
    return Opening(
        v=FORM,
        stream=stream,
        seq=0,
        rulebook=rules.hash,
        submission=rules.submission,
        program=f"baccarat {__version__}",
        behaviour=BEHAVIOUR,
        at=at,
    )


def record_after(
    head: Head,
    rules: Rulebook,
    stream: str,
    events: Iterable[msgspec.Struct],
    *,
    refused: Refused | None,
    **fields: Any,
) -> Record:
    """The record that comes next in a stream: what came of an act; `fields` say who did it, or what it follows."""
    return Record(
        v=FORM,
        stream=stream,
        seq=max(1, head.seq + 1),
        event=head.events,
        rulebook=rules.hash,
        behaviour=BEHAVIOUR,
        events=tuple(Raw(canonical(event)) for event in events),
        refused=NOTHING if refused is None else Raw(written_refusal(refused)),
        **fields,
    )
