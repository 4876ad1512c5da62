"""Audit of journals: every line, every stream, every act; an unreadable line ends a file, a wrong one does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import UNSET

from baccarat.audit.coverage import StreamCoverage, signed_nothing, with_gaps
from baccarat.audit.discretion import DiscretionReport, make_report
from baccarat.audit.finding import AuditCheck, AuditReport, JournalFinding, finding_at
from baccarat.audit.histories import Histories
from baccarat.audit.house_discretion import BookLedger
from baccarat.audit.house_stream import HOUSE_BOOKS, LATE_HOUSE, LATE_HOUSE_TEXT, HouseStreams
from baccarat.audit.journal_memory import JournalMemory
from baccarat.audit.promise import CHECK_SUBJECTS
from baccarat.audit.receipt import ReceiptChecker, StreamReceipts
from baccarat.audit.shuffle import OTHER_TABLE, SHUFFLE_FAULTS, RevealedShoe
from baccarat.audit.signature import logs_signed, signers_of
from baccarat.audit.stream_reading import StreamReading, read_ahead
from baccarat.audit.table_stream import INVARIANT, MONEY, OWED, SAME_PERSON, TableStream, folding_findings, id_findings
from baccarat.engine.idempotency_index import REPEATED_ID, IdempotencyIndex
from baccarat.engine.redecide import OTHER_RULES, other_version
from baccarat.engine.redecide_house import OTHER_CARDS, OTHER_STREAM
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.stream import HOUSE_STREAM, Stream, is_table_stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.checkpoint_memory import CheckpointMemory
from baccarat.record.entry import StreamOpening
from baccarat.record.journal import (
    CHAIN,
    UNREADABLE,
    JournalFault,
    JournalLine,
    JournalReader,
    NoteLine,
    OtherRules,
    UnknownRules,
    journal_lines,
    rules_at,
)
from baccarat.record.key import MissingCryptography, Verifier
from baccarat.record.log import Frontier
from baccarat.record.note import SignedNote
from baccarat.record.policy import Policy
from baccarat.table.reveal_deadline import IDLE_DEADLINE, is_deadline_idle

SIGNATURE, CHECKPOINT_LOST, NOTHING_DECIDED = "signature", "checkpoint", "nothing_decided"
OTHER_HISTORY = "other_history"
IDLE_DEADLINE_FAULT = "deadline_without_seeds"
CHECK_OF = {
    **dict.fromkeys((CHAIN, UNREADABLE), "chain"),
    MONEY: "money",
    **dict.fromkeys((INVARIANT, OWED, SAME_PERSON), "promises"),
    REPEATED_ID: "ids",
    **dict.fromkeys((*SHUFFLE_FAULTS, IDLE_DEADLINE_FAULT), "shuffles"),
    SIGNATURE: "signatures",
    **dict.fromkeys((CHECKPOINT_LOST, OTHER_HISTORY), "checkpoints"),
    **dict.fromkeys((OTHER_STREAM, OTHER_CARDS, HOUSE_BOOKS, LATE_HOUSE), "house"),
}
"""Which check a kind of finding belongs to; all others are acts that are decided differently."""
MOST_LISTED = 1_000
"""How many findings are listed; the others are counted."""
OnBytesRead = Callable[[int], None]
"""Called with how many bytes have been read, for a progress bar."""


class NamedStream(NamedTuple):
    """A journal that comes through a pipe, which can be read only once; `name` is what findings call it."""

    name: str
    stream: BinaryIO


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint in a file of its own, next to a journal or elsewhere."""

    file: str
    note: SignedNote
    stream: str = ""
    """The stream that it belongs to; if unknown, any stream may match it."""

    @property
    def checkpoint(self) -> Checkpoint:
        """What it says of its log."""
        return read_checkpoint(self.note)


class JournalAudit:
    """An audit in progress: files are added one by one, and a report is made at the end."""

    def __init__(
        self, *, most: int = MOST_LISTED, policy: Policy | None = None, checkpoints: Sequence[StoredCheckpoint] = (),
        discretion: bool = False, receipts: ReceiptChecker | None = None, memory: CheckpointMemory | None = None,
        several: bool = False,
    ) -> None:  # fmt: skip
        """With `discretion`, the report lists what was left to somebody's judgement; `several` compares files."""
        self.most, self.policy, self.discretion = most, policy or Policy(), discretion
        self.receipts, self.memory = receipts or ReceiptChecker((), ()), JournalMemory(memory)
        self.histories = Histories() if several else None
        self.checkpoints = [(each, each.checkpoint) for each in checkpoints]
        """Checkpoints stored in other files: some stream must still match each of them."""
        self.seeds: dict[str, RevealedShoe] = {}
        self.tables: list[TableStream] = []
        self.findings: list[JournalFinding] = []
        self.entries = self.ids = 0
        self.signed = self.held = 0
        """How many checkpoints are in the files, and how many of those in other files match a stream."""
        self.kinds: Counter[str] = Counter()
        self.wrong_files: set[str] = set()
        self.streams: dict[tuple[str, Stream], StreamReading] = {}
        """What was read, by file and stream."""
        self.houses: list[HouseStreams] = []
        self.books: list[BookLedger] = []

    def file(self, source: Path | NamedStream, on_bytes_read: OnBytesRead = lambda _count: None) -> None:
        """Audit one file or stream; one that cannot be read is a finding."""
        name = source.name if isinstance(source, NamedStream) else str(source)
        before = self.entries, self.signed, self.kinds.total()
        try:
            with nullcontext(source.stream) if isinstance(source, NamedStream) else source.open("rb") as stream:
                self.lines(_with_progress(journal_lines(stream), on_bytes_read), file=name)
        except OSError as error:
            self.add_unreadable(name, f"cannot be read: {error.strerror}")
        if before == (self.entries, self.signed, self.kinds.total()):
            self.add_unreadable(name, "there is nothing in it")

    def add_unreadable(self, file: str, say: str) -> None:
        """A file that cannot be read, and why."""
        self._add([JournalFinding(kind=UNREADABLE, say=say, file=file, promise="J2")])

    def lines(self, lines: Iterable[tuple[int, bytes]], *, file: str) -> None:
        """Audit the lines of one file."""
        house, ids, refusals, before = None, IdempotencyIndex(), RefusalIndex(), self.entries
        books = BookLedger(file) if self.discretion else None
        self.books += [books] if books is not None else []
        try:
            for line in read_ahead(self._read(lines, file)):
                if isinstance(line, NoteLine):
                    self.signed += 1
                    reading = self._stream(file, line.stream)
                    self._add_note(reading, line.note, journal=file, file=file, line=line.number, stream=line.stream)
                    continue
                # What every entry counts towards: its stream, and the books of the house.
                self.entries += 1
                stream = line.entry.stream
                reading = self._stream(file, stream)
                if books is not None:
                    books.add(line)
                self._count(reading, line, file)
                # A house is decided again over all streams, from the opening of its own on.
                if house is None and stream == HOUSE_STREAM and isinstance(line.entry, StreamOpening):
                    house = HouseStreams(rules_at(line.number, line.entry), file=file)
                    self.houses.append(house)
                    ids.has_house = True
                    if self.entries > before + 1:  # not by `streams`: checkpoints next to the file are read ahead
                        self._add([finding_at(line, file, LATE_HOUSE, LATE_HOUSE_TEXT, "J4")])
                if house is not None:
                    self._add(house.check_entry(line))
                # A table is decided again on its own; of any other stream ids and folded refusals are checked.
                if isinstance(line.entry, StreamOpening):
                    self._check_opening(line, line.entry, file)
                if reading.table is not None:
                    self._add(reading.table.check_record(line))
                elif is_table_stream(stream) and isinstance(line.entry, StreamOpening):
                    reading.table = self._open_table(reading, line, file, ids=ids, refusals=refusals, house=house)
                else:
                    self._add((*id_findings(line, ids, file), *folding_findings(line, refusals, file)))
                    reading.refusals = refusals
                    reading.house = reading.house if line.entry.seq else house
        except JournalFault as fault:
            self._add([_unreadable_finding(fault, file)])
        self.ids += ids.count
        opened = [
            reading.table for (name, _), reading in self.streams.items() if name == file and reading.table is not None
        ]
        self._add(finding for table in opened for finding in table.unsettled_findings())
        if house is not None:
            self._add(house.end())

    def _stream(self, file: str, stream: Stream) -> StreamReading:
        """What was read of a stream of a file."""
        reading = self.streams.get((file, stream))
        if reading is None:
            reading = self.streams[file, stream] = StreamReading(self.policy)
        return reading

    def _count(self, reading: StreamReading, line: JournalLine, file: str) -> None:
        """A stream of a file has grown by an entry."""
        at = line.entry.at
        if not reading.entries:
            reading.first_at = at
        reading.entries += 1
        reading.last_at = max(reading.last_at, at)
        if self.histories is not None:
            self.histories.take_entry(file, line.entry.stream, line.hash)

    def _read(self, lines: Iterable[tuple[int, bytes]], file: str) -> Iterator[JournalLine | NoteLine]:
        """The lines as they are read; checkpoints that were signed elsewhere are compared as each stream grows."""
        reader = JournalReader()
        if not self.checkpoints and not self.receipts and not self.memory:
            yield from reader.read(lines)
            return
        held = dict[Stream, StreamReceipts | None]()
        try:
            for line in reader.read(lines):
                stream = line.stream if isinstance(line, NoteLine) else line.entry.stream
                if isinstance(line, JournalLine):
                    self.memory.take_entry(file, stream, reader.logs[stream])
                    self._compare(file, stream, reader.logs[stream])
                if stream not in held:
                    held[stream] = self.receipts.of_stream(stream)
                _compare_receipts(held[stream], line, reader.logs.get(stream))
                yield line
        finally:
            for found in held.values():
                if found is not None:
                    self.receipts.add(found, where=file)

    def _check_opening(self, line: JournalLine, entry: StreamOpening, file: str) -> None:
        """The first entry of a stream: its Submission gives its rulebook, and its version is known."""
        if not is_table_stream(entry.stream):
            rules_at(line.number, entry)
        unknown = other_version(entry)
        if unknown is not None:
            self._add([finding_at(line, file, unknown.kind, unknown.say, "J4")])
        if is_deadline_idle(entry.cards, entry.reveal_within):
            self._add([finding_at(line, file, IDLE_DEADLINE_FAULT, IDLE_DEADLINE, "C7")])

    def _open_table(
        self,
        reading: StreamReading,
        line: JournalLine,
        file: str,
        *,
        ids: IdempotencyIndex,
        refusals: RefusalIndex,
        house: HouseStreams | None,
    ) -> TableStream | None:
        """The table that an entry opens; none if its rules are not known, or are not those that it names."""
        assert isinstance(line.entry, StreamOpening), "a stream's first entry opens it"
        try:
            rules = rules_at(line.number, line.entry)
        except (OtherRules, UnknownRules) as fault:
            reading.undecided = f"nothing was decided again: {fault.say}"
            if isinstance(fault, OtherRules):
                self._add([finding_at(line, file, OTHER_RULES, fault.say, "J4")])
            return None
        table = TableStream(
            rules, line, file=file, seeds=self.seeds, ids=ids, refusals=refusals, house=house,
            discretion=self.discretion,
        )  # fmt: skip
        self.tables.append(table)
        return table

    def _add_note(
        self, reading: StreamReading, note: SignedNote, *, journal: str, stream: Stream, **place: Any
    ) -> None:  # fmt: skip
        """A checkpoint that matches the entries of a stream: who has signed it."""
        found = signers_of(note, self.policy.keys, stream)
        if found.logs:
            self.memory.take_note(journal, stream, note)
            if self.histories is not None:
                self.histories.take_note(journal, stream, note)
        reading.reach.add(read_checkpoint(note).size, found)
        reading.signers.append((read_checkpoint(note).origin, found))
        if found.wrong:
            say = f"the checkpoint is not signed as it should be: {found.wrong}"
            self._add([JournalFinding(kind=SIGNATURE, say=say, promise="J2", stream=stream, **place)])

    def _compare(self, file: str, stream: Stream, log: Frontier) -> None:
        """A checkpoint in another file must match one stream, at the size that the checkpoint states."""
        for stored, checkpoint in list(self.checkpoints):
            if stored.stream in ("", stream) and checkpoint.size == log.size and checkpoint.root == log.root():
                self.held += 1
                self.checkpoints.remove((stored, checkpoint))
                self._add_note(self._stream(file, stream), stored.note, journal=file, file=stored.file, stream=stream)

    def _add(self, findings: Iterable[JournalFinding]) -> None:
        for finding in findings:
            self.kinds[finding.kind] += 1
            self.wrong_files.add(finding.file)
            if len(self.findings) < self.most:
                self.findings.append(finding)

    def report(self) -> AuditReport:
        """What has been found."""
        for stored, checkpoint in self.checkpoints:
            entries = "entry" if checkpoint.size == 1 else f"{checkpoint.size:,} entries"
            say = f"no stream has the {entries} that {checkpoint.origin} signed: changed or removed"
            self._add(
                [JournalFinding(kind=CHECKPOINT_LOST, say=say, file=stored.file, stream=stored.stream, promise="J2")]
            )
        self.checkpoints.clear()
        self._add(self._share_findings())
        self._add(self._other_histories())
        if not (self.streams or self.kinds):  # a book alone is a stream of which nothing is covered
            say = "it has no entry: nothing was decided again"
            self._add([JournalFinding(kind=NOTHING_DECIDED, say=say, promise="J4")])
        return AuditReport(
            streams=tuple(table.summary() for table in self.tables),
            checks=tuple(self._checks()),
            findings=tuple(self.findings),
            left_out=self.kinds.total() - len(self.findings),
            kinds=dict(self.kinds),
            remarks=tuple(self._remarks()),
            coverage=tuple(self._coverage()),
            receipts=self.receipts.verdicts(),
            discretion=self._discretion() if self.discretion else UNSET,
        )

    def _coverage(self) -> Iterator[StreamCoverage]:
        """How far each stream is covered; a key that has signed nothing of any of them is missing in each."""
        held = list(self.streams.items())
        unused = (
            frozenset.intersection(*(reading.unused_keys for _, reading in held)) if held else frozenset[Verifier]()
        )
        for (_, stream), reading in held:
            more = map(signed_nothing, sorted(unused, key=str)) if reading.reach else ()
            yield with_gaps(reading.coverage(stream), (*reading.not_shown, *more))

    def _discretion(self) -> DiscretionReport:
        at_tables = (act for table in self.tables for act in table.discretionary_acts())
        return make_report((*(act for book in self.books for act in book.acts), *at_tables))

    def _other_histories(self) -> Iterator[JournalFinding]:
        """Logs of which the reader has seen another history; what is not shown is noted with its stream."""
        lost = {file for file, _ in self.streams} if CHECKPOINT_LOST in self.kinds else set[str]()
        for file, stream, answer in list(self.memory.compare_with_memory(self.wrong_files | lost)):
            if answer.wrong:
                yield JournalFinding(kind=OTHER_HISTORY, say=answer.wrong, file=file, stream=stream, promise="J2")
            else:
                self.streams[file, stream].not_shown.append(answer.unknown)
        for other in self.histories.contradictions() if self.histories is not None else ():
            yield JournalFinding(kind=OTHER_HISTORY, say=other.say, file=other.file, stream=other.stream, promise="J2")

    def _share_findings(self) -> Iterator[JournalFinding]:
        """Shares of witnesses whose signatures by a known key are wrong, and shoes of another log."""
        for table in self.tables:
            with suppress(MissingCryptography):
                for say in table.shuffles.wrong_shares(self.policy.share_keys):
                    yield JournalFinding(kind=SIGNATURE, say=say, file=table.file, stream=table.stream, promise="C7")
            for say in table.shuffles.other_logs(logs_signed(self._stream(table.file, table.stream).signers)):
                yield JournalFinding(kind=OTHER_TABLE, say=say, file=table.file, stream=table.stream, promise="C7")

    def _checks(self) -> Iterator[AuditCheck]:
        failed: Counter[str] = Counter()
        for kind, count in self.kinds.items():
            failed[CHECK_OF.get(kind, "decided again")] += count
        acts = sum(table.taken + table.refused for table in self.tables)
        promises = sum(table.promises for table in self.tables)
        shoes = [table.shuffles for table in self.tables]
        revealed = sum(each.revealed for each in shoes)
        no_seed = "no seed has been revealed" if any(each.committed for each in shoes) else "no electronic shoe"
        found = [
            ("chain", self.entries, ""),
            ("decided again", acts, "" if self.tables or self.houses else "it has no table"),
            ("money", promises, ""),
            ("promises", promises, ""),
            ("ids", self.ids, "no record has an id"),
            ("shuffles", revealed, no_seed),
            ("checkpoints", self.signed + self.held, "there are none"),
            (
                "signatures",
                sum(bool(reading.reach) for reading in self.streams.values()),
                "no key that was given has signed",
            ),
        ]
        if self.houses:
            found.append(("house", sum(house.decided for house in self.houses), ""))
        for name, times, none in found:
            left_out = none if not times and not failed[name] else ""
            yield AuditCheck(name=name, what=CHECK_SUBJECTS[name], times=times, failed=failed[name], left_out=left_out)

    def _remarks(self) -> Iterator[str]:
        for (_, stream), reading in self.streams.items():
            yield from (f"{stream}: {say}" for say in reading.reach.continued)
        for table in self.tables:
            yield from (f"{table.stream}: {say}" for say in table.remarks())


def _compare_receipts(receipts: StreamReceipts | None, line: JournalLine | NoteLine, log: Frontier | None) -> None:
    """Compare the receipts of a stream with one line of it."""
    if receipts is None:
        return
    if isinstance(line, NoteLine):
        receipts.take_origin(line.checkpoint.origin)
        return
    receipts.take_entry(line.entry.seq, line.body)
    if log is not None and log.size in receipts.sizes():
        receipts.take_root(log.size, log.root())


def audit_journals(  # noqa: PLR0913  all that a person may give to an audit
    sources: Sequence[Path | NamedStream],
    *,
    most: int = MOST_LISTED,
    policy: Policy | None = None,
    checkpoints: Sequence[StoredCheckpoint] = (),
    on_bytes_read: OnBytesRead = lambda _count: None,
    discretion: bool = False,
    unreadable: Mapping[str, str] | None = None,
    receipts: ReceiptChecker | None = None,
    memory: CheckpointMemory | None = None,
) -> AuditReport:
    """Audit journals, one after another; with keys, the signatures of their checkpoints too.

    `unreadable` names files that could not be read, with the reason: they are findings like any other.
    """
    audit = JournalAudit(
        most=most, policy=policy, checkpoints=checkpoints, discretion=discretion, receipts=receipts, memory=memory,
        several=len(set(sources)) > 1,
    )  # fmt: skip
    for source in dict.fromkeys(sources):  # one that was named twice is read once
        audit.file(source, on_bytes_read)
    for file, say in (unreadable or {}).items():
        audit.add_unreadable(file, say)
    return audit.report()


def _with_progress(lines: Iterable[tuple[int, bytes]], on_bytes_read: OnBytesRead) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        on_bytes_read(len(line))
        yield number, line


def _unreadable_finding(fault: JournalFault, file: str) -> JournalFinding:
    """A line that does not follow from those before it, or cannot be read: nothing after it is trusted."""
    return JournalFinding(
        kind=fault.kind, say=fault.say, file=file, line=fault.line, stream=fault.stream, record=fault.seq, promise="J2"
    )
