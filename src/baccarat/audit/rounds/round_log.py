"""A log of rounds from a file or a stream: its form, its columns, and its audit from first row to last."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec

from baccarat.audit.rounds.auditor import RoundAuditor
from baccarat.audit.rounds.column import ROUND_FIELDS, LogColumns, find_columns, list_columns
from baccarat.audit.rounds.csv_file import CsvFile, CsvRow
from baccarat.audit.rounds.fault import FaultKind, UnreadableLog
from baccarat.audit.rounds.findings import Findings
from baccarat.audit.rounds.hand_text import has_court_cards
from baccarat.audit.rounds.json_file import JsonLines
from baccarat.audit.rounds.text_line import text_of
from baccarat.law.rulebook import Rulebook
from baccarat.record.text import BOM
from baccarat.values import count_text

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much, in rows or in bytes; 0 if the total is unknown."""

HEAD = 1 << 12
"""Bytes by which the form of a file is recognised."""


class LogForm(Enum):
    """The possible forms of a log."""

    CSV = "csv"
    JSON_LINES = "json_lines"
    PARQUET = "parquet"


class LogOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says about a log: columns by field, the delimiter, whether sums are cents."""

    columns: Mapping[str, str] = {}
    delimiter: str | None = None
    in_cents: bool = False


class _Table(Protocol):
    header: list[str]

    def rows(self) -> Iterator[list[CsvRow]]:
        """The rows after the header, in blocks."""


class LogAudit(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The result of the audit of a log."""

    rules: Rulebook
    columns: LogColumns
    rows: int
    rounds: int
    findings: Findings
    unchecked: tuple[str, ...]
    """What could not be checked, and why, in sentences."""

    @property
    def unreadable(self) -> int:
        """How many faults are rows or cells that could not be read."""
        return self.findings.by_kind.get(FaultKind.UNREADABLE, 0)


def form_of(head: bytes) -> LogForm:
    """The form of a log by its first bytes."""
    if head.startswith(b"PAR1"):
        return LogForm.PARQUET
    return LogForm.JSON_LINES if head.removeprefix(BOM).lstrip()[:1] in (b"{", b"[") else LogForm.CSV


def head_of(stream: BinaryIO) -> bytes:
    """The first bytes of a stream, without consuming them."""
    assert isinstance(stream, io.BufferedReader), "only a buffered stream can be peeked into"
    return stream.peek(HEAD)[:HEAD]


def audit_log(
    rules: Rulebook, source: Path | BinaryIO, findings: Findings, *, options: LogOptions | None = None,
    progress: Progress | None = None,
) -> LogAudit:  # fmt: skip
    """Audit a log under a rulebook; `UnreadableLog` is raised if it is not a log at all."""
    options = options or LogOptions()
    if isinstance(source, Path):
        with source.open("rb") as stream:
            if form_of(head_of(stream)) is not LogForm.PARQUET:
                return audit_log(rules, stream, findings, options=options, progress=progress)
        from baccarat.audit.rounds.parquet_file import ParquetFile  # noqa: PLC0415  an extra

        table = ParquetFile(source)
        return _audit(rules, table, findings, options, progress and _ProgressReporter(progress, table.count))
    head = head_of(source)
    form = form_of(head)
    if form is LogForm.PARQUET:
        raise UnreadableLog("a Parquet file cannot be read from a pipe: name the file")
    reporter = None
    if progress is not None:
        known = source.seekable()
        reporter = _ProgressReporter(
            progress, os.fstat(source.fileno()).st_size if known else 0, source.tell if known else None
        )
    text = text_of(source, head)
    try:
        lines: _Table = JsonLines(text) if form is LogForm.JSON_LINES else CsvFile(text, delimiter=options.delimiter)
        return _audit(rules, lines, findings, options, reporter)
    finally:
        text.detach()  # the stream is closed by its opener


class _ProgressReporter:
    """Passes the progress on: in bytes if the position in a file is known, otherwise in rows."""

    def __init__(self, progress: Progress, total: int, position: Callable[[], int] | None = None) -> None:
        self._progress = progress
        self._total = total
        self._position = position

    def __call__(self, rows: int) -> None:
        self._progress(rows if self._position is None else self._position(), self._total)


def _audit(
    rules: Rulebook, table: _Table, findings: Findings, options: LogOptions, reporter: _ProgressReporter | None
) -> LogAudit:  # fmt: skip
    columns = find_columns(table.header, mapped=options.columns, kinds=rules.edition.wagers)
    blocks = table.rows()
    first = next((block for block in blocks if block), [])
    pick, width = columns.row_picker(), len(columns.names)
    sample = [cell for row in first if isinstance(row, list) and len(row) == width for cell in pick(row)[2:4]]
    auditor = RoundAuditor(rules, columns, findings, in_cents=options.in_cents, tens_are_ranks=has_court_cards(sample))
    for block in chain([first], blocks):
        auditor.feed(block)
        if reporter is not None:
            reporter(auditor.rows)
    auditor.finish()
    if auditor.rows == 0:
        raise UnreadableLog("there is a header, but no round after it")
    return LogAudit(
        rules=rules, columns=columns, rows=auditor.rows, rounds=auditor.rounds, findings=findings,
        unchecked=tuple(_unchecked_parts(columns, auditor)),
    )  # fmt: skip


def _unchecked_parts(columns: LogColumns, auditor: RoundAuditor) -> Iterator[str]:
    """What the log does not have, and what was therefore not compared."""
    what = {
        "shoe": "how many cards of a kind each shoe dealt, and the order of shoes",
        "round": "the order of rounds, and whether one occurs twice",
        "player_total": "the Player's total",
        "banker_total": "the Banker's total",
        "winner": "the winner",
    }
    for field in ROUND_FIELDS:
        if not columns.has(field):
            yield f"{what[field]}: there is no column {field}"
    if columns.unused_columns:
        names = list_columns(columns.unused_columns, most=8)
        yield f"the columns {names}, which are unknown: --column FIELD=NAME assigns one"
    if not columns.has_wagers:
        yield "payments and vigorish: there are no columns with wagers"
    if auditor.unsettled:
        rounds = count_text(auditor.unsettled, "round")
        yield f"the wagers of {rounds} in which the hands do not follow the tableau"
    for name, count in auditor.payments.unchecked.items():
        yield f"{count_text(count, 'wager')} on {name}, which depend on more than the cards in the log"
