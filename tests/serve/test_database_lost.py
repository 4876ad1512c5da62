"""A database that stalls, restarts or is cut off: nobody is left waiting, no node ends, and the house comes back."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client, command_id
from database_proxy import DatabaseProxy, proxied
from postgres_server import PostgresServer
from served import run_for
from served_program import QUICK, Program

pytestmark = pytest.mark.slow

ASKED = ("/healthz", "/readyz", "/api/tables", "/api/tables/ma-midi-4", "/api/session", "/api/law/editions")
PATIENCE = 60.0


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[DatabaseProxy]:
    """A proxy in front of a schema of its own."""
    with proxied(postgres.new()) as made:
        yield made


def node(proxy: DatabaseProxy, folder: Path, *, lease: float = 2.0) -> Program:
    """A program that serves a house behind a proxy."""
    environment = {**QUICK, "BACCARAT_SEAL_KEY": str(folder / "seal.key"), "BACCARAT_LEASE_SECONDS": str(lease)}
    return Program("--db", proxy.address, "--port", "0", folder=folder, environment=environment)


def is_not_now(found: httpx.Response) -> bool:
    """Whether an answer is the problem that nothing can be answered now, and says when to try again."""
    if found.status_code != 503:
        return False
    told = found.json()
    assert found.headers["content-type"] == "application/problem+json"
    assert int(found.headers["retry-after"]) > 0
    assert (told["status"], told["code"]) == (503, "not_now")
    assert "cut off from its database" in told["detail"]
    return True


def test_while_the_database_stalls_everybody_is_answered_503_and_then_the_house_is_well_again(
    proxy: DatabaseProxy, tmp_path: Path
) -> None:
    with node(proxy, tmp_path) as program:
        address = program.address()
        cookies = httpx.post(f"{address}/api/visit", json={}).cookies
        assert httpx.get(f"{address}/healthz").status_code == 200
        with httpx.Client(cookies=cookies, timeout=PATIENCE) as client:
            proxy.stall()
            for path in ASKED:
                end = time.monotonic() + PATIENCE
                while not is_not_now(client.get(f"{address}{path}")):
                    assert time.monotonic() < end, f"{path} is answered as if nothing were wrong"
                    time.sleep(0.02)
            proxy.resume()
            program.until("reopened")
            assert client.get(f"{address}/readyz").text == "ok\n"
        assert program.stopped() == 0
    said = [each["event"] for each in program.events]
    assert said.count("cut_off") == said.count("reopened") == 1
    assert "fault" not in said


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
