"""Bots: automated participants who connect like everybody else, for practice, for tests and for load.

A bot sits down at a free seat, buys in, wagers the least or a little more in every round, and declines whatever it is
offered. It sees what any participant sees, and nothing else.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from typing import Any

import msgspec

from baccarat.client.client import Client
from baccarat.client.seat import SeatAnswer, TableClient

PURSE = 500_000
"""What a bot buys in for, in cents."""
MOST_TIMES = 10_000
"""How many answers' times are stored."""
ANSWERS: dict[str, dict[str, Any]] = {
    "answer_cut": {"accept": False},
    "answer_shoe": {"accept": False},
    "answer_turn": {"accept": False},
    "return_cards": {},
}
"""What a bot answers: it declines every offer, and returns cards as soon as it has them."""
SIDES = ("player", "banker")


class NoSuchTable(LookupError):  # noqa: N818
    """A table that the house does not have."""


class BotTally(msgspec.Struct):
    """The outcome of everything that bots have done so far."""

    done: int = 0
    refused: int = 0
    rounds: int = 0
    joins: int = 0
    without_seat: int = 0
    """Bots that found no free seat and left."""
    seconds: deque[float] = msgspec.field(default_factory=lambda: deque(maxlen=MOST_TIMES))
    """How long each of the last answers took."""
    refusals: dict[str, int] = {}

    def count(self, answer: SeatAnswer, seconds: float) -> None:
        """Count one more answer."""
        self.seconds.append(seconds)
        if answer.is_done:
            self.done += 1
        else:
            self.refused += 1
            self.refusals[answer.code] = self.refusals.get(answer.code, 0) + 1


class Bot:
    """One automated participant at a table of a practice house."""

    def __init__(self, address: str, table: str, tally: BotTally, *, seed: int) -> None:
        self._address, self._table, self._tally = address, table, tally
        self._chance = random.Random(seed)  # noqa: S311  whims, not cards
        self._limits: dict[str, Any] = {}

    async def run(self, rounds: int | None = None) -> None:
        """Play this number of rounds, or until cancelled."""
        async with Client(self._address) as client:
            await client.visit()
            cards = {card["table"]: card for card in await client.tables()}
            if self._table not in cards:
                raise NoSuchTable(
                    f"the house has no table {self._table!r}; it has {', '.join(sorted(cards)) or 'none'}"
                )
            self._limits = cards[self._table]["limits"]
            async with client.table(self._table) as table:
                seat = await self._sit(table)
                if not seat:
                    self._tally.without_seat += 1
                    return
                await client.buy_in(self._table, PURSE)
                try:
                    await self._play(client, table, seat, rounds)
                finally:
                    self._tally.joins += table.joins

    async def _sit(self, table: TableClient) -> int:
        """Take a free seat; others may be looking for one too."""
        while True:
            free = [held["seat"] for held in table.state["seats"]["participants"] if not held["taken"]]
            if not free:
                return 0
            seat: int = self._chance.choice(free)
            if (await self._submit(table, "sit", seat=seat)).is_done:
                return seat
            await asyncio.sleep(0.02)

    async def _play(self, client: Client, table: TableClient, seat: int, rounds: int | None) -> None:
        played, last = 0, (-1, -1)
        while rounds is None or played < rounds:
            seen, now = table.seq, _moment(table.view)
            if table.state["step"] == "wager" and now != last:
                if last != (-1, -1):
                    played += 1
                    self._tally.rounds += 1
                last = now
                await self._wager(client, table, seat)
                continue
            due = next((due for due in table.view["due"] if due["act"] in ANSWERS and due["seat"] == seat), None)
            if due is not None:
                await self._submit(table, due["act"], seat=seat, **ANSWERS[due["act"]])
            await table.later_than(seen)

    async def _wager(self, client: Client, table: TableClient, seat: int) -> None:
        own = table.state["seats"]["participants"][seat - 1]
        on = self._chance.choice([side for side in SIDES if side in self._limits] or list(self._limits))
        least = self._limits[on]["min"]
        if own.get("chips", 0) < least:
            await client.buy_in(self._table, PURSE)
        await self._submit(table, "place_wager", seat=seat, on=on, stake=least)

    async def _submit(self, table: TableClient, act: str, **fields: Any) -> SeatAnswer:
        begun = time.perf_counter()
        answer = await table.do(act, **fields)
        self._tally.count(answer, time.perf_counter() - begun)
        return answer


def _moment(view: dict[str, Any]) -> tuple[int, int]:
    """The shoe and the round."""
    return view["state"]["shoe"]["number"], view["state"]["round"]["number"]
