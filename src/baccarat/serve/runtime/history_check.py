"""History decided again: every act of a stored house, in the order in which it was decided, in bounded memory.

It goes on from a resume point. What lies before it was decided again earlier, so only its bytes are compared: their
hashes must lead to the heads of the point, which are authenticated. What lies after it is decided again, together with
all that it touches, and must lead to what is recorded; on the way every id, every stored checkpoint and the snapshot
from which the house recovers are compared with it. After an act that is decided differently the house is not followed
any further, since everything later depends on it.

Nothing here waits, and nothing is written: the caller takes one step after another, and rests in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from baccarat.audit.impossible import IMPOSSIBLE_STATE_ERRORS, why_impossible
from baccarat.engine.idempotency_index import denial, identity_of_act
from baccarat.engine.redecide import RULED_OTHERWISE, first_difference
from baccarat.engine.redecide_house import HouseRedecider
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.invariant import InvariantCheck
from baccarat.house.state import Decision, HouseState, apply_decision
from baccarat.house.stream import HOUSE_STREAM, Stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Param
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.entry import ActRecord, StreamOpening, denies_id, hash_after, read_body, read_refusal
from baccarat.record.entry import written_refusal as written
from baccarat.record.journal import JournalFault, JournalReader, rules_at, write_line
from baccarat.record.note import UnreadableNote, read_note
from baccarat.serve.runtime.recent_events import stored_event_at
from baccarat.serve.runtime.recovery import FORM, RecoveredHouse, advance, open_snapshot, take_snapshot
from baccarat.serve.runtime.resume_point import MOST_FINDINGS, HistoryFinding, ResumePoint
from baccarat.serve.store.base import (
    NOT_BEGUN,
    AnsweredAt,
    CheckpointRow,
    Reads,
    StoredEntry,
    StoredHead,
    StoredSnapshot,
    StoreError,
)
from baccarat.serve.store.row import as_bytes, as_int, as_text
from baccarat.table.correctable_event import EventAt

INVARIANTS_EVERY = 512
"""After how many entries the books of the house are compared with its tables: that reads every account."""
MOST_REFUSALS = 50_000
"""How many refusals are remembered; beyond that, the first of a person may have been forgotten."""
MOST_IN_MEMORY = 20_000
"""How many entries are read ahead, over all streams."""
LEAST_PAGE, MOST_PAGE = 32, 500


class StoredHouse:
    """A house as far as it was decided again; its earlier events are looked up in the store, when one is corrected."""

    def __init__(self, rules: Rulebook, state: HouseState, reads: Reads) -> None:
        self.rules, self.state, self._reads = rules, state, reads

    def event_at(self, stream: Stream) -> EventAt:
        """A function that returns the event of a number in a stream."""
        return stored_event_at(self._reads, stream, self.state.head(stream))

    def append_decision(self, decision: Decision) -> None:
        """Move on by what was decided."""
        self.state = apply_decision(self.state, decision)


class _Dropped(Exception):  # noqa: N818
    """Entries that were to be read next were dropped meanwhile."""


class HistoryCheck:
    """The verification of one store, from a resume point or from the beginning."""

    def __init__(self, reads: Reads, point: ResumePoint | None = None) -> None:
        self._reads = reads
        self.findings: list[HistoryFinding] = []
        self.heads: dict[Stream, StoredHead] = {}
        """The last entry of each stream that was decided again."""
        self.skipped = 0
        self._reader = JournalReader()
        self._house: StoredHouse | None = None
        self._invariants = InvariantCheck()
        self._again: HouseRedecider | None = None
        self._refusals = RefusalIndex()
        self._notes: dict[Stream, Iterator[CheckpointRow]] = {}
        self._next_note: dict[Stream, CheckpointRow | None] = {}
        self._taken = 0
        self.is_stopped = False
        """Whether something was decided differently, so that nothing after it can be decided."""
        if point is not None and point.form == FORM:
            self._go_on_from(open_snapshot(point.snapshot), point.heads, point.skipped)
        self._resumed = dict(self.heads)
        """The heads of the point, whose entries are compared by their hashes alone."""

    # -------------------------------------------------------------------------------------------- progress

    @property
    def verified(self) -> int:
        """How many entries were decided again, now or earlier, or skipped."""
        return sum(head.seq + 1 for head in self.heads.values())

    def count(self) -> int:
        """How many entries the store has."""
        return sum(head.seq + 1 for head in self._reads.heads().values())

    def point(self) -> ResumePoint | None:
        """The point from which a later verification goes on; None before the first act, within one, and once something
        was found: the next start finds it again."""
        house, again = self._house, self._again
        if house is None or again is None or again.due or self.findings:
            return None
        heads = {name: head for name, head in self._reader.heads.items() if name in self.heads}
        made = take_snapshot(house.rules, house.state, heads, self._reader.logs)
        return ResumePoint(form=made.form, heads=dict(self.heads), skipped=self.skipped, body=made.body)

    def _go_on_from(self, found: RecoveredHouse, heads: dict[Stream, StoredHead], skipped: int) -> None:
        """Go on from a house that is known."""
        self._house = StoredHouse(found.rules, found.state, self._reads)
        self._again = HouseRedecider(self._house, {name: head.seq for name, head in heads.items()})
        self._reader = JournalReader()
        self._reader.heads, self._reader.logs = dict(found.heads), dict(found.logs)
        self._refusals = RefusalIndex(whole=False)
        self._notes, self._next_note = {}, {}
        self.heads, self.skipped = dict(heads), skipped

    def _add(self, say: str, stream: Stream = Stream(""), seq: int = -1, clauses: tuple[str, ...] = ()) -> None:  # noqa: B008
        found = HistoryFinding(say=say, stream=stream, seq=seq, clauses=clauses)
        if len(self.findings) < MOST_FINDINGS and found not in self.findings:
            self.findings.append(found)

    # ----------------------------------------------------------------------------------------------- bytes

    def compare_bytes(self) -> Iterator[None]:
        """Compare all entries before the resume point with its heads, by their hashes; yields after each entry."""
        for stream, head in self._resumed.items():
            try:
                yield from self._compare_stream(stream, head)
            except StoreError as error:
                self._add(str(error), stream)

    def _compare_stream(self, stream: Stream, head: StoredHead) -> Iterator[None]:
        first, hash_ = self._first_kept(stream)
        seq = first - 1
        while seq < head.seq:
            page = self._reads.entries(stream, after=seq, limit=min(MOST_PAGE, head.seq - seq))
            if not page or page[0].seq != seq + 1:
                first, hash_ = self._first_kept(stream)
                if first <= seq + 1:
                    self._add("is missing", stream, seq + 1)
                    return
                seq = first - 1  # what was to be read was dropped meanwhile
                continue
            for entry in page:
                hash_ = hash_after(hash_, entry.body)
                if hash_ != entry.hash or entry.seq != seq + 1:
                    self._add("was changed: it does not follow from the one before it", stream, entry.seq)
                    return
                seq = entry.seq
                yield
        if seq == head.seq and hash_ != head.hash:
            self._add(
                "the entries were changed after they had been verified: their hashes lead to another one", stream, seq
            )

    def _first_kept(self, stream: Stream) -> tuple[int, bytes]:
        """The first entry of a stream that was not dropped, and the hash before it."""
        sql = "select first_seq, first_before from head join stream on stream.id = head.stream where name = ?"
        for first, before in self._reads.read(sql, (stream,)):
            return as_int(first), as_bytes(before)
        raise StoreError("the stream is missing")

    # -------------------------------------------------------------------------------------------- deciding

    def decide(self) -> Iterator[None]:
        """Decide everything again that the store has by now; yields after each entry."""
        while not self.is_stopped:
            try:
                yield from self._decide_once()
            except _Dropped:
                continue
            return

    def _decide_once(self) -> Iterator[None]:
        self._skip_dropped()
        held = self._latest_snapshot()
        if held is not None and self._is_at_most(held.heads, self.heads):
            self._compare_older(held)
        elif held is not None and self._is_at_most(self.heads, held.heads):
            yield from self._decide_until(held.heads)
            if not self.is_stopped:
                self._compare_older(held)
        yield from self._decide_until(self._reads.heads())
        self._check_invariants()

    @staticmethod
    def _is_at_most(one: Mapping[Stream, StoredHead], other: Mapping[Stream, StoredHead]) -> bool:
        """Whether all entries up to some heads are among those up to others."""
        return all(head.seq <= other.get(name, NOT_BEGUN).seq for name, head in one.items())

    def _latest_snapshot(self) -> StoredSnapshot | None:
        """The snapshot from which the house would recover; None if there is none that this program reads."""
        try:
            held = self._reads.latest_snapshot()
        except StoreError as error:
            self._add(str(error))
            return None
        return held if held is not None and held.form == FORM else None

    def _compare_older(self, held: StoredSnapshot) -> None:
        """Follow a snapshot to where history was decided again, and compare what it leads to."""
        try:
            found = open_snapshot(held)
            entries = self._reads.tail(held.heads, until=self.heads)
            advance(found, entries, {}, lambda _decision, _entries, _house: None)
        except (StoreError, *IMPOSSIBLE_STATE_ERRORS) as error:
            if not self._is_dropped():
                self._add(f"the snapshot from which the house starts cannot be followed: {error}")
            return
        self._compare_snapshot(found)

    def _decide_until(self, ends: dict[Stream, StoredHead]) -> Iterator[None]:
        """Decide the entries again up to certain heads."""
        if self.is_stopped:
            return
        self._notes, self._next_note = {}, {}
        page = max(LEAST_PAGE, min(MOST_PAGE, MOST_IN_MEMORY // max(1, len(ends))))
        try:
            for entry in self._reads.tail(self.heads, until=ends, page=page):
                if not self._take(entry):
                    return
                yield
        except StoreError as error:
            if self._is_dropped():
                raise _Dropped from None
            self._stop(str(error))

    def _is_dropped(self) -> bool:
        """Whether entries that are to be decided next were dropped."""
        sql = "select name, first_seq from head join stream on stream.id = head.stream"
        first = {as_text(name): as_int(seq) for name, seq in self._reads.read(sql)}
        return any(seq > self.heads.get(Stream(name), NOT_BEGUN).seq + 1 for name, seq in first.items())

    def _skip_dropped(self) -> None:
        """Where a practice house has dropped what would be next, go on from its snapshot, which includes it."""
        if not self._is_dropped():
            return
        try:
            held = self._reads.latest_snapshot()
            if held is None or held.form != FORM:
                self._stop("earlier entries were dropped, and no snapshot of this version says what they led to")
                return
            before = self.verified
            self._go_on_from(open_snapshot(held), held.heads, self.skipped)
            self.skipped += self.verified - before
        except StoreError as error:
            self._stop(str(error))

    def _take(self, stored: StoredEntry) -> bool:
        """Decide one entry again; False if it is wrong, so that nothing after it can be decided."""
        stream, seq = stored.stream, stored.seq
        try:
            line = self._reader.line(0, write_line(stored.body, stored.hash))
        except JournalFault as fault:
            self._stop(fault.say, stream, seq)
            return False
        entry = getattr(line, "entry", None)
        if not isinstance(entry, ActRecord | StreamOpening) or (entry.stream, entry.seq) != (stream, seq):
            self._stop("another entry is stored in its place", stream, seq)
            return False
        try:
            self._redecide(entry)
        except IMPOSSIBLE_STATE_ERRORS as error:
            self._stop(f"from here on the house cannot be followed: {why_impossible(error, 'house')}", stream, seq)
        if self.is_stopped:
            return False
        events = len(entry.events) if isinstance(entry, ActRecord) else 0
        before = self.heads.get(stream, NOT_BEGUN)
        self.heads[stream] = StoredHead(seq, before.events + events, stored.hash, stored.position)
        self._compare_checkpoints(stream)
        self._taken += 1
        if self._taken % INVARIANTS_EVERY == 0:
            self._check_invariants()
        return True

    def _redecide(self, entry: ActRecord | StreamOpening) -> None:
        if self._again is None:
            self._house = self._begin(entry)
            if self._house is None:
                return
            self._again = HouseRedecider(self._house)
        difference = self._again.take(entry)
        if difference is not None and difference.kind != RULED_OTHERWISE:
            self._stop(difference.say, entry.stream, entry.seq, difference.clauses)
            return
        self._again.ruled_otherwise.clear()
        if isinstance(entry, ActRecord):
            self._check_id(entry)
            found = self._refusals.check(entry)
            if found is not None:
                self._add(found.say, entry.stream, entry.seq)
            if self._refusals.size > MOST_REFUSALS:
                self._refusals = RefusalIndex(whole=False)

    def _begin(self, entry: ActRecord | StreamOpening) -> StoredHouse | None:
        if not isinstance(entry, StreamOpening) or entry.stream != HOUSE_STREAM:
            self._stop("a house begins with the opening of its own stream", entry.stream, entry.seq)
            return None
        try:
            return StoredHouse(rules_at(1, entry), HouseState(), self._reads)
        except JournalFault as fault:
            self._stop(fault.say, entry.stream, entry.seq)
            return None

    def _stop(self, say: str, stream: Stream = Stream(""), seq: int = -1, clauses: tuple[str, ...] = ()) -> None:  # noqa: B008
        """A fault after which nothing more can be decided."""
        self._add(say, stream, seq, clauses)
        self.is_stopped = True

    # --------------------------------------------------------------------------------- what is stored next to the
    # journal

    def _check_id(self, record: ActRecord) -> None:
        """The index of ids must map a command's id to this record, or to an earlier one if the command was denied."""
        if record.who is None:
            return
        if denies_id(record):
            say = self._wrong_denial(record, record.who)
            if say:
                self._add(say, record.stream, record.seq)
        elif record.id:
            at = self._reads.answer(record.id, record.who)
            if at is None:
                say = f"its id {record.id} is missing in the index of ids: the same command would be done again"
                self._add(say, record.stream, record.seq)
            elif at != AnsweredAt(record.stream, record.seq):
                say = f"its id {record.id} belongs to entry {at.seq} of {at.stream}, as the index of ids says"
                self._add(say, record.stream, record.seq)

    def _wrong_denial(self, record: ActRecord, who: str) -> str:
        """What is wrong with the refusal of a command whose id was used before; empty if nothing is."""
        given: Param | None = None
        try:
            given = read_refusal(bytes(record.refused)).params.get("id")
        except ValueError as error:
            return f"not a refusal: {error}"
        at = self._reads.answer(given, who) if isinstance(given, str) else None
        if at is None or not isinstance(given, str):
            return f"it is refused because the id {given} was used before, and the index of ids does not have it"
        if bytes(record.refused) != written(denial(given, at.stream, at.seq)):
            return f"the id {given} was used in entry {at.seq} of {at.stream}; the refusal says something else"
        if at.seq > self.heads.get(at.stream, NOT_BEGUN).seq:
            return f"the id {given} was used only later, in entry {at.seq} of {at.stream}"
        earlier = self._reads.entry(at.stream, at.seq)
        act = read_body(earlier.body) if earlier is not None else None
        if isinstance(act, ActRecord) and identity_of_act(act) == identity_of_act(record):
            return f"the id {given} was used for the same command, which gets the same answer again"
        return ""

    def _compare_checkpoints(self, stream: Stream) -> None:
        """Compare the stored checkpoint of this size with the entries."""
        if stream not in self._notes:
            self._notes[stream] = self._checkpoints_after(stream, self._reader.logs[stream].size - 1)
            self._next_note[stream] = next(self._notes[stream], None)
        size = self._reader.logs[stream].size
        row = self._next_note[stream]
        while row is not None and row.size < size:
            row = next(self._notes[stream], None)
        self._next_note[stream] = row
        if row is not None and row.size == size:
            self._compare_checkpoint(stream, row)

    def _compare_checkpoint(self, stream: Stream, row: CheckpointRow) -> None:
        try:
            stated = read_checkpoint(read_note(row.note))
        except UnreadableNote as error:
            self._add(f"the checkpoint of its first {row.size:,} entries cannot be read: {error}", stream)
            return
        if (stated.size, stated.root) != (row.size, self._reader.logs[stream].root()):
            self._add(f"its first {row.size:,} entries are not those that {stated.origin} has signed", stream)

    def _checkpoints_after(self, stream: Stream, size: int) -> Iterator[CheckpointRow]:
        while rows := self._reads.checkpoints(stream, after=size, limit=MOST_PAGE):
            yield from rows
            size = rows[-1].size

    def _compare_snapshot(self, found: RecoveredHouse) -> None:
        """Compare the house that a snapshot leads to with the one that was decided again."""
        house = self._house
        assert house is not None, "a snapshot has heads"
        heads = {name: self._reader.heads[name] for name in self.heads}
        made = take_snapshot(house.rules, house.state, heads, self._reader.logs)
        ours = open_snapshot(StoredSnapshot(0, made.form, self.heads, made.body))
        expected, stored = _plain(ours), _plain(found)
        if expected != stored:
            field, one, other = first_difference(expected, stored)
            self._add(
                f"the snapshot from which the house starts is not what its {self.verified:,} entries lead to: "
                f"{field} is {_short(other)} and should be {_short(one)}"
            )

    def _check_invariants(self) -> None:
        if self._house is None or self.is_stopped or (self._again is not None and self._again.due):
            return
        for each in self._invariants.broken(self._house.state):
            self._add(f"the books of the house do not agree with its tables: {each.say}")


def _plain(found: RecoveredHouse) -> object:
    """A house, and the edges of its logs, as plain values."""
    return msgspec.json.decode(take_snapshot(found.rules, found.state, found.heads, found.logs).body)


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:60]}…"
