"""Making a bundle: which entries of a journal belong to a round, a shoe or a day, with the proof that it has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from baccarat import __version__
from baccarat.audit.bundle.form import (
    ALL,
    FORM,
    ROUND,
    Bundle,
    BundleEntry,
    BundleRulebook,
    Scope,
    StatedState,
    TreeHead,
    day_of,
)
from baccarat.engine.redecide import read_events
from baccarat.house.stream import Stream, is_table_stream
from baccarat.law.edition import shipped_editions, source_of
from baccarat.record.canonical import canonical
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.entry import ActRecord, HexHash, StreamOpening
from baccarat.record.journal import JournalFault, JournalLine, NoteLine, rules_at
from baccarat.record.key import Verifier
from baccarat.record.log import Log
from baccarat.record.note import SignedNote
from baccarat.record.subset_proof import prove_subset
from baccarat.table.base import Event
from baccarat.table.machine import begin, evolve_all
from baccarat.table.rules_adoption import RulesAdopted, rules_after
from baccarat.table.state import TableState
from baccarat.table.step.dealing import CardDrawn
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed


class NoBundle(ValueError):  # noqa: N818
    """The requested part is not in the journal, or not covered by the checkpoint."""


class _Start(msgspec.Struct, frozen=True, kw_only=True):
    """The table as a shoe begins: its first record, and what came before it."""

    seq: int
    events: int
    hash: bytes
    """The hash of the entry before it."""
    rulebook: str
    state: TableState


class _PlacedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record belongs: the shoe and the round in play when it was made, both counted from 1."""

    seq: int
    at: int
    shoe: int
    round: int
    dealt: bool
    """Whether a card was drawn for a hand."""
    opens_seed: bool


class TableHistory:
    """A table's stream followed from its opening: which record belongs to which shoe and round."""

    def __init__(self, opening: JournalLine) -> None:
        assert isinstance(opening.entry, StreamOpening), "a stream begins with its opening"
        self._rules = rules_at(opening.number, opening.entry)
        self._state = begin(self._rules, opening.entry.cards, opening.entry.witnesses, opening.entry.reveal_within)
        self._events = 0
        self.filed: dict[str, dict[str, object]] = {self._rules.hash: dict(opening.entry.submission)}
        self.starts = {1: self._start(1, opening.hash)}
        self.records: list[_PlacedRecord] = []

    def _start(self, seq: int, hash_: bytes) -> _Start:
        rules = self._rules.hash
        return _Start(seq=seq, events=self._events, hash=hash_, rulebook=rules, state=self._state)

    def add_record(self, line: JournalLine) -> None:
        """Add one record."""
        record, before = line.entry, self._state
        assert isinstance(record, ActRecord), "only a stream's first entry opens it"
        events = read_events(record)
        if events is None:
            say = "an event in it cannot be read"
            raise JournalFault(line.number, say, stream=record.stream, seq=record.seq)
        self.records.append(
            _PlacedRecord(
                seq=record.seq,
                at=record.at,
                shoe=before.shoe.number + 1,
                round=before.round.number,
                dealt=any(isinstance(event, CardDrawn) for event in events),
                opens_seed=any(isinstance(event, SeedRevealed | OrderDisproved | SeedLost) for event in events),
            )
        )
        self._follow(events)
        if self._state.shoe.number != before.shoe.number:
            self.starts[self._state.shoe.number + 1] = self._start(record.seq + 1, line.hash)

    def _follow(self, events: list[Event]) -> None:
        self._rules = rules_after(self._rules, events)
        self._state = evolve_all(self._state, events)
        self._events += len(events)
        for event in events:
            if isinstance(event, RulesAdopted) and event.submission is not None:
                self.filed[event.hash] = event.submission

    def rounds(self) -> dict[int, int]:
        """How many rounds have been dealt in each shoe."""
        found: dict[int, int] = {}
        for record in self.records:
            if record.dealt:
                found[record.shoe] = max(found.get(record.shoe, 0), record.round)
        return found

    def records_in_scope(self, scope: Scope) -> tuple[_Start, list[_PlacedRecord]]:
        """The records of a scope, from the beginning of their shoe, and the state before them."""
        wanted = [record for record in self.records if _is_of(record, scope)]
        if not wanted or (scope.kind == ROUND and not any(record.dealt for record in wanted)):
            raise NoBundle(f"the journal has no {scope}; {self._contents_text()}")
        start = self.starts[wanted[0].shoe]
        run = [record for record in self.records if start.seq <= record.seq <= wanted[-1].seq]
        return start, run

    def seed_opening_record(self, run: Sequence[_PlacedRecord]) -> _PlacedRecord | None:
        """The record after a run that opens the seed of the shoe in which it ends."""
        last = run[-1]
        after = (each for each in self.records if each.seq > last.seq and each.shoe == last.shoe)
        return next((each for each in after if each.opens_seed), None)

    def _contents_text(self) -> str:
        shoes = ", ".join(f"shoe {shoe}: {rounds} rounds" for shoe, rounds in self.rounds().items())
        return f"it has {shoes}" if shoes else "no round has been dealt"


def _is_of(record: _PlacedRecord, scope: Scope) -> bool:
    match scope.kind:
        case "round":
            return (record.shoe, record.round) == (scope.shoe, scope.round)
        case "shoe":
            return record.shoe == scope.shoe
        case _:
            return day_of(record.at) == scope.day


class BundleJournal:
    """A journal to make bundles from: its streams, each a log of its own, and the checkpoints in it."""

    def __init__(self, lines: Iterable[JournalLine | NoteLine]) -> None:
        self.streams: dict[Stream, list[JournalLine]] = {}
        self.notes: dict[str, list[SignedNote]] = {}
        for line in lines:
            if isinstance(line, JournalLine):
                self.streams.setdefault(line.entry.stream, []).append(line)
            else:
                self.notes.setdefault(line.stream, []).append(line.note)
        self._logs: dict[Stream, Log] = {}
        self._histories: dict[Stream, TableHistory] = {}

    @property
    def lines(self) -> list[JournalLine]:
        """The entries of all streams, in the order of the journal."""
        return sorted((line for each in self.streams.values() for line in each), key=lambda line: line.number)

    @property
    def tables(self) -> tuple[Stream, ...]:
        """The streams of tables."""
        return tuple(stream for stream in self.streams if is_table_stream(stream))

    def log(self, stream: Stream) -> Log:
        """The log of a stream."""
        if stream not in self._logs:
            self._logs[stream] = Log(line.body for line in self.streams[stream])
        return self._logs[stream]

    def history(self, stream: Stream) -> TableHistory:
        """The history of a table's stream; `NoBundle` if the journal has no such table."""
        if stream not in self.tables:
            raise NoBundle(f"the journal has no stream {stream!r}; it has {', '.join(self.tables) or 'no table'}")
        if stream not in self._histories:
            opening, *records = self.streams[stream]
            made = TableHistory(opening)
            for line in records:
                made.add_record(line)
            self._histories[stream] = made
        return self._histories[stream]


class _ChosenRun(msgspec.Struct, kw_only=True):
    """What a bundle is made of."""

    indexes: list[int]
    late: int | None = None
    before: StatedState | None = None


def make_bundle(
    source: BundleJournal, scope: Scope, *, note: SignedNote | None = None, keys: Sequence[Verifier] = ()
) -> Bundle:
    """The bundle of a scope, under a signed checkpoint or, without one, under the root of the whole journal.

    `NoBundle` if the journal has no such scope, or the checkpoint does not match it or does not cover it.
    """
    history, log = source.history(scope.stream), source.log(scope.stream)
    head = _head(log, note)
    chosen = _ChosenRun(indexes=list(range(head.size))) if scope.kind == ALL else _part(history, scope, head.size)
    indexes, before = chosen.indexes, chosen.before
    if not indexes:
        raise NoBundle("the checkpoint covers no entry")
    lines = [source.streams[scope.stream][index] for index in indexes]
    named = [line.entry.rulebook for line in lines] + ([] if before is None else [before.rulebook])
    return Bundle(
        bundle=FORM,
        program=f"baccarat {__version__}",
        scope=scope,
        checkpoint=None if note is None else bytes(note).decode(),
        tree_head=None if note is not None else TreeHead(size=head.size, root=to_base64(head.root)),
        keys=tuple(map(str, keys)),
        proof=tuple(map(to_base64, prove_subset(log, indexes, head.size))),
        rulebooks=tuple(_bundled_rulebooks(history.filed, dict.fromkeys(named))),
        before=before,
        entries=tuple(
            BundleEntry(index=index, hash=None if index == chosen.late else line.hash.hex(), record=Raw(line.body))
            for index, line in zip(indexes, lines, strict=True)
        ),
    )


def make_whole_bundle(source: BundleJournal, stream: Stream) -> Bundle:
    """The bundle of a whole stream as it stands in a journal, unsigned; nothing of it is followed or decided."""
    log, lines = source.log(stream), source.streams[stream]
    opening = lines[0].entry
    assert isinstance(opening, StreamOpening), "a stream begins with its opening"
    filed = {opening.rulebook: opening.submission}
    for line in lines:
        for event in line.entry.events if isinstance(line.entry, ActRecord) else ():
            if _ADOPTED in bytes(event):
                filed |= _adopted_submission(bytes(event))
    return Bundle(
        bundle=FORM,
        program=f"baccarat {__version__}",
        scope=Scope(kind=ALL, stream=stream),
        tree_head=TreeHead(size=log.size, root=to_base64(log.root())),
        rulebooks=tuple(BundleRulebook(hash=hash_, submission=each) for hash_, each in filed.items()),
        entries=tuple(BundleEntry(index=line.entry.seq, hash=line.hash.hex(), record=Raw(line.body)) for line in lines),
    )


_ADOPTED = b'"event":"rules_adopted"'


class _AdoptedRules(msgspec.Struct):
    hash: HexHash
    submission: dict[str, Any] | None = None


def _adopted_submission(event: bytes) -> dict[str, dict[str, Any]]:
    """The Submission of adopted rules, by the rulebook's hash; none if the event cannot be read."""
    try:
        found = msgspec.json.decode(event, type=_AdoptedRules)
    except msgspec.MsgspecError:
        return {}
    return {} if found.submission is None else {found.hash: found.submission}


def _part(history: TableHistory, scope: Scope, size: int) -> _ChosenRun:
    start, run = history.records_in_scope(scope)
    made = _ChosenRun(indexes=[0, *(record.seq for record in run)])
    if made.indexes[-1] >= size:
        raise NoBundle(
            f"the checkpoint covers {size} entries, but {scope} ends with entry {made.indexes[-1] + 1}: "
            "sign a new one first (baccarat journal checkpoint)"
        )
    late = history.seed_opening_record(run)
    if late is not None and late.seq < size:
        made.indexes.append(late.seq)
        made.late = late.seq
    if start.seq > 1:
        made.before = StatedState(
            seq=start.seq - 1,
            events=start.events,
            hash=start.hash.hex(),
            rulebook=start.rulebook,
            state=Raw(canonical(start.state)),
        )
    return made


def _head(log: Log, note: SignedNote | None) -> Checkpoint:
    if note is None:
        return Checkpoint(origin="", size=log.size, root=log.root())
    head = read_checkpoint(note)
    if head.size > log.size:
        raise NoBundle(f"the checkpoint covers {head.size} entries, but the journal has {log.size}")
    if log.root(head.size) != head.root:
        raise NoBundle(f"the first {head.size} entries of the journal are not those that the checkpoint covers")
    return head


def _bundled_rulebooks(filed: dict[str, dict[str, object]], named: Iterable[str]) -> Iterator[BundleRulebook]:
    for hash_ in named:
        submission = filed.get(hash_)
        if submission is None:
            raise NoBundle(f"no Submission in the journal gives the rulebook {hash_}")
        name = str(submission.get("ruleset"))
        edition = None if name in shipped_editions() else source_of(name)
        yield BundleRulebook(hash=hash_, submission=dict(submission), edition=edition)
