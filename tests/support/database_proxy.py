"""A TCP proxy on 127.0.0.1 in front of a PostgreSQL server. It can stall: it acknowledges everything, and forwards it
later; drop, as a firewall does that has forgotten a line: what it drops, in one direction or both, never arrives, nor
does anything after it on that line; or refuse, as a server that is not running does."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, quote, urlencode, urlsplit

TO_SERVER, TO_CLIENT = "to the server", "to the client"
"""The two directions."""


class DatabaseProxy:
    """A proxy that runs in a thread of its own."""

    def __init__(self, address: str) -> None:
        """`address` is that of a server behind a Unix socket, or on a port."""
        parts = urlsplit(address)
        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self._folder = options.pop("host", "")
        self._behind = parts.hostname or "", int(options.pop("port", parts.port or 5432))
        self._loop = asyncio.new_event_loop()
        self._goes_on = asyncio.Event()
        self._goes_on.set()
        self._stalls_at = b""
        self.has_stalled = threading.Event()
        """Whether it has stalled at what it was told to stall at."""
        self._dropped = frozenset[str]()
        """The directions in which everything is dropped."""
        self._lines = set[asyncio.Task[None]]()
        self._serving: asyncio.Server | None = None
        self.port = 0
        self._thread = threading.Thread(target=self._run)
        started = threading.Event()
        self._loop.call_soon(lambda: self._loop.create_task(self._listen(started)))
        self._thread.start()
        started.wait()
        query = f"?{urlencode(options, quote_via=quote)}" if options else ""
        user = f"{parts.username}@" if parts.username else ""
        self.address = f"postgresql://{user}127.0.0.1:{self.port}{parts.path}{query}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _listen(self, started: threading.Event) -> None:
        self._serving = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._serving.sockets[0].getsockname()[1]
        started.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a line has a task"
        self._lines.add(task)
        try:
            await self._goes_on.wait()
            async with self._behind_it() as (there, to_there):
                ways = [
                    asyncio.create_task(self._copy(reader, to_there, TO_SERVER)),
                    asyncio.create_task(self._copy(there, writer, TO_CLIENT)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._lines.discard(task)
            writer.close()

    @contextlib.asynccontextmanager
    async def _behind_it(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        name, port = self._behind
        if self._folder:
            reader, writer = await asyncio.open_unix_connection(f"{self._folder}/.s.PGSQL.{port}")
        else:
            reader, writer = await asyncio.open_connection(name, port)
        try:
            yield reader, writer
        finally:
            writer.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        """Forward what comes, unless the proxy stalls or drops: then it is read all the same."""
        is_dead = False
        while data := await reader.read(65_536):
            if way == TO_SERVER and self._stalls_at and self._stalls_at in data:
                self._stalls_at = b""
                self._goes_on.clear()
                self.has_stalled.set()
            await self._goes_on.wait()
            is_dead = is_dead or way in self._dropped
            if is_dead:
                continue
            writer.write(data)
            await writer.drain()

    def stall(self) -> None:
        """Forward nothing from now on, in either direction; new connections are accepted."""
        self._loop.call_soon_threadsafe(self._goes_on.clear)

    def stall_at(self, statement: bytes) -> None:
        """Go on, and stall as soon as a statement with this text is sent to the server, before it gets there."""

        def begin() -> None:
            self._stalls_at = statement
            self._goes_on.set()

        self.has_stalled.clear()
        self._loop.call_soon_threadsafe(begin)

    def resume(self) -> None:
        """Forward what has come meanwhile, and go on."""
        self._loop.call_soon_threadsafe(self._goes_on.set)

    def drop(self, *ways: str) -> None:
        """Drop everything from now on in these directions, and nothing in the others."""
        self._loop.call_soon_threadsafe(setattr, self, "_dropped", frozenset(ways))

    def refuse(self) -> None:
        """Cut every line, and refuse new ones, as a server does that was killed."""
        self._wait(self._refuse())

    async def _refuse(self) -> None:
        assert self._serving is not None, "it is listening"
        self._serving.close()
        for line in self._lines:
            line.cancel()

    def accept(self) -> None:
        """Accept lines again, on the same port."""
        started = threading.Event()
        self._wait(self._listen(started))

    def _wait(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(60)  # type: ignore[arg-type]

    def close(self) -> None:
        """End the proxy."""
        self.refuse()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def proxied(address: str) -> Iterator[DatabaseProxy]:
    """A proxy in front of a database, until the end of the block."""
    proxy = DatabaseProxy(address)
    try:
        yield proxy
    finally:
        proxy.close()
