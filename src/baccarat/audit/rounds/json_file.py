"""JSON lines: one object per line, whose keys are the columns."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from baccarat.audit.rounds.csv_file import CsvRow
from baccarat.audit.rounds.fault import UnreadableCell, UnreadableLog
from baccarat.audit.rounds.text_line import Line, blocks_of_lines
from baccarat.law.repeated_key import repeated_key
from baccarat.values import brief_repr


class JsonLines:
    """A file of JSON objects; the keys of the first are the columns."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._blocks = blocks_of_lines(text)
        self.header = self._keys()

    def _keys(self) -> list[str]:
        for block in self._blocks:
            for index, line in enumerate(block):
                if isinstance(line, str) and not line.strip():
                    continue
                self._blocks = chain([block[index:]], self._blocks)
                found = _object(line)
                if isinstance(found, UnreadableCell):
                    raise UnreadableLog(f"line {index + 1}: expected {found.expected}, found {found.found}")
                return list(found)
        raise UnreadableLog("the file is empty; expected one JSON object per line")

    def rows(self) -> Iterator[list[CsvRow]]:
        """The rows in blocks, each with a cell for every key of the first."""
        for block in self._blocks:
            yield [self._row(line) for line in block if not isinstance(line, str) or line.strip()]

    def _row(self, line: Line) -> CsvRow:
        found = _object(line)
        if isinstance(found, UnreadableCell):
            return found
        return [cell_text(found.get(key)) for key in self.header]


def _object(line: Line) -> dict[str, Any] | UnreadableCell:
    if isinstance(line, UnreadableCell):
        return line
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return UnreadableCell("", expected="one JSON object per line", found=brief_repr(line))
    if not isinstance(found, dict):
        return UnreadableCell("", expected="a JSON object", found=brief_repr(line))
    twice = repeated_key(line.encode(), found)
    if twice is not None:
        return UnreadableCell("", expected="each key once in an object", found=f"{brief_repr(twice)} twice")
    return found


def cell_text(value: Any) -> str:
    """A value of JSON or Parquet as a cell of CSV; a list of cards as one text, a list of objects as JSON."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, list | tuple):
        if any(isinstance(each, dict | list) for each in value):
            return msgspec.json.encode(value, enc_hook=str).decode()
        return " ".join(map(cell_text, value))
    if isinstance(value, dict):
        return msgspec.json.encode(value, enc_hook=str).decode()
    return str(value)
