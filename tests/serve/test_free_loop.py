"""The event loop waits for no store: whoever asks for something else is served while the store is silent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

from baccarat.client import Client, command_id
from baccarat.house.stream import Stream, link_stream
from baccarat.law.rulebook import rulebook
from baccarat.record.entry import ActRecord
from baccarat.record.sealed_seed import KeyRing, SealingKey
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.idempotency import AnswerNotLoaded, IdempotencyCache
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.runtime.recent_events import EventNotLoaded
from baccarat.serve.runtime.seed_vault import SeedVault, trigger_name
from baccarat.serve.store import open_store
from baccarat.serve.store.base import StoreUnavailable
from loop_guard import PROGRAM, StoreOnLoopError
from served import fails, run_for, served, soon

TABLE = "ma-midi-4"
RULES = rulebook("ma-midi-4")


def as_program(text: str) -> dict[str, Any]:
    """What a module of the program with this text would define."""
    made: dict[str, Any] = {}
    exec(compile(text, f"{PROGRAM}/serve/made_up.py", "exec"), made)
    return made


@pytest.mark.parametrize(
    "text", ["async def ask(store):\n    store.heads()", "async def ask(store):\n    store.reader()"]
)
def test_a_store_that_the_program_calls_on_a_loop_is_noticed_and_named(text: str, tmp_path: Path) -> None:
    store, ask = open_store(str(tmp_path / "house.db")), cast(FunctionType, as_program(text)["ask"])
    with pytest.raises(StoreOnLoopError, match=r"(heads|reader) was called on the event loop, by ask \(/serve/made_up"):
        asyncio.run(ask(store))
    assert isinstance(asyncio.run(asyncio.to_thread(store.heads)), dict), "a thread may"
    store.close()


class HeldLookups:
    """The lookups of a house, which a test holds back: a store that does not answer."""

    def __init__(self, live: HouseServer) -> None:
        self.goes_on, self.is_held = threading.Event(), threading.Event()
        self._asked = asyncio.ensure_future(live.lookups.ask(lambda _reads: self._hold()))

    def _hold(self) -> None:
        self.is_held.set()
        self.goes_on.wait(120)

    async def release(self) -> None:
        """Let the store answer."""
        self.goes_on.set()
        await self._asked


def test_while_the_store_answers_nothing_health_is_reported_and_whoever_plays_plays_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                held = HeldLookups(live)
                await soon(held.is_held.is_set)
                waiting = asyncio.create_task(client._http.get("/api/session"))
                assert (await client._http.get("/healthz")).text == "ok\n"
                assert (await table.do("sit", seat=2)).is_done, "an act needs no session from the store, and no answer"
                assert not waiting.done(), "only who asks the store waits for it"
                await held.release()
                assert (await waiting).status_code == 200

    run_for(work())


def test_a_house_that_cannot_read_its_store_any_more_does_not_go_on(tmp_path: Path) -> None:
    """Nobody would be recognized, and health would still be reported as good."""

    async def work() -> None:
        stopped = list[BaseException]()
        async with served(tmp_path, stopped=stopped.append) as (live, address), Client(address) as client:
            await client.visit()
            live.lookups._reader._stop("storage error (planted)")  # type: ignore[attr-defined]
            found = await client._http.get("/api/session")
            assert (found.status_code, found.json()["code"]) == (503, "not_now")
            assert isinstance(stopped[0], StoreUnavailable)
            assert (await client._http.get("/healthz")).status_code == 503

    run_for(work())


def test_a_session_that_ends_while_it_is_read_lets_nobody_in(tmp_path: Path) -> None:
    """The store was asked before the session ended and answers afterwards."""

    async def work() -> None:
        async with served(tmp_path) as (live, _address):
            issued = await live.desk.visit(address="192.0.2.7")
            assert not isinstance(issued, Denied)
            token, goes_on, is_read, desk = issued.token.reveal(), threading.Event(), threading.Event(), live.desk
            ask = desk._keeping.ask

            async def late(question: Any) -> Any:
                def read(reads: Any) -> Any:
                    found = question(reads)
                    is_read.set()
                    goes_on.wait(120)
                    return found

                return await asyncio.to_thread(read, live.store)

            looks: list[Callable[[], Coroutine[Any, Any, object]]] = [
                lambda: desk.session(token),
                lambda: desk.current_session(issued.session),
            ]
            for look in looks:
                goes_on.clear()
                is_read.clear()
                desk._keeping.ask = late  # type: ignore[method-assign]
                looking = asyncio.ensure_future(look())
                await soon(is_read.is_set)
                desk._keeping.ask = ask  # type: ignore[method-assign]
                desk.drop_sessions([issued.session.id])  # as after a change that ended it, here or on another node
                goes_on.set()
                assert await looking == make_denial(Denial.REVOKED)

    run_for(work())


def test_an_answer_that_is_stored_while_the_store_is_asked_for_it_is_found() -> None:
    """The store said that it has none, and has it by the time that this is heard: the same command, sent twice."""

    async def work() -> None:
        who, id_ = "p1", command_id()
        cache = IdempotencyCache(RULES, "f" * 16)  # any id may be in the store
        record = ActRecord(v=1, stream=Stream("table T"), seq=7, event=0, rulebook="", behaviour=1, id=id_, who=who)
        asked = 0

        class Busy:
            async def ask(self, _question: Any) -> Any:
                nonlocal asked
                asked += 1
                if asked == 1:
                    on_disk = cache.begin_batch()
                    cache.remember(record, ())
                    on_disk()
                return None

        with pytest.raises(AnswerNotLoaded):
            cache.find(who, id_)
        await cache.load(who, id_, cast(Lookups, Busy()))
        found = cache.find(who, id_)
        assert found is not None
        assert found.record is record

    run_for(work())


def test_two_tables_of_a_link_that_need_its_first_trigger_at_once_have_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        store = open_store(str(tmp_path / "house.db"))
        writer: GroupCommitter[PendingBatch] = GroupCommitter(
            lambda made: store.append(made.batch()), PendingBatch, fails
        )
        lookups = Lookups(store.reader())
        vault = SeedVault(KeyRing(SealingKey(b"k" * 32)), lookups, writer, is_shared=False)
        stream, of = link_stream("main"), trigger_name("main", 0, RULES)
        await asyncio.gather(vault.fetch(stream, of), vault.fetch(stream, of))
        used = vault.seed(stream, of)
        await writer.wait_until_flushed()
        again = SeedVault(KeyRing(SealingKey(b"k" * 32)), lookups, writer, is_shared=False)
        await again.fetch(stream, of)
        assert again.seed(stream, of) == used, "and it is the one that is stored"
        writer.close()
        lookups.close()
        store.close()

    run_for(work())


def test_an_old_event_is_loaded_before_it_is_looked_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                for _ in range(3):
                    assert (await table.do("sit", seat=2)).is_done
                    assert (await table.do("leave", seat=2)).is_done
            stream = Stream(f"table {TABLE}")
            known = [live.house.event_at(stream)(number) for number in range(4)]
            assert None not in known
        async with served(tmp_path) as (live, _address):
            with pytest.raises(EventNotLoaded):
                live.house.event_at(stream)(0)
            found = await live.house.with_events(lambda: [live.house.event_at(stream)(number) for number in range(4)])
            assert found == known

    run_for(work())
