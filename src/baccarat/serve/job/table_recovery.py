"""What is done at a table whose loop has failed: read it again from its records, and finish the round in play.

A fault says that something is not as the program expects, perhaps the table in memory. So the table is read from its
records before it is run again, and if memory says something else, the house ends: only a start that recovers
everything from the records is right then.
"""

from __future__ import annotations

import asyncio
import time

from baccarat.house.stream import table_stream
from baccarat.serve.job.table_loop import attendant_of, fetch_seeds, wait_for_change
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.past_state import RecordsDropped, ReplayTooLong, StateCache
from baccarat.serve.store.base import StoreUnavailable
from baccarat.serve.store.read_pool import PoolExhausted
from baccarat.table.state import TableState
from baccarat.table.table_cards import TableCards

TRIES = 3
"""How often memory may differ: another node may have been first, so that acts were decided again meanwhile."""
POOL_SECONDS = 1.0
"""After how many seconds the records are asked for again while too many are reading."""


class RecordDiffers(StoreUnavailable):
    """What is in memory is not what the records lead to: nothing more may be answered from it."""


async def read_table_again(live: HouseServer, name: str) -> None:
    """Read a table from its records, and compare; the house ends if memory differs."""
    for _ in range(TRIES):
        held, seq = live.house.state.tables[name], live.house.journal.head(table_stream(name)).seq
        await live.house.writer.wait_until_flushed()
        stored = await _stored_table(live, name, seq)
        if stored is None or stored == held:
            return
    fault = RecordDiffers(f"{table_stream(name)} in memory differs from what its records lead to")
    live.house.writer.fail(fault)
    raise fault


async def _stored_table(live: HouseServer, name: str, seq: int) -> TableState | None:
    """A table after a record, by its records alone; None if that cannot be said any more, or nothing is recorded."""
    if seq < 0:
        return None
    while True:
        try:
            return await live.reading.ask(lambda reads: StateCache().state_after(reads, table_stream(name), seq))
        except PoolExhausted:
            await asyncio.sleep(POOL_SECONDS)
        except (RecordsDropped, ReplayTooLong):
            return None


async def finish_round(live: HouseServer, name: str) -> None:
    """Finish the round in play at an automated table that has stopped: no company, no pace, nobody is waited for long.

    It uses none of what a table shows or stores besides its acts. Where a person deals, the person finishes the round.
    """
    if live.cards_at(name) is not TableCards.AUTOMATED:
        return
    table = live.house.table(name)
    attendant, changes = attendant_of(live, name, table, is_plain=True), live.rooms.table_changed(name)
    while table.state.round.closed and not table.state.stopped:
        await fetch_seeds(live, name, table, attendant.source)
        changes.clear()
        seated = frozenset(person.who for person in table.state.seats.participants if person is not None)
        attendant.update(table, time.monotonic(), away=seated)
        await wait_for_change(attendant, table, changes)
        for command, actor in attendant.due(table, time.monotonic()):
            table.do(command, actor)
        await live.house.writer.wait_until_flushed()
