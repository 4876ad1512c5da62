"""A whole house on virtual time: rooms, sockets, store and clock, with people who come, go, repeat and disturb.

Everything of the product runs: the socket's talk, the drive of the tables, the desk, the writer, the store and the
client with its resuming. Only the network, the threads and the clock are made up, and by one seed: lines break and
stall, commits take long or fail, clocks are set forth and back, the process dies at any instant, also while it
recovers. After every commit and with every message that leaves the house, the oracle is asked (`house_oracle.py`).

`simulate(seed, folder)` raises `Broken` with the seed that replays it.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import msgspec
import pytest
import websockets

from baccarat.client import seat as client_seat
from baccarat.engine.entries import AnyCommand, EnteredAct
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit, LinkTables
from baccarat.house.pit_book import GiveNotice
from baccarat.house.stream import HOUSE_STREAM, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.serve import composition, founding
from baccarat.serve import opening as opening_module
from baccarat.serve.act.intake import CommandNotSubmitted, WhyNotSubmitted, submit
from baccarat.serve.fanout import house_room
from baccarat.serve.fanout import table_room as room
from baccarat.serve.http import socket as socket_module
from baccarat.serve.job import table_loop as drive
from baccarat.serve.job import table_recovery
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.ops.supervisor import CancelledElsewhere, Supervisor
from baccarat.serve.route.house_line import TopicsOfHouse
from baccarat.serve.route.table_words import WordsOfTables
from baccarat.serve.runtime import idempotency as given_answers
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.runtime.seed_vault import SeedVault
from baccarat.serve.setting import Setting
from baccarat.serve.store import open_store, sqlite_open
from baccarat.serve.store.base import Store, StoreUnavailable
from baccarat.serve.store.connection_group import ConnectionGroup
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.task_end import cancel_all
from baccarat.table.actor import Envelope
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from hidden_cards import GivenOrders
from house_books import ADMIN, ADMIN_AND_SUPERVISOR, BOSS
from house_oracle import Broken, Oracle, expect
from simulated_follower import SimulatedFollower
from simulated_person import LINKED, TABLES, Person
from stored_house import open_house
from task_faults import InjectedFault, TaskFaults, give_every_task_work, settings_of_every_task
from virtual_loop import VirtualLoop, run_virtually
from virtual_network import Line

WALL = 1_800_000_000_000_000
SETTLING = 120.0
"""So many virtual seconds everything may take to come to rest once nothing is disturbed any more."""


class Mischief(msgspec.Struct, frozen=True, kw_only=True):
    """How often something goes wrong, each by chance a second or a time."""

    seconds: float = 20.0
    """How long the house is disturbed."""
    kills: float = 0.06
    failed_commits: float = 0.004
    task_faults: float = 0.0
    """How often each task fails, a second: it is ended wherever it stands, by an error of its own. Then the house also
    signs, has a witness and a follower, and verifies its history, so that each task has work."""
    cuts: float = 0.1
    stalls: float = 0.05
    players: int = 8
    is_linked: bool = True
    """Whether two of the tables share their meters, and have shoes that end after a few rounds."""
    watchers: tuple[Role, ...] = (Role.PUBLIC, Role.DEALER, Role.SURVEILLANCE, Role.PARTICIPANT)


class FaultLog(ServerLog):
    """A log of the house that nobody reads: a fault of a task that nobody put in breaks a promise."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(json=True, level="error", file=io.StringIO())
        self._simulation = simulation

    def fault(self, error: BaseException, text: str, **fields: Any) -> None:
        super().fault(error, text, **fields)
        is_ours = isinstance(error, StoreUnavailable | InjectedFault) or (
            isinstance(error, CancelledElsewhere) and self._simulation.mischief.task_faults > 0
        )
        self._simulation.note(lambda: expect(is_ours, f"{text}: {error!r}"))


class Process:
    """The server's process: it can be started, and it dies with all that it has in memory."""

    def __init__(self, simulation: Simulation, folder: Path) -> None:
        self._simulation = simulation
        self._setting = Setting(
            db=str(folder / "house.db"), port=0, pace=0.05, betting_seconds=1.0, squeeze_seconds=0.4,
            answer_seconds=0.4, company=1, requests_a_second=1e6, requests_at_once=1_000_000,
            **(settings_of_every_task(folder) if simulation.mischief.task_faults else {"verify_share": 0.0}),
        )  # fmt: skip
        self.live: HouseServer | None = None
        self.lines: list[Line] = []
        self.stores: list[Store] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.has_failed = False
        self.starts = 0

    async def start(self) -> None:
        """Open the house; whoever dies while it recovers opens it again."""
        loop = self._simulation.loop
        loop.is_on, self.has_failed = True, False
        self.starts += 1
        wants_death = self._simulation.wants_death
        live = await open_server(
            self._setting, stopped=lambda _error: wants_death.set(), log=FaultLog(self._simulation)
        )
        live.house.clock = self._simulation.wall
        live.rooms.set_words(WordsOfTables(live))
        live.rooms.house_room.set_topics(TopicsOfHouse(live))
        self.live = live

    def opened(self, db: str, group: ConnectionGroup | None, keys: ContentKeys) -> Store:
        """The real store; what was opened is closed when the process dies, as the system does."""
        store = open_store(db, group, keys)
        self.stores.append(store)
        self._simulation.oracle.look(store)
        return store

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something as a part of this process."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.append(task)
        task.add_done_callback(self._on_ended)

    def _on_ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.remove(task)
        error = None if task.cancelled() else task.exception()
        is_ours = error is None or isinstance(error, StoreUnavailable | InjectedFault)
        self._simulation.note(lambda: expect(is_ours, f"a socket ended by {error!r}"))

    async def die(self) -> None:
        """Everything in memory is gone; what was on the way is lost; only the store stays."""
        live, self.live = self.live, None
        self._simulation.loop.cut()
        for line in self.lines:
            line.cut()
        self.lines.clear()
        owned = [task for each in live.owners for task in each.running] if live is not None else []
        if live is not None:
            live.jobs.cancel()
        tasks = [*self.tasks, *owned, *(live.jobs.tasks if live is not None else ())]
        await cancel_all(tasks)
        for store in self.stores:
            with contextlib.suppress(StoreUnavailable):
                store.close()
        self.stores.clear()

    def job(self, work: Callable[[], Any]) -> Any:
        """Something that the thread of the store does; it may fail, and then nothing more is written."""
        simulation = self._simulation
        if self.has_failed:
            raise StoreUnavailable("the store has stopped")
        if simulation.is_disturbed and simulation.chance.random() < simulation.mischief.failed_commits:
            self.has_failed = True
            if simulation.chance.random() < 0.5:
                work()  # it is on the disk, and the disk says that it is not
            simulation.looked()
            raise StoreUnavailable("disk I/O error")
        found = work()
        simulation.looked()
        return found


class Simulation:
    """One run."""

    def __init__(self, seed: int, folder: Path, mischief: Mischief) -> None:
        self.chance, self.mischief = random.Random(seed), mischief
        self.loop = VirtualLoop(self._latency)
        self.oracle = Oracle()
        self.process = Process(self, folder)
        self.loop.around = self.process.job
        self.is_disturbed = False
        self.faults: list[Broken] = []
        self.wants_death = asyncio.Event()
        self.decided: dict[tuple[str, str], int] = {}
        """How far the table's stream had come in memory when the command of an id was decided."""
        self.trace: list[tuple[float, int, str]] = []
        """All that was sent: when, to whom, and what."""
        self._number = 0
        self.task_faults = TaskFaults(seed, mischief.task_faults, lambda: self.is_disturbed)
        self.follower = SimulatedFollower(self) if mischief.task_faults else None
        self.stepped = 0.0
        """By how many seconds the machine's clock was set forth or back."""

    def _latency(self) -> tuple[float, float]:
        slow = 0.3 if self.chance.random() < 0.03 else 0.003
        return self.chance.expovariate(1 / slow), self.chance.expovariate(1 / slow)

    def wall(self) -> int:
        """Microseconds UTC."""
        return WALL + int((self.loop.now + self.stepped) * 1_000_000)

    def new_id(self) -> str:
        """A UUID, version 7, of this run."""
        self._number += 1
        return str(UUID(int=self._number << 80 | 7 << 76 | 2 << 62 | self.chance.getrandbits(60)))

    def first_kept(self, table: str) -> int:
        """The number of a table's first record that is still there: old shoes of practice tables are dropped."""
        live = self.process.live
        kept = live.store.entries(table_stream(table), limit=1) if live is not None else []
        return kept[0].seq if kept else 0

    def note(self, check: Callable[[], Any]) -> None:
        """Check something where a raised error would be lost."""
        try:
            check()
        except Broken as error:
            self.faults.append(error)
        except Exception as error:  # noqa: BLE001  a check that fails otherwise must not look like a house that hangs
            self.faults.append(Broken(f"the simulation itself has failed: {error!r}"))

    def looked(self) -> None:
        """A job of the store has ended."""
        for store in self.process.stores:
            self.note(partial(self.oracle.look, store))

    # ----------------------------------------------------------------------------------------- sockets

    def connect(self, address: str, **_more: Any) -> Line:
        """A new line to the house, for the person whose number the address is."""
        person = self.people[int(address)]
        live, process = self.process.live, self.process
        if live is None:
            raise ConnectionRefusedError("nobody listens")

        def on_send(text: str) -> int:
            who, table = person.who, person.table_name
            id_ = msgspec.json.decode(text).get("id", "")
            decided = self.decided.get((who, id_), -1)
            self.note(lambda: self.oracle.check_said(text, who, table, decided))
            self.trace.append((self.loop.now, int(address), text))
            return self.oracle.last(table)

        line = person.line = Line(self.chance, on_send, lambda until: self.note(lambda: person.check_view(until)))
        process.lines.append(line)
        process.spawn(socket_module.talk(line, live))  # type: ignore[arg-type]
        return line

    def bring(self, *args: Any, **more: Any) -> EnteredAct:
        """What the socket calls for a command: note on what its answer rests."""
        live, session, table = args[:3]

        def rests() -> int:
            return live.house.journal.head(table_stream(table)).seq  # type: ignore[no-any-return]

        key = session.person, more["id_"]
        try:
            entered = submit(*args, **more)
        except CommandNotSubmitted as error:
            self.decided[key] = rests() if error.why is WhyNotSubmitted.DENIED else -1
            raise
        self.decided[key] = rests()
        return entered

    # -------------------------------------------------------------------------------------------- the run

    async def run(self, folder: Path) -> None:
        """Play, disturb, come to rest, and look at what is left."""
        self.people = [
            *(Person(self, number, Role.PARTICIPANT) for number in range(self.mischief.players)),
            *(Person(self, self.mischief.players + number, role) for number, role in enumerate(self.mischief.watchers)),
        ]
        await self.process.start()
        for person in self.people:
            await person.come_in()
        if self.follower is not None:
            await self.follower.come_in()
        self.is_disturbed = True
        acting = [
            asyncio.ensure_future(person.live_a_life(acts=number < self.mischief.players))
            for number, person in enumerate(self.people)
        ]
        following = None if self.follower is None else asyncio.ensure_future(self.follower.follow())
        await self._disturb()
        self.is_disturbed = False
        for person in self.people:
            if person.line is not None:
                person.line.stall(stalled=False)
        if self.process.live is None or self.process.has_failed:
            await self.process.die()
            await self.process.start()
        try:
            await asyncio.wait_for(asyncio.gather(*acting), SETTLING)
        except TimeoutError:
            raise Broken("somebody waits for an answer that never comes") from None
        if self.follower is not None and following is not None:
            await self.follower.see_the_end()
            await cancel_all([following])
        await self._at_rest(folder)

    async def _disturb(self) -> None:
        ends = self.loop.now + self.mischief.seconds
        while self.loop.now < ends and not self.faults:
            wait = self.chance.expovariate(self.mischief.kills)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.wants_death.wait(), min(wait, ends - self.loop.now))
            if self.loop.now >= ends:
                return
            self.wants_death.clear()
            await self.process.die()
            self.stepped = self.chance.uniform(-25.0, 25.0)
            await asyncio.sleep(self.chance.random())
            starting = asyncio.ensure_future(self.process.start())
            if self.chance.random() < 0.3:  # it dies again while it recovers
                await asyncio.sleep(self.chance.random() * 0.02)
                starting.cancel()
                await asyncio.gather(starting, return_exceptions=True)
                await self.process.die()
                starting = asyncio.ensure_future(self.process.start())
            with contextlib.suppress(StoreUnavailable):
                await starting

    async def _at_rest(self, folder: Path) -> None:
        """Everybody sees what is durable; everything that was answered is there once; it opens again as it was."""
        live = self.process.live
        assert live is not None, "the house is open"
        expect(not live.history.wrong, f"the verification of an honest history finds: {live.history.wrong}")
        await live.drain()
        expect(live.house.writer.is_idle, "the house is drained, and something is not written")
        for person in self.people:
            person.check_answers()
        self.looked()
        state = live.house.state
        expect(state == self.oracle.state, "J4: the house in memory is not what its records lead to")
        for table in live.rooms:
            stream, first = table_stream(table), self.first_kept(table)
            dropped = len(self.oracle.events(stream, before=first))
            events = self.oracle.events(stream)
            wrong = list[int]()
            for number, event in enumerate(events):
                named = await live.house.with_events(lambda at=stream, n=number: live.house.event_at(at)(n))  # type: ignore[misc]
                if named != event and not (number < dropped and named is None):
                    wrong.append(number)
            expect(not wrong, f"{table}: these numbers name other events than on record: {wrong[:5]}")
        await self.process.die()
        with contextlib.closing(open_house(self.process._setting.db)) as store:
            found = recover(store)
            expect(found is not None and found.state == state, "J4: the house does not open as it was closed")
        if self.faults:
            raise self.faults[0]
        self.oracle.audit(folder)


def found_with_link(house: HouseEngine, witnesses: Sequence[str] = (), **terms: Any) -> None:
    """A practice house, and in it two tables whose shoes are short and whose meters are shared and soon won."""
    founding.create_practice_house(house, witnesses, **terms)
    if "linked" in house.state.pits:
        return
    must_hit = {"start": 10_000, "ceiling": 10_100, "contribution": 25}
    rules = rulebook("ma-midi-4-royal9", must_hit=must_hit, cover_card_depth=405)
    pit, link = pit_stream("linked"), LinkTables(name="main", tables=LINKED)
    house.enter(HOUSE_STREAM, AddPit(name="linked"), Envelope(actor=ADMIN))
    acts: list[AnyCommand] = [GiveNotice(notice=each) for each in founding._notices(rules, "linked")]
    acts += [OpenTable(table=name, filed=file_rules(rules), effective=0, cards=TableCards.AUTOMATED) for name in LINKED]
    for act in acts:
        kept = house.enter(pit, act, Envelope(actor=BOSS))
        assert kept.refused is None, kept.refused
    kept = house.enter(HOUSE_STREAM, link, Envelope(actor=ADMIN_AND_SUPERVISOR))
    assert kept.refused is None, kept.refused


def simulate(
    seed: int,
    folder: Path,
    mischief: Mischief | None = None,
    *,
    orders: Callable[[Callable[[], float]], GivenOrders] | None = None,
    seeds: int = 0,
) -> Simulation:
    """One run by a seed; `Broken` says what does not hold, and the seed.

    `orders` gives the cards instead of the sealed seeds; `seeds` makes those seeds others, and nothing else.
    """
    sealed = random.Random(f"{seed} {seeds}")
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        found: list[Simulation] = []

        async def run() -> None:
            simulation = found[0]
            named = SimpleNamespace(
                connect=simulation.connect,
                ConnectionClosed=websockets.ConnectionClosed,
                WebSocketException=websockets.WebSocketException,
            )
            patch.setattr(client_seat, "websockets", named)
            patch.setattr(client_seat, "random", random.Random(seed))
            patch.setattr(socket_module, "submit", simulation.bring)
            if simulation.mischief.task_faults:
                patch.setattr(Supervisor, "_run_once", simulation.task_faults.failing(Supervisor._run_once))
                patch.setattr(OwnedTasks, "start", simulation.task_faults.failing_short(OwnedTasks.start))
                give_every_task_work(patch, folder)
            patch.setattr(house_room, "time", SimpleNamespace(monotonic=lambda: simulation.loop.now))
            patch.setattr(drive, "time", SimpleNamespace(monotonic=lambda: simulation.loop.now))
            patch.setattr(table_recovery, "time", SimpleNamespace(monotonic=lambda: simulation.loop.now))
            patch.setattr(drive, "secrets", SimpleNamespace(randbits=lambda _bits: seed))
            patch.setattr(opening_module, "open_store", simulation.process.opened)
            patch.setattr(composition, "SeedVault", partial(SeedVault, fresh=lambda: sealed.randbytes(32)))
            patch.setattr(founding, "shipped_submissions", lambda: TABLES)
            if simulation.mischief.is_linked:
                patch.setattr(opening_module, "create_practice_house", found_with_link)
            clock = SimpleNamespace(wall=simulation.wall, steady=lambda: int(simulation.loop.now * 1_000_000))
            patch.setattr("baccarat.serve.runtime.people.SystemClock", lambda: clock)
            kept = HouseServer.keep_snapshot
            patch.setattr(HouseServer, "keep_snapshot", lambda live, after=25: kept(live, after=after))
            patch.setattr(given_answers, "MOST_ANSWERS", 10)  # most repeats are looked up in the store
            hexed = SimpleNamespace(token_hex=lambda count: simulation.chance.randbytes(count).hex())
            patch.setattr(room, "secrets", hexed)  # names of runs are sent, and two runs are to be the same
            if orders is not None:
                patch.setattr(drive, "_electronic_shoe", orders(lambda: simulation.loop.now).source)
            patch.setattr(sqlite_open, "SYNCHRONOUS", "OFF")  # no power fails here but by our own hand
            await simulation.run(folder)

        made = Simulation(seed, folder, mischief or Mischief())
        found.append(made)
        try:
            run_virtually(made.loop, run())
        except AssertionError as error:
            first = made.faults[0] if made.faults else error
            raise Broken(
                f"seed {seed}, after {made.loop.now:.3f} s and {len(made.oracle.lines)} entries: {first}"
            ) from error
    return made
