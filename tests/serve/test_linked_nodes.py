"""Linked meters across nodes: tables of one link on two nodes, and everything exact after every record."""

from __future__ import annotations

import asyncio
import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from baccarat.house.invariant import broken
from baccarat.house.opening import LinkTables
from baccarat.house.state import HOUSE_STREAM, Decision, HouseState, pit_stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.record.keeping import AnyCommand
from baccarat.serve.live import Live
from baccarat.serve.recovery import Recovered, advance
from baccarat.table.actor import Actor, Envelope
from baccarat.table.people import BuyIn, Sit
from baccarat.table.source import KeyedCards
from house_books import ADMIN_AND_SUPERVISOR, open_table, opened_house, taken
from linked_floor import LINK_NAME, Floor, royal_nines
from postgres_server import PostgresServer
from served import audited, run_for, served

pytestmark = pytest.mark.slow
HERE, THERE = "T1", "zT2"
"""Two tables; the second is the last by its name, and so goes to the node that comes second."""


class AsHouse:
    """A live house, in the words in which tests speak to a house in memory."""

    def __init__(self, live: Live) -> None:
        self.live = live

    @property
    def state(self) -> HouseState:
        """The house as it is decided on."""
        return self.live.house.state

    def do(self, command: AnyCommand, actor: Actor, *, stream: str) -> Decision | Refused:
        """Enter a command."""
        return self.live.enter(stream, command, Envelope(actor=actor)).refused or Decision(())

    def in_pit(self, pit: str, command: AnyCommand, actor: Actor) -> Decision | Refused:
        """Enter a command in the stream of a pit."""
        return self.do(command, actor, stream=pit_stream(pit))

    def table(self, name: str) -> Any:
        """A table, driven from here."""
        return self.live.house.table(name)


async def owned_by(live: Live, name: str) -> None:
    """Wait until a node has a table."""
    end = time.monotonic() + 20
    assert live.node is not None
    while not live.node.owns(name):
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("seed", [1, 2])
def test_meters_that_two_nodes_feed_at_once_are_exact_after_every_record(
    seed: int, postgres: PostgresServer, tmp_path: Path
) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=None)
    kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}

    async def work() -> None:
        async with served(tmp_path, **kept) as (one, _):
            house: Any = AsHouse(one)
            opened_house(rules, bankroll=10**11, house=house)
            for name in (HERE, THERE):
                open_table(house, rules, name)
            await one.house.writer.settled()
            for name in (HERE, THERE):
                await owned_by(one, name)
            taken(house.do(LinkTables(name=LINK_NAME, tables=(HERE, THERE)), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
            await one.house.writer.settled()
            async with served(tmp_path, **kept) as (two, _):
                await owned_by(two, THERE)
                await play(Floor(rules, random.Random(seed), house), one, two)
                while one.house.state != two.house.state:
                    await asyncio.sleep(0.02)
                assert one.node is not None
                assert two.node is not None
                assert one.node.mended + two.node.mended > 3, "they met at the meters"
                checked(two)
                audited(one, tmp_path)

    run_for(work())


async def play(floor: Floor, one: Live, two: Live) -> None:
    """Rounds at both tables at once, each driven on the node that has it."""
    for live, name in ((one, HERE), (two, THERE)):
        table = floor.tables[name] = live.house.table(name)
        floor.sources[name] = KeyedCards(partial(royal_nines, f"{floor.chance.random()} {name}"))
        for seat in (1, 4, 6):
            table.do(Sit(seat=seat, person=f"p{seat}"))
            table.do(BuyIn(seat=seat, amount=10**7))
    for _ in range(250):
        for name in (HERE, THERE):
            floor.act(name, check=False)
        if floor.chance.random() < 0.5:
            await asyncio.sleep(floor.chance.random() * 0.01)
    await asyncio.gather(one.house.writer.settled(), two.house.writer.settled())


def checked(live: Live) -> None:
    """Replay the log act by act: the books balance and the meters are those of the link after every one."""
    acts, fed = 0, 0
    empty = Recovered(rules=live.house.rules, state=HouseState(), heads={}, logs={})

    def each(decision: Decision | None, entries: Any, after: Recovered) -> None:
        nonlocal acts, fed
        if decision is not None and any(part.stream.startswith("link ") for part in decision.appended):
            fed += 1
            assert broken(after.state) == [], entries
        acts += 1

    advance(empty, live.reads.tail({}), {}, each)
    assert empty.state == live.house.state
    assert fed > 20
    assert acts > 500
