"""Calls for the floorperson: a dealer asks for one at a table, and somebody of the floor answers.

A call is not an act of the game and is not recorded: it is forgotten when the house closes.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from baccarat.serve.access.base import ONE_SECOND

SHOWN_FOR = 10 * 60 * ONE_SECOND
"""How long it is shown who answered a call, or that it was withdrawn."""


class FloorCall(msgspec.Struct, frozen=True, kw_only=True):
    """A table that waits for a floorperson: since when (microseconds UTC), and who asked; who answered it, and when."""

    table: str
    since: int
    by: str
    answered_at: int = 0
    """0 while nobody has answered."""
    answered_by: str = ""
    withdrawn_at: int = 0
    """When it was withdrawn; 0 if it was not."""

    @property
    def is_open(self) -> bool:
        """Whether the table still waits."""
        return not self.answered_at and not self.withdrawn_at


class FloorCalls:
    """The tables that wait for a floorperson, at this node."""

    def __init__(self) -> None:
        self._last: dict[str, FloorCall] = {}
        """The last call of each table."""

    def call(self, table: str, *, by: str, now: int) -> FloorCall:
        """Ask for a floorperson; asking again keeps the time of the first call."""
        found = self.open_call(table) or FloorCall(table=table, since=now, by=by)
        self._last[table] = found
        return found

    def answer(self, table: str, *, by: str, now: int) -> None:
        """Note that a floorperson has come, or is on the way."""
        found = self.open_call(table)
        if found is not None:
            self._last[table] = replace(found, answered_at=now, answered_by=by)

    def withdraw(self, table: str, *, now: int) -> None:
        """Withdraw a call; this is shown to the floor, in case somebody is on the way."""
        found = self.open_call(table)
        if found is not None:
            self._last[table] = replace(found, withdrawn_at=now)

    def open_call(self, table: str) -> FloorCall | None:
        """The call of a table that nobody has answered."""
        found = self._last.get(table)
        return found if found is not None and found.is_open else None

    def answered_at(self, table: str, now: int) -> FloorCall | None:
        """The last call of a table, if it was answered a short while ago."""
        return next((each for each in self.recently_answered(now) if each.table == table), None)

    @property
    def open_calls(self) -> list[FloorCall]:
        """The calls that nobody has answered, the oldest first."""
        return sorted((each for each in self._last.values() if each.is_open), key=lambda call: call.since)

    def recently_answered(self, now: int) -> list[FloorCall]:
        """The calls that were answered a short while ago, the newest first."""
        found = (each for each in self._last.values() if each.answered_at and now - each.answered_at < SHOWN_FOR)
        return sorted(found, key=lambda call: -call.answered_at)

    def recently_withdrawn(self, now: int) -> list[FloorCall]:
        """The calls that were withdrawn a short while ago, the newest first."""
        found = (each for each in self._last.values() if each.withdrawn_at and now - each.withdrawn_at < SHOWN_FOR)
        return sorted(found, key=lambda call: -call.withdrawn_at)
