"""The battery as one page of HTML: the verdict, the tests, the outcomes, and pictures of where cards clustered."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from baccarat.audit.battery.adjacency import expected_pairs
from baccarat.audit.battery.battery_run import Battery
from baccarat.audit.battery.judge import BatteryReport, TestResult
from baccarat.audit.battery.shoe import KINDS
from baccarat.audit.battery.tail import normal
from baccarat.audit.battery.word import SEES, VERDICTS, number, probability, summary, verdict
from baccarat.cards import DECK
from baccarat.law.rulebook import Rulebook
from baccarat.report.html import page
from baccarat.report.model import Column, Plot, ReportSection, TableBlock, Text, rulebook_report

STEPS = (-3.5, -2.5, -1.5, 1.5, 2.5, 3.5)
COLOURS = ("#8c510a", "#d8b365", "#f6e8c3", "#f5f5f5", "#c7eae5", "#5ab4ac", "#01665e")
"""From far too few to far too many; the style sheet has a dark counterpart of each."""
CELL, LEFT, TOP = 11, 62, 34


def html(rules: Rulebook, battery: Battery, report: BatteryReport) -> str:
    """The page."""
    facts = (
        ("verdict", VERDICTS[report.rejected]),
        ("shoes", f"{report.shoes:,} of {report.cards} cards, {report.source}"),
        ("level", f"{1 - report.level:.0%} for all tests together (Holm's correction)"),
    )
    sections = (
        ReportSection(
            title="The tests", blocks=(Text(summary(report)), _tests(report.results), _meanings(report.results))
        ),
        ReportSection(title="Outcomes", blocks=(_outcomes(battery, report),)),
        ReportSection(title="Where each card was", blocks=(_positions(battery),)),
        ReportSection(title="Which card follows which", blocks=(_pairs(battery),)),
        ReportSection(title="What this can detect", blocks=tuple(map(Text, SEES))),
    )
    return page(rulebook_report(rules, "Battery of tests on shuffled shoes", facts, sections))


def _tests(results: Sequence[TestResult]) -> TableBlock:
    columns = *map(Column, ("test", "found", "expected", "p", "corrected")), Column("verdict", words=True)
    rows = tuple(
        (
            result.name, number(result.found), number(result.expected), probability(result.p),
            probability(result.adjusted), verdict(result),
        )
        for result in results
    )  # fmt: skip
    return TableBlock(caption="Each test, with its p-value before and after the correction", columns=columns, rows=rows)


def _meanings(results: Sequence[TestResult]) -> TableBlock:
    columns = Column("test"), Column("what is counted", words=True, share=1)
    rows = tuple((result.name, result.what) for result in results)
    return TableBlock(caption="What each test counts", columns=columns, rows=rows)


def _outcomes(battery: Battery, report: BatteryReport) -> TableBlock:
    rounds = battery.outcomes.rounds * report.shoes
    rows = tuple(
        (name, f"{count:,}", f"{count / rounds:.4%}", f"{chance:.4%}")
        for name, (count, chance) in report.outcomes.items()
    )
    columns = tuple(map(Column, ("outcome", "rounds", "share", "exact")))
    return TableBlock(caption=f"{rounds:,} rounds dealt from these shoes", columns=columns, rows=rows)


def _positions(battery: Battery) -> Plot:
    """Positions grouped by the number of decks, so that the picture is as high as it is wide."""
    each, size, shoes = battery.size // KINDS, battery.size, battery.shoes
    by_kind = battery.frequencies.by_kind()
    rows = [list(map(sum, zip(*by_kind[start : start + each], strict=True))) for start in range(0, size, each)]
    mean = shoes * each * each / size
    deviation = sqrt(shoes * each * (each / size) * (1 - each / size) * (size - each) / (size - 1))
    scores = [[(count - mean) / deviation for count in row] for row in rows]
    labels = [f"{start + 1}–{start + each}" if each > 1 else f"{start + 1}" for start in range(0, size, each)]
    return _heat_map("Positions, from the top of the shoe, and cards", scores, labels)


def _pairs(battery: Battery) -> Plot:
    same, other = expected_pairs(KINDS, battery.size // KINDS)
    scores = []
    for kind, row in enumerate(battery.adjacency.table):
        means = [battery.shoes * float(same if kind == column else other) for column in range(KINDS)]
        scores.append([(count - mean) / sqrt(mean) if mean else 0.0 for count, mean in zip(row, means, strict=True)])
    return _heat_map("A card, and the one that follows it", scores, [card.sign for card in DECK])


def _heat_map(title: str, scores: Sequence[Sequence[float]], labels: Sequence[str]) -> Plot:
    far = sum(abs(score) > STEPS[-1] for row in scores for score in row)
    cells = len(scores) * len(scores[0])
    by_chance = cells * normal(STEPS[-1])
    said = (
        f"{far} of {cells} cells lie more than 3.5 deviations from what is expected; by chance {by_chance:.1f} would."
    )
    width, height = LEFT + CELL * len(scores[0]) + 8, TOP + CELL * len(scores) + 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-size="8">',
        f"<title>{title}</title><desc>{said}</desc>",
    ]
    for column, card in enumerate(DECK):
        x = LEFT + CELL * column + CELL // 2
        parts.append(
            f'<text x="{x}" y="{TOP - 5}" transform="rotate(-90 {x + 3} {TOP - 5})" fill="#222222">{card.sign}</text>'
        )
    for index, (row, label) in enumerate(zip(scores, labels, strict=True)):
        y = TOP + CELL * index
        parts.append(f'<text x="{LEFT - 4}" y="{y + 9}" text-anchor="end" fill="#222222">{label}</text>')
        for column, score in enumerate(row):
            colour = COLOURS[sum(score > step for step in STEPS)]
            parts.append(f'<rect x="{LEFT + CELL * column}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/>')
    parts.extend(_key(TOP + CELL * len(scores) + 14))
    parts.append("</svg>")
    return Plot(title=f"{title}: {said}", description=said, svg="".join(parts))


def _key(y: int) -> list[str]:
    """What the colours mean."""
    words = ("below −3.5", "−3.5", "−2.5", "−1.5 to 1.5", "2.5", "3.5", "above 3.5")
    parts = []
    for index, (colour, word) in enumerate(zip(COLOURS, words, strict=True)):
        x = LEFT + 78 * index
        parts.append(f'<rect x="{x}" y="{y}" width="78" height="{CELL}" fill="{colour}"/>')
        parts.append(f'<text x="{x + 39}" y="{y + CELL + 10}" text-anchor="middle" fill="#222222">{word}</text>')
    return parts
