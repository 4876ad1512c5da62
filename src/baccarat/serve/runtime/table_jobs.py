"""Tables with an electronic shoe or an automated dealer: while this node serves one of them, a loop runs it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from msgspec import UNSET

from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.setting import TRAINING, Mode, Setting
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.table_cards import TableCards

RunTable = Callable[[str], Coroutine[Any, Any, None]]
"""Runs one table until cancelled."""


CardsAt = Callable[[str], TableCards]
"""What a table is, by its name."""


def cards_at(setting: Setting, table: str, state: TableState) -> TableCards:
    """What a table is: as its record states it.

    Of a table that was opened before that was recorded, the shoe in play tells: one that has committed to a seed is
    electronic, and is dealt to its end. In practice such tables stay what they always were there.
    """
    if state.cards is not UNSET:
        return state.cards
    if setting.mode is Mode.PRACTICE:
        return TableCards.REAL if table == TRAINING else TableCards.AUTOMATED
    return TableCards.REAL if state.shoe.commitment is None else TableCards.ELECTRONIC


def awaits_kind(setting: Setting, state: TableState) -> bool:
    """Whether the program does nothing at a table: nobody has said what it is, and no electronic shoe is in play."""
    return setting.mode is not Mode.PRACTICE and state.cards is UNSET and state.shoe.commitment is None


class TableJobs:
    """The loops of tables, by table."""

    def __init__(self, jobs: Supervisor, setting: Setting, serves: Callable[[str], bool], cards_at: CardsAt) -> None:
        """`serves` says whether this node decides at a table."""
        self._jobs, self._setting, self._serves, self._cards_at = jobs, setting, serves, cards_at
        self._run: RunTable | None = None
        """None until `start`: what runs a table needs the whole house, which has this object already."""
        self.cards: dict[str, CardSource] = {}
        """The electronic shoe of each table that is run here, whether a program or a person deals from it."""

    def start(self, run: RunTable, tables: Iterable[str]) -> None:
        """Run these tables, and from now on every table that is opened."""
        self._run = run
        for name in tables:
            self.start_at(name)

    def start_at(self, name: str) -> None:
        """Run a table, where that is set; before `start`, and at a table of another node, do nothing."""
        run, setting = self._run, self._setting
        if run is None or not self._serves(name):
            return
        self._jobs.cancel(job_name(name))  # one that deals the last shoe of an old table ends
        # In a practice house a program always plays somebody. Elsewhere it deals at automated tables, and at electronic
        # ones, where a person deals, the shoe acts by itself.
        if setting.mode is Mode.PRACTICE or self._cards_at(name) is not TableCards.REAL:
            self._jobs.start(job_name(name), lambda: run(name))

    async def stop_at(self, name: str) -> None:
        """Stop the loop of a table."""
        self.cards.pop(name, None)
        await self._jobs.stop(job_name(name))


def job_name(table: str) -> str:
    """The name of a table's loop."""
    return f"dealer of {table}"
