"""Speed of a journal: written, read, replayed, decided again, audited; compared with deciding alone, in one run.

Run: make bench, or .venv/bin/python bench/journal.py [SHOES]

Nine seats wager in every round of electronic shoes. Seconds are processor time. The ratio next to each figure is
against running the same commands through `decide` without storing anything, so that a busy machine matters less.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from baccarat.audit.journal import audit_journals
from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.redecide import command_of, read_events, redecide
from baccarat.engine.table_snapshot import restore_table, take_snapshot
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.record.entry import ActRecord, StreamOpening
from baccarat.record.journal import JournalLine, rules_at
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.actor import Envelope
from baccarat.table.automation import run_until
from baccarat.table.base import Command
from baccarat.table.machine import Table, begin, evolve_all
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager

SUBMISSION, TIMES = "ma-midi-4", 5


def keep(path: Path, shoes: int) -> JournaledTable[JournalFile]:
    """A journal of this many shoes."""
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = JournaledTable.begin(rulebook(SUBMISSION), file, Stream("table 1"))
        for seat in range(1, 10):
            table.do(Sit(seat=seat, person=f"p{seat}"))
            table.do(BuyIn(seat=seat, amount=10**9))
        source = SealedShoe(table.rules, lambda number: number.to_bytes(32, "big"), table="1")

        def wagers(table: Table) -> None:
            for seat in range(1, 10):
                table.do(PlaceWager(seat=seat, on=WagerKind.BANKER if seat % 2 else WagerKind.PLAYER, stake=2_500))

        run_until(table, source, stop=lambda table: table.state.shoe.number >= shoes, wagers=wagers)
    return table


def seconds(work: Callable[[], object]) -> float:
    """The best of a few times, of processor time."""
    best = float("inf")
    for _ in range(TIMES):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def main(shoes: int) -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        begun = time.process_time()
        kept = keep(path, shoes)
        keeping = time.process_time() - begun
        lines = [line for line in read_journal(path) if isinstance(line, JournalLine)]
        opening = lines[0].entry
        assert isinstance(opening, StreamOpening)
        rules = rules_at(1, opening)
        events = len(kept.log)
        acts = [(command_of(bytes(line.entry.command)), line.entry.actor) for line in lines[1:]]  # type: ignore[union-attr]

        def decide_alone() -> None:
            table = Table(rules)
            for command, actor in acts:
                assert isinstance(command, Command)
                table.do(command, actor)

        def decide_again() -> None:
            table = Table(rules)
            for line in read_journal(path):
                assert not isinstance(line, JournalLine) or line.entry.seq == 0 or redecide(table, line.entry) is None

        def open_for_writing() -> None:
            with JournalFile(path, sync=False) as file:
                assert list(file.open())

        def enter_each() -> None:
            again = path.with_name("again.jsonl")
            with JournalFile(again, sync=False) as file:
                assert not list(file.open())
                table = JournaledTable.begin(rules, file, Stream("table 1"))
                for command, actor in acts:
                    assert isinstance(command, Command)
                    table.enter(command, Envelope(actor=actor))
            again.unlink()

        def replay_events() -> None:
            state = begin(rules)
            for line in lines[1:]:
                state = evolve_all(state, read_events(line.entry) or ())  # type: ignore[arg-type]

        middle = lines[-1_000] if len(lines) > 1_000 else lines[1]
        table = Table(rules)
        for line in lines[1 : lines.index(middle) + 1]:
            redecide(table, line.entry)
        data = take_snapshot(
            table, stream=Stream("table 1"), seq=middle.entry.seq, events=len(table.log), hash_=middle.hash
        )
        after = lines[lines.index(middle) :]
        tail = sum(len(line.entry.events) for line in after[1:] if isinstance(line.entry, ActRecord))

        def go_on_from_it() -> None:
            restored, _ = restore_table(data, event_at=lambda _number: None)
            for line in after[1:]:
                assert redecide(restored, line.entry) is None

        base = seconds(decide_alone)
        print(f"{shoes} shoes, {len(lines):,} entries, {events:,} events, {path.stat().st_size / 1e6:.1f} MB")
        for name, took, count in (
            ("decide alone", base, events),
            ("read the journal, chain checked", seconds(lambda: list(read_journal(path))), events),
            ("read events and evolve", seconds(replay_events), events),
            ("read, chain and decide again", seconds(decide_again), events),
            ("audit", seconds(lambda: audit_journals([path])), events),
            ("open the journal for writing", seconds(open_for_writing), events),
            ("decide and enter, not synced", seconds(enter_each), events),
            ("played by automation and stored, not synced", keeping, events),
            (
                f"snapshot of {len(data):,} bytes and {tail:,} events",
                seconds(go_on_from_it),
                tail,
            ),
        ):
            rate, alone = count / took, events / base
            print(f"{name:<46} {rate:>10,.0f} events/s   {rate / alone:5.2f} of deciding alone")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
