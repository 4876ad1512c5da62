"""The score sheet of a drill as one page of HTML, to store or to print."""

from __future__ import annotations

from baccarat.drill.sheet import Score, ScoreSheet, seconds
from baccarat.law.rulebook import Rulebook
from baccarat.report.html import page
from baccarat.report.model import Column, ReportSection, TableBlock, Text, rulebook_report


def html(rules: Rulebook, sheet: ScoreSheet) -> str:
    """The page."""
    total = sheet.total
    facts = (
        ("right", f"{total.right} of {total.asked}, {total.percent} %"),
        ("mean time", f"{seconds(total.milliseconds)} s"),
        ("right, but later than a table allows", str(total.slow)),
    )
    missed = [mark for mark in sheet.marks if not mark.right]
    sections = (
        ReportSection(title="By drill", blocks=(_by_drill(sheet),)),
        ReportSection(title="What went wrong", blocks=(_missed_table(sheet) if missed else Text("Nothing."),)),
        ReportSection(title="Every answer", blocks=(_exercise_table(sheet),)),
    )
    return page(rulebook_report(rules, "Score sheet of a drill", facts, sections))


def _by_drill(sheet: ScoreSheet) -> TableBlock:
    columns = *map(Column, ("drill", "right", "asked", "of 100", "mean seconds", "allowed seconds")), Column("slow")
    rows = [(kind.title, *_figures(score), str(kind.seconds), str(score.slow)) for kind, score in sheet.by_kind.items()]
    total = ("all", *_figures(sheet.total), "", str(sheet.total.slow))
    return TableBlock(caption="How many answers were right", columns=columns, rows=(*rows, total), total=True)


def _figures(score: Score) -> tuple[str, str, str, str]:
    return str(score.right), str(score.asked), str(score.percent), seconds(score.milliseconds)


def _missed_table(sheet: ScoreSheet) -> TableBlock:
    heads = ("case", "question", "given", "right", "clauses")
    columns = tuple(Column(head, words=True, share=1) for head in heads)
    rows = tuple(
        (f"{mark.kind.title}: {mark.case}", mark.ask, mark.given, mark.answer, ", ".join(mark.cites))
        for mark in sheet.marks
        if not mark.right
    )
    return TableBlock(caption="Wrong answers, with what is right and why", columns=columns, rows=rows)


def _exercise_table(sheet: ScoreSheet) -> TableBlock:
    columns = (
        Column("number"), Column("case", words=True, share=1), Column("given", words=True, share=1),
        Column("grade", words=True), Column("seconds"), Column("clauses", words=True, share=1),
    )  # fmt: skip
    rows = tuple(
        (
            str(mark.number), f"{mark.kind.title}: {mark.case}", mark.given, _grade(right=mark.right, slow=mark.slow),
            seconds(mark.milliseconds), ", ".join(mark.cites),
        )
        for mark in sheet.marks
    )  # fmt: skip
    return TableBlock(caption="The exercises in order", columns=columns, rows=rows, small=True)


def _grade(*, right: bool, slow: bool) -> str:
    if not right:
        return "wrong"
    return "right, late" if slow else "right"
