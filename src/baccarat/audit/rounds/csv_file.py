"""CSV: cells separated by commas, semicolons, tabs or bars, quoted or not."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain

from baccarat.audit.rounds.fault import UnreadableCell, UnreadableLog
from baccarat.audit.rounds.text_line import LONGEST_LINE, Line, blocks_of_lines
from baccarat.values import brief_repr

DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 1000

CsvRow = list[str] | UnreadableCell


class CsvFile:
    """A CSV file: its header, and after it the rows in blocks. An unclosed quotation mark costs one row."""

    def __init__(self, text: io.TextIOBase, *, delimiter: str | None = None) -> None:
        self._blocks = blocks_of_lines(text)
        first = self._header_line()
        if first.lower().startswith("sep=") and len(first) == 5:  # Excel writes this before the header
            delimiter = delimiter or first[4]
            first = self._header_line()
        self.delimiter = delimiter or max(DELIMITERS, key=first.count)
        header = self._cells(first)
        if isinstance(header, UnreadableCell):
            raise UnreadableLog(f"the header: expected {header.expected}, found {header.found}")
        self.header = header
        if len(self.header) > MOST_COLUMNS:
            raise UnreadableLog(f"the header has {len(self.header):,} columns; expected at most {MOST_COLUMNS:,}")

    def _header_line(self) -> str:
        """The first line that is not blank; the rest of its block is pushed back."""
        for block in self._blocks:
            for index, line in enumerate(block):
                if isinstance(line, UnreadableCell):
                    raise UnreadableLog(f"no header: expected {line.expected} with the names of the columns")
                if line.strip():
                    self._blocks = chain([block[index + 1 :]], self._blocks)
                    return line
        raise UnreadableLog("the file is empty; expected a header with the names of the columns, and one row per round")

    def rows(self) -> Iterator[list[CsvRow]]:
        """The rows in blocks; blank lines are skipped."""
        pending = ""
        delimiter = self.delimiter
        for block in self._blocks:
            if not pending and not any(isinstance(line, UnreadableCell) or '"' in line for line in block):
                yield [line.split(delimiter) for line in block if line]  # type: ignore[union-attr]
            else:
                rows, pending = self._read_quoted(block, pending)
                yield rows
        if pending:
            yield self._unclosed_rows(pending)

    def _read_quoted(self, block: list[Line], pending: str) -> tuple[list[CsvRow], str]:
        """The rows of lines with quotation marks; `pending` is a row whose last quotation is still open."""
        rows: list[CsvRow] = []
        for line in block:
            if isinstance(line, UnreadableCell):
                rows += [*(self._unclosed_rows(pending) if pending else ()), line]
                pending = ""
                continue
            joined = f"{pending}\n{line}" if pending else line
            if joined.count('"') % 2:
                if len(joined) > LONGEST_LINE // 16:
                    rows += self._unclosed_rows(joined)
                    joined = ""
                pending = joined
                continue
            pending = ""
            if joined:
                rows.append(self._cells(joined) if '"' in joined else joined.split(self.delimiter))
        return rows, pending

    def _unclosed_rows(self, pending: str) -> list[CsvRow]:
        """A row whose quotation never ends is unreadable; the lines after it are rows again."""
        first, *others = pending.split("\n")
        lost = UnreadableCell("", expected="a closing quotation mark", found=brief_repr(first))
        rows: list[CsvRow] = [lost]
        for line in others:
            rows += (
                [self._cells(line)] if line.count('"') % 2 == 0 and line else self._unclosed_rows(line) if line else []
            )
        return rows

    def _cells(self, line: str) -> CsvRow:
        try:
            return next(csv.reader([line], delimiter=self.delimiter, skipinitialspace=True), [])
        except csv.Error:
            return UnreadableCell("", expected="cells with quotation marks around them or none", found=brief_repr(line))
