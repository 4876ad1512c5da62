"""A round that somebody plays at a practice table, over a socket."""

from __future__ import annotations

from typing import Any

from baccarat.client import Client, TableClient


async def play_round(table: TableClient, client: Client, *, seat: int = 2) -> dict[str, Any]:
    """Sit down, buy in, wager on Banker, and wait until the round is over; the round as it was announced."""
    assert (await table.do("sit", seat=seat)).is_done
    await client.buy_in(table.name, 100_000)
    return await next_round(table, seat=seat)


async def next_round(table: TableClient, *, seat: int = 2) -> dict[str, Any]:
    """Wager on Banker and wait until the round is over; the round as it was announced."""
    await table.until(lambda view: view["state"]["step"] == "wager")
    number = table.state["round"]["number"]
    placed = await table.do("place_wager", seat=seat, on="banker", stake=2_500)
    assert placed.is_done, placed.say
    await table.until(lambda view: bool(view["state"]["round"]["number"] != number))
    return next(event for event in table.events() if event["event"] == "result_announced")
