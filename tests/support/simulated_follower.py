"""Somebody in a simulated house who follows the whole house over its line, and comes back whenever it breaks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from typing import TYPE_CHECKING, Any

import websockets

from baccarat.serve.access.session import Session, SessionKind, open_session
from baccarat.serve.http import socket as socket_module
from baccarat.serve.route.house_line import TABLE, TopicsOfHouse
from baccarat.table.role import Role
from house_oracle import Broken, expect
from virtual_network import Line

if TYPE_CHECKING:
    from house_simulation import Simulation

PERSON = f"person-{0xF0110:032x}"
BY_THE_CLOCK = ("rounds_an_hour",)


class SimulatedFollower:
    """A floorperson: what was shown of the house, and the line over which it came."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation, self._chance = simulation, random.Random(simulation.chance.getrandbits(64))
        self.topics: dict[str, Any] = {}
        self.run, self.seq, self.frames = "", 0, 0
        self._token = ""

    async def come_in(self) -> None:
        """A session, which outlives the process."""
        live = self._simulation.process.live
        assert live is not None, "people come in while the house is open"
        found: Any = await live.desk.change(
            lambda reads, now: open_session(
                reads, person=PERSON, role=Role.FLOORPERSON, now=now, lifetimes=live.desk.lifetimes,
                kind=SessionKind.PERSON,
            )
        )  # fmt: skip
        self._token = found.token.reveal()

    async def follow(self) -> None:
        """Follow the house, over one line after another."""
        while True:
            with contextlib.suppress(ConnectionError, TimeoutError, websockets.ConnectionClosed):
                await self._follow_once()
            await asyncio.sleep(self._chance.expovariate(1 / 0.1))

    async def _follow_once(self) -> None:
        simulation, live = self._simulation, self._simulation.process.live
        if live is None:
            return
        async with asyncio.timeout(10.0):  # the house may die before it answers
            held = await live.desk.session(self._token)
        assert isinstance(held, Session), held
        given: Any = live.desk.give_ticket(held, table="", address=live.address)
        line = Line(self._chance, lambda _text: 0, lambda _until: None)
        if simulation.process.live is not live:
            return
        simulation.process.lines.append(line)
        simulation.process.spawn(socket_module.talk(line, live))  # type: ignore[arg-type]
        had = {"run": self.run, "after": self.seq} if self.run else {}
        async with line:
            await line.send(json.dumps({"type": "join", "ticket": given.token.reveal(), **had}))
            cut_at = asyncio.get_running_loop().time() + self._chance.expovariate(simulation.mischief.cuts / 4)
            async for text in line:
                self._take(json.loads(text))
                if simulation.is_disturbed and asyncio.get_running_loop().time() > cut_at:
                    return

    def _take(self, said: dict[str, Any]) -> None:
        if said["type"] != "house":
            return
        after = said.get("after")
        if after is None:
            self.topics = {}
        else:
            is_next = (said["run"], after) == (self.run, self.seq)
            self._simulation.note(lambda: expect(is_next, f"a frame of the house after {after}, not {self.seq}"))
        self.run, self.seq = said["run"], said["seq"]
        self.topics |= said["set"]
        self.frames += 1

    async def see_the_end(self) -> None:
        """Once nothing is disturbed any more, every table is shown as it is."""
        live, shown = self._simulation.process.live, dict[str, Any]()
        assert live is not None, "the house is open"
        for _ in range(300):
            await asyncio.sleep(0.2)
            topics = TopicsOfHouse(live)
            guest = next(iter(live.rooms.house_room.guests), None)
            if guest is None:
                continue
            found = await topics.find([each for each in topics.wanted_by(guest.held, None) if TABLE in each.topic])
            shown = {each.topic: json.loads(value) for each, value in found.items() if TABLE in each.topic}
            if all(_at_rest(self.topics.get(topic)) == _at_rest(value) for topic, value in shown.items()):
                return
        wrong = sorted(topic for topic, value in shown.items() if _at_rest(self.topics.get(topic)) != _at_rest(value))
        raise Broken(f"who follows the house never sees it as it is: {wrong or 'nobody is let in'}")


def _at_rest(table: dict[str, Any] | None) -> dict[str, Any]:
    """What is shown of a table, except what changes by the clock alone."""
    return {key: value for key, value in (table or {}).items() if key not in BY_THE_CLOCK}
