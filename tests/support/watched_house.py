"""A practice house in which somebody has played some rounds, and has tried to wager too late."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from baccarat.client import Client, TableClient
from house_of_roles import Asked, sign_everybody_on
from played import next_round, play_round
from served import run_for, served

TABLE = "/api/tables/ma-midi-4"


def watched(work: Callable[[Asked], Awaitable[None]], tmp_path: Path, rounds: int = 3) -> None:
    """Look at a house in which a visitor has played some rounds; he also tried to wager too late."""

    async def inner() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                for _ in range(rounds - 1):
                    await next_round(table)
                await late_wager(table)
                await live.house.writer.settled()
                await work(house)

    run_for(inner())


async def late_wager(table: TableClient, *, seat: int = 2) -> str:
    """Wager after “no more bets”: refused."""
    for _ in range(20):
        await table.until(lambda seen: seen["state"]["step"] == "wager" and not seen["state"]["round"]["closed"])
        await table.do("place_wager", seat=seat, on="player", stake=2_500)
        await table.until(lambda seen: seen["state"]["round"]["closed"])
        answer = await table.do("place_wager", seat=seat, on="tie", stake=500)
        if not answer.is_done:
            return str(answer.say)
    raise AssertionError("every wager came in time")
