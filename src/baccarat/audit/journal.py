"""Audit of journals: every line, every stream, every act; an unreadable line ends a file, a wrong one does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import UNSET

from baccarat.audit.coverage import SignatureReach, StreamCoverage
from baccarat.audit.discretion import DiscretionReport, make_report
from baccarat.audit.finding import AuditCheck, AuditReport, JournalFinding, finding_at
from baccarat.audit.house_stream import HOUSE_BOOKS, HouseStreams
from baccarat.audit.promise import CHECK_SUBJECTS
from baccarat.audit.shuffle import SHUFFLE_FAULTS
from baccarat.audit.signature import signers_of
from baccarat.audit.table_stream import INVARIANT, MONEY, OWED, SAME_PERSON, TableStream, repeated_id
from baccarat.engine.idempotency_index import REPEATED_ID, IdempotencyIndex
from baccarat.engine.redecide import other_version
from baccarat.engine.redecide_house import OTHER_CARDS, OTHER_STREAM
from baccarat.house.stream import HOUSE_STREAM, Stream, is_table_stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.entry import StreamOpening
from baccarat.record.journal import (
    CHAIN,
    UNREADABLE,
    JournalFault,
    JournalLine,
    JournalReader,
    NoteLine,
    journal_lines,
    rules_at,
)
from baccarat.record.key import MissingCryptography
from baccarat.record.log import Frontier
from baccarat.record.note import SignedNote
from baccarat.record.policy import Policy
from baccarat.values import count_text

SIGNATURE, CHECKPOINT_LOST, NOTHING_DECIDED = "signature", "checkpoint", "nothing_decided"
CHECK_OF = {
    **dict.fromkeys((CHAIN, UNREADABLE), "chain"),
    MONEY: "money",
    **dict.fromkeys((INVARIANT, OWED, SAME_PERSON), "promises"),
    REPEATED_ID: "ids",
    **dict.fromkeys(SHUFFLE_FAULTS, "shuffles"),
    SIGNATURE: "signatures",
    CHECKPOINT_LOST: "checkpoints",
    **dict.fromkeys((OTHER_STREAM, OTHER_CARDS, HOUSE_BOOKS), "house"),
}
"""Which check a kind of finding belongs to; all others are acts that are decided differently."""
LINES_READ_AHEAD = 128
"""How many lines are read in one go."""
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


class _StreamRead:
    """One stream of a file, as far as it has been read."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.reach = policy, SignatureReach(policy)
        self.entries = self.last_at = 0
        self.table: TableStream | None = None
        self.is_decided = False
        """Whether the house that it belongs to is decided again, and every entry of the stream with it."""

    def coverage(self, stream: Stream) -> StreamCoverage:
        """How far it is covered."""
        decided, gaps = self.entries if self.is_decided else 0, list[str]()
        if self.table is not None:
            decided = self.table.decided
            gaps = [*self.table.gaps(), *self.table.shuffles.gaps(self.policy.keys)]
        elif not self.is_decided:
            gaps = ["nothing of it was decided again: the house's own stream is not in the same file"]
        size, at = self.entries, self.last_at // 1_000_000
        return self.reach.coverage(stream, entries=size, decided=decided, size=size, last_at=at, gaps=gaps)


class JournalAudit:
    """An audit in progress: files are added one by one, and a report is made at the end."""

    def __init__(
        self, *, most: int = MOST_LISTED, policy: Policy | None = None, checkpoints: Sequence[StoredCheckpoint] = (),
        discretion: bool = False,
    ) -> None:  # fmt: skip
        """With `discretion`, the report lists what was left to somebody's judgement."""
        self.most, self.policy, self.discretion = most, policy or Policy(), discretion
        self.checkpoints = [(each, each.checkpoint) for each in checkpoints]
        """Checkpoints stored in other files: some stream must still match each of them."""
        self.seeds: dict[str, str] = {}
        self.tables: list[TableStream] = []
        self.findings: list[JournalFinding] = []
        self.entries = self.ids = 0
        self.signed = self.held = 0
        """How many checkpoints are in the files, and how many of those in other files match a stream."""
        self.kinds: Counter[str] = Counter()
        self.streams: dict[tuple[str, Stream], _StreamRead] = {}
        """What was read, by file and stream."""
        self.houses: list[HouseStreams] = []

    def file(self, source: Path | NamedStream, seen: OnBytesRead = lambda _bytes: None) -> None:
        """Audit one file or stream; `OSError` if it cannot be opened."""
        if isinstance(source, NamedStream):
            self.lines(_with_progress(journal_lines(source.stream), seen), file=source.name)
            return
        with source.open("rb") as stream:
            self.lines(_with_progress(journal_lines(stream), seen), file=str(source))

    def lines(self, lines: Iterable[tuple[int, bytes]], *, file: str) -> None:
        """Audit the lines of one file."""
        house, ids = None, IdempotencyIndex()
        try:
            for line in _read_ahead(self._read(lines, file)):
                if isinstance(line, NoteLine):
                    self.signed += 1
                    read = self._stream(file, line.stream)
                    self._add_note(read, line.note, file=file, line=line.number, stream=line.stream)
                    continue
                self.entries += 1
                stream = line.entry.stream
                read = self._stream(file, stream)
                read.entries, read.last_at = read.entries + 1, max(read.last_at, line.entry.at)
                if house is None and stream == HOUSE_STREAM and isinstance(line.entry, StreamOpening):
                    house = HouseStreams(rules_at(line.number, line.entry), file=file)
                    self.houses.append(house)
                    ids.has_house = True
                if house is not None:
                    self._add(house.check_entry(line))
                if isinstance(line.entry, StreamOpening):
                    self._check_opening(line, line.entry, file)
                if read.table is not None:
                    self._add(read.table.check_record(line))
                elif is_table_stream(stream):
                    read.table = self._open_table(line, ids, file, house)
                else:
                    self._add(repeated_id(line, ids, file))
                    read.is_decided = house is not None
        except JournalFault as fault:
            self._add([_unreadable_finding(fault, file)])
        self.ids += ids.count
        opened = [read.table for (name, _), read in self.streams.items() if name == file and read.table is not None]
        self._add(finding for table in opened for finding in table.open_dues())
        if house is not None:
            self._add(house.end())

    def _stream(self, file: str, stream: Stream) -> _StreamRead:
        """What was read of a stream of a file."""
        if (file, stream) not in self.streams:
            self.streams[file, stream] = _StreamRead(self.policy)
        return self.streams[file, stream]

    def _read(self, lines: Iterable[tuple[int, bytes]], file: str) -> Iterator[JournalLine | NoteLine]:
        """The lines as they are read; checkpoints that were signed elsewhere are compared as each stream grows."""
        reader = JournalReader()
        if not self.checkpoints:
            yield from reader.read(lines)
            return
        for line in reader.read(lines):
            if isinstance(line, JournalLine):
                self._compare(file, line.entry.stream, reader.logs[line.entry.stream])
            yield line

    def _check_opening(self, line: JournalLine, entry: StreamOpening, file: str) -> None:
        """The first entry of a stream: its Submission gives its rulebook, and its version is known."""
        rules_at(line.number, entry)
        unknown = other_version(entry)
        if unknown is not None:
            self._add([finding_at(line, file, unknown.kind, unknown.say, "J4")])

    def _open_table(
        self, line: JournalLine, ids: IdempotencyIndex, file: str, house: HouseStreams | None
    ) -> TableStream:
        """The table that an entry opens."""
        assert isinstance(line.entry, StreamOpening), "a stream's first entry opens it"
        rules = rules_at(line.number, line.entry)
        table = TableStream(rules, line, file=file, seeds=self.seeds, ids=ids, house=house, discretion=self.discretion)
        self.tables.append(table)
        return table

    def _add_note(self, read: _StreamRead, note: SignedNote, *, stream: Stream, **place: Any) -> None:
        """A checkpoint that matches the entries of a stream: who has signed it."""
        found = signers_of(note, self.policy.keys, stream)
        read.reach.add(read_checkpoint(note).size, found)
        if found.wrong:
            say = f"the checkpoint is not signed as it should be: {found.wrong}"
            self._add([JournalFinding(kind=SIGNATURE, say=say, promise="J2", stream=stream, **place)])

    def _compare(self, file: str, stream: Stream, log: Frontier) -> None:
        """A checkpoint in another file must match one stream, at the size that the checkpoint states."""
        for kept, checkpoint in list(self.checkpoints):
            if kept.stream in ("", stream) and checkpoint.size == log.size and checkpoint.root == log.root():
                self.held += 1
                self.checkpoints.remove((kept, checkpoint))
                self._add_note(self._stream(file, stream), kept.note, file=kept.file, stream=stream)

    def _add(self, findings: Iterable[JournalFinding]) -> None:
        for finding in findings:
            self.kinds[finding.kind] += 1
            if len(self.findings) < self.most:
                self.findings.append(finding)

    def report(self) -> AuditReport:
        """What has been found."""
        for kept, checkpoint in self.checkpoints:
            entries = "entry" if checkpoint.size == 1 else f"{checkpoint.size:,} entries"
            say = f"no stream has the {entries} that {checkpoint.origin} signed: changed or removed"
            self._add([JournalFinding(kind=CHECKPOINT_LOST, say=say, file=kept.file, stream=kept.stream, promise="J2")])
        self.checkpoints.clear()
        self._add(self._share_findings())
        if not (self.tables or self.houses or self.kinds):
            say = "it has no table and no house: nothing was decided again"
            self._add([JournalFinding(kind=NOTHING_DECIDED, say=say, promise="J4")])
        return AuditReport(
            streams=tuple(table.summary() for table in self.tables),
            checks=tuple(self._checks()),
            findings=tuple(self.findings),
            left_out=self.kinds.total() - len(self.findings),
            kinds=dict(self.kinds),
            remarks=tuple(self._remarks()),
            coverage=tuple(read.coverage(stream) for (_, stream), read in self.streams.items()),
            discretion=self._discretion() if self.discretion else UNSET,
        )

    def _discretion(self) -> DiscretionReport:
        return make_report(act for table in self.tables for act in table.discretionary_acts())

    def _share_findings(self) -> Iterator[JournalFinding]:
        """Shares of witnesses whose signatures by a known key are wrong."""
        for table in self.tables:
            with suppress(MissingCryptography):
                for say in table.shuffles.wrong_shares(self.policy.keys):
                    yield JournalFinding(kind=SIGNATURE, say=say, file=table.file, stream=table.stream, promise="C7")

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
            ("decided again", acts, ""),
            ("money", promises, ""),
            ("promises", promises, ""),
            ("ids", self.ids, "no record has an id"),
            ("shuffles", revealed, no_seed),
            ("checkpoints", self.signed + self.held, "there are none"),
            ("signatures", sum(bool(read.reach) for read in self.streams.values()), "no key that was given has signed"),
        ]
        if self.houses:
            found.append(("house", sum(house.decided for house in self.houses), ""))
        for name, times, none in found:
            left_out = none if not times and not failed[name] else ""
            yield AuditCheck(name=name, what=CHECK_SUBJECTS[name], times=times, failed=failed[name], left_out=left_out)

    def _remarks(self) -> Iterator[str]:
        for table in self.tables:
            if table.stepped_back:
                times = count_text(table.stepped_back, "time")
                yield f"{table.stream}: the clock stepped back {times}; no decision depends on time"
            if table.otherwise:
                records = count_text(table.otherwise, "record")
                yield f"{table.stream}: {records} would be ruled differently by this version"
            shuffles = table.shuffles
            yield from (f"{table.stream}: {say}" for say in shuffles.order_remarks())
            if shuffles.given_up:
                were = "was" if shuffles.given_up == 1 else "were"
                shoes = count_text(shuffles.committed, "electronic shoe")
                yield (
                    f"{table.stream}: {shuffles.given_up:,} of {shoes} {were} abandoned: "
                    "abandoning a known order is a way to choose among orders"
                )
            if table.is_lost:
                yield f"{table.stream}: it could not be followed to the end"


def audit_journals(
    sources: Sequence[Path | NamedStream],
    *,
    most: int = MOST_LISTED,
    policy: Policy | None = None,
    checkpoints: Sequence[StoredCheckpoint] = (),
    seen: OnBytesRead = lambda _bytes: None,
    discretion: bool = False,
) -> AuditReport:
    """Audit journals, one after another; with keys, the signatures of their checkpoints too."""
    audit = JournalAudit(most=most, policy=policy, checkpoints=checkpoints, discretion=discretion)
    for source in sources:
        audit.file(source, seen)
    return audit.report()


def _read_ahead(lines: Iterator[JournalLine | NoteLine]) -> Iterator[JournalLine | NoteLine]:
    """The same lines, read ahead in blocks; all lines before a fault come before it.

    Alternating between reading and deciding, line by line, takes longer: each evicts the other from the CPU's caches.
    """
    read: list[JournalLine | NoteLine] = []
    try:
        for line in lines:
            read.append(line)
            if len(read) >= LINES_READ_AHEAD:
                yield from read
                read = []
    except JournalFault:
        yield from read
        raise
    yield from read


def _with_progress(lines: Iterable[tuple[int, bytes]], seen: OnBytesRead) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        seen(len(line))
        yield number, line


def _unreadable_finding(fault: JournalFault, file: str) -> JournalFinding:
    """A line that does not follow from those before it, or cannot be read: nothing after it is trusted."""
    return JournalFinding(
        kind=fault.kind, say=fault.say, file=file, line=fault.line, stream=fault.stream, record=fault.seq, promise="J2"
    )
