"""The reading room: long looks into the store, on connections of their own, in threads of their own.

Whoever decides and answers does not wait for somebody who reads a whole journal. How many may wait for a seat is
bounded: whoever comes after them is told to come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import TypeVar

from baccarat.serve.store.base import Reader, Store, StoreStopped

T = TypeVar("T")

SEATS, MOST_WAITING = 2, 32
PIECE = 65_536
"""So many bytes of a stream are sent at once, at least."""


class Crowded(Exception):  # noqa: N818
    """Too many are reading at this moment."""


class ReadingRoom:
    """Where long questions are put to the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(SEATS, thread_name_prefix="reading")
        self._here = 0
        self._lock = Lock()
        self._idle: list[Reader] = []
        """Connections that nobody uses at this moment."""
        self._is_closed = False

    async def ask(self, question: Callable[[Reader], T]) -> T:
        """The answer to a question, which is put in another thread. `Crowded` where too many ask."""
        return await self.work(lambda: self._put(question))

    async def work(self, work: Callable[[], T]) -> T:
        """Do something long in another thread. `Crowded` where too many do."""
        self.check()
        self._here += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._here -= 1

    def _put(self, question: Callable[[Reader], T]) -> T:
        """Put a question on a connection that is at hand, or on a new one where that one has been lost."""
        held = self._at_hand()
        if held is not None:
            with suppress(StoreStopped):
                return self._asked(held, question)
        return self._asked(self._store.reader(), question)

    def _asked(self, reader: Reader, question: Callable[[Reader], T]) -> T:
        try:
            found = question(reader)
        except StoreStopped:
            reader.close()
            raise
        except BaseException:
            self._give_back(reader)
            raise
        self._give_back(reader)
        return found

    def _at_hand(self) -> Reader | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, reader: Reader) -> None:
        with self._lock:
            if len(self._idle) < SEATS and not self._is_closed:
                self._idle.append(reader)
                return
        reader.close()

    def check(self) -> None:
        """`Crowded` where too many read: asked before an answer is begun, which cannot be taken back."""
        if self._here >= SEATS + MOST_WAITING:
            raise Crowded

    async def pieces(self, lines: Callable[[Reader], Iterator[bytes]]) -> AsyncIterator[bytes]:
        """Long text, read piece by piece as it is sent: a slow client costs one connection, and no thread."""
        self._here += 1
        try:
            reader = await self._run(self._store.reader)
            try:
                rows = lines(reader)
                while piece := await self._run(lambda: _piece(rows)):
                    yield piece
            finally:
                reader.close()
        finally:
            self._here -= 1

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            self._is_closed = True
        for reader in self._idle:
            reader.close()


def _piece(rows: Iterator[bytes]) -> bytes:
    made = bytearray()
    for row in rows:
        made += row
        if len(made) >= PIECE:
            break
    return bytes(made)
