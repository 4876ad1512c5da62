"""A road as plain text."""

from __future__ import annotations

from baccarat.play.road import Road, Roads
from baccarat.play.road_text import draw_segments


def draw_text(shown: Roads, road: Road, *, columns: int | None = None) -> str:
    """One road as six lines of plain text; the same characters as `draw_segments`."""
    rows = draw_segments(shown, road, columns=columns)
    return "\n".join("".join(text for text, _ in row) for row in rows)
