"""The reading room: whoever leaves it, however he leaves it, gives his place and his connection back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest

from baccarat.serve.store import read_pool as reading
from baccarat.serve.store.base import Store, StoreReader
from baccarat.serve.store.read_pool import PoolExhausted, ReadPool, asking_payer
from pool_places import places_taken
from served import run_for, soon


class Shelf:
    """Stands for a store: counts the connections that are open, and can let whoever opens one wait."""

    def __init__(self) -> None:
        self.open = 0
        self.may_open = threading.Event()
        self.may_open.set()

    def reader(self) -> StoreReader:
        """A connection."""
        assert self.may_open.wait(60)
        self.open += 1
        return cast(StoreReader, self)

    def close(self) -> None:
        """A connection is closed."""
        self.open -= 1


def text(_reads: StoreReader) -> Iterator[bytes]:
    """A long text, of some pieces."""
    return iter([b"x" * reading.PIECE] * 5)


async def is_empty(room: ReadPool, shelf: Shelf) -> None:
    """Soon nobody has a place, and no connection is open."""
    await soon(
        lambda: not places_taken(room) and shelf.open == len(room._idle), "places are taken, or connections open"
    )


def in_room(work: Any) -> None:
    """Read in a room."""

    async def inner() -> None:
        shelf = Shelf()
        room = ReadPool(cast(Store, shelf))
        try:
            await work(room, shelf)
        finally:
            shelf.may_open.set()
            room.close()
            assert not shelf.open

    run_for(inner())


def test_whoever_leaves_while_the_store_is_being_opened_gives_his_place_back() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        shelf.may_open.clear()
        waiting = [asyncio.create_task(room.pieces(text, reader=str(number))) for number in range(10)]
        await asyncio.sleep(0.05)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        shelf.may_open.set()
        await is_empty(room, shelf)

    in_room(work)


def test_whoever_leaves_in_the_middle_or_never_begins_gives_his_place_back() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        pieces = await room.pieces(text)
        assert len(await anext(pieces)) >= reading.PIECE
        assert (places_taken(room), shelf.open) == (1, 1)
        await pieces.aclose()
        await is_empty(room, shelf)
        never = await room.pieces(text)
        del never, pieces
        await is_empty(room, shelf)
        assert len([piece async for piece in await room.pieces(text)]) == 5
        await is_empty(room, shelf)

    in_room(work)


def test_readers_who_stand_still_do_not_keep_others_from_asking() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        still = list[Any]()
        for number in range(reading.MOST_STREAMS):
            still.append(await room.pieces(text, reader=f"reader {number}"))
        with pytest.raises(PoolExhausted):
            await room.pieces(text, reader="another")
        assert await room.ask(lambda _reads: 7) == 7
        await still.pop().aclose()
        await is_below(room, reading.MOST_STREAMS)
        still.append(await room.pieces(text, reader="another"))
        for each in still:
            await each.aclose()
        await is_empty(room, shelf)

    in_room(work)


async def is_below(room: ReadPool, most: int) -> None:
    """Soon fewer places are taken."""
    while places_taken(room) >= most:
        await asyncio.sleep(0.01)


def test_one_reader_never_takes_all_the_places() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        own = [await room.pieces(text, reader="one") for _ in range(reading.MOST_STREAMS_OF_ONE)]
        with pytest.raises(PoolExhausted):
            await room.pieces(text, reader="one")
        other = await room.pieces(text, reader="other")
        for each in (*own, other):
            await each.aclose()
        await is_empty(room, shelf)

    in_room(work)


def test_a_question_nobody_waits_for_any_more_counts_until_its_thread_is_free() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        let_go = threading.Event()
        try:
            busy = list[bool]()

            def wait() -> None:
                busy.append(True)
                let_go.wait(60)

            asked = [asyncio.create_task(room.run_in_thread(wait)) for _ in range(reading.SEATS + 3)]
            await soon(lambda: len(busy) == reading.SEATS, "the threads do not begin")
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            assert places_taken(room) == reading.SEATS, "two threads are busy; the others never began"
        finally:
            let_go.set()
        await is_empty(room, shelf)

    in_room(work)


def test_a_fault_of_the_store_comes_before_an_answer_is_begun() -> None:
    async def work(room: ReadPool, shelf: Shelf) -> None:
        def breaks(_reads: StoreReader) -> Iterator[bytes]:
            raise OSError("no disk")

        with pytest.raises(OSError, match="no disk"):
            await room.pieces(breaks)
        await is_empty(room, shelf)

    in_room(work)


ALL_PLACES = reading.SEATS + reading.MOST_WAITING


async def ask_as(room: ReadPool, payer: str, done: list[str], *, after: threading.Event) -> None:
    """Ask for something that ends once it may, as somebody; it is noted who was answered."""
    asking_payer.set(payer)

    def work() -> None:
        assert after.wait(60)
        done.append(payer)

    await room.run_in_thread(work)


def test_who_asks_for_much_waits_for_himself_and_gives_up_places_to_others() -> None:
    async def work(room: ReadPool, _shelf: Shelf) -> None:
        may_end, done = threading.Event(), list[str]()
        flood = [asyncio.create_task(ask_as(room, "stranger", done, after=may_end)) for _ in range(ALL_PLACES)]
        await asyncio.sleep(0)
        assert places_taken(room) == ALL_PLACES
        with pytest.raises(PoolExhausted):
            await ask_as(room, "stranger", done, after=may_end)
        others = [asyncio.create_task(ask_as(room, who, done, after=may_end)) for who in ("ada", "", "ada")]
        await asyncio.sleep(0)
        assert places_taken(room) == ALL_PLACES, "the stranger gave up a place for each"
        may_end.set()
        await asyncio.gather(*others)
        failed = [found for found in await asyncio.gather(*flood, return_exceptions=True) if found is not None]
        assert list(map(type, failed)) == [PoolExhausted] * len(others)
        assert max(done.index("ada"), done.index("")) < 2 * reading.SEATS + len(others), "they take turns"
        assert (done.count("stranger"), done.count("ada")) == (ALL_PLACES - len(others), 2)

    in_room(work)


def test_whoever_waits_for_a_thread_when_the_house_closes_is_told() -> None:
    async def work(room: ReadPool, _shelf: Shelf) -> None:
        may_end, done = threading.Event(), list[str]()
        asked = [asyncio.create_task(ask_as(room, "", done, after=may_end)) for _ in range(reading.SEATS + 3)]
        await soon(lambda: len(room._waiting.get("", ())) == 3)
        closing = asyncio.create_task(asyncio.to_thread(room.close))
        await asyncio.wait(asked[reading.SEATS :])
        may_end.set()
        await closing
        assert [each.cancelled() for each in asked] == [False] * reading.SEATS + [True] * 3
        assert not places_taken(room)

    in_room(work)
