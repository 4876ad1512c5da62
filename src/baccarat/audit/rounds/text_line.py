"""Lines of a text file, read in blocks: in any encoding with a byte order mark, and of bounded length."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

from baccarat.audit.rounds.fault import UnreadableCell, UnreadableLog

BLOCK = 1 << 18
"""Characters that are read at a time."""
LONGEST_LINE = 1 << 16
"""The longest line; a longer one is not a row, and is skipped without being stored."""

Line = str | UnreadableCell

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OTHER_FILES = {
    b"\x1f\x8b": "a gzip file: unpack it first",
    b"PK\x03\x04": "a zip or spreadsheet file: save it as CSV first",
    b"SQLite format 3": "an SQLite database: export the table as CSV first",
    b"%PDF": "a PDF",
}


def text_of(stream: BinaryIO, head: bytes) -> io.TextIOWrapper:
    """The text of a stream whose first bytes are `head`; bytes that are not UTF-8 stay visible as such."""
    for magic, what in _OTHER_FILES.items():
        if head.startswith(magic):
            raise UnreadableLog(f"this is {what}; expected CSV, JSON lines or Parquet")
    if head.startswith(_UTF16):
        return io.TextIOWrapper(stream, encoding="utf-16", errors="replace")
    controls = sum(byte < 32 and byte not in b"\t\r\n\f" for byte in head)
    if b"\0" in head.partition(b"\n")[0] or 50 * controls > len(head):
        raise UnreadableLog("this is not a text file; expected CSV, JSON lines or Parquet")
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")


def blocks_of_lines(text: io.TextIOBase) -> Iterator[list[Line]]:
    """The lines of a text without their line ends, many at a time; the last may lack one."""
    rest, skipping = "", False
    while True:
        block = text.read(BLOCK)
        if not block:
            break
        first, *others = block.split("\n")
        if skipping and not others:
            continue
        lines: list[Line] = []
        if skipping:
            skipping = False
        elif others:
            lines.append(rest + first)
        else:
            rest += first
            others = [rest]
        rest = others.pop()
        lines += others
        if len(rest) > LONGEST_LINE:
            lines.append(too_long())
            rest, skipping = "", True
        yield lines
    if rest:
        yield [rest]


def too_long() -> UnreadableCell:
    """The placeholder for a line that is too long."""
    return UnreadableCell("", expected=f"a line of at most {LONGEST_LINE:,} characters", found="a longer one")
