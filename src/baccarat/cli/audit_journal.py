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
from baccarat.cli.journal_files import exit_on_write_error, read_checkpoint_memory, read_stored_note
from baccarat.cli.output import DONE, FAULT, REFUSED, console, line, put_coverage, put_json, put_line
from baccarat.cli.receipt import read_receipts, show_receipts
from baccarat.cli.status import PARTLY, worst
from baccarat.engine.redecide import RULED_OTHERWISE
from baccarat.house.registry import book_of
from baccarat.house.stream import Stream, is_table_stream
from baccarat.record.journal import UNREADABLE
from baccarat.record.note import UnreadableNote
from baccarat.record.policy import Policy
from baccarat.values import count_text

CHECKPOINT_SUFFIXES = (".checkpoint", ".cosigned")


def audit_files(
    sources: Sequence[AuditInput], *, policy: Policy, checkpoints: Sequence[Path], limit: int | None,
    html: Path | None, json: bool, discretion: bool = False, receipts: Sequence[Path] = (), memory: Path | None = None,
) -> int:  # fmt: skip
    """Audit journals, print what was found, and give the exit status."""
    check_page(html)
    faults = {each.name: each.fault for each in sources if each.fault}
    journals = [
        each.given if isinstance(each.given, Path) else NamedStream(each.name, each.given)
        for each in sources
        if not each.fault
    ]
    signed, unread = _read_checkpoints([path for path in journals if isinstance(path, Path)], checkpoints)
    size, done, remembered = _size(journals), 0, None if memory is None else read_checkpoint_memory(memory)
    with bar() as show_progress:

        def on_bytes_read(count: int) -> None:
            nonlocal done
            done += count
            if show_progress is not None:
                show_progress(done, size)

        report = audit_journals(
            journals, most=MOST_LISTED if limit is None else limit, policy=policy, checkpoints=signed,
            on_bytes_read=on_bytes_read, discretion=discretion, unreadable=faults | unread,
            receipts=read_receipts(receipts, policy), memory=remembered,
        )  # fmt: skip
    # The memory is stored before anything is shown: showing may fail, as in a pipe that is closed.
    if memory is not None and remembered is not None:
        with exit_on_write_error(memory):
            remembered.write(memory)
    names = ", ".join(source.given.name if isinstance(source.given, Path) else source.name for source in sources)
    if html is not None:
        from baccarat.audit.journal_page import journal_report  # noqa: PLC0415

        save_page(html, journal_report(report, names=names), quiet=json)
    if json:
        put_json(report)
    else:
        put_report(report, names=names, limit=FAULTS_LISTED if limit is None else limit)
    statuses = [each.status for each in report.receipts]
    if set(report.kinds) - {UNREADABLE, RULED_OTHERWISE}:  # an older version's rulings are no fault, but a gap
        statuses.append(REFUSED)
    elif UNREADABLE in report.kinds:
        statuses.append(FAULT)
    return worst([*statuses, DONE if report.is_covered else PARTLY])


def _read_checkpoints(journals: Sequence[Path], named: Sequence[Path]) -> tuple[list[StoredCheckpoint], dict[str, str]]:
    """The checkpoints that were named and those next to journals; and why others could not be read, by file."""
    found, unread = list[StoredCheckpoint](), dict[str, str]()
    beside = [each for journal in journals for each in _checkpoints_beside(journal, named)]
    for path, stream in [*((path, "") for path in named), *beside]:
        try:
            note = read_stored_note(path)
        except UnreadableNote as error:
            unread[str(path)] = str(error)
        except OSError as error:
            unread[str(path)] = f"cannot be read: {error.strerror}"
        else:
            found.append(StoredCheckpoint(str(path), note, stream))
    return found, unread


def _checkpoints_beside(journal: Path, named: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """The checkpoint files next to a journal: of its only stream, or with a stream's name in the file name."""
    for path in sorted(journal.parent.glob(f"{escape(journal.name)}.*")):
        stream = Stream(unquote(path.name[len(journal.name) : -len(path.suffix)].removeprefix(".")))
        is_stream = not stream or is_table_stream(stream) or book_of(stream) is not None
        if path.suffix in CHECKPOINT_SUFFIXES and is_stream and path not in named:
            yield path, stream


def _size(journals: Sequence[Path | NamedStream]) -> int:
    """How many bytes there are to read; 0 if that is unknown."""
    paths = [journal for journal in journals if isinstance(journal, Path)]
    try:
        return sum(path.stat().st_size for path in paths) if len(paths) == len(journals) else 0
    except OSError:
        return 0


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
        put_coverage(coverage)
    show_receipts(report.receipts)
    if report.discretion is not UNSET:
        put_discretion(report.discretion)


def put_discretion(report: DiscretionReport) -> None:
    """Print what was left to somebody's judgement: act by act under each person, and a total for each."""
    put_line((f"\nleft to somebody's judgement: {count_text(len(report.acts), 'act')}", "bold"))
    for act in report.acts:
        role = f" ({act.role})" if act.role else ""
        seconds = f", approved by {', '.join(act.seconds)}" if act.seconds else ""
        reason = f" ({act.reason})" if act.reason else ""
        round_ = f", shoe {act.shoe} round {act.round}" if act.shoe else ""
        place = f"entry {act.record} of {act.stream}, {time_in_words(act.at)}{round_}"
        clauses = f"  {', '.join(act.clauses[:3])}" if act.clauses else ""
        put_line((f"{act.who}{role}{seconds}", "bold"), f": {act.what or act.act}{reason}")
        put_line((f"    {place}{clauses}", "dim"))
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
    record = f", entry {finding.record} of {finding.stream}" if finding.record is not None else ""
    clauses = f"  {', '.join(finding.clauses[:3])}" if finding.clauses else ""
    return line((f"{where}{record}", "bold"), f": {finding.say} [{finding.promise}]", (clauses, "dim"))
