"""What an audit shows: a summary and a picture in the terminal, a JSON object, a page; and a bar while it works."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from baccarat.cli.output import console, errors, exit_on, put_line, save_and_say
from baccarat.values import count_text

if TYPE_CHECKING:
    from baccarat.audit.rounds import LogAudit, RoundFault
    from baccarat.audit.rounds.round_log import Progress as ShowProgress
    from baccarat.report.model import LabReport

IN_MEMORY = 1 << 20
"""Bytes of listed faults held in memory; beyond that they spill to a file."""


class JsonFaults:
    """The faults as JSON, buffered while the log is read, because the first part of the answer is known last."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._listed = 0
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  closed on leaving
        self._encode = msgspec.json.Encoder().encode

    def __enter__(self) -> JsonFaults:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def __call__(self, fault: RoundFault) -> None:
        if self._limit is None or self._listed < self._limit:
            self._file.write((b",\n" if self._listed else b"\n") + self._encode(fault.as_json))
            self._listed += 1

    def write_answer(self, audit: LogAudit, out: BinaryIO) -> None:
        """Write the whole answer as one object; it states how many faults were counted but not listed."""
        findings = audit.findings
        before = {
            "rounds": audit.rounds,
            "rows": audit.rows,
            "edition": audit.rules.edition.name,
            "rulebook": audit.rules.hash,
        }
        after = {
            "listed": self._listed,
            "left_out": findings.total - self._listed,
            "summary": {
                "faults": findings.total,
                "unreadable": audit.unreadable,
                "by_kind": {kind.value: count for kind, count in findings.by_kind.items()},
                "by_clause": findings.summary,
            },
            "unchecked": audit.unchecked,
        }
        out.write(self._encode(before)[:-1] + b',"faults":[')
        self._file.seek(0)
        while part := self._file.read(IN_MEMORY):
            out.write(part)
        out.write((b"\n]," if self._listed else b"],") + self._encode(after)[1:] + b"\n")
        out.flush()


@contextmanager
def bar() -> Iterator[ShowProgress | None]:
    """A bar on the terminal while a log is read; nothing if standard error is not a terminal."""
    if not errors.is_terminal:
        yield None
        return
    columns = TextColumn("{task.description}"), BarColumn(20), TaskProgressColumn()
    with Progress(*columns, console=errors, transient=True) as shown:
        task = shown.add_task("auditing", total=None)

        def show_progress(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total or None)

        yield show_progress


def put_audit(audit: LogAudit, *, name: str, limit: int) -> None:
    """Print an audit as text: counts, faults by kind and clause, where, the first in full, what was not checked."""
    findings = audit.findings
    rows = f" in {count_text(audit.rows, 'row')}" if audit.rows != audit.rounds else ""
    found = count_text(findings.total, "fault") if findings.total else "no fault"
    head = f"{count_text(audit.rounds, 'round')}{rows}: {found}"
    put_line((head, "bold"), f" in {name} under {audit.rules.edition.name}")
    if findings.total:
        _put_summary(audit)
        _put_strips(audit)
        console.print()
        for fault in findings.kept[:limit]:
            put_line(str(fault))
        if findings.total > limit:
            more = findings.total - min(limit, len(findings.kept))
            put_line((f"… and {more:,} more: --limit lists more of them, --json all", "dim"))
    if audit.unchecked:
        console.print()
    for each in audit.unchecked:
        put_line((f"not checked: {each}", "dim"))


def _put_summary(audit: LogAudit) -> None:
    console.print()
    summary = audit.findings.summary
    kinds, counts = max(len(each["kind"]) for each in summary), max(len(f"{each['count']:,}") for each in summary)
    for each in summary:
        clause = (each["clause"] or "").removeprefix(f"{audit.rules.edition.name} ")
        put_line(f"{each['count']:>{counts},}  {each['kind']:<{kinds}}  {clause}".rstrip())


def _put_strips(audit: LogAudit) -> None:
    from baccarat.audit.rounds.fault_picture import strips  # noqa: PLC0415

    label = max(len(kind.value) for kind in audit.findings.by_kind)
    columns = min(max(console.width - label - 2, 8), 100, audit.rows)
    each = -(-audit.rows // columns)
    what = "each sign is one row" if each == 1 else f"each sign stands for about {each:,} rows"
    console.print()
    put_line(("where they lie", "bold"), f", first row to last; {what}")
    for kind, strip in strips(audit, columns=columns):
        put_line(f"{kind:<{label}}  ", (strip, "red"))


def check_page(path: Path | None) -> None:
    """Refuse a page that cannot be written, before the work begins."""
    if path is not None:
        from baccarat.report.save import HTML, CannotWrite, check_path  # noqa: PLC0415

        with exit_on(CannotWrite):
            check_path(path, HTML)


def save_page(path: Path, report: LabReport, *, quiet: bool) -> None:
    """Write a report as a page, and say where."""
    from baccarat.report.html import page  # noqa: PLC0415

    save_and_say(path, page(report).encode(), quiet=quiet)
