"""A house in service: opened, and reopened within the process whenever its node was cut off from the database.

A node that lost its connection or its lease does not know whether what it sent last is stored, and others may have
taken its tables. So nothing is sent again: the house in memory is closed, and the next one is recovered from what is
stored, under a new lease, exactly as after a restart of the process. What was answered is stored; what was not, people
send again under the same ids. A failure of the store itself ends the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial

from baccarat.serve.live import HouseServer, LeaseListener
from baccarat.serve.opening import open_server
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.ops.watchdog import Watchdog
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import NodeCutOff, StoreUnreachable
from baccarat.serve.store.connection_group import ConnectionGroup

HUNG_SECONDS = 5.0
"""How long after its lease or its store was lost a house may take to be closed; after that the process is ended."""
REOPEN_SECONDS = 30.0
"""How long one try to reopen a house may take; after that it is ended, and the next one begins."""
NOT_CLOSED = f"the house was not closed within {HUNG_SECONDS:g} seconds"
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5
"""Seconds between two tries, which grow from the one to the other."""


class Service:
    """The house that is open now, if one is, and why it may not answer any more."""

    def __init__(self, setting: Setting, log: ServerLog, *, address: str, watchdog: Watchdog) -> None:
        self._setting, self._log, self._address, self._watchdog = setting, log, address, watchdog
        self._group = ConnectionGroup()
        self._woken = asyncio.Event()
        self._asked = asyncio.Event()
        """Whether the service is asked to end."""
        self._end_requests: Callable[[], None] = lambda: None
        self.live: HouseServer | None = None
        """None while the house is being opened."""
        self.fault: BaseException | None = None
        """Why the house that was opened last may not answer any more."""

    async def open(self) -> HouseServer:
        """Open the house for the first time; `StoreError` says why that is impossible."""
        self.live = await self._open(None)
        return self.live

    def stop(self) -> None:
        """Ask the service to end."""
        self._asked.set()
        self._woken.set()

    async def serve_until_stopped(
        self, *, serve: Callable[[HouseServer], None], end_requests: Callable[[], None]
    ) -> None:
        """Reopen the house whenever its node is cut off, until asked to stop, or until the store fails.

        `serve` is called with each house that was reopened; `end_requests` when nothing may be answered any more.
        """
        self._end_requests = end_requests
        while True:
            await self._woken.wait()
            self._end_requests()
            if self._asked.is_set() or self.has_failed:
                return
            assert self.live is not None, "only an open house is cut off"
            reopened = await self._reopen(self.live)
            if reopened is not None:
                serve(reopened)

    @property
    def has_failed(self) -> bool:
        """Whether the store has failed: that is why the service ends."""
        return self.fault is not None and not isinstance(self.fault, NodeCutOff)

    async def drain(self) -> None:
        """Finish what was begun, as far as the store allows, and tell every client."""
        if self.live is not None:
            await self.live.drain()

    async def close(self) -> None:
        """Release everything."""
        if self.fault is not None:
            self._group.cut()
        if self.live is not None:
            await self.live.close()

    async def _reopen(self, before: HouseServer) -> HouseServer | None:
        """Close a house that was cut off, and open it again when the database answers; None if asked to stop."""
        began = time.monotonic()
        self._group.cut()
        closed = self._group
        await before.abandon()
        self.live = None
        self._watchdog.disarm(closed)
        pause = FIRST_PAUSE
        while not self._asked.is_set():
            await self._wait_for_database()
            if self._asked.is_set():
                return None
            try:
                self.live = await self._open(before)
            except (StoreUnreachable, NodeCutOff):
                self._group.cut()
                self._watchdog.disarm(self._group)  # its lease may have lapsed, and it is closed
                if not self._asked.is_set():
                    self._woken.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                seconds = round(time.monotonic() - began, 3)
                said = f"the house was reopened, {seconds:.1f} seconds after its node was cut off"
                self._log.say("reopened", said, seconds=seconds, entries=self.live.metrics.recovered)
                return self.live
        return None

    async def _wait_for_database(self) -> None:
        """Wait until the database answers, or the service is asked to end."""
        from baccarat.serve.cluster.database_probe import until_it_answers  # noqa: PLC0415  psycopg is needed for this

        async with OwnedTasks() as tasks:
            answered = tasks.start(until_it_answers(self._setting.db), name="waiting for the database")
            asked = tasks.start(self._asked.wait(), name="waiting to be asked to end")
            await asyncio.wait((answered, asked), return_when=asyncio.FIRST_COMPLETED)

    async def _open(self, before: HouseServer | None) -> HouseServer:
        """Open the house, or open it again, on connections of its own."""
        group = self._group = ConnectionGroup()
        self.fault = None
        if not self._asked.is_set():
            self._woken.clear()
        late = asyncio.get_running_loop().call_later(REOPEN_SECONDS, group.cut) if before is not None else None
        try:
            return await open_server(
                self._setting,
                stopped=partial(self._stopped, group),
                listener=self._listener(group),
                log=self._log,
                address=self._address,
                group=group,
                reopens=before,
            )
        finally:
            if late is not None:
                late.cancel()

    def _listener(self, group: ConnectionGroup) -> LeaseListener:
        """In another thread: when the lease has lapsed, the house must be closed in time; if that thread does not even
        hear of it, because none can run, the time counts from the last end of the lease that it has heard of."""
        say = f"its lease has lapsed, and {NOT_CLOSED}"
        return LeaseListener(
            on_held=lambda left: self._watchdog.expect_again(group, left + HUNG_SECONDS, say),
            on_lapsed=lambda _error: self._watchdog.arm(group, HUNG_SECONDS, say),
            on_released=lambda: self._watchdog.expect_no_more(group),
        )

    def _stopped(self, group: ConnectionGroup, error: BaseException) -> None:
        """The writer of an opening has failed, and nothing more is answered."""
        if group is not self._group:
            return  # another opening has taken its place
        self.fault = error
        self._woken.set()
        if self.live is None:
            return  # opening fails, which is reported elsewhere
        self._watchdog.arm(group, HUNG_SECONDS, f"its store has failed, and {NOT_CLOSED}")
        self._end_requests()
        if isinstance(error, NodeCutOff):
            said = f"{error}; nothing is answered until the house is reopened"
            self._log.say("cut_off", said, level="warning")
        else:
            said = f"the store cannot be written: {error}; nothing more is answered"
            self._log.say("stopped", said, level="error")
