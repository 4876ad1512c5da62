"""The read pool: long reads of the store, on connections and threads of their own.

A decision never waits for somebody who reads a whole journal. How many may read, and how many may read long texts, is
bounded separately, so that slow readers never block short queries. Further readers are asked to retry later. A place is
freed when its work has really ended, even if the client has gone.

Those who ask take turns. When all places are taken, the one with most requests waiting gives up a place to somebody who
has fewer. So a stranger who floods the house keeps nobody else from reading.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from baccarat.serve.store.base import Store, StoreReader, StoreUnavailable

T = TypeVar("T")

SEATS, MOST_WAITING = 2, 32
MOST_STREAMS, MOST_STREAMS_OF_ONE = 32, 8
"""How many long texts are sent at a time, in all and to one address: each holds a connection of the store."""
PIECE = 65_536
"""The least bytes of a long text that are sent in one piece."""
asking_payer: ContextVar[str] = ContextVar("asking_payer", default="")
"""Who pays for the request in progress (`access/budget.py`); empty for what the house asks itself."""


class PoolExhausted(Exception):  # noqa: N818
    """Too many are reading now."""


class WaitingWork(NamedTuple):
    """Work that waits for a thread, and the future that has its outcome."""

    work: Callable[[], Any]
    doing: Future[Any]


class ReadPool:
    """Runs long queries of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(SEATS, thread_name_prefix="reading")
        self._lock = threading.Lock()
        self._idle: list[StoreReader] = []
        """Idle connections."""
        self._busy: list[StoreReader] = []
        """Connections on which a query runs."""
        self._is_closed = False
        self._asking = 0
        self._waiting = OrderedDict[str, list[WaitingWork]]()
        """The work that waits for a thread, by who pays for it, in the order of their turns."""
        self._streams = Counter[str]()
        """How many long texts are being sent, by recipient."""
        self._texts = set[_Text]()

    async def ask(self, question: Callable[[StoreReader], T]) -> T:
        """The answer to a query, which runs in another thread. `PoolExhausted` if too many ask."""
        return await self.run_in_thread(lambda: self._put_question(question))

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        """Do something long in another thread. `PoolExhausted` if too many do, or others have fewer places."""
        payer, doing = asking_payer.get(), Future[T]()
        displaced = None
        with self._lock:
            if self._asking >= SEATS + MOST_WAITING:
                displaced = self._displace_for(payer)
            self._asking += 1
            self._waiting.setdefault(payer, []).append(WaitingWork(work, doing))
        doing.add_done_callback(self._on_answered)  # even if the caller is gone, the thread is busy until then
        if displaced is not None and displaced.doing.set_running_or_notify_cancel():
            displaced.doing.set_exception(PoolExhausted())
        try:
            self._threads.submit(self._run_next)
        except BaseException:  # the pool is closed
            doing.cancel()
            raise
        return await asyncio.wrap_future(doing)

    def _displace_for(self, payer: str) -> WaitingWork:
        """The last work of the one who has most waiting, to make a place. `PoolExhausted` if that is no fairer.

        The caller holds the lock.
        """
        greediest = max(self._waiting, key=lambda each: len(self._waiting[each]), default=payer)
        if len(self._waiting.get(greediest, ())) <= len(self._waiting.get(payer, ())) + 1:
            raise PoolExhausted
        return self._waiting[greediest].pop()

    def _run_next(self) -> None:
        """Do the first work of the one whose turn it is; none is left if it was displaced or done by another thread."""
        with self._lock:
            if not self._waiting:
                return
            payer, held = self._waiting.popitem(last=False)
            work, doing = held.pop(0)
            if held:
                self._waiting[payer] = held  # its next turn comes after everybody else's
        if not doing.set_running_or_notify_cancel():
            return  # the caller is gone
        try:
            found = work()
        except BaseException as error:  # noqa: BLE001  as every executor does
            doing.set_exception(error)
        else:
            doing.set_result(found)

    def _on_answered(self, _done: Future[T] | None = None) -> None:
        with self._lock:
            self._asking -= 1

    def _put_question(self, question: Callable[[StoreReader], T]) -> T:
        """Ask on an idle connection, or on a new one if that one has been lost."""
        held = self._idle_reader()
        if held is not None:
            with suppress(StoreUnavailable):
                return self._ask_reader(held, question)
        return self._ask_reader(self._store.reader(), question)

    def _ask_reader(self, reader: StoreReader, question: Callable[[StoreReader], T]) -> T:
        with self._lock:
            self._busy.append(reader)
            if self._is_closed:
                reader.cut()
        try:
            found = question(reader)
        except StoreUnavailable:
            with self._lock:
                self._busy.remove(reader)
            reader.close()
            raise
        except BaseException:
            self._give_back(reader)
            raise
        self._give_back(reader)
        return found

    def _idle_reader(self) -> StoreReader | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, reader: StoreReader) -> None:
        with self._lock:
            self._busy.remove(reader)
            if len(self._idle) < SEATS and not self._is_closed:
                self._idle.append(reader)
                return
        reader.close()

    async def pieces(
        self, lines: Callable[[StoreReader], Iterator[bytes]], *, reader: str = ""
    ) -> AsyncGenerator[bytes]:
        """Long text, read piece by piece as it is sent: a slow reader costs one connection, and no thread.

        When this returns, the first piece has been read, so that `PoolExhausted`, or an error of the store, comes
        before an answer is begun, which could not be withdrawn. `reader` is the recipient: none may take all places."""
        made = self._pieces(lines, reader)
        await anext(made)
        return made

    async def _pieces(self, lines: Callable[[StoreReader], Iterator[bytes]], reader: str) -> AsyncGenerator[bytes]:
        self._enter(reader)
        text = _Text(self._store, lines, lambda: self._leave(reader, text))
        self._texts.add(text)
        try:
            piece = await self._run(text.piece)
            yield b""  # for `pieces`, which waits until here
            while piece:
                yield piece
                piece = await self._run(text.piece)
        finally:
            self._close_text(text)

    def _enter(self, reader: str) -> None:
        with self._lock:
            if self._streams.total() >= MOST_STREAMS or self._streams[reader] >= MOST_STREAMS_OF_ONE:
                raise PoolExhausted
            self._streams[reader] += 1

    def _leave(self, reader: str, text: _Text) -> None:
        with self._lock:
            self._texts.discard(text)
            self._streams[reader] -= 1
            if not self._streams[reader]:
                del self._streams[reader]

    def _close_text(self, text: _Text) -> None:
        """Close a text in a thread, since another may still be reading a piece of it."""
        try:
            self._threads.submit(text.close)
        except RuntimeError:  # the pool is closed, and no thread reads any more
            text.close()

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """End the threads, and close every connection; queries that are running are aborted."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._is_closed = True
            texts, busy = list(self._texts), list(self._busy)
            waiting = [each for held in self._waiting.values() for each in held]
            self._waiting.clear()
        for each in waiting:
            each.doing.cancel()
        for reader in busy:
            reader.cut()
        self._threads.shutdown(wait=True)
        for text in texts:
            text.close()
        for reader in self._idle:
            reader.close()


class _Text:
    """A long text that is being read, in any thread, one piece at a time, until it is closed."""

    def __init__(
        self, store: Store, lines: Callable[[StoreReader], Iterator[bytes]], closed: Callable[[], None]
    ) -> None:
        self._store, self._lines, self._closed = store, lines, closed
        self._lock = threading.Lock()
        self._reader: StoreReader | None = None
        self._rows: Iterator[bytes] = iter(())
        self._is_closed = False

    def piece(self) -> bytes:
        """The next piece; empty if the text is over, or closed."""
        with self._lock:
            if self._is_closed:
                return b""
            if self._reader is None:
                self._reader = self._store.reader()
                self._rows = self._lines(self._reader)
            return _piece(self._rows)

    def close(self) -> None:
        """Give the connection back, once no piece is being read."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            try:
                if self._reader is not None:
                    self._reader.close()
            finally:
                self._closed()


def _piece(rows: Iterator[bytes]) -> bytes:
    made = bytearray()
    for row in rows:
        made += row
        if len(made) >= PIECE:
            break
    return bytes(made)
