"""Leases on a real PostgreSQL: who may answer until when, fencing, and nodes that are frozen and killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from baccarat.house.stream import Stream, table_stream
from baccarat.serve.cluster.lease import MARGIN, Lease, LeaseLapsed, OwnedStream, steady
from baccarat.serve.store.base import Batch, StaleHead
from baccarat.serve.store.postgres import PostgresStore
from campaign import CAMPAIGN
from lateness import Lateness
from paths import ROOT, TESTS
from postgres_server import PostgresServer
from store_model import Model
from store_place import PostgresPlace

SHORT = 2.0
"""Seconds of a lease that a test waits for."""


@pytest.fixture
def place(postgres: PostgresServer) -> PostgresPlace:
    """A schema for a store."""
    return PostgresPlace(postgres.new())


@pytest.fixture
def store(place: PostgresPlace) -> Iterator[PostgresStore]:
    """A store with four tables and a cage."""
    store, model = PostgresStore.open(place.address), Model()
    streams = [*(f"table {number}" for number in range(1, 5)), "cage"]
    store.append(Batch(rows=[model.row(Stream(stream), b"opening") for stream in streams]))
    yield store
    store.close()


@contextmanager
def leased(store: PostgresStore, name: str = "a", **more: Any) -> Iterator[Lease]:
    """A lease, until the end of the block."""
    lease = Lease(store, f"http://{name}", **{"seconds": 2.0, **more})
    try:
        yield lease
    finally:
        lease.end()


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


# ---------------------------------------------------------------------------------------------- answering


def test_a_node_stops_answering_before_its_lease_is_over_and_never_renews_a_lapsed_one(store: PostgresStore) -> None:
    clock = Clock()
    with leased(store, seconds=30.0, clock=clock) as lease:
        lease.check()
        clock.now += 20
        lease.renew()
        clock.now += 30 - MARGIN - 0.01
        lease.check()
        clock.now += 0.02
        with pytest.raises(LeaseLapsed, match="its time is over"):
            lease.check()
        with pytest.raises(LeaseLapsed):  # though the database still has it for a while
            lease.renew()
        clock.now = 100.0
        with pytest.raises(LeaseLapsed):
            lease.check()


def test_a_lease_counts_from_before_it_was_asked_for(store: PostgresStore, place: PostgresPlace) -> None:
    """An answer that came late must not make it longer."""
    clock = Clock()
    with leased(store, seconds=30.0, clock=clock) as lease:
        real = lease._ask

        def slow(sql: str, *params: object) -> Any:
            found = real(sql, *params)
            clock.now += 12
            return found

        lease._ask = slow  # type: ignore[method-assign]
        lease.renew()
        clock.now += 18
        with pytest.raises(LeaseLapsed):
            lease.check()


def test_a_lease_that_another_has_ended_is_not_renewed(store: PostgresStore, place: PostgresPlace) -> None:
    with leased(store) as lease:
        place.meddle("update node set until = clock_timestamp()")
        with pytest.raises(LeaseLapsed, match="another node has ended it"):
            lease.renew()
        with pytest.raises(LeaseLapsed):
            lease.check()


def test_a_node_whose_connection_was_closed_does_not_answer(store: PostgresStore, place: PostgresPlace) -> None:
    with leased(store, seconds=30.0) as lease:
        lease.check()
        pid = lease._connection.info.backend_pid
        place.meddle("select pg_terminate_backend(?)", (pid,))
        until = steady() + 5
        with pytest.raises(LeaseLapsed):  # noqa: PT012
            while steady() < until:
                lease.check()
        assert not lease.is_good


def test_checking_a_lease_is_cheap(store: PostgresStore) -> None:
    """It stands before every answer."""
    with leased(store, seconds=30.0) as lease:
        begun = time.thread_time()
        for _ in range(2_000):
            lease.check()
        assert (time.thread_time() - begun) / 2_000 < 50e-6


# ------------------------------------------------------------------------------------------------ streams


def test_tables_are_divided_and_shared_streams_belong_to_nobody(store: PostgresStore) -> None:
    with leased(store) as lease:
        assert lease.claim_streams() == [OwnedStream(table_stream(str(number)), 1, 0) for number in range(1, 5)]
        assert lease.claim_streams() == []
        with leased(store, "b") as other:
            assert other.claim_streams() == []
            lease.release_streams([Stream("table 3"), Stream("table 4")])
            assert other.claim_streams() == [OwnedStream(Stream("table 3"), 3, 0), OwnedStream(Stream("table 4"), 3, 0)]
            assert lease.claim_streams() == []
            assert [(peer.address, peer.streams) for peer in lease.peers()] == [
                ("http://a", ("table 1", "table 2")),
                ("http://b", ("table 3", "table 4")),
            ]
        assert [owned.stream for owned in lease.claim_streams()] == ["table 3", "table 4"], (
            "what was given back is taken at once"
        )


def test_an_old_owner_is_refused_and_a_shared_stream_is_not_fenced(store: PostgresStore) -> None:
    model = Model()
    for stream in (*(f"table {number}" for number in range(1, 5)), "cage"):
        model.row(Stream(stream), b"opening")
    with leased(store) as lease:
        before = {owned.stream: owned.epoch for owned in lease.claim_streams()}
        store.append(Batch(rows=[model.row(Stream("table 1"), b"mine")], epochs=before))
    with leased(store, "b") as other:
        after = {owned.stream: owned.epoch for owned in other.claim_streams()}
        late = model.copy()
        with pytest.raises(StaleHead, match="table 1 is in epoch 2, not 1"):
            store.append(
                Batch(rows=[late.row(Stream("cage"), b"late"), late.row(Stream("table 1"), b"late")], epochs=before)
            )
        assert store.heads()[Stream("cage")].seq == 0, "refused whole"
        with pytest.raises(StaleHead, match="table 1 belongs to a node"):
            store.append(Batch(rows=[model.copy().row(Stream("table 1"), b"without an epoch")]))
        store.append(
            Batch(rows=[model.row(Stream("table 1"), b"theirs"), model.row(Stream("cage"), b"theirs")], epochs=after)
        )
    assert store.heads()[Stream("table 1")].seq == 2


def test_a_node_without_a_lease_takes_nothing(store: PostgresStore, place: PostgresPlace) -> None:
    with leased(store) as lease:
        place.meddle("update node set until = clock_timestamp()")
        assert lease.claim_streams() == []
        with leased(store, "b") as other:
            assert len(other.claim_streams()) == 4


def test_several_who_take_at_once_never_take_the_same(store: PostgresStore) -> None:
    leases = [Lease(store, f"http://{number}", seconds=2.0) for number in range(4)]
    taken, wrong = list[OwnedStream](), list[BaseException]()

    def take(lease: Lease) -> None:
        try:
            taken.extend(lease.claim_streams())
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=take, args=(lease,)) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sorted(owned.stream for owned in taken) == [f"table {number}" for number in range(1, 5)]
    assert {len(peer.streams) for peer in leases[0].peers()} == {1}
    for lease in leases:
        lease.end()


# ------------------------------------------------------------------------------------ frozen and killed


class Child:
    """A program that holds a lease (`lease_holder.py`), and what it said."""

    def __init__(self, address: str, fault: str = "") -> None:
        command = [sys.executable, str(TESTS / "support" / "lease_holder.py"), address, str(SHORT)]
        path = f"{ROOT / 'src'}"
        self.process = subprocess.Popen(
            [*command, fault] if fault else command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": path, "PATH": ""},
        )
        self.lines: list[tuple[float, str, int]] = []
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            at, what, number, *_ = line.split()
            self.lines.append((float(at), what, int(number)))

    def until(self, what: str, count: int = 1, seconds: float = 60.0) -> None:
        """Wait until it has said something so often."""
        end = time.monotonic() + seconds
        while sum(line[1] == what for line in self.lines) < count:
            assert self.process.poll() is None, "it ended"
            assert time.monotonic() < end, f"it did not say {what!r}: {self.lines[-3:]}"
            time.sleep(0.005)

    def after(self, at: float) -> list[tuple[float, str, int]]:
        """What it said after a time."""
        return [line for line in self.lines if line[0] > at]

    def end(self) -> int:
        """Kill it if it still runs; its status."""
        self.process.kill()
        status = self.process.wait()
        self._reading.join()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return status


@contextmanager
def child(address: str, fault: str = "") -> Iterator[Child]:
    """Such a program, until the end of the block."""
    made = Child(address, fault)
    try:
        yield made
    finally:
        made.end()


@pytest.fixture
def one_table(place: PostgresPlace) -> Iterator[PostgresStore]:
    """A store with one table."""
    store = PostgresStore.open(place.address)
    store.append(Batch(rows=[Model().row(Stream("table 1"), b"opening")]))
    yield store
    store.close()


def written(store: PostgresStore) -> list[bytes]:
    """The bodies in the table after its opening, the hashes checked."""
    return [each.body for each in store.tail({})][1:]


def seen(first: Child, second: Child, store: PostgresStore) -> list[str]:
    """What is wrong after the second has taken the table of the first."""
    taken, bodies = second.lines[0][0], written(store)
    answered = [[seq for _, what, seq in each.lines if what == "wrote"] for each in (first, second)]
    return [
        what
        for what, is_wrong in {
            "the old owner answered after its table was taken": bool(first.after(taken)),
            "somebody was refused wrongly": "refused" in {line[1] for line in (*first.lines, *second.lines)},
            "an answered entry is lost": not {*answered[0], *answered[1]} <= set(range(1, len(bodies) + 1)),
            "an entry was answered twice": bool(set(answered[0]) & set(answered[1])),
            "the old owner wrote after the new one": bodies != sorted(bodies),
        }.items()
        if is_wrong
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("how", "within"), [(signal.SIGKILL, 1.0), (signal.SIGSTOP, SHORT + 2.0)])
def test_a_table_is_taken_over_in_time_and_nothing_answered_is_lost(
    how: signal.Signals, within: float, one_table: PostgresStore, place: PostgresPlace
) -> None:
    with child(place.address) as first:
        first.until("wrote", 20)
        with child(place.address) as second:
            time.sleep(SHORT)
            assert not second.lines, "while the first renews its lease, nobody takes its table"
            with Lateness() as machine:
                first.process.send_signal(how)
                begun = time.time()
                second.until("wrote", 20)
            spare = 20.0 if CAMPAIGN == 1 else 20 * machine.worst  # one run may meet a machine that has no time at all
            assert second.lines[0][0] - begun < within + spare
            if how is signal.SIGSTOP:
                first.process.send_signal(signal.SIGCONT)
                assert first.process.wait(60) == 3, "thawed, it finds its lease over, says nothing more and ends"
                second.until("wrote", 40)
    assert seen(first, second, one_table) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "wrong"),
    [
        ("unfenced", {"the old owner wrote after the new one", "somebody was refused wrongly"}),
        ("unchecked", {"the old owner answered after its table was taken", "somebody was refused wrongly"}),
    ],
)
def test_a_planted_fault_is_seen(fault: str, wrong: set[str], one_table: PostgresStore, place: PostgresPlace) -> None:
    """A writer that no epoch fences off goes on in another's table; one that does not look at its lease refuses."""
    with child(place.address, fault) as first:
        first.until("wrote", 5)
        first.process.send_signal(signal.SIGSTOP)
        with child(place.address) as second:
            second.until("wrote", 5)
            first.process.send_signal(signal.SIGCONT)
            (second if fault == "unfenced" else first).until("refused")
    assert set(seen(first, second, one_table)) == wrong
