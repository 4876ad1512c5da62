"""Recovery: the stored house, from the last snapshot and the entries after it.

A snapshot is written in the same transaction as its last entries, so it includes only what is stored. What came after
it is replayed: events change states, nothing is decided again (`baccarat audit` does that). At the end the head of
every stream must be the one in the store, or the house does not open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from baccarat.engine.redecide import read_events
from baccarat.house.book import read_fraction
from baccarat.house.registry import book_of
from baccarat.house.state import (
    Decision,
    HouseSnapshot,
    HouseState,
    PricesByRulebook,
    StreamEvents,
    apply_decision,
    follows_from,
    restore,
    snapshot,
)
from baccarat.house.stream import HOUSE_STREAM, Stream, is_table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, hash_after, read_body
from baccarat.record.journal import JournalFault, StreamHead, rules_at
from baccarat.record.log import Frontier
from baccarat.serve.store.base import NewSnapshot, Reads, StoredEntry, StoredSnapshot, StoreError
from baccarat.table.machine import BEHAVIOUR, union_of

FORM = f"house 3, behaviour {BEHAVIOUR}"
"""Which programs read a snapshot: one of another form is ignored, and the house is replayed from the beginning."""


class LogEdge(msgspec.Struct, frozen=True):
    """The size and the right edge of a stream's log, from which its next root is computed."""

    size: int
    hashes: tuple[bytes, ...]


class SnapshotBody(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a snapshot."""

    submission: dict[str, Any]
    """What was filed for the house's own books."""
    house: HouseSnapshot
    logs: dict[Stream, LogEdge]
    latest_at: int = 0
    """The latest time on record, in microseconds; 0 if an older program did not state it."""


class RecoveredHouse(msgspec.Struct, kw_only=True):
    """A house as it is stored."""

    rules: Rulebook
    state: HouseState
    heads: dict[Stream, StreamHead]
    logs: dict[Stream, Frontier]
    latest_at: int = 0
    """The latest time on record, in microseconds: a clock that was set back may be before it."""
    replayed: int = 0
    """How many entries follow the snapshot."""


ActRecords = list[tuple[ActRecord, tuple[Any, ...]]]
"""The records of one act that were not refused, each with its events."""
EachAct = Callable[[Decision | None, Sequence[StoredEntry], RecoveredHouse], None]
"""Is called with a decision, its entries, and the house after it."""

_decode = msgspec.json.Decoder(SnapshotBody, dec_hook=read_fraction).decode


def take_snapshot(
    rules: Rulebook,
    state: HouseState,
    heads: dict[Stream, StreamHead],
    logs: dict[Stream, Frontier],
    *,
    latest_at: int = 0,
) -> NewSnapshot:
    """The whole house as it is now, to be stored with the entries that led here."""
    edges = {stream: LogEdge(log.size, log.edge) for stream, log in logs.items()}
    whole = SnapshotBody(submission=rules.submission, house=snapshot(state), logs=edges, latest_at=latest_at)
    body = msgspec.json.encode(whole, enc_hook=str)
    return NewSnapshot(form=FORM, body=body, heads={stream: head.seq for stream, head in heads.items()})


def recover(reads: Reads, prices: PricesByRulebook | None = None) -> RecoveredHouse | None:
    """The house of a store; None if none has been opened yet. `StoreError` if its entries are inconsistent."""
    heads = reads.heads()  # if other nodes write meanwhile, what is read after this may be newer
    held = reads.latest_snapshot()
    found = open_snapshot(held) if held is not None and held.form == FORM else None
    tail = reads.tail(held.heads if found is not None and held is not None else {})
    made = _replay_entries(found, tail, prices or {})
    if made is None:
        if heads:
            raise StoreError("the store has streams but no entry that opens a house")
        return None
    for stream, head in heads.items():
        got = made.heads.get(stream, StreamHead())
        if got.seq <= head.seq and (got.seq, got.events, got.hash) != (head.seq, head.events, head.hash):
            raise StoreError(f"{stream} was recovered up to record {got.seq}, but the store says {head.seq}")
    return made


def open_snapshot(held: StoredSnapshot) -> RecoveredHouse:
    """The house of a snapshot; `StoreError` if it cannot be read."""
    from baccarat.law.rulebook import rulebook  # noqa: PLC0415

    try:
        whole: SnapshotBody = _decode(held.body)
    except msgspec.MsgspecError:
        raise StoreError("the last snapshot cannot be read: restore the store from a backup") from None
    heads = {
        stream: StreamHead(seq=head.seq, events=head.events, hash=head.hash) for stream, head in held.heads.items()
    }
    logs = {stream: Frontier.from_edge(edge.size, edge.hashes) for stream, edge in whole.logs.items()}
    rules, state = rulebook(whole.submission), restore(whole.house)
    return RecoveredHouse(rules=rules, state=state, heads=heads, logs=logs, latest_at=whole.latest_at)


def _replay_entries(
    made: RecoveredHouse | None,
    entries: Iterable[StoredEntry],
    prices: PricesByRulebook,
    each: EachAct | None = None,
) -> RecoveredHouse | None:
    act: ActRecords = []
    stood: list[StoredEntry] = []
    for stored in entries:
        entry = read_body(stored.body)
        if isinstance(entry, StreamOpening):
            if made is None:
                made = _begin_house(entry)
            _advance_head(made, stored, entry)
            if each is not None:
                each(None, [stored], made)
            continue
        if made is None:
            raise StoreError("the first entry does not open a house")
        if entry.cause is None:
            _finish_act(made, act, stood, prices, each)
            act, stood = [], []
        if entry.refused is NO_BYTES and entry.folded is None:
            act.append((entry, _events(entry)))
        stood.append(stored)
        _advance_head(made, stored, entry)
    if made is not None:
        _finish_act(made, act, stood, prices, each)
    return made


def advance(made: RecoveredHouse, entries: Iterable[StoredEntry], prices: PricesByRulebook, each: EachAct) -> None:
    """Apply further entries to a recovered house; `each` is called for every act, in order. `StoreError` if one is
    inconsistent.

    Entries of one batch are adjacent, so no act is cut in two.
    """
    _replay_entries(made, entries, prices, each)


def _finish_act(
    made: RecoveredHouse, act: ActRecords, stood: list[StoredEntry], prices: PricesByRulebook, each: EachAct | None
) -> None:
    """Apply one act in all the streams that it touched, if anything was decided."""
    decision = None
    if act:
        decision = Decision(
            tuple(StreamEvents(stream=record.stream, after=record.event, events=events) for record, events in act)
        )
        if not follows_from(made.state, decision):
            raise StoreError(f"{act[0][0].stream}: record {act[0][0].seq} does not match the state of the house")
        made.state = apply_decision(made.state, decision, prices)
    if each is not None and stood:
        each(decision, stood, made)


def _begin_house(opening: StreamOpening) -> RecoveredHouse:
    if opening.stream != HOUSE_STREAM:
        raise StoreError(f"a house begins with the stream {HOUSE_STREAM}, not with {opening.stream}")
    try:
        rules = rules_at(1, opening)
    except JournalFault as fault:
        raise StoreError(f"the house cannot be opened: {fault}") from None
    return RecoveredHouse(rules=rules, state=HouseState(), heads={}, logs={})


def _advance_head(made: RecoveredHouse, stored: StoredEntry, entry: StreamOpening | ActRecord) -> None:
    head = made.heads.get(stored.stream) or StreamHead()
    if stored.seq != head.seq + 1 or hash_after(head.hash, stored.body) != stored.hash:
        raise StoreError(f"{stored.stream}: record {stored.seq} does not follow from the one before it")
    more = len(entry.events) if isinstance(entry, ActRecord) else 0
    made.heads[stored.stream] = StreamHead(seq=stored.seq, events=head.events + more, hash=stored.hash)
    made.logs.setdefault(stored.stream, Frontier()).append(stored.body)
    made.latest_at = max(made.latest_at, entry.at)
    made.replayed += 1


def _events(record: ActRecord) -> tuple[Any, ...]:
    if is_table_stream(record.stream):
        events = read_events(record)
    else:
        try:
            events = [_reader(record.stream)(bytes(raw)) for raw in record.events]
        except msgspec.MsgspecError:
            events = None
    if events is None:
        raise StoreError(f"{record.stream}: record {record.seq} has an event that this program does not know")
    return tuple(events)


@cache
def _reader(stream: Stream) -> Callable[[bytes], Any]:
    book = book_of(stream)
    if book is None:
        raise StoreError(f"the house has no book {stream!r}")
    return msgspec.json.Decoder(union_of(book.evolvers), strict=False, dec_hook=read_fraction).decode
