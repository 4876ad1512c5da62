"""Leases: which node may answer for the house, and until when; which streams it owns.

A node has a lease on the database's clock and renews it in good time. For itself it counts from before it asked, on a
monotonic clock, so that it stops answering before any other node may take its tables: `check` is called before every
answer, including refusals and reads. A lapsed lease is never renewed, because others may have taken the tables by then:
the house is reopened, as a new node.

A node that takes over a stream raises its epoch, and a batch that names an older one is refused (`StaleHead`). That
keeps the journal right whatever the old owner does; the lease prevents it from answering what is no longer true.

A node also holds an advisory lock for as long as its connection lives. The lock is released immediately when the
program dies, and the others need not wait for the lease to lapse. It is only a hint: they check twice, and a node whose
connection was closed by the server finds that out before its next answer, and sends none.
"""

from __future__ import annotations

import secrets
import select
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import RLock
from typing import Any

import msgspec
import psycopg

from baccarat.house.stream import TABLE_KIND, Stream
from baccarat.serve.store.base import NodeCutOff, StoreUnavailable
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.store.postgres_open import Connection

MARGIN = 0.25
"""So much earlier a node stops by its own clock: for what was sent a moment ago, and for clocks that differ in pace."""


class LeaseLapsed(NodeCutOff):
    """This node may no longer answer: others may have taken over its tables."""


class OwnedStream(msgspec.Struct, frozen=True):
    """A stream that this node has taken: its epoch, and its last entry at that time; -1 if it has none."""

    stream: Stream
    epoch: int
    seq: int


class Peer(msgspec.Struct, frozen=True):
    """Another node that serves the house, and the tables that it has."""

    id: int
    address: str
    streams: tuple[Stream, ...] = ()
    asked: tuple[Stream, ...] = ()
    """Those of them that another node requests."""


def steady() -> float:
    """Seconds on a monotonic clock, which also runs while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


class Lease:
    """The lease of one node, on a connection of its own; its methods may be called from any thread."""

    def __init__(
        self, store: PostgresStore, address: str, *, seconds: float, clock: Callable[[], float] = steady
    ) -> None:
        """`seconds` is how long the lease lasts, each time that it is renewed."""
        self.address, self.seconds, self._clock = address, seconds, clock
        self._lock = RLock()
        self._connection: Connection = store.connect(to_write=True)
        self._is_over = ""
        self._dead: frozenset[int] = frozenset()
        """Nodes whose lock was free when this one last checked."""
        begun = clock()
        try:
            self.node = self._register()
        except BaseException:
            self._connection.close()
            raise
        self._deadline = begun + seconds - MARGIN
        self._watched = select.poll()
        self._watched.register(self._connection.fileno(), select.POLLIN | select.POLLHUP | select.POLLERR)

    def _register(self) -> int:
        """Begin the lease; returns the number of the new node."""
        sign = secrets.randbits(62)
        self._ask("select pg_advisory_lock(%s)", sign)
        found = self._ask(
            "insert into node (address, sign, until) values (%s, %s, clock_timestamp() + make_interval(secs => %s)) "
            "returning id",
            self.address,
            sign,
            self.seconds,
        )
        return int(found[0][0])

    # ------------------------------------------------------------------------------------------ answering

    @property
    def is_good(self) -> bool:
        """Whether this node may answer now."""
        return self.seconds_left > 0

    @property
    def seconds_left(self) -> float:
        """How long this node may still answer if the lease is not renewed; 0 if it may no longer."""
        return 0.0 if self._is_over else max(0.0, self._deadline - self._clock())

    def check(self) -> None:
        """`LeaseLapsed` unless this node may answer now."""
        if not self.is_good:
            raise self.lapse("its time is over")
        if self._is_cut_off():
            raise self.lapse("the server has closed its connection")

    def _is_cut_off(self) -> bool:
        """Whether the server has closed this node's connection, so that its lock is free."""
        if not self._lock.acquire(blocking=False):
            return False  # it is in use, and its user will find out
        try:
            if self._watched.poll(0):
                self._connection.pgconn.consume_input()
            return self._connection.pgconn.status != psycopg.pq.ConnStatus.OK
        except psycopg.Error:
            return True
        finally:
            self._lock.release()

    def renew(self) -> None:
        """Renew the lease from now on; `LeaseLapsed` if it is too late."""
        with self._lock:
            begun = self._clock()
            if begun >= self._deadline:
                raise self.lapse("it was not renewed in time")
            found = self._ask(
                "update node set until = clock_timestamp() + make_interval(secs => %s) "
                "where id = %s and not ended and until > clock_timestamp() returning id",
                self.seconds,
                self.node,
            )
            if not found:
                raise self.lapse("another node has ended it")
            self._deadline = begun + self.seconds - MARGIN

    def end(self) -> None:
        """Give up the lease and all streams, so that others may take them immediately."""
        with self._lock:
            if not self._is_over:
                with suppress(StoreUnavailable):
                    self._ask("update node set ended = true where id = %s returning id", self.node)
                self._is_over = "it was given back"
            self._connection.close()

    # -------------------------------------------------------------------------------------------- streams

    def claim_streams(self, streams: Sequence[Stream] = ()) -> list[OwnedStream]:
        """Find nodes that have disappeared, and take the streams that no node has, up to this node's share.

        `streams` are those of all tables, because a table at which nothing has happened yet is not in the store.
        """
        with self._lock:
            self.check()
            dead = frozenset(int(row[0]) for row in self._ask(_DEAD_NODES_SQL, self.node))
            seem = [node for node in dead if node in self._dead]
            self._dead = dead
            self._ask("select end_lapsed(%s, %s::bigint[])", self.node, seem)
            # Only tables belong to one node at a time; every other stream is shared.
            # The function was replaced in schema/postgres/0005.sql.
            taken = self._ask("select * from take_streams(%s, %s, %s::text[])", self.node, TABLE_KIND, list(streams))
            return [OwnedStream(*row) for row in sorted(taken)]

    def held_streams(self, streams: Sequence[Stream]) -> list[OwnedStream]:
        """Those of some streams that are this node's by the store, as they stand now."""
        sql = (
            "select stream.name, head.epoch, head.seq from head join stream on stream.id = head.stream "
            "where head.owner = %s and stream.name = any(%s) order by stream.name"
        )
        return [OwnedStream(*row) for row in self._ask(sql, self.node, list(streams))]

    def release_streams(self, streams: list[Stream]) -> None:
        """Release streams for another node; whatever was begun in them must be on disk."""
        with self._lock:
            self._ask(
                "update head set owner = null, epoch = epoch + 1 from stream where stream.id = head.stream "
                "and owner = %s and stream.name = any(%s) returning head.stream",
                self.node,
                streams,
            )

    def request_streams(self, streams: Sequence[Stream], seconds: float) -> bool:
        """Request streams for some seconds, from whichever node has them; False if another node is requesting one."""
        (found,) = self._ask("select want_streams(%s, %s::text[], %s)", self.node, list(streams), seconds)
        return bool(found[0])

    def cancel_request(self, streams: Sequence[Stream]) -> None:
        """Withdraw a request: each stream goes to the node whose share it is."""
        sql = "delete from wanted where node = %s and stream = any(%s) returning stream"
        self._ask(sql, self.node, list(streams))

    def peers(self) -> list[Peer]:
        """The nodes that serve the house, including this one, each with its tables."""
        rows = self._ask(
            "select node.id, node.address, array_remove(array_agg(stream.name order by stream.name), null), "
            "array_remove(array_agg(wanted.stream order by wanted.stream), null) from node "
            "left join head on head.owner = node.id left join stream on stream.id = head.stream "
            "left join wanted on wanted.stream = stream.name and wanted.node <> node.id "
            "and wanted.until > clock_timestamp() "
            "where not node.ended and node.until > clock_timestamp() group by node.id, node.address order by node.id"
        )
        return [Peer(id=row[0], address=row[1], streams=tuple(row[2]), asked=tuple(row[3])) for row in rows]

    # ----------------------------------------------------------------------------------------- connection

    def _ask(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._is_over:
                raise self.lapse(self._is_over)
            try:
                return self._connection.execute(sql.encode(), params).fetchall()
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                raise self.lapse(" ".join(str(error).split())) from None

    def lapse(self, why: str) -> LeaseLapsed:
        """The lease is over now, for this reason unless it was over before; the error to be raised or reported."""
        self._is_over = self._is_over or why
        return LeaseLapsed(f"the lease of this node is over: {self._is_over}")


_DEAD_NODES_SQL = (
    "select id from node where not ended and id <> %s and case when pg_try_advisory_lock_shared(sign) "
    "then pg_advisory_unlock_shared(sign) else false end"
)
"""The nodes whose lock is free; trying and releasing it is one statement."""
