"""Parquet: columns of a file, read some thousand rows at a time by pyarrow, an optional dependency."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from baccarat.audit.rounds.csv_file import CsvRow
from baccarat.audit.rounds.fault import UnreadableLog
from baccarat.audit.rounds.json_file import cell_text
from baccarat.report.optional_library import require_library

ROWS = 1 << 14
"""Rows that are read at a time."""


class ParquetFile:
    """A Parquet file: its column names, and the rows in blocks."""

    def __init__(self, path: Path) -> None:
        parquet = require_library("pyarrow.parquet", what="a Parquet file", extra="audit")
        arrow = require_library("pyarrow", what="a Parquet file", extra="audit")
        self._errors: tuple[type[Exception], ...] = (arrow.ArrowException, OSError)
        try:
            self._file: Any = parquet.ParquetFile(path)
        except self._errors as error:
            raise _unreadable_log(error) from None
        self.count: int = self._file.metadata.num_rows
        self.header: list[str] = list(self._file.schema_arrow.names)

    def rows(self) -> Iterator[list[CsvRow]]:
        """The rows in blocks."""
        try:
            for batch in self._file.iter_batches(batch_size=ROWS):
                columns = [list(map(cell_text, column.to_pylist())) for column in batch.columns]
                yield [list(row) for row in zip(*columns, strict=True)]
        except self._errors as error:
            raise _unreadable_log(error) from None


def _unreadable_log(error: Exception) -> UnreadableLog:
    return UnreadableLog(f"not a readable Parquet file: {str(error).splitlines()[0]}")
