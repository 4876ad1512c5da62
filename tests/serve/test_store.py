"""What a store in a file of SQLite does beside what every store promises (`test_store_contract.py`)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from baccarat.house.stream import Stream
from baccarat.serve.store import open_store
from baccarat.serve.store.base import (
    Batch,
    NameRow,
    SealedRow,
    StaleHead,
    Store,
    StoreError,
)
from baccarat.serve.store.sqlite import LONG_LOG, SqliteStore
from baccarat.serve.store.sqlite_open import WAITS_MS
from store_model import Chance, Model, differences

ID = "019a0000-0000-7000-8000-000000000001"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    store = SqliteStore.open(path)
    yield store
    store.close()


def entered(store: Store, model: Model, stream: Stream, count: int = 1) -> None:
    """Some entries in one batch."""
    store.append(Batch(rows=[model.row(stream, b"body %d" % number, events=2) for number in range(count)]))


def snapshot_of(store: Store, model: Model) -> None:
    """A snapshot of what is there."""
    store.append(Batch(snapshot=model.new_snapshot(b"the house")))


# ---------------------------------------------------------------------------------------------- batches


@pytest.mark.parametrize(
    "meddling",
    [
        "update head set seq = seq + 1",
        "update head set hash = zeroblob(32)",
        "update head set epoch = 7",
        "delete from head",
    ],
)
@pytest.mark.slow
def test_a_head_that_another_program_moved_is_found_in_the_same_transaction(
    meddling: str, store: SqliteStore, path: Path
) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 2)
    other = apsw.Connection(str(path))
    other.execute(meddling)
    with pytest.raises(StaleHead, match="another program"):
        entered(store, model, Stream("table 1"))
    assert other.execute("select count(*) from entry").fetchall() == [(2,)]
    other.close()


def test_a_stream_that_another_program_began_is_found(store: SqliteStore, path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("insert into stream (name) values ('cage')")
    other.close()
    with pytest.raises(StaleHead, match="another program"):
        entered(store, Model(), Stream("table 1"))


# --------------------------------------------------------------------------- reading, compressed, dropped


def test_an_erased_name_is_in_no_file_of_the_store(store: SqliteStore, path: Path) -> None:
    names = [NameRow(f"person-{number}", b"salt %d" % number * 4, f"Secret Name {number}") for number in range(300)]
    store.append(Batch(names=names))
    store.do_idle_work()
    assert b"Secret Name 17" in b"".join(each.read_bytes() for each in path.parent.iterdir())
    gone = [each.id for each in names if each.id != "person-5"]
    assert store.erase(gone) == len(gone)
    assert store.erase(gone) == 0
    assert [each.text for each in store.names()] == ["Secret Name 5"]
    left = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert left.count(b"Secret Name 5") == left.count(b"Secret Name") == 1
    assert b"salt 17" not in left


def test_erasing_waits_for_nobody_and_is_finished_when_nobody_reads_an_older_moment(
    store: SqliteStore, path: Path
) -> None:
    store.append(Batch(names=[NameRow("person-1", b"salt", "Secret Name")]))
    reader = apsw.Connection(str(path))
    reader.execute("begin")
    assert reader.execute("select text from name").fetchall() == [("Secret Name",)]
    begun = time.monotonic()
    assert store.erase(["person-1"]) == 1
    store.do_idle_work()
    assert time.monotonic() - begun < WAITS_MS / 1_000
    assert store.names() == []
    reader.close()
    store.do_idle_work()
    assert b"Secret Name" not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_closing_while_somebody_reads_loses_nothing(path: Path) -> None:
    store, model = SqliteStore.open(path), Model()
    entered(store, model, Stream("table 1"), 3)
    reader = store.reader()
    other = apsw.Connection(str(path))
    other.execute("begin")
    other.execute("select * from head").fetchall()
    begun = time.monotonic()
    store.close()
    assert time.monotonic() - begun < WAITS_MS / 1_000
    again = SqliteStore.open(path)
    assert differences(again, model) == []
    reader.close()
    other.close()
    again.close()


def test_nobody_but_its_owner_reads_a_store(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    entered(store, Model(), Stream("table 1"))
    store.backup(tmp_path / "copy.db")
    assert {each.name: oct(each.stat().st_mode & 0o077) for each in tmp_path.iterdir()} == dict.fromkeys(
        ("copy.db", "house.db", "house.db-wal", "house.db-shm", "house.db.lock"), "0o0"
    )


# -------------------------------------------------------------------------------------- threads, backup


@pytest.mark.slow
def test_the_log_is_written_back_and_begins_anew_also_after_a_long_reader(store: SqliteStore, path: Path) -> None:
    log, model = path.with_name("house.db-wal"), Model()

    def write(commits: int) -> int:
        for _ in range(commits):
            store.append(Batch(rows=[model.row(Stream("table 1"), os.urandom(20_000)) for _ in range(10)]))
            store.do_idle_work()
        return log.stat().st_size

    usual = write(60)
    assert usual < 3 * LONG_LOG * 2_100, "without readers it begins anew whenever it has been written back"
    long = apsw.Connection(str(path))
    long.execute("begin")
    long.execute("select * from head").fetchall()
    grown = write(90)
    assert grown > 90 * 10 * 20_000, "nothing is overwritten that somebody may still read"
    assert len(long.execute("select * from entry").fetchall()) == 600
    long.close()
    assert write(5) <= 16 * 1024 * 1024 + 2_100
    assert differences(store, model) == []


def test_a_backup_is_one_moment_and_a_store_of_its_own(store: SqliteStore, tmp_path: Path) -> None:
    model, target = Model(), tmp_path / "copy.db"
    entered(store, model, Stream("table 1"), 5)
    store.append(Batch(seals=[SealedRow(Stream("table 1"), "0", b"sealed")]))
    model.sealed[Stream("table 1"), "0"] = b"sealed"
    kept = model.copy()
    store.backup(target)
    entered(store, model, Stream("table 1"), 5)
    with pytest.raises(StoreError, match="never overwritten"):
        store.backup(target)
    with pytest.raises(StoreError, match="cannot be written"):
        store.backup(tmp_path / "no folder" / "copy.db")
    copy = SqliteStore.open(target)
    assert differences(copy, kept) == []
    assert copy.id == store.id
    entered(copy, kept, Stream("table 1"))
    assert differences(copy, kept) == []
    assert differences(store, model) == []
    copy.close()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.slow
def test_a_backup_while_the_store_is_written_holds_a_whole_moment(store: SqliteStore, tmp_path: Path) -> None:
    moments, chance, wrong = list[Model](), Chance(3), list[BaseException]()
    for step in chance.steps(100):
        step.act(store)
    copied = threading.Event()

    def copy() -> None:
        try:
            for number in range(5):
                store.backup(tmp_path / f"copy {number}.db")
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)
        copied.set()

    thread = threading.Thread(target=copy)
    moments.append(chance.model)
    thread.start()
    while not copied.is_set():
        for step in chance.steps(1):
            step.act(store)
            moments.append(step.after)
    thread.join()
    assert wrong == []
    for number in range(5):
        again = SqliteStore.open(tmp_path / f"copy {number}.db")
        position = max(head.position for head in again.heads().values())
        same = [each for each in moments if each.position == position]
        assert any(differences(again, each, dropped=same[-1]) == [] for each in same)
        again.close()


# ------------------------------------------------------------------------------------- against a model


def test_addresses(tmp_path: Path) -> None:
    store = open_store(f"sqlite:{tmp_path / 'house.db'}")
    with pytest.raises(StoreError, match=f"is in use by process {os.getpid()}; a store has one server"):
        open_store(str(tmp_path / "house.db"))
    store.close()
    open_store(str(tmp_path / "house.db")).close()
    for where in ("oracle://host/db", "sqlite:"):
        with pytest.raises(StoreError, match=where):
            open_store(where)


def test_what_a_store_promises_is_known_without_a_database() -> None:
    code = "import sys, baccarat.serve.store; print(sorted({'apsw', 'numpy', 'psycopg', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
