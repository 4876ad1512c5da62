"""What an audit of journals shows: checks and findings in the terminal, JSON, a page; and a bar while it works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import escape
from pathlib import Path
from urllib.parse import unquote

from msgspec import UNSET

from baccarat.audit.discretion import DiscretionReport, time_in_words
from baccarat.audit.finding import AuditCheck, AuditReport, JournalFinding
from baccarat.audit.journal import MOST_LISTED, NamedStream, StoredCheckpoint, audit_journals
from baccarat.audit.promise import PROMISES
from baccarat.cli.audit import FAULTS_LISTED
from baccarat.cli.audit_show import bar, check_page, save_page
from baccarat.cli.audit_source import AuditInput
from baccarat.cli.journal_files import read_signed
from baccarat.cli.output import DONE, FAULT, REFUSED, console, fail, line, put_json, put_line
from baccarat.cli.status import PARTLY
from baccarat.house.registry import book_of
from baccarat.house.stream import Stream, is_table_stream
from baccarat.record.journal import UNREADABLE
from baccarat.record.policy import Policy
from baccarat.values import count_text

CHECKPOINT_SUFFIXES = (".checkpoint", ".cosigned")


def audit_files(
    sources: Sequence[AuditInput], *, policy: Policy, checkpoints: Sequence[Path], limit: int | None,
    html: Path | None, json: bool, discretion: bool = False,
) -> int:  # fmt: skip
    """Audit journals, print what was found, and give the exit status."""
    check_page(html)
    journals = [each.given if isinstance(each.given, Path) else NamedStream(each.name, each.given) for each in sources]
    signed = [StoredCheckpoint(str(path), read_signed(path)[0]) for path in checkpoints]
    signed += [
        kept for journal in journals if isinstance(journal, Path) for kept in _stored_checkpoints(journal, checkpoints)
    ]
    size, done = _size(journals), 0
    with bar() as heard:

        def seen(read: int) -> None:
            nonlocal done
            done += read
            if heard is not None:
                heard(done, size)

        try:
            report = audit_journals(
                journals, most=MOST_LISTED if limit is None else limit, policy=policy, checkpoints=signed, seen=seen,
                discretion=discretion,
            )  # fmt: skip
        except OSError as error:
            fail(f"{error.filename}: cannot be read: {error.strerror}")
    names = ", ".join(journal.name for journal in journals)
    if html is not None:
        from baccarat.audit.journal_page import journal_report  # noqa: PLC0415

        save_page(html, journal_report(report, names=names), quiet=json)
    if json:
        put_json(report)
    else:
        put_report(report, names=names, limit=FAULTS_LISTED if limit is None else limit)
    if set(report.kinds) - {UNREADABLE}:
        return REFUSED
    if UNREADABLE in report.kinds:
        return FAULT
    return DONE if report.is_covered else PARTLY


def _stored_checkpoints(journal: Path, named: Sequence[Path]) -> Iterator[StoredCheckpoint]:
    """The checkpoint files next to a journal: of its only stream, or with a stream's name in the file name."""
    for path in sorted(journal.parent.glob(f"{escape(journal.name)}.*")):
        stream = Stream(unquote(path.name[len(journal.name) : -len(path.suffix)].removeprefix(".")))
        is_stream = not stream or is_table_stream(stream) or book_of(stream) is not None
        if path.suffix in CHECKPOINT_SUFFIXES and is_stream and path not in named:
            yield StoredCheckpoint(str(path), read_signed(path)[0], stream)


def _size(journals: Sequence[Path | NamedStream]) -> int:
    """How many bytes there are to read; 0 if that is unknown."""
    paths = [journal for journal in journals if isinstance(journal, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len(journals) else 0


def put_report(report: AuditReport, *, names: str, limit: int) -> None:
    """Print an audit as text: each check with its answer, the first findings in full, remarks."""
    total = len(report.findings) + report.left_out
    rounds = sum(stream.rounds for stream in report.streams)
    found = f"{count_text(total, 'finding')}" if total else "nothing found"
    if not report.is_covered:
        found += "; not all of it is covered"
    put_line((f"{count_text(rounds, 'round')}: {found}", "bold"), f" in {names}")
    for check in report.checks:
        console.print(_check_line(check))
    if report.findings:
        console.print()
    for finding in report.findings[:limit]:
        console.print(_finding_line(finding))
    if total > limit:
        more = total - min(limit, len(report.findings))
        put_line((f"… and {more:,} more: --limit lists more of them", "dim"))
    for promise in sorted({finding.promise for finding in report.findings[:limit] if finding.promise}):
        put_line((f"{promise}: {PROMISES[promise]}", "dim"))
    for remark in report.remarks:
        put_line((f"note: {remark}", "dim"))
    for coverage in report.coverage:
        put_line((str(coverage), "bold"))
        for gap in coverage.gaps:
            put_line((" – ", "yellow"), f"not covered: {gap}")
    if report.discretion is not UNSET:
        put_discretion(report.discretion)


def put_discretion(report: DiscretionReport) -> None:
    """Print what was left to somebody's judgement: act by act under each person, and a total for each."""
    put_line((f"\nleft to somebody's judgement: {count_text(len(report.acts), 'act')}", "bold"))
    for act in report.acts:
        seconds = f" with {', '.join(act.seconds)}" if act.seconds else ""
        reason = f": {act.reason}" if act.reason else ""
        place = f"{act.stream} {act.record}, {time_in_words(act.at)}, shoe {act.shoe} round {act.round}"
        clauses = f"  {', '.join(act.clauses[:3])}" if act.clauses else ""
        put_line((f"{act.who}{seconds}", "bold"), f", {act.what or act.act}{reason}", (f"  {place}{clauses}", "dim"))
        put_line(f"    {act.worth_words}")
    for each in report.persons:
        put_line((str(each), "bold"))


def _check_line(check: AuditCheck) -> object:
    if check.left_out:
        return line(("–", "dim"), f" {check.name}: {check.what}", (f"  not checked: {check.left_out}", "dim"))
    sign = ("✗", "bold red") if check.failed else ("✓", "green")
    return line(sign, f" {check.name}: {check.what}", (f"  {count_text(check.times, 'time')}", "dim"))


def _finding_line(finding: JournalFinding) -> object:
    where = f"{finding.file} line {finding.line}" if finding.line else finding.file
    record = f", {finding.stream} {finding.record}" if finding.record is not None else ""
    clauses = f"  {', '.join(finding.clauses[:3])}" if finding.clauses else ""
    return line((f"{where}{record}", "bold"), f": {finding.say} [{finding.promise}]", (clauses, "dim"))
