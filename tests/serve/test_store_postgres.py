"""What a store on PostgreSQL does beside what every store promises: several write it, and connections are lost."""

from __future__ import annotations

import threading
from pathlib import Path

import psycopg
import pytest

from baccarat.house.stream import Stream, table_stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store import open_store
from baccarat.serve.store.base import (
    Batch,
    NameRow,
    NewSnapshot,
    NodeCutOff,
    RepeatedId,
    Row,
    StaleHead,
    StoredHead,
    StoreError,
    StoreUnavailable,
)
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.store.postgres_open import redacted_address
from postgres_server import PostgresServer
from store_model import Model, differences
from store_place import PostgresPlace, SqlitePlace

ID = "019a0000-0000-7000-8000-000000000001"


@pytest.fixture
def place(postgres: PostgresServer) -> PostgresPlace:
    """A schema for a store."""
    return PostgresPlace(postgres.new())


def opened(place: PostgresPlace) -> PostgresStore:
    """The store there."""
    return PostgresStore.open(place.address)


def cut_off(store: PostgresStore, place: PostgresPlace) -> None:
    """Take the connection of a store away, as a firewall or a failing server does."""
    (pid,) = store.read("select pg_backend_pid()")[0]
    assert place.meddle("select pg_terminate_backend(?)", (pid,)) == [(True,)]


def test_of_two_who_write_the_same_entry_one_is_refused_whole(place: PostgresPlace) -> None:
    first, second, model = opened(place), opened(place), Model()
    first.append(Batch(rows=[model.row(Stream("link"), b"opening")]))
    other = model.copy()
    first.append(Batch(rows=[model.row(Stream("link"), b"of one"), model.row(Stream("table 1"), b"x")]))
    with pytest.raises(StaleHead, match="link has come to entry 1; entry 1 cannot follow"):
        second.append(Batch(rows=[other.row(Stream("table 2"), b"y"), other.row(Stream("link"), b"of another")]))
    assert differences(second, model) == []
    second.append(Batch(rows=[model.row(Stream("table 2"), b"y"), model.row(Stream("link"), b"decided again")]))
    assert differences(first, model) == []
    first.close()
    second.close()


@pytest.mark.slow
def test_many_who_write_a_shared_stream_with_their_own_lose_and_double_nothing(place: PostgresPlace) -> None:
    """Each takes the shared stream from where it finds it, with an entry of its own table; if too late, once more."""
    opened(place).close()
    wrong, refused = list[BaseException](), list[int]()

    def write(number: int) -> None:
        store = opened(place)
        try:
            for _ in range(25):
                while True:
                    heads = store.heads()
                    rows = [
                        _next(heads, name, b"of %d" % number) for name in (Stream("link"), table_stream(str(number)))
                    ]
                    try:
                        store.append(Batch(rows=rows))
                        break
                    except StaleHead:
                        refused.append(number)
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)
        store.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert refused, "they were in each other's way"
    store = opened(place)
    entries = list(store.tail({}))
    assert [each.seq for each in entries if each.stream == "link"] == list(range(100))
    assert len(entries) == 200
    pairs = {(one.stream, other.body) for one, other in zip(entries[::2], entries[1::2], strict=True)}
    assert pairs == {("link", b"of %d" % number) for number in range(4)}, "entries of one batch stand together"
    assert [each.position for each in entries] == list(range(1, 201))
    assert {name: head.seq for name, head in store.heads().items()} == {
        "link": 99, **{f"table {number}": 24 for number in range(4)}
    }  # fmt: skip
    store.close()


def _next(heads: dict[Stream, StoredHead], stream: Stream, body: bytes) -> Row:
    head = heads.get(stream, StoredHead())
    return Row(stream, head.seq + 1, body, hash_after(head.hash, body), events=0)


def test_an_id_that_another_node_has_used_is_refused(place: PostgresPlace) -> None:
    first, second, model = opened(place), opened(place), Model()
    first.append(Batch(rows=[model.row(Stream("table 1"), b"x", id_=ID, who="p1")]))
    with pytest.raises(RepeatedId):
        second.append(Batch(rows=[model.copy().row(Stream("table 2"), b"y", id_=ID, who="p1")]))
    assert differences(second, model) == []
    first.close()
    second.close()


def test_a_head_that_was_moved_or_taken_away_is_found(place: PostgresPlace) -> None:
    store, model = opened(place), Model()
    store.append(Batch(rows=[model.row(Stream("table 1"), b"x"), model.row(Stream("table 1"), b"y")]))
    row = model.row(Stream("table 1"), b"z")
    place.meddle("update head set hash = ?", (bytes(31) + b"1",))
    with pytest.raises(AssertionError, match="the hash of table 1 2 does not follow"):
        store.append(Batch(rows=[row]))
    place.meddle("delete from head")
    with pytest.raises(StaleHead, match="table 1 has come to entry -1"):
        store.append(Batch(rows=[row]))
    assert place.meddle("select count(*) from entry") == [(2,)]
    store.close()


def test_a_snapshot_that_includes_less_than_was_let_go_of_is_refused(place: PostgresPlace) -> None:
    """A node that lags behind must not leave a snapshot after which entries are missing."""
    store, model = opened(place), Model()
    store.append(Batch(rows=[model.row(Stream("practice 1"), b"%d" % number) for number in range(10)]))
    late = NewSnapshot("test", b"late", {Stream("practice 1"): 3})
    store.append(Batch(snapshot=model.new_snapshot(b"the house")))
    store.drop_before(Stream("practice 1"), 7)
    with pytest.raises(StaleHead, match="let go of up to entry 6, and the snapshot ends at 3"):
        store.append(Batch(snapshot=late))
    found = store.latest_snapshot()
    assert found is not None
    assert found.body == b"the house"
    assert found.heads == store.heads()
    store.close()


def test_a_lost_connection_ends_the_writer_and_not_a_reader(place: PostgresPlace) -> None:
    store, model = opened(place), Model()
    store.append(Batch(rows=[model.row(Stream("table 1"), b"x")]))
    reader = store.reader()
    (pid,) = reader.read("select pg_backend_pid()")[0]
    place.meddle("select pg_terminate_backend(?)", (pid,))
    assert reader.heads() == store.heads()
    (pid,) = reader.read("select pg_backend_pid()")[0]
    place.meddle("select pg_terminate_backend(?)", (pid,))
    assert reader.entries(Stream("table 1")) == model.streams[Stream("table 1")]
    cut_off(store, place)
    with pytest.raises(NodeCutOff, match="the connection to the database is lost"):
        store.append(Batch(rows=[model.copy().row(Stream("table 1"), b"y")]))
    with pytest.raises(NodeCutOff):
        store.heads()
    assert differences(reader, model) == []
    reader.close()


def test_a_reader_cannot_write_by_any_question(place: PostgresPlace) -> None:
    store = opened(place)
    store.append(Batch(settings={"house": "Lagoon"}))
    reader = store.reader()
    with pytest.raises(StoreUnavailable, match="read-only"):
        reader.read("with gone as (delete from setting returning key) select * from gone")
    assert store.setting("house") == "Lagoon"
    reader.close()
    store.close()


def test_an_erased_name_is_not_in_the_file_of_its_table(place: PostgresPlace) -> None:
    store = opened(place)
    store.append(Batch(names=[NameRow(f"person-{number}", b"salt", f"Secret Name {number}") for number in range(50)]))
    assert store.erase([f"person-{number}" for number in range(49)]) == 49
    assert store.erase(["person-1"]) == 0
    place.meddle("checkpoint")
    folder, file = place.meddle("select current_setting('data_directory'), pg_relation_filepath('name')")[0]
    assert (Path(str(folder)) / str(file)).read_bytes().count(b"Secret Name") == 1
    assert [each.text for each in store.names()] == ["Secret Name 49"]
    store.close()


@pytest.mark.slow
def test_an_erased_name_goes_though_somebody_still_sees_it_for_a_moment(place: PostgresPlace) -> None:
    store = opened(place)
    store.append(Batch(names=[NameRow(f"person-{number}", b"salt", f"Secret Name {number}") for number in range(50)]))
    with psycopg.connect(place.address, autocommit=True) as older:
        older.execute("begin isolation level repeatable read")
        older.execute("select count(*) from pg_class")  # from now on it sees what is there now
        ends = threading.Timer(0.5, older.execute, [b"rollback"])
        ends.start()
        assert store.erase([f"person-{number}" for number in range(49)]) == 49
        ends.join()
    place.meddle("checkpoint")
    folder, file = place.meddle("select current_setting('data_directory'), pg_relation_filepath('name')")[0]
    assert (Path(str(folder)) / str(file)).read_bytes().count(b"Secret Name") == 1
    store.close()


def test_a_sum_of_whole_numbers_is_one(place: PostgresPlace) -> None:
    store = opened(place)
    found = store.read("select sum(size), count(*) from (values (?::bigint), (?::bigint)) as each (size)", (2**53, 1))
    assert found == [(2**53 + 1, 2)]
    assert type(found[0][0]) is int
    store.close()


# ------------------------------------------------------------------------------------------------ opening


def test_both_databases_have_the_same_tables(place: PostgresPlace, tmp_path: Path) -> None:
    """Whoever adds a file to one schema adds its twin to the other."""
    opened(place).close()
    other = SqlitePlace(tmp_path / "house.db")
    other.open().close()
    columns = "select table_name, column_name from information_schema.columns where table_schema = current_schema()"
    found = {(str(table), str(column)) for table, column in place.meddle(columns)}
    listed = "select m.name, c.name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'"
    expected = {(str(table), str(column)) for table, column in other.meddle(listed)}
    sums = {("content_sum", column) for column in ("one", "key", "sums")}
    only_sqlite = {("head", "store"), ("snapshot", "heads"), *sums}
    assert expected - found == only_sqlite
    own = {table for table, _ in found - expected}
    assert own == {"node", "wanted", "erased", "identity", "head", "entry", "snapshot"}, (
        "what several nodes need beside it"
    )


def test_what_is_not_a_store_is_refused_and_left_as_it_is(postgres: PostgresServer, place: PostgresPlace) -> None:
    place.meddle("create table ledger (amount bigint)")
    with pytest.raises(StoreError, match="holds tables of another program, such as ledger"):
        opened(place)
    assert place.meddle("select tablename from pg_tables where schemaname = current_schema()") == [("ledger",)]
    nowhere = f"{postgres.address}&options=-csearch_path%3Dnowhere"
    with pytest.raises(StoreError, match="the schema that the address names does not exist"):
        open_store(nowhere)


def test_a_store_of_a_later_version_is_refused(place: PostgresPlace) -> None:
    opened(place).close()
    place.meddle("update identity set version = 99")
    with pytest.raises(StoreError, match="written by a later version of this program"):
        opened(place)


def test_a_store_whose_last_entry_is_gone_is_refused(place: PostgresPlace) -> None:
    store, model = opened(place), Model()
    store.append(Batch(rows=[model.row(Stream("table 1"), b"x"), model.row(Stream("table 1"), b"y")]))
    store.close()
    place.meddle("delete from entry where seq = 1")
    with pytest.raises(StoreError, match="the last entry of table 1 is missing"):
        opened(place)


def test_several_who_make_a_store_at_once_make_one(place: PostgresPlace) -> None:
    ids = list[bytes]()

    def make() -> None:
        store = opened(place)
        ids.append(store.id)
        store.close()

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 4
    assert len(set(ids)) == 1


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as raised:
        open_store("postgresql://house:secret@127.0.0.1:1/db")
    assert "secret" not in str(raised.value)
    assert (
        redacted_address("postgresql://house:secret@db.example/house?sslmode=require")
        == "postgresql://house@db.example/house"
    )


def test_a_server_that_does_not_sync_is_refused(place: PostgresPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baccarat.serve.store.postgres_open.MUST_BE_ON", ("fsync", "enable_bitmapscan"))
    off = f"{place.address}%20-cenable_bitmapscan%3Doff"
    with pytest.raises(StoreError, match="runs with enable_bitmapscan = off, and a power cut"):
        open_store(off)


def test_a_commit_waits_for_the_disk_whatever_the_server_is_set_to(place: PostgresPlace) -> None:
    store = PostgresStore.open(f"{place.address}%20-csynchronous_commit%3Doff")
    assert store.read("select current_setting('synchronous_commit')") == [("on",)]
    store.close()


@pytest.mark.slow
def test_others_are_told_of_each_batch_once_and_only_a_number(place: PostgresPlace) -> None:
    store, model = opened(place), Model()
    with psycopg.connect(place.address, autocommit=True) as listening:
        listening.execute(f"listen {store.channel}".encode())
        for _ in range(2):
            store.append(Batch(rows=[model.row(Stream("table 1"), b"x"), model.row(Stream("cage"), b"y")]))
        store.append(Batch(settings={"a": "b"}))
        heard = [each.payload for each in listening.notifies(timeout=60, stop_after=2)]
        heard += [each.payload for each in listening.notifies(timeout=0.3)]
    assert heard == ["2", "4"]
    assert store.heads()[Stream("table 1")].hash != NO_HASH
    store.close()
