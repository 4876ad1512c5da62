"""A practice house in which somebody has played some rounds, and has tried to wager too late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.client import Client, TableClient
from baccarat.law.rulebook import rulebook
from baccarat.serve import founding
from baccarat.serve.live import HouseServer
from house_of_roles import Asked, sign_everybody_on
from played import next_round, play_round
from served import run_for, served

NAME = "ma-midi-4"
TABLE = f"/api/tables/{NAME}"
SHORT_SHOE = {"cover_card_depth": 340}
"""Some fifteen rounds."""


class Visited(msgspec.Struct, frozen=True):
    """A practice house, and a visitor at one of its tables."""

    live: HouseServer
    address: str
    client: Client
    table: TableClient


@asynccontextmanager
async def visited(folder: Path, *, rounds: int = 0, leaves: bool = False, **settings: Any) -> AsyncIterator[Visited]:
    """A practice house in which a visitor has played some rounds at a table, and looks on there, or does not."""
    async with served(folder, **settings) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(NAME) as table:
            if rounds:
                await play_round(table, client)
            for _ in range(rounds - 1):
                await next_round(table)
            if not leaves:
                yield Visited(live, address, client, table)
        if leaves:
            yield Visited(live, address, client, table)


@asynccontextmanager
async def two_shoes_played(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visited]:
    """A practice house in which a visitor has played two shoes, which are short, at a table."""
    short = {NAME: SHORT_SHOE}
    monkeypatch.setattr(founding, "rulebook", lambda name, **terms: rulebook(name, **terms, **short.get(name, {})))
    async with visited(folder) as here:
        assert (await here.table.do("sit", seat=2)).is_done
        await here.client.buy_in(NAME, 100_000_00)
        while len(here.live.house.shoe_ends.get(NAME, ())) < 2:
            await here.table.until(lambda seen: seen["state"]["step"] == "wager")
            await here.table.do("place_wager", seat=2, on="banker", stake=2_500)
            await asyncio.sleep(0.02)  # one wager a round is enough
        yield here


def watched(work: Callable[[Asked], Awaitable[None]], tmp_path: Path, rounds: int = 3) -> None:
    """Look at a house in which a visitor has played some rounds; he also tried to wager too late."""

    async def inner() -> None:
        async with visited(tmp_path, rounds=rounds) as here:
            house = await sign_everybody_on(here.live, here.address)
            await late_wager(here.table)
            await here.live.jobs.stop_all()  # the table stands still while it is looked at
            await here.live.house.writer.wait_until_flushed()
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
