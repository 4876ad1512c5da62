"""Telling a journal from a log of rounds, by its first line."""

from __future__ import annotations

import msgspec

from baccarat.record.text import BOM


def looks_like_journal(first_line: bytes) -> bool:
    """Whether a first line is a record with its hash, or names a Submission as the first line of a script does."""
    try:
        found = msgspec.json.decode(first_line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(found, dict) and ({"hash", "record"} <= found.keys() or "submission" in found)
