"""Score sheets: figures that add up, CSV that reads back, a page on which everything is text."""

from __future__ import annotations

import csv
import io
import json

from msgspec.structs import replace

from baccarat.drill.base import DrillKind
from baccarat.drill.sheet import COLUMNS, csv_text, json_text, sheet
from baccarat.drill.trainee import GradedAnswer
from baccarat.law.rulebook import rulebook
from baccarat.report.drill_sheet import html

RULES = rulebook("ma-midi-4")
RIGHT = GradedAnswer(
    number=1, kind=DrillKind.COUNT, case="two cards that count 7", ask="What does the Player's Hand count?",
    given="7", answer="7", right=True, milliseconds=1240, cites=("ma-midi-4 §6(b)",),
)  # fmt: skip
WRONG = replace(RIGHT, number=2, given="=1+1", right=False, milliseconds=2000)
LATE = replace(RIGHT, number=3, kind=DrillKind.DRAW, milliseconds=30_000)
MADE = sheet([RIGHT, WRONG, LATE], edition=RULES.edition.name, rulebook=RULES.hash)


def test_the_figures_add_up() -> None:
    assert (MADE.total.asked, MADE.total.right, MADE.total.slow, MADE.total.percent) == (3, 2, 1, 66)
    assert MADE.total.milliseconds == (1240 + 2000 + 30_000) // 3
    assert {kind: (each.right, each.asked) for kind, each in MADE.by_kind.items()} == {
        DrillKind.COUNT: (1, 2),
        DrillKind.DRAW: (1, 1),
    }
    assert sheet([], edition="", rulebook="").total.percent == 0


def test_csv_reads_back_and_no_cell_is_a_formula() -> None:
    head, *rows = csv.reader(io.StringIO(csv_text(MADE.marks)))
    assert tuple(head) == COLUMNS
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert rows[0][6:] == ["yes", "1.2", "ma-midi-4 §6(b)"]
    assert rows[1][4] == "'=1+1"


def test_json_holds_every_mark() -> None:
    held = json.loads(json_text(MADE))
    assert held["total"]["right"] == 2
    assert [mark["given"] for mark in held["marks"]] == ["7", "=1+1", "7"]


def test_everything_on_the_page_is_text() -> None:
    hostile = replace(WRONG, given="<script>alert(1)</script>")
    page = html(RULES, sheet([RIGHT, hostile], edition=RULES.edition.name, rulebook=RULES.hash))
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page
    assert "1 of 2, 50 %" in page
    assert "ma-midi-4 §6(b)" in page
