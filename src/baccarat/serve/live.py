"""A house in service, whole: its store, its journal, its rooms, its seeds, and what drives its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from baccarat.house.filed import file_rules
from baccarat.house.notice import Notice
from baccarat.house.opening import AddPit
from baccarat.house.pit import GiveNotice, OpenTable
from baccarat.house.state import HOUSE_STREAM, HouseState, pit_stream
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.record.directory import Directory, Entry
from baccarat.record.keeping import AnyCommand, Kept
from baccarat.record.sealed_seed import KeyRing, SealedSeedError, SealingKey
from baccarat.serve.access.base import SystemClock
from baccarat.serve.access.desk import Desk
from baccarat.serve.gathering import Gathering, LiveJournal
from baccarat.serve.house import LiveHouse, Then, Touched
from baccarat.serve.pricing import Pricing
from baccarat.serve.reading import ReadingRoom
from baccarat.serve.recovery import Recovered, recover, take_snapshot
from baccarat.serve.room import Guest, Room
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.signing import house_signers, witness_keys
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Batch, NameRow, Reader, Reads, Statement, Store, StoreFault
from baccarat.serve.vault import Vault
from baccarat.serve.wire import Bye
from baccarat.serve.writer import Writer
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role

SNAPSHOT_EVERY = 2_000
"""So many entries after a snapshot another one is stored: replaying them takes some hundredths of a second."""


class StoredDirectory(Directory):
    """A directory of names that stands in the store."""

    def __init__(self, rows: list[NameRow], writer: Writer[Gathering]) -> None:
        super().__init__(None, (Entry(id=row.id, salt=row.salt.hex(), text=row.text) for row in rows))
        self._writer = writer

    def _add(self, entry: Entry) -> None:
        super()._add(entry)
        self._writer.batch.names.append(NameRow(entry.id, bytes.fromhex(entry.salt), entry.text))
        self._writer.added()


class DeskKeeping:
    """What the desk needs of the store: each change of its own is a transaction of its own, between two batches."""

    def __init__(self, store: Store, reads: Reads, writer: Writer[Gathering]) -> None:
        self._store, self.reads, self._writer = store, reads, writer

    async def commit(self, batch: Batch) -> None:
        """Store a batch; it is durable when this returns. `NotAppended` where it contradicts what is stored."""
        await self._writer.aside(lambda: self._store.append(batch))

    def add(self, batch: Batch) -> None:
        """Store a batch soon; nobody waits for it."""
        self._writer.batch.statements += batch.statements
        self._writer.batch.names += batch.names
        self._writer.added()


class Live:
    """A house that is open."""

    def __init__(self, setting: Setting, store: Store, reads: Reader, house: LiveHouse, vault: Vault) -> None:
        self.setting, self.store, self.reads, self.house, self.vault = setting, store, reads, house, vault
        self.rooms: dict[str, Room] = {}
        self.reading = ReadingRoom(store)
        self.pricing = Pricing(self.reading)
        self.witnesses = witness_keys(setting.witness_keys)
        keeping = DeskKeeping(store, reads, house.writer)
        self.desk = Desk(
            keeping,
            house=store.id,
            clock=SystemClock(),
            is_practice=setting.mode is Mode.PRACTICE,
            on_ended=self._end_sessions,
            on_named=self._learn_names,
        )
        self.acted: dict[str, str] = {}
        """Who did something at a table last, since its attendant looked."""
        self._changes: dict[str, asyncio.Event] = {}
        self.address = setting.origin
        """Where this node is, as tickets name it."""
        self.is_draining = False
        self.unreadable = 0
        """How many messages could not be read; nothing else is kept of them."""
        self._came: dict[str, asyncio.Event] = {}
        self.drives: list[asyncio.Task[None]] = []
        for name in house.state.tables:
            self._open_room(name)

    @property
    def title(self) -> str:
        """What kind of house it is, and how many tables it has."""
        kind = "The practice house" if self.setting.mode is Mode.PRACTICE else self.setting.house
        return f"{kind}, {len(self.rooms)} tables,"

    @property
    def place(self) -> str:
        """Where it is kept."""
        return "PostgreSQL" if self.setting.is_postgres else str(self.setting.file)

    def greeting(self, address: str) -> Iterator[str]:
        """What is said when it opens, beside where."""
        del address
        yield from ()

    def _open_room(self, name: str) -> Room:
        state = self.house.state
        room = self.rooms[name] = Room(name, state.rules(name), state.tables[name])
        return room

    def publish(self, touched: dict[str, Touched]) -> None:
        """A batch is on the disk: show what it did."""
        for name, each in touched.items():
            room = self.rooms.get(name)
            if room is None:
                self._open_room(name)
            else:
                room.publish(each.rules, each.state, each.events)

    # ------------------------------------------------------------------------------------ people at tables

    def join(self, table: str, guest: Guest, *, run: str = "", after: int | None = None) -> None:
        """Somebody looks at a table from now on; what he is sent is on the disk."""
        room = self.rooms[table]
        room.join(guest, run=run, after=after)
        self.somebody_came(table).set()
        self.changes(table).set()

    def leave(self, table: str, guest: Guest) -> None:
        """Somebody looks no more."""
        room = self.rooms[table]
        room.leave(guest)
        self.changes(table).set()
        if not room.guests:
            self.somebody_came(table).clear()

    def somebody_came(self, table: str) -> asyncio.Event:
        """Set while somebody looks at a table."""
        return self._came.setdefault(table, asyncio.Event())

    def away(self, table: str) -> frozenset[str]:
        """Who sits at a table and does not look at it."""
        room = self.rooms[table]
        here = {guest.who for guest in room.guests}
        seated = (person.who for person in self.house.state.tables[table].seats.participants if person is not None)
        return frozenset(who for who in seated if who not in here)

    def changes(self, table: str) -> asyncio.Event:
        """Set when somebody has done something at a table."""
        return self._changes.setdefault(table, asyncio.Event())

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

    def _learn_names(self, names: Sequence[NameRow]) -> None:
        """People were entered at the desk: the directory knows who their ids are."""
        directory = self.house.names
        assert directory is not None, "a house in service has one"
        for row in names:
            directory.learn(Entry(id=row.id, salt=row.salt.hex(), text=row.text))

    def enter(
        self,
        stream: str,
        command: AnyCommand,
        envelope: Envelope,
        then: Then | None = None,
        *,
        statements: Sequence[Statement] = (),
    ) -> Kept:
        """Decide a command and enter it; `then` is called with the outcome when it is on the disk.

        `statements` go into the same batch as its record.
        """
        kept = self.house.enter(stream, command, envelope, then, statements=statements)
        kind, _, name = stream.partition(" ")
        if kind == "table" and kept.refused is None:
            self.acted[name] = envelope.actor.who
            self.changes(name).set()
        self.keep_snapshot()
        return kept

    def name_of(self, person: str) -> str:
        """The name of a person of this id; empty where it was erased, or never known."""
        names = self.house.names
        found = names.find(person) if names is not None else ()
        return next((entry.text for entry in found if entry.id == person), "")

    async def erase_names(self, ids: Sequence[str]) -> None:
        """Forget names for good: afterwards they are in no file of the store, nor here."""
        await self.house.writer.settled()
        await self.house.writer.aside(lambda: self.store.erase(ids))
        if self.house.names is not None:
            self.house.names.erase([entry for entry in self.house.names.entries if entry.id in set(ids)])

    async def durable_state(self) -> HouseState:
        """The house as it stands now, when all of that is on the disk."""
        state = self.house.state
        await self.house.writer.settled()
        return state

    def count_unreadable(self) -> None:
        """A message could not be read."""
        self.unreadable += 1

    # ----------------------------------------------------------------------------------------- keeping on

    def start_dealing(self) -> None:
        """Let automated dealers deal at every table of a practice house, and keep the store small."""
        from baccarat.serve.drive import drive  # noqa: PLC0415
        from baccarat.serve.upkeep import keep_tidy  # noqa: PLC0415

        for name in self.rooms:
            self.drives.append(asyncio.create_task(drive(self, name), name=f"dealer of {name}"))
        self.drives.append(asyncio.create_task(keep_tidy(self), name="upkeep"))

    def keep_snapshot(self, *, after: int = SNAPSHOT_EVERY) -> None:
        """Store the house as it stands with the next batch, if so much has happened since the last snapshot."""
        house, journal = self.house, self.house.journal
        if journal.count < after:
            return
        journal.writer.batch.snapshot = take_snapshot(house.rules, house.state, journal.heads, journal.logs)
        journal.count = 0
        journal.writer.added()

    async def drain(self) -> None:
        """Take nothing new, finish what was begun, and tell everybody."""
        self.is_draining = True
        for work in self.drives:
            work.cancel()
        await asyncio.gather(*self.drives, return_exceptions=True)
        if self.house.writer.fault is None:
            self.keep_snapshot(after=1)
            await self.house.writer.settled()
        bye = Bye(why="closing", say="The house closes for a moment; join again to go on.")
        for room in self.rooms.values():
            for guest in list(room.guests):
                guest.line.end(bye)

    async def close(self) -> None:
        """Let go of everything; what was answered is durable without that."""
        self.reading.close()
        self.desk.close()
        self.house.writer.close()
        self.reads.close()
        self.store.close()


async def open_live(setting: Setting, *, stopped: Callable[[BaseException], None]) -> Live:
    """Open the house that is kept at an address, or a new one; `StoreFault` says why it cannot be."""
    if not (setting.is_postgres and setting.seal_key):
        _make_folder(setting.folder)  # for the database, or at least for the key that a practice house makes itself
    ring = _key_ring(setting)
    store = await asyncio.to_thread(open_store, setting.db)
    try:
        reads = store.reader()
        found = await asyncio.to_thread(recover, reads)
        live = _composed(setting, store, reads, found, ring, stopped)
        if found is None:
            _found_practice(live)
        await live.house.writer.settled()
        if setting.mode is Mode.PRACTICE:
            live.start_dealing()
    except BaseException:
        store.close()
        raise
    return live


def _composed(
    setting: Setting,
    store: Store,
    reads: Reader,
    found: Recovered | None,
    ring: KeyRing,
    stopped: Callable[[BaseException], None],
) -> Live:

    def commit(gathered: Gathering) -> None:
        store.append(gathered.batch())

    writer: Writer[Gathering] = Writer(commit, Gathering, stopped)
    signed: dict[str, int] = {}
    journal = LiveJournal(writer, found.heads if found else {}, found.logs if found else {}, signed)
    rules = found.rules if found else rulebook(shipped_submissions()[0])  # whose clauses the house's own books cite
    house = LiveHouse(
        rules,
        found.state if found else HouseState(),
        journal,
        reads,
        names=StoredDirectory(reads.names(), writer),
        signers=house_signers(setting.sign_key),
    )
    live = Live(setting, store, reads, house, Vault(ring, reads, writer))
    house.publish = live.publish
    return live


def _found_practice(live: Live) -> None:
    """A new practice house: a pit and a table for each Submission that comes with the program."""
    admin = Envelope(actor=Actor(who=Role.ADMINISTRATOR.value, role=Role.ADMINISTRATOR))
    boss = Envelope(actor=Actor(who=Role.PIT_BOSS.value, role=Role.PIT_BOSS))
    enter = live.house.enter
    for name in shipped_submissions():  # a pit each: tables of one pit have some options in common
        rules, pit = rulebook(name), pit_stream(name)
        acts: list[AnyCommand] = [GiveNotice(notice=notice) for notice in _notices(rules, name)]
        enter(HOUSE_STREAM, AddPit(name=name), admin)
        for act in (*acts, OpenTable(table=name, filed=file_rules(rules), effective=0)):
            kept = enter(pit, act, boss)
            assert kept.refused is None, f"{name}: {kept.refused}"


def _notices(rules: Rulebook, pit: str) -> Iterator[Notice]:
    """What surveillance and the Commission are told before a table opens; in practice, a day before all time."""
    for law in rules.edition.notices:
        for option in law.options:
            for whom in law.to:
                yield Notice(to=whom, pit=pit, option=option, value=rules.elects(option), sent=-86_400)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFault(f"{folder}: the folder of the house cannot be made: {error.strerror}") from None


def _key_ring(setting: Setting) -> KeyRing:
    """The key that seeds are sealed under; a practice house makes one for itself beside its database."""
    path = Path(setting.seal_key) if setting.seal_key else setting.folder / "seal.key"
    try:
        if not path.exists() and setting.mode is Mode.PRACTICE:
            return KeyRing(SealingKey.create(path))
        return KeyRing(SealingKey.read(path))
    except SealedSeedError as error:
        raise StoreFault(str(error)) from None
    except OSError as error:
        raise StoreFault(f"{path}: the key cannot be kept there: {error.strerror}") from None
