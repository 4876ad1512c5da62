"""Pit consoles over HTTP: a device proves itself, a person signs on at it, it locks and is unlocked; passwords."""

from __future__ import annotations

import base64
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from access_house import CHEAP, PASSWORD, SetClock, allowed
from baccarat.serve.access.base import MINUTE, SystemClock
from baccarat.serve.access.device import enrolment_code
from baccarat.serve.access.person import add_person
from baccarat.serve.live import HouseServer
from baccarat.table.role import Role
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
NEW = "another good password"


async def somebody(live: HouseServer) -> None:
    """A dealer whose password is Ana's."""
    hashed = CHEAP.hash(PASSWORD)
    allowed(await live.desk.change(
        lambda reads, now: add_person(
            reads, live.store.id, name="ana", roles={Role.DEALER}, now=now, password=hashed
        )
    ))  # fmt: skip


async def enrolled(live: HouseServer, http: httpx.AsyncClient) -> str:
    """A device of a table; its id."""
    code = allowed(await live.desk.change(lambda _reads, now: enrolment_code(TABLE, by="", now=now)))
    public = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    made = await http.post("/api/devices", json={"code": code.reveal(), "key": base64.b64encode(public).decode()})
    assert made.status_code == 201, made.text
    id_: str = made.json()["id"]
    return id_


async def sign_on(http: httpx.AsyncClient, device: str = "", key: Ed25519PrivateKey = KEY) -> httpx.Response:
    """Sign on, at a device where one is named; what it signs is written out here as the page on access says it."""
    body: dict[str, object] = {"name": "ana", "password": PASSWORD, "role": "dealer"}
    if device:
        given = (await http.post(f"/api/devices/{device}/challenge")).json()
        nonce = base64.b64decode(given["challenge"])
        signed = f"baccarat/device/1\n{given['house']}\n{device}\n{nonce.hex()}\n".encode()
        signature = base64.b64encode(key.sign(signed)).decode()
        body["proof"] = {"device": device, "challenge": given["challenge"], "signature": signature}
    return await http.post("/api/session", json=body)


def test_a_person_signs_on_at_a_device_which_locks_and_is_unlocked(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), httpx.AsyncClient(base_url=address) as http:
            clock = SetClock(SystemClock().wall(), SystemClock().steady())
            live.desk._clock = live.desk.recognition.clock = clock
            await somebody(live)
            device = await enrolled(live, http)
            made = await sign_on(http, device)
            assert (made.status_code, made.json()["table"]) == (201, TABLE)
            other = await http.post("/api/tickets", json={"table": "nj-punto-banco"})
            assert (other.status_code, other.json()["code"]) == (403, "other_table")
            assert (await http.post("/api/tickets", json={"table": TABLE})).status_code == 201
            assert (await http.post("/api/house-tickets")).status_code == 201, "the whole house is no other table"

            clock.go(5 * MINUTE)
            assert (await http.get("/api/session")).status_code == 423
            assert (await http.post("/api/house-tickets")).status_code == 423
            wrong = await http.post("/api/session/unlock", json={"password": "wrong wrong wrong"})
            assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_sign_on")
            assert (await http.get("/api/session")).status_code == 423
            assert (await http.post("/api/session/unlock", json={"password": PASSWORD})).status_code == 200
            assert (await http.get("/api/session")).status_code == 200
            clock.go(5 * MINUTE)
            assert (await http.delete("/api/session")).status_code == 204, "one may sign off at a locked console"
            assert (await http.get("/api/session")).status_code == 401
            assert (await http.post("/api/session/unlock", json={"password": PASSWORD})).status_code == 401

    run_for(work())


def test_a_device_that_does_not_prove_itself_binds_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), httpx.AsyncClient(base_url=address) as http:
            await somebody(live)
            device = await enrolled(live, http)
            forged = await sign_on(http, device, Ed25519PrivateKey.generate())
            assert (forged.status_code, forged.json()["code"]) == (403, "wrong_proof")
            for unknown in ("device-" + "0" * 32, "%00", "x" * 90, "\u00e9"):
                found = await sign_on(http, unknown)
                assert found.status_code in (400, 403, 404), found.text
            given = {"device": device, "challenge": "no base64 !", "signature": "***"}
            body = {"name": "ana", "password": PASSWORD, "role": "dealer", "proof": given}
            found = await http.post("/api/session", json=body)
            assert (found.status_code, found.json()["code"]) == (403, "wrong_proof")
            assert len(live.desk.challenges) <= 1, "what nobody can answer is not remembered"
            assert "baccarat" not in http.cookies

    run_for(work())


def test_whoever_is_signed_on_changes_the_password(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), httpx.AsyncClient(base_url=address) as http:
            await somebody(live)
            assert (await sign_on(http)).status_code == 201
            for old, new, status in (("wrong wrong wrong", NEW, 401), (PASSWORD, "short", 400), (PASSWORD, NEW, 204)):
                found = await http.post("/api/session/password", json={"old": old, "new": new})
                assert found.status_code == status, found.text
                assert NEW not in found.text
                assert PASSWORD not in found.text
            assert (await http.get("/api/session")).status_code == 401, "the session has ended"
            http.cookies.clear()
            assert (await sign_on(http)).status_code == 401
            again = await http.post("/api/session", json={"name": "ana", "password": NEW, "role": "dealer"})
            assert again.status_code == 201

    run_for(work())
