"""The witness exchange over HTTP: the house asks, a witness cosigns, the house keeps it, and anybody can check it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from baccarat.audit.journal import audit_journals
from baccarat.client import Client
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.note import read_note
from baccarat.record.policy import policy_of_keys
from baccarat.record.witness import CONFLICT, OK, Witness
from baccarat.record.witness_folder import FolderMemory
from baccarat.table.role import Role
from house_of_roles import Asked, is_problem, sign_everybody_on
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow

STREAM = "/api/streams/table%20ma-midi-4"
SECOND_ROUND = 2


def with_keys(work: Any, tmp_path: Path) -> None:
    """Ask a house that signs, and knows a witness; a visitor plays a round before, and one when told to."""
    own = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
    witness = Signer("example.org/surveillance", KeyKind.WITNESS, bytes(range(1, 33)))
    (tmp_path / "memory").mkdir()
    (tmp_path / "sign.key").write_text(own.secret)
    (tmp_path / "sign.key").chmod(0o600)
    (tmp_path / "witness.pub").write_text(f"{witness.verifier}\n")

    async def inner() -> None:
        keys: dict[str, Any] = {"sign_key": str(tmp_path / "sign.key"), "witness_keys": str(tmp_path / "witness.pub")}
        async with served(tmp_path, **keys) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)

                async def more() -> None:
                    await next_round(table)
                    await live.house.writer.wait_until_flushed()

                await live.house.writer.wait_until_flushed()
                await work(house, witness, more)

    run_for(inner())


async def log_key(house: Asked) -> Verifier:
    """The public key of the table's log, as the house tells it."""
    return Verifier.parse((await house.get("/api/keys")).json["logs"]["table ma-midi-4"])


def test_a_witness_cosigns_what_has_only_grown_and_the_house_shows_it(tmp_path: Path) -> None:
    async def work(house: Asked, signer: Signer, more: Any) -> None:
        key = await log_key(house)
        assert key.name == "example.org/house/table/ma-midi-4"
        witness = Witness(signer, {key.name: [key]}, FolderMemory(tmp_path / "memory", signer.verifier))
        old = 0
        for _ in range(2):
            asked = await house.get(f"{STREAM}/witness-request?old={old}", role=Role.SURVEILLANCE)
            answer = witness.answer(asked.body, now=1_800_000_000)
            assert answer.status == OK, answer
            lines = answer.body.splitlines()
            kept = await house.ask("POST", f"{STREAM}/cosignatures", {"lines": lines}, role=Role.SURVEILLANCE)
            assert kept.status == 201, kept
            shown = read_note((await house.get(f"{STREAM}/checkpoint")).body)
            assert set(shown.verified_signatures([key, signer.verifier])) == {key, signer.verifier}
            assert read_checkpoint(shown).size > old
            old = read_checkpoint(shown).size
            await more()
        told = (await house.get(f"{STREAM}/signed", role=Role.REGULATOR)).json
        assert [each["name"] for each in told["cosigned"][0]["signed"]] == [key.name, signer.verifier.name]
        assert [each.get("at", 0) for each in told["cosigned"][0]["signed"]] == [0, 1_800_000_000], (
            "a witness says when"
        )
        assert told["cosigned"][0]["size"] == old <= told["newest"]["size"] <= told["entries"]
        assert told["witnesses"] == [signer.verifier.name]
        late = await house.get(f"{STREAM}/witness-request?old=1", role=Role.SURVEILLANCE)
        assert witness.answer(late.body, now=1_800_000_000).status == CONFLICT
        pages = (await house.get(f"{STREAM}/checkpoints")).json["checkpoints"]
        assert [each["size"] for each in pages] == sorted(each["size"] for each in pages)

    with_keys(work, tmp_path)


def test_a_cosignature_that_is_not_over_the_newest_checkpoint_is_not_taken(tmp_path: Path) -> None:
    async def work(house: Asked, signer: Signer, more: Any) -> None:
        key = await log_key(house)
        witness = Witness(signer, {key.name: [key]}, FolderMemory(tmp_path / "memory", signer.verifier))
        asked = await house.get(f"{STREAM}/witness-request", role=Role.SURVEILLANCE)
        lines = witness.answer(asked.body, now=1_800_000_000).body.splitlines()
        await more()
        path = f"{STREAM}/cosignatures"
        is_problem(await house.ask("POST", path, {"lines": lines}, role=Role.SURVEILLANCE), 409, "not_cosigned")
        size = read_checkpoint(read_note(asked.body.partition(b"\n\n")[2])).size
        late = await house.ask("POST", path, {"lines": lines, "size": size}, role=Role.SURVEILLANCE)
        assert late.status == 201, "a cosignature over the checkpoint that was asked about is taken later, too"
        other = await house.ask("POST", path, {"lines": lines, "size": size + 1}, role=Role.SURVEILLANCE)
        is_problem(other, 409, "not_cosigned")
        own = str(read_note((await house.get(f"{STREAM}/checkpoint")).body).signatures[0]).strip()
        is_problem(await house.ask("POST", path, {"lines": [own]}, role=Role.SURVEILLANCE), 409, "not_cosigned")
        is_problem(await house.ask("POST", path, {"lines": ["what"]}, role=Role.SURVEILLANCE), 400, "unreadable")
        beyond = await house.get(f"{STREAM}/witness-request?old=100000", role=Role.SURVEILLANCE)
        is_problem(beyond, 409, "no_proof")

    with_keys(work, tmp_path)


def test_a_book_is_signed_when_somebody_asks(tmp_path: Path) -> None:
    async def work(house: Asked, signer: Signer, more: Any) -> None:
        del signer, more
        path = "/api/streams/house/checkpoint"
        is_problem(await house.get(path, role=Role.REGULATOR), 404, "no_checkpoint")
        signed = await house.ask("POST", path, role=Role.REGULATOR)
        assert signed.status == 201, signed
        assert (await house.get(path, role=Role.REGULATOR)).body == signed.body
        assert read_checkpoint(read_note(signed.body)).origin == "example.org/house/house"

    with_keys(work, tmp_path)


def test_a_signed_round_comes_as_a_signed_bundle(tmp_path: Path) -> None:
    async def work(house: Asked, signer: Signer, more: Any) -> None:
        del signer, more
        bundle = (await house.get("/api/tables/ma-midi-4/shoes/1/rounds/1/bundle")).json
        key = await log_key(house)
        assert bundle["keys"] == [str(key)]
        assert set(read_note(bundle["checkpoint"].encode()).verified_signatures([key])) == {key}

    with_keys(work, tmp_path)


def test_the_journal_of_the_whole_house_has_every_checkpoint(tmp_path: Path) -> None:
    async def work(house: Asked, _signer: Signer, more: Any) -> None:
        await more()
        signed = (await house.get(f"{STREAM}/checkpoints")).json["checkpoints"]
        single = set[bytes]()
        for stream in (await house.get("/api/streams")).json["streams"]:
            single |= set((await house.get(f"/api/streams/{quote(stream['name'])}/journal")).body.splitlines())
        whole = (await house.get("/api/journal")).body  # read last: the house may have gone on meanwhile
        assert signed
        assert len([line for line in single if line.startswith(b'{"checkpoint"')]) >= len(signed)
        assert single <= set(whole.splitlines())
        path = tmp_path / "fetched.jsonl"
        path.write_bytes(whole)
        keys = [Verifier.parse(key) for key in (await house.get("/api/keys")).json["logs"].values()]
        report = audit_journals([path], policy=policy_of_keys(keys))
        assert not report.findings, report.findings[:3]

    with_keys(work, tmp_path)
