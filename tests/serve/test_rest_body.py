"""Bodies and addresses that nobody sends by mistake: each is answered with a problem, none with a fault of ours."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.law.rulebook import rulebook
from baccarat.serve.route.page import FILES, MEDIA_TYPES, PAGES
from baccarat.table.role import Role
from house_of_roles import Asked, expect, is_problem, sign_everybody_on
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
        assert (await house.get("/page/css/base.css")).status == 200
        assert (await house.ask("HEAD", "/page/css/base.css")).status == 200
        assert set(MEDIA_TYPES) >= {Path(name).suffix for name in FILES}
        for path in ("a%00b", "a" * 300, "%2e%2e/app.py", "..%2fapp.py", "css/base.css%00", "", "%ff", "a/" * 200):
            assert (await house.get(f"/page/{path}")).status == 404, path

    asked(work, tmp_path)


def test_the_files_of_a_page_come_packed_and_not_again_to_whoever_has_them(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        plain, path = await house.get("/page/words/en.json"), "/page/words/en.json"
        packed = await house.ask("GET", path, headers={"Accept-Encoding": "gzip, br"})
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body == (PAGES / "words" / "en.json").read_bytes()
        assert len(packed.body) < len(plain.body) / 2
        again = await house.ask("GET", path, headers={"If-None-Match": packed.headers["etag"]})
        assert (again.status, again.body) == (304, b"")

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
        for amount in (-5, 0, "100"):
            found = is_problem(await post("/api/tables/ma-midi-4/chips", {"amount": amount}), 400)
            assert [each.partition(":")[0] for each in found.get("faults", ())] == ["amount"], (amount, found)
        assert house.live.house.state == before
        assert (await post("/api/tables/ma-midi-4/chips", b'{"amount":10000}')).status == 200

    asked(work, tmp_path, betting_seconds=3600.0, pace=3600.0)


def test_a_house_that_closes_sells_no_chips(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        async def post(path: str, body: Any) -> Any:
            headers = {"Idempotency-Key": command_id()}
            return await house.ask("POST", path, body, role=Role.PARTICIPANT, headers=headers)

        assert (await post("/api/tables/ma-midi-4/acts", {"do": "sit", "seat": 1})).status == 200
        house.live.readiness.is_draining = True
        before = house.live.house.state
        found = await post("/api/tables/ma-midi-4/chips", {"amount": 10_000})
        is_problem(found, 503, "closing")
        assert int(found.headers["retry-after"]) > 0
        assert house.live.house.state == before
        house.live.readiness.is_draining = False

    asked(work, tmp_path, betting_seconds=3600.0, pace=3600.0)


def test_what_is_no_json_is_said_to_be_none_and_not_to_break_off(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for path in POSTS:
            role = Role.PIT_BOSS if "books" in path else Role.PARTICIPANT
            found = await house.ask("POST", path, b'{"amount":NaN}', role=role)
            assert "Not JSON" in is_problem(found, 400, "unreadable")["detail"], (path, found)
            assert "half" not in found.json["detail"], (path, found)
            cut = await house.ask("POST", path, b'{"amount":1', role=role)
            assert "half of the body" in is_problem(cut, 400, "unreadable")["detail"], (path, cut)

    asked(work, tmp_path)


def test_a_name_that_no_address_can_have_is_refused_with_words(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        filed = msgspec.to_builtins(file_rules(rulebook("ma-midi-4")), enc_hook=str)
        for name in ("T 2/3", "../x", "..", ".", "a\\b", "T ", ""):
            opening = {"do": "open_table", "table": name, "filed": filed, "cards": "real"}
            for role, path, act in (
                (Role.PIT_BOSS, "/api/books/pit%20ma-midi-4/acts", opening),
                (Role.ADMINISTRATOR, "/api/books/house/acts", {"do": "add_pit", "name": name}),
            ):
                found = await house.ask("POST", path, act, role=role, headers={"Idempotency-Key": command_id()})
                assert "addresses contain it" in is_problem(found, 400, "unreadable")["detail"], (name, found)
        for name in ("T 2-3", "Midi #4", "100%", "a?b", "v1.2"):
            pit = {"do": "add_pit", "name": name}
            key = {"Idempotency-Key": command_id()}
            assert (
                await house.ask("POST", "/api/books/house/acts", pit, role=Role.ADMINISTRATOR, headers=key)
            ).status == 200
            path = f"/api/books/{quote(f'pit {name}', safe='')}/acts"
            key = {"Idempotency-Key": command_id()}
            opening = {"do": "open_table", "table": f"table {name}", "filed": filed, "cards": "real"}
            await expect(house, 200, path, opening, Role.PIT_BOSS, key)
            assert (await house.get(f"/api/tables/{quote(f'table {name}', safe='')}")).status == 200, name

    asked(work, tmp_path)
