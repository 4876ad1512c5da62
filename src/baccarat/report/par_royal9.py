"""Sheets of a PAR workbook for the progressives: Royal 9 by chair over its meters, and the Must Hit."""

from __future__ import annotations

from baccarat.money import MICRO
from baccarat.report.par_wager import WagerCells, exact_note
from baccarat.report.sheet import Paper, WorkbookSheet, cell, common_factor, span
from baccarat.report.study import Study
from baccarat.report.tables import events


def royal9_sheet(paper: Paper, study: Study) -> WagerCells:
    """Royal 9 by chair, over meters that can be changed."""
    royal9 = study.royal9
    assert royal9 is not None
    progress, chairs = royal9.progress, list(royal9.chairs.items())
    lowest = chairs[0][1]
    widths = (44, 14, 12, 16, 16, 16, *[26] * len(chairs))
    sheet = paper.sheet("Royal 9", widths)
    factor = common_factor([*(line.combinations for _, price in chairs for line in price.lines), lowest.deals])
    top = sheet.write_title(
        "Royal 9 by chair, each wagering alone",
        "Sums in cents. Type what the meters show, and the prices are those of the new meters.",
        exact_note(lowest.deals, factor, digits="the lowest rows all"),
    )
    shown = _meters(sheet, study, top)
    below = top + len(shown) + 2
    inputs = ("Stake", progress.stake), ("It comes back with a prize (1 = yes)", int(progress.returns_stake))
    stake, back = sheet.write_inputs(below, inputs)
    head = below + 3
    combos = [f"Chair {seat}, combinations" for seat, _ in chairs]
    sheet.write_heads(head, ("Event", "Meter", "Part, %", "Fixed prize", "Award", "Gain of a unit", *combos), words=2)
    sheet.freeze(head + 1)
    prizes = {prize.row: prize for prize in progress.prizes}
    first, lines = head + 1, lowest.paytable
    last = head + len(lines)
    for row, line in enumerate(lines, start=first):
        prize = prizes.get(line.row)
        sheet.write_text(row, 0, events(lowest)[row - first])
        sheet.write_text(row, 1, (prize.meter or "–") if prize else "–")
        lost = prize is None or (prize.meter is None and not prize.prize)
        sheet.write_typed(row, 2, prize.percent if prize and prize.meter else 0)
        sheet.write_typed(row, 3, prize.prize if prize else 0)
        meter = shown.get(prize.meter or "") if prize else None
        award = f"-INT(-{meter}*{cell(row, 2)}/100)" if meter else cell(row, 3)
        sheet.write_formula(row, 4, award, line.award or 0, "whole")
        kept = "" if lost else f"+{stake}*{back}"
        sheet.write_formula(row, 5, f"({cell(row, 4)}-{stake}{kept})/{stake}", line.gain, "gain")
        for col, (_, price) in enumerate(chairs, start=6):
            assert [each.row for each in price.paytable] == [each.row for each in lines], "one pay table for all"
            sheet.write_typed(row, col, price.paytable[row - first].combinations // factor)
    return _chairs(paper, sheet, study, (first, last, factor))


def _meters(sheet: WorkbookSheet, study: Study, top: int) -> dict[str, str]:
    """The meters; for each the cell of what it shows with a wager's contribution of the round."""
    royal9 = study.royal9
    assert royal9 is not None
    sheet.write_heads(top, ("Meter", "Shows", "Seed", "A wager adds, millionths", "In the round"))
    found = {}
    for row, meter in enumerate(royal9.progress.meters, start=top + 1):
        shows = royal9.meters[meter.name]
        sheet.write_text(row, 0, meter.name.replace("_", " "))
        sheet.write_typed(row, 1, shows)
        sheet.write_typed(row, 2, meter.seed // MICRO)
        sheet.write_typed(row, 3, meter.contribution)
        in_round = (shows * MICRO + meter.contribution) // MICRO
        sheet.write_formula(row, 4, f"INT({cell(row, 1)}+{cell(row, 3)}/{MICRO})", in_round, "whole")
        found[meter.name] = cell(row, 4, fixed=True)
    return found


def _chairs(paper: Paper, sheet: WorkbookSheet, study: Study, lines: tuple[int, int, int]) -> WagerCells:
    """Write the measures by chair; returns where those of the lowest are."""
    royal9 = study.royal9
    assert royal9 is not None
    first, last, factor = lines
    gain = span(first, last, 5)
    names = ("total", "expected", "edge", "resolved", "variance", "deviation", "hit", "push")
    words = (
        "Total", "Expected gain of a unit", "House edge", "House edge of resolved wagers", "Variance",
        "Standard deviation", "Hit frequency", "Push frequency",
    )  # fmt: skip
    for row, word in enumerate(words, start=last + 1):
        sheet.write_text(row, 0, word, "sum_text" if row == last + 1 else "text")
    for col, price in enumerate(royal9.chairs.values(), start=6):
        ways, at = span(first, last, col), [cell(last + 1 + place, col) for place in range(len(words))]
        sheet.write_formula(last + 1, col, f"SUM({ways})", price.deals // factor, "sum")
        sheet.write_formula(last + 2, col, f"SUMPRODUCT({ways},{gain})/{at[0]}", price.expected, "gain")
        sheet.write_formula(last + 3, col, f"-{at[1]}", price.edge, "percent")
        sheet.write_formula(last + 4, col, f"{at[2]}/(1-{at[7]})", price.edge, "percent")
        variance = f"SUMPRODUCT({ways},{gain},{gain})/{at[0]}-{at[1]}^2"
        sheet.write_formula(last + 5, col, variance, price.variance, "number")
        sheet.write_formula(last + 6, col, f"SQRT({at[4]})", price.deviation, "number")
        sheet.write_formula(last + 7, col, f"1-{cell(last, col)}/{at[0]}", price.hit, "percent")
        sheet.write_formula(last + 8, col, f"0*{at[0]}", 0, "percent")
    sheet.write_text(
        last + 10, 0, "A meter breaks even at, cents (found by search at the filed meters, not a formula)", "subtitle"
    )
    for place, meter in enumerate(royal9.progress.meters):
        sheet.write_text(last + 11 + place, 0, meter.name.replace("_", " "))
        for col, seat in enumerate(royal9.chairs, start=6):
            even = study.break_even[seat][meter.name]
            if even is None:
                sheet.write_text(last + 11 + place, col, "never", "digits")
            else:
                sheet.write_typed(last + 11 + place, col, int(even), "whole")
    digits = last + 12 + len(royal9.progress.meters)
    sheet.write_text(digits, 0, "Last line, all digits")
    sheet.write_text(digits + 1, 0, "Total, all digits")
    for col, price in enumerate(royal9.chairs.values(), start=6):
        sheet.write_text(digits, col, f"{price.paytable[-1].combinations // factor:,}", "digits")
        sheet.write_text(digits + 1, col, f"{price.deals // factor:,}", "digits")
    cells = {name: sheet.cell_reference(last + 1 + place, 6) for place, name in enumerate(names)}
    for name in names[1:]:
        paper.define(f"royal9_{name}", cells[name])
    gains = tuple(sheet.cell_reference(row, 5) for row in range(first, last + 1))
    return WagerCells(sheet=sheet.name, gains=gains, wins=cells["hit"], **cells)


def must_hit_sheet(paper: Paper, study: Study) -> None:
    """The Must Hit: cost by participants, value of a seat by meter; the terms can be changed."""
    terms = study.rules.elections.must_hit
    assert terms is not None
    sheet = paper.sheet("Must Hit", (34, 16, 16, 18, 20, 20, 20, 20))
    top = sheet.write_title(
        "Must Hit", "Sums in cents. The trigger lies anywhere from start to ceiling, each cent equally likely."
    )
    inputs = ("Start", terms.start), ("Ceiling", terms.ceiling), ("A wager adds", terms.contribution)
    start, ceiling, adds = sheet.write_inputs(top, inputs)
    head = top + 4
    steps = ("Participants in every round", "Step of a round", "Full steps", "Rest")
    sheet.write_heads(head, (*steps, "Mean rounds to a hit", "Mean award", "Cost to the house per wager"))
    for row, each in enumerate(study.must_hit, start=head + 1):
        people, step, full, rest, rounds, award = (cell(row, col) for col in range(6))
        stride = terms.contribution * each.participants
        sheet.write_typed(row, 0, each.participants)
        sheet.write_formula(row, 1, f"{adds}*{people}", stride, "whole")
        whole, left = divmod(terms.ceiling - terms.start, stride)
        sheet.write_formula(row, 2, f"INT(({ceiling}-{start})/{step})", whole, "whole")
        sheet.write_formula(row, 3, f"{ceiling}-{start}-{full}*{step}", left, "whole")
        mean = f"(1+{step}*{full}*({full}+1)/2+{rest}*({full}+1))/({ceiling}-{start}+1)"
        sheet.write_formula(row, 4, mean, each.rounds)
        sheet.write_formula(row, 5, f"{start}+{step}*{rounds}", each.award)
        sheet.write_formula(row, 6, f"{award}/({rounds}*{people})", each.cost)
    head += len(study.must_hit) + 3
    sheet.write_text(head - 1, 0, "A seat of the coming round", "subtitle")
    sheet.write_heads(head, ("Meter", "Participants", "Lowest trigger", "Award", "Chance of a hit", "Value of a seat"))
    for row, seat in enumerate(study.seats, start=head + 1):
        meter, people, least, award, chance = (cell(row, col) for col in range(5))
        sheet.write_typed(row, 0, seat.meter)
        sheet.write_typed(row, 1, seat.participants)
        lowest = seat.meter + (seat.meter != terms.start)
        sheet.write_formula(row, 2, f"IF({meter}={start},{meter},{meter}+1)", lowest, "whole")
        sheet.write_formula(row, 3, f"{meter}+{adds}*{people}", seat.award, "whole")
        hits = f"MAX(0,MIN({award},{ceiling})-{least}+1)/({ceiling}-{least}+1)"
        sheet.write_formula(row, 4, hits, seat.chance, "chance")
        sheet.write_formula(row, 5, f"{chance}*{award}/{people}", seat.value)
