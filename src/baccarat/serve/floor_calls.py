"""Calls for the floorperson: a dealer asks for one at a table, and somebody of the floor answers.

A call is no act of the game and stands in no record: it is forgotten when the house closes.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from baccarat.serve.access.base import SECOND

SHOWN = 10 * 60 * SECOND
"""So long it is shown who answered a call."""


class FloorCall(msgspec.Struct, frozen=True, kw_only=True):
    """A table that waits for a floorperson: since when (microseconds UTC), and who asked; who answered it, and when."""

    table: str
    since: int
    by: str
    answered_at: int = 0
    """0 while nobody has."""
    answered_by: str = ""


class FloorCalls:
    """The tables that wait for a floorperson, at this node."""

    def __init__(self) -> None:
        self._last: dict[str, FloorCall] = {}
        """The last call of each table."""

    def call(self, table: str, *, by: str, now: int) -> FloorCall:
        """Ask for a floorperson; whoever asks again waits since the first time."""
        found = self.at(table) or FloorCall(table=table, since=now, by=by)
        self._last[table] = found
        return found

    def answer(self, table: str, *, by: str, now: int) -> None:
        """Somebody of the floor has come, or is on the way."""
        found = self.at(table)
        if found is not None:
            self._last[table] = replace(found, answered_at=now, answered_by=by)

    def withdraw(self, table: str) -> None:
        """Nobody is needed any more."""
        if self.at(table) is not None:
            del self._last[table]

    def at(self, table: str) -> FloorCall | None:
        """The call of a table that nobody has answered."""
        found = self._last.get(table)
        return found if found is not None and not found.answered_at else None

    @property
    def open(self) -> list[FloorCall]:
        """The calls that nobody has answered, the oldest first."""
        return sorted((each for each in self._last.values() if not each.answered_at), key=lambda call: call.since)

    def answered(self, now: int) -> list[FloorCall]:
        """The calls that were answered a short while ago, the newest first."""
        found = (each for each in self._last.values() if each.answered_at and now - each.answered_at < SHOWN)
        return sorted(found, key=lambda call: -call.answered_at)
