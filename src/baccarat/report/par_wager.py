"""Sheets of a PAR workbook for one wager: its lines in integers, all else in formulas."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from baccarat.law.row import WagerResult
from baccarat.odds import Price
from baccarat.odds.band import PERCENTS, ROUNDS
from baccarat.report.facts import paragraphs
from baccarat.report.sheet import LARGEST_EXACT, Paper, WorkbookSheet, cell, common_factor, span
from baccarat.report.study import Study
from baccarat.report.tables import events, pays, wager_title

EVENT, RESULT, PAYS, TO, ONE, VIGORISH, WAYS, DIGITS, CHANCE, GAIN, RETURN, SQUARE = range(12)
WIDTHS = (30, 8, 20, 10, 10, 10, 23, 24, 17, 15, 16, 17)
HEADS = (
    "Event", "Result", "Pays", "to", "for", "Vigorish due (1 = yes)", "Combinations", "Combinations, all digits",
    "Probability", "Gain of a unit", "Return", "Probability × gain²",
)  # fmt: skip

BAND_NOTE = "Counted for the lines as filed; a number typed in above does not change it"


class WagerCells(msgspec.Struct, frozen=True, kw_only=True):
    """The cells of a wager's figures, as other sheets reference them."""

    sheet: str
    total: str
    expected: str
    edge: str
    resolved: str
    variance: str
    deviation: str
    hit: str
    push: str
    gains: tuple[str, ...]
    wins: str
    """What winning lines add to the mean gain."""


def exact_note(deals: int, factor: int, *, digits: str = "the next column all") -> str:
    """How whole numbers stay exact on a sheet."""
    if deals < LARGEST_EXACT:
        return (
            "Combinations are ordered six-card deals, exact whole numbers; a spreadsheet shows fifteen of their "
            f"digits, {digits}."
        )
    if deals // factor < LARGEST_EXACT:
        return (
            f"The {deals:,} ordered six-card deals are more than a spreadsheet counts exactly, so all combinations are "
            f"divided by their common factor {factor:,}; every number is still exact, and no probability changes."
        )
    return (
        f"The {deals:,} ordered six-card deals are more than a spreadsheet counts exactly, even divided by their "
        f"common factor {factor:,}; a number too long for a cell is typed as exact parts, and sums are rounded in the "
        "sixteenth digit."
    )


def wager_sheet(paper: Paper, study: Study, price: Price) -> WagerCells:
    """Write the sheet of a wager."""
    sheet = paper.sheet(price.name, WIDTHS)
    lines, words = price.paytable, events(price)
    factor = common_factor([*(line.combinations for line in lines), price.deals])
    cites = " ".join(paragraphs_of(study, price))
    top = sheet.write_title(wager_title(price), f"Clauses: {cites}" if cites else "", exact_note(price.deals, factor))
    sheet.write_heads(top, HEADS, words=3)
    sheet.freeze(top + 1)
    first, last = top + 1, top + len(lines)
    total = cell(last + 1, WAYS, fixed=True)
    for row, line in enumerate(lines, start=first):
        sheet.write_text(row, EVENT, words[row - first])
        sheet.write_text(row, RESULT, line.result.word)
        sheet.write_text(row, PAYS, pays(line))
        if line.pays is not None and line.result is WagerResult.WIN:
            sheet.write_typed(row, TO, line.pays.to)
            sheet.write_typed(row, ONE, line.pays.one)
            sheet.write_typed(row, VIGORISH, int(line.vigorish))
            unit = f"{cell(row, TO)}/{cell(row, ONE)}*(1-{cell(row, VIGORISH)}*vig_rate/100)"
        else:
            unit = "-1" if line.result is WagerResult.LOSE else "0"
        sheet.write_typed(row, WAYS, line.combinations // factor)
        sheet.write_text(row, DIGITS, f"{line.combinations // factor:,}", "digits")
        sheet.write_formula(row, CHANCE, f"{cell(row, WAYS)}/{total}", line.probability, "chance")
        sheet.write_formula(row, GAIN, unit, line.gain, "gain")
        sheet.write_formula(row, RETURN, f"{cell(row, CHANCE)}*{cell(row, GAIN)}", line.returns, "gain")
        square = f"{cell(row, CHANCE)}*{cell(row, GAIN)}^2"
        sheet.write_formula(row, SQUARE, square, line.probability * line.gain**2, "number")
    _totals(sheet, price, factor, (first, last))
    where = _measures(paper, sheet, price, (first, last))
    _check(sheet, study, (last + 11, factor), total)
    row = _bands(sheet, price, last + 14)
    if price.on in study.at_stakes:
        _stakes(sheet, study, price, row + 2, (first, last))
    return where


def paragraphs_of(study: Study, price: Price) -> tuple[str, ...]:
    """The paragraphs by which a wager is offered, wins and pays."""
    wager = study.rules.edition.wagers[price.on.word]
    found = [*paragraphs(study.rules, wager.law.cite)]
    found += [f"§{cite.paragraph}" for verdict in price.verdicts for cite in verdict.cites]
    return tuple(dict.fromkeys(found))


def _totals(sheet: WorkbookSheet, price: Price, factor: int, lines: tuple[int, int]) -> None:
    first, last = lines
    sheet.write_text(last + 1, EVENT, "Total", "sum_text")
    for col in (RESULT, PAYS, TO, ONE, VIGORISH):
        sheet.write_text(last + 1, col, "", "sum_text")
    square = sum((line.probability * line.gain**2 for line in price.lines), Fraction(0))
    sheet.write_formula(last + 1, WAYS, f"SUM({span(first, last, WAYS)})", price.deals // factor, "sum")
    sheet.write_text(last + 1, DIGITS, f"{price.deals // factor:,}", "digits")
    sheet.write_formula(last + 1, CHANCE, f"SUM({span(first, last, CHANCE)})", 1, "sum_chance")
    sheet.write_text(last + 1, GAIN, "", "sum_text")
    sheet.write_formula(last + 1, RETURN, f"SUM({span(first, last, RETURN)})", price.expected, "sum_gain")
    sheet.write_formula(last + 1, SQUARE, f"SUM({span(first, last, SQUARE)})", square, "sum_gain")


def _measures(paper: Paper, sheet: WorkbookSheet, price: Price, lines: tuple[int, int]) -> WagerCells:
    """The measures under the lines, each with a name of its own."""
    first, last = lines
    top, results = last + 3, span(first, last, RESULT)

    def at(place: int) -> str:
        return cell(top + place, PAYS, fixed=True)

    def chance(result: str) -> str:
        return f'SUMIF({results},"{result}",{span(first, last, CHANCE)})'

    expected, square = cell(last + 1, RETURN), cell(last + 1, SQUARE)
    resolved = f'IF({at(7)}=1,"–",{at(1)}/(1-{at(7)}))'
    wins = sum((line.returns for line in price.lines if line.result is WagerResult.WIN), Fraction(0))
    measures = [
        ("expected", "Expected gain of a unit", expected, price.expected, "gain"),
        ("edge", "House edge", f"-{at(0)}", price.edge, "percent"),
        ("resolved", "House edge of resolved wagers", resolved, _value_or_dash(price.edge_resolved), "percent"),
        ("variance", "Variance", f"{square}-{expected}^2", price.variance, "number"),
        ("deviation", "Standard deviation", f"SQRT({at(3)})", price.deviation, "number"),
        ("wins", "Return of winning lines", _sum_if(results, "win", first, last), wins, "gain"),
        ("hit", "Hit frequency", chance("win"), price.hit, "percent"),
        ("push", "Push frequency", chance("push"), price.push, "percent"),
    ]
    for row, (name, words, formula, value, form) in enumerate(measures, start=top):
        sheet.write_text(row, EVENT, words)
        sheet.write_formula(row, PAYS, formula, value, form)
        paper.define(f"{price.on.word}_{name}", sheet.cell_reference(row, PAYS))
    cells = {name: sheet.cell_reference(top + place, PAYS) for place, (name, *_) in enumerate(measures)}
    gains = tuple(sheet.cell_reference(row, GAIN) for row in range(first, last + 1))
    return WagerCells(sheet=sheet.name, total=sheet.cell_reference(last + 1, WAYS), gains=gains, **cells)


def _sum_if(results: str, result: str, first: int, last: int) -> str:
    return f'SUMIF({results},"{result}",{span(first, last, RETURN)})'


def _value_or_dash(value: Fraction | None) -> Fraction | str:
    return "–" if value is None else value


def _check(sheet: WorkbookSheet, study: Study, where: tuple[int, int], total: str) -> None:
    """Compare the total with the number of ways to take six cards from the shoe."""
    row, factor = where
    size = study.shoe.size
    sheet.write_text(row, EVENT, "Cards in the shoe, n")
    sheet.write_typed(row, PAYS, size)
    n = cell(row, PAYS, fixed=True)
    product = "*".join([n, *(f"({n}-{less})" for less in range(1, 6))])
    sheet.write_text(row + 1, EVENT, "Total is n(n−1)…(n−5)" + (f" / {factor:,}" if factor > 1 else ""))
    sheet.write_formula(row + 1, PAYS, f"ABS({total}*{factor}/({product})-1)<0.000000000001", value=True, form="flag")


def _bands(sheet: WorkbookSheet, price: Price, top: int) -> int:
    """Write the win bands; returns the row after them."""
    sheet.write_text(top, EVENT, "Win of the house per unit staked: exact bands", "subtitle")
    sheet.write_text(top + 1, EVENT, "Rounds", "head")
    # A band is two cells wide; each end is a fraction of whole numbers.
    for index, percent in enumerate(PERCENTS):
        for side, word in enumerate(("low", "high")):
            sheet.write_text(top + 1, WAYS + 2 * index + side, f"{percent} %, {word}", "heads")
    sheet.write_text(top + 2, EVENT, BAND_NOTE, "note")
    for row, rounds in enumerate(ROUNDS, start=top + 3):
        sheet.write_typed(row, EVENT, rounds)
        for index, percent in enumerate(PERCENTS):
            band = price.band(rounds=rounds, percent=percent)
            for side, end in enumerate((band.low, band.high)):
                sheet.write_formula(row, WAYS + 2 * index + side, f"{end.numerator}/{end.denominator}", end, "change")
    return top + 3 + len(ROUNDS)


def _stakes(sheet: WorkbookSheet, study: Study, price: Price, top: int, lines: tuple[int, int]) -> None:
    """The price at stakes in cents: type another stake, and the row follows."""
    first, last = lines
    edge_col = TO + last - first + 1
    sheet.write_text(top, EVENT, "At a stake in cents: the gain of each line, rounded as the table rounds", "subtitle")
    sheet.write_text(top + 1, EVENT, "Stake, cents", "head")
    sheet.sheet.set_row(top + 1, 45)
    for place, (words, line) in enumerate(zip(events(price), price.paytable, strict=True)):
        sheet.write_text(top + 1, TO + place, f"{words}, {pays(line)}", "heads")
    sheet.write_text(top + 1, edge_col, "House edge", "heads")
    sheet.write_text(top + 1, edge_col + 1, "by rounding", "heads")
    for row, at in enumerate(study.at_stakes[price.on], start=top + 2):
        stake = cell(row, EVENT, fixed=True)
        assert at.stake is not None
        sheet.write_typed(row, EVENT, at.stake)
        sums = []
        for place, line in enumerate(at.paytable):
            here = cell(row, TO + place)
            sheet.write_formula(
                row, TO + place, _gain_at(stake, first + place, line.result), line.gain * at.stake, "whole"
            )
            sums.append(f"{here}*{cell(first + place, CHANCE, fixed=True)}")
        sheet.write_formula(row, edge_col, f"-({'+'.join(sums)})/{stake}", at.edge, "percent")
        more = f"ROUND({cell(row, edge_col)}-{price.on.word}_edge,12)"
        sheet.write_formula(row, edge_col + 1, more, at.edge - price.edge, "change")


def _gain_at(stake: str, row: int, result: WagerResult) -> str:
    """What a line gains at a stake: odds raised to the cent, less vigorish rounded as elected (reading A-20)."""
    if result is not WagerResult.WIN:
        return f"-{stake}" if result is WagerResult.LOSE else f"0*{stake}"
    to, one, due = (cell(row, col, fixed=True) for col in (TO, ONE, VIGORISH))
    won = f"(-INT(-{stake}*{to}/{one}))"
    coins = f"MAX(1,-INT(-{won}*vig_rate/(100*MAX(1,vig_coin))))*vig_coin"
    return f"{won}-IF({due}=1,IF(vig_coin>0,{coins},INT({won}*vig_rate/100)),0)"
