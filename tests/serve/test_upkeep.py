"""Upkeep: practice houses stay small, real ones keep everything; nobody has to wait for it."""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path

import msgspec
import pytest

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.job.upkeep import do_upkeep, run_upkeep
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.idempotency import IdempotencyCache
from baccarat.serve.setting import Mode
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.journal_export import signed_journal, stream_journal
from playing import play_rounds, sit_down
from production_house import made_keys
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow
TABLE = "ma-midi-4"
STREAM = table_stream(TABLE)


async def play(client: Client) -> None:
    """Sit down and see some rounds end."""
    await client.visit()
    async with client.table(TABLE) as table:
        await sit_down(client, table)
        await play_rounds(table, 4, on="tie")


def size(live: HouseServer) -> int:
    """How many entries of the table are kept."""
    kept, after = 0, -1
    while page := live.store.entries(STREAM, after=after):
        kept, after = kept + len(page), page[-1].seq
    return kept


def in_log(live: HouseServer) -> int:
    """How many entries of the table are not compressed."""
    ((count,),) = live.store.read(
        "select count(*) from entry join stream on stream.id = entry.stream where name = ?", (STREAM,)
    )
    assert isinstance(count, int)
    return count


def as_real(live: HouseServer) -> None:
    """From now on the house is looked after like one with real tables."""
    live.setting = msgspec.structs.replace(live.setting, mode=Mode.PRODUCTION)


def test_all_but_the_last_two_shoes_of_a_practice_table_are_dropped_and_it_goes_on_after_a_restart(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await play(client)
            await live.house.writer.wait_until_flushed()
            before, head = size(live), live.store.heads()[STREAM].seq
            await do_upkeep(live, TABLE, [head // 2])
            assert size(live) == before, "the last shoe and the one before it stay"
            await do_upkeep(live, TABLE, [head // 3, head // 2])
            kept = live.store.entries(STREAM, limit=1)
            assert kept[0].seq == head // 3 + 1
            with pytest.raises(StoreError, match="no snapshot includes"):
                list(signed_journal(live.store))
            await live.drain()
            state = live.house.state
        async with served(tmp_path) as (live, address), Client(address) as client:
            assert live.house.state == state
            await client.visit()
            async with client.table(TABLE) as table:
                await table.until(lambda view: view["state"]["step"] == "wager")

    run_for(work())


def test_a_command_whose_record_was_dropped_is_not_done_again_and_nothing_is_entered_of_it(tmp_path: Path) -> None:
    """That the id was used is known for ever; whether it was for the same command, nobody can say any more."""
    given = command_id()

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                done = await table.do("sit", id=given, seat=2)
                await live.house.writer.wait_until_flushed()
                head = live.store.heads()[STREAM].seq
                await do_upkeep(live, TABLE, [head, head])
                assert live.store.entry(STREAM, done.seq) is None
                live.house.answers = IdempotencyCache(live.house.rules, live.store.newest_id())  # none is at hand
                again = await table.do("sit", id=given, seat=2)
                assert (again.is_done, again.code, again.seq) == (False, "repeated_id", 0)
                await live.house.writer.wait_until_flushed()
                since = (read_body(entry.body) for entry in live.store.entries(STREAM, after=head))
                entered = [each for each in since if isinstance(each, ActRecord) and each.who == client.who]
                assert entered == [], "the dealers go on, and he has done nothing"

    run_for(work())


def test_closed_shoes_of_a_real_table_are_compressed_and_stay_the_same_to_the_byte(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await play(client)
            await live.house.writer.wait_until_flushed()
            as_real(live)
            head, entries = live.store.heads()[STREAM].seq, in_log(live)
            before = list(stream_journal(live.store, STREAM))[: head + 1]
            await do_upkeep(live, TABLE, [head // 2])
            assert in_log(live) <= entries - head // 2 + (live.store.heads()[STREAM].seq - head)
            assert list(stream_journal(live.store, STREAM))[: head + 1] == before
            audited(live, tmp_path)
        async with served(tmp_path) as (live, _):
            assert list(stream_journal(live.store, STREAM))[: head + 1] == before
            audited(live, tmp_path)

    run_for(work())


def test_it_looks_after_each_shoe_that_ended_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[int]]] = []

    async def noted(_live: HouseServer, table: str, ends: list[int]) -> None:
        seen.append((table, ends))

    async def work() -> None:
        async with served(tmp_path) as (live, _):
            monkeypatch.setattr("baccarat.serve.job.upkeep.do_upkeep", noted)
            live.house.shoe_ends[TABLE] = deque([3, 5], maxlen=2)
            tidying = asyncio.create_task(run_upkeep(live, every=0.01))
            while not seen:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            live.house.shoe_ends[TABLE].append(9)
            await soon(lambda: len(seen) > 1)
            await asyncio.sleep(0.1)  # and no third time
            tidying.cancel()

    run_for(work())
    assert seen == [(TABLE, [3, 5]), (TABLE, [5, 9])]


def test_the_books_of_a_house_are_signed_soon_after_they_have_grown(tmp_path: Path) -> None:
    keys = made_keys(tmp_path)

    async def work() -> None:
        async with served(tmp_path, **keys) as (live, _):
            tidying = asyncio.create_task(run_upkeep(live, every=0.01))

            def are_signed() -> bool:
                heads = {stream: head.seq + 1 for stream, head in live.store.heads().items()}
                notes = {stream: live.store.latest_checkpoint(stream) for stream in heads}
                signed = {stream: note.size for stream, note in notes.items() if note is not None}
                return signed == {stream: size for stream, size in heads.items() if not stream.startswith("table ")}

            await soon(are_signed, "not all books of the house are signed, or a table is")
            tidying.cancel()

    run_for(work())
