"""Archives: a shoe or a day taken out of a house as files that anybody can check, for as long as they are kept."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.audit.bundle.form import day_of
from baccarat.audit.journal import audit_journals
from baccarat.cli import make_app
from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.serve.job.upkeep import do_upkeep
from playing import play_rounds, sit_down
from production_house import HOUSE
from served import run_for, served

pytestmark = pytest.mark.slow
TABLE, OTHER = "ma-midi-4", "ma-midi-4-ez"
SEED = "the seed of shoe 1 is not shown: the shoe was not over, or it was left out"
DAY = "it is not known whether more was done on that day, before the first record or after the last"


def program(verb: str, *arguments: str | Path) -> Result:
    """A verb of the program, in this process."""
    return CliRunner().invoke(make_app(verb), [verb, *map(str, arguments)])


def keys_of(folder: Path) -> tuple[dict[str, Any], Path]:
    """The settings of a house that signs, and the file of its public key."""
    secret, public = folder / "sign.key", folder / "house.pub"
    made = program("journal", "key", secret, "--new", HOUSE)
    public.write_text(made.stdout)
    return {"house": HOUSE, "sign_key": str(secret)}, public


def archived(folder: Path, name: str, public: Path, *scope: str) -> bool:
    """Take something out of the house in a folder."""
    arguments = (folder / name, "--db", folder / "house.db", "--table", TABLE, "--key", public)
    found = program("archive", *arguments, *scope)
    assert found.exit_code == 0, found.stderr
    return "signed; verified" in " ".join(found.stdout.split())


def test_a_table_and_a_day_are_archived_and_verify_without_the_house(tmp_path: Path) -> None:
    settings, public = keys_of(tmp_path)

    async def work() -> None:
        async with served(tmp_path, **settings) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                await sit_down(client, table)
                await play_rounds(table, 3)
                await live.house.writer.wait_until_flushed()
                assert await asyncio.to_thread(archived, tmp_path, "whole", public)
                record = live.store.entries(table_stream(TABLE), after=0, limit=1)[0]
        day = day_of(json.loads(record.body)["at"])  # what is closed is signed to the last entry
        assert archived(tmp_path, "day", public, "--day", day)

    run_for(work())
    for name, gaps in (("day", [DAY, SEED]), ("whole", [SEED])):
        files = {path.name for path in (tmp_path / name).iterdir()}
        assert files == {"house.jsonl", "bundle.json", "checkpoint", "keys.pub"}
        checked = program("verify", tmp_path / name / "bundle.json", "--key", tmp_path / name / "keys.pub")
        assert checked.exit_code == 3, checked.output
        said = [line.strip() for line in checked.output.splitlines()]
        assert [line for line in said if "not covered: " in line] == [f"– not covered: {gap}" for gap in gaps]
        assert not audit_journals([tmp_path / name / "house.jsonl"]).findings
    changed = tmp_path / "whole" / "bundle.json"
    text = changed.read_text()
    assert '"on":"banker"' in text
    changed.write_text(text.replace('"on":"banker"', '"on":"player"', 1))
    assert program("verify", changed).exit_code == 1


def test_what_cannot_be_archived_leaves_nothing_behind(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path):
            pass

    run_for(work())
    db = ("--db", tmp_path / "house.db")
    there = tmp_path / "there"
    there.mkdir()
    for arguments, status in (
        ((there, *db, "--table", TABLE), 2),
        ((tmp_path / "a", *db, "--table", "nowhere"), 1),
        ((tmp_path / "b", *db), 2),
        ((tmp_path / "c", *db, "--table", TABLE, "--shoe", "7"), 1),
        ((tmp_path / "d", *db, "--table", TABLE, "--day", "1999-01-01"), 1),
        ((tmp_path / "e", "--db", tmp_path / "none.db"), 2),
    ):
        found = program("archive", *arguments)
        assert found.exit_code == status, (arguments, found.output)
    found = program("archive", tmp_path / "f", *db)
    assert "the journal has no table yet: there is nothing to export" in " ".join(found.output.split())
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["there"]


def test_a_practice_house_that_drops_shoes_is_archived_whole_after_an_archive_from_before(tmp_path: Path) -> None:
    """An archive made in time and the rest have every entry from the first; so has a table that has dropped nothing."""
    settings, public = keys_of(tmp_path)
    stream, early = table_stream(TABLE), str(tmp_path / "early")

    async def archive(name: str, *more: str, table: str = TABLE) -> Result:
        arguments: tuple[str | Path, ...] = (tmp_path / name, "--db", tmp_path / "house.db", "--table", table, *more)
        return await asyncio.to_thread(program, "archive", *arguments)

    async def work() -> None:
        async with served(tmp_path, **settings) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(OTHER) as other, client.table(TABLE) as table:
                for each in (other, table):
                    await sit_down(client, each)
                    await play_rounds(each, 2)
                await live.house.writer.wait_until_flushed()
                had = live.store.heads()[stream].seq
                assert await asyncio.to_thread(archived, tmp_path, "early", public)
                await play_rounds(table, 2)
            await live.house.writer.wait_until_flushed()
            await do_upkeep(live, TABLE, [had - 5, had + 5])
            # By itself the house has no longer what this table began with; all other tables it has whole.
            found = await archive("alone")
            assert found.exit_code == 1, found.output
            said = " ".join(found.output.split())
            assert f"{TABLE} has dropped its first shoes (before entry {had - 4})" in said
            assert "name it with --after" in said
            beside = await archive("beside", "--json", table=OTHER)
            assert beside.exit_code == 0, beside.output
            assert json.loads(beside.stdout)["left_out"] == [stream]
            assert await asyncio.to_thread(archived, tmp_path, "whole", public, "--after", early)
            # An archive that ends before what is left begins is of no use.
            await do_upkeep(live, TABLE, [had + 5, had + 5])
            late = await archive("late", "--after", early)
            assert late.exit_code == 1, late.output
            assert f"has dropped {had + 1} to {had + 5}" in " ".join(late.output.split())
        assert archived(tmp_path, "later", public, "--after", str(tmp_path / "whole"))

    run_for(work())
    for name in ("beside", "whole", "later"):
        report = audit_journals([tmp_path / name / "house.jsonl"])
        assert not report.findings, (name, report.findings[:3])
    # An earlier archive that was changed is not continued.
    changed = tmp_path / "changed"
    changed.mkdir()
    text = (tmp_path / "early" / "house.jsonl").read_bytes()
    (changed / "house.jsonl").write_bytes(text.replace(b'"stake":', b'"stake" :', 1))
    found = program("archive", tmp_path / "x", "--db", tmp_path / "house.db", "--table", TABLE, "--after", changed)
    assert found.exit_code == 1, found.output
