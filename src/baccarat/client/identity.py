"""Ids of commands: UUIDs, version 7 (RFC 9562), made before sending and ordered by time."""

from __future__ import annotations

import os
import time
from uuid import UUID

_last = 0


def command_id() -> str:
    """A new id, greater than every earlier one of this process, even if the clock goes back."""
    global _last  # noqa: PLW0603  one order for the whole process
    now = (time.time_ns() // 1_000_000) << 12  # milliseconds, then a counter of twelve bits
    _last = max(now, _last + 1)
    milliseconds, count = _last >> 12, _last & 0xFFF
    chance = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    return str(UUID(int=(milliseconds << 80) | (7 << 76) | (count << 64) | (2 << 62) | chance))
