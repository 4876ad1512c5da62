"""A node among others: its lease, its tables, and what the others do.

Every node has the whole house in memory, by following the log. Each table belongs to one node at a time, and only that
node decides there. Every other stream (links, cage, pits, forms, day, house) is shared: a node decides on what it
knows, the store compares, and if another node was first, everything that is not on disk yet is decided again before it
is acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg

from baccarat.house.state import Decision
from baccarat.house.stream import Stream, stream_name, table_stream
from baccarat.record.journal import StreamHead
from baccarat.record.log import Frontier
from baccarat.serve.cluster.change_feed import ChangeFeed
from baccarat.serve.cluster.lease import Lease, LeaseLapsed, OwnedStream
from baccarat.serve.cluster.lease_watch import LeaseWatch
from baccarat.serve.cluster.log_follower import RETRY_SECONDS, LogFollower
from baccarat.serve.fanout.message import Bye
from baccarat.serve.live import HouseParts, LeaseListener
from baccarat.serve.ops.supervisor import Start, Supervisor
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.runtime.recovery import RecoveredHouse, advance
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.serve.store.base import (
    NodeCutOff,
    NotOwner,
    RepeatedId,
    StaleHead,
    StaleRow,
    StoredEntry,
    StoreUnavailable,
)
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.store.postgres_open import WAITS_SECONDS

LEASE, COMMITS, FOLLOWER, TABLES, NEWS = (
    "the lease",
    "the watch over commits",
    "the log of other nodes",
    "the tables of this node",
    "changes of other nodes",
)
COMMIT_SECONDS = WAITS_SECONDS + 2.0
"""After how many seconds a commit is not waited for any longer: the server itself would have ended it by then."""


class Node:
    """One of several nodes of a house, made from the parts of a recovered house."""

    def __init__(
        self, parts: HouseParts, store: PostgresStore, found: RecoveredHouse, lease: Lease, *, listener: LeaseListener
    ) -> None:
        self._house, self._rooms, self._table_jobs, self.lease = parts.house, parts.rooms, parts.table_jobs, lease
        setting, writer = parts.setting, parts.house.writer
        self._look_seconds, self.hand_over_seconds = setting.look_seconds, setting.hand_over_seconds
        logs = {stream: Frontier.from_edge(log.size, log.edge) for stream, log in found.logs.items()}
        self.durable = RecoveredHouse(rules=found.rules, state=found.state, heads=dict(found.heads), logs=logs)
        """The house as it is in the log, as far as this node has read it; the engine runs ahead of it."""
        known = {stream: head.seq for stream, head in found.heads.items()}
        self.follower = LogFollower(store, known, self._deliver, every=setting.follow_seconds)
        self.news = ChangeFeed(parts.people, parts.rooms, store, every=setting.news_seconds)
        self.owners: dict[str, str] = {}
        """The address of the node that serves each table, by name."""
        self._needed = Counter[Stream]()
        """The streams that acts need here now, whichever node's share they are."""
        self._one_look = asyncio.Lock()
        self._report_fault = parts.report_fault
        self._jobs = Supervisor(self._on_fault, is_over=lambda: writer.fault is not None)
        parts.readiness.watch(self._jobs)
        self._renewing = ThreadPoolExecutor(1, thread_name_prefix="lease")
        """A thread of its own: a lease must not lapse because many wait for the database in the shared threads."""
        loop = asyncio.get_running_loop()

        def lapsed(error: BaseException) -> None:
            listener.on_lapsed(error)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is answered any more
                loop.call_soon_threadsafe(writer.fail, error)

        self._watch = LeaseWatch(lease, store.group, listener._replace(on_lapsed=lapsed))
        self._is_first = False
        self.redecided = 0
        """How often something was decided again because another node was first."""
        conflicts = StaleHead, RepeatedId, StaleRow
        writer.share(resolve_conflict=self._resolve_conflict, conflicts=conflicts, check_lease=lease.check)
        parts.house.journal.divide()

    # --------------------------------------------------------------------------------------------- asking

    @property
    def is_first(self) -> bool:
        """Whether no other node with a lease has begun before this one, as this one last looked."""
        return self._is_first

    def owns(self, table: str) -> bool:
        """Whether this node decides at a table."""
        return self._house.journal.owns(table_stream(table))

    def owner(self, table: str) -> str:
        """The address of the node that has a table; empty while the table moves between nodes."""
        if self.owns(table):
            return self.lease.address
        found = self.owners.get(table, "")
        return "" if found == self.lease.address else found  # it is leaving this node, or not quite here yet

    # ------------------------------------------------------------------------------------------ following

    def _deliver(self, entries: Sequence[StoredEntry]) -> None:
        try:
            advance(self.durable, entries, self._house.prices, self._apply_remote)
        except Exception as error:
            self._house.writer.fail(error)  # what is in memory is half changed: nothing is right but a new start
            raise

    def _apply_remote(self, decision: Decision | None, entries: Sequence[StoredEntry], after: RecoveredHouse) -> None:
        self._house.apply_remote(decision, entries, {each.stream: after.heads[each.stream] for each in entries})

    async def _catch_up(self) -> None:
        """Read everything that is durable now; if the connection is lost, on another one, while the lease is held."""
        while True:
            self.lease.check()
            try:
                await self.follower.catch_up()
            except (psycopg.OperationalError, psycopg.InterfaceError, OSError):
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    async def _resolve_conflict(self, refused: PendingBatch, error: BaseException) -> None:
        """After a refused batch, read what the others wrote, and decide again. A lost table ends the node."""
        if isinstance(error, NotOwner):
            raise LeaseLapsed(f"a table of this node was taken over: {error}") from None
        if isinstance(error, StaleRow) and not any(act.is_guarded for act in refused.acts):
            raise error  # not a conflict: a bug, which would fail again
        await self._catch_up()
        self.redecided += 1
        stored = await self._house.stored_answers(refused)
        self._house.decide_again(refused, self.durable, stored, is_stale=isinstance(error, StaleRow))
        for stream in self._house.journal.epochs:  # the state of a table may differ from what its loop saw
            self._rooms.table_changed(stream_name(stream)).set()

    # --------------------------------------------------------------------------------------------- working

    def start(self) -> None:
        """Renew the lease, follow the log, and rebalance tables, as long as the house is open."""
        self._watch.start()
        self._start(LEASE, self._renewal_loop)
        self._start(COMMITS, self._watch_commits)
        self._start(FOLLOWER, self.follower.run)
        self._start(TABLES, self._rebalance_loop)
        self._start(NEWS, self.news.run)

    def _start(self, name: str, start: Start) -> None:
        """Start a task without which this node could not go on: if the same fault stops it, the node ends, and others
        take its tables."""

        async def end_node() -> None:
            self._house.writer.fail(StoreUnavailable(f"this node ends: {name} failed again and again"))

        self._jobs.start(name, start, on_stopped=end_node)

    def _on_fault(self, name: str, error: Exception) -> None:
        """Report a fault; one of the store or the lease ends the node, which others may already have replaced."""
        if isinstance(error, StoreUnavailable):
            self._house.writer.fail(error)
        self._report_fault(name, error)

    async def _renewal_loop(self) -> None:
        loop = asyncio.get_running_loop()
        while True:  # first of all: when this is started again, the lease has little time left
            await loop.run_in_executor(self._renewing, self.lease.renew)
            await asyncio.sleep(self.lease.seconds / 5)

    async def _watch_commits(self) -> None:
        """End the wait for a server that renews the lease on one connection, and is silent on another."""
        while True:
            await asyncio.sleep(COMMIT_SECONDS / 10)
            if self._house.writer.waiting_seconds > COMMIT_SECONDS:
                raise NodeCutOff(f"the database has not answered a commit for {COMMIT_SECONDS:g} seconds")

    async def _rebalance_loop(self) -> None:
        while True:
            await self.refresh()
            await asyncio.sleep(self._look_seconds)

    @contextlib.asynccontextmanager
    async def hold_streams(self, streams: Sequence[Stream]) -> AsyncIterator[bool]:
        """Have tables here for one act: the nodes that have them are asked to hand them over.

        False if they did not come in time, or another node is requesting one of them. Afterwards every table goes to
        the node whose share it is.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self.hand_over_seconds
        self._needed.update(streams)
        try:
            is_asked = False
            while loop.time() < end and not (is_asked and self._owns_all(streams)):
                is_asked = is_asked or await asyncio.to_thread(
                    self.lease.request_streams, streams, self.hand_over_seconds
                )
                await self.refresh()
                if not (is_asked and self._owns_all(streams)):
                    await asyncio.sleep(self._look_seconds / 4)
            yield is_asked and self._owns_all(streams)
        finally:
            self._needed.subtract(streams)
            free = [each for each in streams if self._needed[each] <= 0]
            for each in free:
                del self._needed[each]
            await asyncio.to_thread(self.lease.cancel_request, free)

    def _owns_all(self, streams: Sequence[Stream]) -> bool:
        return all(self._house.journal.owns(each) for each in streams)

    async def refresh(self) -> None:
        """Take tables that no node has, release those that others need or have a right to, and update who has which."""
        async with self._one_look:
            await self._rebalance()

    async def _rebalance(self) -> None:
        # Anyone who still watches a table that is not here was not told because of a fault.
        for name in self._rooms:
            if self._rooms[name].guests and not self.owns(name):
                self.announce_move(name)
        streams = [table_stream(name) for name in self.durable.state.tables]
        await self._take_over_all(await asyncio.to_thread(self.lease.claim_streams, streams))
        peers = await asyncio.to_thread(self.lease.peers)
        # What is this node's by the store and not here: a fault came between a claim, or a hand-over, and its end.
        own = {stream for peer in peers if peer.id == self.lease.node for stream in peer.streams}
        if lost := sorted(own - self._house.journal.epochs.keys()):
            await self._take_over_all(await asyncio.to_thread(self.lease.held_streams, lost))
        tables = {stream_name(stream): peer.address for peer in peers for stream in peer.streams}
        self.owners = tables
        self._is_first = self.lease.node == min(peer.id for peer in peers) if peers else False
        asked = (stream for peer in peers if peer.id == self.lease.node for stream in peer.asked)
        given = [name for stream in asked if self.owns(name := stream_name(stream))]
        mine = [name for name in tables if self.owns(name) and name not in given]
        share = -(-len(self._house.state.tables) // max(1, len(peers)))
        spare = [name for name in sorted(mine)[share:] if table_stream(name) not in self._needed]
        if given or spare:
            await self._hand_over([*given, *spare])

    async def _take_over_all(self, taken: Sequence[OwnedStream]) -> None:
        """Serve tables that are this node's from now on."""
        if taken:
            await self._catch_up()  # the last of what their old owner wrote
            if not all(self._is_learnt(each.stream) for each in taken):
                await self._house.writer.wait_until_flushed()  # decisions here that conflict are made again
            for each in taken:
                self._take_over(each)

    def _is_learnt(self, stream: Stream) -> bool:
        """Whether decisions at a table would be based on all that this node has read of it."""
        return self._house.journal.head(stream).seq == (self.durable.heads.get(stream) or StreamHead()).seq

    def _take_over(self, each: OwnedStream) -> None:
        head = self.durable.heads.get(each.stream) or StreamHead()
        assert head.seq == each.seq, f"{each.stream} was read up to {head.seq}, but ends at {each.seq}"
        assert self._is_learnt(each.stream), f"{each.stream} was read, but is not in the house"
        name = stream_name(each.stream)
        self._house.journal.epochs[each.stream] = each.epoch
        self._rooms.reopen(name, self._house.state)  # for clients and for the table's loop

    async def _hand_over(self, tables: Sequence[str]) -> None:
        """Hand tables over to another node: nothing new is decided there, and what was decided is on disk."""
        streams = [table_stream(name) for name in tables]
        journal = self._house.journal
        try:
            for name in tables:
                await self._table_jobs.stop_at(name)
            journal.leaving.update(streams)
            await self._house.writer.wait_until_flushed()
            write_folds(self._house, all_in=journal.leaving.__contains__)  # the next node does not know of them
            await self._house.writer.wait_until_flushed()
            for stream in streams:  # only now: until it is on disk, what was decided there may be decided again
                journal.epochs.pop(stream, None)
            journal.leaving.difference_update(streams)
            await asyncio.to_thread(self.lease.release_streams, streams)
        except BaseException:
            self._stay_with(tables)
            raise
        for name in tables:
            self.owners.pop(name, None)
            self.announce_move(name)

    def _stay_with(self, tables: Sequence[str]) -> None:
        """A hand-over was broken off: a table that is still decided here runs again, and any other is soon taken over
        by this node or the next."""
        self._house.journal.leaving.difference_update(map(table_stream, tables))
        for name in filter(self.owns, tables):
            self._table_jobs.start_at(name)

    def announce_move(self, table: str) -> None:
        """Notify those who watch a table that another node serves it now."""
        bye = Bye(why="moved", say="This table is served by another node now; join again.", address=self.owner(table))
        self._rooms.end_table(table, bye)

    def durable_heads(self) -> dict[Stream, StreamHead]:
        """The last entry of each stream that this node has seen in the store."""
        return dict(self.durable.heads)

    def take_no_more(self) -> None:
        """Take no more tables, because this node is about to end; it answers until then."""
        self._jobs.cancel(TABLES)

    async def stop(self) -> None:
        """Release everything, so that others can take the tables immediately."""
        await asyncio.to_thread(self._watch.stop)
        await self._jobs.stop_all()
        await self.follower.close()
        await asyncio.to_thread(self.news.close)
        with contextlib.suppress(StoreUnavailable):  # it is over already
            await asyncio.to_thread(self.lease.end)
        self._renewing.shutdown(wait=False)
