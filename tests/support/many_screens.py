"""Screens behind one address: they ask a served house for what the pages ask for, and count every answer.

A screen is a client of the product that does by itself what the scripts of a page do: participants sit and wager,
dealers deal by what the console shows, spectators look on, floorpersons follow the house. With `asks` a screen requests
words after every frame, as the pages did before words came with the frames. All pauses are divided by `speed`.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self
from urllib.parse import quote

import httpx
import msgspec
import websockets

from baccarat.client import Client
from baccarat.client.bot import ANSWERS
from baccarat.house.stream import table_stream
from baccarat.serve.access.budget import ACTING
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import TRAINING, Setting
from baccarat.table.role import Role

TABLES = ("ma-midi-4", "ma-midi-4-ez", "nj-punto-banco")
PURSE = 1_000_000
DEBOUNCE, THROTTLE = 0.025, 0.6
"""How long the pages wait after a frame before they ask, in seconds."""
ENTERED: dict[str, Any] = {"set_id": "blue 7", "in_front": 200, "behind": 14, "reason": "checked"}
USUAL = Setting()
RANKS, SUITS = "23456789TJQKA", "shdc"


class Answers(msgspec.Struct):
    """What the house has answered to all screens together."""

    statuses: Counter[int] = msgspec.field(default_factory=Counter)
    paths: Counter[str] = msgspec.field(default_factory=Counter)
    acts: int = 0
    """Commands that were done."""
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    rounds: int = 0

    @property
    def requests(self) -> int:
        """All requests over HTTP, those for tickets included."""
        return self.statuses.total()


class CountingClient(Client):
    """A client that counts what it is answered; a request that is refused is not sent again, as a page would not."""

    def __init__(self, address: str, answers: Answers) -> None:
        super().__init__(address, timeout=60.0)
        self._answers = answers

    async def _send_request(self, method: str, url: str, **more: Any) -> httpx.Response:
        answer = await super()._send_request(method, url, **more)
        self._answers.statuses[answer.status_code] += 1
        self._answers.paths[f"{method} {_kind(answer.url.path)}"] += 1
        return answer

    async def look(self, path: str) -> Any:
        """Ask once for something that is only shown; None if it is not answered now."""
        try:
            answer = await self._route_request("GET", path)
        except httpx.TransportError:  # an idle connection was closed while the request was on its way
            answer = await self._route_request("GET", path)
        is_data = answer.is_success and answer.headers["content-type"].startswith("application/json")
        return answer.json() if is_data else None


def _kind(path: str) -> str:
    """A path without the name of its table, and with one name for all pictures."""
    parts = path.split("/")
    if parts[1:2] == ["picture"]:
        return "/picture"
    return "/".join("NAME" if number == 3 and parts[2] == "tables" else part for number, part in enumerate(parts))


class Screen:
    """One screen at a table, until the evening is over."""

    words = "moment"

    def __init__(self, evening: Evening, number: int, table: str, role: Role = Role.PARTICIPANT) -> None:
        self.evening, self.number, self.name, self.role = evening, number, table, role
        self.chance = random.Random(number)
        self.here = f"/api/tables/{quote(table)}"
        self._asking: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Come, look on until the end, and leave."""
        evening = self.evening
        async with CountingClient(evening.address, evening.answers) as self.client:
            await self.enter()
            words = "" if evening.asks else self.words
            async with self.client.table(self.name, words=words) as self.table:
                await self.see()
                evening.arrived()
                await self.follow()
                if self._asking is not None:
                    await self._asking

    async def enter(self) -> None:
        """What a page asks for when it opens."""
        await self.client.look("/api/welcome")
        await self.client.visit(self.role)

    async def see(self) -> None:
        """What a page shows of a table besides the view, at first."""
        if self.evening.asks:
            await self.client.look(f"{self.here}/{self.words}")
        await self.look_back()

    async def look_back(self) -> None:
        """The roads and the last rounds."""

    async def follow(self) -> None:
        """Take one frame after another, and act."""
        while not self.evening.is_over.is_set():
            seen = self.table.seq
            events = [event["event"] for event in self.table.events()]
            if self.evening.asks:
                self._ask_soon()
            if "table_cleared" in events or "shoe_closed" in events:
                await self.look_back()
            if not await self.act():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.table.later_than(seen), 0.5)

    def _ask_soon(self) -> None:
        """Ask for words once for all frames of a moment, as pages did."""
        if self._asking is None or self._asking.done():
            self._asking = self.evening.group.create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(DEBOUNCE / self.evening.speed)
        await self.client.look(f"{self.here}/{self.words}")

    async def act(self) -> bool:
        """Act if there is something to do; whether something was done."""
        return False

    async def do(self, act: str, /, **fields: Any) -> bool:
        """Send a command, and count the answer."""
        answer = await self.table.do(act, **fields)
        if answer.is_done:
            self.evening.answers.acts += 1
        else:
            self.evening.answers.refused[f"{act}: {answer.say}"] += 1
        return answer.is_done


class TableScreen(Screen):
    """The page of a table: it shows the roads and the last rounds after each round."""

    async def enter(self) -> None:
        await super().enter()
        await self.client.look(self.here)

    async def look_back(self) -> None:
        roads = await self.client.look(f"{self.here}/roads")
        await self.client.look(f"{self.here}/rounds?limit=8")
        if roads is not None:
            for road in ("bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig"):
                await self.client.look(f"/picture/road/{road}/{quote(roads['marks'] or '-')}.svg?columns=22&size=17")


class ParticipantScreen(TableScreen):
    """Somebody who sits down, wagers in every round, and declines what is offered."""

    seat, played = 0, (-1, -1)

    async def see(self) -> None:
        await super().see()
        while not self.seat:
            free = [held["seat"] for held in self.table.state["seats"]["participants"] if not held["taken"]]
            seat = self.chance.choice(free)
            self.seat = seat if await self.do("sit", seat=seat) else 0
        await self.client.buy_in(self.name, PURSE)
        self.limits = (await self.client.look(self.here))["limits"]

    async def act(self) -> bool:
        state = self.table.state
        now = state["shoe"]["number"], state["round"]["number"]
        if state["step"] == "wager" and now != self.played and not state["stopped"]:
            self.played = now
            on = self.chance.choice(("banker", "player"))
            return await self.do("place_wager", seat=self.seat, on=on, stake=self.limits[on]["min"])
        mine = (due for due in self.table.view["due"] if due["act"] in ANSWERS and due["seat"] == self.seat)
        due = next(mine, None)
        if due is None:
            return False
        if due["act"] == "return_cards":
            await self.client.look(f"{self.here}/held")
        return await self.do(due["act"], seat=self.seat, **ANSWERS[due["act"]])


class DealerScreen(Screen):
    """A dealer's console: it deals by what it shows alone, or, without `deals`, only shows it."""

    words = "work"

    def __init__(self, evening: Evening, number: int, role: Role = Role.DEALER, *, deals: bool = False) -> None:
        super().__init__(evening, number, TRAINING, role)
        self.deals = deals

    async def act(self) -> bool:
        if not self.deals:
            return False
        work = await self.client.look(f"{self.here}/work") if self.evening.asks else self.table.words
        if work is None:
            return False
        nobody = next((each["who"] for each in work["dealers"] if each["is_nobody"]), None)
        if nobody is not None:
            return await self.do("come_on", instead_of=nobody)
        act = next((each for each in work["acts"] if not each["is_optional"] or work["stopped"]), None)
        if act is None or not self._is_time(act["command"]["do"]):
            return False
        entered = {field["name"]: self._enter(field) for field in act["fields"]}
        command = {**act["command"], **entered}
        if any(field["kind"] == "card" for field in act["fields"]):
            await self.client.ask("POST", f"{self.here}/outlook", json=command)
        await asyncio.sleep(self.evening.pace)
        return await self.do(command.pop("do"), **command)

    def _is_time(self, act: str) -> bool:
        """A dealer waits for the wagers."""
        return act != "call_no_more_bets" or len(self.table.state["round"]["wagers"]) >= self.evening.at_each

    def _enter(self, field: dict[str, Any]) -> Any:
        if field["kind"] == "card":
            return {"rank": self.chance.choice(RANKS), "suit": self.chance.choice(SUITS)}
        return ENTERED.get(field["name"], field["value"])


class FloorScreen(Screen):
    """The floor: it follows the house, and the orders at one table."""

    async def run(self) -> None:
        evening, orders = self.evening, f"/api/me/acts?stream={quote(f'table {self.name}')}"
        async with CountingClient(evening.address, evening.answers) as self.client:
            await self.enter()
            found = await self.client.ask("POST", "/api/house-tickets")
            where = f"ws{evening.address.removeprefix('http')}{found['socket']}"
            async with websockets.connect(where, max_size=2**22, close_timeout=1.0) as socket:
                await socket.send(msgspec.json.encode({"type": "join", "ticket": found["ticket"]}).decode())
                await self.client.look(orders)
                if not evening.asks:
                    await socket.send(msgspec.json.encode({"type": "follow", "stream": f"table {self.name}"}).decode())
                evening.arrived()
                while not evening.is_over.is_set():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(socket.recv(), 0.5)
                        if evening.asks:
                            await asyncio.sleep(THROTTLE / evening.speed)
                            await self.client.look(orders)


class PlayClock:
    """The time that the busiest table would have needed at the usual pace: it does not depend on the machine."""

    def __init__(self, live: HouseServer) -> None:
        self._live = live
        self._last = {name: self._round_at(name) for name in (*TABLES, TRAINING)}
        self._rounds = Counter[str]()
        self._acts = {name: self._acts_at(name) for name in self._last}

    def __call__(self) -> float:
        """The seconds of play since the clock was made."""
        for name, last in self._last.items():
            if (now := self._round_at(name)) != last:
                self._last[name] = now
                self._rounds[name] += 1
        return max(
            (self._acts_at(name) - acts) * USUAL.pace + self._rounds[name] * USUAL.betting_seconds
            for name, acts in self._acts.items()
        )

    def _round_at(self, name: str) -> tuple[int, int]:
        state = self._live.house.state.tables[name]
        return state.shoe.number, state.round.number

    def _acts_at(self, name: str) -> int:
        return self._live.house.journal.head(table_stream(name)).seq


def acts_on_record(live: HouseServer) -> int:
    """How many acts there have been at the tables that the screens show."""
    return sum(live.house.journal.head(table_stream(name)).seq for name in (*TABLES, TRAINING))


def hurried(speed: float) -> dict[str, Any]:
    """The settings of a house in which everything but the budgets goes faster; nobody is overtaken by a clock."""
    return {
        "pace": USUAL.pace / speed,
        "betting_seconds": max(1.0, USUAL.betting_seconds / speed),
        "squeeze_seconds": USUAL.squeeze_seconds,
        "answer_seconds": USUAL.answer_seconds,
        "requests_a_second": USUAL.requests_a_second,
        "requests_at_once": USUAL.requests_at_once,
        "connections_at_once": USUAL.connections_at_once,
    }


class StrictBudgets:
    """From now on the budgets of a house fill by the time of play, and only to a share of what is usual."""

    def __init__(self, live: HouseServer, *, share: float) -> None:
        self.clock, self._budgets = PlayClock(live), live.budgets
        self.limits_met = 0
        """How often a request was refused, or an act over a socket had to wait."""
        self._budgets.per_second, self._budgets._clock = USUAL.requests_a_second * share, self.clock
        self._budgets._left.clear()
        self._wait, self._budgets.wait = self._budgets.wait, self.wait  # type: ignore[method-assign]

    def wait(self, payer: str, cost: float = ACTING) -> float:
        """What the budgets say, counted."""
        found = self._wait(payer, cost)
        self.limits_met += found > 0
        return found

    def end(self) -> None:
        """Budgets are full from now on, so that whoever waits can leave."""
        self._budgets.per_second = 1e9

    @property
    def least_left(self) -> float:
        """What is left in the budget of the address."""
        return min((left for left, _ in self._budgets._left.values()), default=0.0)


class Evening:
    """An evening in a served house, with many screens behind one address."""

    def __init__(self, address: str, *, speed: float, asks: bool = False) -> None:
        self.address, self.speed, self.pace, self.asks = address, speed, USUAL.pace / speed, asks
        self.answers = Answers()
        self.is_over = asyncio.Event()
        self.group = asyncio.TaskGroup()
        self.all_here = asyncio.Event()
        self.at_each = 3
        """How many participants there are at each table."""
        self._awaited = 0

    def screens(self) -> list[Screen]:
        """Sixty: at each of four tables 3 participants and 8 spectators; besides 6 consoles and 10 of the floor."""
        tables = (*TABLES, TRAINING)
        made: list[Screen] = [ParticipantScreen(self, number, tables[number % 4]) for number in range(12)]
        made += [TableScreen(self, 100 + number, tables[number % 4]) for number in range(32)]
        made += [DealerScreen(self, 200 + number, deals=number == 0) for number in range(3)]
        made += [DealerScreen(self, 210 + number, Role.FLOORPERSON) for number in range(3)]
        made += [FloorScreen(self, 300 + number, TRAINING, Role.FLOORPERSON) for number in range(10)]
        return made

    def arrived(self) -> None:
        """One screen more is open."""
        self._awaited -= 1
        if not self._awaited:
            self.all_here.set()

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[Self]:
        """All screens come, a few at a time; they stay until the end of the block."""
        screens = self.screens()
        self._awaited = len(screens)
        async with self.group:
            for screen in screens:
                self.group.create_task(screen.run())
                await asyncio.sleep(10 / len(screens) / self.speed)
            await self.all_here.wait()
            try:
                yield self
            finally:
                self.is_over.set()
