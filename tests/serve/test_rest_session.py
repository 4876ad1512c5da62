"""The session of a request: what a request changes of it, and what ends while a request is on its way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from baccarat.client import Client, command_id
from baccarat.serve.access.session import NOTED_AFTER, Session
from baccarat.serve.live import HouseServer
from baccarat.serve.store.base import Statement
from served import run_for, served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
ACTS = f"/api/tables/{TABLE}/acts"


def watch_reads(live: HouseServer, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the desk finds each time that it is asked for a session."""
    found, read = list[object](), live.desk.session

    async def noted(token: str) -> object:
        found.append(await read(token))
        return found[-1]

    monkeypatch.setattr(live.desk, "session", noted)
    return found


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Hold a thread until something is so, for ten seconds at most; whether it is."""
    until = time.monotonic() + 10
    while not is_so() and time.monotonic() < until:
        time.sleep(0.001)
    return is_so()


def test_an_act_is_noted_once_and_stays_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The use of a session is stored after the answer: what is read of it meanwhile is old, and must not be stored."""

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            earlier = 2 * NOTED_AFTER
            sql = "update session set made_at = made_at - ?, seen_at = seen_at - ?, acted_at = acted_at - ?"
            live.desk.note(Statement(sql, (earlier, earlier, earlier)))
            await live.house.writer.wait_until_flushed()
            reads = watch_reads(live, monkeypatch)
            held = asyncio.ensure_future(live.house.writer.run_exclusive(lambda: wait_until(lambda: len(reads) == 2)))
            headers = {"Idempotency-Key": command_id()}
            sat = await client._http.post(ACTS, json={"do": "sit", "seat": 1}, headers=headers)
            assert sat.status_code == 200, sat.text
            assert await held, "nothing was stored before the session was read again"
            await live.house.writer.wait_until_flushed()
            before = reads[0]
            assert isinstance(before, Session)
            after = await live.desk.current_session(before)
            assert isinstance(after, Session)
            assert after.seen_at - before.seen_at >= earlier
            assert after.acted_at == after.seen_at
            assert len(reads) == 2, "once by the guard, and once when the body has arrived"

    run_for(work())


def test_a_session_that_ends_before_the_body_has_arrived_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            before, reads, is_over = (
                live.house.state.tables[TABLE].seats,
                watch_reads(live, monkeypatch),
                asyncio.Event(),
            )

            async def body() -> AsyncIterator[bytes]:
                yield b'{"do":"sit",'
                await is_over.wait()
                yield b'"seat":1}'

            headers = {"Idempotency-Key": command_id(), "Content-Type": "application/json"}
            sitting = asyncio.create_task(client._http.post(ACTS, content=body(), headers=headers))
            await soon(lambda: bool(reads), "the guard has not looked at the session")
            assert isinstance(reads[0], Session)
            await live.desk.sign_off(reads[0])
            is_over.set()
            answer = await sitting
            assert (answer.status_code, answer.json()["code"]) == (401, "no_session")
            assert live.house.state.tables[TABLE].seats == before

    run_for(work())
