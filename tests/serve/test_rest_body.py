"""Bodies and addresses that nobody sends by mistake: each is answered with a problem, none with a fault of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import command_id
from baccarat.table.role import Role
from house_of_roles import Asked, is_problem, sign_everybody_on
from served import run_for, served

pytestmark = pytest.mark.slow


def asked(work: Any, tmp_path: Path, **settings: Any) -> None:
    """Ask a practice house; it meets no fault of its own."""

    async def inner() -> None:
        async with served(tmp_path, **settings) as (live, address):
            await work(await sign_everybody_on(live, address))
            assert live.metrics.counts.faults == 0

    run_for(inner())


POSTS = (
    "/api/tickets",
    "/api/session",
    "/api/administrator",
    "/api/submissions/check",
    "/api/tables/ma-midi-4/chips",
    "/api/tables/ma-midi-4/acts",
    "/api/books/cage/acts",
)


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"a":' * 10_000, b"[" * 600 + b"]" * 600])
def test_a_body_that_is_nested_too_deeply_is_a_problem(body: bytes, tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for path in POSTS:
            headers = {"Idempotency-Key": command_id()}
            role = Role.PIT_BOSS if "books" in path else Role.PARTICIPANT
            found = await house.ask("POST", path, body, role=role, headers=headers)
            assert found.status == 400, (path, found)
            is_problem(found, 400)

    asked(work, tmp_path)


def test_an_address_that_names_no_page_is_one_that_is_not_there(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        assert (await house.get("/page/house.css")).status == 200
        assert (await house.ask("HEAD", "/page/house.css")).status == 200
        for path in ("a%00b", "a" * 300, "%2e%2e/app.py", "..%2fapp.py", "house.css%00", "", "%ff", "a/" * 200):
            assert (await house.get(f"/page/{path}")).status == 404, path

    asked(work, tmp_path)


AMOUNTS = (
    b'{"amount":1,"amount":5000}',
    b'{"amount":1e3}',
    b'{"amount":100.0}',
    b'{"amount":9007199254740993}',
    b'{"amount":"100"}',
    b'{"amount":true}',
)


def test_chips_are_asked_for_in_one_way_only(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        async def post(path: str, body: Any) -> Any:
            headers = {"Idempotency-Key": command_id()}
            return await house.ask("POST", path, body, role=Role.PARTICIPANT, headers=headers)

        assert (await post("/api/tables/ma-midi-4/acts", {"do": "sit", "seat": 1})).status == 200
        before = house.live.house.state
        for body in AMOUNTS:
            is_problem(await post("/api/tables/ma-midi-4/chips", body), 400)
        assert house.live.house.state == before
        assert (await post("/api/tables/ma-midi-4/chips", b'{"amount":10000}')).status == 200

    asked(work, tmp_path, betting_seconds=3600.0, pace=30.0)


def test_a_house_that_closes_sells_no_chips(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        async def post(path: str, body: Any) -> Any:
            headers = {"Idempotency-Key": command_id()}
            return await house.ask("POST", path, body, role=Role.PARTICIPANT, headers=headers)

        assert (await post("/api/tables/ma-midi-4/acts", {"do": "sit", "seat": 1})).status == 200
        house.live.is_draining = True
        before = house.live.house.state
        found = await post("/api/tables/ma-midi-4/chips", {"amount": 10_000})
        is_problem(found, 503, "closing")
        assert int(found.headers["retry-after"]) > 0
        assert house.live.house.state == before
        house.live.is_draining = False

    asked(work, tmp_path, betting_seconds=3600.0, pace=30.0)
