"""When there is too much to do, or the house closes: told when to come again, and nothing is half done."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import command_id
from baccarat.house.stream import Stream
from baccarat.serve.store import read_pool as reading
from baccarat.table.role import Role
from house_of_roles import Asked, is_problem, sign_everybody_on
from pool_places import places_taken
from served import run_for, served, soon

pytestmark = pytest.mark.slow


def in_house(work: Any, tmp_path: Path) -> None:
    """Ask a practice house."""

    async def inner() -> None:
        async with served(tmp_path) as (live, address):
            await work(await sign_everybody_on(live, address))

    run_for(inner())


def test_whoever_reads_when_too_many_do_is_told_to_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_WAITING", 0)

    async def work(house: Asked) -> None:
        let_go = threading.Event()
        room = house.live.reading
        slow = [asyncio.create_task(room.run_in_thread(let_go.wait)) for _ in range(reading.SEATS)]
        await asyncio.sleep(0)
        try:
            for path in ("/api/tables/ma-midi-4/rounds", "/api/journal", "/api/streams"):
                found = await house.get(path)
                is_problem(found, 503, "crowded")
                assert found.headers["retry-after"] == "1"
            for path in ("/api/tables", "/api/tables/ma-midi-4", "/api/tables/ma-midi-4/view"):
                assert (await house.get(path)).status == 200, "others are answered meanwhile"
        finally:
            let_go.set()
            await asyncio.gather(*slow)
        assert (await house.get("/api/journal")).status == 200

    in_house(work, tmp_path)


def test_clients_who_hang_up_at_once_do_not_keep_others_from_reading(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        host, port = house.address.removeprefix("http://").split(":")
        head = f"GET /api/exports/tables/ma-midi-4/rounds.csv HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        for _ in range(2 * (reading.SEATS + reading.MOST_WAITING)):
            _, sending = await asyncio.open_connection(host, int(port))
            sending.write(head)
            await sending.drain()
            sending.transport.abort()
        await soon(lambda: places_taken(house.live.reading) == 0, "the places of those who hung up are not given back")
        assert (await house.get("/api/streams")).status == 200
        assert (await house.get("/api/exports/tables/ma-midi-4/rounds.csv")).status == 200
        await soon(lambda: places_taken(house.live.reading) == 0)

    in_house(work, tmp_path)


def test_a_connection_that_was_lost_is_replaced(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        room = house.live.reading
        assert await room.ask(lambda reads: len(reads.heads())) > 0
        (held,) = room._idle
        held.close()
        assert await room.ask(lambda reads: len(reads.heads())) > 0
        assert room._idle != [held]

    in_house(work, tmp_path)


def test_a_house_that_closes_takes_nothing_new(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        house.live.readiness.is_draining = True
        before = house.live.house.journal.head(Stream("house"))
        headers, act = {"Idempotency-Key": command_id()}, {"do": "add_pit", "name": "east"}
        found = await house.ask("POST", "/api/books/house/acts", act, role=Role.ADMINISTRATOR, headers=headers)
        is_problem(found, 503, "closing")
        assert int(found.headers["retry-after"]) > 0
        sit = {"do": "sit", "seat": 1}
        path = "/api/tables/ma-midi-4/acts"
        found = await house.ask("POST", path, sit, role=Role.PARTICIPANT, headers={"Idempotency-Key": command_id()})
        is_problem(found, 503, "closing")
        assert house.live.house.journal.head(Stream("house")) == before
        house.live.readiness.is_draining = False
        found = await house.ask("POST", "/api/books/house/acts", act, role=Role.ADMINISTRATOR, headers=headers)
        assert found.status == 200, "the same request, sent again later, is done"

    in_house(work, tmp_path)
