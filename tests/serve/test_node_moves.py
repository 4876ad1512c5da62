"""A table on its way from one node to another: whatever comes meanwhile is decided once, by whoever has the table, and
answered so; nobody is told of the move in place of an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, TableClient, command_id
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, table_stream
from baccarat.serve.cluster.node import Node
from baccarat.serve.live import HouseServer
from baccarat.table.base import Accepted
from baccarat.table.seating_acts import Sit
from house_books import ADMIN
from house_of_roles import Asked, is_problem
from postgres_server import PostgresServer
from served import run_for, soon
from two_nodes import HERE, AsHouse, slow_disk, two_nodes

pytestmark = pytest.mark.slow
Work = Callable[[HouseServer, HouseServer, Asked], Awaitable[None]]
"""What a test does with two nodes, and with the first as it is asked from outside."""


@pytest.fixture
def at_two_nodes(postgres: PostgresServer, tmp_path: Path) -> Callable[[Work], None]:
    """Do a test's work while two nodes serve a house, the first of them the table at which it plays."""

    async def served_for(work: Work) -> None:
        async with two_nodes(postgres, tmp_path) as ((one, here), (two, _)):
            await work(one, two, here)

    return lambda work: run_for(served_for(work))


@asynccontextmanager
async def handing_over(one: HouseServer, two: HouseServer, name: str) -> AsyncIterator[asyncio.Event]:
    """Until an event is set, a table leaves one node and is not at the other yet; it is there at the end of the block.

    The first node waits for its disk: what was decided at the table last is not stored before that.
    """
    assert isinstance(two.node, Node)
    is_over = asyncio.Event()

    async def needs_it() -> None:
        assert isinstance(two.node, Node)
        async with two.node.hold_streams([table_stream(name)]) as is_here:
            assert is_here
            await is_over.wait()

    with slow_disk(one) as goes_on:
        assert isinstance(one.house.table(name).do(Sit(seat=5, person="p5")), Accepted)
        needing = asyncio.create_task(needs_it())
        await soon(lambda: table_stream(name) in one.house.journal.leaving)
        try:
            yield goes_on
        finally:
            goes_on.set()
            await soon(lambda: two.node is not None and two.node.owns(name))
            is_over.set()
            await needing


@asynccontextmanager
async def somebody_at(address: str, name: str) -> AsyncIterator[TableClient]:
    """Somebody who sits at a table of a practice house, on seat 2."""
    async with Client(address) as client:
        await client.visit()
        async with client.table(name) as table:
            assert (await table.do("sit", seat=2)).is_done
            yield table


async def turned_away(live: HouseServer, count: int) -> None:
    """Wait until so many commands have come to a node that does not have their table any more."""
    await soon(lambda: live.metrics.counts.commands["elsewhere"] >= count)


def test_an_act_that_comes_while_its_table_is_handed_over_is_decided_at_the_next_node(
    at_two_nodes: Callable[[Work], None],
) -> None:
    async def work(one: HouseServer, two: HouseServer, here: Asked) -> None:
        async with somebody_at(here.address, HERE) as table:
            async with handing_over(one, two, HERE) as goes_on:
                asked = asyncio.create_task(table.do("leave", seat=2))
                await turned_away(one, 1)
                await asyncio.sleep(0.05)
                assert not asked.done(), "nobody has decided anything yet"
                goes_on.set()
                answer = await asked
            assert answer.is_done, answer
            assert not answer.is_repeat
            assert table.joins >= 2

    at_two_nodes(work)


def test_what_was_answered_before_its_table_is_handed_over_is_answered_alike_meanwhile(
    at_two_nodes: Callable[[Work], None],
) -> None:
    """A refusal as well as what was done, whose answer may have been lost on its way."""

    async def work(one: HouseServer, two: HouseServer, here: Asked) -> None:
        async with somebody_at(here.address, HERE) as table:
            wanted: dict[str, tuple[str, dict[str, Any]]] = {
                command_id(): ("sit", {"seat": 2}),
                command_id(): ("place_wager", {"seat": 2, "on": "banker", "stake": 7}),
                command_id(): ("leave", {"seat": 2}),
            }
            before = [await table.do(act, id=id_, **fields) for id_, (act, fields) in wanted.items()]
            assert [each.is_done for each in before] == [False, False, True]
            async with handing_over(one, two, HERE) as goes_on:
                again = [asyncio.create_task(table.do(act, id=id_, **fields)) for id_, (act, fields) in wanted.items()]
                await turned_away(one, len(wanted))
                goes_on.set()
                after = await asyncio.gather(*again)
            assert [(each.is_done, each.seq, each.code) for each in after] == [
                (each.is_done, each.seq, each.code) for each in before
            ]
            assert all(each.is_repeat for each in after)

    at_two_nodes(work)


def test_a_request_that_comes_while_its_table_is_handed_over_is_sent_again_and_done_once(
    at_two_nodes: Callable[[Work], None],
) -> None:
    async def work(one: HouseServer, two: HouseServer, here: Asked) -> None:
        async with Client(here.address) as client:
            await client.visit()
            path, act, key = f"/api/tables/{HERE}/acts", {"do": "sit", "seat": 2}, {"Idempotency-Key": command_id()}
            async with handing_over(one, two, HERE) as goes_on:
                found = await here.ask("POST", path, act, token=client._token, headers=key)
                is_problem(found, 503, "taken_over")
                found = await here.ask("POST", "/api/tickets", {"table": HERE}, token=client._token)
                is_problem(found, 503, "taken_over")
                asked = asyncio.create_task(client.ask("POST", path, json=act, headers=key))
                await asyncio.sleep(0.05)
                goes_on.set()
                assert (await asked)["repeat"] is False
            assert (await client.ask("POST", path, json=act, headers=key))["repeat"] is True

    at_two_nodes(work)


def test_what_is_decided_again_at_a_table_that_leaves_is_still_decided_here(
    at_two_nodes: Callable[[Work], None],
) -> None:
    """Its last batch is refused because another node was first in a shared stream: nothing of it is lost."""

    async def work(one: HouseServer, two: HouseServer, _here: Asked) -> None:
        assert isinstance(one.node, Node)
        async with handing_over(one, two, HERE):
            AsHouse(two).do(AddPit(name="another"), ADMIN, stream=HOUSE_STREAM)
            await two.house.writer.wait_until_flushed()
        assert one.node.redecided > 0, "it was decided again"
        await soon(lambda: one.house.state == two.house.state)
        assert two.house.state.tables[HERE].at(5) is not None

    at_two_nodes(work)
