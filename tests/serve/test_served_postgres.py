"""A practice house on PostgreSQL, served by one node: a person plays, and the house goes on after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, TableClient, command_id
from postgres_server import PostgresServer
from served import audited, run_for, served

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(postgres: PostgresServer, tmp_path: Path) -> dict[str, Any]:
    """Settings of a house in a schema of its own."""
    return {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}


async def play_round(table: TableClient, *, seat: int) -> dict[str, Any]:
    """Wager on Banker and wait until the round is over; the round as it was announced."""
    await table.until(lambda view: view["state"]["step"] == "wager")
    number = table.state["round"]["number"]
    placed = await table.do("place_wager", seat=seat, on="banker", stake=2_500)
    assert placed.is_done, placed.say
    await table.until(lambda view: bool(view["state"]["round"]["number"] != number))
    return next(event for event in table.events() if event["event"] == "result_announced")


def test_a_visitor_plays_and_the_house_goes_on_after_a_restart(kept: dict[str, Any], tmp_path: Path) -> None:
    given = command_id()

    async def work() -> None:
        async with served(tmp_path, **kept) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                assert (await table.do("sit", id=given, seat=2)).is_done
                await client.buy_in("ma-midi-4", 100_000)
                assert (await play_round(table, seat=2))["cites"]
                again = await table.do("sit", id=given, seat=2)
                assert again.is_repeat
            await live.drain()
            before = live.house.state
            audited(live, tmp_path)
        async with served(tmp_path, **kept) as (live, address):
            assert live.house.state == before
            audited(live, tmp_path)

    run_for(work())
