"""Upkeep in the background: closed shoes are compressed, old shoes of practice tables dropped, seats of those who have
left freed, the next day begun in a practice house, counts of refusals and denials written, and expired sessions
ended."""

from __future__ import annotations

import asyncio
from functools import partial

from baccarat.house.stream import table_stream
from baccarat.serve.job.absence import Absences
from baccarat.serve.job.practice_day import NextDay
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.own_round import KEPT_IN_PRACTICE, forget_own_rounds
from baccarat.serve.runtime.past_state import forget_states
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.serve.runtime.round_index import forget_statements
from baccarat.serve.setting import Mode
from baccarat.serve.store.base import Batch

EVERY_SECONDS = 5.0
AT_ONCE = 256
"""How many entries are compressed between two commits."""


async def run_upkeep(live: HouseServer, *, every: float = EVERY_SECONDS) -> None:
    """Do the upkeep of every table from time to time, as long as the house is open."""
    tidied: dict[str, int] = {}
    is_practice = live.setting.mode is Mode.PRACTICE
    absences, next_day = (Absences(live), NextDay(live)) if is_practice else (None, None)
    while True:
        await asyncio.sleep(every)
        for table, ends in list(live.house.shoe_ends.items()):
            if tidied.get(table) != ends[-1]:
                tidied[table] = ends[-1]
                await do_upkeep(live, table, list(ends))
        if absences is not None and next_day is not None:
            absences.free_absent_seats()
            next_day.begin_if_due()
        write_folds(live.house)
        live.desk.denials.write_counts()
        if live.house.signers is not None and live.node is None:  # tables are signed at each round's end
            live.house.journal.sign_grown(live.house.signers, tables=False)
        await live.desk.tidy()
        await live.house.writer.run_exclusive(live.store.do_idle_work)


async def do_upkeep(live: HouseServer, table: str, ends: list[int]) -> None:
    """Compress the closed shoes of a table; at a practice table, drop all but the last of them."""
    stream = table_stream(table)
    live.keep_snapshot(after=1)  # only what a snapshot includes is moved or dropped
    await live.house.writer.wait_until_flushed()
    if live.setting.mode is Mode.PRACTICE:
        if len(ends) > 1:
            await live.house.writer.run_exclusive(partial(live.store.drop_before, stream, ends[0] + 1))
            old = forget_own_rounds(stream, before=live.house.clock() - KEPT_IN_PRACTICE)
            gone = Batch(statements=(*forget_statements(stream, ends[0]), *forget_states(stream, ends[0]), old))
            await live.house.writer.run_exclusive(partial(live.store.append, gone))
        return
    while await live.house.writer.run_exclusive(partial(live.store.archive, stream, ends[-1], most=AT_ONCE)):
        await asyncio.sleep(0)
