"""A house restored from an older copy continues under the names of successors, which its witness admits by hand."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from acting import acting
from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import make_bundle
from baccarat.audit.bundle.shoe_checks import ORDERS
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.cli import make_app
from baccarat.client import Client
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.note import SignedNote, read_note
from baccarat.record.policy import policy_of_keys
from baccarat.serve.job.cosigning import ask_for_all
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.signing_key import house_signers
from baccarat.serve.runtime.witness_exchange import cosigned_note, newest_note
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.journal_export import signed_journal
from baccarat.table.base import Accepted
from baccarat.table.role import Role
from baccarat.table.step.abandoning import AbandonShoe
from bundles import source_of
from playing import play_rounds, sit_down
from running_witness import HOUSE, RunningWitness, settings, witnesses
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow
TABLE = "ma-midi-4"
STREAM = Stream(f"table {TABLE}")
ORIGIN = f"example.org/house/table/{TABLE}"


def program(verb: str, *arguments: str | Path) -> Result:
    """A verb of the program, in this process."""
    return CliRunner().invoke(make_app(verb), [verb, *map(str, arguments)])


async def played_copied_and_played_on(folder: Path, witness: RunningWitness) -> None:
    """A house in whose lost part the witness has cosigned every stream."""
    async with served(folder, **settings(folder, [witness])) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            await sit_down(client, table)
            await play_rounds(table, 1)
            found = await asyncio.to_thread(program, "backup", folder / "copy.db", "--db", folder / "house.db")
            assert found.exit_code == 0, found.stderr
            await play_rounds(table, 1)
        assert live.house.signers is not None
        live.house.journal.sign_grown(live.house.signers)
        await live.house.writer.wait_until_flushed()
        assert set((await ask_for_all(live, witness.key, witness.address)).values()) == {"cosigned"}


def restored(folder: Path, name: str, checkpoints: Sequence[Path]) -> dict[str, int]:
    """Restore the copy with its keys in a folder of its own; returns how many signed entries each log lacks."""
    (folder / name).mkdir()
    shutil.copy2(folder / "seal.key", folder / name / "seal.key")
    words: list[str | Path] = [folder / "copy.db", "--db", folder / name / "house.db", "--house", "example.org/house"]
    for each in checkpoints:
        words += ["--checkpoint", each]
    found = program("restore", *words, "--json")
    assert found.exit_code == 0, found.stderr
    missing: dict[str, int] = json.loads(found.stdout)["missing"]
    return missing


def admitted(folder: Path, witness: RunningWitness, origins: Sequence[str]) -> list[Path]:
    """A person admits each successor at the witness, and the house gets the checkpoints that were last cosigned."""
    (folder / "house.pub").write_text(f"{HOUSE.verifier}\n")
    (folder / "witness.key").write_text(f"{witness.secret}\n")
    (folder / "witness.key").chmod(0o600)
    files = []
    for number, origin in enumerate(origins):
        found = program(
            "witness", "--admit", f"{origin}/2", "--key", folder / "witness.key", "--memory", witness.folder,
            "--house", folder / "house.pub", "--json",
        )  # fmt: skip
        assert found.exit_code == 0, found.stderr
        files.append(folder / f"lost-{number}.checkpoint")
        files[-1].write_text(json.loads(found.stdout)["last_cosigned"])
    return files


async def next_shoe_sealed(live: HouseServer, address: str) -> None:
    """The shoe that was in play is abandoned, and the next one is sealed."""
    async with Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as joined:
            assert (await joined.do("sit", seat=4)).is_done
            table = live.house.table(TABLE)
            command = AbandonShoe(reason="the house was restored: its cards may have been seen")
            actor = acting(table, command, who="f1", second="s1", second_role=Role.CASINO_SUPERVISOR)
            outcome = table.do(command, actor)
            assert isinstance(outcome, Accepted), outcome
            live.rooms.note_act(TABLE, "f1")
            await soon(lambda: table.state.shoe.number == 1 and bool(table.state.shoe.root))
    await live.house.writer.wait_until_flushed()


def newest(live: HouseServer) -> SignedNote:
    """The newest checkpoint of the table."""
    note = newest_note(live.store, STREAM)
    assert note is not None
    return note


def test_a_house_restored_from_an_older_copy_continues_under_successors(tmp_path: Path) -> None:
    """From the backup to a cosigned checkpoint of the successor."""

    async def work(witness: RunningWitness) -> None:
        await played_copied_and_played_on(tmp_path, witness)
        remembered = sorted(witness.folder.glob("*.checkpoint"))
        missing = restored(tmp_path, "as it was", remembered)
        assert missing[ORIGIN] > 0
        # Under the old name the witness refuses it: there would be two histories.
        keys = settings(tmp_path, [witness])
        async with served(tmp_path / "as it was", **keys) as (live, _):
            assert live.house.signers is not None
            live.house.journal.sign(STREAM, live.house.signers)
            await live.house.writer.wait_until_flushed()
            outcomes = await ask_for_all(live, witness.key, witness.address)
            assert outcomes[STREAM].startswith("the newest checkpoint covers"), "fewer than it has cosigned"
        # A person admits the successors; the house names the checkpoints that it continues from.
        files = admitted(tmp_path, witness, list(missing))
        assert restored(tmp_path, "again", files) == missing
        keys["lost_logs"] = ", ".join(map(str, files))
        async with served(tmp_path / "again", **keys) as (live, address):
            await next_shoe_sealed(live, address)
            await check_successor(live, witness, files[list(missing).index(ORIGIN)])
            audited(live, tmp_path)
        async with served(tmp_path / "again", **keys) as (live, _):
            assert read_checkpoint(newest(live)).origin == f"{ORIGIN}/2", "the next start keeps the name"
        keys.pop("lost_logs")
        with pytest.raises(StoreError, match="lost_logs"):
            async with served(tmp_path / "again", **keys):
                pass

    with witnesses(tmp_path, ["surveillance"]) as (witness,):
        run_for(work(witness))


async def check_successor(live: HouseServer, witness: RunningWitness, lost: Path) -> None:
    """The log has the successor's name, names the last cosigned checkpoint, and is cosigned and verified to its end."""
    assert live.house.signers is not None
    live.house.journal.sign_grown(live.house.signers)
    await live.house.writer.wait_until_flushed()
    outcomes = await ask_for_all(live, witness.key, witness.address)
    assert set(outcomes.values()) == {"cosigned"}
    before, now = read_checkpoint(read_note(lost.read_bytes())), read_checkpoint(newest(live))
    line = f"baccarat/successor-of/v1 {ORIGIN} {before.size} {to_base64(before.root)}"
    assert (now.origin, now.extensions) == (f"{ORIGIN}/2", (line,))
    cosigned = cosigned_note(live.store, STREAM, witness.key)
    assert cosigned is not None
    assert read_checkpoint(cosigned) == now
    bundle = make_bundle(
        source_of(b"".join(signed_journal(live.store))), Scope(kind="all", stream=STREAM), note=cosigned
    )
    keys = [HOUSE.verifier, witness.key, witness.shares.verifier]
    verdict = verify_bundle(bundle, policy=policy_of_keys(keys))
    assert not [check for check in verdict.checks if check.state == "wrong"]
    gaps = [check.say for check in verdict.checks if check.is_gap]
    assert all("shoe 2" in each for each in gaps), "only the shoe in play, of which no round was played, is not covered"
    orders = [check.say for check in verdict.checks if check.name == ORDERS]
    assert orders[0] == "order of shoe 1: 1 witness named, 1 shown", "under the name before"


def note_file(path: Path, **fields: Any) -> str:
    """A file with a checkpoint that the house has signed."""
    signer = HOUSE.with_name(fields["origin"])
    path.write_bytes(bytes(sign_checkpoint(Checkpoint(size=3, root=bytes(32), **fields), signer)))
    return str(path)


def test_which_successor_a_log_is_follows_from_the_checkpoints_that_are_named(tmp_path: Path) -> None:
    key = settings(tmp_path, [])["sign_key"]
    two, house = Stream("table 2"), "example.org/house"
    first = note_file(tmp_path / "first", origin=f"{house}/table/2")
    second = note_file(tmp_path / "second", origin=f"{house}/table/2/2")
    for files, name in (("", ""), (first, "/2"), (f"{second},{first}", "/3"), (second, "/3")):
        signers = house_signers(key, lost_logs=files)
        assert signers is not None
        assert signers(two).verifier.name == f"{house}/table/2{name}"
        assert signers(Stream("table 1")).verifier.name == f"{house}/table/1"
        assert len(signers.extensions(two)) == bool(name)
    for wrong in ("example.org/other/table/2", "example.org/house/table/2/2/2", "example.org/house/kitchen"):
        with pytest.raises(StoreError, match="is not the log of a stream"):
            house_signers(key, lost_logs=note_file(tmp_path / "wrong", origin=wrong))
    (tmp_path / "forged").write_bytes((tmp_path / "first").read_bytes().replace(b"\n3\n", b"\n4\n"))
    for file in ("forged", "sign.key", "nothing"):
        with pytest.raises(StoreError, match="checkpoint"):
            house_signers(key, lost_logs=str(tmp_path / file))
