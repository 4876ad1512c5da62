"""Tables take turns: whoever acts at one is not queued behind a flood at another, over sockets and by request."""

from __future__ import annotations

import asyncio
from pathlib import Path

from baccarat.client import Client, command_id
from baccarat.serve.runtime.table_turns import TableTurns
from baccarat.table.role import Role
from house_of_roles import sign_everybody_on
from served import run_for, served, soon

LINES, EACH = 20, 50


async def send(turns: TableTurns, table: str, count: int, decided: list[str]) -> None:
    """Commands of one line that have all arrived: nothing else suspends whoever reads them."""
    for _ in range(count):
        await turns.wait(table)
        decided.append(table)


def test_a_command_waits_for_one_of_each_busy_table_however_many_wait_there() -> None:
    async def work() -> None:
        turns, decided = TableTurns(), list[str]()
        floods = [asyncio.create_task(send(turns, name, EACH, decided)) for name in "AAAAAAAAAABBBBBBBBBB"]
        await asyncio.sleep(0)
        assert sorted(decided) == ["A", "B"], "one of each, though all of them have arrived"
        for _ in range(10):
            before = len(decided)
            await asyncio.create_task(send(turns, "C", 1, decided))
            since = decided[before:]
            assert since.count("A") <= 3
            assert since.count("B") <= 3
        await asyncio.gather(*floods)
        assert decided.count("A") == decided.count("B") == 10 * EACH
        assert not len(turns)

    asyncio.run(asyncio.wait_for(work(), 60))


def test_the_lines_at_one_table_take_turns_too() -> None:
    async def work() -> None:
        turns, decided = TableTurns(), list[int]()

        async def line(number: int, count: int) -> None:
            for _ in range(count):
                await turns.wait("A")
                decided.append(number)

        flood = [asyncio.create_task(line(number, EACH)) for number in range(LINES)]
        await asyncio.sleep(0)
        await asyncio.create_task(line(99, 3))
        assert len(decided) <= 3 * (LINES + 2)
        await asyncio.gather(*flood)

    asyncio.run(asyncio.wait_for(work(), 60))


def test_alone_nobody_waits_and_who_has_gone_takes_no_turn() -> None:
    async def work() -> None:
        turns, decided = TableTurns(), list[str]()
        for _ in range(3):
            waiting = turns.wait("A")
            try:
                waiting.send(None)  # it ends without being suspended
            except StopIteration:
                decided.append("A")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert len(decided) == 3
        await turns.wait("A")
        gone = [asyncio.create_task(turns.wait("A")) for _ in range(5)]
        last = asyncio.create_task(send(turns, "A", 1, decided))
        await asyncio.sleep(0)
        for each in gone[1:]:
            each.cancel()
        await last
        assert len(decided) == 4
        await asyncio.gather(*gone, return_exceptions=True)

    asyncio.run(asyncio.wait_for(work(), 60))


class Held(TableTurns):
    """Nobody has a turn at some tables before they are released."""

    def __init__(self, *tables: str) -> None:
        super().__init__()
        self.held, self.released, self.asked = tables, asyncio.Event(), 0

    async def wait(self, table: str) -> None:
        if table in self.held:
            self.asked += 1
            await self.released.wait()
        await super().wait(table)


def test_acts_over_sockets_and_by_request_wait_for_the_turn_of_their_table(tmp_path: Path) -> None:
    here, there = "ma-midi-4", "ma-midi-3"

    async def work() -> None:
        async with served(tmp_path, betting_seconds=3600.0, pace=60.0) as (live, address):
            house = await sign_everybody_on(live, address)
            turns = live.turns = Held(here)
            async with Client(address) as client:
                await client.visit()
                async with client.table(here) as table, client.table(there) as other:
                    act = {"do": "call_no_more_bets"}
                    waiting = [
                        asyncio.create_task(table.do("leave", seat=9)),
                        asyncio.create_task(
                            house.ask(
                                "POST",
                                f"/api/tables/{here}/acts",
                                act,
                                role=Role.FLOORPERSON,
                                headers={"Idempotency-Key": command_id()},
                            )
                        ),
                    ]
                    await soon(lambda: turns.asked == 2)
                    assert (await other.do("leave", seat=9)).code == "seat_empty", "nobody waits at another table"
                    assert not any(each.done() for each in waiting)
                    turns.released.set()
                    await asyncio.gather(*waiting)

    run_for(work())
