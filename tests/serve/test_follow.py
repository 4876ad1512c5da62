"""A node that follows the log: everything, in order, once; also when it was not told, and after lost connections."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from baccarat.house.stream import Stream, table_stream
from baccarat.record.entry import hash_after
from baccarat.serve.cluster.log_follower import LogFollower
from baccarat.serve.store.base import Batch, Row, StaleHead, StoredEntry, StoredHead
from baccarat.serve.store.postgres import PostgresStore
from postgres_server import PostgresServer
from served import run_for
from store_model import Model
from store_place import PostgresPlace


@pytest.fixture
def place(postgres: PostgresServer) -> PostgresPlace:
    """A schema for a store."""
    return PostgresPlace(postgres.new())


async def until(holds: object, seconds: float = 120.0) -> None:
    """Wait until something is true."""
    assert callable(holds)
    end = asyncio.get_running_loop().time() + seconds
    while not holds():
        assert asyncio.get_running_loop().time() < end, "it did not come true"
        await asyncio.sleep(0.005)


def test_what_others_write_comes_once_and_in_order_also_after_lost_connections(place: PostgresPlace) -> None:
    async def work() -> None:
        store, model, got = PostgresStore.open(place.address), Model(), list[StoredEntry]()
        store.append(Batch(rows=[model.row(Stream("table 1"), b"before"), model.row(Stream("cage"), b"before")]))
        follower = LogFollower(store, {Stream("table 1"): 0}, got.extend)
        task = asyncio.create_task(follower.run())
        await until(lambda: got == [model.streams[Stream("cage")][0]])
        for number in range(30):
            if number % 10 == 5:
                place.meddle(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?",
                    ("baccarat follower",),
                )
            store.append(
                Batch(
                    rows=[
                        model.row(stream, b"%d" % number)
                        for stream in (Stream("table 1"), Stream("cage"), Stream("table 2"))
                    ]
                )
            )
            await asyncio.sleep(0)
        everything = sorted((each for stream in model.streams.values() for each in stream), key=lambda e: e.position)
        await until(lambda: len(got) == len(everything) - 1)
        assert got == everything[1:]
        assert follower.connections > 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await follower.close()
        store.close()

    run_for(work())


def test_what_nobody_told_of_is_found_by_looking(place: PostgresPlace) -> None:
    """A node that dies between its commit and its notice tells nobody."""

    async def work() -> None:
        store, model, got = PostgresStore.open(place.address), Model(), list[StoredEntry]()
        follower = LogFollower(store, {}, got.extend, every=0.1)
        task = asyncio.create_task(follower.run())
        await until(lambda: follower.connections)
        store.channel = "nobody"
        store.append(Batch(rows=[model.row(Stream("table 1"), b"x")]))
        await until(lambda: got == model.streams[Stream("table 1")])
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await follower.close()
        store.close()

    run_for(work())


@pytest.mark.slow
def test_the_order_is_causal_while_many_write(place: PostgresPlace) -> None:
    """Each entry of the shared stream names how many it rests on; no follower sees it before them."""
    PostgresStore.open(place.address).close()

    def write(number: int) -> None:
        store = PostgresStore.open(place.address)
        done = 0
        while done < 20:
            heads = store.heads()
            rows = [
                _next(heads, Stream("link"), b""),
                _next(heads, table_stream(str(number)), b"%d" % heads.get(Stream("link"), StoredHead()).seq),
            ]
            try:
                store.append(Batch(rows=rows))
                done += 1
            except StaleHead:
                continue
        store.close()

    async def work() -> None:
        store, got, seen, wrong = PostgresStore.open(place.address), list[StoredEntry](), -1, list[str]()

        def take(entries: Sequence[StoredEntry]) -> None:
            nonlocal seen
            for each in entries:
                got.append(each)
                if each.stream == "link":
                    seen = each.seq
                elif int(each.body) >= seen:
                    wrong.append(f"{each.stream} {each.seq} came before link {each.body.decode()}")

        follower = LogFollower(store, {}, take)
        task = asyncio.create_task(follower.run())
        threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        await until(lambda: len(got) == 120, 30)
        for thread in threads:
            thread.join()
        assert wrong == []
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await follower.close()
        store.close()

    run_for(work())


def _next(heads: dict[Stream, StoredHead], stream: Stream, body: bytes) -> Row:
    head = heads.get(stream, StoredHead())
    return Row(stream, head.seq + 1, body, hash_after(head.hash, body), events=0)
