"""Lookups: short queries of the store that a request or an act waits for, in a thread of their own.

The event loop never waits for a disk or a database. Long queries have threads and connections of their own
(`store/read_pool.py`), so that none of them delays a lookup.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from baccarat.serve.runtime.store_thread import StoreThread
from baccarat.serve.store.base import StoreReader, StoreUnavailable

T = TypeVar("T")


class Lookups:
    """Runs short queries one after the other, on one connection."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self.on_failed: Callable[[StoreUnavailable], None] = lambda _error: None
        """Called when the store can no longer be read: then no one is recognized, and the house cannot continue."""
        self._thread = StoreThread(asyncio.get_running_loop(), name="lookups")

    async def ask(self, question: Callable[[StoreReader], T]) -> T:
        """The answer to a query of what is durable.

        Much may happen on the event loop meanwhile: what may have changed is checked again before it is acted on.
        """
        try:
            return await self._thread.run(lambda: question(self._reader))
        except StoreUnavailable as error:
            self.on_failed(error)
            raise

    def close(self) -> None:
        """End the thread after all submitted queries, then close the connection."""
        self._thread.close()
        self._reader.close()
