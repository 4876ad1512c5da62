"""Rows of a store: how they are read, and columns whose type is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from baccarat.serve.store.base import Value


class RowReads(Protocol):
    """Reads rows of a store: every answer is durable."""

    def read(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """The rows of a query."""


def as_int(value: Value) -> int:
    """A column that holds a whole number."""
    assert isinstance(value, int), f"a whole number is stored here, not {type(value).__name__}"
    return value


def as_text(value: Value) -> str:
    """A column that holds a text."""
    assert isinstance(value, str), f"a text is stored here, not {type(value).__name__}"
    return value


def as_bytes(value: Value) -> bytes:
    """A column that holds bytes."""
    assert isinstance(value, bytes), f"bytes are stored here, not {type(value).__name__}"
    return value
