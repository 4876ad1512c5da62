"""PAR workbooks: every price as live formulas over exact whole numbers, for any spreadsheet program."""

from __future__ import annotations

from datetime import UTC, datetime
from datetime import date as Date  # noqa: N812  a type, named as one
from io import BytesIO
from pathlib import Path

import baccarat
from baccarat.odds import remarks
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.report.facts import elections, readings_in_force, shoe_in_words
from baccarat.report.optional_library import require_library
from baccarat.report.par_extras import coupon_sheet, removal_sheet, together_sheet
from baccarat.report.par_house_money import press_sheets
from baccarat.report.par_royal9 import must_hit_sheet, royal9_sheet
from baccarat.report.par_wager import WagerCells, wager_sheet
from baccarat.report.save import WORKBOOK, check_path, save
from baccarat.report.sheet import Paper, WorkbookSheet
from baccarat.report.study import Progress, Study
from baccarat.report.tables import wager_title

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The internal date of a workbook without a date, so that the same study makes the same bytes."""

READING_NOTES = (
    "Blue numbers are typed in; figures are formulas over the blue numbers of their sheet: change one, and they "
    "follow. The sheets on the press of House Money and on wagers free of vigorish have blue numbers of their own.",
    "A combination is one of the ordered ways to take six cards from the shoe; a round that needs fewer is followed by "
    "any others.",
    "Probability is a line’s combinations over their total; return is probability times gain; the house edge is the "
    "sum of the returns with the opposite sign.",
    "The edge counts stakes that are pushed; the edge of resolved wagers does not.",
    "Cells with names, such as banker_edge, can be used in formulas of your own.",
)


def write_par(study: Study, path: str | Path, *, date: Date | None = None, progress: Progress | None = None) -> Path:
    """Write a study as a PAR workbook (.xlsx)."""
    check_path(path, WORKBOOK)
    return save(path, par(study, date=date, progress=progress))


def par(study: Study, *, date: Date | None = None, progress: Progress | None = None) -> bytes:
    """A study as a PAR workbook; it bears a date only if one is given."""
    made = BytesIO()
    paper = _paper(made, study, date)
    prices, whole = list(study.prices), len(study.prices) + 3
    _report_progress(progress, "cover", 0, whole)
    _cover(paper, study, date)
    summary = paper.sheet("Summary", (44, 16, 16, 18, 18, 16, 16))
    _elections(paper, study)
    _readings(paper, study)
    where: dict[WagerKind, WagerCells] = {}
    for done, price in enumerate(prices, start=1):
        _report_progress(progress, price.name, done, whole)
        is_royal9 = price.on is WagerKind.ROYAL9
        where[price.on] = royal9_sheet(paper, study) if is_royal9 else wager_sheet(paper, study, price)
    _fill_summary(summary, study, where)
    _report_progress(progress, "more sheets", whole - 2, whole)
    if study.exempt:
        together_sheet(paper, study)
    if study.presses:
        press_sheets(paper, study, where[WagerKind.HOUSE_MONEY])
    if study.must_hit:
        must_hit_sheet(paper, study)
    if study.coupons:
        coupon_sheet(paper, study, where)
    if study.removed:
        removal_sheet(paper, study, where)
    _report_progress(progress, "packing", whole - 1, whole)
    paper.book.close()
    _report_progress(progress, "workbook", whole, whole)
    return made.getvalue()


def _paper(made: BytesIO, study: Study, date: Date | None) -> Paper:
    """An empty workbook that names its rulebook on every page."""
    xlsxwriter = require_library("xlsxwriter", what="a workbook")
    rules, program = study.rules, f"baccarat {baccarat.__version__}"
    book = xlsxwriter.Workbook(made, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({
        "title": f"PAR workbook: {rules.edition.name}", "subject": rules.hash, "author": program,
        "created": EPOCH if date is None else datetime(date.year, date.month, date.day, tzinfo=UTC),
    })  # fmt: skip
    book.set_calc_mode("auto")
    footer = program + (f", {date.isoformat()}" if date is not None else "")
    return Paper(book, header=f"{rules.edition.name}  {rules.hash}", footer=footer)


def _report_progress(progress: Progress | None, what: str, done: int, whole: int) -> None:
    if progress is not None:
        progress(what, done, whole)


def _fill_summary(sheet: WorkbookSheet, study: Study, where: dict[WagerKind, WagerCells]) -> None:
    """Every wager's measures on one line; the sheet comes before those from which it takes them."""
    top = sheet.write_title("All wagers, per unit staked", "Each figure is taken from the wager’s own sheet.")
    sheet.write_heads(top, ("Wager", "House edge", "of resolved", "Variance", "Deviation", "Hit", "Push"))
    sheet.freeze(top + 1)
    for row, price in enumerate(study.prices, start=top + 1):
        there = where[price.on]
        sheet.write_text(row, 0, wager_title(price))
        sheet.write_formula(row, 1, there.edge, price.edge, "percent")
        resolved = price.edge_resolved
        sheet.write_formula(row, 2, there.resolved, "–" if resolved is None else resolved, "percent")
        sheet.write_formula(row, 3, there.variance, price.variance)
        sheet.write_formula(row, 4, there.deviation, price.deviation)
        sheet.write_formula(row, 5, there.hit, price.hit, "percent")
        sheet.write_formula(row, 6, there.push, price.push, "percent")


def _cover(paper: Paper, study: Study, date: Date | None) -> None:
    rules, shoe, book = study.rules, study.shoe, open_book(study.rules)
    sheet = paper.sheet("Cover", (24, 80), portrait=True)
    sheet.write_text(0, 0, "PAR workbook", "title")
    facts = [
        ("Document", rules.edition.title),
        ("Edition", f"{rules.edition.name}, revision {rules.edition.revision}"),
        ("Rulebook’s hash", rules.hash),
        ("Shoe", shoe_in_words(shoe)),
        ("Deals", f"{shoe.deals:,} ordered ways to take six cards"),
        ("Program", f"baccarat {baccarat.__version__}"),
        *([("Date", date.isoformat())] if date is not None else []),
        *(("Note", note) for note in rules.notes),
        *(("Warning", str(warning)) for warning in rules.warnings),
        *(("Remark", remark) for remark in remarks(study.prices)),
        *(("Not priced", reason) for reason in study.prices.missing.values()),
    ]
    for row, (term, said) in enumerate(facts, start=2):
        sheet.write_texts(row, (term, said))
        sheet.write_text(row, 0, term, "note")
        if said == rules.hash:
            sheet.write_text(row, 1, said, "mono")
    row = len(facts) + 3
    for name, words, number in (
        ("vig_rate", "Vigorish, % of a win", book.vig_rate),
        ("vig_coin", "rounded up to, cents", book.vig_coin),
    ):
        sheet.write_text(row, 0, words, "note")
        sheet.write_typed(row, 1, number, "typed_left")
        paper.define(name, sheet.cell_reference(row, 1))
        row += 1
    sheet.write_text(row + 1, 0, "How to read it", "subtitle")
    for place, words in enumerate(READING_NOTES, start=row + 2):
        sheet.write_texts(place, ("", words))


def _elections(paper: Paper, study: Study) -> None:
    sheet = paper.sheet("Elections", (28, 42, 11, 52, 26))
    top = sheet.write_title("Elections of the Submission", "In the vocabulary of its file; money in dollars.")
    sheet.write_heads(top, ("Option", "Elected", "Filed", "What it says", "Clause"), words=5)
    sheet.freeze(top + 1)
    for row, each in enumerate(elections(study.rules), start=top + 1):
        filed = "filed" if each.filed else "by default"
        sheet.write_texts(row, (each.key, each.value, filed, each.description, " ".join(each.cites)))


def _readings(paper: Paper, study: Study) -> None:
    sheet = paper.sheet("Readings", (7, 9, 44, 62, 40, 20, 24))
    note = "Where the document is silent, duplicated or garbled: what is done, and why."
    top = sheet.write_title("Readings in force", note)
    heads = ("No.", "Bears on a price", "The text", "How it is read", "Why", "Clause", "Elected")
    sheet.write_heads(top, heads, words=7)
    sheet.freeze(top + 1)
    for row, each in enumerate(readings_in_force(study.rules), start=top + 1):
        told = (each.reading.problem, each.reading.reading, each.reading.why)
        cells = (
            each.reading.id, "yes" if each.bears else "", *(" ".join(words.split()) for words in told),
            " ".join(each.cites), ", ".join(each.elected),
        )  # fmt: skip
        sheet.write_texts(row, cells)
