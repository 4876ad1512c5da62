"""Findings: what an audit found wrong, each with its place, the clause, what was expected and what was found."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from baccarat.audit.coverage import StreamCoverage
from baccarat.audit.discretion import DiscretionReport
from baccarat.audit.receipt import ReceiptVerdict
from baccarat.engine.redecide import RecordDifference
from baccarat.record.journal import JournalLine


class JournalFinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault of a journal."""

    kind: str
    """What sort of fault: `chain`, `unreadable`, `other_events`, `invariant`, …"""
    say: str
    file: str = ""
    line: int = 0
    stream: str = ""
    record: int | None = None
    """The number of the record in its stream."""
    promise: str = ""
    """Which promise it breaks, such as M3 or J2; docs/audit.md lists them."""
    clauses: tuple[str, ...] = ()
    expected: str = ""
    found: str = ""


def finding_at(line: JournalLine, file: str, kind: str, say: str, promise: str, **more: Any) -> JournalFinding:
    """A fault of one entry of a journal, with its place."""
    place: dict[str, Any] = {"file": file, "line": line.number, "stream": line.entry.stream, "record": line.entry.seq}
    return JournalFinding(kind=kind, say=say, promise=promise, **place, **more)


def difference_at(line: JournalLine, file: str, difference: RecordDifference) -> JournalFinding:
    """An entry that differs from what is decided again, with its place."""
    more = {name: getattr(difference, name) for name in ("clauses", "expected", "found")}
    return finding_at(line, file, difference.kind, difference.say, "J4", **more)


class TimelineRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round as a timeline shows it: where it is, how it ended, and how many faults it has."""

    line: int
    shoe: int
    round: int
    outcome: str
    at: int = 0
    findings: int = 0


class StreamSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of one stream."""

    stream: str
    file: str
    rulebook: str
    edition: str
    records: int
    taken: int
    refused: int
    events: int
    shoes: int
    rounds: int
    head: str
    """The hash of its last entry that follows from those before it."""
    moments: tuple[TimelineRound, ...] = ()


class AuditCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of check: how often it was made, and how often it failed; or why it was skipped."""

    name: str
    what: str
    times: int = 0
    failed: int = 0
    left_out: str = ""


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an audit found."""

    streams: tuple[StreamSummary, ...]
    checks: tuple[AuditCheck, ...]
    findings: tuple[JournalFinding, ...]
    left_out: int = 0
    """How many more findings there were than are listed."""
    kinds: dict[str, int] = {}
    """How many findings of each kind there were."""
    remarks: tuple[str, ...] = ()
    """What is not a fault, but worth knowing."""
    coverage: tuple[StreamCoverage, ...] = ()
    """How far each stream is covered, and by whom."""
    receipts: tuple[ReceiptVerdict, ...] = ()
    """What each receipt shows that was compared with the journals."""
    discretion: DiscretionReport | UnsetType = UNSET
    """What was left to somebody's judgement, where that was asked for."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings and not self.left_out

    @property
    def is_covered(self) -> bool:
        """Whether everything that was read is covered by the keys that were given."""
        return not any(each.gaps for each in self.coverage)
