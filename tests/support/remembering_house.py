"""A house that plays one round after another without pauses, so that a test can see what it still remembers of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from baccarat.client import command_id
from baccarat.engine.entries import EnteredAct
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.job.table_loop import fetch_seeds
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Command
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from served import fails

SUBMISSION, SEATS = "ma-midi-4", 9
WATCHING = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.PUBLIC)


@asynccontextmanager
async def open_house(folder: Path, **settings: Any) -> AsyncIterator[HouseServer]:
    """A practice house without a network, whose automated dealers do nothing."""
    live = await open_server(
        Setting(db=str(folder / "house.db"), company=0, verify_share=0.0, **settings), stopped=fails
    )
    await live.jobs.stop_all()  # no table that is opened later is dealt either
    yield live
    await live.drain()
    await live.close()


async def open_tables(live: HouseServer, count: int) -> list[BusyTable]:
    """New tables in a pit of their own, with nine participants each, before the first wagers."""
    admin, boss = (Envelope(actor=Actor(who=role.value, role=role)) for role in (Role.ADMINISTRATOR, Role.PIT_BOSS))
    live.enter(HOUSE_STREAM, AddPit(name="long"), admin)
    filed, made = file_rules(rulebook(SUBMISSION)), list[BusyTable]()
    for number in range(count):
        opening = OpenTable(table=f"L{number}", filed=filed, effective=0, cards=TableCards.ELECTRONIC)
        entered = live.enter(pit_stream("long"), opening, boss)
        assert entered.refused is None, entered.refused
        await live.house.writer.wait_until_flushed()
        made.append(BusyTable(live, f"L{number}"))
    await asyncio.gather(*(table.wait_for_wagers() for table in made))
    return made


class BusyTable:
    """A table at which nine people wager in every round, each with command ids, and all audiences watch."""

    def __init__(self, live: HouseServer, name: str) -> None:
        self.commands = 0
        """How many commands of participants were answered."""
        self._live, self._stream, self._table = live, table_stream(name), live.house.table(name)
        rules = self._table.rules
        self._source = SealedShoe(rules, live.vault.seeds_of(self._stream, name, lambda: rules), table=name)
        people = [(f"{name} p{seat}", Role.PARTICIPANT) for seat in range(1, SEATS + 1)]
        for seat, (who, _) in enumerate(people, 1):
            self._table.do(Sit(seat=seat, person=who))
            self._table.do(BuyIn(seat=seat, amount=10**9))
        self._people = people
        self._guests = [Subscriber(who, role, Outbox(10**6)) for who, role in people]
        self._guests += [Subscriber(f"{name} {role.value}", role, Outbox(10**6)) for role in WATCHING]
        for guest in self._guests:
            live.rooms.join(name, guest)

    async def wait_for_wagers(self) -> None:
        """Everything that comes before the wagers of a round."""
        while self._table.state.step != "wager":
            await self._do_next()
        for guest in self._guests:
            guest.line.drain()

    async def play(self, rounds: int) -> None:
        """A number of rounds, to the next wagers."""
        for _ in range(rounds):
            for seat, (who, role) in enumerate(self._people, 1):
                wager = PlaceWager(seat=seat, on=WagerKind.BANKER if seat % 2 else WagerKind.PLAYER, stake=2_500)
                await self._answered(wager, Actor(who=who, role=role), id_=command_id())
                self.commands += 1
            number = self._table.state.round.number
            while self._table.state.round.number == number:
                await self._do_next()
            await self.wait_for_wagers()
            self._live.keep_snapshot()

    async def _do_next(self) -> None:
        await fetch_seeds(self._live, self._table.name, self._table, self._source)
        due = next_due(self._table, self._source)
        command = command_for(self._table, due, self._source)
        await self._answered(command, actor_for(self._table, command))

    async def _answered(self, command: Command, actor: Actor, *, id_: str = "") -> None:
        answer: asyncio.Future[EnteredAct] = asyncio.get_running_loop().create_future()
        on_durable: Callable[[EnteredAct], None] = answer.set_result
        self._live.enter(self._stream, command, Envelope(actor=actor, id=id_), on_durable)
        self._table.rules = self._live.house.state.rules(self._table.name)
        entered = await answer
        assert entered.refused is None, entered.refused
