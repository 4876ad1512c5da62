"""Sheets of a PAR workbook beyond the single wager: wagers together, coupons, effect of removal."""

from __future__ import annotations

from baccarat.odds import Price
from baccarat.play.wager import WagerKind
from baccarat.report.facts import reading_reference
from baccarat.report.par_wager import WagerCells
from baccarat.report.sheet import Paper, WorkbookSheet, cell, common_factor, span
from baccarat.report.study import Study
from baccarat.report.tables import events


def together_sheet(paper: Paper, study: Study) -> None:
    """Wagers that free another of vigorish, priced as one."""
    sheet = paper.sheet("Free of vigorish", (64, 26, 30, 18, 18))
    by = reading_reference(study.rules, "A-21")
    row = sheet.write_title("Wagers free of vigorish, priced together", f"Per unit of all that is staked{by}.")
    for each in study.exempt:
        factor = common_factor([*(line.combinations for line in each.lines), each.deals])
        sheet.write_text(row, 0, each.name, "subtitle")
        sheet.write_heads(
            row + 1, ("Event", "Combinations", "Combinations, all digits", "Gain of a unit", "Probability")
        )
        first, last = row + 2, row + 1 + len(each.lines)
        for place, line in enumerate(each.lines, start=first):
            sheet.write_text(place, 0, line.row)
            sheet.write_typed(place, 1, line.combinations // factor)
            sheet.write_text(place, 2, f"{line.combinations // factor:,}", "digits")
            sheet.write_formula(place, 3, f"{line.gain.numerator}/{line.gain.denominator}", line.gain, "gain")
            sheet.write_formula(place, 4, f"{cell(place, 1)}/SUM({span(first, last, 1)})", line.probability, "chance")
        edge = f"-SUMPRODUCT({span(first, last, 3)},{span(first, last, 4)})"
        sheet.write_text(last + 1, 0, "House edge", "sum_text")
        sheet.write_formula(last + 1, 1, edge, each.edge, "percent")
        row = last + 4


def coupon_sheet(paper: Paper, study: Study, where: dict[WagerKind, WagerCells]) -> None:
    """Match play coupons, over the lines of their wagers."""
    sheet = paper.sheet("Match play", (30, 26, 26, 26))
    by = reading_reference(study.rules, "A-23")
    top = sheet.write_title(
        "A match play coupon with as much in chips", f"Per unit of its face; a push gives it back{by}."
    )
    sheet.write_heads(top, ("On", "Adds in one round", "Value until it is taken", "Chips and coupon gain"))
    for row, each in enumerate(study.coupons, start=top + 1):
        there = where[each.on]
        sheet.write_text(row, 0, study.prices[each.on].name)
        sheet.write_formula(row, 1, there.wins, each.adds, "gain")
        sheet.write_formula(row, 2, f"{cell(row, 1)}/(1-{there.push})", each.value, "gain")
        sheet.write_formula(row, 3, f"({there.expected}+{cell(row, 1)})/(1-{there.push})", each.whole, "gain")


# ----------------------------------------------------------------------------------------------- removal


def removal_sheet(paper: Paper, study: Study, where: dict[WagerKind, WagerCells]) -> None:
    """The combinations with one card removed, the resulting edges, and how far these have moved."""
    ranks = [each.rank.value.replace("T", "10") for each in study.removed]
    sheet = paper.sheet("Effect of removal", (44, 16, *[23] * len(ranks)))
    factor = 1
    for each in study.removed:
        factor = max(factor, common_factor([*(n for ways in each.ways.values() for n in ways), each.deals]))
    note = "Combinations of the shoe without one card of the rank above, exact whole numbers; fifteen digits are shown"
    if WagerKind.ROYAL9 in study.prices:
        note += ", added up over the suits of the card"
    if factor > 1:
        note += "; if they are more than a spreadsheet counts exactly, a rank’s are divided by their common factor"
    row = sheet.write_title("Effect of removal", f"{note}.")
    sheet.freeze(row, 1)
    for price in study.prices:
        row = _write_removal(sheet, study, price, where[price.on], row, ranks)


def _write_removal(
    sheet: WorkbookSheet, study: Study, price: Price, where: WagerCells, row: int, ranks: list[str]
) -> int:
    lines = price.paytable
    sheet.write_text(row, 0, price.name, "head")
    sheet.write_text(row, 1, "Gain of a unit", "heads")
    for col, rank in enumerate(ranks, start=2):
        sheet.write_text(row, col, rank, "heads")
    first, last = row + 1, row + len(lines)
    for place, (words, line, gain) in enumerate(zip(events(price), lines, where.gains, strict=True), start=first):
        sheet.write_text(place, 0, words)
        sheet.write_formula(place, 1, gain, line.gain, "gain")
    sheet.write_text(last + 1, 0, "House edge", "sum_text")
    sheet.write_text(last + 2, 0, "Change", "sum_text")
    gains = span(first, last, 1)
    for col, removed in enumerate(study.removed, start=2):
        factor = common_factor([*removed.ways[price.on], removed.deals])
        for place, number in enumerate(removed.ways[price.on], start=first):
            sheet.write_typed(place, col, number // factor)
        ways, effect = span(first, last, col), study.effect(price.on, removed)
        sheet.write_formula(last + 1, col, f"-SUMPRODUCT({ways},{gains})/SUM({ways})", price.edge + effect, "percent")
        sheet.write_formula(last + 2, col, f"{cell(last + 1, col)}-{where.edge}", effect, "change")
    return last + 4
