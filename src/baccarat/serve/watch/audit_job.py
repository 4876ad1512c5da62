"""Audits on demand: the records of a stream decided again, in a thread of its own, one audit at a time.

If all records of a stream are stored it is the audit of `baccarat audit`, over this stream alone. If a practice table
has dropped its first shoes, those that are left are decided again from the state that was stored with them.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum

import msgspec
from msgspec import UNSET

from baccarat.audit.discretion import DiscretionReport
from baccarat.audit.finding import AuditCheck, AuditReport, JournalFinding
from baccarat.audit.journal import JournalAudit
from baccarat.audit.promise import CHECK_SUBJECTS
from baccarat.engine.redecide import redecide, redecide_followed
from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import ActRecord, hash_after, read_body, refused_by_house
from baccarat.record.journal import CHAIN
from baccarat.record.key import Verifier
from baccarat.record.policy import policy_of_keys
from baccarat.serve.runtime.past_state import stored_state
from baccarat.serve.store.base import Reads, Store, StoredEntry, StoreReader, StoreUnavailable, all_entries
from baccarat.serve.store.journal_export import stream_journal
from baccarat.table.machine import Table
from baccarat.table.state import TableState

MOST_ENTRIES = 300_000
MOST_SECONDS = 120.0
MOST_FINDINGS = 100
MOST_KEPT = 32
BREATH_EVERY, BREATH_SECONDS = 64, 0.002
"""After how many records an audit lets other threads run, so that no table waits for it."""


class AuditState(Enum):
    """The state of an audit."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


class Audit(msgspec.Struct, kw_only=True):
    """An audit: its stream, its progress, and what it found."""

    id: str
    stream: Stream
    entries: int
    state: AuditState = AuditState.RUNNING
    read: int = 0
    clean: bool = False
    checks: list[AuditCheck] = []
    findings: list[JournalFinding] = []
    left_out: int = 0
    remarks: list[str] = []
    why: str = ""
    """Why it was stopped."""
    judged: bool = False
    """Whether what was left to somebody's judgement is known: not if earlier shoes were dropped."""


class AuditUnderWay(Exception):  # noqa: N818
    """Another audit is under way."""


class AuditCancelled(Exception):  # noqa: N818
    """Why an audit was stopped."""


class AuditJobs:
    """The audits of a house: one at a time; the last ones are kept."""

    def __init__(self, store: Store, *, seconds: float = MOST_SECONDS) -> None:
        self._store, self._seconds = store, seconds
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Audit] = OrderedDict()
        self._discretion: dict[str, DiscretionReport] = {}
        """What was left to somebody's judgement, by the id of the audit that has found it."""
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def begin(
        self, stream: Stream, entries: int, *, known: tuple[Verifier, ...], rules: Mapping[str, Rulebook]
    ) -> Audit:
        """Begin an audit of a stream, or find the one under way. `AuditUnderWay` if another stream is being audited."""
        with self._lock:
            running = next((each for each in self._kept.values() if each.state is AuditState.RUNNING), None)
            if running is not None:
                if running.stream == stream:
                    return running
                raise AuditUnderWay
            audit = Audit(id=secrets.token_hex(8), stream=stream, entries=entries)
            self._kept[audit.id] = audit
            if len(self._kept) > MOST_KEPT:
                self._discretion.pop(self._kept.popitem(last=False)[0], None)
            work = lambda: self._run(audit, known, rules)  # noqa: E731
            self._thread = threading.Thread(target=work, name="audit", daemon=True)
            self._thread.start()
            return audit

    def find(self, id_: str) -> Audit | None:
        """An audit by its id, finished or not."""
        with self._lock:
            return self._kept.get(id_)

    def discretion(self, id_: str) -> DiscretionReport | None:
        """What was left to somebody's judgement in an audited stream; None while it is not known, or never will be."""
        with self._lock:
            return self._discretion.get(id_)

    def close(self) -> None:
        """Stop the audit under way, and wait for its end."""
        self._is_closed = True
        if self._thread is not None:
            self._thread.join()

    def _run(self, audit: Audit, known: tuple[Verifier, ...], rules: Mapping[str, Rulebook]) -> None:
        try:
            reader = self._store.reader()
            try:
                report = _audit_stream(reader, audit.stream, known, rules, self._watch(audit))
            finally:
                reader.close()
        except (AuditCancelled, StoreUnavailable) as error:
            audit.why, audit.state = str(error), AuditState.STOPPED
            return
        audit.checks, audit.findings = list(report.checks), list(report.findings)
        audit.left_out, audit.clean = report.left_out, report.is_clean
        covered = [say for each in report.coverage for say in (str(each), *each.gaps)]
        audit.remarks = [*report.remarks, *covered]
        if report.discretion is not UNSET:
            with self._lock:
                self._discretion[audit.id] = report.discretion
            audit.judged = True
        audit.read, audit.state = max(audit.read, audit.entries), AuditState.DONE

    def _watch(self, audit: Audit) -> Callable[[], None]:
        until = time.monotonic() + self._seconds

        def look() -> None:
            audit.read += 1
            if audit.read % BREATH_EVERY == 0:
                time.sleep(BREATH_SECONDS)
                if self._is_closed:
                    raise AuditCancelled("The house is closing.")
                if time.monotonic() > until:
                    raise AuditCancelled(
                        f"It took longer than {self._seconds:.0f} seconds; export the journal and audit it."
                    )

        return look


def _audit_stream(
    reads: StoreReader,
    stream: Stream,
    known: tuple[Verifier, ...],
    rules: Mapping[str, Rulebook],
    look: Callable[[], None],
) -> AuditReport:
    first = reads.entries(stream, after=-1, limit=1)
    if first and first[0].seq > 0:
        return _audit_stored_shoes(reads, stream, rules, look)
    audit = JournalAudit(most=MOST_FINDINGS, policy=policy_of_keys(known), discretion=True)
    audit.lines(_with_cancellation(enumerate(stream_journal(reads, stream), start=1), look), file=stream)
    return audit.report()


def _with_cancellation(lines: Iterable[tuple[int, bytes]], look: Callable[[], None]) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        look()
        yield number, line


class _StoredShoesAudit:
    """The remaining shoes of a practice table, decided again from the state before them."""

    def __init__(self, first: ActRecord, state: TableState, rules: Mapping[str, Rulebook]) -> None:
        self._rules = rules
        self._table = self._restore_table(first, state, first.event)
        self._former: bytes | None = None
        self.records = self.decided = 0
        self.found: list[JournalFinding] = []

    def _restore_table(self, record: ActRecord, state: TableState, events: int) -> Table:
        return Table.from_snapshot(self._rules[record.rulebook], state, events=events, event_at=lambda _number: None)

    def check_record(self, row: StoredEntry, record: ActRecord) -> None:
        """Check the next record."""
        self.records += 1
        if self._former is not None and hash_after(self._former, row.body) != row.hash:
            self._add_finding(CHAIN, "it does not follow from the record before it", record)
        self._former = row.hash
        if refused_by_house(record):
            return
        self.decided += record.folded is None
        difference = (redecide if record.cause is None else redecide_followed)(self._table, record)
        if difference is not None:
            self._add_finding(difference.kind, difference.say, record, difference.clauses)

    def _add_finding(self, kind: str, say: str, record: ActRecord, clauses: tuple[str, ...] = ()) -> None:
        self.found.append(JournalFinding(kind=kind, say=say, stream=record.stream, record=record.seq, clauses=clauses))
        if len(self.found) >= MOST_FINDINGS:
            raise AuditCancelled(
                f"{MOST_FINDINGS} findings, the first in record {self.found[0].record}: {self.found[0].say}"
            )

    def report(self) -> AuditReport:
        """What has been found."""
        broken = sum(each.kind == CHAIN for each in self.found)
        checks = (
            AuditCheck(name="chain", what=CHECK_SUBJECTS["chain"], times=self.records, failed=broken),
            AuditCheck(
                name="decided again",
                what=CHECK_SUBJECTS["decided again"],
                times=self.decided,
                failed=len(self.found) - broken,
            ),
            AuditCheck(
                name="earlier shoes", what="what came before them", left_out="a practice table keeps its last shoes"
            ),
        )
        return AuditReport(streams=(), checks=checks, findings=tuple(self.found))


def _audit_stored_shoes(
    reads: Reads, stream: Stream, rules: Mapping[str, Rulebook], look: Callable[[], None]
) -> AuditReport:
    kept: _StoredShoesAudit | None = None
    seq = reads.entries(stream, after=-1, limit=1)[0].seq - 1
    stored = stored_state(reads, stream, seq)
    if stored is None or stored[0] != seq:
        raise AuditCancelled(
            "Earlier shoes were dropped, and no state was stored from which the others can be decided again."
        )
    for row in all_entries(reads, stream, after=seq):
        look()
        record = read_body(row.body)
        assert isinstance(record, ActRecord), "a stream is opened once"
        kept = kept or _StoredShoesAudit(record, stored[1], rules)
        kept.check_record(row, record)
    assert kept is not None, "a stream that has dropped records has others"
    return kept.report()
