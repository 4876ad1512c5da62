"""What a house remembers does not grow with what was played: the store has it, and is asked where it is needed."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest

from baccarat.client.bot import BotTally
from baccarat.client.identity import command_id
from baccarat.client.seat import SeatAnswer, TableClient
from baccarat.engine.idempotency_index import RecordedAnswer
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import MOST_STEPS, Subscriber, TableRoom
from baccarat.serve.runtime import idempotency
from baccarat.serve.runtime.idempotency import AnswerNotLoaded, IdempotencyCache
from baccarat.table.base import Event
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from remembering_house import open_house, open_tables
from served import run_for

RULES = rulebook("ma-midi-4")


@contextmanager
def small_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Limits that a few rounds reach, instead of those that thousands reach."""
    for module, name, limit in (
        ("runtime.idempotency", "MOST_ANSWERS", 20),
        ("runtime.idempotency", "MOST_USED", 40),
        ("runtime.recent_events", "MOST_EVENTS", 100),
        ("fanout.table_room", "MOST_KEPT", 8),
        ("fanout.table_room", "MOST_STEPS", 32),
    ):
        monkeypatch.setattr(f"baccarat.serve.{module}.{name}", limit)
    yield


def held_bytes() -> int:
    """How many bytes are held that were allocated since tracing began."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
def test_a_house_holds_no_more_after_three_times_as_many_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with open_house(tmp_path) as live:
            (table,) = await open_tables(live, 1)
            tracemalloc.start()
            try:
                held, begun = list[int](), table.commands
                for _ in range(3):
                    await table.play(8)
                    await live.house.writer.wait_until_flushed()
                    held.append(held_bytes())
                commands = table.commands - begun
            finally:
                tracemalloc.stop()
            assert commands == 24 * 9
            # what is held for good grows each time, and what another thread holds at this moment does not
            grown = min(later - earlier for earlier, later in pairwise(held)) / (8 * 9)
            assert grown < 100, f"{grown:.0f} bytes are held of each command"

    with small_limits(monkeypatch):
        run_for(work())


T = TypeVar("T")


class EmptyStore:
    """A store that has no answers, and counts how often it is asked for one; nothing waits for another thread."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, question: Callable[[Any], T]) -> T:
        return question(self)

    def answer(self, _id: str, _who: str) -> None:
        self.asked += 1


def empty_cache() -> IdempotencyCache:
    """Answers with nothing in memory."""
    return IdempotencyCache(RULES, "")


def some_record(tmp_path: Path) -> bytes:
    """The body of a participant's act, as it is stored."""

    async def work() -> bytes:
        async with open_house(tmp_path) as live:
            (table,) = await open_tables(live, 1)
            await table.play(1)
            await live.house.writer.wait_until_flushed()
            rows = live.store.entries(Stream("table L0"), after=0, limit=1_000)
            return next(row.body for row in rows if b'"id":' in row.body)

    return asyncio.run(work())


def answers(body: bytes, count: int) -> Iterator[ActRecord]:
    """As many acts like this one, each with an id of its own."""
    record = read_body(body)
    assert isinstance(record, ActRecord)
    old = record.id.encode()
    for _ in range(count):
        made = read_body(body.replace(old, command_id().encode()))
        assert isinstance(made, ActRecord)
        yield made


@pytest.mark.slow
def test_answers_that_are_on_disk_take_little_memory_however_many_there_are(tmp_path: Path) -> None:
    body = some_record(tmp_path)
    cache = empty_cache()

    def remember(count: int) -> int:
        for record in answers(body, count):
            on_disk = cache.begin_batch()
            cache.remember(record, ())
            on_disk()
        return held_bytes()

    tracemalloc.start()
    try:
        first = remember(idempotency.MOST_ANSWERS)
        grown = remember(2_000) - first
    finally:
        tracemalloc.stop()
    assert grown < 150 * 2_000, f"{grown / 2_000:.0f} bytes are held of each answer"


def test_an_answer_that_is_not_on_disk_is_found_however_many_follow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_limits(monkeypatch):
        body, store = some_record(tmp_path), EmptyStore()
        cache = empty_cache()
        slow_disk = cache.begin_batch()
        (waits,) = answers(body, 1)
        cache.remember(waits, ())
        for record in answers(body, 200):
            on_disk = cache.begin_batch()
            cache.remember(record, ())
            on_disk()
        assert cache.find(waits.who or "", waits.id) == RecordedAnswer(waits)
        assert not store.asked
        slow_disk()
        assert cache.find(waits.who or "", waits.id) == RecordedAnswer(waits)


def test_the_store_is_asked_for_used_ids_and_for_none_that_is_newer_than_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_limits(monkeypatch):
        body, store = some_record(tmp_path), EmptyStore()
        cache, made = empty_cache(), list[ActRecord]()
        asked: Any = store
        early = command_id()
        for record in answers(body, 200):
            on_disk = cache.begin_batch()
            cache.remember(record, ())
            on_disk()
            made.append(record)

        async def find(who: str, id_: str) -> tuple[RecordedAnswer | None, int]:
            """The answer to an id, and how often the store was asked for it."""
            before = store.asked
            await cache.load(who, id_, asked)
            return cache.find(who, id_), store.asked - before

        for record in made[: -idempotency.MOST_ANSWERS]:  # whether or not it is still known that the id was used
            with pytest.raises(AnswerNotLoaded):
                cache.find(record.who or "", record.id)
            assert asyncio.run(find(record.who or "", record.id)) == (None, 1), "it is in the store, whole"
        assert asyncio.run(find("p1", command_id())) == (None, 0), "an id that is newer than all others is new"
        found = asyncio.run(find("p1", early))
        assert found == (None, 1), "one that is older than some that were forgotten may be in the store"


class Happened(list[Event]):
    """The events of a commit, of which a test can see whether anybody still holds them."""


def test_a_room_that_nobody_has_watched_remembers_no_events_and_one_that_was_watched_only_the_last() -> None:
    async def work() -> None:
        table = Table(RULES)
        room = TableRoom("T", RULES, table.state)

        def publish() -> weakref.ref[Happened]:
            before = len(table.log)
            table.do(BuyIn(seat=1, amount=100))
            happened = Happened(table.log[before:])
            assert happened
            room.publish(RULES, table.state, happened)
            return weakref.ref(happened)

        table.do(Sit(seat=1, person="p1"))
        assert publish()() is None
        guest = Subscriber("d", Role.DEALER, Outbox(10**6))
        room.join(guest)
        published = publish()
        assert published() is not None, "somebody may come back and ask for them"
        room.leave(guest)
        for _ in range(MOST_STEPS):
            publish()
        assert published() is None

    asyncio.run(work())


def test_a_client_that_never_reads_its_events_holds_only_the_last() -> None:
    async def work() -> None:
        async def no_ticket(_name: str) -> tuple[str, str]:
            raise AssertionError

        table, tally = TableClient("T", no_ticket), BotTally()
        table.view, table.seq = {"state": {}, "due": []}, 0
        for number in range(10_000):
            said = {"type": "patch", "from": number, "seq": number + 1, "events": [{"event": "x", "number": number}]}
            assert await table._handle_message(said)
            tally.count(SeatAnswer(is_done=True), 0.001)
            tally.count(SeatAnswer(is_done=True), 0.001)
        found = table.events()
        assert [event["number"] for event in found] == list(range(8_000, 10_000))
        assert table.events() == []
        assert (tally.done, len(tally.seconds)) == (20_000, 10_000)

    asyncio.run(work())
