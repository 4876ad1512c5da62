"""Ownership of short tasks: each ends by itself, has somebody who waits for it, and does not outlive its owner.

Tasks that live as long as the house belong to the supervisor (`supervisor.py`). No other module of the server creates
tasks, so that none is forgotten when the house closes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from baccarat.serve.task_end import cancel_all

T = TypeVar("T")


class OwnerClosed(RuntimeError):  # noqa: N818
    """A task was to be started after its owner was closed."""


class OwnedTasks:
    """The owner of some tasks. As a context manager it ends those that are left at the end of the block."""

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()
        self._is_closed = False

    @property
    def running(self) -> list[asyncio.Task[Any]]:
        """The tasks that have not ended."""
        return list(self._tasks)

    def start(self, work: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Start a task, whose fault reaches the code that awaits it; raises `OwnerClosed` if the owner was closed."""
        if self._is_closed:
            work.close()
            raise OwnerClosed(f"{name} cannot be started any more")
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._on_ended)
        return task

    def _on_ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # otherwise asyncio reports it a second time when nobody waits for it any more

    async def close(self) -> None:
        """Cancel all tasks until they have ended, and start no more."""
        self._is_closed = True
        await cancel_all(self.running)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
