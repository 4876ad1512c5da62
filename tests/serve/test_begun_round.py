"""A round begins with its first wager: it is finished though nobody watches, however the wager came there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, command_id
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"


async def do(client: Client, **command: Any) -> None:
    """An act by request, without a socket."""
    key = {"Idempotency-Key": command_id()}
    await client.ask("POST", f"/api/tables/{TABLE}/acts", json=command, headers=key)


async def seated_without_a_socket(client: Client, live: Any) -> None:
    """Somebody sits at a table that waits for wagers, with chips, and watches it no more."""
    await client.visit()
    table = live.house.table(TABLE)
    async with client.table(TABLE) as seen:
        assert (await seen.do("sit", seat=2)).is_done
        await client.buy_in(TABLE, 100_000)
        await soon(lambda: table.state.step == "wager", "the table does not open")
    await soon(lambda: not live.rooms[TABLE].guests)


def test_a_wager_that_came_by_request_is_played_when_its_time_is_over(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await seated_without_a_socket(client, live)
            state = live.house.state.tables[TABLE]
            await do(client, do="place_wager", seat=2, on="player", stake=2_500)
            await soon(lambda: live.house.state.tables[TABLE].round.number > state.round.number, "the wager lies there")
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_wager_whose_participant_has_lost_the_socket_is_played(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=1.0) as (live, address), Client(address) as client:
            await seated_without_a_socket(client, live)
            state = live.house.state.tables[TABLE]
            async with client.table(TABLE) as table:
                assert (await table.do("place_wager", seat=2, on="player", stake=2_500)).is_done
                assert not live.house.state.tables[TABLE].round.closed
            await soon(lambda: live.house.state.tables[TABLE].round.number > state.round.number, "the wager lies there")

    run_for(work())


def test_wagers_that_lay_there_when_the_house_was_closed_are_played_when_it_opens(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=600.0) as (live, address), Client(address) as client:
            await seated_without_a_socket(client, live)
            await do(client, do="place_wager", seat=2, on="player", stake=2_500)
            number = live.house.state.tables[TABLE].round.number
        async with served(tmp_path) as (live, _address):
            assert live.house.state.tables[TABLE].round.number == number
            await soon(lambda: live.house.state.tables[TABLE].round.number > number, "the wager lies there")

    run_for(work())


def test_a_request_that_begins_no_round_sets_nothing_going(tmp_path: Path) -> None:
    """Company does not play before nobody because somebody has sat down."""

    async def work() -> None:
        async with served(tmp_path, company=3) as (live, address), Client(address) as client:
            await client.visit()
            await do(client, do="sit", seat=1)
            await client.buy_in(TABLE, 100_000)
            await live.house.writer.wait_until_flushed()
            log = [type(event).__name__ for event in live.house.table(TABLE).log]
            assert log == ["Sat", "BoughtIn"]

    run_for(work())
