"""Driving practice tables: the automated dealer performs what is due while somebody looks on."""

from __future__ import annotations

import asyncio

from baccarat.house.state import table_stream
from baccarat.serve.live import Live
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.source import SealedShoe, SealedTriggers


async def drive(live: Live, name: str) -> None:
    """Deal at one table as long as somebody looks on."""
    table, setting = live.house.table(name), live.setting
    stream = table_stream(name)
    seeds = live.vault.seeds_of(stream, name, lambda: table.rules)
    must_hit = table.rules.elections.must_hit
    triggers = (
        SealedTriggers(must_hit, live.vault.triggers_of(stream, name, table.rules), link=name) if must_hit else None
    )
    source = SealedShoe(table.rules, seeds, table=name, triggers=triggers)
    while True:
        await live.somebody_came(name).wait()
        if table.state.step == "wager":
            if not table.state.round.wagers:
                await asyncio.sleep(0.25)
                continue
            await asyncio.sleep(setting.betting_seconds)
        due = next_due(table, source)
        command = command_for(table, due, source)
        table.do(command, actor_for(table, command))
        live.keep_snapshot()
        await asyncio.sleep(setting.pace)
