"""Tables with an electronic shoe or an automated dealer: while this node serves one of them, a loop runs it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET

from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.runtime.house import now_micros
from baccarat.serve.setting import Mode, Setting, is_for_training
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.table_cards import TableCards

RunTable = Callable[[str], Coroutine[Any, Any, None]]
"""Runs one table until cancelled."""


class TableRuns(msgspec.Struct, frozen=True, kw_only=True):
    """What a table's loop does: each needs the whole house, which has the loops already."""

    run: RunTable
    """Runs the table."""
    read_again: RunTable
    """Reads the table from its records before it is run again after a fault."""
    finish: RunTable
    """Finishes the round in play as simply as possible once the loop has stopped, so that people can leave."""
    may_end: Callable[[str], bool]
    """Whether nothing is left to do at a table: it never recorded its kind, and its last shoe is over."""


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
        return TableCards.REAL if is_for_training(table) else TableCards.AUTOMATED
    return TableCards.REAL if state.shoe.commitment is None else TableCards.ELECTRONIC


def awaits_kind(setting: Setting, state: TableState) -> bool:
    """Whether the program does nothing at a table: its kind is not recorded, and no electronic shoe is in play."""
    return setting.mode is not Mode.PRACTICE and state.cards is UNSET and state.shoe.commitment is None


class TableJobs:
    """The loops of tables, by table."""

    def __init__(
        self,
        jobs: Supervisor,
        setting: Setting,
        serves: Callable[[str], bool],
        cards_at: CardsAt,
        *,
        on_stopped: Callable[[str], None] = lambda _table: None,
    ) -> None:
        """`serves` says whether this node decides at a table; `on_stopped` is called when a table has stopped."""
        self._jobs, self._setting, self._serves, self._cards_at = jobs, setting, serves, cards_at
        self._on_stopped = on_stopped
        self._runs: TableRuns | None = None
        """None until `start`."""
        self.stopped: dict[str, int] = {}
        """The tables whose loops the same fault has stopped, and since when, in microseconds UTC."""
        self.cards: dict[str, CardSource] = {}
        """The electronic shoe of each table that is run here, whether a program or a person deals from it."""

    def start(self, runs: TableRuns, tables: Iterable[str]) -> None:
        """Run these tables, and from now on every table that is opened."""
        self._runs = runs
        for name in tables:
            self.start_at(name)

    def start_at(self, name: str) -> None:
        """Run a table, where that is set, also one that has stopped; before `start`, and at a table of another node,
        do nothing."""
        runs, setting = self._runs, self._setting
        if runs is None or not self._serves(name):
            return
        self._jobs.cancel(job_name(name))  # one that deals the last shoe of an old table ends
        self.stopped.pop(name, None)
        # In a practice house a program always plays somebody. Elsewhere it deals at automated tables, and at electronic
        # ones, where a person deals, the shoe acts by itself.
        if setting.mode is Mode.PRACTICE or self._cards_at(name) is not TableCards.REAL:
            started = itertools.count()

            async def run() -> None:
                if next(started):
                    await runs.read_again(name)
                await runs.run(name)

            stop, may_end = partial(self._stop, runs, name), partial(runs.may_end, name)
            self._jobs.start(job_name(name), run, on_stopped=stop, may_end=may_end)

    async def _stop(self, runs: TableRuns, name: str) -> None:
        """The same fault has stopped the loop of a table: report it, and finish its round if possible."""
        self.stopped[name] = now_micros()
        self._on_stopped(name)
        await runs.finish(name)

    async def stop_at(self, name: str) -> None:
        """Stop the loop of a table."""
        self.cards.pop(name, None)
        self.stopped.pop(name, None)
        await self._jobs.stop(job_name(name))


def job_name(table: str) -> str:
    """The name of a table's loop."""
    return f"dealer of {table}"
