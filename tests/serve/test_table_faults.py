"""A fault at a table: its loop is started again; the third time it stops, its people leave, and everybody is told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.serve import founding
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.live import HouseServer
from baccarat.serve.ops import supervisor
from baccarat.serve.runtime.table_jobs import job_name
from played import next_round
from playing import sit_down
from served import audited, run_for, served, soon

NAME, OTHER = "ma-midi-4", "ma-midi-4-ez"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", (0.02, 0.03))
    monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME, OTHER))


class FaultyTable:
    """A table whose attendant fails, a number of times, when something is due there; or only once wagers are closed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, times: int, in_round: bool = False) -> None:
        self.left, self.is_on = times, False
        usual = Attendant.due

        def failing(attendant: Attendant, table: Any, now: float) -> Any:
            if self.is_on and self.left and table.name == NAME and (table.state.round.closed or not in_round):
                self.left -= 1
                raise ArithmeticError("planted")
            return usual(attendant, table, now)

        monkeypatch.setattr(Attendant, "due", failing)


async def readyz(address: str) -> tuple[int, list[str]]:
    """The status and the lines of the answer."""
    async with httpx.AsyncClient(base_url=address) as http:
        found = await http.get("/readyz")
    return found.status_code, found.text.splitlines()


def test_a_table_whose_loop_fails_once_is_dealt_on_and_nobody_has_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FaultyTable(monkeypatch, times=1)

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(NAME) as table:
                await sit_down(client, table)
                fault.is_on = True
                await next_round(table)
                await next_round(table)
            assert fault.left == 0, "it has failed"
            assert live.metrics.counts.task_faults == 1
            assert not live.table_jobs.stopped
            failed = "failed once in the last ten minutes, and was started again; see the log"
            assert await readyz(address) == (200, ["ok", f"not well: {job_name(NAME)}: {failed}"])
            audited(live, tmp_path)

    run_for(work(), 20)


@pytest.mark.parametrize("in_round", [False, True])
def test_the_same_fault_three_times_stops_its_table_alone_and_its_people_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_round: bool
) -> None:
    fault = FaultyTable(monkeypatch, times=3, in_round=in_round)

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client, Client(address) as other:
            await client.visit()
            await other.visit()
            async with client.table(NAME) as table, other.table(OTHER) as elsewhere:
                await sit_down(client, table)
                await sit_down(other, elsewhere)
                fault.is_on = True
                assert (await table.do("place_wager", seat=2, on="banker", stake=2_500)).is_done
                await soon(lambda: NAME in live.table_jobs.stopped, "the table does not stop")
                await soon(lambda: not live.house.state.tables[NAME].round.closed, "the round is not finished")
                assert (await table.do("leave", seat=2)).is_done, "with everything that is theirs"
                await next_round(elsewhere)
            assert live.metrics.counts.task_faults == 3
            page = live.metrics.page().decode()
            assert "baccarat_stopped_tables 1.0" in page
            assert "baccarat_unwell_tasks 1.0" in page
            stopped = "stopped, because the same fault came again each time it was started; see the log"
            assert await readyz(address) == (200, ["ok", f"not well: {job_name(NAME)}: {stopped}"])

    run_for(work(), 20)


def test_a_house_whose_memory_differs_from_its_records_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fault, ended = FaultyTable(monkeypatch, times=1), list[BaseException]()

    async def work() -> None:
        async with served(tmp_path, stopped=ended.append) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(NAME) as table:
                await sit_down(client, table)
                await live.house.writer.wait_until_flushed()
                break_memory(live)
                fault.is_on = True
                wagering = asyncio.ensure_future(table.do("place_wager", seat=2, on="banker", stake=2_500))
                await soon(lambda: bool(ended), "the house goes on with what is in memory")
                wagering.cancel()
            assert str(ended[0]) == f"{table_stream(NAME)} in memory differs from what its records lead to"
            assert (await readyz(address))[0] == 503

    run_for(work(), 20)


def break_memory(live: HouseServer) -> None:
    """Somebody's chips in memory are not what the records say."""
    from msgspec.structs import replace  # noqa: PLC0415

    state = live.house.state
    held = state.tables[NAME]
    changed = replace(held, money=replace(held.money, bank=held.money.bank + 1))
    live.house.state = replace(state, tables={**state.tables, NAME: changed})
