"""Whoever goes away in the middle of a round blocks nobody and loses nothing: the round is played to its end."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from baccarat.client import Client, TableClient
from baccarat.serve.live import HouseServer
from served import audited, run_for, served

pytestmark = pytest.mark.slow


async def wagers(table: TableClient, client: Client) -> None:
    """A visitor sits down, buys in and wagers on the Player's hand, which he will turn."""
    assert (await table.do("sit", seat=2)).is_done
    await client.buy_in(table.name, 100_000)
    await table.until(lambda view: view["state"]["step"] == "wager")
    assert (await table.do("place_wager", seat=2, on="player", stake=2_500)).is_done


async def round_of(live: HouseServer, table: str, number: int) -> None:
    """Wait until a round is over."""
    while live.house.state.tables[table].round.number == number:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
@pytest.mark.parametrize("watched", [False, True])
def test_d5_a_round_that_its_only_participant_has_left_is_finished(name: str, watched: bool, tmp_path: Path) -> None:
    """He holds the cards when his connection ends; whether or not somebody else looks on, the dealer turns them."""

    async def work() -> None:
        async with served(tmp_path, squeeze_seconds=5.0) as (live, address), AsyncExitStack() as others:
            if watched:
                other = await others.enter_async_context(Client(address))
                await other.visit()
                await others.enter_async_context(other.table(name))
            async with Client(address) as client:
                await client.visit()
                async with client.table(name) as table:
                    await wagers(table, client)
                    await table.until(lambda view: "player" in view["state"]["round"]["handed"])
            number = live.house.state.tables[name].round.number
            await asyncio.wait_for(round_of(live, name, number), 120)
            await live.house.writer.wait_until_flushed()
            assert live.house.state.tables[name].seats.participants[1] is not None, "his seat and his chips are his"
            audited(live, tmp_path)

    run_for(work())


def test_d5_a_round_that_was_open_when_the_house_closed_is_finished_when_it_opens_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, squeeze_seconds=5.0) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await wagers(table, client)
                await table.until(lambda view: "player" in view["state"]["round"]["handed"])
            await live.drain()
            before = live.house.state.tables["ma-midi-4"]
            assert before.round.closed
        async with served(tmp_path) as (live, _):
            await asyncio.wait_for(round_of(live, "ma-midi-4", before.round.number), 120)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_no_client_speaks_for_the_clock(tmp_path: Path) -> None:
    """What a socket brings is a person's, whatever it is; the wagering ends when its time is over, not before."""

    async def work() -> None:
        async with served(tmp_path, betting_seconds=600.0) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await wagers(table, client)
                assert not (await table.do("call_no_more_bets")).is_done
                assert not (await table.do("order_relinquish", seat=2, reason="time is over")).is_done
                assert not live.house.state.tables["ma-midi-4"].round.closed

    run_for(work())
