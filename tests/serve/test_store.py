"""What a store promises, each promise on a real file."""

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

from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store import open_store
from baccarat.serve.store.base import (
    Answer,
    Batch,
    CheckpointRow,
    Head,
    NameRow,
    NewSnapshot,
    RepeatedId,
    Row,
    SealedRow,
    StaleHead,
    StaleRow,
    Statement,
    Store,
    StoreFault,
    StoreStopped,
)
from baccarat.serve.store.log_reads import LANDMARK
from baccarat.serve.store.sqlite import LONG_LOG, SqliteStore
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


def entered(store: Store, model: Model, stream: str, count: int = 1) -> None:
    """Some entries in one batch."""
    store.append(Batch(rows=[model.row(stream, b"body %d" % number, events=2) for number in range(count)]))


def snapshot_of(store: Store, model: Model) -> None:
    """A snapshot of what is there."""
    store.append(Batch(snapshot=model.new_snapshot(b"the house")))


# ---------------------------------------------------------------------------------------------- batches


def test_what_is_appended_is_there_after_another_start(path: Path) -> None:
    store, model = SqliteStore.open(path), Model()
    entered(store, model, "table 1", 3)
    entered(store, model, "cage", 2)
    identity = store.id
    store.close()
    again = SqliteStore.open(path)
    assert again.id == identity
    assert differences(again, model) == []
    head = again.heads()["table 1"]
    assert head == Head(2, 6, model.streams["table 1"][-1].hash, 3)
    entered(again, model, "table 1")
    assert differences(again, model) == []
    again.close()


def test_an_entry_that_does_not_come_next_is_refused_and_nothing_of_its_batch_is_stored(store: SqliteStore) -> None:
    model = Model()
    entered(store, model, "table 1", 2)
    kept = model.copy()
    good, skipped = model.row("cage", b"x"), model.row("table 1", b"y")
    for seq in (1, 3):
        wrong = Row("table 1", seq, b"y", skipped.hash, events=1)
        with pytest.raises(StaleHead, match="table 1 has come to entry 1"):
            store.append(Batch(rows=[good, wrong]))
        assert differences(store, kept) == []
    store.append(Batch(rows=[good, skipped]))
    assert differences(store, model) == []


def test_a_hash_that_does_not_follow_is_a_bug(store: SqliteStore) -> None:
    with pytest.raises(AssertionError, match="does not follow"):
        store.append(Batch(rows=[Row("table 1", 0, b"body", bytes(32), events=0)]))
    assert store.heads() == {}


@pytest.mark.parametrize(
    "meddling",
    [
        "update head set seq = seq + 1",
        "update head set hash = zeroblob(32)",
        "update head set epoch = 7",
        "delete from head",
    ],
)
def test_a_head_that_another_program_moved_is_found_in_the_same_transaction(
    meddling: str, store: SqliteStore, path: Path
) -> None:
    model = Model()
    entered(store, model, "table 1", 2)
    other = apsw.Connection(str(path))
    other.execute(meddling)
    with pytest.raises(StaleHead, match="another program"):
        entered(store, model, "table 1")
    assert other.execute("select count(*) from entry").fetchall() == [(2,)]
    other.close()


def test_a_stream_that_another_program_began_is_found(store: SqliteStore, path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("insert into stream (name) values ('cage')")
    other.close()
    with pytest.raises(StaleHead, match="another program"):
        entered(store, Model(), "table 1")


def test_a_batch_of_another_epoch_is_refused(store: SqliteStore) -> None:
    model = Model()
    row = model.row("table 1", b"opening")
    store.append(Batch(rows=[row], epochs={"table 1": 4}))
    assert store.heads()["table 1"].epoch == 4
    with pytest.raises(StaleHead, match="epoch 4, not 3"):
        store.append(Batch(rows=[model.copy().row("table 1", b"late")], epochs={"table 1": 3}))
    store.append(Batch(rows=[model.row("table 1", b"next")], epochs={"table 1": 4}))
    assert store.heads()["table 1"].epoch == 4


@pytest.mark.parametrize("id_", [ID, "any text", "019A0000-0000-7000-8000-000000000001"])
def test_an_id_takes_effect_once_for_ever(id_: str, path: Path) -> None:
    store, model = SqliteStore.open(path), Model()
    store.append(Batch(rows=[model.row("table 1", b"first", id_=id_, who="p1")]))
    kept = model.copy()
    store.close()
    store = SqliteStore.open(path)
    assert store.answer(id_, "p1") == Answer("table 1", 0)
    assert store.answer(id_, "p2") is None
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=[model.copy().row("cage", b"again", id_=id_, who="p1")]))
    assert differences(store, kept) == []
    store.append(Batch(rows=[model.row("cage", b"another's", id_=id_, who="p2")]))
    assert store.answer(id_, "p2") == Answer("cage", 0)
    store.close()


def test_an_id_twice_in_one_batch_is_refused(store: SqliteStore) -> None:
    model = Model()
    rows = [model.row("table 1", b"body", id_=ID, who="p1") for _ in range(2)]
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=rows))
    assert store.heads() == {}


def test_an_id_is_known_when_its_entry_is_compressed_or_dropped(store: SqliteStore) -> None:
    model = Model()
    store.append(Batch(rows=[model.row("table 1", b"first", id_=ID, who="p1"), model.row("table 1", b"second")]))
    snapshot_of(store, model)
    assert store.archive("table 1", 1) == 2
    assert store.answer(ID, "p1") == Answer("table 1", 0)
    assert store.drop_before("table 1", 1) == 1
    assert store.answer(ID, "p1") == Answer("table 1", 0)
    assert store.entry("table 1", 0) is None
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=[model.row("table 1", b"again", id_=ID, who="p1")]))


def test_statements_of_other_tables_are_part_of_the_batch(store: SqliteStore) -> None:
    model = Model()
    put = Statement("insert into setting values ('a', ?)", ("1",))
    store.append(Batch(rows=[model.row("table 1", b"x")], statements=[put]))
    assert store.read("select value from setting where key = ?", ("a",)) == [("1",)]
    kept = model.copy()
    row = model.row("table 1", b"y")
    with pytest.raises(StaleRow, match="constraint"):
        store.append(Batch(rows=[row], statements=[put]))
    once = Statement("update setting set value = '2' where value = '7'", changes=1)
    with pytest.raises(StaleRow, match="changed 0 rows, not 1"):
        store.append(Batch(rows=[row], statements=[once]))
    with pytest.raises(apsw.SQLError):
        store.append(Batch(rows=[row], statements=[Statement("no such thing")]))
    assert differences(store, kept) == []
    store.append(Batch(rows=[row]))
    assert differences(store, model) == []


# -------------------------------------------------------------------------------------------- snapshots


def test_a_snapshot_inside_a_batch_is_of_that_moment(store: SqliteStore) -> None:
    model = Model()
    entered(store, model, "cage", 2)
    rows = [model.row("table 1", b"%d" % number, events=1) for number in range(3)]
    snapshot = model.new_snapshot(b"after three")
    rows += [model.row("table 1", b"%d" % number, events=1) for number in range(3, 5)]
    store.append(Batch(rows=rows, snapshot=snapshot))
    found = store.latest_snapshot()
    assert found is not None
    assert (found.position, found.heads["table 1"].seq, found.heads["table 1"].events) == (5, 2, 3)
    assert [each.seq for each in store.tail(found.heads)] == [3, 4]
    assert differences(store, model) == []


@pytest.mark.parametrize("heads", [{"table 1": 3}, {"table 1": 2, "cage": 0}, {"cage": 0}])
def test_a_snapshot_of_no_moment_is_a_bug(heads: dict[str, int], store: SqliteStore) -> None:
    model = Model()
    rows = [model.row("table 1", b"x") for _ in range(3)]
    with pytest.raises(AssertionError, match="of no moment"):
        store.append(Batch(rows=rows, snapshot=NewSnapshot("f", b"", heads)))
    assert store.heads() == {}
    assert store.latest_snapshot() is None


def test_a_snapshot_that_was_changed_is_not_handed_out(store: SqliteStore, path: Path) -> None:
    model = Model()
    entered(store, model, "table 1")
    snapshot_of(store, model)
    other = apsw.Connection(str(path))
    other.execute("update snapshot set body = x'00'")
    other.close()
    with pytest.raises(StoreFault, match="was changed"):
        store.latest_snapshot()


def test_two_snapshots_are_kept(store: SqliteStore) -> None:
    model = Model()
    for _ in range(4):
        entered(store, model, "table 1")
        snapshot_of(store, model)
    assert store.read("select position from snapshot") == [(3,), (4,)]


# --------------------------------------------------------------------------- reading, compressed, dropped


@pytest.mark.slow
def test_a_stream_is_read_alike_from_anywhere_before_and_after_it_is_compressed(store: SqliteStore) -> None:
    model = Model()
    count = 3 * LANDMARK + 5
    names = ("table 1", "table 2")
    rows = [model.row(name, b"%d %s" % (number, name.encode()) * 20) for number in range(count) for name in names]
    for start in range(0, len(rows), 37):
        store.append(Batch(rows=rows[start : start + 37]))
    snapshot_of(store, model)
    entries = model.streams["table 1"]

    def check() -> None:
        for after in range(-2, count + 2, 13):
            for limit in (0, 1, 64, 65, 1000):
                first = max(after + 1, 0)
                assert store.entries("table 1", after=after, limit=limit) == entries[first : first + limit]
        for seq in range(-1, count + 1):
            expected = entries[seq] if 0 <= seq < count else None
            assert store.entry("table 1", seq) == expected
        assert list(store.tail({})) == sorted(
            entries + model.streams["table 2"], key=lambda each: each.position
        )  # fmt: skip

    check()
    for through, most in ((70, 30), (70, 1000), (100, 7), (count - 1, 64)):
        while moved := store.archive("table 1", through, most=most):
            assert moved <= most
        check()
    assert store.archive("table 1", count - 1) == 0
    assert store.read("select count(*) from entry") == [(count,)]
    assert store.read("select count(*) from landmark") == [(count // LANDMARK + 1,)]
    entered(store, model, "table 1")
    assert store.entry("table 1", count) == entries[count]
    assert store.entries("nobody") == []
    assert store.entry("nobody", 0) is None


def test_only_what_the_snapshot_includes_is_let_go_of(store: SqliteStore) -> None:
    model = Model()
    entered(store, model, "table 1", 3)
    with pytest.raises(AssertionError, match="up to entry -1"):
        store.archive("table 1", 0)
    with pytest.raises(AssertionError, match="up to entry -1"):
        store.drop_before("table 1", 1)
    snapshot_of(store, model)
    entered(store, model, "table 1", 3)
    with pytest.raises(AssertionError, match="up to entry 2"):
        store.archive("table 1", 3)
    assert store.archive("table 1", 2) == 3
    assert differences(store, model) == []


def test_a_compressed_piece_that_was_changed_is_found(store: SqliteStore, path: Path) -> None:
    model = Model()
    entered(store, model, "table 1", 4)
    snapshot_of(store, model)
    store.archive("table 1", 1)
    store.archive("table 1", 3)
    other = apsw.Connection(str(path))
    pieces = [row[0] for row in store.read("select body from archive order by last_seq")]
    first, second = (piece for piece in pieces if isinstance(piece, bytes))
    for body in (second, first[:-1], b""):
        other.execute("update archive set body = ? where last_seq = 1", (body,))
        with pytest.raises(StoreFault, match="compressed entries 0 to 1"):
            store.entries("table 1")
    assert [each.seq for each in store.entries("table 1", after=1)] == [2, 3]
    other.close()


def test_what_was_dropped_is_needed_from_the_start_and_not_after_a_snapshot(store: SqliteStore) -> None:
    model = Model()
    entered(store, model, "practice 1", 10)
    snapshot_of(store, model)
    store.archive("practice 1", 5, most=4)
    assert store.drop_before("practice 1", 5) == 5
    assert [each.seq for each in store.entries("practice 1")] == [5, 6, 7, 8, 9]
    assert store.entries("practice 1", after=-1, limit=2) == model.streams["practice 1"][5:7]
    with pytest.raises(StoreFault, match="kept from entry 5 on"):
        list(store.tail({}))
    found = store.latest_snapshot()
    assert found is not None
    assert list(store.tail(found.heads)) == []
    entered(store, model, "practice 1")
    assert [each.seq for each in store.tail(found.heads)] == [10]


def test_an_entry_that_was_changed_is_found_by_whoever_recovers(store: SqliteStore, path: Path) -> None:
    model = Model()
    entered(store, model, "table 1", 5)
    other = apsw.Connection(str(path))
    other.execute("update entry set body = x'00' where seq = 3")
    other.close()
    with pytest.raises(StoreFault, match="entry 3 does not follow from entry 2"):
        list(store.tail({}))


def test_a_snapshot_ahead_of_its_head_is_found(store: SqliteStore) -> None:
    model = Model()
    entered(store, model, "table 1", 2)
    with pytest.raises(StoreFault, match="ends before entry 5"):
        list(store.tail({"table 1": Head(5, 0, NO_HASH, 6)}))


def test_sealed_secrets_notes_names_and_settings(store: SqliteStore) -> None:
    model = Model()
    names = [NameRow("person-2", b"s", "Zoe"), NameRow("person-1", b"t", "Ann")]
    store.append(
        Batch(
            rows=[model.row("table 1", b"x")],
            seals=[SealedRow("table 1", "0", b"first")],
            checkpoints=[CheckpointRow("table 1", 1, b"note")],
            names=names,
            settings={"house": "Lagoon"},
        )
    )
    store.append(Batch(seals=[SealedRow("table 1", "0", b"sealed anew"), SealedRow("link a", "0", b"trigger")]))
    assert store.sealed("table 1", "0") == b"sealed anew"
    assert store.sealed("table 1", "1") is None
    assert {each.stream for each in store.all_sealed()} == {"table 1", "link a"}
    assert store.checkpoints("table 1") == [CheckpointRow("table 1", 1, b"note")]
    assert store.checkpoints("table 1", after=1) == []
    assert store.latest_checkpoint("table 1") == CheckpointRow("table 1", 1, b"note")
    assert store.latest_checkpoint("cage") is None
    assert store.names() == names
    assert (store.setting("house"), store.setting("pit")) == ("Lagoon", None)


def test_an_erased_name_is_in_no_file_of_the_store(store: SqliteStore, path: Path) -> None:
    names = [NameRow(f"person-{number}", b"salt %d" % number * 4, f"Secret Name {number}") for number in range(300)]
    store.append(Batch(names=names))
    store.rest()
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
    store.rest()
    assert time.monotonic() - begun < 2
    assert store.names() == []
    reader.close()
    store.rest()
    assert b"Secret Name" not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_closing_while_somebody_reads_loses_nothing(path: Path) -> None:
    store, model = SqliteStore.open(path), Model()
    entered(store, model, "table 1", 3)
    reader = store.reader()
    other = apsw.Connection(str(path))
    other.execute("begin")
    other.execute("select * from head").fetchall()
    begun = time.monotonic()
    store.close()
    assert time.monotonic() - begun < 2
    again = SqliteStore.open(path)
    assert differences(again, model) == []
    reader.close()
    other.close()
    again.close()


def test_nobody_but_its_owner_reads_a_store(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    entered(store, Model(), "table 1")
    store.backup(tmp_path / "copy.db")
    assert {each.name: oct(each.stat().st_mode & 0o077) for each in tmp_path.iterdir()} == dict.fromkeys(
        ("copy.db", "house.db", "house.db-wal", "house.db-shm", "house.db.lock"), "0o0"
    )


# -------------------------------------------------------------------------------------- threads, backup


def test_another_thread_reads_what_is_durable_while_one_writes(store: SqliteStore) -> None:
    model, wrong, done = Model(), list[str](), threading.Event()
    entered(store, model, "table 1")

    def read() -> None:
        reader = store.reader()
        while not done.is_set():
            head = reader.heads()["table 1"]
            entries = reader.entries("table 1", limit=10**6)
            hash_ = NO_HASH
            for each in entries:
                hash_ = hash_after(hash_, each.body)
                if each.hash != hash_:
                    wrong.append(f"{each.seq} does not follow")
            if entries[-1].seq < head.seq:
                wrong.append("an entry is missing")
        reader.close()

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(60):
        entered(store, model, "table 1", 3)
        if number % 10 == 0:
            snapshot_of(store, model)
            store.archive("table 1", number)
        store.rest()
    done.set()
    thread.join()
    assert wrong == []


def test_a_question_cannot_write(store: SqliteStore) -> None:
    reader = store.reader()
    for reads in (store, reader):
        with pytest.raises(AssertionError, match="a question"):
            reads.read("delete from setting")
        assert reads.heads() == {}
    reader.close()
    with pytest.raises(StoreStopped, match="is closed"):
        reader.heads()
    store.close()
    with pytest.raises(StoreStopped, match="is closed"):
        store.append(Batch())


@pytest.mark.slow
def test_the_log_is_written_back_and_begins_anew_also_after_a_long_reader(store: SqliteStore, path: Path) -> None:
    log, model = path.with_name("house.db-wal"), Model()

    def write(commits: int) -> int:
        for _ in range(commits):
            store.append(Batch(rows=[model.row("table 1", os.urandom(20_000)) for _ in range(10)]))
            store.rest()
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
    entered(store, model, "table 1", 5)
    store.append(Batch(seals=[SealedRow("table 1", "0", b"sealed")]))
    model.sealed["table 1", "0"] = b"sealed"
    kept = model.copy()
    store.backup(target)
    entered(store, model, "table 1", 5)
    with pytest.raises(StoreFault, match="never written over"):
        store.backup(target)
    with pytest.raises(StoreFault, match="cannot be written"):
        store.backup(tmp_path / "no folder" / "copy.db")
    copy = SqliteStore.open(target)
    assert differences(copy, kept) == []
    assert copy.id == store.id
    entered(copy, kept, "table 1")
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_thousand_steps_by_chance_are_as_plain_values_say(seed: int, path: Path) -> None:
    store, chance = SqliteStore.open(path), Chance(seed, streams=6)
    for number, step in enumerate(chance.steps(500), start=1):
        step.act(store)
        store.rest()
        if number % 50 == 0:
            assert differences(store, step.after) == [], f"after step {number}, {step.what}"
            reader = store.reader()
            assert differences(reader, step.after) == []
            reader.close()
        if number % 125 == 0:
            store.close()
            store = SqliteStore.open(path)
            assert differences(store, step.after) == []
    store.close()


def test_addresses(tmp_path: Path) -> None:
    store = open_store(f"sqlite:{tmp_path / 'house.db'}")
    with pytest.raises(StoreFault, match=f"is in use by process {os.getpid()}; a store has one server"):
        open_store(str(tmp_path / "house.db"))
    store.close()
    open_store(str(tmp_path / "house.db")).close()
    for where in ("oracle://host/db", "sqlite:"):
        with pytest.raises(StoreFault, match=where):
            open_store(where)


def test_what_a_store_promises_is_known_without_a_database() -> None:
    code = "import sys, baccarat.serve.store; print(sorted({'apsw', 'numpy', 'psycopg', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
