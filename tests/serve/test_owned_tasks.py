"""Every task of the server has an owner, and none outlives the house."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.client import Client
from baccarat.serve.ops.owned_tasks import OwnedTasks, OwnerClosed
from paths import ROOT
from playing import play_rounds, sit_down
from served import run_for, served

SOURCE = ROOT / "src" / "baccarat"
OWNERS = {"serve/ops/supervisor.py", "serve/ops/owned_tasks.py"}
"""The modules of the server that may create tasks."""
CREATE = {"create_task", "ensure_future", "TaskGroup", "run_coroutine_threadsafe"}


def test_no_module_of_the_server_creates_tasks_but_their_owners() -> None:
    found: dict[str, list[int]] = {}
    for path in sorted((SOURCE / "serve").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute | ast.Name):
                continue
            if (node.attr if isinstance(node, ast.Attribute) else node.id) in CREATE:
                found.setdefault(str(path.relative_to(SOURCE)), []).append(node.lineno)
    assert found.keys() == OWNERS, found


def test_what_is_left_when_an_owner_goes_is_ended_and_nothing_more_is_started() -> None:
    ended: list[str] = []

    async def wait(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    async def fail() -> None:
        raise ArithmeticError("planted")

    async def work() -> None:
        async with OwnedTasks() as tasks:
            waiting, failing = tasks.start(wait("one"), name="one"), tasks.start(fail(), name="two")
            with pytest.raises(ArithmeticError):
                await failing
            assert tasks.running == [waiting], "what has ended is forgotten"
        assert ended == ["one"]
        assert waiting.cancelled()
        with pytest.raises(OwnerClosed, match="three cannot be started any more"):
            tasks.start(wait("three"), name="three")
        assert ended == ["one"]

    asyncio.run(work())


def test_a_cancelled_caller_leaves_no_task_behind() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        async def owner() -> None:
            async with OwnedTasks() as tasks:
                tasks.start(endless(), name="endless")
                await asyncio.Event().wait()

        async def endless() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        caller = asyncio.create_task(owner())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.wait({caller})
        assert caller.cancelled()
        assert ended.is_set()

    asyncio.run(work())


def others() -> set[str]:
    """The tasks of this loop besides the one that asks."""
    return {task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()}


@pytest.mark.slow
def test_no_task_outlives_the_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one that computes a price, changes access, sends to a socket, or runs a table, in the middle of its work."""

    async def work() -> None:
        before = others()
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await sit_down(client, table)
                await play_rounds(table, 1)
                computing = asyncio.Event()

                async def never(_work: Any) -> Any:
                    computing.set()
                    await asyncio.Event().wait()

                monkeypatch.setattr(live.pricing._reading, "run_in_thread", never)
                async with httpx.AsyncClient(base_url=address) as http:
                    asked = asyncio.create_task(http.get("/api/tables/ma-midi-4/odds"))
                    await computing.wait()
                    asked.cancel()
                    await asyncio.wait({asked})
                assert [task.get_name()[:6] for each in live.owners for task in each.running] == ["price "]
                assert live.jobs.tasks
        left = others() - before
        assert not left, left

    run_for(work())
