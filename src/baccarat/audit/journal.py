"""Journals audited: every line, every stream, every act; what cannot be read ends a file, what is wrong does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from baccarat.audit.finding import AuditReport, Check, Finding
from baccarat.audit.house_stream import HouseStreams
from baccarat.audit.table_stream import TableStream
from baccarat.house.state import HOUSE_STREAM
from baccarat.record.entry import Opening
from baccarat.record.journal import JournalFault, Line, Reader, bounded_lines, rules_at

MOST_LISTED = 1_000
"""So many findings are listed; the others are counted."""
Seen = Callable[[int], None]
"""Is told how many bytes have been read, for a progress bar."""


class JournalAudit:
    """An audit under way: files are taken in one by one, and a report is made at the end."""

    def __init__(self, *, most: int = MOST_LISTED) -> None:
        self.most = most
        self.tables: list[TableStream] = []
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.unchecked: dict[str, str] = {}
        self.houses: list[HouseStreams] = []

    def file(self, path: Path, seen: Seen = lambda _bytes: None) -> None:
        """Audit one file; `OSError` where it cannot be opened."""
        with path.open("rb") as stream:
            self.lines(_watched(bounded_lines(stream), seen), file=str(path))

    def lines(self, lines: Iterable[tuple[int, bytes]], *, file: str) -> None:
        """Audit the lines of one file."""
        reader, streams, house = Reader(), dict[str, TableStream](), None
        try:
            for line in reader.read(lines):
                if not isinstance(line, Line):
                    self.counts["checkpoints"] += 1
                    continue
                self.counts["entries"] += 1
                if house is None and line.entry.stream == HOUSE_STREAM and isinstance(line.entry, Opening):
                    house = HouseStreams(rules_at(line.number, line.entry), file=file)
                    self.houses.append(house)
                for finding in house.take(line) if house is not None else ():
                    self._add(finding)
                self._entry(line, streams, file, is_housed=house is not None)
        except JournalFault as fault:
            self._add(_unread(fault, file))
        for finding in house.end() if house is not None else ():
            self._add(finding)

    def _entry(self, line: Line, streams: dict[str, TableStream], file: str, *, is_housed: bool) -> None:
        entry = line.entry
        if not entry.stream.startswith("table "):
            if not is_housed:
                self.unchecked.setdefault(entry.stream, "the house's journal is not in the same file")
            return
        if isinstance(entry, Opening):
            streams[entry.stream] = TableStream(rules_at(line.number, entry), line, file=file)
            self.tables.append(streams[entry.stream])
            return
        for finding in streams[entry.stream].take(line):
            self._add(finding)

    def _add(self, finding: Finding) -> None:
        self.counts[f"kind {finding.kind}"] += 1
        self.counts["findings"] += 1
        if len(self.findings) < self.most:
            self.findings.append(finding)

    def report(self) -> AuditReport:
        """What has been found."""
        return AuditReport(
            streams=tuple(table.summary() for table in self.tables),
            checks=tuple(self._checks()),
            findings=tuple(self.findings),
            left_out=self.counts["findings"] - len(self.findings),
            remarks=tuple(self._remarks()),
        )

    def _checks(self) -> Iterator[Check]:
        failed = Counter(
            {kind.removeprefix("kind "): count for kind, count in self.counts.items() if kind.startswith("kind ")}
        )
        acts = sum(table.counts["records"] for table in self.tables)
        promises = sum(table.counts["promises"] for table in self.tables)
        yield Check(
            name="chain", what="every entry follows from the one before: number and hash (J2)",
            times=self.counts["entries"], failed=failed["chain"] + failed["form"],
        )  # fmt: skip
        decided = ("other_events", "other_refusal", "other_rules", "no_command", "not_canonical", "opened_twice")
        yield Check(
            name="decided again", what="every command leads to exactly what is recorded (C1–C7, M4–M7, J4, J5, D3)",
            times=acts, failed=sum(failed[kind] for kind in decided),
        )  # fmt: skip
        yield Check(
            name="money", what="no money appears or vanishes (M1, M2, M9)", times=promises, failed=failed["money"]
        )
        yield Check(
            name="promises", what="cards, balances, markers, meters after every act (C1, C2, C4, C6, M3, M5, M6, M8)",
            times=promises, failed=failed["invariant"] + failed["same_person"],
        )  # fmt: skip
        yield Check(
            name="ids", what="no id of a person takes effect twice (J3)", times=acts, failed=failed["repeated_id"]
        )
        if self.houses:
            yield Check(
                name="house", what="every act decided again over all streams; the books balance (M1, M8, J8, D4)",
                times=sum(house.decided for house in self.houses), failed=failed["other_stream"],
            )  # fmt: skip
        for stream, why in self.unchecked.items():
            yield Check(name=stream, what="the house's own books", left_out=why)

    def _remarks(self) -> Iterator[str]:
        for table in self.tables:
            if table.stepped_back:
                yield f"{table.stream}: the clock stepped back {table.stepped_back} times; time decides nothing"
            if table.otherwise:
                yield f"{table.stream}: {table.otherwise} records would be ruled otherwise by this version"
            if table.is_lost:
                yield f"{table.stream}: events that cannot be read; what follows them is not decided again"


def audit_journals(paths: Sequence[Path], *, most: int = MOST_LISTED, seen: Seen = lambda _bytes: None) -> AuditReport:
    """Audit files of journals, one after another."""
    audit = JournalAudit(most=most)
    for path in paths:
        audit.file(path, seen)
    return audit.report()


def _watched(lines: Iterable[tuple[int, bytes]], seen: Seen) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        seen(len(line))
        yield number, line


def _unread(fault: JournalFault, file: str) -> Finding:
    """A line that does not follow from those before it: nothing after it is believed."""
    kind = "chain" if fault.seq is not None else "form"
    return Finding(
        kind=kind, say=fault.say, file=file, line=fault.line, stream=fault.stream, record=fault.seq, promise="J2"
    )
