"""Receipts over HTTP: of one's own acts, as soon as a signed checkpoint covers them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import forked
from baccarat.client import Client
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.key import KeyKind, Signer
from baccarat.record.receipt import Receipt, read_receipt
from baccarat.serve.setting import Mode
from baccarat.table.role import Role
from house_of_roles import Asked, is_problem, sign_everybody_on
from played import play_round
from served import run_for, served

pytestmark = pytest.mark.slow
OWN = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
RECEIPTS = "/api/tables/ma-midi-4/receipts"


def with_a_round(work: Any, tmp_path: Path, *, signs: bool = True, **setting: Any) -> None:
    """Ask a house in which a visitor has played a round."""
    if signs:
        (tmp_path / "sign.key").write_text(OWN.secret)
        (tmp_path / "sign.key").chmod(0o600)
        setting["sign_key"] = str(tmp_path / "sign.key")

    async def inner() -> None:
        async with served(tmp_path, **setting) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await live.house.writer.wait_until_flushed()
                await work(live, house, client)

    run_for(inner())


def bodies_of(live: Any) -> list[bytes]:
    return [row.body for row in live.store.entries("table ma-midi-4", after=-1, limit=100_000)]


def test_a_receipt_of_a_wager_is_what_the_program_checks_and_holds_against_the_journal(tmp_path: Path) -> None:
    async def work(live: Any, house: Asked, _client: Client) -> None:
        bodies = bodies_of(live)
        seq = next(index for index, body in enumerate(bodies) if b'"do":"place_wager"' in body)
        answer = await house.get(f"{RECEIPTS}/{seq}", role=Role.PARTICIPANT)
        assert answer.status == 200, answer
        found = read_receipt(answer.body)
        assert (found.index, found.body) == (seq, bodies[seq])
        (tmp_path / "wager.receipt").write_bytes(answer.body)
        (tmp_path / "journal.jsonl").write_bytes((await house.get("/api/streams/table%20ma-midi-4/journal")).body)

    with_a_round(work, tmp_path)
    key = ("--key", str(OWN.verifier))
    receipt = str(tmp_path / "wager.receipt")
    assert forked.run("journal", "check", receipt, *key).returncode == 0
    shown = forked.run("verify", str(tmp_path / "journal.jsonl"), *key, "--receipt", receipt)
    assert b"is what the receipt shows" in b" ".join(shown.stdout.split()), shown.stdout.decode()


def test_what_is_not_there_or_not_signed_has_no_receipt(tmp_path: Path) -> None:
    async def work(live: Any, house: Asked, _client: Client) -> None:
        signed = live.store.latest_checkpoint("table ma-midi-4").size
        assert is_problem(await house.get(f"{RECEIPTS}/0", role=Role.PARTICIPANT), 404, "no_such_record")
        assert is_problem(await house.get(f"{RECEIPTS}/999999", role=Role.PARTICIPANT), 404, "no_such_record")
        assert is_problem(await house.get("/api/tables/nowhere/receipts/1", role=Role.PARTICIPANT), 404)
        late = len(bodies_of(live)) - 1
        answer = await house.get(f"{RECEIPTS}/{late}", role=Role.PARTICIPANT)
        if late >= signed:
            assert is_problem(answer, 409, "not_signed_yet")
        else:
            assert answer.status == 200

    with_a_round(work, tmp_path)


def test_a_house_that_signs_nothing_gives_no_receipt(tmp_path: Path) -> None:
    async def work(_live: Any, house: Asked, _client: Client) -> None:
        assert is_problem(await house.get(f"{RECEIPTS}/1", role=Role.PARTICIPANT), 404, "no_signer")

    with_a_round(work, tmp_path, signs=False)


def test_a_receipt_reads_as_its_record(tmp_path: Path) -> None:
    async def work(live: Any, house: Asked, _client: Client) -> None:
        answer = await house.get(f"{RECEIPTS}/1", role=Role.SURVEILLANCE)
        assert answer.status == 200, answer
        made: Receipt = read_receipt(answer.body)
        assert isinstance(read_body(made.body), ActRecord)
        assert made.body == bodies_of(live)[1]

    with_a_round(work, tmp_path)


def test_in_a_house_for_real_tables_only_ones_own_acts_have_receipts(tmp_path: Path) -> None:
    async def work(live: Any, house: Asked, client: Client) -> None:
        live.setting = replace(live.setting, mode=Mode.PRODUCTION)
        bodies = bodies_of(live)
        wager = next(index for index, body in enumerate(bodies) if b'"do":"place_wager"' in body)
        result = next(index for index, body in enumerate(bodies) if b'"event":"result_announced"' in body)
        own = client._token
        assert (await house.get(f"{RECEIPTS}/{wager}", token=own)).status == 200
        assert is_problem(await house.get(f"{RECEIPTS}/{wager}", role=Role.PARTICIPANT), 403, "not_yours")
        assert is_problem(await house.get(f"{RECEIPTS}/{wager}", role=Role.DEALER), 403, "not_yours")
        assert (await house.get(f"{RECEIPTS}/{wager}", role=Role.REGULATOR)).status == 200
        assert (await house.get(f"{RECEIPTS}/{result}", token=own)).status == 200
        assert is_problem(await house.get(f"{RECEIPTS}/{result}", role=Role.CAGE_CASHIER), 403, "not_yours")
        assert (await house.get(f"{RECEIPTS}/{wager}")).status == 401

    with_a_round(work, tmp_path)
