"""Waits for witnesses: the shoes that cannot go on before a witness has answered, as people are shown them.

Like a call for the floorperson, a wait is no act of the game and is not recorded: the loop of the table reports it, and
ends it as soon as the witness has answered.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum

import msgspec

from baccarat.record.utc import utc_text
from baccarat.serve.access.base import ONE_SECOND
from baccarat.table.explanation import CitedWords

ALARM_SECONDS = 10.0
"""After how many seconds of waiting operators and surveillance are alerted: a witness is asked every five."""


class SharePart(Enum):
    """What a witness is asked for in the order of a shoe."""

    PROMISE = "promise"
    SHARE = "share"


_VERBS = {SharePart.PROMISE: "promise a share in its order", SharePart.SHARE: "open the share that was promised"}


class WitnessWait(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe that waits: for which witnesses, for what, and since when, in microseconds UTC."""

    part: SharePart
    witnesses: tuple[str, ...]
    """Their names, sorted."""
    since: int

    @property
    def words(self) -> CitedWords:
        """What is said of it."""
        say = f"The shoe waits for {' and '.join(self.witnesses)} to {_VERBS[self.part]}."
        params: dict[str, int | str] = {"witnesses": ", ".join(self.witnesses)}
        return CitedWords(say=say, what=f"waits_for_{self.part.value}", params=params)

    def __str__(self) -> str:
        """What the operator reads."""
        noun = "witness" if len(self.witnesses) == 1 else "witnesses"
        return (
            f"the shoe has waited for {noun} {' and '.join(self.witnesses)} to {_VERBS[self.part]} since "
            f"{utc_text(self.since // ONE_SECOND)}"
        )


class WitnessWaits:
    """The tables of this node whose shoes wait."""

    def __init__(self, *, on_changed: Callable[[str], None] = lambda _table: None) -> None:
        """`on_changed` is called with the name of a table whose wait has begun, changed or ended."""
        self._on_changed = on_changed
        self._waits: dict[str, tuple[WitnessWait, float]] = {}
        """By table, each with when it began by the monotonic clock, which nobody sets."""

    def show(self, table: str, wait: WitnessWait, *, began: float) -> None:
        """Show that the shoe of a table waits; `began` is when the wait began, by the monotonic clock."""
        if self._waits.get(table) != (wait, began):
            self._waits[table] = wait, began
            self._on_changed(table)

    def end(self, table: str) -> None:
        """The shoe of a table waits no longer."""
        if self._waits.pop(table, None) is not None:
            self._on_changed(table)

    def at(self, table: str) -> WitnessWait | None:
        """What the shoe of a table waits for."""
        found = self._waits.get(table)
        return found[0] if found is not None else None

    @property
    def long_waits(self) -> dict[str, WitnessWait]:
        """The waits that have lasted so long that somebody has to see to them, by table."""
        now = time.monotonic()
        return {table: wait for table, (wait, began) in self._waits.items() if now - began >= ALARM_SECONDS}
