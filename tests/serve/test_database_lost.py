"""A database that refuses connections, and a loop that stands still: nothing answered is lost, and nothing hangs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest

from baccarat.client import Client, command_id
from baccarat.serve.cluster.node import Node
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import silent_log
from baccarat.serve.ops.watchdog import Watchdog
from baccarat.serve.service import Service
from baccarat.serve.setting import Setting
from database_proxy import DatabaseProxy, proxied
from postgres_server import PostgresServer
from served import run_for
from served_program import QUICK, Program

pytestmark = pytest.mark.slow


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[DatabaseProxy]:
    """A proxy in front of a schema of its own."""
    with proxied(postgres.new()) as made:
        yield made


def node(proxy: DatabaseProxy, folder: Path, *, lease: float = 2.0) -> Program:
    """A program that serves a house behind a proxy."""
    environment = {**QUICK, "BACCARAT_SEAL_KEY": str(folder / "seal.key"), "BACCARAT_LEASE_SECONDS": str(lease)}
    return Program("--db", proxy.address, "--port", "0", folder=folder, environment=environment)


HANGS = """
import asyncio, ctypes, sys, time
from baccarat.serve import run
from baccarat.serve.setting import Setting

def tune():
    sleep = time.sleep if sys.argv[3] == "the event loop" else ctypes.PyDLL(None).sleep
    asyncio.get_running_loop().call_later(0.5, sleep, 600)

run.tune = tune
sys.exit(run.run(Setting(db=sys.argv[1], seal_key=sys.argv[2], port=0, lease_seconds=1.0), json=True))
"""
"""A server in which something stands still half a second after it was opened: C code that holds the lock of the
interpreter lets no thread run."""


@pytest.mark.parametrize("what", ["the event loop", "the interpreter"])
def test_a_process_that_stands_still_is_ended_after_its_lease(
    what: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    words = [sys.executable, "-c", HANGS, postgres.new(), str(tmp_path / "seal.key"), what]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)
    assert done.returncode == 3, done.stderr
    last = json.loads(done.stderr.splitlines()[-1])
    assert (last["event"], last["level"]) == ("hung", "error")
    assert last["say"].startswith("its lease has lapsed, and the house was not closed within 5 seconds")
    if what == "the interpreter":
        assert last["say"].endswith("and nothing in the process can run: it is ended from outside")


def test_a_database_that_is_away_ends_no_node_and_nothing_answered_is_lost(
    proxy: DatabaseProxy, tmp_path: Path
) -> None:
    with node(proxy, tmp_path, lease=20.0) as program:
        address, given = program.address(), command_id()

        async def work() -> None:
            async with Client(address) as client:
                await client.visit()
                async with client.table("ma-midi-4") as table:
                    assert (await table.do("sit", id=given, seat=2)).is_done
                    proxy.refuse()
                    waiting = asyncio.create_task(table.do("leave", seat=2))
                    await asyncio.to_thread(program.until, "cut_off")
                    proxy.accept()
                    await asyncio.to_thread(program.until, "reopened")
                    assert (await waiting).is_done, "it was sent again under its id"
                    again = await table.do("sit", id=given, seat=2)
                    assert again.is_repeat

        run_for(work())
        assert program.stopped() == 0


class ArmedWatchdog(Watchdog):
    """A watchdog that tells a test when it is armed, and ends nothing."""

    def __init__(self) -> None:
        super().__init__(pytest.fail)
        self.times_armed = 0

    def arm(self, key: Hashable, seconds: float, what: str) -> None:
        super().arm(key, 1000.0 * seconds, what)
        self.times_armed += 1

    @property
    def expected(self) -> int:
        return len(self._expected)


@pytest.mark.parametrize("faults", [1, 2, 3])
def test_a_house_that_is_served_again_is_not_ended_however_often_its_lease_lapsed(
    faults: int, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lease but the last lapses: the first while the house is served, the others while it is opened again."""
    watchdog, lapsed = ArmedWatchdog(), list[int]()
    plain = Node.refresh

    async def lapse(node: Node) -> None:
        before = watchdog.times_armed
        lapsed.append(node.lease.node)
        node.lease.lapse("planted")
        async with asyncio.timeout(60):
            while watchdog.times_armed == before:  # the watch over the lease has noticed
                await asyncio.sleep(0.01)

    async def refresh(self: Node) -> None:
        if 0 < len(lapsed) < faults and self.lease.node not in lapsed:
            await lapse(self)
        await plain(self)

    async def work() -> None:
        monkeypatch.setattr(Node, "refresh", refresh)
        reopened = asyncio.Queue[HouseServer]()
        service = Service(
            Setting(db=postgres.new(), seal_key=str(tmp_path / "seal.key"), company=0, lease_seconds=60.0),
            silent_log(),
            address="http://here",
            watchdog=watchdog,
        )
        live = await service.open()
        serving = asyncio.create_task(service.serve_until_stopped(serve=reopened.put_nowait, end_requests=lambda: None))
        assert isinstance(live.node, Node)
        await lapse(live.node)
        assert await reopened.get() is service.live
        assert len(lapsed) == faults
        assert watchdog.times_armed >= faults
        assert not watchdog.is_armed(), "the house is served, and would be ended"
        assert watchdog.expected == 1, "its lease is watched"
        service.stop()
        await serving
        await service.drain()
        await service.close()
        assert watchdog.expected == 0, "a lease that was given back is not watched"

    run_for(work())
