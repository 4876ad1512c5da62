"""A disk that stalls under a served house: acts wait, readiness says so, and all is well once the commit has ended."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.store.base import all_entries
from playing import STAKE, sit_down
from served import audited, run_for, served, soon
from stalling_disk import StallingDisk

pytestmark = pytest.mark.slow

TABLE, OTHER = "ma-midi-4", "ma-midi-3"


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[StallingDisk]:
    made = StallingDisk()
    made.put_under(monkeypatch)
    # The usual bounds are those of a house; what is tested is what follows when they are passed.
    monkeypatch.setattr("baccarat.serve.runtime.readiness.LONG_COMMIT", 0.3)
    monkeypatch.setattr("baccarat.serve.ops.metrics.SLOW_COMMIT_SECONDS", 0.2)
    yield made
    made.unregister()


async def ask(address: str, path: str) -> httpx.Response:
    """What the house answers."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        return await http.get(path)


async def readiness(address: str, status: int) -> httpx.Response:
    """Wait until readiness answers with this status."""
    end = asyncio.get_running_loop().time() + 120
    while (found := await ask(address, "/readyz")).status_code != status:
        assert asyncio.get_running_loop().time() < end, found.text
        await asyncio.sleep(0.02)
    return found


def wagers(live: HouseServer, table: str) -> int:
    """How many wagers are on disk."""
    bodies = [row.body for row in all_entries(live.store, table_stream(table)) if b'"wager_placed"' in row.body]
    return sum(isinstance(read_body(body), ActRecord) for body in bodies)


def test_acts_wait_for_a_disk_that_stalls_and_readiness_says_so_until_the_commit_has_ended(
    tmp_path: Path, disk: StallingDisk
) -> None:
    out = io.StringIO()

    async def stalls() -> None:
        log = ServerLog(json=True, file=out)
        # With an hour for wagers no clock acts meanwhile.
        async with (
            served(tmp_path, log=log, betting_seconds=3_600.0) as (live, address),
            Client(address) as client,
            Client(address) as other,
        ):
            await client.visit()
            await other.visit()
            async with client.table(TABLE) as table, other.table(OTHER) as elsewhere:
                await sit_down(client, table)
                await sit_down(other, elsewhere)
                for each in (table, elsewhere):
                    await each.until(lambda view: view["state"]["step"] == "wager")
                await live.house.writer.wait_until_flushed()
                assert (await ask(address, "/readyz")).text == "ok\n"
                with disk.stalled():
                    acts = [
                        asyncio.create_task(each.do("place_wager", seat=2, on="banker", stake=STAKE))
                        for each in (table, elsewhere)
                    ]
                    await soon(disk.waiting.is_set, "no sync waits")
                    found = await readiness(address, 503)
                    assert found.headers["content-type"] == "application/problem+json"
                    assert found.headers["retry-after"] == "1"
                    assert found.json()["detail"] == "No command is accepted now: the disk does not answer."
                    assert (await ask(address, "/healthz")).status_code == 200, "it lives"
                    assert (await ask(address, f"/api/tables/{TABLE}/moment")).status_code == 200, "views go on"
                    page = live.metrics.page().decode()
                    assert "baccarat_ready 0.0" in page
                    (age,) = [
                        line for line in page.splitlines() if line.startswith("baccarat_commit_in_flight_seconds")
                    ]
                    assert float(age.split()[1]) > 0.3
                    assert not any(act.done() for act in acts), "nobody is answered before it is on disk"
                    assert live.house.writer.fault is None
                for act in acts:
                    assert (await act).is_done
                assert (await readiness(address, 200)).text == "ok\n"
            assert "baccarat_ready 1.0" in live.metrics.page().decode()

    async def nothing_is_lost() -> None:
        async with served(tmp_path, betting_seconds=3_600.0) as (live, _):
            assert (wagers(live, TABLE), wagers(live, OTHER)) == (1, 1)
            audited(live, tmp_path)

    run_for(stalls())
    run_for(nothing_is_lost())
    slow = [found for line in out.getvalue().splitlines() if (found := json.loads(line))["event"] == "slow_commit"]
    assert slow, "it is logged"
    assert {found["level"] for found in slow} == {"warning"}
