"""A rush: many join at the same moment; all are let in, whoever plays plays on, and a house that is behind says so."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client, TableClient
from baccarat.serve.access import lateness
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.lateness import Lateness
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


class StandingLoop:
    """The clock of a house by which its loop is behind, however often it has its turn, until it is let go."""

    def __init__(self, watched: Lateness) -> None:
        self._watched, self._steady = watched, watched._steady
        self._is_behind, self._stood = True, 0
        watched._steady = self

    def __call__(self) -> int:
        """Microseconds: as much after the last beat as is too late, and afterwards on from there."""
        if self._is_behind and self._watched._beat_at is not None:
            return self._watched._beat_at + lateness.BEAT + lateness.SLACK + lateness.TOO_LATE
        return self._steady() + self._stood

    def let_go(self) -> None:
        """From now on it keeps up."""
        self._stood = self() - self._steady()
        self._is_behind = False


def test_a_rush_while_the_house_is_behind_is_asked_to_come_again_and_is_then_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who ask for a ticket while the loop is behind are all told when to ask again, and do."""
    monkeypatch.setattr(lateness, "TOO_LATE", ONE_SECOND // 2)

    async def work() -> None:
        async with served(tmp_path) as (live, address), AsyncExitStack() as stack:
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=120))
            await http.post("/api/visit")
            watched = live.desk.lateness
            await soon(lambda: watched._beat_at is not None, "nobody watches the loop")
            loop, denial, told = StandingLoop(watched), watched.denial, list[Denied | None]()

            def noted() -> Denied | None:
                told.append(denial())
                return told[-1]

            monkeypatch.setattr(watched, "denial", noted)
            asked = [http.post("/api/tickets", json={"table": TABLE}) for _ in range(AT_ONCE)]
            for found in await asyncio.gather(*asked):
                assert (found.status_code, found.json()["code"]) == (503, "behind")
                assert found.headers["retry-after"] == "1"
            joining = [asyncio.create_task(join(stack, address)) for _ in range(AT_ONCE)]
            await soon(lambda: len(told) >= 2 * AT_ONCE, "not everybody has asked")
            assert None not in told
            loop.let_go()
            assert [each.name for each in await asyncio.gather(*joining)] == [TABLE] * AT_ONCE

    run_for(work(), SECONDS)
