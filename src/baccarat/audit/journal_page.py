"""The report of a journal's audit as data for a page: what was checked and found, and every round in its order."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from msgspec import UNSET

import baccarat
from baccarat.audit.discretion import DiscretionReport, cents_in_words, time_in_words
from baccarat.audit.finding import AuditCheck, AuditReport, StreamSummary, TimelineRound
from baccarat.record.text import visible
from baccarat.report.model import Block, Column, LabReport, Plot, ReportSection, TableBlock, Text
from baccarat.values import count_text

INK, RED, WIDTH, ROW = "#222222", "#b3262e", 640, 44
COLOURS = {"player": "#1f5fa8", "banker": "#b3262e", "tie": "#2c7a4b", "void": "#8a8a8a"}
LETTERS = {"player": "P", "banker": "B", "tie": "T", "void": "V"}
A_LINE = 32
"""Rounds on one line of the timeline."""


def journal_report(report: AuditReport, *, names: str) -> LabReport:
    """The report of an audit of the journals shown as `names`."""
    total = len(report.findings) + report.left_out
    rounds, events = (sum(getattr(each, what) for each in report.streams) for what in ("rounds", "events"))
    first = report.streams[0] if report.streams else None
    facts = (
        ("Journal", visible(names)),
        ("Tables", str(len(report.streams))),
        ("Rounds", f"{rounds:,}"),
        ("Events", f"{events:,}"),
        ("Findings", f"{total:,}"),
        ("Program", f"baccarat {baccarat.__version__}"),
    )
    return LabReport(
        title="Audit of a journal",
        subtitle=first.edition if first else "no table",
        hash=first.rulebook if first else "",
        short=", ".join(dict.fromkeys(each.edition for each in report.streams)) or "no table",
        facts=facts,
        sections=tuple(_sections(report)),
    )


def _sections(report: AuditReport) -> Iterator[ReportSection]:
    yield ReportSection(title="What was checked", blocks=tuple(_checks(report)))
    yield ReportSection(title="What was found", blocks=tuple(_findings(report)))
    if report.discretion is not UNSET:
        yield ReportSection(title="What was left to judgement", blocks=tuple(_discretion(report.discretion)))
    for stream in report.streams:
        yield ReportSection(title=f"Timeline of {stream.stream}", blocks=tuple(_timeline(stream)))


def _checks(report: AuditReport) -> Iterator[Block]:
    rows = tuple((check.name, check.what, f"{check.times:,}", _answer(check)) for check in report.checks)
    held = Column("what must hold", words=True, share=1)
    columns = Column("check"), held, Column("times"), Column("answer", words=True)
    yield TableBlock(caption="Checks, how often each was made, and the result", columns=columns, rows=rows)
    for remark in report.remarks:
        yield Text(f"{visible(remark)}.")


def _answer(check: AuditCheck) -> str:
    if check.left_out:
        return f"not checked: {check.left_out}"
    return f"{check.failed:,} failed" if check.failed else "held"


def _findings(report: AuditReport) -> Iterator[Block]:
    if not report.findings:
        yield Text("Nothing was found: every act is what the rules make of it.")
        return
    rows = tuple(
        (
            f"{each.line:,}", visible(f"{each.stream} {'' if each.record is None else each.record}".strip()),
            each.kind.replace("_", " "), visible(each.say), ", ".join(each.clauses[:3]) or "none", each.promise,
        )
        for each in report.findings
    )  # fmt: skip
    heads = ("line", "record", "kind", "what is wrong", "clauses", "promise")
    columns = tuple(Column(head, words=index > 0, share=int(index == 3)) for index, head in enumerate(heads))
    if report.left_out:
        more = f"{report.left_out:,} more {'was' if report.left_out == 1 else 'were'} counted"
        yield Text(f"The first {count_text(len(report.findings), 'finding')}: {more}, and not listed.")
    yield TableBlock(caption="Findings in the order of the journal", columns=columns, rows=rows, small=True)


def _discretion(report: DiscretionReport) -> Iterator[Block]:
    if not report.acts:
        yield Text("No discretionary acts.")
        return
    rows = tuple(
        (
            visible(", ".join((each.who, *each.seconds))), each.act.replace("_", " "), visible(each.reason or "none"),
            f"{visible(each.stream)} {each.record}, {time_in_words(each.at)}", ", ".join(each.clauses[:3]) or "none",
            each.worth_words,
        )
        for each in report.acts
    )  # fmt: skip
    heads = ("by", "act", "reason", "record and time", "clauses", "worth to the participants")
    columns = tuple(Column(head, words=True, share=int(index in (2, 5))) for index, head in enumerate(heads))
    yield TableBlock(caption="Acts of discretion, by person", columns=columns, rows=rows, small=True)
    totals = tuple(
        (visible(each.who), f"{each.acts:,}", f"{each.approved:,}", cents_in_words(each.worth), f"{each.known:,}")
        for each in report.persons
    )
    figures = (Column(head) for head in ("acts", "approved", "worth", "order known"))
    yield TableBlock(caption="Totals by person", columns=(Column("person", words=True, share=1), *figures), rows=totals)


def _timeline(stream: StreamSummary) -> Iterator[Block]:
    yield Text(
        f"{count_text(stream.records, 'record')}, {stream.taken:,} taken and {stream.refused:,} refused; "
        f"{count_text(stream.events, 'event')}; {count_text(stream.rounds, 'round')}, "
        f"{count_text(stream.shoes, 'shoe')} closed. "
        f"Rulebook {stream.rulebook[:16]}…; last hash {stream.head[:16]}…"
    )
    if stream.moments:
        yield timeline(stream)


def timeline(stream: StreamSummary) -> Plot:
    """Every round as a square in its order: its outcome as a letter and a colour, a red bar above it for findings."""
    size = WIDTH // A_LINE
    marks: list[str] = []
    x = y = 0
    shoe = 0
    for moment in stream.moments:
        if moment.shoe != shoe or x >= A_LINE:
            y, x = y + (1 if marks else 0), 0
            if moment.shoe != shoe:
                shoe = moment.shoe
                marks.append(f'<text x="0" y="{y * ROW + 12}" fill="{INK}" font-size="11">shoe {shoe}</text>')
        marks.append(_square(moment, x * size, y * ROW + 18, size))
        x += 1
    faults = sum(moment.findings for moment in stream.moments)
    told = (
        f"{count_text(stream.rounds, 'round')} in {count_text(stream.shoes or 1, 'shoe')}; findings in them: {faults:,}"
    )
    title = f"The rounds of {stream.stream}, in order"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {(y + 1) * ROW}" role="img" '
        f'aria-label="{escape(title)}"><desc>{escape(told)}</desc>{"".join(marks)}</svg>'
    )
    return Plot(title=title, description=told, svg=svg)


def _square(moment: TimelineRound, x: int, y: int, size: int) -> str:
    colour, letter = COLOURS.get(moment.outcome, INK), LETTERS.get(moment.outcome, "?")
    wrong = f"; {count_text(moment.findings, 'finding')}" if moment.findings else ""
    label = f"round {moment.round}, line {moment.line}: {moment.outcome}{wrong}"
    bar = f'<rect x="{x}" y="{y - 4}" width="{size - 2}" height="3" fill="{RED}"/>' if moment.findings else ""
    return (
        f'<g><title>{escape(label)}</title>{bar}<rect x="{x}" y="{y}" width="{size - 2}" height="{size - 2}" rx="3" '
        f'fill="none" stroke="{colour}" stroke-width="1.5"/><text x="{x + (size - 2) / 2}" y="{y + size - 7}" '
        f'text-anchor="middle" font-size="10" fill="{colour}">{letter}</text></g>'
    )
