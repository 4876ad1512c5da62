"""Automated tables: while this node serves one of them, a loop runs it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.setting import Mode, Setting
from baccarat.table.source import CardSource

RunTable = Callable[[str], Coroutine[Any, Any, None]]
"""Runs one table until cancelled."""


class TableJobs:
    """The loops of tables, by table."""

    def __init__(self, jobs: Supervisor, setting: Setting, serves: Callable[[str], bool]) -> None:
        """`serves` says whether this node decides at a table."""
        self._jobs, self._setting, self._serves = jobs, setting, serves
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
        # Automated dealers deal at all tables of a practice house, and at those of a real one that are set. At the
        # tables that are set as electronic, a person deals, and only the shoe acts by itself.
        if setting.mode is Mode.PRACTICE or name in setting.automated_tables | setting.electronic_tables:
            self._jobs.start(job_name(name), lambda: run(name))

    async def stop_at(self, name: str) -> None:
        """Stop the loop of a table."""
        self.cards.pop(name, None)
        await self._jobs.stop(job_name(name))


def job_name(table: str) -> str:
    """The name of a table's loop."""
    return f"dealer of {table}"
