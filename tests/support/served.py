"""A house that is served for a test, on a free port of this machine, with real sockets and a real store."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import loop_guard
from access_house import CHEAP
from baccarat.audit.journal import audit_journals
from baccarat.serve.access.password import Passwords
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.run import Server, server_config
from baccarat.serve.setting import Setting
from baccarat.serve.store.journal_export import signed_journal
from patience import Patience, WaitTimeoutError, caller_line, finish

loop_guard.install()

QUICK: dict[str, Any] = {
    "pace": 0.0,
    "betting_seconds": 0.05,
    "squeeze_seconds": 0.05,
    "answer_seconds": 0.05,
    "company": 0,
    "requests_a_second": 200_000.0,
    "requests_at_once": 200_000,
    "connections_at_once": 10_000,
    "lease_seconds": 20.0,
    "hand_over_seconds": 30.0,
    "look_seconds": 0.03,
    "news_seconds": 0.05,
    "verify_share": 0.0,
}
"""Settings of a practice house that does not let a test wait. No node in a test's own process is ever frozen: with a
long lease none is lost on a machine that is very busy."""


def fails(error: BaseException) -> None:
    """A store that stops ends the test."""
    raise AssertionError(f"the store stopped: {error}")


@asynccontextmanager
async def served(
    folder: Path,
    *,
    stopped: Callable[[BaseException], None] = fails,
    listen: int = 0,
    log: ServerLog | None = None,
    **settings: Any,
) -> AsyncIterator[tuple[HouseServer, str]]:
    """A house kept in a folder, served until the end of the block: the house, and its address."""
    setting = Setting(**{"db": str(folder / "house.db"), "port": 0, **QUICK, **settings})
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", listen))
        listening.listen(128)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        live = await open_server(setting, stopped=stopped, log=log, address=address)
        live.desk.recognition.passwords.close()
        live.desk.recognition.passwords = Passwords(CHEAP)  # the usual hash takes a tenth of a processor second
        server = Server(server_config(live, setting))
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.002)
        try:
            yield live, address
        finally:
            await live.drain()
            server.should_exit = True
            await asyncio.wait_for(task, 120)
            await live.close()


async def soon(is_so: Callable[[], bool], what: str = "", within: float = 120.0) -> None:
    """Wait until something is so, however busy the machine is; where that does not come about, say what failed."""
    patience = Patience(within)
    while not is_so():
        if patience.is_over():
            raise WaitTimeoutError(f"{what or caller_line(sys._getframe(1))} (after {patience.waited:.0f} s)")
        await asyncio.sleep(0.01)


def run_for(work: Coroutine[Any, Any, None], seconds: float = 300.0) -> None:
    """Run a test's work; one that hangs fails and says what it waits for, but a busy machine is no fault."""
    asyncio.run(finish(work, Patience(seconds)))


def audited(live: HouseServer, folder: Path) -> None:
    """The journal of the whole house passes the audit."""
    path = folder / "house.jsonl"
    path.write_bytes(b"".join(signed_journal(live.store)))
    report = audit_journals([path])
    assert not report.findings, report.findings[:3]
