"""What a store promises, each promise on real files and on a real PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store.base import (
    AnsweredAt,
    Batch,
    CheckpointRow,
    NameRow,
    NewSnapshot,
    RepeatedId,
    Row,
    SealedRow,
    StaleHead,
    StaleRow,
    Statement,
    Store,
    StoredHead,
    StoreError,
    StoreUnavailable,
)
from baccarat.serve.store.log_query import LANDMARK
from store_model import Chance, Model, differences
from store_place import StorePlace

ID = "019a0000-0000-7000-8000-000000000001"


@pytest.fixture
def store(store_place: StorePlace) -> Iterator[Store]:
    """An empty store."""
    store = store_place.open()
    yield store
    store.close()


def entered(store: Store, model: Model, stream: Stream, count: int = 1) -> None:
    """Some entries in one batch."""
    store.append(Batch(rows=[model.row(stream, b"body %d" % number, events=2) for number in range(count)]))


def snapshot_of(store: Store, model: Model) -> None:
    """A snapshot of what is there."""
    store.append(Batch(snapshot=model.new_snapshot(b"the house")))


# ---------------------------------------------------------------------------------------------- batches


def test_what_is_appended_is_there_after_another_start(store_place: StorePlace) -> None:
    store, model = store_place.open(), Model()
    entered(store, model, Stream("table 1"), 3)
    entered(store, model, Stream("cage"), 2)
    identity = store.id
    store.close()
    again = store_place.open()
    assert again.id == identity
    assert differences(again, model) == []
    head = again.heads()[Stream("table 1")]
    assert head == StoredHead(2, 6, model.streams[Stream("table 1")][-1].hash, 3)
    entered(again, model, Stream("table 1"))
    assert differences(again, model) == []
    again.close()


def test_an_entry_that_does_not_come_next_is_refused_and_nothing_of_its_batch_is_stored(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 2)
    kept = model.copy()
    good, skipped = model.row(Stream("cage"), b"x"), model.row(Stream("table 1"), b"y")
    for seq in (1, 3):
        wrong = Row(Stream("table 1"), seq, b"y", skipped.hash, events=1)
        with pytest.raises(StaleHead, match="table 1 has come to entry 1"):
            store.append(Batch(rows=[good, wrong]))
        assert differences(store, kept) == []
    store.append(Batch(rows=[good, skipped]))
    assert differences(store, model) == []


def test_a_hash_that_does_not_follow_is_a_bug(store: Store) -> None:
    with pytest.raises(AssertionError, match="does not follow"):
        store.append(Batch(rows=[Row(Stream("table 1"), 0, b"body", bytes(32), events=0)]))
    assert store.heads() == {}


def test_a_batch_of_another_epoch_is_refused(store: Store) -> None:
    model = Model()
    row = model.row(Stream("table 1"), b"opening")
    store.append(Batch(rows=[row], epochs={Stream("table 1"): 4}))
    assert store.heads()[Stream("table 1")].epoch == 4
    with pytest.raises(StaleHead, match="epoch 4, not 3"):
        store.append(Batch(rows=[model.copy().row(Stream("table 1"), b"late")], epochs={Stream("table 1"): 3}))
    store.append(Batch(rows=[model.row(Stream("table 1"), b"next")], epochs={Stream("table 1"): 4}))
    assert store.heads()[Stream("table 1")].epoch == 4


def test_a_batch_that_rests_on_a_stream_that_has_gone_on_is_refused(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("link"), 2)
    kept, row = model.copy(), model.row(Stream("table 1"), b"decided on the figure of the link")
    for known in (0, 2):
        with pytest.raises(StaleHead, match=f"link has come to entry 1; the batch rests on entry {known}"):
            store.append(Batch(rows=[row], read_set={Stream("link"): known}))
        assert differences(store, kept) == []
    store.append(Batch(rows=[row], read_set={Stream("link"): 1, Stream("cage"): -1}))
    more = [model.row(Stream("link"), b"x"), model.row(Stream("table 1"), b"y")]
    store.append(Batch(rows=more, read_set={Stream("link"): 1}))
    assert differences(store, model) == []


@pytest.mark.parametrize("id_", [ID, "any text", "019A0000-0000-7000-8000-000000000001"])
@pytest.mark.slow
def test_an_id_takes_effect_once_for_ever(id_: str, store_place: StorePlace) -> None:
    store, model = store_place.open(), Model()
    store.append(Batch(rows=[model.row(Stream("table 1"), b"first", id_=id_, who="p1")]))
    kept = model.copy()
    store.close()
    store = store_place.open()
    assert store.answer(id_, "p1") == AnsweredAt(Stream("table 1"), 0)
    assert store.answer(id_, "p2") is None
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=[model.copy().row(Stream("cage"), b"again", id_=id_, who="p1")]))
    assert differences(store, kept) == []
    store.append(Batch(rows=[model.row(Stream("cage"), b"another's", id_=id_, who="p2")]))
    assert store.answer(id_, "p2") == AnsweredAt(Stream("cage"), 0)
    store.close()


def test_an_id_twice_in_one_batch_is_refused(store: Store) -> None:
    model = Model()
    rows = [model.row(Stream("table 1"), b"body", id_=ID, who="p1") for _ in range(2)]
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=rows))
    assert store.heads() == {}


def test_an_id_is_known_when_its_entry_is_compressed_or_dropped(store: Store) -> None:
    model = Model()
    store.append(
        Batch(rows=[model.row(Stream("table 1"), b"first", id_=ID, who="p1"), model.row(Stream("table 1"), b"second")])
    )
    snapshot_of(store, model)
    assert store.archive(Stream("table 1"), 1) == 2
    assert store.answer(ID, "p1") == AnsweredAt(Stream("table 1"), 0)
    assert store.drop_before(Stream("table 1"), 1) == 1
    assert store.answer(ID, "p1") == AnsweredAt(Stream("table 1"), 0)
    assert store.entry(Stream("table 1"), 0) is None
    with pytest.raises(RepeatedId):
        store.append(Batch(rows=[model.row(Stream("table 1"), b"again", id_=ID, who="p1")]))


def test_statements_of_other_tables_are_part_of_the_batch(store: Store, store_place: StorePlace) -> None:
    model = Model()
    put = Statement("insert into setting values ('a', ?)", ("1",))
    store.append(Batch(rows=[model.row(Stream("table 1"), b"x")], statements=[put]))
    assert store.read("select value from setting where key = ?", ("a",)) == [("1",)]
    kept = model.copy()
    row = model.row(Stream("table 1"), b"y")
    with pytest.raises(StaleRow, match="constraint"):
        store.append(Batch(rows=[row], statements=[put]))
    once = Statement("update setting set value = '2' where value = '7'", changes=1)
    with pytest.raises(StaleRow, match="changed 0 rows, not 1"):
        store.append(Batch(rows=[row], statements=[once]))
    with pytest.raises(store_place.bug):
        store.append(Batch(rows=[row], statements=[Statement("no such thing")]))
    assert differences(store, kept) == []
    store.append(Batch(rows=[row]))
    assert differences(store, model) == []


# -------------------------------------------------------------------------------------------- snapshots


def test_a_snapshot_inside_a_batch_is_of_that_moment(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("cage"), 2)
    rows = [model.row(Stream("table 1"), b"%d" % number, events=1) for number in range(3)]
    snapshot = model.new_snapshot(b"after three")
    rows += [model.row(Stream("table 1"), b"%d" % number, events=1) for number in range(3, 5)]
    store.append(Batch(rows=rows, snapshot=snapshot))
    found = store.latest_snapshot()
    assert found is not None
    assert (found.position, found.heads[Stream("table 1")].seq, found.heads[Stream("table 1")].events) == (5, 2, 3)
    assert [each.seq for each in store.tail(found.heads)] == [3, 4]
    assert differences(store, model) == []


@pytest.mark.parametrize("heads", [{"table 1": 3}, {"table 1": 2, "cage": 0}, {"cage": 0}])
@pytest.mark.slow
def test_a_snapshot_of_no_moment_is_a_bug(heads: dict[Stream, int], store: Store) -> None:
    model = Model()
    rows = [model.row(Stream("table 1"), b"x") for _ in range(3)]
    with pytest.raises(AssertionError, match="of no moment"):
        store.append(Batch(rows=rows, snapshot=NewSnapshot("f", b"", heads)))
    assert store.heads() == {}
    assert store.latest_snapshot() is None


def test_a_snapshot_that_was_changed_is_not_handed_out(store: Store, store_place: StorePlace) -> None:
    model = Model()
    entered(store, model, Stream("table 1"))
    snapshot_of(store, model)
    store_place.meddle("update snapshot set body = ?", (b"0",))
    with pytest.raises(StoreError, match="was changed"):
        store.latest_snapshot()


def test_two_snapshots_are_kept(store: Store) -> None:
    model = Model()
    for _ in range(4):
        entered(store, model, Stream("table 1"))
        snapshot_of(store, model)
    assert store.read("select position from snapshot order by position") == [(3,), (4,)]


# --------------------------------------------------------------------------- reading, compressed, dropped


@pytest.mark.slow
def test_a_stream_is_read_alike_from_anywhere_before_and_after_it_is_compressed(store: Store) -> None:
    model = Model()
    count = 3 * LANDMARK + 5
    names = (Stream("table 1"), Stream("table 2"))
    rows = [model.row(name, b"%d %s" % (number, name.encode()) * 20) for number in range(count) for name in names]
    for start in range(0, len(rows), 37):
        store.append(Batch(rows=rows[start : start + 37]))
    snapshot_of(store, model)
    entries = model.streams[Stream("table 1")]

    def check() -> None:
        for after in range(-2, count + 2, 13):
            for limit in (0, 1, 64, 65, 1000):
                first = max(after + 1, 0)
                assert store.entries(Stream("table 1"), after=after, limit=limit) == entries[first : first + limit]
        for seq in range(-1, count + 1):
            expected = entries[seq] if 0 <= seq < count else None
            assert store.entry(Stream("table 1"), seq) == expected
        assert list(store.tail({})) == sorted(
            entries + model.streams[Stream("table 2")], key=lambda each: each.position
        )  # fmt: skip

    check()
    for through, most in ((70, 30), (70, 1000), (100, 7), (count - 1, 64)):
        while moved := store.archive(Stream("table 1"), through, most=most):
            assert moved <= most
        check()
    assert store.archive(Stream("table 1"), count - 1) == 0
    assert store.read("select count(*) from entry") == [(count,)]
    assert store.read("select count(*) from landmark") == [(count // LANDMARK + 1,)]
    entered(store, model, Stream("table 1"))
    assert store.entry(Stream("table 1"), count) == entries[count]
    assert store.entries(Stream("nobody")) == []
    assert store.entry(Stream("nobody"), 0) is None


def test_only_what_the_snapshot_includes_is_let_go_of(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 3)
    with pytest.raises(AssertionError, match="up to entry -1"):
        store.archive(Stream("table 1"), 0)
    with pytest.raises(AssertionError, match="up to entry -1"):
        store.drop_before(Stream("table 1"), 1)
    snapshot_of(store, model)
    entered(store, model, Stream("table 1"), 3)
    with pytest.raises(AssertionError, match="up to entry 2"):
        store.archive(Stream("table 1"), 3)
    assert store.archive(Stream("table 1"), 2) == 3
    assert differences(store, model) == []


def test_a_compressed_piece_that_was_changed_is_found(store: Store, store_place: StorePlace) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 4)
    snapshot_of(store, model)
    store.archive(Stream("table 1"), 1)
    store.archive(Stream("table 1"), 3)
    pieces = [row[0] for row in store.read("select body from archive order by last_seq")]
    first, second = (piece for piece in pieces if isinstance(piece, bytes))
    for body in (second, first[:-1], b""):
        store_place.meddle("update archive set body = ? where last_seq = 1", (body,))
        with pytest.raises(StoreError, match="compressed entries 0 to 1"):
            store.entries(Stream("table 1"))
    assert [each.seq for each in store.entries(Stream("table 1"), after=1)] == [2, 3]


def test_what_was_dropped_is_needed_from_the_start_and_not_after_a_snapshot(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("practice 1"), 10)
    snapshot_of(store, model)
    store.archive(Stream("practice 1"), 5, most=4)
    assert store.drop_before(Stream("practice 1"), 5) == 5
    assert store.drop_before(Stream("practice 1"), 5) == 0, "nothing before it is left"
    assert store.drop_before(Stream("practice 2"), 5) == 0, "nothing is known of it"
    assert [each.seq for each in store.entries(Stream("practice 1"))] == [5, 6, 7, 8, 9]
    assert store.entries(Stream("practice 1"), after=-1, limit=2) == model.streams[Stream("practice 1")][5:7]
    with pytest.raises(StoreError, match="begins with entry 5"):
        list(store.tail({}))
    found = store.latest_snapshot()
    assert found is not None
    assert list(store.tail(found.heads)) == []
    entered(store, model, Stream("practice 1"))
    assert [each.seq for each in store.tail(found.heads)] == [10]


def test_an_entry_that_was_changed_is_found_by_whoever_recovers(store: Store, store_place: StorePlace) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 5)
    store_place.meddle("update entry set body = ? where seq = 3", (b"0",))
    with pytest.raises(StoreError, match="entry 3 does not follow from entry 2"):
        list(store.tail({}))


def test_a_snapshot_ahead_of_its_head_is_found(store: Store) -> None:
    model = Model()
    entered(store, model, Stream("table 1"), 2)
    with pytest.raises(StoreError, match="ends before entry 5"):
        list(store.tail({Stream("table 1"): StoredHead(5, 0, NO_HASH, 6)}))


def test_sealed_secrets_notes_names_and_settings(store: Store) -> None:
    model = Model()
    names = [NameRow("person-2", b"s", "Zoe"), NameRow("person-1", b"t", "Ann")]
    store.append(
        Batch(
            rows=[model.row(Stream("table 1"), b"x")],
            seals=[SealedRow(Stream("table 1"), "0", b"first")],
            checkpoints=[CheckpointRow(Stream("table 1"), 1, b"note")],
            names=names,
            settings={"house": "Lagoon"},
        )
    )
    store.append(
        Batch(seals=[SealedRow(Stream("table 1"), "0", b"sealed anew"), SealedRow(Stream("link a"), "0", b"trigger")])
    )
    assert store.sealed_secret(Stream("table 1"), "0") == b"sealed anew"
    assert store.sealed_secret(Stream("table 1"), "1") is None
    assert {each.stream for each in store.all_sealed()} == {"table 1", "link a"}
    assert store.checkpoints(Stream("table 1")) == [CheckpointRow(Stream("table 1"), 1, b"note")]
    assert store.checkpoints(Stream("table 1"), after=1) == []
    assert store.latest_checkpoint(Stream("table 1")) == CheckpointRow(Stream("table 1"), 1, b"note")
    assert store.latest_checkpoint(Stream("cage")) is None
    assert store.names() == names
    assert (store.setting("house"), store.setting("pit")) == ("Lagoon", None)


# -------------------------------------------------------------------------------------- threads, backup


@pytest.mark.slow
def test_another_thread_reads_what_is_durable_while_one_writes(store: Store) -> None:
    model, wrong, done = Model(), list[str](), threading.Event()
    entered(store, model, Stream("table 1"))

    def read() -> None:
        reader = store.reader()
        while not done.is_set():
            head = reader.heads()[Stream("table 1")]
            entries = reader.entries(Stream("table 1"), limit=10**6)
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
        entered(store, model, Stream("table 1"), 3)
        if number % 10 == 0:
            snapshot_of(store, model)
            store.archive(Stream("table 1"), number)
        store.do_idle_work()
    done.set()
    thread.join()
    assert wrong == []


def test_a_question_cannot_write(store: Store) -> None:
    reader = store.reader()
    for reads in (store, reader):
        with pytest.raises(AssertionError, match="a query"):
            reads.read("delete from setting")
        assert reads.heads() == {}
    reader.close()
    with pytest.raises(StoreUnavailable, match="is closed"):
        reader.heads()
    store.close()
    with pytest.raises(StoreUnavailable, match="is closed"):
        store.append(Batch())


# ------------------------------------------------------------------------------------- against a model


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_steps_by_chance_are_as_plain_values_say(seed: int, store_place: StorePlace) -> None:
    store, chance = store_place.open(), Chance(seed, streams=6)
    for number, step in enumerate(chance.steps(store_place.steps), start=1):
        step.act(store)
        store.do_idle_work()
        if number % 30 == 0:
            assert differences(store, step.after) == [], f"after step {number}, {step.what}"
            reader = store.reader()
            assert differences(reader, step.after) == []
            reader.close()
        if number % 60 == 0:
            store.close()
            store = store_place.open()
            assert differences(store, step.after) == []
    store.close()
