"""Sheets of a workbook: typed numbers in blue, formulas in black, each with its precomputed value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Any

LARGEST_EXACT = 2**53
"""Whole numbers below this are exact in a spreadsheet; it shows fifteen digits of them."""

LETTER = 1
BLUE, GREY, HAIR = "#1f4f96", "#5f5f5f", "#c4c4c4"

FORMS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 16},
    "subtitle": {"bold": True, "font_size": 12},
    "text": {"valign": "top"},
    "wrap": {"text_wrap": True, "valign": "top"},
    "note": {"font_color": GREY, "text_wrap": True, "valign": "top"},
    "mono": {"font_name": "Consolas", "font_size": 9, "valign": "top"},
    "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "heads": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom", "align": "right"},
    "typed": {"font_color": BLUE, "num_format": "#,##0"},
    "typed_left": {"font_color": BLUE, "num_format": "#,##0", "align": "left"},
    "digits": {"align": "right", "font_color": GREY},
    "whole": {"num_format": "#,##0"},
    "chance": {"num_format": "0.000000000000"},
    "gain": {"num_format": '+0.00000000;"−"0.00000000;0.00000000'},
    "percent": {"num_format": "0.000000%"},
    "change": {"num_format": '+0.000000%;"−"0.000000%;0.000000%'},
    "number": {"num_format": "0.0000000000"},
    "sum": {"num_format": "#,##0", "bold": True, "top": 1},
    "sum_chance": {"num_format": "0.000000000000", "bold": True, "top": 1},
    "sum_gain": {"num_format": '+0.00000000;"−"0.00000000;0.00000000', "bold": True, "top": 1},
    "sum_text": {"bold": True, "top": 1},
    "flag": {"align": "right"},
}

Number = int | Fraction | Decimal | float


def cell(row: int, col: int, *, fixed: bool = False) -> str:
    """The name of a cell, from its row and column counted from zero."""
    letters, rest = "", col + 1
    while rest:
        rest, place = divmod(rest - 1, 26)
        letters = chr(65 + place) + letters
    return f"${letters}${row + 1}" if fixed else f"{letters}{row + 1}"


def span(first: int, last: int, col: int) -> str:
    """The name of a run of cells in one column, fixed."""
    return f"{cell(first, col, fixed=True)}:{cell(last, col, fixed=True)}"


def common_factor(numbers: Iterable[int]) -> int:
    """The divisor that keeps whole numbers exact: one, unless the largest would not be exact."""
    found = list(numbers)
    return reduce(gcd, found, 0) or 1 if max(found, default=0) >= LARGEST_EXACT else 1


def parts(number: int) -> str:
    """A whole number too long for one cell, as a sum of parts that are exact."""
    high, low = divmod(number, 10**9)
    return f"{high}*1000000000+{low}" if high < LARGEST_EXACT else f"({parts(high)})*1000000000+{low}"


class Paper:
    """A workbook in progress."""

    def __init__(self, book: Any, *, header: str, footer: str) -> None:
        self.book = book
        self.forms = {name: book.add_format({"font_name": "Calibri", **form}) for name, form in FORMS.items()}
        self.header, self.footer = header, footer
        self.names: set[str] = set()

    def sheet(self, name: str, widths: Sequence[int], *, portrait: bool = False) -> WorkbookSheet:
        """A new sheet, ready to be printed."""
        made = self.book.add_worksheet(self._name(name))
        made.hide_gridlines(2)
        made.set_paper(LETTER)
        if not portrait:
            made.set_landscape()
        made.fit_to_pages(1, 0)
        made.set_margins(left=0.6, right=0.6, top=0.9, bottom=0.8)
        made.set_header(f"&L&9{self.header}&R&9&A")
        made.set_footer(f"&L&9{self.footer}&R&9&P of &N")
        for col, width in enumerate(widths):
            made.set_column(col, col, width)
        return WorkbookSheet(made, self.forms, widths)

    def define(self, name: str, where: str) -> None:
        """Give a cell a name."""
        self.book.define_name(name, f"={where}")

    def _name(self, wanted: str) -> str:
        """A name for a sheet: no more than 31 characters, none of them forbidden, none twice."""
        stem = "".join("-" if sign in "[]:*?/\\'" else sign for sign in wanted)[:31].strip()
        name, number = stem, 2
        while name.lower() in self.names:
            name, number = f"{stem[:28]} {number}", number + 1
        self.names.add(name.lower())
        return name


class WorkbookSheet:
    """One sheet of a workbook."""

    def __init__(self, sheet: Any, forms: dict[str, Any], widths: Sequence[int]) -> None:
        self.sheet, self.forms, self.widths = sheet, forms, widths

    @property
    def name(self) -> str:
        """The sheet's name."""
        return str(self.sheet.get_name())

    def cell_reference(self, row: int, col: int) -> str:
        """A cell of this sheet, as other sheets call it."""
        return f"'{self.name}'!{cell(row, col, fixed=True)}"

    def write_text(self, row: int, col: int, words: str, form: str = "text") -> None:
        """Write words; what looks like a formula or a number stays text."""
        self.sheet.write_string(row, col, words, self.forms[form])

    def write_texts(self, row: int, words: Sequence[str]) -> None:
        """Write a row of words, as high as the longest of them needs; not every program computes that itself."""
        lines = [-(-len(each) // width) for each, width in zip(words, self.widths, strict=False)]
        self.sheet.set_row(row, 15 * max(1, *lines))
        for col, each in enumerate(words):
            self.write_text(row, col, each, "wrap")

    def write_heads(self, row: int, names: Sequence[str], *, words: int = 1) -> None:
        """Write the heads of columns, the first ones over words."""
        lines = [-(-len(name) * 6 // (5 * width)) for name, width in zip(names, self.widths, strict=False)]
        self.sheet.set_row(row, 15 * max(1, *lines))
        for col, name in enumerate(names):
            self.write_text(row, col, name, "head" if col < words else "heads")

    def write_typed(self, row: int, col: int, number: int, form: str = "typed") -> None:
        """Write a whole number that was typed in, exactly."""
        if abs(number) < LARGEST_EXACT:
            self.sheet.write_number(row, col, int(number), self.forms[form])
        else:
            self.write_formula(row, col, parts(number), number, form)

    def write_inputs(self, top: int, inputs: Iterable[tuple[str, int]]) -> list[str]:
        """Write whole numbers that can be changed, one below another, each after its words; returns their cells."""
        cells = []
        for row, (words, number) in enumerate(inputs, start=top):
            self.write_text(row, 0, words)
            self.write_typed(row, 1, number)
            cells.append(cell(row, 1, fixed=True))
        return cells

    def write_formula(self, row: int, col: int, text: str, value: Number | str | bool, form: str = "number") -> None:  # noqa: FBT001
        """Write a formula and the value it will have, for programs that do not calculate."""
        shown = value if isinstance(value, str | bool) else float(value)
        self.sheet.write_formula(row, col, f"={text}", self.forms[form], shown)

    def write_title(self, words: str, *notes: str) -> int:
        """Write the head of a sheet; returns the next row."""
        self.write_text(0, 0, words, "title")
        self.sheet.set_row(0, 24)
        for row, note in enumerate(notes, start=1):
            self.sheet.merge_range(row, 0, row, 9, note, self.forms["note"])
            self.sheet.set_row(row, 15 * (1 + len(note) // 125))
        return len(notes) + 2

    def freeze(self, row: int, col: int = 1) -> None:
        """Keep the cells above and to the left in view, and on every printed page."""
        self.sheet.freeze_panes(row, col)
        self.sheet.repeat_rows(row - 1)
