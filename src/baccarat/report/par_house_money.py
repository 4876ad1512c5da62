"""Sheets of a PAR workbook for House Money: the press, and the decision for every pair of opening hands."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.report.par_wager import WagerCells, exact_note
from baccarat.report.sheet import Paper, WorkbookSheet, cell, common_factor, span
from baccarat.report.study import Study


def press_sheets(paper: Paper, study: Study, where: WagerCells) -> None:
    """House Money pressed never, always and at best, over the decision for every pair of opening hands."""
    money = paper.sheet("House Money press", (34, 16, 16, 16, 16, 16, 16))
    table = paper.sheet("House Money decisions", (9, 9, 9, 9, 8, 26, 10, 20, 20, 16, 16, 14, 14))
    price = study.prices[WagerKind.HOUSE_MONEY]
    odds = {
        pairs: verdict.odds for pairs, verdict in enumerate(price.book.early[WagerKind.HOUSE_MONEY]) if verdict.odds
    }
    top = money.write_title(
        "House Money and its press",
        "Edges are per unit of House Money, without rounding; the main wager’s own edge is not in them.",
        "Type another portion, and the edges are those of the new one.",
    )
    inputs = [("Portion: part", price.book.portion.to), ("Portion: of", price.book.portion.one)]
    for pairs, ratio in odds.items():
        word = "One hand a pair" if pairs == 1 else "Both hands pairs"
        inputs += [(f"{word} pays: to", ratio.to), (f"{word} pays: for", ratio.one)]
    money.write_inputs(top, inputs)
    named = {words: money.cell_reference(row, 1) for row, (words, _) in enumerate(inputs, start=top)}
    pay = {
        pairs: f"{named[f'{word} pays: to']}/{named[f'{word} pays: for']}"
        for pairs, word in ((1, "One hand a pair"), (2, "Both hands pairs"))
        if pairs in odds
    }
    columns = _decisions(table, study, pay)
    portion = f"{named['Portion: part']}/{named['Portion: of']}"
    head = top + len(inputs) + 1
    money.write_heads(head, ("Pressed onto", "Never", "Always", "At best", "Winners pressed at best"))
    shown = [each for each in study.presses if each.stake is None]
    for row, each in enumerate(shown, start=head + 1):
        gain = columns["player" if each.onto is price.book.main[Side.PLAYER] else "banker"]
        money.write_text(row, 0, each.onto.word.capitalize())
        money.write_formula(row, 1, where.edge, each.never, "percent")
        weighed = f"{columns['ways']}*{columns['pays']}*{gain}"
        edge = f"{cell(row, 1)}-SUMPRODUCT({weighed}{{}})*{portion}/{columns['deals']}"
        money.write_formula(row, 2, edge.format(""), each.always, "percent")
        money.write_formula(row, 3, edge.format(f"*({gain}>0)"), each.best, "percent")
        share = f"SUMPRODUCT({columns['ways']}*({gain}>0))/SUM({columns['ways']})"
        money.write_formula(row, 4, share, each.pressed, "percent")


def _decisions(sheet: WorkbookSheet, study: Study, pay: dict[int, str]) -> dict[str, str]:
    """Write the decision table; returns where its columns are."""
    deals, found = study.shoe.deals, study.decisions
    factor = common_factor([*(each.combinations for each in found), deals])
    whole = lcm(*(each.on_player.denominator for each in found), *(each.on_banker.denominator for each in found))
    top = sheet.write_title(
        "House Money: the decision for every pair of opening hands",
        "A unit then on a hand gains, on average over all third cards, a whole number over the denominator below.",
        exact_note(deals, factor, digits="which is enough here"),
    )
    sheet.write_text(top, 0, "Deals")
    sheet.write_typed(top, 5, deals // factor)
    sheet.write_text(top + 1, 0, "Denominator")
    sheet.write_typed(top + 1, 5, whole)
    heads = (
        "Player", "", "Banker", "", "Pairs", "Combinations", "Pays", "On Player, over the denominator",
        "On Banker, over the denominator", "Gain on Player", "Gain on Banker", "Onto Player", "Onto Banker",
    )  # fmt: skip
    head = top + 3
    sheet.write_heads(head, heads, words=4)
    sheet.freeze(head + 1, 0)
    first, last = head + 1, head + len(found)
    odds = study.prices[WagerKind.HOUSE_MONEY].book.early[WagerKind.HOUSE_MONEY]
    under = cell(top + 1, 5, fixed=True)
    for row, each in enumerate(found, start=first):
        for col, rank in enumerate((*each.player, *each.banker)):
            sheet.write_text(row, col, rank.value.replace("T", "10"))
        ratio = odds[each.pairs].odds
        assert ratio is not None, "a pair pays"
        sheet.write_typed(row, 4, each.pairs)
        sheet.write_typed(row, 5, each.combinations // factor)
        sheet.write_formula(row, 6, pay[each.pairs], Fraction(ratio.to, ratio.one), "whole")
        for place, gain in enumerate((each.on_player, each.on_banker)):
            sheet.write_typed(row, 7 + place, int(gain * whole))
            sheet.write_formula(row, 9 + place, f"{cell(row, 7 + place)}/{under}", gain, "gain")
            choice = "press" if gain > 0 else "–"
            sheet.write_formula(row, 11 + place, f'IF({cell(row, 9 + place)}>0,"press","–")', choice, "flag")
    sheet.sheet.autofilter(head, 0, last, len(heads) - 1)
    columns = {"ways": 5, "pays": 6, "player": 9, "banker": 10}
    there = {name: f"'{sheet.name}'!{span(first, last, col)}" for name, col in columns.items()}
    return {**there, "deals": sheet.cell_reference(top, 5)}
