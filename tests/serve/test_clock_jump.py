"""A served house whose clock leaps ahead or is set back: waits end at their time, once, and nothing is lost."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from baccarat.client import Client
from baccarat.client.seat import AdmissionDenied
from baccarat.house.stream import table_stream
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.access.base import ONE_SECOND, SystemClock
from baccarat.serve.live import HouseServer
from baccarat.serve.store.base import all_entries
from played import next_round, play_round
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
HOUR = 3_600
BETTING = 1.0
"""How many seconds wagers are taken."""


class SteppedClock:
    """The machine's clocks, of which the time of day was set by some seconds."""

    def __init__(self) -> None:
        self.stepped = 0
        self._real = SystemClock()

    def wall(self) -> int:
        """Microseconds UTC, as the machine says it."""
        return self._real.wall() + self.stepped * ONE_SECOND

    def steady(self) -> int:
        """Microseconds that nobody sets."""
        return self._real.steady()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SteppedClock:
    """The clock of every house that is opened."""
    made = SteppedClock()
    monkeypatch.setattr("baccarat.serve.runtime.people.SystemClock", lambda: made)
    return made


def set_in(live: HouseServer, clock: SteppedClock) -> None:
    """Have the records of a house dated by a clock, as the sessions are already."""
    live.house.clock = clock.wall


def events(live: HouseServer) -> Counter[str]:
    """How often each event happened at the table."""
    records = [read_body(row.body) for row in all_entries(live.store, table_stream(TABLE))]
    found = [msgspec.json.decode(bytes(raw)) for each in records if isinstance(each, ActRecord) for raw in each.events]
    return Counter[str](each["event"] for each in found)


async def readyz(address: str) -> tuple[int, str]:
    """What the house says of itself."""
    async with httpx.AsyncClient(base_url=address) as http:
        found = await http.get("/readyz")
    return found.status_code, found.text


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["ahead", "back"])
def test_a_wait_ends_neither_early_nor_twice_and_the_house_goes_on_when_its_clock_is_set(
    tmp_path: Path, clock: SteppedClock, step: int
) -> None:
    async def play(client: Client, *, seat: int) -> None:
        await client.visit()
        async with client.table(TABLE) as table:
            await play_round(table, client, seat=seat)

    async def jumps() -> None:
        async with served(tmp_path, betting_seconds=BETTING) as (live, address), Client(address) as client:
            set_in(live, clock)
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=2)).is_done
                await client.buy_in(TABLE, 100_000)
                await table.until(lambda view: view["state"]["step"] == "wager")

                def state() -> Any:
                    return live.house.state.tables[TABLE]

                number, began = state().round.number, time.monotonic()
                assert (await table.do("place_wager", seat=2, on="banker", stake=2_500)).is_done
                clock.stepped = step
                live.rooms.table_changed(TABLE).set()  # the loop of the table looks at it with the new clock
                await soon(lambda: state().round.closed or state().round.number != number, "wagers are not closed")
                assert time.monotonic() - began >= BETTING, "not before its time"
                await soon(lambda: state().round.number != number, "the round does not end")
                assert events(live)["no_more_bets_called"] == 1, "and once"
                assert await readyz(address) == (200, "ok\n")
                if step > 0:
                    await next_round(table)
                    assert table.joins == 1, "whoever was connected plays on"
                else:
                    with pytest.raises(AdmissionDenied, match="session"):
                        await table.do("leave", seat=2)
            if step < 0:
                async with Client(address) as again:
                    await play(again, seat=3)
            await live.house.writer.wait_until_flushed()
            found = events(live)
            assert found["no_more_bets_called"] == found["result_announced"] == 2
            assert await readyz(address) == (200, "ok\n")
            audited(live, tmp_path)

    async def opens_again() -> None:
        """A house whose last record is later than its clock, or much earlier."""
        async with served(tmp_path) as (live, address), Client(address) as client:
            set_in(live, clock)
            found = events(live)
            assert found["result_announced"] == 2, "nothing is lost"
            await play(client, seat=4)
            await live.house.writer.wait_until_flushed()
            assert events(live)["result_announced"] == 3
            audited(live, tmp_path)

    run_for(jumps())
    run_for(opens_again())
