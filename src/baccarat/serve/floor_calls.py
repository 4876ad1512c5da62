"""Calls for the floorperson: a dealer asks for one at a table, and somebody of the floor comes.

A call is no act of the game and stands in no record: it is forgotten when the house closes.
"""

from __future__ import annotations

import msgspec


class FloorCall(msgspec.Struct, frozen=True, kw_only=True):
    """A table that waits for a floorperson: since when (microseconds UTC), and who asked."""

    table: str
    since: int
    by: str


class FloorCalls:
    """The tables that wait for a floorperson, at this node."""

    def __init__(self) -> None:
        self._open: dict[str, FloorCall] = {}

    def call(self, table: str, *, by: str, now: int) -> FloorCall:
        """Ask for a floorperson; whoever asks again waits since the first time."""
        return self._open.setdefault(table, FloorCall(table=table, since=now, by=by))

    def answer(self, table: str) -> None:
        """Somebody has come, or is not needed any more."""
        self._open.pop(table, None)

    def at(self, table: str) -> FloorCall | None:
        """The call of a table."""
        return self._open.get(table)

    @property
    def open(self) -> list[FloorCall]:
        """The calls that nobody has answered, the oldest first."""
        return sorted(self._open.values(), key=lambda call: call.since)
