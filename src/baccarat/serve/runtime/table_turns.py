"""Table turns: each turn of the event loop decides one command per table, so a flood at one table delays no other.

Commands wait where they arrive: every socket has a task that reads its messages one after another. Messages that have
already arrived are read without a pause, so without turns a few sockets that send hundreds at a time would hold up the
whole house. With turns, a command at another table waits for one command of each busy table, however many are queued
there.

At one table the lines take turns too, since each has one command at a time here.
"""

from __future__ import annotations

import asyncio
from collections import deque


class TableTurns:
    """The turns of all tables of one process."""

    def __init__(self) -> None:
        self._taken = set[str]()
        """The tables that have had their turn in this turn of the loop."""
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._is_due = False

    def __len__(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    async def wait(self, table: str) -> None:
        """Wait for a turn of a table; there is none to wait for if no one else acts there at the moment."""
        loop = asyncio.get_running_loop()
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._next)
        if table not in self._taken:
            self._taken.add(table)
            return
        turn = loop.create_future()
        self._waiting.setdefault(table, deque()).append(turn)
        await turn

    def _next(self) -> None:
        """Give every table that waits one turn."""
        self._taken.clear()
        for table, waiting in list(self._waiting.items()):
            while waiting and table not in self._taken:
                turn = waiting.popleft()
                if not turn.done():  # otherwise the waiting caller has gone
                    turn.set_result(None)
                    self._taken.add(table)
            if not waiting:
                del self._waiting[table]
        self._is_due = bool(self._taken)
        if self._is_due:
            asyncio.get_running_loop().call_soon(self._next)
