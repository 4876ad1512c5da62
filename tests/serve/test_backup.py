"""Copies of a house while it is served, checked to the last hash, and the way back into a new file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import make_app
from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.note import read_note
from baccarat.record.origin import origin_of
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.signing_key import read_signer
from baccarat.serve.store.sqlite import SqliteStore
from playing import SEAT, play_rounds, sit_down
from served import audited, run_for, served
from served_program import QUICK, Program

pytestmark = pytest.mark.slow
HOUSE, TABLE = "example.org/house", "ma-midi-4"
STREAM = table_stream(TABLE)


def program(verb: str, *arguments: str | Path) -> Result:
    """A verb of the program, in this process."""
    return CliRunner().invoke(make_app(verb), [verb, *map(str, arguments)])


async def backed_up(folder: Path, name: str = "copy.db") -> dict[str, Any]:
    """A copy of the house in a folder, made while it is served."""
    found = await asyncio.to_thread(program, "backup", folder / name, "--db", folder / "house.db", "--json")
    assert found.exit_code == 0, found.stderr
    said: dict[str, Any] = json.loads(found.stdout)
    return said


def signing(folder: Path) -> dict[str, Any]:
    """Settings of a house that signs, whose key lies elsewhere."""
    key = folder / "keys" / "sign.key"
    if not key.exists():
        key.parent.mkdir()
        assert program("journal", "key", key, "--new", HOUSE).exit_code == 0
    return {"house": HOUSE, "sign_key": str(key)}


async def house_with_copy(folder: Path, *, after: int = 1) -> tuple[dict[str, Any], dict[str, int], bytes]:
    """Play, copy, and play on: what the copy says, how long the streams were in the end, and the last checkpoint."""
    async with served(folder, **signing(folder)) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            await sit_down(client, table)
            await play_rounds(table, 2)
            live.keep_snapshot(after=1)
            await play_rounds(table, 1)
            copying = asyncio.create_task(backed_up(folder))
            await play_rounds(table, after)
            said = await copying
        await live.house.writer.wait_until_flushed()
        note = live.store.latest_checkpoint(STREAM)
        assert note is not None
        return said, sizes(live), note.note


def sizes(live: HouseServer) -> dict[str, int]:
    """How many entries each stream has."""
    return {stream: head.seq + 1 for stream, head in live.store.heads().items()}


def test_a_copy_made_while_it_is_served_opens_plays_on_and_passes_the_audit(tmp_path: Path) -> None:
    async def work() -> None:
        said, in_the_end, _ = await house_with_copy(tmp_path)
        assert said["streams"].keys() == in_the_end.keys()
        assert 2 < said["streams"][STREAM] < in_the_end[STREAM]
        assert said["signed"] >= 1
        assert said["until"].endswith("+00:00")
        other = tmp_path / "other"
        other.mkdir()
        (other / "seal.key").write_bytes((tmp_path / "seal.key").read_bytes())
        (other / "seal.key").chmod(0o600)
        found = program("restore", tmp_path / "copy.db", "--db", other / "house.db")
        assert found.exit_code == 0, found.stderr
        assert f"{said['entries']:,} entries in {len(said['streams'])} streams, up to " in found.stdout
        told = " ".join(found.stderr.split())
        assert "Whatever came later is missing" in told
        assert f"table {TABLE}: shoe 1 was in play; cards may have been seen since" in told
        async with served(other, **signing(tmp_path)) as (live, address), Client(address) as client:
            assert sizes(live) == said["streams"]
            await client.visit()
            async with client.table(TABLE) as table:
                await table.until(lambda view: view["state"]["step"] == "wager")
            await live.house.writer.wait_until_flushed()
            audited(live, other)

    run_for(work())


def test_a_house_that_was_killed_is_copied_with_all_that_it_answered(tmp_path: Path) -> None:
    answered: list[int] = []
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as killed:
        address = killed.address()

        async def work() -> None:
            async with Client(address) as client:
                await client.visit()
                async with client.table(TABLE) as table:
                    await sit_down(client, table)
                    await play_rounds(table, 2)
                    answered.append((await table.do("leave", seat=SEAT)).seq)
                    killed.process.kill()

        run_for(work())
    db = tmp_path / "baccarat-house" / "house.db"
    assert db.with_name("house.db-wal").stat().st_size > 0, "it had no time to tidy up"
    found = program("backup", tmp_path / "copy.db", "--db", db, "--json")
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout)["streams"][STREAM] > answered[0] > 0
    back = program("restore", tmp_path / "copy.db", "--db", tmp_path / "new.db", "--json")
    assert json.loads(back.stdout)["streams"] == json.loads(found.stdout)["streams"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path / "house.db").close()
    assert program("backup", tmp_path / "copy.db", "--db", tmp_path / "house.db").exit_code == 0
    before = (tmp_path / "house.db").read_bytes()
    again = program("backup", tmp_path / "copy.db", "--db", tmp_path / "house.db")
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)
    over = program("restore", tmp_path / "copy.db", "--db", tmp_path / "house.db")
    assert (over.exit_code, "never overwritten" in " ".join(over.stderr.split())) == (2, True)
    (tmp_path / "gone.db-wal").write_bytes(b"left behind")
    beside = program("restore", tmp_path / "copy.db", "--db", tmp_path / "gone.db")
    assert (beside.exit_code, "gone.db-wal" in beside.stderr) == (2, True)
    assert (tmp_path / "house.db").read_bytes() == before
    assert not (tmp_path / "gone.db").exists()


@pytest.mark.parametrize("what", ["no such file", "not a store", "a folder missing"])
def test_what_cannot_be_copied_is_told(what: str, tmp_path: Path) -> None:
    house, out = tmp_path / "house.db", tmp_path / "copy.db"
    if what == "not a store":
        house.write_text("a shopping list")
    elif what == "a folder missing":
        SqliteStore.open(house).close()
        out = tmp_path / "nowhere" / "copy.db"
    found = program("backup", out, "--db", house)
    assert found.exit_code == 2
    assert not out.exists()
    assert len(found.stderr.split(": ")) > 1


@pytest.mark.parametrize("table", ["entry", "snapshot", "head"])
def test_a_copy_that_was_changed_is_not_brought_back(table: str, tmp_path: Path) -> None:
    async def work() -> None:
        await house_with_copy(tmp_path)

    run_for(work())
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        change = {
            "entry": "update entry set body = cast(replace(body, 'player', 'banker') as blob) where position = "
            "(select max(position) from entry where instr(body, 'player'))",
            "snapshot": "update snapshot set body = cast(replace(body, '2500', '9900') as blob)",
            "head": "update head set events = events + 1 where seq = (select max(seq) from head)",
        }[table]
        assert copy.execute(change).rowcount >= 1
    copy.close()
    found = program("restore", tmp_path / "copy.db", "--db", tmp_path / "new.db")
    assert found.exit_code == 2, found.stdout
    assert not (tmp_path / "new.db").exists()
    assert not list(tmp_path.glob(".new.db*")), "nothing half done is left"


def test_what_came_after_the_copy_is_counted_by_a_checkpoint_kept_elsewhere(tmp_path: Path) -> None:
    async def work() -> None:
        said, in_the_end, note = await house_with_copy(tmp_path, after=2)
        kept = tmp_path / "witnessed.checkpoint"
        kept.write_bytes(note)
        size = int(read_note(note).text.split("\n")[1])
        assert size <= in_the_end[STREAM]
        arguments: list[str | Path] = [
            tmp_path / "copy.db",
            "--db",
            tmp_path / "new.db",
            "--house",
            HOUSE,
            "--checkpoint",
            kept,
        ]
        found = program("restore", *arguments, "--json")
        assert found.exit_code == 0, found.stderr
        assert json.loads(found.stdout)["missing"] == {
            origin_of(HOUSE, STREAM): size - said["streams"][STREAM],
        }

    run_for(work())
    signer = read_signer(tmp_path / "keys" / "sign.key").with_name(origin_of(HOUSE, STREAM))
    forked = sign_checkpoint(Checkpoint(origin=signer.verifier.name, size=2, root=b"\1" * 32), signer)
    (tmp_path / "forked.checkpoint").write_bytes(bytes(forked))
    arguments: list[str | Path] = [tmp_path / "copy.db", "--db", tmp_path / "newer.db", "--house", HOUSE]
    found = program("restore", *arguments, "--checkpoint", tmp_path / "forked.checkpoint")
    assert found.exit_code == 1
    assert not (tmp_path / "newer.db").exists()
