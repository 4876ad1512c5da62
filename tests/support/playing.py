"""A visitor of a practice house who plays some rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.client import Client, TableClient

SEAT, PURSE, STAKE = 2, 100_000, 2_500


def after_round(number: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a view is of a later round."""
    return lambda view: bool(view["state"]["round"]["number"] != number)


async def sit_down(client: Client, table: TableClient) -> None:
    """Sit down and get chips."""
    assert (await table.do("sit", seat=SEAT)).is_done
    await client.buy_in(table.name, PURSE)


async def play_rounds(table: TableClient, rounds: int, *, on: str = "banker") -> None:
    """Wager in some rounds, and see each end."""
    for _ in range(rounds):
        await table.until(lambda view: view["state"]["step"] == "wager")
        number = table.state["round"]["number"]
        assert (await table.do("place_wager", seat=SEAT, on=on, stake=STAKE)).is_done
        await table.until(after_round(number))
