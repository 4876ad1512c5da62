"""Wagers aimed at the instant of "no more bets": what comes after it is not in the journal, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, SeatAnswer, TableClient, command_id
from baccarat.engine.redecide import read_events
from baccarat.house.stream import table_stream
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.serve.job import upkeep
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.wagering import WagerPlaced
from campaign import times
from served import audited, run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
WAGERS = min(10_000, times(400))
LATE = WAGERS // 20
"""How many of them must come after the call: otherwise they were not aimed well."""
BETTING = 0.25
"""Seconds from the first wager to the call."""
Sent = dict[str, tuple[str, SeatAnswer]]


class Punter:
    """Somebody who wagers and withdraws as fast as he can around the call."""

    def __init__(self, client: Client, table: TableClient, seat: int) -> None:
        self.client, self.table, self.seat = client, table, seat
        self.sent: Sent = {}

    async def wager(self, act: str) -> None:
        """Place or withdraw a wager, and keep the answer."""
        fields: dict[str, Any] = {"seat": self.seat, "on": "banker"}
        id_ = command_id()
        answer = await self.table.do(act, id=id_, **fields, **({"stake": 2_500} if act == "place_wager" else {}))
        self.sent[id_] = act, answer

    def late(self) -> int:
        """How many of the wagers were answered as too late."""
        return sum(answer.code == "wagers_closed" for _, answer in self.sent.values())

    async def aim(self, over: asyncio.Event) -> None:
        """In every round: the first wager starts the time, and then all go to its end, many in flight at once."""
        loop = asyncio.get_running_loop()
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.table.until(lambda view: view["state"]["step"] == "wager"), 1)
            number, started = self.table.state["round"]["number"], loop.time()
            waiting = [asyncio.create_task(self.wager("place_wager"))]
            while loop.time() < started + 2 * BETTING and self.table.state["round"]["number"] == number:
                is_near = abs(loop.time() - started - BETTING) < 0.05
                await asyncio.sleep(0.001 if is_near else 0.02)
                acts = ("withdraw_wager", "place_wager") if is_near else ()
                waiting += [asyncio.create_task(self.wager(act)) for act in acts]
            await asyncio.gather(*waiting)


async def played(live: HouseServer, address: str) -> list[Punter]:
    """Everybody wagers until enough wagers were sent, and enough of them came too late: on a busy machine few do."""
    over = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        punters = list[Punter]()
        for seat in (1, 2, 4, 5):
            client = await stack.enter_async_context(Client(address))
            await client.visit()
            table = await stack.enter_async_context(client.table(TABLE))
            assert (await table.do("sit", seat=seat)).is_done
            await client.buy_in(TABLE, 50_000_000)
            punters.append(Punter(client, table, seat))
        tasks = [asyncio.create_task(punter.aim(over)) for punter in punters]
        while sum(len(punter.sent) for punter in punters) < WAGERS or sum(map(Punter.late, punters)) < LATE:
            await asyncio.sleep(0.05)
        over.set()
        await asyncio.gather(*tasks)
    write_folds(live.house, all_in=lambda _stream: True)
    await live.house.writer.wait_until_flushed()
    return punters


def test_no_wager_comes_after_no_more_bets_and_none_that_was_acknowledged_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing_is_dropped(*_of: object) -> None:
        """A long campaign goes on for several shoes, and looks at all of them."""

    monkeypatch.setattr(upkeep, "do_upkeep", nothing_is_dropped)

    async def work() -> None:
        async with served(tmp_path, betting_seconds=BETTING) as (live, address):
            punters = await played(live, address)
            entries = [read_body(stored.body) for stored in live.store.entries(table_stream(TABLE), limit=10**6)]
            audited(live, tmp_path)
        sent = {id_: each for punter in punters for id_, each in punter.sent.items()}
        late = nothing_after_the_call([entry for entry in entries if isinstance(entry, ActRecord)], sent)
        assert late >= LATE, "many came too late, so that they were aimed well"

    run_for(work(), 300.0 * times(1))


def nothing_after_the_call(records: list[ActRecord], sent: Sent) -> int:
    """The order of the journal decides, for every wager; how many came too late."""
    is_open, late = True, 0
    kept = dict[str, ActRecord]()
    for record in records:
        for event in read_events(record) or ():
            if isinstance(event, NoMoreBetsCalled):
                is_open = False
            elif isinstance(event, WagerPlaced):
                assert is_open, f"record {record.seq}: a wager after no more bets"
        if record.id in sent:
            assert record.id not in kept, "an id is on record once"
            kept[record.id] = record
            if sent[record.id][1].code == "wagers_closed":
                assert not is_open, f"record {record.seq}: refused as too late, and it was not"
                late += 1
        if not is_open and any(isinstance(event, TableCleared) for event in read_events(record) or ()):
            is_open = True
    counted = [answer for id_, (_, answer) in sent.items() if id_ not in kept]
    assert len(counted) == sum(each.folded.count for each in records if each.folded), (
        "everything is recorded or counted"
    )
    assert not any(answer.is_done or answer.seq for answer in counted), "only refusals are counted"
    for id_, record in kept.items():
        act, answer = sent[id_]
        assert record.seq == answer.seq
        assert (record.refused is NO_BYTES) == answer.is_done, (act, answer)
    return late + sum(answer.code == "wagers_closed" for answer in counted)
