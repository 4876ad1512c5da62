"""Opening a house: its store, what is recovered from it, and everything that a house in service is made of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from baccarat.house.state import HouseState
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.record.sealed_seed import KeyRing
from baccarat.serve.founding import check_mode, create_practice_house
from baccarat.serve.job.cosigning import run_cosigning
from baccarat.serve.job.seed_reseal import reseal_seeds
from baccarat.serve.job.table_loop import run_table
from baccarat.serve.job.upkeep import run_upkeep
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.metrics import Metrics, Stopwatch
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.runtime.pending_batch import JournalHeads, PendingBatch
from baccarat.serve.runtime.recovery import Recovered, recover
from baccarat.serve.runtime.seal_key import key_ring, make_folder
from baccarat.serve.runtime.seed_vault import SeedVault
from baccarat.serve.runtime.signing_key import house_signers
from baccarat.serve.runtime.stored_directory import StoredDirectory
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Reads, Store, StoreReader


async def open_server(
    setting: Setting, *, stopped: Callable[[BaseException], None], log: ServerLog | None = None, address: str = ""
) -> HouseServer:
    """Open the house that is kept at a store's address, or a new one; `StoreFault` says why it cannot be.

    `address` is where this node will be found; on PostgreSQL it is one of several, each with tables of its own.
    """
    if not (setting.is_postgres and setting.seal_key):
        make_folder(setting.folder)  # for the database, or at least for the key that a practice house makes itself
    ring = None if setting.is_postgres else key_ring(setting)
    store = await asyncio.to_thread(open_store, setting.db)
    alone = getattr(store, "alone", None)  # several nodes may start at once: one of them founds the house
    reads: StoreReader | None = None
    try:
        if alone is not None:
            await asyncio.to_thread(alone, begin=True)
        ring = ring or key_ring(setting)
        reads = store.reader()
        watch = Stopwatch()
        found = await asyncio.to_thread(recover, reads)
        live = _compose(setting, store, reads, found, ring, stopped)
        live.log = log or live.log
        live.metrics.slow = live.say_slow
        live.metrics.recovery_seconds, live.metrics.recovered = watch.seconds, found.replayed if found else 0
        check_mode(live, is_new=found is None)
        reseal_seeds(live, ring)
        if setting.mode is Mode.PRACTICE:
            create_practice_house(live.house)
        await live.house.writer.flushed()
        if alone is not None:
            await live.house.writer.run_exclusive(lambda: alone(begin=False))
            await _join_others(live, address or setting.origin)
        live.start_dealing(run_table, {"upkeep": run_upkeep, "witnesses": run_cosigning})
    except BaseException:
        if reads is not None:
            reads.close()
        store.close()
        raise
    return live


async def _join_others(live: HouseServer, address: str) -> None:
    """Become one of the nodes that serve this house."""
    from baccarat.serve.cluster.lease import Lease  # noqa: PLC0415
    from baccarat.serve.cluster.node import Node  # noqa: PLC0415  psycopg is needed for this alone
    from baccarat.serve.store.postgres import PostgresStore  # noqa: PLC0415

    store, house = live.store, live.house
    assert isinstance(store, PostgresStore), "only such a store is shared"
    lease = await asyncio.to_thread(Lease, store, address, seconds=live.setting.lease_seconds)
    found = Recovered(rules=house.rules, state=house.state, heads=house.journal.heads, logs=house.journal.logs)
    live.address, live.node = address, Node(live, store, found, lease)
    await live.node.refresh()
    live.node.start()


def _compose(
    setting: Setting,
    store: Store,
    reads: StoreReader,
    found: Recovered | None,
    ring: KeyRing,
    stopped: Callable[[BaseException], None],
) -> HouseServer:
    """A house of what was found in its store; nothing is dealt yet."""
    metrics = Metrics()

    def commit(gathered: PendingBatch) -> None:
        watch = Stopwatch()
        store.append(gathered.batch())
        metrics.committed(len(gathered.rows), watch.seconds)

    writer: GroupCommitter[PendingBatch] = GroupCommitter(commit, PendingBatch, stopped)
    signed = _signed(reads, found) if setting.sign_key else {}
    journal = JournalHeads(writer, found.heads if found else {}, found.logs if found else {}, signed)
    rules = found.rules if found else rulebook(shipped_submissions()[0])  # whose clauses the house's own books cite
    house = HouseEngine(
        rules,
        found.state if found else HouseState(),
        journal,
        reads,
        names=StoredDirectory(reads.names(), writer),
        signers=house_signers(setting.sign_key, house=setting.house),
    )
    live = HouseServer(setting, store, reads, house, SeedVault(ring, reads, writer), metrics)
    house.publish, house.note = live.on_tables_changed, live.on_streams_grown
    return live


def _signed(reads: Reads, found: Recovered | None) -> dict[Stream, int]:
    """How many entries of each stream are signed."""
    notes = (reads.latest_checkpoint(stream) for stream in (found.heads if found is not None else ()))
    return {note.stream: note.size for note in notes if note is not None}
