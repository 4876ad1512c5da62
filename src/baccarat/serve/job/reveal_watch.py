"""The watch over reveals: a table whose deadline passes without the seed of its shoe is stopped, by the house's clock.

It runs whether or not anyone watches the table, and no matter who deals there. From when a seed is due is read from the
records, so that a house which was closed meanwhile, or was taken over by another node, goes on counting.
"""

from __future__ import annotations

import asyncio
from functools import partial

from baccarat.house.stream import table_stream
from baccarat.serve.automation.reveal_timer import awaits_reveal, overdue_report
from baccarat.serve.automation.timer import CLOCK
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.past_state import RecordsDropped, ReplayTooLong, StateCache
from baccarat.serve.runtime.round_index import ends_of_shoe
from baccarat.serve.store.base import Reads
from baccarat.table.step.revealing import owes_seed

EVERY_SECONDS = 1.0


async def run_reveal_watch(live: HouseServer, *, every: float = EVERY_SECONDS) -> None:
    """Report every seed that is overdue, as long as the house is open."""
    watch = RevealWatch(live)
    while True:
        await asyncio.sleep(every)
        await watch.look()


class RevealWatch:
    """From when the seed of each table's shoe has been due."""

    def __init__(self, live: HouseServer) -> None:
        self._live = live
        self._since: dict[tuple[str, int], int] = {}
        """In microseconds UTC, by table and shoe."""

    async def look(self) -> None:
        """Report the seeds that are overdue now, at the tables that this node has."""
        live = self._live
        waiting = {
            (table, state.shoe.number): state
            for table, state in live.house.state.tables.items()
            if awaits_reveal(state) and live.house.journal.serves(table_stream(table))
        }
        self._since = {key: since for key, since in self._since.items() if key in waiting}
        for key in waiting:
            if key not in self._since:
                table, shoe = key
                found = await live.reading.ask(
                    partial(due_since, live.states, table=table, shoe=shoe, now=live.desk.now)
                )
                if found is not None:
                    self._since[key] = found
        for (table, shoe), since in self._since.items():
            state = live.house.state.tables[table]  # it may have changed while records were read
            report = overdue_report(state, since=since, now=live.desk.now) if state.shoe.number == shoe else None
            if report is not None:
                live.house.table(table).do(report, CLOCK)


def due_since(states: StateCache, reads: Reads, *, table: str, shoe: int, now: int) -> int | None:
    """When the seed of a table's shoe became due, by the record that made it so; None if that is not on disk yet.

    Where the records are gone, or are too many, the time counts from `now`.
    """
    stream, since = table_stream(table), 0
    head = reads.heads().get(stream)
    if head is None:
        return None
    try:
        for step in states.steps(reads, stream, ends_of_shoe(reads, stream, shoe + 1).begins, head.seq):
            since = (since or step.record.at) if owes_seed(step.state_after) else 0
    except (RecordsDropped, ReplayTooLong):
        return now
    return since or None
