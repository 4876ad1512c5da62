"""A house in service, whole: its store, its journal, its rooms, its seeds, and what drives its tables."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from baccarat.engine.entries import AnyCommand, EnteredAct
from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, is_table_stream, kind_and_name, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.record.directory import DirectoryEntry
from baccarat.serve.access.base import SystemClock
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.desk import AccessControl
from baccarat.serve.access.link import administrator_link
from baccarat.serve.access.person import has_administrator
from baccarat.serve.fanout.floor_calls import FloorCalls
from baccarat.serve.fanout.house_room import HouseFollower, HouseRoom
from baccarat.serve.fanout.lobby_roads import LobbyRoads
from baccarat.serve.fanout.message import Bye
from baccarat.serve.fanout.table_room import Subscriber, TableRoom
from baccarat.serve.ops.log import silent
from baccarat.serve.ops.metrics import Gauges, Metrics
from baccarat.serve.runtime.access_storage import AccessStorage
from baccarat.serve.runtime.house import HouseEngine, OnDurable, TableChange
from baccarat.serve.runtime.past_state import StateCache
from baccarat.serve.runtime.recovery import take_snapshot
from baccarat.serve.runtime.seed_vault import SeedVault
from baccarat.serve.runtime.signing_key import known_witnesses
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import NameRow, Statement, Store, StoreReader, StoreUnavailable
from baccarat.serve.store.read_pool import ReadPool
from baccarat.serve.task_end import cancel_all
from baccarat.serve.watch.alert_board import AlertBoard
from baccarat.serve.watch.audit_job import AuditJobs
from baccarat.serve.watch.price_cache import Pricing
from baccarat.table.actor import Envelope
from baccarat.table.source import CardSource
from baccarat.table.state import TableState

if TYPE_CHECKING:
    from baccarat.serve.cluster.node import Node

SNAPSHOT_EVERY = 5_000
"""So many entries after a snapshot another one is stored: replaying them takes about a tenth of a second."""
FOLLOWED = "what is shown of the house"
LONG_COMMIT = 5.0
"""A commit that has not ended after so many seconds: no more commands should be sent here."""

HouseJob = Callable[["HouseServer"], Coroutine[Any, Any, None]]
"""Something that goes on by itself while a house is open."""
TableJob = Callable[["HouseServer", str], Coroutine[Any, Any, None]]
"""The same at one of its tables."""


class HouseServer:
    """A house that is open."""

    def __init__(
        self,
        setting: Setting,
        store: Store,
        reads: StoreReader,
        house: HouseEngine,
        vault: SeedVault,
        metrics: Metrics | None = None,
    ) -> None:
        self.setting, self.store, self.reads, self.house, self.vault = setting, store, reads, house, vault
        self.rooms: dict[str, TableRoom] = {}
        self.reading = ReadPool(store)
        self.pricing = Pricing(self.reading)
        self.lobby_roads = LobbyRoads(self.reading)
        self.states = StateCache()
        """Tables as they were, for those who look back."""
        self.alerts, self.auditing = AlertBoard(self.states), AuditJobs(store)
        known = known_witnesses(setting.witness_keys)
        self.witnesses = tuple(known)
        self.witness_addresses = {key: address for key, address in known.items() if address}
        self.desk = self._open_desk()
        self.last_actor: dict[str, str] = {}
        """Who did something at a table last, since its attendant looked."""
        self.cards: dict[str, CardSource] = {}
        """Where the cards of each table come from at which an automated dealer deals here."""
        self.floor_calls = FloorCalls()
        self.house_room = HouseRoom()
        """Everybody who follows the whole house."""
        self.floor_theory: object = None
        """What the floor keeps of what theory expected, so that it is not reckoned at every look."""
        self._changes: dict[str, asyncio.Event] = {}
        self.address = setting.origin
        """Where this node is, as tickets name it."""
        self.node: Node | None = None
        """What this node has to do with others; nothing where one process has the whole store."""
        self.is_draining = False
        self.log, self.metrics = silent(), metrics or Metrics()
        self._came: dict[str, asyncio.Event] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self._is_dealing = False
        self._at_table: TableJob | None = None
        self.metrics.gauges = self._gauges()
        for name, state in house.state.tables.items():
            self._open_room(name, house.state.rules(name), state)

    def _open_desk(self) -> AccessControl:
        """Where people sign on; whatever it writes goes through the house's writer."""
        return AccessControl(
            AccessStorage(self.store, self.reads, self.house.writer),
            house=self.store.id,
            clock=SystemClock(),
            is_practice=self.setting.mode is Mode.PRACTICE,
            on_ended=self._end_sessions,
            on_named=self._learn_names,
        )

    def _gauges(self) -> Gauges:
        """What is measured whenever somebody asks."""
        return Gauges(
            rooms=lambda: len(self.rooms),
            seated=self._seated,
            log_bytes=lambda: log_bytes(self.setting),
            is_ready=lambda: not self.why_not_ready(),
            since_commit=lambda: self.house.writer.waiting_seconds,
        )

    @property
    def title(self) -> str:
        """What kind of house it is, and how many tables it has."""
        kind = "The practice house" if self.setting.mode is Mode.PRACTICE else self.setting.house
        return f"{kind}, {len(self.rooms)} tables,"

    @property
    def place(self) -> str:
        """Where it is kept."""
        return "PostgreSQL" if self.setting.is_postgres else str(self.setting.file)

    async def greeting(self, address: str) -> list[str]:
        """What whoever stands at the terminal is told when it opens: the link of a house without an administrator."""
        if self.setting.mode is Mode.PRACTICE or has_administrator(self.reads):
            return []
        secret = await self.desk.change(lambda _reads, now: administrator_link(now=now))
        assert not isinstance(secret, Denied), "a link can always be made"
        return [
            "No administrator yet. This link makes one; it works once, for a day, and is printed only here:",
            f"  {address}/sign-on#{secret.reveal()}",
        ]

    def _open_room(self, name: str, rules: Rulebook, state: TableState) -> None:
        """Show a table as it is on the disk; the house itself may be ahead of that."""
        self.rooms[name] = TableRoom(name, rules, state)
        if self._is_dealing:
            self._deal_at(name)

    def on_tables_changed(self, touched: dict[str, TableChange]) -> None:
        """A batch is on the disk: show what it did."""
        for name, each in touched.items():
            room = self.rooms.get(name)
            if room is None:
                self._open_room(name, each.rules, each.state)
            else:
                room.publish(each.rules, each.state, each.events)
        if self.house_room.guests:
            self.house_room.mark_changed("day", "proposals", *(f"table {name}" for name in touched))

    def on_streams_grown(self, grown: dict[Stream, int]) -> None:
        """A batch is on the disk: tell those who watch how far the journals of tables have come."""
        for stream, seq in grown.items():
            room = self.rooms.get(stream_name(stream))
            if room is not None and is_table_stream(stream):
                room.note(seq)
                self.house_room.mark_changed("alerts")
            else:
                self.house_room.mark_books_changed()

    # ------------------------------------------------------------------------------------ people at tables

    def join(self, table: str, guest: Subscriber, *, run: str = "", after: int | None = None) -> None:
        """Somebody looks at a table from now on; what he is sent is on the disk."""
        room = self.rooms[table]
        room.join(guest, run=run, after=after)
        self.audience_present(table).set()
        self.table_changed(table).set()

    def leave(self, table: str, guest: Subscriber) -> None:
        """Somebody looks no more."""
        room = self.rooms[table]
        room.leave(guest)
        self.table_changed(table).set()
        if not room.guests:
            self.audience_present(table).clear()

    def follow(self, guest: HouseFollower, *, run: str = "", after: int | None = None) -> None:
        """Somebody follows the whole house from now on."""
        self.house_room.join(guest, run=run, after=after)
        if not any(task.get_name() == FOLLOWED and not task.done() for task in self.tasks):
            self._work(self.house_room.run(), FOLLOWED)

    @property
    def sessions(self) -> set[str]:
        """The sessions that have sockets here."""
        guests = (guest.session for room in self.rooms.values() for guest in room.guests)
        return {session for session in (*guests, *(each.session for each in self.house_room.guests)) if session}

    def audience_present(self, table: str) -> asyncio.Event:
        """Set while somebody looks at a table."""
        return self._came.setdefault(table, asyncio.Event())

    def absent_persons(self, table: str) -> frozenset[str]:
        """Who sits at a table and does not look at it."""
        room = self.rooms[table]
        here = {guest.who for guest in room.guests}
        seated = (person.who for person in self.house.state.tables[table].seats.participants if person is not None)
        return frozenset(who for who in seated if who not in here)

    def table_changed(self, table: str) -> asyncio.Event:
        """Set when somebody has done something at a table."""
        found = self._changes.get(table)
        if found is None:
            found = self._changes[table] = asyncio.Event()
        return found

    def sits_at(self, table: str, seat: int) -> str:
        """Who sits at a seat; empty where nobody does."""
        state = self.house.state.tables.get(table)
        person = state.at(seat) if state is not None and 0 < seat <= len(state.seats.participants) else None
        return person.who if person is not None else ""

    def _end_sessions(self, ids: Sequence[str]) -> None:
        """Sessions are over: so are their sockets."""
        gone = set(ids)
        bye = Bye(why="signed_off", say="You are signed off here.")
        for room in self.rooms.values():
            for guest in list(room.guests):
                if guest.session in gone:
                    guest.line.end(bye)
        for follower in list(self.house_room.guests):
            if follower.session in gone:
                follower.line.end(bye)

    def _learn_names(self, names: Sequence[NameRow]) -> None:
        """People were entered at the desk: the directory knows who their ids are."""
        directory = self.house.names
        assert directory is not None, "a house in service has one"
        for row in names:
            directory.learn(DirectoryEntry(id=row.id, salt=row.salt.hex(), text=row.text))

    def enter(
        self,
        stream: Stream,
        command: AnyCommand,
        envelope: Envelope,
        then: OnDurable | None = None,
        *,
        statements: Sequence[Statement] = (),
    ) -> EnteredAct:
        """Decide a command and enter it; `then` is called with the outcome when it is on the disk.

        `statements` go into the same batch as its record.
        """
        kept = self.house.enter(stream, command, envelope, then, statements=statements)
        kind, name = kind_and_name(stream)
        if kind == "table" and kept.refused is None:
            self.last_actor[name] = envelope.actor.who
            self.table_changed(name).set()
        self.keep_snapshot()
        return kept

    def name_of(self, person: str) -> str:
        """The name of a person of this id; empty where it was erased, or never known."""
        names = self.house.names
        found = names.find(person) if names is not None else ()
        return next((entry.text for entry in found if entry.id == person), "")

    async def erase_names(self, ids: Sequence[str]) -> None:
        """Forget names for good: afterwards they are in no file of the store, nor here."""
        await self.house.writer.flushed()
        await self.house.writer.run_exclusive(lambda: self.store.erase(ids))
        self.forget_names(set(ids))

    def forget_names(self, ids: Collection[str]) -> None:
        """Names that were erased, here or by another node, are in this process no more."""
        names = self.house.names
        if names is not None:
            names.erase([entry for entry in names.entries if entry.id in ids])

    async def durable_state(self) -> HouseState:
        """The house as it stands now, when all of that is on the disk."""
        state = self.house.state
        await self.house.writer.flushed()
        return state

    def count_unreadable(self) -> None:
        """A message could not be read; nothing else is kept of it."""
        self.metrics.counts.unreadable += 1

    def say_slow(self, seconds: float) -> None:
        """A commit took long: the disk is slow, or full of other work."""
        text = f"a commit took {seconds:.1f} seconds: look at the disk"
        self.log.say("slow_commit", text, level="warning", seconds=round(seconds, 3))

    def why_not_ready(self) -> str:
        """Why no command is taken now; empty where commands are."""
        if not self.holds_lease():
            return "the store cannot be written, or the lease has lapsed"
        if self.is_draining:
            return "the house is closing"
        return "the disk does not answer" if self.house.writer.waiting_seconds > LONG_COMMIT else ""

    def _seated(self) -> int:
        tables = self.house.state.tables.values()
        return sum(each is not None for table in tables for each in table.seats.participants)

    # ----------------------------------------------------------------------------------------- keeping on

    def start_dealing(self, at_table: TableJob, jobs: Mapping[str, HouseJob]) -> None:
        """Let automated dealers deal where they may, and begin the jobs that go on while the house is open."""
        self._at_table, self._is_dealing = at_table, True
        for name in self.rooms:
            self._deal_at(name)
        for name, job in jobs.items():
            self._work(job(self), name)

    def _deal_at(self, name: str) -> None:
        """Automated dealers deal at every table of a practice house, and at the tables of a real one that are set;
        at others that are set a person deals, and only the shoe is electronic."""
        if self.node is not None and not self.node.owns(name):
            return
        setting = self.setting
        if setting.mode is Mode.PRACTICE or name in setting.automated_tables | setting.electronic_tables:
            assert self._at_table is not None, "dealing has begun"
            self._work(self._at_table(self, name), f"dealer of {name}")

    def reopen_table(self, name: str) -> None:
        """This node has a table from now on: whoever comes is shown it anew, and dealers deal."""
        state = self.house.state
        self._open_room(name, state.rules(name), state.tables[name])

    async def stop_dealing_at(self, name: str) -> None:
        """Nobody deals at a table any more."""
        here = [task for task in self.tasks if task.get_name() == f"dealer of {name}"]
        self.cards.pop(name, None)
        for task in here:
            self.tasks.remove(task)
        await cancel_all(here)

    def holds_lease(self) -> bool:
        """Whether this node may say anything at this instant; if not, it ends."""
        try:
            self.house.writer.may_answer()
        except StoreUnavailable as error:
            self.house.writer.fail(error)
        return self.house.writer.fault is None

    def _work(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Something that goes on by itself as long as the house is open; if it fails, that is in the log."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(self._ended)
        self.tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and self.house.writer.fault is None:
            self.log.fault(error, "work that goes on by itself met a fault of the program")

    def keep_snapshot(self, *, after: int = SNAPSHOT_EVERY) -> None:
        """Store the house as it stands with the next batch, if so much has happened since the last snapshot."""
        house, journal = self.house, self.house.journal
        if journal.count < after:
            return
        journal.writer.batch.snapshot = take_snapshot(house.rules, house.state, journal.heads, journal.logs)
        journal.count = 0
        journal.writer.stage()

    async def drain(self) -> None:
        """Take nothing new, finish what was begun, and tell everybody."""
        self.is_draining = True
        if self.node is not None:
            self.node.take_no_more()
        await cancel_all(self.tasks)
        if self.house.writer.fault is None:
            if self.house.signers is not None and self.node is None:
                self.house.journal.sign_grown(self.house.signers)
            self.keep_snapshot(after=1)
            with contextlib.suppress(StoreUnavailable):  # whoever runs the house has been told; others are told still
                await self.house.writer.flushed()
        bye = Bye(why="closing", say="The house closes for a moment; join again to go on.")
        for room in self.rooms.values():
            for guest in list(room.guests):
                guest.line.end(bye)
        self.house_room.end_all(bye)

    async def close(self) -> None:
        """Let go of everything; what was answered is durable without that."""
        if self.node is not None:
            await self.node.stop()
        self.auditing.close()
        self.reading.close()
        self.desk.close()
        self.house.writer.close()
        self.reads.close()
        self.store.close()


def log_bytes(setting: Setting) -> int:
    """How long the store's own log is, which is written back now and then."""
    if setting.is_postgres:
        return 0
    log = setting.file.with_name(f"{setting.file.name}-wal")
    return log.stat().st_size if log.exists() else 0
