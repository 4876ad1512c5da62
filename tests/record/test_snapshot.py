"""Snapshots: a table that goes on from one is the table that was decided again from the beginning."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.engine.redecide import redecide
from baccarat.engine.table_snapshot import StaleSnapshot, restore_table, take_snapshot
from baccarat.law.rulebook import shipped_submissions
from baccarat.record.entry import ActRecord, StreamOpening
from baccarat.record.journal import JournalLine, JournalReader, rules_at
from baccarat.table.machine import Table, begin, evolve_all
from kept import lines_of, short_journal


def read(submission: str) -> list[JournalLine]:
    """The entries of a short journal."""
    return [line for line in JournalReader().read(lines_of(short_journal(submission))) if isinstance(line, JournalLine)]


def no_event(_number: int) -> None:
    """No event from before the snapshot is at hand."""


def snapshots(lines: list[JournalLine]) -> tuple[Table, dict[int, bytes]]:
    """The table decided again, and a snapshot after every record."""
    opening = lines[0].entry
    assert isinstance(opening, StreamOpening)
    table, taken = Table(rules_at(1, opening)), {}
    for line in lines[1:]:
        assert redecide(table, line.entry) is None
        taken[line.entry.seq] = take_snapshot(
            table, stream=line.entry.stream, seq=line.entry.seq, events=len(table.log), hash_=line.hash
        )
    return table, taken


@pytest.mark.parametrize("submission", shipped_submissions())
@pytest.mark.slow
def test_a_snapshot_and_what_follows_it_are_the_whole(submission: str) -> None:
    lines = read(submission)
    table, taken = snapshots(lines)
    for seq in list(taken)[::7]:
        again, found = restore_table(taken[seq], event_at=dict(enumerate(table.log)).get)
        assert (found.seq, found.hash) == (seq, lines[seq].hash.hex())
        assert [redecide(again, line.entry) for line in lines[seq + 1 :]] == [None] * (len(lines) - seq - 1)
        assert again.state == table.state
        assert again.rules is table.rules
        assert again.event_at(3) == table.log[3], "a correction finds what stood before the snapshot"
        assert again.event_at(len(table.log) - 1) == table.log[-1]
        assert again.event_at(len(table.log)) is None


def test_every_prefix_of_the_events_is_the_state_of_its_snapshot() -> None:
    lines = read("ma-midi-4")
    table, taken = snapshots(lines)
    state, count = begin(table.rules), 0
    for line in lines[1:]:
        assert isinstance(line.entry, ActRecord)
        state = evolve_all(state, table.log[count : count + len(line.entry.events)])
        count += len(line.entry.events)
        restored, found = restore_table(taken[line.entry.seq], event_at=no_event)
        assert (restored.state, found.events) == (state, count)


def test_a_snapshot_of_something_else_is_refused() -> None:
    lines = read("ma-midi-4")
    _, taken = snapshots(lines)
    data = taken[20]
    fields = msgspec.json.decode(data)
    for change, said in (
        ({"v": 2}, "another version"),
        ({"behaviour": 99}, "another version"),
        ({"rulebook": "0" * 64}, "its Submission gives"),
        ({"state": {}}, "not a snapshot"),
        ({"extra": 1}, "not a snapshot"),
    ):
        with pytest.raises(StaleSnapshot, match=said):
            restore_table(msgspec.json.encode({**fields, **change}), event_at=no_event)
    state = {**fields["state"], "money": {**fields["state"]["money"], "bank": 5}}
    with pytest.raises(StaleSnapshot):
        restore_table(data[: len(data) // 2], event_at=no_event)
    again, _ = restore_table(msgspec.json.encode({**fields, "state": state}), event_at=no_event)
    assert again.state.money.bank == 5
