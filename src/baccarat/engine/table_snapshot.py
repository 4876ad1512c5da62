"""Snapshots: a table as it was after one of its records, so that it can be resumed without all that came before.

A snapshot proves nothing by itself: it names the hash of the record that it was taken after, and anyone who resumes it
has the journal with that record. A table restored from a snapshot decides exactly as one that was decided again from
the beginning; the event that a correction names is looked up in the journal.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.record.canonical import canonical, read_canonical
from baccarat.record.entry import IN_ENTRIES, HexHash, Number, StreamName
from baccarat.record.misread import MISREAD, why_unread
from baccarat.table.correctable_event import EventAt
from baccarat.table.machine import BEHAVIOUR, Table
from baccarat.table.state import TableState

FORM = 1


class StaleSnapshot(ValueError):  # noqa: N818
    """A snapshot from which a table cannot be resumed: of another form, other rules, or another journal."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table after a record: which record, how many events there were, the rules, and its state."""

    v: int
    stream: StreamName
    seq: Annotated[int, Meta(ge=0, lt=2**53)]
    events: Number
    hash: HexHash
    """The hash of the record that it was taken after."""
    rulebook: HexHash
    submission: dict[str, Any]
    behaviour: Number
    state: Raw


def take_snapshot(table: Table, *, stream: Stream, seq: int, events: int, hash_: bytes) -> bytes:
    """The bytes of a snapshot of a table after the record `seq`, whose hash is `hash_`."""
    rules = table.rules
    return msgspec.json.encode(
        Snapshot(
            v=FORM,
            stream=stream,
            seq=seq,
            events=events,
            hash=hash_.hex(),
            rulebook=rules.hash,
            submission=rules.submission,
            behaviour=BEHAVIOUR,
            state=Raw(canonical(table.state)),
        )
    )


def restore_table(data: bytes, *, event_at: EventAt) -> tuple[Table, Snapshot]:
    """The table of a snapshot; `StaleSnapshot` if this program cannot resume it."""
    try:
        found = msgspec.json.decode(data, type=Snapshot)
    except MISREAD as error:
        say = why_unread(data, Snapshot, error, words=IN_ENTRIES)
        raise StaleSnapshot(f"not a snapshot of a table: {say}") from None
    try:
        state = read_canonical(bytes(found.state), TableState)
    except MISREAD as error:
        say = why_unread(bytes(found.state), TableState, error)
        raise StaleSnapshot(f"not a snapshot of a table: state: {say}") from None
    if found.v != FORM or found.behaviour != BEHAVIOUR:
        raise StaleSnapshot(f"a snapshot of another version: {found.v}.{found.behaviour}, not {FORM}.{BEHAVIOUR}")
    rules: Rulebook = rulebook(dict(found.submission))
    if rules.hash != found.rulebook:
        raise StaleSnapshot(f"a snapshot under rulebook {found.rulebook}; its Submission gives {rules.hash} here")
    return Table.from_snapshot(rules, state, events=found.events, event_at=event_at), found
