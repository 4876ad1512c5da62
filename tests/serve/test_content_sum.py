"""Every table of a store is authenticated: start, backup and restore notice what was changed outside the program."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import apsw
import pytest
from typer.testing import CliRunner

from baccarat.cli import make_app
from baccarat.client import Client
from baccarat.record.sealed_seed import KeyRing, SealingKey
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.run import content_text
from baccarat.serve.runtime.backup import open_reads
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.runtime.seal_key import mark_of
from baccarat.serve.setting import Setting
from baccarat.serve.store import content_check, sqlite_open
from baccarat.serve.store.base import Batch, StaleRow, Statement, StoreError
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.log_query import snapshot_digest
from baccarat.serve.store.sqlite import SqliteStore
from campaign import times
from damaged_house import (
    Base,
    change_some,
    delete_row,
    double_row,
    fill,
    flips,
    make_base,
    put_back_row,
    row_changes,
    try_damage,
)
from golden_stores import HOUSE, copied, versions
from playing import PURSE, SEAT, play_rounds, sit_down
from served import run_for, served, soon
from store_model import Chance
from stored_house import keys_of

FORTUNE = 10_000_000
TABLE = "ma-midi-4"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """A store with rows in every table and pages of every kind."""
    return make_base(tmp_path_factory.mktemp("base"))


def tamper(path: Path, sql: str, *params: Any) -> int:
    """Change a database as somebody does who has the file and no key; how many rows."""
    connection = apsw.Connection(str(path))
    try:
        connection.execute(sql, params)
        return connection.changes()
    finally:
        connection.close()


def opened(path: Path, keys: ContentKeys | None = None) -> SqliteStore:
    """The store of a practice house, opened with its key."""
    return SqliteStore.open(path, keys=keys or keys_of(path))


# ------------------------------------------------------------------------------------------ the campaign


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(times(1)))
def test_a_flipped_bit_anywhere_is_refused_or_changes_nothing_that_is_used(
    seed: int, base: Base, tmp_path: Path
) -> None:
    refused = 0
    for what, damage in flips(base, seed, 35):
        found = try_damage(base, what, damage, tmp_path / "damaged")
        assert not found.fault, f"seed {seed}: {what}: {found.fault}"
        refused += found.is_refused
    assert refused > 5, "or these flips meet nothing"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(times(1)))
def test_a_deleted_doubled_or_rolled_back_row_of_any_table_is_refused(seed: int, base: Base, tmp_path: Path) -> None:
    for what, damage in row_changes(base, seed, 24):
        found = try_damage(base, what, damage, tmp_path / "damaged")
        assert found.is_refused, f"seed {seed}: {what}: {found.said}"
        assert not found.fault, f"seed {seed}: {what}: {found.fault}"
        assert found.said["start"].endswith("restore a backup (baccarat restore)")


@pytest.mark.parametrize("way", [delete_row, double_row, put_back_row])
def test_without_the_key_such_rows_are_accepted(way: Any, base: Base, tmp_path: Path) -> None:
    """So the campaign proves something: nothing else notices them."""

    def damage(path: Path) -> None:
        connection = apsw.Connection(str(path))
        way(connection, base, "access_log", 1)
        connection.close()

    found = try_damage(base, way.__name__, damage, tmp_path, with_key=False)
    assert not any(found.said.values())
    assert "backup accepts other content: access_log" in found.fault


# ---------------------------------------------------------------------------------- the forged snapshot


def forge_fortune(path: Path) -> None:
    """Give the participant at the seat $100,000 in every snapshot, each with a digest that fits."""
    connection = apsw.Connection(str(path))
    rows = connection.execute("select position, form, heads, body from snapshot").fetchall()
    for position, form, heads, body in rows:
        assert isinstance(form, str)
        assert isinstance(heads, bytes)
        assert isinstance(body, bytes)
        forged, count = re.subn(rb'("chips":)%d\b' % chips_in(body), rb"\g<1>%d" % FORTUNE, body)
        assert count == 1, "one participant has so many chips"
        connection.execute(
            "update snapshot set body = ?, digest = ? where position = ?",
            (forged, snapshot_digest(form, heads, forged), position),
        )
    assert rows
    connection.close()


def chips_in(body: bytes) -> int:
    """What the participant of a snapshot has."""
    (found,) = {int(each) for each in re.findall(rb'"chips":(\d+)', body)} - {0}
    return found


@pytest.mark.slow
def test_a_forged_snapshot_makes_nobody_rich(tmp_path: Path) -> None:
    db = tmp_path / "house.db"

    async def play() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                await sit_down(client, table)
                await play_rounds(table, 1)
            live.keep_snapshot(after=1)
            await live.house.writer.wait_until_flushed()

    async def start() -> None:
        async with served(tmp_path):
            pass

    run_for(play())
    forge_fortune(db)
    with open_reads(db) as reads:
        found = recover(reads)
    assert found is not None
    participant = found.state.tables[TABLE].seats.participants[SEAT - 1]
    assert participant is not None
    assert participant.chips == FORTUNE > PURSE, "without the key nothing else notices it"

    with pytest.raises(StoreError, match="was changed outside the program: the table snapshot; restore a backup"):
        run_for(start())
    for verb, words in (("backup", [tmp_path / "b.db", "--db", db]), ("restore", [db, "--db", tmp_path / "r.db"])):
        said = CliRunner().invoke(make_app(verb), [verb, *map(str, words)])
        assert said.exit_code == 2
        assert "the table snapshot" in " ".join(said.stderr.split())
    assert not (tmp_path / "b.db").exists()
    assert not (tmp_path / "r.db").exists()


# ------------------------------------------------------------------------------------------- the sums


@pytest.mark.parametrize("seed", range(times(2)))
def test_the_sums_fit_after_everything_that_a_store_does(seed: int, tmp_path: Path) -> None:
    keys, path = a_key(), tmp_path / "house.db"
    store, chance = SqliteStore.open(path, keys=keys), Chance(seed)
    fill(store)
    change_some(store)
    for number, step in enumerate(chance.steps(150)):
        step.act(store)
        if number % 10 == 0:
            with pytest.raises(StaleRow):  # refused in the middle: what it had changed by then is undone
                store.append(
                    Batch(settings={"a": str(number)}, statements=[Statement("delete from ticket", changes=99)])
                )
    assert store.reader().check_content(keys), f"seed {seed}"
    store.close()
    SqliteStore.open(path, keys=keys).close()


def test_the_sums_are_another_ciphertext_after_each_commit_and_say_nothing(tmp_path: Path) -> None:
    """Who could see a sum before and after a row was added would learn the number of that row."""
    store = SqliteStore.open(tmp_path / "house.db", keys=a_key())
    seen = set[bytes]()
    for _ in range(3):
        store.append(Batch(settings={"same": "value"}))
        ((sums,),) = store.read("select sums from content_sum")
        assert isinstance(sums, bytes)
        assert b"setting" not in sums
        seen.add(sums)
    assert len(seen) == 3
    store.close()


def a_key() -> ContentKeys:
    """Any sealing key."""
    return ContentKeys(ring=KeyRing(SealingKey(b"k" * 32)))


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("create trigger t after insert on entry begin delete from person; end", "the definitions of its tables"),
        ("drop index session_of_person", "the definitions of its tables"),
        ("update content_sum set sums = zeroblob(length(sums))", "its content sums were changed"),
        ("update content_sum set sums = x'00'", "its content sums were changed"),
        ("update content_sum set key = '0123456789abcdef'", "seal_key has another"),
        ("pragma user_version = 5", "its content sums were changed"),
        ("delete from content_sum", "its content sums are missing, but this store had them"),
        ("drop table content_sum", "its content sums are missing, but this store had them"),
    ],
)
def test_who_goes_around_the_sums_is_noticed(sql: str, said: str, base: Base, tmp_path: Path) -> None:
    found = try_damage(base, sql, lambda path: void(tamper(path, sql)), tmp_path / "damaged")
    assert not found.fault
    assert {way: said in text for way, text in found.said.items()} == dict.fromkeys(
        ("backup", "restore", "start"), True
    )


def void(_value: object) -> None:
    """Nothing."""


# ------------------------------------------------------------------------------- keys, upgrades, large tables


def test_a_store_of_an_earlier_version_is_authenticated_as_it_is_found(tmp_path: Path) -> None:
    copied(versions()[-1], tmp_path)
    said = list[str]()

    class Heard(ServerLog):
        def say(self, event: str, text: str, **_more: Any) -> None:
            assert text
            said.append(event)

    async def start() -> None:
        async with served(tmp_path, log=Heard(json=False)):
            pass

    run_for(start())
    assert said.count("content_taken_as_found") == 1
    run_for(start())
    assert said.count("content_taken_as_found") == 1, "only the first time"
    mark = mark_of(tmp_path / "seal.key")
    assert len(mark.read_text().split()) == 1

    # Who has the file, and not the folder of the key, cannot make it look like a store of an earlier version.
    tamper(tmp_path / HOUSE, "delete from content_sum")
    with pytest.raises(StoreError, match=f"remove {mark.read_text().strip()} from {mark}"):
        run_for(start())
    mark.unlink()
    run_for(start())
    assert said.count("content_taken_as_found") == 2


def test_a_damaged_store_of_an_earlier_version_is_not_taken_as_it_is_found(tmp_path: Path) -> None:
    copied(versions()[-1], tmp_path)
    tamper(tmp_path / HOUSE, "create trigger mine after insert on entry begin delete from person; end")
    with pytest.raises(StoreError, match="mine is not ours"):
        opened(tmp_path / HOUSE)


def test_the_next_schema_takes_over_what_was_authenticated_and_nothing_else(
    base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_file = "alter table access_log add column more text; create table later (a integer primary key) strict"
    path, changed = tmp_path / HOUSE, tmp_path / "changed.db"
    for each in (path, changed):
        each.write_bytes(base.path.read_bytes())
    tamper(changed, "update access_log set about = 'nothing' where number = 1000003")
    files = [*sqlite_open.schema_files(), next_file]
    monkeypatch.setattr(sqlite_open, "schema_files", lambda: files)
    monkeypatch.setattr(content_check, "BEFORE_OPENING", 0)  # what is summed anew is checked, however large it is
    with pytest.raises(StoreError, match="the table access_log"):
        opened(changed, base.keys)
    store = opened(path, base.keys)
    assert store.content is not None
    assert not store.content.is_taken_as_found
    store.append(Batch(statements=[Statement("insert into later values (1)")]))
    assert store.reader().check_content(base.keys)
    store.close()


def test_another_key_takes_over_and_a_lost_one_leaves_what_is_found(base: Base, tmp_path: Path) -> None:
    path, changed = tmp_path / HOUSE, tmp_path / "changed.db"
    for each in (path, changed):
        each.write_bytes(base.path.read_bytes())
    old, new = base.keys.ring.current, SealingKey(b"n" * 32)
    tamper(changed, "update person set roles = 'administrator'")
    with pytest.raises(StoreError, match="the table person"):
        opened(changed, ContentKeys(ring=KeyRing(new, old)))
    store = opened(path, ContentKeys(ring=KeyRing(new, old)))
    assert store.content is not None
    assert not store.content.is_taken_as_found
    store.close()
    opened(path, ContentKeys(ring=KeyRing(new))).close()
    with pytest.raises(StoreError, match=f"the house seals under the key {new.id}, and seal_key has another"):
        opened(path, ContentKeys(ring=KeyRing(old)))
    lost = opened(path, ContentKeys(ring=KeyRing(old), lost={new.id}))
    assert lost.content is not None
    assert lost.content.is_taken_as_found
    lost.close()


def test_without_the_key_nothing_is_written_to_such_a_store(base: Base, tmp_path: Path) -> None:
    path = tmp_path / HOUSE
    path.write_bytes(base.path.read_bytes())
    with pytest.raises(StoreError, match="opened with the sealing key of its house"):
        SqliteStore.open(path)
    assert path.read_bytes() == base.path.read_bytes()


def test_in_a_large_file_fewer_rows_are_checked_before_it_opens(
    base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / HOUSE
    path.write_bytes(base.path.read_bytes())
    unchecked = list[tuple[str, ...]]()
    for most, large in ((100, 10**9), (100, 1), (10**6, 1)):
        monkeypatch.setattr(content_check, "BEFORE_OPENING", 10**5)
        monkeypatch.setattr(content_check, "BEFORE_OPENING_IN_LARGE", most)
        monkeypatch.setattr(content_check, "LARGE_FILE", large)
        store = opened(path, base.keys)
        assert store.content is not None
        unchecked.append(tuple(sorted(store.content.unchecked)))
        store.close()
    assert unchecked == [(), ("access_log", "done", "entry", "played", "session"), ()]


@pytest.mark.slow
def test_a_table_too_large_to_be_checked_before_opening_ends_the_house_right_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(versions()[-1], tmp_path)
    monkeypatch.setattr(content_check, "BEFORE_OPENING", 100)
    ended = list[BaseException]()

    async def work(*, ends: bool) -> None:
        async with served(tmp_path, stopped=ended.append) as (live, _):
            if ends:
                await soon(lambda: bool(ended), "the house goes on with a changed row")
                assert live.house.writer.fault is not None
            else:
                await asyncio.sleep(0.3)

    run_for(work(ends=False))
    run_for(work(ends=False))
    assert not ended
    assert tamper(tmp_path / HOUSE, "update entry set previous = previous - 1 where position = 30") == 1
    run_for(work(ends=True))
    assert "was changed outside the program: the table entry; restore a backup" in str(ended[0])


def test_a_start_says_against_whom_the_tables_are_authenticated(tmp_path: Path) -> None:
    db = str(tmp_path / "house.db")
    assert "stored next to the database" in content_text(Setting(db=db))
    assert content_text(Setting(db=db, seal_key=str(tmp_path / "keys" / "seal.key"))).endswith("under the sealing key")


@pytest.mark.parametrize("verb", ["backup", "restore"])
def test_a_copy_without_the_key_says_what_was_not_checked(verb: str, base: Base, tmp_path: Path) -> None:
    source, key = tmp_path / "a" / HOUSE, tmp_path / "a" / "my.key"
    source.parent.mkdir()
    source.write_bytes(base.path.read_bytes())
    key.write_bytes((base.path.parent / "seal.key").read_bytes())
    key.chmod(0o600)

    def said(out: str, *more: str) -> str:
        words = [tmp_path / out, "--db", source] if verb == "backup" else [source, "--db", tmp_path / out]
        found = CliRunner().invoke(make_app(verb), [verb, *map(str, words), *more])
        assert found.exit_code == 0, found.stderr
        return " ".join(found.stdout.split())

    assert "for which the sealing key is needed (--seal-key)" in said("one.db")
    assert said("two.db", "--seal-key", str(key)).endswith("every table checked")
    assert '"authenticated": true' in said("three.db", "--seal-key", str(key), "--json").replace('":true', '": true')
