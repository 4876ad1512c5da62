"""Following the log of a house that several nodes write: each node has the whole house, and reads what others add.

A node is notified that something is new (`NOTIFY`, a number only) and reads it itself: every entry after those that it
has, of all streams in one consistent read, in the order in which they were written. Notifications may be lost, so it
also reads from time to time, and after every reconnection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection

from baccarat.house.stream import Stream
from baccarat.serve.store.base import NodeCutOff, StoredEntry
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.store.postgres_open import CONNECT_SECONDS, WAITS_SECONDS, settings_sql
from baccarat.serve.store.postgres_reads import FOLLOWING_SQL

RETRY_SECONDS = 0.05
"""How long to wait before reconnecting."""
READ_SECONDS = WAITS_SECONDS + 2.0
"""After how long one read is not waited for any longer: the server itself would have ended it by then."""
PAUSE_SECONDS = 0.005
"""A busy house notifies often; what comes within this time is read together."""

Deliver = Callable[[Sequence[StoredEntry]], None]


class LogFollower:
    """Reads what is new, and delivers it in order, on the event loop."""

    def __init__(self, store: PostgresStore, known: dict[Stream, int], deliver: Deliver, *, every: float = 1.0) -> None:
        """`every` is how often, in seconds, it reads without a notification."""
        self._store = store
        self.known = dict(known)
        """The last delivered entry of each stream."""
        self._deliver, self._every = deliver, every
        self._reading: AsyncConnection[tuple[Any, ...]] | None = None
        self._one_at_a_time = asyncio.Lock()
        self.connections = 0
        """How often the connection was made."""

    async def run(self) -> None:
        """Follow, until cancelled; a lost connection is reopened."""
        while True:
            with suppress(psycopg.OperationalError, psycopg.InterfaceError, OSError, NodeCutOff):
                await self._listen()
            self._store.group.check()  # if it was cut, the house is being closed
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        async with await self._connect() as listening:
            await listening.execute(f"listen {self._store.channel}".encode())
            self.connections += 1
            while True:
                await self.catch_up()
                async for _ in listening.notifies(timeout=self._every, stop_after=1):
                    await asyncio.sleep(PAUSE_SECONDS)

    async def catch_up(self) -> None:
        """Deliver everything that is durable now. `psycopg.Error` or `OSError` if the database cannot be reached."""
        async with self._one_at_a_time:
            if self._reading is None or self._reading.closed:
                self._reading = await self._connect()
            try:
                params = (list(self.known), list(self.known.values()))
                async with asyncio.timeout(READ_SECONDS):
                    rows = await (await self._reading.execute(FOLLOWING_SQL, params)).fetchall()
            except (psycopg.Error, TimeoutError):
                await self._reading.close()
                raise
            found = [StoredEntry(*row) for row in rows]
            if found:
                self._deliver(found)
                self.known.update((each.stream, each.seq) for each in found)

    async def close(self) -> None:
        """Close the connection."""
        if self._reading is not None:
            await self._reading.close()

    async def _connect(self) -> AsyncConnection[tuple[Any, ...]]:
        self._store.group.check()
        connection = await AsyncConnection.connect(
            self._store.address,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            application_name="baccarat follower",
        )
        try:
            self._store.group.add(connection)
            await connection.execute(settings_sql(to_write=False))
        except BaseException:
            await connection.close()
            raise
        return connection
