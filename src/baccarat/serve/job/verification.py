"""Verification in the background: after every start the history of the house is decided again, and later what is new.

A process of its own does it (`verification_process.py`); this task starts it, seals and stores its resume points, and
shows how far it has come. Where several nodes serve a house, the one whose lease began first does it, and the others
show what it has stored. What is wrong is logged and shown to the floor, to surveillance and to the administrator, but
stops nothing: it lies in the past, and people must be able to leave with what is theirs.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from baccarat.serve.job.own_thread import in_own_thread
from baccarat.serve.job.verification_process import (
    MODULE,
    Report,
    StoreUnreadable,
    VerificationBug,
    VerificationOrder,
    VerificationProgress,
    read_reports,
    write_frame,
)
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.runtime.resume_point import (
    POINT,
    STATUS,
    HistoryFinding,
    HistoryStatus,
    TamperedSetting,
    open_setting,
    read_status,
    sealed_setting,
    status_setting,
)
from baccarat.serve.store.base import Batch
from baccarat.serve.store.read_pool import PoolExhausted

FIRST_SECONDS = 10.0
"""How long after a start verification begins: people who were cut off come back first."""
LOOK_SECONDS = 15.0
"""How often a node looks whether verification is its task, and what another one has stored."""
EVERY_SECONDS = 900.0
"""After how long what is new is decided again: a practice house keeps its last two shoes longer than that."""
AGAIN_SECONDS = 60.0
"""After how long it is tried again where the store could not be read."""
MOVED = HistoryFinding(
    say="the place to which history had been verified was changed in the database by somebody who does not have the "
    "sealing key; everything is decided again from the beginning"
)


class VerificationFault(Exception):  # noqa: N818
    """The process that verifies has failed because of a bug: its kind, and its place in the program."""


class Verification:
    """What one start of a house has verified so far."""

    def __init__(self, live: HouseServer, *, share: float) -> None:
        """`share` is the part of one processor that it may use."""
        self._live, self._share = live, share
        self._is_first = True
        self._has_found = False
        self._noted: tuple[HistoryFinding, ...] = ()
        """What was found outside the process."""

    async def run_once(self) -> bool:
        """Decide again what was not; False if the store could not be read.

        Where something was found, nothing more is done until the next start.
        """
        if self._has_found:
            return True
        point = await self.read_point()
        db = self._live.setting.db
        order = VerificationOrder(db=db, share=self._share, point=point, compares_bytes=self._is_first)
        has_ended = False
        async with aclosing(run_process(order)) as reports:
            async for report in reports:
                match report:
                    case VerificationProgress(is_done=is_done):
                        self._live.history.is_unreadable = False
                        await self._take(report)
                        has_ended = is_done
                    case StoreUnreadable(why=why):
                        self._live.log.say("not_verified", f"history was not verified: {why}", level="warning")
                        self._live.history.is_unreadable = has_ended = True
                    case VerificationBug(kind=kind, place=place):
                        raise VerificationFault(f"{kind} at {place}")
        if not has_ended:
            raise VerificationFault("the process that verifies history was ended from outside")
        return not self._live.history.is_unreadable

    async def read_point(self) -> bytes:
        """The stored resume point; empty if there is none that this house has stored."""
        ring, store = self._live.ring, self._live.store.id
        text = await self._live.reading.ask(lambda reads: reads.setting(POINT))
        try:
            return open_setting(ring, POINT, text, store=store) or b""
        except TamperedSetting:
            self._noted = (MOVED,)
            return b""

    async def _take(self, report: VerificationProgress) -> None:
        """Show progress, report what is new among the findings, and store the resume point."""
        live, ring, store = self._live, self._live.ring, self._live.store.id
        status = HistoryStatus(
            verified=report.verified,
            entries=report.entries,
            skipped=report.skipped,
            at=live.house.clock(),
            findings=(*self._noted, *report.findings),
        )
        is_new = show_status(live, status)
        for each in is_new:
            live.log.say("history_wrong", f"the history of the house is wrong: {each}", level="error")
        if report.is_done:
            self._has_found, self._is_first = bool(report.findings), False
            live.log.say("history_verified", f"history {status}", level="debug" if not status.findings else "warning")
        if not (report.point or report.is_done or is_new):
            return
        settings = dict(status_setting(ring, status, store=store))
        if report.point:
            settings |= await asyncio.to_thread(sealed_setting, ring, POINT, report.point, store=store)
        batch = Batch(settings=settings)
        await live.house.writer.run_exclusive(lambda: live.store.append(batch))


async def run_verification(live: HouseServer, *, every: float = EVERY_SECONDS) -> None:
    """Verify history, and from time to time what is new, as long as the house is open."""
    await asyncio.sleep(FIRST_SECONDS)
    loop, verification = asyncio.get_running_loop(), Verification(live, share=live.setting.verify_share)
    due = loop.time()
    while True:
        with suppress(PoolExhausted):
            if live.node is not None and not live.node.is_first:
                await show_stored_status(live)
            elif loop.time() >= due:
                due = loop.time() + every
                if not await verification.run_once():
                    due = loop.time() + min(every, AGAIN_SECONDS)
        await asyncio.sleep(min(LOOK_SECONDS, every))


async def show_stored_status(live: HouseServer) -> None:
    """Show what the node that verifies has stored."""
    ring, store = live.ring, live.store.id
    text = await live.reading.ask(lambda reads: reads.setting(STATUS))
    with suppress(TamperedSetting):  # the node that verifies writes it again
        found = read_status(ring, text, store=store)
        if found is not None:
            show_status(live, found)


def show_status(live: HouseServer, status: HistoryStatus) -> list[HistoryFinding]:
    """Show how far history was verified, and alert people to what is new among the findings, which is returned."""
    found = live.history.show(status)
    if found:
        live.rooms.house_room.mark_changed("alerts", "day")
    return found


# ----------------------------------------------------------------------------------------------- the process


async def run_process(order: VerificationOrder) -> AsyncGenerator[Report, None]:
    """The reports of a process that verifies; it is ended with this."""
    reports = _Reports(order)
    async with OwnedTasks() as tasks:
        running = tasks.start(in_own_thread(reports.run), name="reports of the verification")
        try:
            while (report := await reports.queue.get()) is not None:
                yield report
        finally:
            reports.kill()
            await running


class _Reports:
    """The reports of a process, which are read in a thread: nothing on the event loop waits for a pipe."""

    def __init__(self, order: VerificationOrder) -> None:
        self._order = order
        self._loop = asyncio.get_running_loop()
        self.queue = asyncio.Queue[Report | None]()
        """Each report, and None at the end."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ended = False

    def run(self) -> None:
        """Run the process to its end; this blocks."""
        try:
            with self._started() as process:
                self._process = process
                if self._is_ended:
                    process.kill()
                assert process.stdin is not None, "it is a pipe"
                assert process.stdout is not None, "it is a pipe"
                with suppress(OSError):  # a process that has ended reads no order
                    with process.stdin as order:
                        write_frame(order, self._order)
                    for report in read_reports(process.stdout):
                        self._put(report)
                process.kill()
        finally:
            self._put(None)

    @staticmethod
    def _started() -> subprocess.Popen[bytes]:
        """The process: no signal of the terminal reaches it, and no module of the current folder is imported."""
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-m", MODULE]
        return subprocess.Popen(  # noqa: S603  this program itself
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def _put(self, report: Report | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self.queue.put_nowait, report)

    def kill(self) -> None:
        """End the process now."""
        self._is_ended = True
        if self._process is not None:
            self._process.kill()
