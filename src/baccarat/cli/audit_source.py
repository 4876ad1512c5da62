"""What is audited, opened once: a pipe gives its first line only once, and that line tells a journal from a log."""

from __future__ import annotations

import io
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from baccarat.cli.lines import source_name, standard_input

FIRST_LINE = 1 << 16
"""Bytes of the first line that are examined."""


class AuditInput(NamedTuple):
    """A file, or an open pipe that still yields its first line; and whether it is a journal of this program."""

    name: str
    given: Path | BinaryIO
    is_journal: bool
    fault: str = ""
    """Why it cannot be read, if it cannot."""


def open_source(source: str, stack: ExitStack) -> AuditInput:
    """Look at the first line of a file, or of standard input; a pipe stays open until the stack is closed.

    One that cannot be read says why: it hides no other.
    """
    try:
        return _open(source, stack)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        why = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        return AuditInput(source_name(source), io.BytesIO(), is_journal=False, fault=why)


def _open(source: str, stack: ExitStack) -> AuditInput:
    from baccarat.audit.rounds.journal_line import looks_like_journal  # noqa: PLC0415

    path = Path(source)
    if source != "-" and path.is_file():
        with path.open("rb") as file:
            return AuditInput(source, path, looks_like_journal(file.readline(FIRST_LINE)))
    pipe = standard_input() if source == "-" else stack.enter_context(path.open("rb"))
    start = pipe.tell() if pipe.seekable() else None
    first = pipe.readline(FIRST_LINE)
    if start is None:
        pipe = io.BufferedReader(_Replayed(first, pipe))
    else:
        pipe.seek(start)
    return AuditInput(source_name(source), pipe, looks_like_journal(first))


class _Replayed(io.RawIOBase):
    """A pipe from its beginning, although its first line has been read."""

    def __init__(self, first: bytes, rest: Any) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The first line, then the rest."""
        if not self._first:
            found: int = self._rest.readinto1(buffer)
            return found
        size = min(len(buffer), len(self._first))
        buffer[:size], self._first = self._first[:size], self._first[size:]
        return size
