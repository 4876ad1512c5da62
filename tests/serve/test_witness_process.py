"""A witness that dies or falls silent while the house goes on: the same share, no second order, nothing stuck."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.chain import leaf_hash
from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.note import SignedNote
from baccarat.serve.job import cosigning, share_exchange
from baccarat.serve.live import HouseServer
from baccarat.serve.store.base import all_entries
from played import next_round, play_round
from running_witness import answered_shares, settings
from served import audited, run_for, served, soon
from witness_process import WitnessProcess

pytestmark = pytest.mark.slow

TABLE, OTHER = "ma-midi-4", "ma-midi-3"
STREAM = table_stream(TABLE)
ORIGIN = f"example.org/house/table/{TABLE}"


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[WitnessProcess]:
    made = WitnessProcess(tmp_path / "witness")
    yield made
    made.kill()


def events(live: HouseServer, name: str) -> list[dict[str, Any]]:
    """The events of this name at the table."""
    records = [read_body(row.body) for row in all_entries(live.store, STREAM)]
    found = [msgspec.json.decode(bytes(raw)) for each in records if isinstance(each, ActRecord) for raw in each.events]
    return [event for event in found if event["event"] == name]


ASKED = [(share_exchange, "ask_promise"), (cosigning, "ask_over_http"), (share_exchange, "ask_share")]


@pytest.mark.parametrize("place", ["before", "meanwhile", "after"])
@pytest.mark.parametrize(("module", "name"), ASKED, ids=[name for _, name in ASKED])
def test_a_witness_that_is_killed_while_the_house_goes_on_gives_the_same_share(
    tmp_path: Path, witness: WitnessProcess, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, place: str
) -> None:
    """Before it is asked, while it is asked, and when it has answered but its answer is lost on the way."""
    monkeypatch.setattr(share_exchange, "RETRY_SECONDS", 0.05)
    real: Callable[..., Any] = getattr(module, name)
    died, lost = threading.Event(), list[Any]()

    def dying(*words: Any, **more: Any) -> Any:
        if died.is_set():
            return real(*words, **more)
        if place == "meanwhile":
            witness.pause()
            killing = threading.Timer(0.3, witness.kill)
            killing.start()
        else:
            if place == "after":
                lost.append(real(*words, **more))
            witness.kill()
        died.set()
        return real(*words, **more)  # and the house sees whatever a dead witness leaves of a connection

    monkeypatch.setattr(module, name, dying)

    async def work() -> None:
        async with served(tmp_path, **settings(tmp_path, [witness])) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=2)).is_done
                await soon(died.is_set)
                await asyncio.sleep(1.0)
                state = live.house.state.tables[TABLE]
                assert not state.shoe.root, "the shoe waits"
                witness.start()
                await soon(lambda: bool(live.house.state.tables[TABLE].shoe.root), within=60)
                await client.buy_in(TABLE, 100_000)
                await next_round(table)
            await live.house.writer.wait_until_flushed()
            (closing,) = [row for row in all_entries(live.store, STREAM) if b'"event":"inputs_closed"' in row.body]
            assert answered_shares(witness.address, ORIGIN) == {"0": leaf_hash(closing.body)}, "one closing, one share"
            (given,), (_,) = events(live, "share_given"), events(live, "order_sealed")
            if lost and isinstance(lost[0], SignedNote):
                assert "\n".join(given["note"]) + "\n" == bytes(lost[0]).decode(), "the share that it had opened"
            audited(live, tmp_path)

    run_for(work())


def test_a_silent_witness_holds_up_its_own_shoe_and_nothing_else(tmp_path: Path, witness: WitnessProcess) -> None:
    """It accepts every connection and answers none; another table plays on, and what else needs a thread gets one."""

    async def work() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        async with served(tmp_path, **settings(tmp_path, [witness])) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(OTHER) as other:
                await play_round(other, client)
                witness.pause()
                async with client.table(TABLE) as table:
                    assert (await table.do("sit", seat=2)).is_done
                    await asyncio.sleep(0.5)
                    began = asyncio.get_running_loop().time()
                    await asyncio.to_thread(lambda: None)
                    await next_round(other)
                    assert asyncio.get_running_loop().time() - began < 5
                    assert live.house.state.tables[TABLE].shoe.commitment is None, "nothing is committed without it"
                    witness.resume()
                    await soon(lambda: bool(live.house.state.tables[TABLE].shoe.root), within=60)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())
