"""A house in service: its parts, and what concerns all of them: entering an act, closing the house.

`opening.py` makes the parts and says in which order. Code that needs one part alone calls that part
(`live.rooms.join`, `live.people.name_of`) and no method here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from msgspec import UNSET

from baccarat.engine.entries import AnyCommand, EnteredAct
from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, is_table_stream, stream_name
from baccarat.record.journal import StreamHead
from baccarat.record.key import Verifier
from baccarat.record.sealed_seed import KeyRing
from baccarat.serve.access.budget import Budgets
from baccarat.serve.access.denied_acts import DeniedActs
from baccarat.serve.fanout.floor_calls import FloorCalls
from baccarat.serve.fanout.lobby_roads import LobbyRoads
from baccarat.serve.fanout.message import Bye
from baccarat.serve.fanout.rooms import Rooms
from baccarat.serve.fanout.witness_waits import WitnessWaits
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.metrics import Metrics
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.ops.supervisor import OnFault, Supervisor
from baccarat.serve.runtime.history_view import HistoryView
from baccarat.serve.runtime.house import HouseEngine, OnEntered
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.past_state import StateCache
from baccarat.serve.runtime.people import HousePeople
from baccarat.serve.runtime.readiness import Readiness
from baccarat.serve.runtime.recovery import take_snapshot
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.serve.runtime.seed_vault import SeedVault
from baccarat.serve.runtime.signing_key import KnownWitness
from baccarat.serve.runtime.stream_log import StreamLog
from baccarat.serve.runtime.table_jobs import TableJobs, cards_at
from baccarat.serve.runtime.table_turns import TableTurns
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import Statement, Store, StoreUnavailable
from baccarat.serve.store.read_pool import ReadPool
from baccarat.serve.watch.alert_board import AlertBoard
from baccarat.serve.watch.audit_job import AuditJobs
from baccarat.serve.watch.expected_win import ExpectedWins
from baccarat.serve.watch.price_cache import PriceCache
from baccarat.table.actor import Envelope
from baccarat.table.table_cards import TableCards, uses_electronic_shoes

SNAPSHOT_EVERY = 5_000
"""How many entries after a snapshot another one is stored: replaying them takes about a tenth of a second."""


def _ignore(*_what: object) -> None:
    """Nothing is to be done."""


class LeaseListener(NamedTuple):
    """What is called in the thread that watches the lease of a node."""

    on_held: Callable[[float], None] = _ignore
    """Several times a second, with how many seconds the lease lasts."""
    on_lapsed: Callable[[BaseException], None] = _ignore
    """When it has lapsed, before the event loop hears of it."""
    on_released: Callable[[], None] = _ignore
    """When it is not watched any more."""


class ClusterNode(Protocol):
    """What a house needs of its own node, where several nodes serve it."""

    @property
    def is_first(self) -> bool:
        """Whether this node does what one node does for all of them."""

    def owns(self, table: str) -> bool:
        """Whether this node decides at a table."""

    def owner(self, table: str) -> str:
        """The address of the node that has a table; empty while the table moves between nodes."""

    def hold_streams(self, streams: Sequence[Stream]) -> AbstractAsyncContextManager[bool]:
        """Have tables here for one act; False if they did not come in time."""

    def durable_heads(self) -> dict[Stream, StreamHead]:
        """The last entry of each stream that this node has seen in the store."""

    def take_no_more(self) -> None:
        """Take no more tables: this node is about to end."""

    async def stop(self) -> None:
        """Release everything, so that other nodes can take the tables."""


@dataclass(frozen=True, kw_only=True)
class HouseParts:
    """The parts of a house in service, whether or not it is one of several nodes."""

    setting: Setting
    store: Store
    lookups: Lookups
    """Short queries of the store."""
    house: HouseEngine
    """Decides and enters every act."""
    ring: KeyRing
    """The sealing keys."""
    vault: SeedVault
    rooms: Rooms
    """Who watches the tables and the house."""
    witness_waits: WitnessWaits
    """The shoes that wait for a witness."""
    people: HousePeople
    """Who may come in, and what people are called."""
    jobs: Supervisor
    """The long tasks of an open house."""
    table_jobs: TableJobs
    """The long tasks that run tables."""
    readiness: Readiness
    history: HistoryView
    """How far the history of the house was verified."""
    metrics: Metrics
    log: ServerLog
    report_fault: OnFault
    """Counts and logs a fault of a task."""
    witnesses: dict[Verifier, KnownWitness]
    """The witnesses whose cosignatures are accepted, each with its address and its share key, if it has them."""

    @property
    def share_keys(self) -> tuple[str, ...]:
        """The share keys of the witnesses that can be asked for shares, sorted; none where nothing is signed."""
        if self.house.signers is None:
            return ()
        found = [str(each.share_key) for each in self.witnesses.values() if each.share_key and each.address]
        return tuple(sorted(found))


class HouseServer:
    """A house that is open."""

    def __init__(self, parts: HouseParts, *, address: str, node: ClusterNode | None) -> None:
        """`address` is that of this node, as tickets name it; `node` is None if one process has the store alone."""
        self.setting, self.store, self.lookups = parts.setting, parts.store, parts.lookups
        self.house, self.vault, self.rooms, self.people = parts.house, parts.vault, parts.rooms, parts.people
        self.ring, self.witness_waits = parts.ring, parts.witness_waits
        self.jobs, self.table_jobs, self.readiness = parts.jobs, parts.table_jobs, parts.readiness
        self.history, self.metrics, self.log = parts.history, parts.metrics, parts.log
        self.report_fault = parts.report_fault
        self.desk = parts.people.desk
        self.address, self.node = address, node
        self.witnesses = tuple(parts.witnesses)
        self.witness_addresses = {key: each.address for key, each in parts.witnesses.items() if each.address}
        self.share_witnesses = {
            str(each.share_key): (key, each) for key, each in parts.witnesses.items() if each.share_key and each.address
        }
        """Those that have a share in the order of electronic shoes, by the texts of their share keys."""
        self.share_keys = parts.share_keys
        self.stream_logs = dict[Stream, StreamLog]()
        """The trees of streams that witnesses have been shown."""
        self.budgets = Budgets(parts.setting.requests_a_second, parts.setting.requests_at_once)
        """How much each person and each address may ask for."""
        self.turns = TableTurns()
        """Whose command is decided next, among those that have arrived."""
        self.denied_acts = DeniedActs()
        """The acts that stay denied under their ids."""
        # What follows is used by routes alone; no part depends on it.
        self.reading = ReadPool(parts.store)
        self.pricing, self.lobby_roads = PriceCache(self.reading), LobbyRoads(self.reading)
        self.states = StateCache()
        """Earlier states of tables."""
        self.alerts, self.auditing = AlertBoard(self.states), AuditJobs(parts.store)
        self.floor_calls, self.expected_wins = FloorCalls(), ExpectedWins()

    @property
    def title(self) -> str:
        """What kind of house it is, and how many tables it has."""
        kind = "The practice house" if self.setting.mode is Mode.PRACTICE else self.setting.house
        return f"{kind}, {len(self.rooms)} tables,"

    def enter(
        self,
        stream: Stream,
        command: AnyCommand,
        envelope: Envelope,
        on_durable: OnEntered | None = None,
        *,
        statements: Sequence[Statement] = (),
    ) -> EnteredAct:
        """Decide a person's command and enter it; `on_durable` is called with the outcome once it is on disk.

        `statements` go into the same batch as its record.
        """
        entered = self.house.enter(stream, command, envelope, on_durable, statements=statements)
        # Wake the loop that runs the table: it waits for people to act. Its own acts do not come this way.
        if is_table_stream(stream) and entered.refused is None:
            self.rooms.note_act(stream_name(stream), envelope.actor.who)
        self.keep_snapshot()
        return entered

    def cards_at(self, table: str) -> TableCards:
        """What a table is: real cards, an electronic shoe, or one that the program deals."""
        state = self.house.state.tables[table]
        if state.cards is UNSET and not uses_electronic_shoes(self.house.state.rules(table)):
            return TableCards.REAL
        return cards_at(self.setting, table, state)

    def sits_at(self, table: str, seat: int) -> str:
        """Who sits at a seat; empty if nobody does."""
        state = self.house.state.tables.get(table)
        person = state.at(seat) if state is not None and 0 < seat <= len(state.seats.participants) else None
        return person.who if person is not None else ""

    async def durable_state(self) -> HouseState:
        """The current state of the house, once all of it is on disk."""
        state = self.house.state
        await self.house.writer.wait_until_flushed()
        return state

    def keep_snapshot(self, *, after: int = SNAPSHOT_EVERY) -> None:
        """Store the house as it stands with the next batch, if at least `after` entries follow the last snapshot."""
        house, journal = self.house, self.house.journal
        if journal.count < after:
            return
        journal.writer.batch.snapshot = take_snapshot(
            house.rules, house.state, journal.heads, journal.logs, latest_at=journal.latest_at
        )
        journal.count = 0
        journal.writer.stage()

    async def drain(self) -> None:
        """Take nothing new, finish what was begun, and tell every client."""
        # Nothing new: the house reports that it is not ready, takes over no tables, and stops its loops.
        self.readiness.is_draining = True
        if self.node is not None:
            self.node.take_no_more()
        await self.jobs.stop_all()
        # Sign and store what was done, unless the store has failed.
        if self.house.writer.fault is None:
            with contextlib.suppress(StoreUnavailable):  # the operator knows; the clients are still told
                await self._finish_journal()
        self.rooms.end_all(Bye(why="closing", say="The house closes for a moment; join again to continue."))

    async def _finish_journal(self) -> None:
        """Write and sign what was done; `StoreUnavailable` if the store has failed."""
        await self.house.writer.wait_until_flushed()  # refusals are counted when they are answered
        write_folds(self.house, all_in=lambda _stream: True)
        self.desk.denials.write_counts(is_closing=True)
        if self.house.signers is not None and self.node is None:
            self.house.journal.sign_grown(self.house.signers)
        self.keep_snapshot(after=1)
        await self.house.writer.wait_until_flushed()

    async def abandon(self) -> None:
        """Close the house without finishing anything: its store cannot be relied on, so nothing more is answered."""
        self.readiness.is_draining = True
        self.rooms.end_all(Bye(why="closing", say="The house closes for a moment; join again to continue."))
        await self.jobs.stop_all()
        await self.close()

    @property
    def owners(self) -> tuple[OwnedTasks, ...]:
        """The owners of short tasks of which nobody else sees the end."""
        return self.desk.changes, self.house.writer.tasks, self.pricing.tasks

    async def close(self) -> None:
        """Release everything; what was answered is durable without this."""
        if self.node is not None:
            await self.node.stop()
        for each in self.owners:
            await each.close()
        await asyncio.to_thread(self._close_parts)

    def _close_parts(self) -> None:
        """In another thread, since some of them wait for threads of their own."""
        self.auditing.close()
        self.reading.close()
        self.desk.close()
        self.house.writer.close()
        self.lookups.close()
        self.store.close()
