"""A database that refuses connections, and a loop that stands still: nothing answered is lost, and nothing hangs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from baccarat.client import Client, command_id
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
import asyncio, sys, time
from baccarat.serve import run
from baccarat.serve.setting import Setting

def tune():
    asyncio.get_running_loop().call_later(0.5, time.sleep, 600)

run.tune = tune
sys.exit(run.run(Setting(db=sys.argv[1], seal_key=sys.argv[2], port=0, lease_seconds=1.0), json=True))
"""
"""A server whose event loop stands still half a second after it was opened."""


def test_a_process_whose_event_loop_stands_still_is_ended_after_its_lease(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    begun = time.monotonic()
    words = [sys.executable, "-c", HANGS, postgres.new(), str(tmp_path / "seal.key")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=tmp_path, check=False)
    assert time.monotonic() - begun < 300
    assert done.returncode == 3, done.stderr
    last = json.loads(done.stderr.splitlines()[-1])
    assert (last["event"], last["level"]) == ("hung", "error")
    assert last["say"] == "its lease has lapsed, and the house was not closed within 5 seconds: the process ends now"


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
