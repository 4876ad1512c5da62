"""The parts of a house in service, each made with what it needs; nothing is dealt yet, and no task runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.record.sealed_seed import KeyRing
from baccarat.serve.automation.reveal_timer import overdue_tables
from baccarat.serve.fanout.rooms import Rooms
from baccarat.serve.fanout.witness_waits import WitnessWaits
from baccarat.serve.live import HouseParts
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.metrics import CommitFigures, Gauges, Metrics, Stopwatch
from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.history_view import HistoryView
from baccarat.serve.runtime.house import HouseEngine
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import JournalHeads, PendingBatch
from baccarat.serve.runtime.people import HousePeople
from baccarat.serve.runtime.readiness import Readiness
from baccarat.serve.runtime.recovery import RecoveredHouse
from baccarat.serve.runtime.seed_vault import SeedVault
from baccarat.serve.runtime.signing_key import HouseSigners, known_witnesses
from baccarat.serve.runtime.stored_directory import StoredDirectory
from baccarat.serve.runtime.table_jobs import TableJobs, cards_at
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import NameRow, Store

_STOPPED = (
    "{table} was stopped: the same fault occurred three times. Participants can leave with their chips. It runs "
    "again after the next restart; report the fault"
)


@dataclass(frozen=True, kw_only=True)
class StoreContents:
    """What a store holds of a house when it is opened."""

    house: RecoveredHouse | None
    """None in a new store."""
    mode: str | None
    names: list[NameRow]
    newest_id: str
    signed: dict[Stream, int]
    """How many entries of each stream are signed."""


def _house_rules(setting: Setting) -> Rulebook:
    """The rules whose clauses the books of a new house cite.

    In a practice house they know forms for waived vigorish: otherwise its visitors could not forward any.
    """
    usual, *others = shipped_submissions()
    if setting.mode is not Mode.PRACTICE:
        return rulebook(usual)
    with_forms = (each for each in map(rulebook, (usual, *others)) if each.edition.vigorish_form is not None)
    return next(with_forms, rulebook(usual))


def compose_house(  # noqa: PLR0913  what a house is made of
    setting: Setting,
    store: Store,
    lookups: Lookups,
    stored: StoreContents,
    ring: KeyRing,
    signers: HouseSigners | None,
    *,
    stopped: Callable[[BaseException], None],
    log: ServerLog,
    watch: Stopwatch,
) -> HouseParts:
    """The parts of a house, made from what was found in its store; nothing is dealt yet.

    Each part is given what it needs when it is made, so the order matters.
    """
    # What writes to disk; everything else waits for it.
    commits = CommitFigures(partial(_say_slow, log))
    writer = _make_writer(store, lookups, commits, stopped)
    found = stored.house
    journal = _journal_heads(writer, stored, signers)
    state = found.state if found else HouseState()

    def report_fault(job: str, error: Exception) -> None:
        if writer.fault is None:  # otherwise the operator knows already why the server stops
            metrics.counts.task_faults += 1
            log.fault(error, f"{job} failed because of a bug in the program")

    def report_stop(table: str) -> None:
        log.say("table_stopped", _STOPPED.format(table=table), level="error", table=table)
        rooms[table].show_waits(())  # nobody counts down any more
        rooms.house_room.mark_changed("alerts", f"table {table}")

    def show_wait(table: str) -> None:
        rooms[table].refresh_words()
        rooms.house_room.mark_changed("alerts", f"table {table}")

    # The rooms, which show what was written, and the tasks that run their tables.
    jobs = Supervisor(report_fault, is_over=lambda: writer.fault is not None)
    table_jobs = TableJobs(
        jobs,
        setting,
        serves=lambda table: journal.serves(table_stream(table)),
        cards_at=lambda table: cards_at(setting, table, house.state.tables[table]),
        on_stopped=report_stop,
    )
    rooms = Rooms(state, jobs, on_opened=table_jobs.start_at)
    names = StoredDirectory(stored.names, writer)
    # The engine, which decides and has the rooms show it.
    house = HouseEngine(
        found.rules if found else _house_rules(setting),
        state,
        journal,
        lookups,
        newest_id=stored.newest_id,
        names=names,
        signers=signers,
        on_tables_changed=rooms.on_tables_changed,
        on_streams_grown=rooms.on_streams_grown,
    )
    # What watches all this.
    history = HistoryView()
    witness_waits = WitnessWaits(on_changed=show_wait)
    readiness = Readiness(
        writer,
        history,
        overdue=lambda: overdue_tables(house.state),
        waiting=lambda: {table: str(wait) for table, wait in witness_waits.long_waits.items()},
    )
    readiness.watch(jobs)
    gauges = _make_gauges(setting, house, rooms, table_jobs, readiness, history, witness_waits)
    metrics = Metrics(gauges, commits, recovered=found.replayed if found else 0, recovery_seconds=watch.seconds)
    return HouseParts(
        setting=setting,
        store=store,
        lookups=lookups,
        house=house,
        ring=ring,
        vault=SeedVault(ring, lookups, writer, is_shared=setting.is_postgres),
        rooms=rooms,
        witness_waits=witness_waits,
        people=HousePeople(setting, store, lookups, writer, names, on_sessions_ended=rooms.end_sessions),
        jobs=jobs,
        table_jobs=table_jobs,
        readiness=readiness,
        history=history,
        metrics=metrics,
        log=log,
        report_fault=report_fault,
        witnesses=known_witnesses(setting.witness_keys),
    )


def _make_writer(
    store: Store, lookups: Lookups, commits: CommitFigures, stopped: Callable[[BaseException], None]
) -> GroupCommitter[PendingBatch]:
    """What commits acts in groups; it stops the house if the store cannot be written, or not be read."""

    def commit(pending: PendingBatch) -> None:
        timer = Stopwatch()
        store.append(pending.batch())
        commits.committed(len(pending.rows), timer.seconds)

    writer: GroupCommitter[PendingBatch] = GroupCommitter(commit, PendingBatch, stopped)
    lookups.on_failed = writer.fail
    return writer


def _make_gauges(
    setting: Setting, house: HouseEngine, rooms: Rooms, table_jobs: TableJobs, readiness: Readiness,
    history: HistoryView, witness_waits: WitnessWaits,
) -> Gauges:  # fmt: skip
    """What metrics read of the house when somebody asks for them."""
    return Gauges(
        rooms=lambda: len(rooms),
        seated=lambda: _seated(house.state),
        log_bytes=lambda: _log_bytes(setting),
        is_ready=lambda: not readiness.why_not_ready(),
        since_commit=lambda: house.writer.waiting_seconds,
        unwell=lambda: len(readiness.unwell),
        stopped_tables=lambda: len(table_jobs.stopped),
        verified=lambda: history.status.verified,
        entries=lambda: history.status.entries,
        verified_at=lambda: history.status.at / 1e6,
        history_findings=lambda: len(history.status.findings),
        overdue_seeds=lambda: len(overdue_tables(house.state)),
        witness_waits=lambda: len(witness_waits.long_waits),
    )


def _journal_heads(
    writer: GroupCommitter[PendingBatch], stored: StoreContents, signers: HouseSigners | None
) -> JournalHeads:
    """Where each stream ends that was found in the store, and how far it is signed."""
    found = stored.house
    heads, logs, latest_at = (found.heads, found.logs, found.latest_at) if found is not None else ({}, {}, 0)
    if signers is None:
        return JournalHeads(writer, heads, logs, {}, latest_at=latest_at)
    return JournalHeads(writer, heads, logs, stored.signed, signers.extensions, latest_at=latest_at)


def _say_slow(log: ServerLog, seconds: float) -> None:
    """Log that a commit took long: the disk is slow, or busy with other work."""
    text = f"a commit took {seconds:.1f} seconds: check the disk"
    log.say("slow_commit", text, level="warning", seconds=round(seconds, 3))


def _seated(state: HouseState) -> int:
    return sum(each is not None for table in state.tables.values() for each in table.seats.participants)


def _log_bytes(setting: Setting) -> int:
    """The size of the store's write-ahead log, which is checkpointed from time to time."""
    if setting.is_postgres:
        return 0
    log = setting.file.with_name(f"{setting.file.name}-wal")
    return log.stat().st_size if log.exists() else 0
