"""What an audit of journals shows: checks and findings in the terminal, JSON, a page; and a bar while it works."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from baccarat.audit.finding import AuditReport, Check, Finding
from baccarat.audit.journal import MOST_LISTED, NamedStream, audit_journals
from baccarat.cli.audit import LISTED
from baccarat.cli.audit_show import bar, check_page, save_page
from baccarat.cli.audit_source import Source
from baccarat.cli.log_files import read_signed, read_verifiers
from baccarat.cli.out import DONE, FAULT, REFUSED, console, fail, line, put_json
from baccarat.record.journal import UNREADABLE
from baccarat.record.key import Kind, MissingCryptography
from baccarat.values import counted


def audit_files(
    sources: Sequence[Source], *, keys: Sequence[str], checkpoints: Sequence[Path], limit: int | None,
    html: Path | None, json: bool,
) -> int:  # fmt: skip
    """Audit journals, print what was found, and give the exit status."""
    check_page(html)
    known = read_verifiers(keys, Kind.LOG) if keys else []
    signed = [(str(path), read_signed(path, known or None)[1]) for path in checkpoints]
    journals = [each.given if isinstance(each.given, Path) else NamedStream(each.name, each.given) for each in sources]
    size, done = _size(journals), 0
    with bar() as heard:

        def seen(read: int) -> None:
            nonlocal done
            done += read
            if heard is not None:
                heard(done, size)

        try:
            report = audit_journals(
                journals, most=MOST_LISTED if limit is None else limit, known=known, checkpoints=signed, seen=seen
            )
        except OSError as error:
            fail(f"{error.filename}: cannot be read: {error.strerror}", FAULT)
        except MissingCryptography as error:
            fail(str(error), FAULT)
    names = ", ".join(journal.name for journal in journals)
    if html is not None:
        from baccarat.audit.journal_page import journal_report  # noqa: PLC0415

        save_page(html, journal_report(report, names=names), quiet=json)
    if json:
        put_json(report)
    else:
        put_report(report, names=names, limit=LISTED if limit is None else limit)
    if UNREADABLE in report.kinds:
        return FAULT
    return DONE if report.is_clean else REFUSED


def _size(journals: Sequence[Path | NamedStream]) -> int:
    """How many bytes there are to read; 0 if nobody knows."""
    paths = [journal for journal in journals if isinstance(journal, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len(journals) else 0


def put_report(report: AuditReport, *, names: str, limit: int) -> None:
    """Print an audit as text: each check with its answer, the first findings in full, remarks."""
    total = len(report.findings) + report.left_out
    rounds = sum(stream.rounds for stream in report.streams)
    found = f"{counted(total, 'finding')}" if total else "nothing found"
    console.print(line((f"{counted(rounds, 'round')}: {found}", "bold"), f" in {names}"))
    for check in report.checks:
        console.print(_check_line(check))
    if report.findings:
        console.print()
    for finding in report.findings[:limit]:
        console.print(_finding_line(finding))
    if total > limit:
        more = total - min(limit, len(report.findings))
        console.print(line((f"… and {more:,} more: --limit lists more of them", "dim")))
    for remark in report.remarks:
        console.print(line((f"note: {remark}", "dim")))


def _check_line(check: Check) -> object:
    if check.left_out:
        return line(("–", "dim"), f" {check.name}: {check.what}", (f"  not checked: {check.left_out}", "dim"))
    sign = ("✗", "bold red") if check.failed else ("✓", "green")
    return line(sign, f" {check.name}: {check.what}", (f"  {counted(check.times, 'time')}", "dim"))


def _finding_line(finding: Finding) -> object:
    where = f"{finding.file} line {finding.line}" if finding.line else finding.file
    record = f", {finding.stream} {finding.record}" if finding.record is not None else ""
    clauses = f"  {', '.join(finding.clauses[:3])}" if finding.clauses else ""
    return line((f"{where}{record}", "bold"), f": {finding.say} [{finding.promise}]", (clauses, "dim"))
