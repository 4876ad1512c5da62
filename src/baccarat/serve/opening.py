"""Opening a house: its store, what is recovered from it, and all the parts of a house in service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from baccarat.serve.composition import StoreContents, compose_house
from baccarat.serve.founding import (
    MODE_SETTING,
    check_mode,
    check_reopened,
    create_practice_house,
    unstated_tables,
    witness_differences,
)
from baccarat.serve.job.content_check import run_content_check
from baccarat.serve.job.cosigning import run_cosigning
from baccarat.serve.job.reveal_watch import run_reveal_watch
from baccarat.serve.job.seed_reseal import resealed_seeds
from baccarat.serve.job.table_loop import run_table
from baccarat.serve.job.table_recovery import finish_round, read_table_again
from baccarat.serve.job.upkeep import run_upkeep
from baccarat.serve.job.verification import run_verification
from baccarat.serve.live import ClusterNode, HouseParts, HouseServer, LeaseListener
from baccarat.serve.ops.log import ServerLog, silent_log
from baccarat.serve.ops.metrics import Stopwatch
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.recovery import RecoveredHouse, recover
from baccarat.serve.runtime.seal_key import (
    check_founding,
    check_founding_by_mark,
    content_keys,
    key_ring,
    make_folder,
    remember_store,
)
from baccarat.serve.runtime.signing_key import HouseSigners, house_signers
from baccarat.serve.runtime.table_jobs import TableRuns, awaits_kind
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Batch, Store, StoreReader
from baccarat.serve.store.connection_group import ConnectionGroup
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from baccarat.serve.store.postgres import PostgresStore


_TAKEN_AS_FOUND = (
    "{place}: this store is authenticated from now on under the sealing key. Its earlier content was accepted "
    "unchecked: verify its journal (baccarat audit)"
)


def _read_house(reads: StoreReader, *, signers: HouseSigners | None) -> StoreContents:
    return StoreContents(
        house=recover(reads),
        mode=reads.setting(MODE_SETTING),
        names=reads.names(),
        newest_id=reads.newest_id(),
        signed=signers.signed_sizes(reads) if signers is not None else {},
    )


async def open_server(
    setting: Setting,
    *,
    stopped: Callable[[BaseException], None],
    listener: LeaseListener | None = None,
    log: ServerLog | None = None,
    address: str = "",
    group: ConnectionGroup | None = None,
    reopens: HouseServer | None = None,
) -> HouseServer:
    """Open the house in a store, or found a new one; `StoreError` says why that is impossible.

    `address` is the address of this node; on PostgreSQL it is one of several, each with tables of its own. The
    `listener` hears of its lease in another thread, and `stopped` is called on the event loop a moment later. The
    caller can cut its connections by `group`. If it `reopens` a house from which it was cut off, nothing is founded.
    """
    check_founding(setting)
    if not (setting.is_postgres and setting.seal_key):
        make_folder(setting.folder)  # for the database, or at least for the key that a practice house makes
    ring = None if setting.is_postgres else key_ring(setting)
    keys = content_keys(setting, ring) if ring is not None else None
    store = await asyncio.to_thread(open_store, setting.db, group, keys)
    lookups: Lookups | None = None
    parts: HouseParts | None = None
    node: ClusterNode | None = None
    try:
        may_found = reopens is None
        if setting.is_postgres and may_found:  # several nodes may start together: one of them founds the house
            await asyncio.to_thread(_shared_store(store).hold_founding, begin=True)
        ring = ring or key_ring(setting)
        keys = keys or content_keys(setting, ring)
        was_unchecked = await asyncio.to_thread(_authenticate, store, keys)
        reads = await asyncio.to_thread(store.reader)
        lookups = Lookups(reads)
        # Recover, and make the parts: nothing is served yet, and no task runs.
        watch = Stopwatch()
        signers = house_signers(setting.sign_key, house=setting.house, lost_logs=setting.lost_logs)
        stored = await lookups.ask(partial(_read_house, signers=signers))
        await asyncio.to_thread(_check_recovered, setting, store, stored.house, keys, reopens)
        resealed = await lookups.ask(lambda reads: resealed_seeds(setting, reads, ring))
        log = log or silent_log()
        parts = compose_house(setting, store, lookups, stored, ring, signers, stopped=stopped, log=log, watch=watch)
        # Create what a new house lacks, and refuse a store of another kind, or under another key.
        check_mode(setting, stored.mode, parts.house.writer, is_new=stored.house is None)
        _stage_seals(parts, resealed)
        if setting.mode is Mode.PRACTICE and may_found:
            create_practice_house(parts.house, parts.share_keys, reveal_within=setting.reveal_within)
        _report_content(parts, keys, was_unchecked=was_unchecked)
        _report_differences(parts)
        await parts.house.writer.wait_until_flushed()
        # Join the other nodes only now: they must not found anything while this one does.
        at = setting.origin
        if setting.is_postgres:
            if may_found:
                await parts.house.writer.run_exclusive(partial(_shared_store(store).hold_founding, begin=False))
            at = address or setting.origin
            node = await _join_others(parts, at, listener=listener or LeaseListener())
        live = HouseServer(parts, address=at, node=node)
        _start_jobs(live, parts, keys)  # last, because they use the whole house
    except BaseException:
        if node is not None:
            await node.stop()
        await asyncio.to_thread(_close_parts, store, lookups, parts)
        raise
    return live


def _start_jobs(live: HouseServer, parts: HouseParts, keys: ContentKeys) -> None:
    """Start every task that lives as long as the house."""
    parts.table_jobs.start(
        TableRuns(
            run=partial(run_table, live),
            read_again=partial(read_table_again, live),
            finish=partial(finish_round, live),
            may_end=lambda table: awaits_kind(live.setting, live.house.state.tables[table]),
        ),
        live.rooms,
    )
    parts.jobs.start("lateness", live.desk.lateness.run)
    parts.jobs.start("upkeep", partial(run_upkeep, live))
    parts.jobs.start("reveals", partial(run_reveal_watch, live))
    if isinstance(parts.store, SqliteStore):
        parts.jobs.start("content check", partial(run_content_check, live, parts.store, keys), may_end=lambda: True)
    if live.witness_addresses:
        parts.jobs.start("witnesses", partial(run_cosigning, live))
    if live.setting.verify_share:
        parts.jobs.start("verification of history", partial(run_verification, live))


def _check_recovered(
    setting: Setting, store: Store, found: RecoveredHouse | None, keys: ContentKeys, reopens: HouseServer | None
) -> None:
    """`StoreError` if what is stored is not the house that was here before."""
    if reopens is not None:
        check_reopened(reopens, store, found)
    elif found is None and setting.is_postgres:
        check_founding_by_mark(setting, keys)


def _authenticate(store: Store, keys: ContentKeys) -> bool:
    """See that what the store holds is authenticated; whether some of it was not, and is accepted unchecked."""
    if isinstance(store, SqliteStore):
        return store.content is not None and store.content.is_taken_as_found
    return _shared_store(store).authenticate(keys)


def _report_content(parts: HouseParts, keys: ContentKeys, *, was_unchecked: bool) -> None:
    """Remember that the store is authenticated from now on, and report what was not until now."""
    if was_unchecked:
        parts.log.say("content_taken_as_found", _TAKEN_AS_FOUND.format(place=parts.setting.place), level="warning")
    unwritten = remember_store(keys, parts.store.id)
    if unwritten:
        parts.log.say("store_not_remembered", unwritten, level="warning")


def _report_differences(parts: HouseParts) -> None:
    """Report tables whose kind is not recorded, and witnesses that are recorded and not configured, or the reverse."""
    for unstated in unstated_tables(parts.house.state):
        parts.log.say("table_kind_not_stated", unstated, level="warning")
    for difference in witness_differences(parts.house.state, parts.share_keys):
        parts.log.say("witnesses_differ", difference, level="warning")


def _stage_seals(parts: HouseParts, resealed: Batch) -> None:
    """Store what was sealed again under another key."""
    parts.house.writer.batch.seals += resealed.seals
    parts.house.writer.batch.settings |= resealed.settings
    parts.house.writer.stage()


def _close_parts(store: Store, lookups: Lookups | None, parts: HouseParts | None) -> None:
    """Release what a house that was not opened has taken."""
    if parts is not None:
        parts.people.desk.close()
        parts.house.writer.close()
    if lookups is not None:
        lookups.close()
    store.close()


def _shared_store(store: Store) -> PostgresStore:
    """The store, as one that several nodes share."""
    from baccarat.serve.store.postgres import PostgresStore  # noqa: PLC0415  psycopg is needed for this alone

    assert isinstance(store, PostgresStore), "only a PostgreSQL store is shared"
    return store


async def _join_others(parts: HouseParts, address: str, *, listener: LeaseListener) -> ClusterNode:
    """Become one of the nodes that serve this house."""
    from baccarat.serve.cluster.lease import Lease  # noqa: PLC0415
    from baccarat.serve.cluster.node import Node  # noqa: PLC0415  psycopg is needed for this alone

    store, house = _shared_store(parts.store), parts.house
    lease = await asyncio.to_thread(Lease, store, address, seconds=parts.setting.lease_seconds)
    found = RecoveredHouse(rules=house.rules, state=house.state, heads=house.journal.heads, logs=house.journal.logs)
    node = Node(parts, store, found, lease, listener=listener)
    node.start()
    try:
        await node.refresh()
    except BaseException:
        await node.stop()
        raise
    return node
