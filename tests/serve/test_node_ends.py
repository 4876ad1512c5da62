"""The third same fault in a task of a node ends the node, and another one has its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.client import Client
from baccarat.house.state import Decision
from baccarat.serve import founding
from baccarat.serve.cluster.node import COMMITS, FOLLOWER, LEASE, NEWS, TABLES, Node
from baccarat.serve.live import HouseServer
from baccarat.serve.ops import supervisor
from baccarat.serve.ops.supervisor import Start
from baccarat.serve.runtime.recovery import RecoveredHouse
from baccarat.serve.store.base import StoredEntry, StoreUnavailable
from played import next_round, play_round
from postgres_server import PostgresServer
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

NAMES = ("ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4")
"""So many that the second node has one of them beside the two tables for training, which are given away first."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", (0.02, 0.03))
    monkeypatch.setattr(founding, "shipped_submissions", lambda: NAMES)


class FaultyTask:
    """A task of the first node that is opened, which fails as often as planted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self._name, self._first, self._left, self._planted = name, list[Node](), 0, asyncio.Event()
        usual = Node._start

        def start(node: Node, name: str, begin: Start) -> None:
            self._first = self._first or [node]
            usual(node, name, self._failing(begin) if node is self._first[0] and name == self._name else begin)

        monkeypatch.setattr(Node, "_start", start)

    def fail(self, times: int) -> None:
        """Let it fail from now on, so many times."""
        self._left = times
        self._planted.set()

    def _failing(self, begin: Start) -> Start:
        async def run() -> None:
            working = asyncio.ensure_future(begin())
            try:
                await asyncio.wait({working, planted := asyncio.ensure_future(self._planted.wait())},
                                   return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
                planted.cancel()
                if self._left:
                    self._left -= 1
                    if not self._left:
                        self._planted.clear()
                    raise ArithmeticError("planted")
                await working
            finally:
                working.cancel()
                await asyncio.gather(working, return_exceptions=True)

        return run


async def readyz(address: str) -> httpx.Response:
    """What a node says of itself."""
    async with httpx.AsyncClient(base_url=address) as http:
        return await http.get("/readyz")


def table_of(live: HouseServer) -> str:
    """A table that a node serves; empty while it has none."""
    return next((name for name in NAMES if live.node is not None and live.node.owns(name)), "")


@pytest.mark.parametrize("name", [LEASE, COMMITS, FOLLOWER, TABLES, NEWS])
def test_the_same_fault_three_times_in_a_task_of_a_node_ends_it_and_another_has_its_tables(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ended = list[BaseException]()

    async def work() -> None:
        task = FaultyTask(monkeypatch, name)
        kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}
        async with AsyncExitStack() as others, AsyncExitStack() as failing:
            one, first = await failing.enter_async_context(served(tmp_path, stopped=ended.append, **kept))
            two, second = await others.enter_async_context(served(tmp_path, **kept))
            await soon(lambda: bool(table_of(one)) and bool(table_of(two)), "the tables are not shared")
            played = table_of(one)
            async with Client(first, second) as client:
                await client.visit()
                async with client.table(played) as table:
                    await play_round(table, client)
                    task.fail(times=3)
                    await soon(lambda: bool(ended), "the node does not end")
                    assert isinstance(ended[0], StoreUnavailable)
                    assert str(ended[0]) == f"this node ends: {name} failed again and again"
                    assert one.metrics.counts.task_faults == 3
                    found = await readyz(first)
                    assert (found.status_code, found.headers["retry-after"]) == (503, "1"), "nothing is answered there"
                    await failing.aclose()  # what its process does then
                    await soon(
                        lambda: all(two.node is not None and two.node.owns(each) for each in NAMES), "nobody has it"
                    )
                    await next_round(table)
                    assert table.joins > 1, "at the other node"
            await two.house.writer.wait_until_flushed()
            assert (await readyz(second)).text == "ok\n"
            audited(two, tmp_path)

    run_for(work())


def test_one_fault_in_a_task_of_a_node_ends_nothing_and_readiness_names_the_task(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        task = FaultyTask(monkeypatch, TABLES)
        kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}
        async with served(tmp_path, **kept) as (live, address), Client(address) as client:
            await client.visit()
            await soon(lambda: bool(table_of(live)), "it has no table")
            async with client.table(table_of(live)) as table:
                await play_round(table, client)
                task.fail(times=1)
                await soon(lambda: live.metrics.counts.task_faults == 1, "it has not failed")
                failed = "failed once in the last ten minutes and was restarted; see the log"
                assert (await readyz(address)).text == f"ok\nnot well: {TABLES}: {failed}\n"
                await next_round(table)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_fault_while_a_node_applies_what_others_wrote_ends_it_immediately(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = list[BaseException]()

    async def work() -> None:
        kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}
        async with AsyncExitStack() as others, AsyncExitStack() as failing:
            one, _ = await failing.enter_async_context(served(tmp_path, stopped=ended.append, **kept))
            two, second = await others.enter_async_context(served(tmp_path, **kept))
            await soon(lambda: bool(table_of(one)) and bool(table_of(two)), "the tables are not shared")
            usual = Node._apply_remote

            def apply(
                node: Node, decision: Decision | None, entries: Sequence[StoredEntry], after: RecoveredHouse
            ) -> None:
                if node is one.node:
                    raise ArithmeticError("planted")
                usual(node, decision, entries, after)

            monkeypatch.setattr(Node, "_apply_remote", apply)
            async with Client(second) as client:
                await client.visit()
                async with client.table(table_of(two)) as table:
                    await play_round(table, client)
                    await soon(lambda: bool(ended), "the node does not end")
                    assert isinstance(ended[0], ArithmeticError)
                    await failing.aclose()
                    await soon(
                        lambda: all(two.node is not None and two.node.owns(each) for each in NAMES), "nobody has it"
                    )
                    await next_round(table)
            await two.house.writer.wait_until_flushed()
            audited(two, tmp_path)

    run_for(work())
