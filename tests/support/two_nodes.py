"""Two nodes with a table each, driven by a test: people at both tables, and acts at both at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from baccarat.engine.entries import AnyCommand
from baccarat.house.state import Decision, HouseState
from baccarat.house.stream import Stream, pit_stream
from baccarat.law.rulebook import rulebook
from baccarat.law.submission import MustHit
from baccarat.play.refusal import Refused
from baccarat.serve.live import HouseServer
from baccarat.table.actor import Actor, Envelope
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards, OpenedTrigger
from baccarat.table.state import TableState
from house_books import open_table, opened_house
from house_of_roles import Asked, sign_everybody_on
from linked_floor import RANGE, Floor, royal_nines
from postgres_server import PostgresServer
from served import audited, served, soon

HERE, THERE = "T1", "zT2"
"""Two tables; the second is the last by its name, and so goes to the node that comes second."""
RULES = rulebook("ma-midi-4-royal9", must_hit=None)


class AsHouse:
    """A live house, in the words in which tests speak to a house in memory."""

    def __init__(self, live: HouseServer) -> None:
        self.live = live

    @property
    def state(self) -> HouseState:
        """The house as it is decided on."""
        return self.live.house.state

    def do(self, command: AnyCommand, actor: Actor, *, stream: Stream) -> Decision | Refused:
        """Enter a command."""
        return self.live.enter(stream, command, Envelope(actor=actor)).refused or Decision(())

    def in_pit(self, pit: str, command: AnyCommand, actor: Actor) -> Decision | Refused:
        """Enter a command in the stream of a pit."""
        return self.do(command, actor, stream=pit_stream(pit))

    def table(self, name: str) -> Any:
        """A table, driven from here."""
        return self.live.house.table(name)


async def owned_by(live: HouseServer, name: str) -> None:
    """Wait until a node has a table."""
    await soon(lambda: live.node is not None and live.node.owns(name))


def trigger_of(terms: MustHit, run: int) -> OpenedTrigger:
    """The trigger of a run of the shared meter, wherever it is asked for."""
    return OpenedTrigger(terms.start + run * 37 % (terms.ceiling - terms.start + 1), 0, f"salt {run}")


class SharedTriggers:
    """The triggers of a link, by the run that the meter is in as the node of a table knows it."""

    def open_trigger(self, state: TableState) -> OpenedTrigger:
        """The trigger of this run."""
        return trigger_of(MustHit(**RANGE), state.meters.must_hit_run + 1)


def seated(chance: random.Random, one: HouseServer, two: HouseServer) -> Floor:
    """People at both tables, each of which is driven on the node that has it."""
    rules = one.house.state.rules(HERE)
    floor = Floor(rules, chance, AsHouse(one))  # type: ignore[arg-type]
    for live, name in ((one, HERE), (two, THERE)):
        table = floor.tables[name] = live.house.table(name)
        stacks = partial(royal_nines, f"{chance.random()} {name}")
        floor.sources[name] = KeyedCards(stacks, triggers=SharedTriggers())
        for seat in (1, 4, 6):
            table.do(Sit(seat=seat, person=f"p{seat}"))
            table.do(BuyIn(seat=seat, amount=10**7))
    return floor


async def play(
    chance: random.Random, one: HouseServer, two: HouseServer, *, until: Callable[[], bool] = lambda: True
) -> None:
    """Rounds at both tables at once: 250 acts at each, and as many again until something has come about.

    Which of two nodes is first at the link is up to the machine, so that no number of acts is enough for certain.
    """
    floor = seated(chance, one, two)
    is_first = True
    while is_first or not until():
        is_first = False
        for _ in range(250):
            for name in (HERE, THERE):
                floor.act(name, check=False)
            if floor.chance.random() < 0.5:
                await asyncio.sleep(floor.chance.random() * 0.01)
        await asyncio.gather(one.house.writer.wait_until_flushed(), two.house.writer.wait_until_flushed())


@asynccontextmanager
async def two_nodes(
    postgres: PostgresServer, folder: Path, **more: Any
) -> AsyncIterator[tuple[tuple[HouseServer, Asked], tuple[HouseServer, Asked]]]:
    """Two nodes with a table each, and people who ask at either; at the end both have the same house."""
    kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(folder / "seal.key"), **more}
    async with served(folder, **kept) as (one, first):
        house: Any = AsHouse(one)
        opened_house(RULES, bankroll=10**11, house=house)
        for name in (HERE, THERE):
            open_table(house, RULES, name)
        if len(house.state.tables) % 2:  # so that each node has exactly its share, and one more is too many
            open_table(house, RULES, "T2")
        await one.house.writer.wait_until_flushed()
        for name in (HERE, THERE):
            await owned_by(one, name)
        asked = await sign_everybody_on(one, first)
        async with served(folder, **kept) as (two, second):
            await owned_by(two, THERE)
            await owned_by(one, HERE)
            yield (one, asked), (two, Asked(two, second, asked.tokens, asked.people))
            await asyncio.gather(one.house.writer.wait_until_flushed(), two.house.writer.wait_until_flushed())
            assert one.house.writer.fault is None
            assert two.house.writer.fault is None
            while one.house.state != two.house.state:
                await asyncio.sleep(0.02)
            audited(one, folder)


@contextmanager
def slow_disk(live: HouseServer) -> Iterator[asyncio.Event]:
    """A node whose batches are not stored before an event is set; at the end of the block it is set."""
    append, loop, goes_on = live.store.append, asyncio.get_running_loop(), asyncio.Event()

    def late(batch: Any) -> None:
        asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result()
        append(batch)

    live.store.append = late  # type: ignore[method-assign]
    try:
        yield goes_on
    finally:
        goes_on.set()
        live.store.append = append  # type: ignore[method-assign]
