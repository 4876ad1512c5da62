"""A rush: many join at the same moment; all are let in, whoever plays plays on, and a house that is behind says so."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client, TableClient
from baccarat.serve.access import lateness
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.route.requester import COOKIE
from played import next_round, play_round
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

TABLE, OTHER = "ma-midi-4", "ma-midi-3"
SOCKETS, AT_ONCE = 100, 20
SECONDS = 240.0
"""After how many seconds the rush has failed, on the busiest machine; it takes a few."""


async def join(stack: AsyncExitStack, address: str) -> TableClient:
    """Come in and join the table, as a page does: asking again where the house says so."""
    client = await stack.enter_async_context(Client(address))
    await client.visit()
    return await stack.enter_async_context(client.table(TABLE))


def test_everybody_in_a_rush_is_let_in_and_whoever_plays_elsewhere_plays_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as player, AsyncExitStack() as stack:
            await player.visit()
            table = await stack.enter_async_context(player.table(OTHER))
            await play_round(table, player)
            joining = [asyncio.create_task(join(stack, address)) for _ in range(SOCKETS)]
            await next_round(table)
            joined = await asyncio.gather(*joining)
            await soon(lambda: live.metrics.counts.sockets == SOCKETS + 1, "somebody is missing")
            # What happens now reaches every one of them.
            seated = joined[0]
            assert (await seated.do("sit", seat=3)).is_done
            for each in joined:
                await each.until(lambda view: view["state"]["seats"]["participants"][2]["taken"])
            await next_round(table)
            async with httpx.AsyncClient(base_url=address) as http:
                assert (await http.get("/readyz")).text == "ok\n"
            assert (live.metrics.counts.faults, live.metrics.counts.task_faults, live.metrics.counts.too_slow) == (
                0,
                0,
                0,
            )
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work(), SECONDS)


def test_a_rush_while_the_house_is_behind_is_asked_to_come_again_and_is_then_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop stands still; those who ask for a ticket meanwhile are told when to ask again, and do."""
    monkeypatch.setattr(lateness, "TOO_LATE", ONE_SECOND)
    monkeypatch.setattr(lateness, "BEAT_SECONDS", 1.0)  # how long it is remembered that the loop stood still
    monkeypatch.setattr(lateness, "BEAT", ONE_SECOND)

    def ask(address: str, token: str) -> httpx.Response:
        """Ask for a ticket, from a thread of its own, so that the question lies there while the loop stands still."""
        with httpx.Client(base_url=address, cookies={COOKIE: token}, timeout=120) as http:
            return http.post("/api/tickets", json={"table": TABLE})

    async def work() -> None:
        async with served(tmp_path) as (_, address), AsyncExitStack() as stack:
            async with httpx.AsyncClient(base_url=address) as http:
                token = (await http.post("/api/visit")).cookies[COOKIE]
            with ThreadPoolExecutor(AT_ONCE) as pool:
                loop = asyncio.get_running_loop()
                asked = [loop.run_in_executor(pool, ask, address, token) for _ in range(AT_ONCE)]
                await asyncio.sleep(0)
                time.sleep(3.0)  # nothing else runs in this loop
                joining = [asyncio.create_task(join(stack, address)) for _ in range(AT_ONCE)]
                answers = await asyncio.gather(*asked)
            refused = [found for found in answers if found.status_code != 201]
            assert refused, "nobody was asked to come again"
            for found in refused:
                assert (found.status_code, found.json()["code"]) == (503, "behind")
                assert 1 <= int(found.headers["retry-after"]) <= 10
            assert [each.name for each in await asyncio.gather(*joining)] == [TABLE] * AT_ONCE

    run_for(work(), SECONDS)
