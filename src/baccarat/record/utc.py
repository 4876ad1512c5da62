"""Times of records as people read them: always in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_text(seconds: int) -> str:
    """A time in UTC, or the number if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return str(seconds)
