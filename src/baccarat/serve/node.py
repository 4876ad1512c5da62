"""A node among others: its lease, its tables, and what the others do.

Every node has the whole house in memory, by following the log. Each table belongs to one node at a time, which decides
there alone. Every other stream (links, cage, pits, forms, day, house) is shared: a node decides on what it knows, the
store compares, and where another node was first, everything that is not on the disk yet is decided again before anybody
is told.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import psycopg

from baccarat.house.state import Decision, table_stream
from baccarat.record.journal import Head
from baccarat.record.log import Frontier
from baccarat.serve.follow import RETRY_SECONDS, Follower
from baccarat.serve.gathering import Gathering
from baccarat.serve.recovery import Recovered, advance
from baccarat.serve.store.base import NotOwner, RepeatedId, StaleHead, StoredEntry, StoreStopped
from baccarat.serve.store.lease import Lease, LeaseLapsed, Owned
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.wire import Bye

if TYPE_CHECKING:
    from baccarat.serve.live import Live

TABLES = "tables"
LOOK_SECONDS = 0.1
"""So often a node looks whether another is gone, and which tables are whose."""


class Node:
    """What makes a live house one of several."""

    def __init__(self, live: Live, store: PostgresStore, found: Recovered, lease: Lease) -> None:
        self.live, self.lease = live, lease
        logs = {stream: Frontier.of(log.size, log.edge) for stream, log in found.logs.items()}
        self.durable = Recovered(rules=found.rules, state=found.state, heads=dict(found.heads), logs=logs)
        """The house as it is in the log, as far as this node has read it; `live.house` runs ahead of it."""
        known = {stream: head.seq for stream, head in found.heads.items()}
        self.follower = Follower(store, known, self._deliver)
        self.owners: dict[str, str] = {}
        """Where each table is served, by its name."""
        self._tasks: list[asyncio.Task[None]] = []
        self.mended = 0
        """How often something was decided again because another node was first."""
        writer, journal = live.house.writer, live.house.journal
        writer.mend, writer.mends = self._mend, (StaleHead, RepeatedId)
        writer.may_answer = lease.check
        journal.is_divided = True

    # --------------------------------------------------------------------------------------------- asking

    def owns(self, table: str) -> bool:
        """Whether this node decides at a table."""
        return table_stream(table) in self.live.house.journal.epochs

    def owner(self, table: str) -> str:
        """The address of the node that has a table; empty while nobody has it."""
        return self.lease.address if self.owns(table) else self.owners.get(table, "")

    # ------------------------------------------------------------------------------------------ following

    def _deliver(self, entries: Sequence[StoredEntry]) -> None:
        advance(self.durable, entries, self.live.house.prices, self._learn)

    def _learn(self, decision: Decision | None, entries: Sequence[StoredEntry], after: Recovered) -> None:
        self.live.house.learn(decision, entries, {each.stream: after.heads[each.stream] for each in entries})

    async def _mend(self, refused: Gathering, error: BaseException) -> None:
        """A batch was refused: read what the others wrote, and decide again. A table that was lost is the end."""
        if isinstance(error, NotOwner):
            raise LeaseLapsed(f"a table of this node was taken over: {error}") from None
        while True:
            self.lease.check()
            try:
                await self.follower.catch_up()
                break
            except (psycopg.OperationalError, psycopg.InterfaceError, OSError):
                await asyncio.sleep(RETRY_SECONDS)
        self.mended += 1
        self.live.house.decide_again(refused, self.durable)

    # --------------------------------------------------------------------------------------------- working

    def start(self) -> None:
        """Renew, follow, and look for tables, as long as the house is open."""
        for name, work in (("lease", self._renew()), ("follower", self.follower.run()), (TABLES, self._look())):
            self._tasks.append(asyncio.create_task(self._guarded(work), name=name))  # type: ignore[arg-type]

    async def _guarded(self, work: asyncio.Future[None]) -> None:
        """What ends by itself ends the node: it could answer what is no longer true."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001
            self.live.house.writer.fail(error)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self.lease.seconds / 5)
            await asyncio.to_thread(self.lease.renew)

    async def _look(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Take tables that nobody has, let go of those that are more than this node's share, and see who has which."""
        streams = [table_stream(name) for name in self.durable.state.tables]
        taken = await asyncio.to_thread(self.lease.take, streams)
        if taken:
            await self.follower.catch_up()  # the last of what their old owner wrote
            for each in taken:
                self._own(each)
        peers = await asyncio.to_thread(self.lease.peers)
        tables = {stream.partition(" ")[2]: peer.address for peer in peers for stream in peer.streams}
        self.owners = tables
        mine = [name for name in tables if self.owns(name)]
        share = -(-len(self.live.house.state.tables) // max(1, len(peers)))
        if len(mine) > share:
            await self._give(sorted(mine)[share:])

    def _own(self, each: Owned) -> None:
        head = self.durable.heads.get(each.stream) or Head()
        assert head.seq == each.seq, f"{each.stream} was read up to {head.seq}, and ends at {each.seq}"
        name = each.stream.partition(" ")[2]
        self.live.house.journal.epochs[each.stream] = each.epoch
        self.live.open_again(name)

    async def _give(self, tables: Sequence[str]) -> None:
        """Let another node have tables: nothing new is decided there, and what was is on the disk."""
        streams = [table_stream(name) for name in tables]
        for name in tables:
            await self.live.stop_dealing_at(name)
        epochs = self.live.house.journal.epochs
        for stream in streams:
            epochs.pop(stream, None)
        await self.live.house.writer.settled()
        await asyncio.to_thread(self.lease.give, streams)
        for name in tables:
            self.say_moved(name)

    def say_moved(self, table: str) -> None:
        """Whoever looks at a table that is served elsewhere now is told so."""
        bye = Bye(why="moved", say="This table is served by another node now; join again.", address=self.owner(table))
        for guest in list(self.live.rooms[table].guests):
            guest.line.end(bye)

    def take_no_more(self) -> None:
        """This node is about to end: it takes no tables any more, and answers until it has."""
        for task in self._tasks:
            if task.get_name() == TABLES:
                task.cancel()

    async def stop(self) -> None:
        """Let go of everything, so that others take the tables at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.follower.close()
        with contextlib.suppress(StoreStopped):  # it is over already
            await asyncio.to_thread(self.lease.end)
