"""The house engine: every act is decided in memory, entered in the journal, and answered when it is on disk.

The front door is `HouseEngine.enter`. One engine decides everything in order: each decision builds on the earlier ones,
whether or not those are on disk yet. Only people have to wait: an answer, a refusal and a view are sent when the record
that they depend on is durable. If the store fails, nothing that was not answered has happened, and the process ends.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from baccarat.engine.entries import (
    AnyCommand,
    EnteredAct,
    SignerOfStream,
    Submitted,
    awaits_witnesses,
    decide_in_stream,
    is_signing_point,
    prepare_entries,
    pseudonymise,
    records_of,
)  # fmt: skip
from baccarat.engine.idempotency_index import RecordedAnswer
from baccarat.engine.redecide import read_events
from baccarat.house.house import HouseTable
from baccarat.house.state import Decision, HouseState, PricesByRulebook, StreamEvents, apply_decision, follows_from
from baccarat.house.stream import Stream, is_pit_stream, is_table_stream, stream_name, table_stream
from baccarat.house.table_opening import TableOpened
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.record.directory import Directory
from baccarat.record.entry import NO_BYTES, ActRecord, Entry, read_body, read_refusal
from baccarat.record.journal import StreamHead
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.idempotency import IdempotencyCache, StoredAnswers, stored_answer
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.own_round import own_round_rows
from baccarat.serve.runtime.past_state import snapshot_rows
from baccarat.serve.runtime.pending_batch import JournalHeads, Misdirected, PendingAct, PendingBatch, Superseded
from baccarat.serve.runtime.read_set import read_set, sealed_trigger_run
from baccarat.serve.runtime.recent_events import EventNotLoaded, RecentEventLog
from baccarat.serve.runtime.recovery import RecoveredHouse
from baccarat.serve.runtime.refusal_folds import CountedRefusal, RefusalFolds, stage_counted, stage_folds
from baccarat.serve.runtime.round_index import INDEXED_EVENTS, ends_round_or_shoe, round_rows, seat_rows, stake_rows
from baccarat.serve.store.base import Reads, Statement, StoredEntry
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.console.remedy_progress import recent_events
from baccarat.table.correctable_event import EventAt, names_correctable_event
from baccarat.table.correction import Correction
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.closing import ShoeClosed

MOST_OPAQUE = 20_000
"""How many persons are remembered to be ids already."""

OnEntered = Callable[[EnteredAct], None]
"""Called with the outcome of a command, when that is on disk."""
C = TypeVar("C", bound=msgspec.Struct)
T = TypeVar("T")


class TableChange(msgspec.Struct):
    """What a batch did at one table: the state after it, the number of its last record, and its events in order."""

    seq: int
    rules: Rulebook
    state: Any
    events: list[Event]


OnTablesChanged = Callable[[dict[str, TableChange]], None]
"""Shows what a batch did, when it is on disk, before anybody is answered."""
OnStreamsGrown = Callable[[dict[Stream, int]], None]
"""Is called with the new heads of the streams that a batch adds to, when it is on disk."""


def now_micros() -> int:
    """The time in microseconds UTC; it is recorded and decides nothing."""
    return time.time_ns() // 1000


class HouseEngine:
    """Decides every act of a house, and enters it."""

    def __init__(  # noqa: PLR0913  what a house is made of
        self,
        rules: Rulebook,
        state: HouseState,
        journal: JournalHeads,
        lookups: Lookups,
        *,
        newest_id: str = "",
        prices: PricesByRulebook | None = None,
        clock: Callable[[], int] = now_micros,
        names: Directory | None = None,
        signers: SignerOfStream | None = None,
        on_tables_changed: OnTablesChanged = lambda _touched: None,
        on_streams_grown: OnStreamsGrown = lambda _grown: None,
    ) -> None:
        """`newest_id` is how the newest id of a command in the store begins."""
        self.rules, self.state, self.journal, self._lookups = rules, state, journal, lookups
        self.prices, self.clock, self.names, self.signers = prices or {}, clock, names, signers
        self.writer: GroupCommitter[PendingBatch] = journal.writer
        """Writes what is decided here to disk."""
        self._on_tables_changed, self._on_streams_grown = on_tables_changed, on_streams_grown
        self.answers = IdempotencyCache(rules, newest_id)
        self.folds = RefusalFolds(self._time_to_count, self.writer.steady)
        """Refusals of a flood, which are counted and not recorded one by one."""
        self._opaque: set[str] = set()
        """Persons who are ids already, which a directory leaves as they are."""
        self._recent: dict[str, RecentEventLog] = {}
        self._touched: dict[str, TableChange] = {}
        """What a batch does at each table; the batch is `_gathered`."""
        self._gathered: PendingBatch | None = None
        self._grown: tuple[PendingBatch | None, dict[Stream, int]] = (None, {})
        self.shoe_ends: dict[str, deque[int]] = {}
        """The records with which the last two shoes of each table were closed, since the house was opened."""

    def _time_to_count(self) -> int:
        """The time of a refusal that is counted: a clock that was set back is not followed behind what is on record."""
        return max(self.clock(), self.journal.latest_at)

    def table(self, name: str) -> EngineTable:
        """One of its tables, which automation uses like any other table."""
        return EngineTable(self, name)

    def enter(
        self,
        stream: Stream,
        command: AnyCommand,
        envelope: Envelope,
        on_durable: OnEntered | None = None,
        *,
        statements: Sequence[Statement] = (),
    ) -> EnteredAct:
        """Decide a command and enter it. `on_durable` is called with the outcome when all it depends on is on disk.

        `statements` are stored in the same batch as its record, such as the approval that it depends on; a repeat has
        no record, and stores none. The returned value may be used to decide more, but must not be sent to anybody.
        `TooLong` if no entry can hold it.
        """
        # Names become ids first: nothing below this line, and no record, contains a name.
        command, envelope = self._hidden(command, envelope)
        run = sealed_trigger_run(self.state, stream, command)
        entered = self._decide_and_stage(stream, command, envelope, statements, is_new=True)
        # The act is remembered until it is durable: if another node was first, it is decided again.
        act = PendingAct(stream, command, envelope, statements, run, entered)
        if entered.record is not None and not entered.is_repeat:
            self.writer.batch.acts.append(act)
        elif isinstance(entered, CountedRefusal):
            stage_counted(self, act)
        # The answer is read from the act when it is durable, because deciding again may have changed it.
        if on_durable is not None:
            self.writer.on_durable(lambda: on_durable(act.entered))
        return entered

    def _decide_and_stage(
        self, stream: Stream, command: AnyCommand, envelope: Envelope, statements: Sequence[Statement], *, is_new: bool
    ) -> EnteredAct:
        """Decide a command on the current state of the house, and add the outcome to the pending batch."""
        # Decide: this changes nothing yet, here or in the journal.
        asked = Submitted(stream, command, envelope)
        answered = self.folds.answer(asked)
        if answered is not None:
            return answered
        made = prepare_entries(
            self.state,
            self.rules,
            asked,
            heads=self.journal,
            find=self.find,
            event_at=self.event_at(stream),
            clock=self.clock,
        )
        if made.repeats is not None:
            return self._repeat_answer(asked, made.repeats)
        if not made.entries or self._is_of_dropped(asked, made.refused):
            return EnteredAct(None, refused=made.refused)
        self.journal.check_owned(made.entries, is_new=is_new)
        # Under a flood a refusal is only counted.
        if made.refused is not None and not statements:
            counted = self.folds.take(asked, made.refused)
            if counted is not None:
                return counted
        # Stage the entries, with what the store compares if other nodes write it too.
        if self.journal.is_divided:
            self.journal.read_from(
                read_set(self.state, stream, command, envelope.actor, is_refused=made.refused is not None)
            )
        self.stage_entries(*made.entries)
        self.writer.batch.derived += statements
        record, *joined = records_of(made.entries)
        self.answers.remember(record, tuple(joined))
        # Take the decision: from here on everything is decided on the new state.
        if made.decision is None:
            return EnteredAct(record, refused=made.refused)
        self._take(made.decision)
        own, *others = made.decision.appended
        return EnteredAct(record, own.events, joined=tuple(others))

    def stage_entries(self, *entries: Entry) -> None:
        """Add entries to the pending batch, and note where their streams end after it."""
        self.journal.append(*entries)
        self._stage_heads(entries)

    # ---------------------------------------------------------------------------------- several nodes write

    def apply_remote(
        self, decision: Decision | None, entries: Sequence[StoredEntry], heads: Mapping[Stream, StreamHead]
    ) -> None:
        """Apply an act of another node, unless it conflicts with what was decided here, which is then decided again."""
        if any(each.seq != self.journal.head(each.stream).seq + 1 for each in entries):
            return
        record, *joined = (read_body(each.body) for each in entries)
        self.journal.latest_at = max(self.journal.latest_at, record.at)
        if isinstance(record, ActRecord):
            self.answers.remember_written(record, tuple(each for each in joined if isinstance(each, ActRecord)))
        if decision is not None:
            if not follows_from(self.state, decision):
                return
            self._pin_event_numbers(decision)
            self.state = apply_decision(self.state, decision, self.prices)
        self.journal.apply_remote(entries, heads)
        for each in decision.appended if decision is not None else ():
            if is_table_stream(each.stream):
                self.recent(each.stream).add(each.events)
                self._publish_remote(stream_name(each.stream), each.events)
            elif is_pit_stream(each.stream):
                for event in each.events:
                    if isinstance(event, TableOpened):
                        self._publish_remote(event.table, ())

    def _publish_remote(self, table: str, events: Sequence[Event]) -> None:
        """Show what another node did at a table; it is on disk."""
        seq = self.journal.head(table_stream(table)).seq
        self._on_tables_changed(
            {table: TableChange(seq, self.state.rules(table), self.state.tables[table], list(events))}
        )

    async def stored_answers(self, refused: PendingBatch) -> StoredAnswers:
        """The stored answers to the ids of all acts to be decided again, including those that arrive meanwhile."""
        newest, found = None, dict[tuple[str, str], RecordedAnswer | None]()
        while True:
            acts = (*refused.acts, *self.writer.batch.acts)
            wanted = {(act.envelope.actor.who, act.envelope.id) for act in acts if act.envelope.id} - found.keys()
            if newest is not None and not wanted:
                return StoredAnswers(newest, found)
            newest, more = await self._lookups.ask(partial(_read_answers, rules=self.rules, wanted=wanted))
            found |= more

    def decide_again(
        self, refused: PendingBatch, durable: RecoveredHouse, stored: StoredAnswers, *, is_stale: bool = False
    ) -> None:
        """Another node was first: return to the state on disk, and decide everything again that was not yet there.

        `stored` is what the store answers to the ids of these acts (`stored_answers`).

        If a statement of the batch no longer holds (`is_stale`), the acts that came with such statements were planned
        on an outdated state: they are not decided again, and their sender is notified (`Superseded`).
        """
        gathered = self.writer.batch
        acts = [act for act in (*refused.acts, *gathered.acts) if not act.is_answered]
        # Back to what is on disk: state, journal, answers, and notes for batches that are not written.
        self.state = durable.state
        self.journal.roll_back(durable.heads, durable.logs)
        self.journal.latest_at = max(self.journal.latest_at, durable.latest_at)
        for act in acts:
            if act.envelope.id:
                self.answers.take_back(act.envelope.actor.who, act.envelope.id)
            self.folds.take_back(act)
        self.answers.expect_others(stored)
        self._recent = {name: log for name, log in self._recent.items() if log.roll_back(self.state.head(log.stream))}
        self._touched.clear()
        self._gathered = None
        self._grown = None, {}
        # What does not depend on decisions stays; the acts are decided again, in their old order.
        again = self.writer.batch = PendingBatch()
        again.carry_over(gathered)
        again.carry_over(refused)
        for act in acts:
            act.entered = self._redecide_act(act, is_stale=is_stale)
            if isinstance(act.entered, CountedRefusal):
                stage_counted(self, act)
            elif act.entered.record is not None and not act.entered.is_repeat:
                again.acts.append(act)
        stage_folds(self, (*refused.folds, *gathered.folds))

    def _redecide_act(self, act: PendingAct, *, is_stale: bool) -> EnteredAct:
        """The outcome of an act after what other nodes have done meanwhile."""
        if is_stale and act.is_guarded:
            return Superseded(None)
        if act.run != sealed_trigger_run(self.state, act.stream, act.command):
            return Superseded(None)  # another node ended that run: its trigger is known, and the next has its own
        try:
            return self._decide_and_stage(act.stream, act.command, act.envelope, act.statements, is_new=False)
        except (Misdirected, EventNotLoaded):  # the table has moved, or what is corrected is not what was seen
            return Superseded(None)

    def _hidden(self, command: C, envelope: Envelope) -> tuple[C, Envelope]:
        """A command and its envelope with ids instead of names; a person who is an id already is remembered."""
        actor = envelope.actor
        if self.names is not None and actor.who in self._opaque and not actor.approvals:
            return self.names.hide(command), envelope
        changed = pseudonymise(self.names, command, envelope)
        if changed[1].actor == actor and len(self._opaque) < MOST_OPAQUE:
            self._opaque.add(actor.who)
        return changed

    def would_refuse(self, stream: Stream, command: AnyCommand, actor: Actor) -> bool:
        """Whether a command would be refused under a clause; nothing is entered."""
        command, envelope = pseudonymise(self.names, command, Envelope(actor=actor))
        _, outcome = decide_in_stream(self.state, self.rules, stream, command, envelope.actor, self.event_at(stream))
        return isinstance(outcome, Refused)

    def _take(self, decision: Decision) -> None:
        self._pin_event_numbers(decision)
        before, self.state = self.state, apply_decision(self.state, decision, self.prices)
        for each in decision.appended:
            if is_table_stream(each.stream):
                name = stream_name(each.stream)
                kinds = set(map(type, each.events))
                if not kinds.isdisjoint(INDEXED_EVENTS):
                    self._note_played(before, name, each, kinds)
                self.recent(each.stream).add(each.events)
                self._stage_table_change(name, each.events)
                if ShoeClosed in kinds:
                    ends = self.shoe_ends.setdefault(name, deque(maxlen=2))
                    ends.append(self.journal.head(each.stream).seq)
            elif is_pit_stream(each.stream):
                for event in each.events:
                    if isinstance(event, TableOpened):
                        self._stage_table_change(event.table, ())
        # What witnesses answer is signed when it is durable (`serve/job/share_exchange.py`).
        if self.signers is not None and is_signing_point(decision.events) and not awaits_witnesses(decision.events):
            for each in decision.appended:
                self.journal.sign(each.stream, self.signers)

    def _note_played(self, before: HouseState, table: str, each: StreamEvents, kinds: set[type[Event]]) -> None:
        """Index the rounds that end here, in the batch of the record that ends them."""
        held, after, stream = before.tables[table], self.state.tables[table], each.stream
        seq = self.journal.head(stream).seq
        self.writer.batch.derived += seat_rows(held, after, stream=stream, seq=seq)
        if ResultAnnounced in kinds:
            lay, filed = before.tallies[table].staked, before.playing[table]  # nothing where it is announced again
            self.writer.batch.derived += stake_rows(
                held, lay, stream=stream, day=before.day.number, rulebook=filed.hash
            )
        if ends_round_or_shoe(held, after):
            rules, at = before.rules(table), self.clock()
            self.writer.batch.derived += round_rows(rules, held, each.events, stream=stream, seq=seq, at=at)
            gains = self.state.gains[table].former if table in self.state.gains else {}
            self.writer.batch.derived += own_round_rows(rules, held, gains, stream=stream, at=at)
        if after.shoe.number != held.shoe.number:
            self.writer.batch.derived += snapshot_rows(after, stream=stream, seq=seq)

    def _stage_heads(self, entries: Sequence[Entry]) -> None:
        """Note the head of each stream after this batch, including refusals."""
        gathered = self.writer.batch
        if gathered is not self._grown[0]:
            grown = dict[Stream, int]()
            self._grown = gathered, grown
            self.writer.on_durable(self.answers.begin_batch())
            self.writer.on_durable(lambda: self._on_streams_grown(grown))
        grown = self._grown[1]
        for entry in entries:
            grown[entry.stream] = entry.seq

    def _stage_table_change(self, table: str, events: Sequence[Event]) -> None:
        """Note what this batch does at a table; it is shown when the batch is on disk, before any answer."""
        gathered = self.writer.batch
        if gathered is not self._gathered:
            self._gathered, self._touched = gathered, {}
            touched = self._touched
            self.writer.before_answers(lambda: self._on_tables_changed(touched))
        seq = self.journal.head(table_stream(table)).seq
        rules, state = self.state.rules(table), self.state.tables[table]
        found = self._touched.get(table)
        if found is None:
            self._touched[table] = TableChange(seq, rules, state, list(events))
        else:
            found.seq, found.rules, found.state = seq, rules, state
            found.events.extend(events)

    # -------------------------------------------------------------------------------- looking things up

    def recent(self, stream: Stream) -> RecentEventLog:
        """The last events of a table."""
        found = self._recent.get(stream)
        if found is None:
            found = self._recent[stream] = RecentEventLog(stream, self.state.head(stream))
        return found

    def _pin_event_numbers(self, decision: Decision) -> None:
        """Find the number of a table's next event before a decision is applied: events are numbered from there."""
        for each in decision.appended:
            if is_table_stream(each.stream):
                self.recent(each.stream)

    def event_at(self, stream: Stream) -> EventAt:
        """The events of a stream by number, for corrections; `EventNotLoaded` for one that only the store has."""
        return self.recent(stream).event_at if is_table_stream(stream) else lambda _number: None

    def find(self, who: str, id_: str) -> RecordedAnswer | None:
        """The answer to a person's command id, however old; `AnswerNotLoaded` if only the store knows it."""
        return self.answers.find(who, id_)

    def has_used(self, who: str, id_: str) -> bool:
        """Whether a person has used an id, even if its refusal was only counted."""
        return self.folds.has_used(who, id_) or self.find(who, id_) is not None

    def is_repeat(self, stream: Stream, command: AnyCommand, envelope: Envelope) -> bool:
        """Whether a person's command was decided before under its id: it gets its old answer, whatever holds now.

        Nothing is entered, and no name gets an id: one without an id was in no earlier command.
        """
        actor = envelope.actor
        if not envelope.id or not self.has_used(actor.who, envelope.id):
            return False
        if self.names is not None:
            known = self.names.hide_known(command)
            if known is None:
                return False
            command = known
        asked = Submitted(stream, command, envelope)
        counted = self.folds.answer(asked)
        return counted.is_repeat if counted is not None else isinstance(asked.answered(self.find), RecordedAnswer)

    def event_at_hand(self, stream: Stream) -> EventAt:
        """The events of a table by number, as far as they are in memory; None for all others."""

        def event_at(number: int) -> Event | None:
            try:
                return self.recent(stream).event_at(number)
            except EventNotLoaded:
                return None

        return event_at

    async def load_recent(self, stream: Stream) -> None:
        """Load the events of the last rounds of a table, which a console names."""
        await self.with_events(lambda: recent_events(self.event_at(stream), self.state.head(stream)))

    async def with_events(self, look: Callable[[], T]) -> T:
        """The result of something pure that looks at events of a table: those that only the store has are loaded."""
        while True:
            try:
                return look()
            except EventNotLoaded as missing:
                await self.recent(missing.stream).load(missing.number, self._lookups)

    async def load_for(self, stream: Stream, command: AnyCommand, envelope: Envelope) -> None:
        """Load what deciding a command needs and only the store has: the answer to its id, the event that it corrects.

        To be called just before `enter`: what is loaded may be forgotten when others are served.
        """
        who = envelope.actor.who if self.names is None else self.names.hide_actor(envelope.actor).who
        while True:
            if isinstance(command, Correction):
                await self.with_events(lambda: names_correctable_event(command, self.event_at(stream)))
            if not envelope.id or not self.answers.must_load(who, envelope.id):
                return
            await self.answers.load(who, envelope.id, self._lookups)

    def _is_of_dropped(self, asked: Submitted, refused: Refused | None) -> bool:
        """Whether a command is refused because its id belongs to a record that was dropped.

        Whether it is the same command is unknown, so nothing is entered.
        """
        if refused is None or refused.code is not RefusalCode.REPEATED_ID:
            return False
        known = self.find(asked.actor.who, asked.envelope.id)
        return known is not None and known.record.command is NO_BYTES

    def _repeat_answer(self, asked: Submitted, answer: RecordedAnswer) -> EnteredAct:
        """The answer that a command had when it was sent before."""
        record = answer.record
        if record.refused is not NO_BYTES:
            return EnteredAct(record, refused=asked.named(read_refusal(bytes(record.refused))), is_repeat=True)
        events = read_events(record) if is_table_stream(asked.stream) else None
        return EnteredAct(record, tuple(events or ()), is_repeat=True)


def _read_answers(
    reads: Reads, *, rules: Rulebook, wanted: Collection[tuple[str, str]]
) -> tuple[str, dict[tuple[str, str], RecordedAnswer | None]]:
    """How the newest id of the store begins, and the answers to some."""
    return reads.newest_id(), {key: stored_answer(reads, rules, *key) for key in wanted}


class EngineTable(HouseTable):
    """A table of a live house, as automation sees it: what it does is entered, but nobody waits for an answer."""

    house: Any

    def __init__(self, house: HouseEngine, name: str) -> None:
        self.house, self.name, self.rules = house, name, house.state.rules(name)
        self._looked = None

    @property
    def log(self) -> list[Event]:  # type: ignore[override]
        """The events in memory."""
        events: list[Event] = self.house.recent(table_stream(self.name)).events
        return events

    def do(self, command: Command, actor: Actor | None = None) -> Any:
        """Do a command and enter it, with all that it touches."""
        envelope = Envelope(actor=actor or self.usual_actor(command))
        entered = self.house.enter(table_stream(self.name), command, envelope)
        self.rules = self.house.state.rules(self.name)
        return entered.refused or Accepted(entered.events, self.state)
