"""The report of an audit as data for a page: what was audited and found, where, the first faults in full."""

from __future__ import annotations

from collections.abc import Iterator

import baccarat
from baccarat.audit.rounds.fault import MEANINGS, FaultKind
from baccarat.audit.rounds.fault_picture import plot
from baccarat.audit.rounds.round_log import LogAudit
from baccarat.record.text import visible
from baccarat.report.model import Block, Column, LabReport, ReportSection, TableBlock, Text, rulebook_report
from baccarat.values import count_text


def audit_report(audit: LogAudit, *, name: str) -> LabReport:
    """The report of an audit of the log shown as `name`."""
    rules, total = audit.rules, audit.findings.total
    rows = f" in {count_text(audit.rows, 'row')}" if audit.rows != audit.rounds else ""
    facts = (
        ("Log", visible(name)),
        ("Rounds", f"{audit.rounds:,}{rows}"),
        ("Faults", f"{total:,}"),
        ("Edition", f"{rules.edition.name}, revision {rules.edition.revision}"),
        ("Document", rules.edition.title),
        ("Rulebook’s hash", rules.hash),
        ("Program", f"baccarat {baccarat.__version__}"),
    )
    return rulebook_report(rules, "Audit of a log of rounds", facts, _sections(audit))


def _sections(audit: LogAudit) -> Iterator[ReportSection]:
    if audit.findings.total:
        yield ReportSection(title="What was found", blocks=(_summary(audit),))
        yield ReportSection(title="Where the faults are", blocks=(plot(audit),))
        yield ReportSection(title="The faults", blocks=tuple(_faults(audit)))
    else:
        yield ReportSection(title="What was found", blocks=(Text("No fault was found."),))
    yield ReportSection(title="What was compared", blocks=tuple(_column_blocks(audit)))


def _summary(audit: LogAudit) -> TableBlock:
    rows = tuple(
        (kind.replace("_", " "), f"{each['count']:,}", each["clause"] or "none", MEANINGS[FaultKind(kind)])
        for each in audit.findings.summary
        for kind in (each["kind"],)
    )
    columns = Column("kind"), Column("faults"), Column("clause", words=True), Column("meaning", words=True, share=1)
    return TableBlock(caption="Faults by kind and by the clause that decides", columns=columns, rows=rows)


def _faults(audit: LogAudit) -> Iterator[Block]:
    kept, total = audit.findings.kept, audit.findings.total
    rows = tuple(
        (
            f"{fault.row:,}", visible(f"{fault.shoe}/{fault.round}".strip("/")), fault.kind.value.replace("_", " "),
            visible(fault.expected), visible(fault.found), ", ".join(map(str, fault.cites)) or "none",
        )
        for fault in kept
    )  # fmt: skip
    heads = ("row", "shoe/round", "kind", "expected", "found", "clauses")
    columns = tuple(Column(head, words=index > 0, share=int(index in (3, 4))) for index, head in enumerate(heads))
    if len(kept) < total:
        others = f"{total - len(kept):,} {'is' if total - len(kept) == 1 else 'are'} counted above, not listed"
        yield Text(f"The first {len(kept):,} of {count_text(total, 'fault')}; {others}.")
    caption = "Rows are counted from 1 at the first round"
    yield TableBlock(caption=caption, columns=columns, rows=rows, small=True)


def _column_blocks(audit: LogAudit) -> Iterator[Block]:
    columns = audit.columns
    pairs = tuple((field, visible(columns.title(field))) for field in columns.where)
    pairs += tuple((f"{kind} {what}", visible(columns.names[index])) for kind, what, index in columns.of_kinds)
    heads = Column("field"), Column("column of the log", words=True, share=1)
    yield TableBlock(caption="Which column was used for what", columns=heads, rows=pairs)
    for each in audit.unchecked:
        yield Text(f"Not checked: {each}.")
