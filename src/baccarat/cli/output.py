"""What the program prints: text for people, JSON for programs, messages on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from baccarat.cli import status
from baccarat.record.text import visible

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from baccarat.audit.coverage import StreamCoverage

DONE, REFUSED, FAULT = status.DONE, status.REFUSED, status.FAULT


class TextConsole(Console):
    """A console that wraps long lines between words on a terminal, and leaves them whole in a file or a pipe."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as a console does; a single text wider than the terminal is wrapped, with an indent."""
        if not self.is_terminal or options or len(objects) != 1 or not isinstance(objects[0], str | Text):
            super().print(*objects, **options)
            return
        text = objects[0] if isinstance(objects[0], Text) else self.render_str(objects[0])
        for row in text.split("\n", allow_blank=True):
            for part in self._wrap_row(row):
                super().print(part)

    def _wrap_row(self, row: Text) -> Iterator[Text]:
        if row.cell_len <= self.width:
            yield row
            return
        indent = min(len(row.plain) - len(row.plain.lstrip()) + 4, self.width // 3)
        first, *others = row.wrap(self, self.width - indent)
        yield first
        for other in others:
            yield Text(" " * indent) + other


console = TextConsole(highlight=False, soft_wrap=True)
errors = TextConsole(stderr=True, highlight=False, soft_wrap=True)


def line(*parts: str | tuple[str, str]) -> Text:
    """A line of plain parts and of parts with a style; nothing in them is markup or a control sequence."""
    made = Text()
    for part in parts:
        text, style = (part, None) if isinstance(part, str) else part
        made.append(visible(text, keep="\n\t"), style)
    return made


def put_line(*parts: str | tuple[str, str]) -> None:
    """Print such a line."""
    console.print(line(*parts))


def put_coverage(coverage: StreamCoverage) -> None:
    """Print how far a stream is covered, what is not, and how long its house could have rewritten it."""
    put_line((str(coverage), "bold"))
    for gap in coverage.gaps:
        put_line((" – ", "yellow"), f"not covered: {gap}")
    if coverage.longest_open is not None and coverage.longest_open.entries:
        put_line((f"   {coverage.longest_open}", "dim"))


def complain(say: str) -> None:
    """Print on standard error what is wrong."""
    errors.print(line(("baccarat:", "bold red"), f" {say}"))


def fail(say: str, status: int = FAULT) -> NoReturn:
    """Print on standard error what is wrong and exit with this status."""
    complain(say)
    raise SystemExit(status)


@contextmanager
def exit_on(*errors: type[Exception], where: object = None, status: int = FAULT) -> Iterator[None]:
    """End the program with the message of such an error, preceded by `where`."""
    try:
        yield
    except errors as error:
        fail(str(error) if where is None else f"{where}: {error}", status)


def save_and_say(path: Path, content: bytes, *, quiet: bool) -> None:
    """Write a requested file, and print its path: on standard error if the output is data."""
    from baccarat.report.save import CannotWrite, save  # noqa: PLC0415

    with exit_on(CannotWrite):
        written = save(path, content)
    if quiet:
        complain(f"written: {visible(str(written))}")
    else:
        put_line(f"written: {written}")


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A progress bar on standard error; none if that is not a terminal."""
    from rich.progress import Progress  # noqa: PLC0415  most verbs need none

    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)


def put_json(value: Any) -> None:
    """Print a value as JSON, indented for a person on a terminal."""
    encoded = msgspec.json.encode(value, enc_hook=str)
    if sys.stdout.isatty():
        encoded = msgspec.json.format(encoded, indent=2)
    sys.stdout.write(encoded.decode() + "\n")


def put_csv(heads: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Print a heading and rows as CSV."""
    import csv  # noqa: PLC0415  few verbs need it

    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(heads)
    out.writerows(rows)


def grid(*headings: str) -> Table:
    """A table without lines, for lists; its cells are texts, not markup."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def figures(*headings: str) -> Table:
    """A table whose columns, after the first, are figures: they are right-aligned and never broken."""
    table = grid(*headings)
    for column in table.columns:
        column.no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def put_table(table: Table) -> None:
    """Print a table as wide as it is; a narrower terminal breaks headings and the first column, never a figure."""
    wide = _table_width(table)
    if wide > console.width and console.is_terminal and table.columns:
        for column in table.columns:
            column.header = "\n".join(wrap(str(column.header), max(_width(column), 1), break_long_words=False))
        wide = _table_width(table)
        spare = console.width - (wide - _width(table.columns[0]))
        if wide > console.width and spare >= NARROWEST:
            table.columns[0].no_wrap, table.columns[0].max_width = False, spare
            wide = console.width
    # with the height too: without it a terminal of type "dumb" is taken to have eighty columns
    (console if wide <= console.width else Console(highlight=False, width=wide, height=console.height)).print(table)


def _table_width(table: Table) -> int:
    return Measurement.get(console, console.options.update(max_width=1000), table).maximum


NARROWEST = 12
"""The least width to which the first column of a table is squeezed."""


def _width(column: Column) -> int:
    """The width of the widest cell of a column."""
    return max((cell.cell_len if isinstance(cell, Text) else len(str(cell)) for cell in column.cells), default=0)
